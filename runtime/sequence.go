package runtime

import (
	"context"
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/sample"
)

func (s *graphSession) Capabilities() Capabilities {
	c := Capabilities{Slots: len(s.seqs), Context: s.model.Context, Vocab: s.model.Vocab,
		BatchWidths: []int{1}, Logprobs: true, Rewind: true}
	for _, l := range s.ragged {
		c.BatchWidths = append(c.BatchWidths, l.rows())
	}
	for _, st := range s.stateOf {
		c.Rewind = c.Rewind && st.Rewindable
	}
	if p, ok := s.prog.(device.Leveled); ok {
		c.CPU = p.Level()
	}
	return c
}

func (s *graphSession) Open(_ context.Context, spec sample.Spec) (Slot, error) {
	sampler, err := sample.New(spec)
	if err != nil {
		return 0, err
	}
	for i := range s.seqs {
		if !s.seqs[i].open {
			if err := s.clean(Slot(i)); err != nil {
				return 0, err
			}
			s.seqs[i] = sequence{open: true, sampler: sampler, history: s.seqs[i].history[:0]}
			return Slot(i), nil
		}
	}
	return 0, ErrNoSlot
}

// clean zeroes the state of a slot whose last sequence ended in non-finite numbers.
func (s *graphSession) clean(slot Slot) error {
	if !s.seqs[slot].poisoned {
		return nil
	}
	for i, st := range s.stateOf {
		if err := s.state[i].ClearSlot(st.SlotAxis, int(slot)); err != nil {
			return fmt.Errorf("runtime: state %s: %w", st.Name, err)
		}
	}
	return nil
}

// seq returns the open sequence of a slot; using another is a programmer's error.
func (s *graphSession) seq(slot Slot) *sequence {
	if int(slot) < 0 || int(slot) >= len(s.seqs) || !s.seqs[slot].open {
		panic(fmt.Sprintf("runtime: slot %d is not open", slot))
	}
	return &s.seqs[slot]
}

func (s *graphSession) Len(slot Slot) int { return len(s.seq(slot).history) }

func (s *graphSession) Release(slot Slot) { s.seq(slot).open = false }

func (s *graphSession) Prefill(ctx context.Context, slot Slot, ids []int32) (Step, error) {
	q := s.seq(slot)
	if len(ids) == 0 {
		return Step{}, fmt.Errorf("runtime: prefill of no tokens: an empty prompt has no next token")
	}
	if err := s.checkIDs(ids); err != nil {
		return Step{}, err
	}
	if len(q.history)+len(ids) > s.model.Context {
		return Step{}, &ContextError{Have: len(q.history), Add: len(ids), Context: s.model.Context}
	}
	length := len(q.history) + len(ids) // RoPE length of every chunk: the whole prompt's
	// Chunks start at multiples of ChunkAlign: tokens before that are fed again.
	start := len(q.history) - len(q.history)%max(1, s.model.ChunkAlign)
	ids = slices.Concat(q.history[start:], ids)
	q.history, q.hasNext = q.history[:start], false
	var logits []float32
	var token int32
	for len(ids) > 0 {
		if err := ctx.Err(); err != nil {
			return Step{}, err
		}
		l, n := s.chunk(len(q.history), len(ids))
		g := l.covering(len(q.history) + n)
		s.rows = s.rows[:0]
		for i := range g.Rows {
			r := row{slot: int(slot), length: length} // padding: what it computes is never read
			if i < n {
				r.token, r.position = int(ids[i]), len(q.history)+i
			}
			s.rows = append(s.rows, r)
		}
		tokens, err := s.run(ctx, g, s.rows, n)
		if err != nil {
			return Step{}, err
		}
		q.history = append(q.history, ids[:n]...)
		ids = ids[n:]
		token, logits = tokens[0], g.logits
	}
	return s.sampled(q, token, logits), nil
}

// chunk chooses the graphs for the next tokens of a prompt, and how many of them it
// takes: of the chunks that fit into the state's capacity at that position, the largest
// that is filled or that no smaller ones do the work of at less cost. Without a prefill
// graph that fits, decode takes one token.
func (s *graphSession) chunk(position, left int) (ladder, int) {
	fit := s.prefill
	for len(fit) > 0 && position+fit[len(fit)-1].rows() > s.model.Capacity {
		fit = fit[:len(fit)-1]
	}
	if len(fit) == 0 {
		return s.decode, 1
	}
	for len(fit) > 1 && left < fit[len(fit)-1].rows() && prefillCost(fit[:len(fit)-1], left) < prefillCost(fit[len(fit)-1:], left) {
		fit = fit[:len(fit)-1]
	}
	l := fit[len(fit)-1]
	return l, min(l.rows(), left)
}

// chunkOverhead is what a chunk costs beside its rows, in rows: weights are read, and
// unpacked, once a chunk. It is an eighth of 64 rows for 4-bit weights on a CPU.
const chunkOverhead = 8

// prefillCost is what n tokens cost in chunks of those ladders, ascending by rows: as
// many as are filled of the largest, and the rest in one more of them or in smaller ones.
func prefillCost(chunks []ladder, n int) int {
	l := len(chunks) - 1
	rows := chunks[l].rows()
	cost, rest := n/rows*(rows+chunkOverhead), n%rows
	switch {
	case rest == 0:
		return cost
	case l == 0:
		return cost + rows + chunkOverhead
	}
	return cost + min(rows+chunkOverhead, prefillCost(chunks[:l], rest))
}

