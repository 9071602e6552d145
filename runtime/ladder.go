package runtime

import (
	"cmp"
	"math"
	"slices"
)

// ladder is the graphs of one kind and number of rows, by ascending span: each reads
// more of the state than the one before, the last one all of it.
type ladder []*graph

// ladders sorts the graphs of a kind into ladders, those by ascending rows.
func ladders(graphs []*graph) []ladder {
	slices.SortFunc(graphs, func(a, b *graph) int {
		return cmp.Or(a.Rows-b.Rows, cmp.Compare(a.reads(), b.reads()))
	})
	var list []ladder
	for i, g := range graphs {
		if i == 0 || g.Rows != graphs[i-1].Rows {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], g)
	}
	return list
}

func (l ladder) rows() int { return l[0].Rows }

// covering is the graph that reads the least of the state, yet the first n rows.
func (l ladder) covering(n int) *graph {
	for _, g := range l {
		if g.reads() >= n {
			return g
		}
	}
	return l[len(l)-1]
}

// reads is how many rows of a sequence's state the graph reads.
func (g *graph) reads() int {
	if g.Span == 0 {
		return math.MaxInt
	}
	return g.Span
}
