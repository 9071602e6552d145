package lower

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// GraphKind is a graph of the bundle: {"prefill", 16, 0} is prefill_c16, {"ragged", 4, 256}
// ragged_b4_s256, {"decode", 1, 0} decode.
type GraphKind struct {
	Kind string
	Rows int // tokens of a chunk or sequences of a batch
	// Span is how many rows of a sequence's state attention reads, the first ones: the
	// graph is for positions below it. 0: all that the state has.
	Span int
}

// The values of GraphKind.Kind.
const (
	Prefill = "prefill" // a chunk of one sequence
	Decode  = "decode"  // one token of one sequence
	Ragged  = "ragged"  // one token of each of several sequences
)

// maxRows bounds the rows of a graph: more is a slip of the pen.
const maxRows = 4096

// spanStep divides every span: what state plans put together has so many rows.
const spanStep = 16

// String is the graph's name: "prefill_c16", "decode", "ragged_b4", "decode_s256".
func (k GraphKind) String() string {
	name := k.Kind
	switch k.Kind {
	case Prefill:
		name += "_c" + strconv.Itoa(k.Rows)
	case Ragged:
		name += "_b" + strconv.Itoa(k.Rows)
	}
	if k.Span > 0 {
		name += "_s" + strconv.Itoa(k.Span)
	}
	return name
}

var graphName = regexp.MustCompile(`^(?:(prefill)_c([1-9][0-9]{0,3})|(ragged)_b([1-9][0-9]{0,3})|(decode))(?:_s([1-9][0-9]{0,7}))?$`)

// ParseGraphKind reads a graph's name.
func ParseGraphKind(name string) (GraphKind, error) {
	m := graphName.FindStringSubmatch(name)
	if m == nil {
		return GraphKind{}, fmt.Errorf("lower: unknown graph %q (supported: prefill_cN, decode, ragged_bN, N from 1 to %d, and each with _sM for the first M positions)", name, maxRows)
	}
	rows, _ := strconv.Atoi(m[2] + m[4])
	span, _ := strconv.Atoi(m[6])
	k := GraphKind{m[1] + m[3] + m[5], max(rows, 1), span}
	switch {
	case k.Rows > maxRows:
		return GraphKind{}, fmt.Errorf("lower: graph %s has %d rows (supported: up to %d)", name, k.Rows, maxRows)
	case span > 0 && (span < k.Rows || span%spanStep != 0):
		return GraphKind{}, fmt.Errorf("lower: graph %s reads %d rows of the state (supported: multiples of %d, not less than the graph's rows)", name, span, spanStep)
	}
	return k, nil
}

// whole is the graph of the same kind and rows that reads all of the state.
func (k GraphKind) whole() GraphKind { return GraphKind{Kind: k.Kind, Rows: k.Rows} }

// Role says what a graph argument or result is for; sessions bind by it.
type Role string

// The roles of arguments; Logits is a result only, State and Token both.
const (
	RoleWeight   Role = "weight"
	RoleState    Role = "state"
	RoleSlot     Role = "slot"     // i32: prefill, decode scalar; ragged [N]
	RoleToken    Role = "token"    // i32: prefill [N]; decode scalar; ragged [N]
	RolePosition Role = "position" // i32: position of the (first) token; ragged [N]
	RoleValid    Role = "valid"    // i32 scalar: number of valid tokens of a prefill chunk, ≥ 1
	RoleCos      Role = "cos"      // f32 [rows, rotary/2]; Index is the RoPE kind
	RoleSin      Role = "sin"
	RoleLogits   Role = "logits" // f32: [vocab]; ragged [N, vocab]
)

// Arg is one argument or result of a graph, in order: all weights, all state
// tensors, then slot, token, position, valid (prefill only), and cos, sin for each
// RoPE kind. Results: token, logits, then the state tensors, each donated from
// its argument by iree.abi.output.
//
// A result token is the index of the largest logit, the lowest one of several;
// it is the vocabulary's size, no token, if any logit is NaN.
type Arg struct {
	Role  Role
	Name  string
	Index int // weight, state or RoPE index
	Type  ir.Type
}

// Graph is one emitted graph.
type Graph struct {
	Kind    GraphKind
	Module  *ir.Module // its entry function is named after the graph, the private ones begin with that name
	Args    []Arg
	Results []Arg
}

// graph is the state of building one Graph.
type graph struct {
	spec   archs.Spec
	plan   Plan
	layout layout
	span   int // rows of a sequence's state that attention reads
	params *params
	module *ir.Module
	// functions are the private functions so far: name of each by what it computes.
	functions map[string]string
	used      map[string]int // functions of a name
}

// inputs are the arguments of one call that say what to compute on.
type inputs struct {
	slot, token, position, valid *ir.Value
	cos, sin                     []*ir.Value // by RoPE kind
}

func lowerGraph(kind GraphKind, p *Program) (*Graph, error) {
	g := &graph{
		spec: p.Spec, plan: p.plan, layout: newLayout(kind), span: cmp.Or(kind.Span, p.Capacity), params: p.params,
		functions: map[string]string{}, used: map[string]int{},
	}
	out := &Graph{Kind: kind, Args: arguments(p, g.layout)}
	var err error
	out.Module, err = ir.Build(func() *ir.Module {
		g.module = &ir.Module{Name: kind.String(), Attrs: map[string]any{
			"mlxc.ir_version":        ir.IRVersion,
			"mlxc.stablehlo_version": ir.StableHLOVersion,
		}}
		out.Results = g.main(p, out.Args)
		return g.module
	})
	return out, err
}

