package compiler

import (
	"math"
	"slices"

	"github.com/mlxc/mlxc/lower"
)

// DefaultGraphs are emitted when none are asked for, with a ladder below each.
var DefaultGraphs = []lower.GraphKind{
	{Kind: lower.Prefill, Rows: 16}, {Kind: lower.Prefill, Rows: 64}, {Kind: lower.Prefill, Rows: 256},
	{Kind: lower.Decode, Rows: 1}, {Kind: lower.Ragged, Rows: 4}, {Kind: lower.Ragged, Rows: 8},
}

// A ladder is the same graph for less and less of the state: attention at position 100
// must not read 2,000 rows. Spans start at shortestSpan and grow by two up to the kind's
// fineSpans, then by four, up to half of the context, so that their number, and the time
// to compile them, grows with the logarithm of the context. Decode runs once a token and
// has most of them.
const shortestSpan = 256

var fineSpans = map[string]int{lower.Prefill: 1024, lower.Decode: math.MaxInt, lower.Ragged: shortestSpan}

// nextSpan is the step of a kind's ladder after span.
func nextSpan(kind string, span int) int {
	if span < fineSpans[kind] {
		return 2 * span
	}
	return 4 * span
}

// defaultGraphs are DefaultGraphs with their ladders, for a context; chunks longer than
// the context are left out.
func defaultGraphs(context int, state lower.StatePlan) []lower.GraphKind {
	var list []lower.GraphKind
	for _, k := range DefaultGraphs {
		if k.Kind == lower.Prefill && k.Rows > max(context, DefaultGraphs[0].Rows) {
			continue
		}
		for span := shortestSpan; span <= context/2; span = nextSpan(k.Kind, span) {
			list = append(list, lower.GraphKind{Kind: k.Kind, Rows: k.Rows, Span: state.Capacity(span)})
		}
		list = append(list, k)
	}
	return list
}

// smallest are the graphs with the fewest rows of each kind.
func smallest(graphs []lower.GraphKind) []lower.GraphKind {
	return slices.DeleteFunc(slices.Clone(graphs), func(g lower.GraphKind) bool {
		return slices.ContainsFunc(graphs, func(o lower.GraphKind) bool { return o.Kind == g.Kind && o.Rows < g.Rows })
	})
}