func (s *graphSession) Decode(ctx context.Context, slots []Slot) ([]Step, error) {
	for i, slot := range slots {
		q := s.seq(slot)
		if !q.hasNext {
			return nil, fmt.Errorf("runtime: decode of slot %d, which has no token to append: prefill it first", slot)
		}
		if slices.Contains(slots[:i], slot) {
			return nil, fmt.Errorf("runtime: slot %d twice in one decode", slot)
		}
		if len(q.history)+1 > s.model.Context {
			return nil, &ContextError{Have: len(q.history), Add: 1, Context: s.model.Context}
		}
	}
	steps := make([]Step, 0, len(slots))
	for len(slots) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := s.batch(len(slots))
		n := min(len(slots), l.rows())
		var err error
		if steps, err = s.decodeBatch(ctx, steps, l, slots[:n]); err != nil {
			return nil, err
		}
		slots = slots[n:]
	}
	return steps, nil
}

// batch chooses the graphs for n sequences: decode for one, else the narrowest
// ragged ones that hold them all, else the widest.
func (s *graphSession) batch(n int) ladder {
	if n == 1 || len(s.ragged) == 0 {
		return s.decode
	}
	for _, l := range s.ragged {
		if l.rows() >= n {
			return l
		}
	}
	return s.ragged[len(s.ragged)-1]
}

// decodeBatch appends the steps of the slots, at most as many as the ladder has rows.
func (s *graphSession) decodeBatch(ctx context.Context, steps []Step, l ladder, slots []Slot) ([]Step, error) {
	s.rows = s.rows[:0]
	longest := 0
	for i := range l.rows() {
		if i >= len(slots) {
			s.rows = append(s.rows, row{slot: s.model.Slots - 1, length: 1}) // idle: the spare slot
			continue
		}
		q := s.seq(slots[i])
		p := len(q.history)
		s.rows = append(s.rows, row{slot: int(slots[i]), token: int(q.next), position: p, length: p + 1})
		longest = max(longest, p+1)
	}
	g := l.covering(longest)
	tokens, err := s.run(ctx, g, s.rows, len(slots))
	if err != nil {
		return nil, err
	}
	for i, slot := range slots {
		q := s.seq(slot)
		q.history = append(q.history, q.next)
		v := s.model.Vocab
		steps = append(steps, s.sampled(q, tokens[i], g.logits[i*v:(i+1)*v]))
	}
	return steps, nil
}

// sampled ends a step of one sequence: greedy keeps the graph's own argmax.
func (s *graphSession) sampled(q *sequence, argmax int32, logits []float32) Step {
	q.logits, q.hasNext = logits, false
	if !finite(logits) {
		q.poisoned = true
		return Step{Err: &NonFiniteError{Position: len(q.history)}}
	}
	token := argmax
	if !q.sampler.Spec().Greedy() {
		t, err := q.sampler.Sample(logits)
		if err != nil {
			return Step{Err: err}
		}
		token = t
	}
	q.next, q.hasNext = token, true
	return Step{Token: token}
}

func (s *graphSession) checkIDs(ids []int32) error {
	for i, id := range ids {
		if id < 0 || int(id) >= s.model.Vocab {
			return fmt.Errorf("runtime: token id %d at index %d is outside the vocabulary of %d", id, i, s.model.Vocab)
		}
	}
	return nil
}

func (s *graphSession) Feed(slot Slot, token int32) error {
	if err := s.checkIDs([]int32{token}); err != nil {
		return err
	}
	q := s.seq(slot)
	q.next, q.hasNext = token, true
	return nil
}

func (s *graphSession) Logits(slot Slot) ([]float32, error) {
	q := s.seq(slot)
	if q.logits == nil {
		return nil, fmt.Errorf("runtime: slot %d has made no step yet", slot)
	}
	return q.logits, nil
}

func (s *graphSession) Fork(ctx context.Context, slot Slot) (Slot, error) {
	q := s.seq(slot)
	to, err := s.Open(ctx, q.sampler.Spec())
	if err != nil {
		return 0, err
	}
	for i, st := range s.stateOf {
		if err := s.state[i].CopySlot(st.SlotAxis, int(slot), int(to)); err != nil {
			s.Release(to)
			return 0, fmt.Errorf("runtime: fork of slot %d: state %s: %w", slot, st.Name, err)
		}
	}
	f := &s.seqs[to]
	f.history = append(f.history, q.history...)
	f.next, f.hasNext = q.next, q.hasNext
	f.logits = slices.Clone(q.logits)
	f.poisoned = q.poisoned
	return to, nil
}

func (s *graphSession) Truncate(slot Slot, n int) error {
	q := s.seq(slot)
	if n < 0 || n > len(q.history) {
		return fmt.Errorf("runtime: truncate slot %d to %d tokens: it holds %d", slot, n, len(q.history))
	}
	if q.poisoned {
		return fmt.Errorf("runtime: truncate slot %d: its state holds non-finite numbers; release it", slot)
	}
	if n < len(q.history) && !s.Capabilities().Rewind {
		return fmt.Errorf("runtime: truncate slot %d: this model's state can't be cut back", slot)
	}
	q.history, q.hasNext, q.logits = q.history[:n], false, nil
	return nil
}

func (s *graphSession) Close() error { return s.prog.Close() }
