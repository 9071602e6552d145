package tokenizer

import (
	"container/heap"
	"slices"
)

// longMerge merges the symbols of a long piece in time that is linear but for sorting.
// Where a textbook implementation keeps one heap of all pairs, this one keeps a queue
// of positions a rank and a heap of the ranks that have one: merges of one rank are
// done in one sweep from left to right, and a run of a million equal bytes has few
// ranks. The order of merges is the same: by rank, then by position.
func (m *bpe) longMerge(dst, sym []int32) []int32 {
	l := longMerger{
		model:  m,
		sym:    sym,
		next:   make([]int32, len(sym)),
		prev:   make([]int32, len(sym)),
		queues: map[uint32]*pairQueue{},
	}
	for i := range sym {
		l.next[i], l.prev[i] = int32(i+1), int32(i-1)
	}
	for i := range sym {
		l.push(int32(i))
	}
	for len(l.ranks) > 0 {
		l.sweep(heap.Pop(&l.ranks).(uint32))
	}
	for i := 0; i < len(sym); i = int(l.next[i]) {
		dst = append(dst, sym[i])
	}
	return dst
}

// longMerger is the state of one long piece: a doubly linked list of symbols, in which
// a symbol that was merged into its left neighbour is merged.
type longMerger struct {
	model      *bpe
	sym        []int32
	next, prev []int32
	queues     map[uint32]*pairQueue // by rank
	ranks      rankHeap              // the keys of queues
	last       *pairQueue            // the one that push used last
	spare      []int32               // memory for the next queue
}

const merged = -1

// pairQueue holds the positions where a pair may be merged. A position may be out of
// date: another merge took one of the two symbols.
type pairQueue struct {
	rank            uint32
	left, right, id int32
	at              []int32
}

// push queues the pair that begins at i if it can be merged.
func (l *longMerger) push(i int32) {
	j := l.next[i]
	if int(j) >= len(l.sym) {
		return
	}
	left, right := l.sym[i], l.sym[j]
	if q := l.last; q != nil && q.left == left && q.right == right {
		q.add(i)
		return
	}
	rank, id := l.model.find(left, right)
	if rank == noMerge {
		return
	}
	q := l.queue(rank)
	q.left, q.right, q.id = left, right, id
	q.add(i)
	l.last = q
}

// add appends a position. It doubles: append alone would copy a long queue many times.
func (q *pairQueue) add(i int32) {
	if len(q.at) == cap(q.at) {
		q.at = slices.Grow(q.at, len(q.at)+4)
	}
	q.at = append(q.at, i)
}

func (l *longMerger) queue(rank uint32) *pairQueue {
	q := l.queues[rank]
	if q == nil {
		q = &pairQueue{rank: rank, at: l.spare}
		l.spare = nil
		l.queues[rank] = q
		heap.Push(&l.ranks, rank)
	}
	return q
}

// sweep merges the pairs of the lowest rank.
func (l *longMerger) sweep(rank uint32) {
	q := l.queues[rank]
	delete(l.queues, rank)
	l.last = nil
	if !slices.IsSorted(q.at) {
		slices.Sort(q.at)
	}
	for k, i := range q.at {
		j := l.next[i]
		if l.sym[i] != q.left || int(j) >= len(l.sym) || l.sym[j] != q.right {
			continue
		}
		l.merge(i, j, q.id)
		if len(l.ranks) > 0 && l.ranks[0] <= rank {
			// A new pair comes before the rest: only in vocabularies where a merge
			// precedes those that make its parts.
			rest := l.queue(rank)
			rest.left, rest.right, rest.id = q.left, q.right, q.id
			rest.at = append(rest.at, q.at[k+1:]...)
			return
		}
	}
	l.spare = q.at[:0]
}

// merge replaces the symbols at i and j, neighbours, by id at i.
func (l *longMerger) merge(i, j, id int32) {
	l.sym[i], l.sym[j] = id, merged
	l.next[i] = l.next[j]
	if n := l.next[i]; int(n) < len(l.sym) {
		l.prev[n] = i
	}
	if p := l.prev[i]; p >= 0 {
		l.push(p)
	}
	l.push(i)
}

// rankHeap is a min-heap for container/heap.
type rankHeap []uint32

func (h rankHeap) Len() int           { return len(h) }
func (h rankHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h rankHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rankHeap) Push(x any)        { *h = append(*h, x.(uint32)) }
func (h *rankHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