// arguments lists the arguments of a graph in their order.
func arguments(p *Program, l layout) []Arg {
	var args []Arg
	for i, w := range p.Weights {
		args = append(args, Arg{RoleWeight, w.Name, i, w.Type})
	}
	for i, s := range p.State {
		args = append(args, Arg{RoleState, s.Name, i, s.Type})
	}
	args = append(args, l.arguments()...)
	for i, r := range p.Spec.RoPE {
		row := ir.T(ir.F32, l.rows(), r.Dim/2)
		args = append(args, Arg{RoleCos, numbered("cos", i), i, row}, Arg{RoleSin, numbered("sin", i), i, row})
	}
	return args
}

// main builds the entry function, which is named after the graph, and returns what its results are.
func (g *graph) main(p *Program, args []Arg) []Arg {
	types := make([]ir.Type, len(args))
	for i, a := range args {
		types[i] = a.Type
	}
	b := ir.NewFunc(g.module, g.module.Name, false, types, nil)
	var weights, state []*ir.Value
	var in inputs
	for i, a := range args {
		v := ir.Named(a.Name, b.Arg(i))
		switch a.Role {
		case RoleWeight:
			weights = append(weights, v)
		case RoleState:
			b.Func.ArgAttrs[i] = map[string]any{"iree.abi.output": ir.Index(2 + len(state))}
			state = append(state, v)
		default:
			in.bind(a.Role, v)
		}
	}
	for i := range in.cos {
		in.cos[i], in.sin[i] = g.layout.angles(b, in.cos[i]), g.layout.angles(b, in.sin[i])
	}

	w := weightArgs{weights, 0}
	x := ir.Named("x", g.layout.clean(b, g.embed(b, in.token, w), in))
	mask := ir.Named("mask", g.layout.mask(b, in, g.span))
	for i := range p.Spec.Layers {
		x, state[2*i], state[2*i+1] = g.layer(b, i, x, w, state[2*i], state[2*i+1], in, mask)
	}
	logits := ir.Named("logits", g.head(b, g.layout.last(b, x, in), w))
	token := ir.Named("next", argmax(b, logits, g.plan.IndicesApart))

	results := []Arg{{RoleToken, "token", 0, token.Type}, {RoleLogits, "logits", 0, logits.Type}}
	for i, s := range p.State {
		results = append(results, Arg{RoleState, s.Name, i, s.Type})
	}
	ret := append([]*ir.Value{token, logits}, state...)
	b.Func.Results = typesOf(ret)
	b.Return(ret...)
	return results
}

func (in *inputs) bind(role Role, v *ir.Value) {
	switch role {
	case RoleSlot:
		in.slot = v
	case RoleToken:
		in.token = v
	case RolePosition:
		in.position = v
	case RoleValid:
		in.valid = v
	case RoleCos:
		in.cos = append(in.cos, v)
	case RoleSin:
		in.sin = append(in.sin, v)
	}
}

// weightArgs are the arguments that hold the weights from place first on.
type weightArgs struct {
	values []*ir.Value
	first  int
}

// at is the weight at a place of params.list; span those at [from, to).
func (w weightArgs) at(place int) *ir.Value        { return w.values[place-w.first] }
func (w weightArgs) span(from, to int) []*ir.Value { return w.values[from-w.first : to-w.first] }

// composite appends stablehlo.composite "mlxc.<name>". body builds what it means, a
// function of arguments called names; equal signatures share one decomposition.
func (g *graph) composite(b *ir.Builder, name string, attrs map[string]any, names []string, args []*ir.Value,
	body func(b *ir.Builder, args []*ir.Value) *ir.Value) *ir.Value {
	fn := g.function(name, attrs, names, args, func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		return []*ir.Value{body(b, args)}
	})
	return b.Composite("mlxc."+name, fn, attrs, args...)[0]
}

// function returns the name of the private function of args that name and what (a
// description that prints in full) define; body builds it on first use.
func (g *graph) function(name string, what any, names []string, args []*ir.Value,
	body func(b *ir.Builder, args []*ir.Value) []*ir.Value) string {
	key := fmt.Sprint(name, what, typesOf(args))
	if fn, ok := g.functions[key]; ok {
		return fn
	}
	fn := g.module.Name + "." + name
	if g.used[name]++; g.used[name] > 1 {
		fn = fmt.Sprintf("%s_%d", fn, g.used[name])
	}
	g.functions[key] = fn
	b := ir.NewFunc(g.module, fn, true, typesOf(args), nil)
	for i, arg := range b.Func.Args {
		ir.Named(names[i], arg)
	}
	results := body(b, b.Func.Args)
	b.Func.Results = typesOf(results)
	b.Return(results...)
	return fn
}

// upTo is 0, 1, …, n-1.
func upTo(n int) []int {
	dims := make([]int, n)
	for i := range dims {
		dims[i] = i
	}
	return dims
}

// numbered is the name of the i-th of its kind: "cos", "cos1", "cos2".
func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return name + strconv.Itoa(i)
}

// typesOf are the types of values.
func typesOf(vs []*ir.Value) []ir.Type {
	ts := make([]ir.Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}
