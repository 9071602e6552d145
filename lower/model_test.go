package lower_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/ir/eval"
	"github.com/mlxc/mlxc/ir/rope"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

// model is a checkpoint, lowered, whose graphs run on the reference evaluator.
type model struct {
	t testing.TB
	*lower.Program
	graphs  map[lower.GraphKind]graph
	weights []*ir.Tensor
	state   []*ir.Tensor
	rope    []*rope.Table
}

type graph struct {
	lower.Graph
	program *eval.Program
}

// row is a token that a call computes on. length is that of its sequence as RoPE
// kinds that depend on it see it.
type row struct {
	slot, position, length int
	token                  int32
}

func llvmCPU(t testing.TB) *target.Row {
	t.Helper()
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func plan(t testing.TB, precision, kv string) lower.Plan {
	t.Helper()
	p, err := lower.PlanFor(llvmCPU(t), precision, kv, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func kinds(t testing.TB, names ...string) []lower.GraphKind {
	t.Helper()
	var list []lower.GraphKind
	for _, n := range names {
		k, err := lower.ParseGraphKind(n)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, k)
	}
	return list
}

// load lowers the checkpoint in dir and reads its weights.
func load(t testing.TB, dir string, p lower.Plan, o lower.Options) *model {
	t.Helper()
	c, err := checkpoint.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tensors := map[string]bool{}
	for _, x := range c.Tensors() {
		tensors[x.Name] = true
	}
	spec, err := archs.Read(c.Config(), func(name string) bool { return tensors[name] })
	if err != nil {
		t.Fatal(err)
	}
	m := build(t, spec, p, o)
	for _, w := range m.Weights {
		m.weights = append(m.weights, cook(t, c, w))
	}
	return m
}

// build lowers a Spec and gives it a zeroed state.
func build(t testing.TB, spec archs.Spec, p lower.Plan, o lower.Options) *model {
	t.Helper()
	program, err := lower.Lower(spec, p, o)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{t: t, Program: program, graphs: map[lower.GraphKind]graph{}}
	for _, g := range program.Graphs {
		e, err := eval.New(g.Module)
		if err != nil {
			t.Fatal(err)
		}
		m.graphs[g.Kind] = graph{g, e}
	}
	for _, s := range program.State {
		m.state = append(m.state, &ir.Tensor{Type: s.Type, Data: make([]byte, s.Type.Bytes())})
	}
	for _, r := range spec.RoPE {
		table, err := rope.New(r)
		if err != nil {
			t.Fatal(err)
		}
		m.rope = append(m.rope, table)
	}
	return m
}

// cook executes a recipe.
func cook(t testing.TB, c checkpoint.Checkpoint, w lower.Weight) *ir.Tensor {
	t.Helper()
	x := &ir.Tensor{Type: ir.T(w.Type.DType, slices.Clone(w.Recipe.Sources[0].Shape)...)}
	x.Type.Shape[0] = 0
	for _, s := range w.Recipe.Sources {
		rows := make([]byte, ir.T(w.Type.DType, s.Shape...).Bytes())
		if err := c.ReadRows(rows, w.NumberType(), s.Tensor, 0, s.Shape[0]); err != nil {
			t.Fatal(err)
		}
		x.Data = append(x.Data, rows...)
		x.Type.Shape[0] += s.Shape[0]
	}
	if len(w.Recipe.Steps) > 0 {
		x = rearrange(t, x, w.Recipe.Steps)
	}
	if !x.Type.Equal(w.Type) {
		t.Fatalf("the recipe of %s makes %v, the weight is %v", w.Name, x.Type, w.Type)
	}
	return x
}

// run calls a graph on rows, those of a prefill chunk being consecutive, and
// returns its tokens and logits, one for each row, or one in all for a chunk.
func (m *model) run(kind lower.GraphKind, rows ...row) (tokens []int32, logits [][]float32) {
	m.t.Helper()
	g, ok := m.graphs[kind]
	if !ok {
		m.t.Fatalf("no graph %s", kind)
	}
	args := make([]*ir.Tensor, len(g.Args))
	for i, a := range g.Args {
		args[i] = m.argument(a, rows)
	}
	results, err := g.program.Call(m.t.Context(), kind.String(), args)
	if err != nil {
		m.t.Fatal(err)
	}
	for i, r := range g.Results {
		data := results[i].Data
		switch r.Role {
		case lower.RoleState:
			m.state[r.Index] = results[i]
		case lower.RoleToken:
			for ; len(data) > 0; data = data[4:] {
				tokens = append(tokens, int32(binary.LittleEndian.Uint32(data)))
			}
		case lower.RoleLogits:
			for n := 4 * m.Spec.Vocab; len(data) > 0; data = data[n:] {
				logits = append(logits, floats(data[:n]))
			}
		}
	}
	return tokens, logits
}

func (m *model) argument(a lower.Arg, rows []row) *ir.Tensor {
	x := &ir.Tensor{Type: a.Type, Data: make([]byte, a.Type.Bytes())}
	put := func(value func(r row) int32) {
		for i := range min(len(rows), a.Type.Elements()) {
			binary.LittleEndian.PutUint32(x.Data[4*i:], uint32(value(rows[i])))
		}
	}
	switch a.Role {
	case lower.RoleWeight:
		return m.weights[a.Index]
	case lower.RoleState:
		return m.state[a.Index]
	case lower.RoleSlot:
		put(func(r row) int32 { return int32(r.slot) })
	case lower.RoleToken:
		put(func(r row) int32 { return r.token })
	case lower.RolePosition:
		put(func(r row) int32 { return int32(r.position) })
	case lower.RoleValid:
		put(func(r row) int32 { return int32(len(rows)) })
	case lower.RoleCos, lower.RoleSin:
		width := a.Type.Shape[1]
		for i, r := range rows {
			cos, sin := make([]float32, width), make([]float32, width)
			if err := m.rope[a.Index].Fill(cos, sin, []int{r.position}, r.length); err != nil {
				m.t.Fatal(err)
			}
			if a.Role == lower.RoleSin {
				cos = sin
			}
			for j, v := range cos {
				binary.LittleEndian.PutUint32(x.Data[4*(i*width+j):], math.Float32bits(v))
			}
		}
	}
	return x
}

// prefill feeds a prompt in chunks of n tokens and returns the last logits.
func (m *model) prefill(slot int, prompt []int32, n int) (token int32, logits []float32) {
	m.t.Helper()
	for at := 0; at < len(prompt); at += n {
		var rows []row
		for i := at; i < min(at+n, len(prompt)); i++ {
			rows = append(rows, row{slot, i, len(prompt), prompt[i]})
		}
		tokens, all := m.run(lower.GraphKind{Kind: lower.Prefill, Rows: n}, rows...)
		token, logits = tokens[0], all[0]
	}
	return token, logits
}

// decode feeds one token.
func (m *model) decode(slot, position int, token int32) (int32, []float32) {
	m.t.Helper()
	tokens, logits := m.run(lower.GraphKind{Kind: lower.Decode, Rows: 1}, row{slot, position, position + 1, token})
	return tokens[0], logits[0]
}

func floats(data []byte) []float32 {
	v := make([]float32, len(data)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return v
}

// distance is the largest absolute difference; NaN counts as infinite.
func distance(a, b []float32) float64 {
	most := 0.0
	for i := range a {
		d := math.Abs(float64(a[i]) - float64(b[i]))
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		most = max(most, d)
	}
	return most
}

// gap is the difference between the largest logit and the second largest.
func gap(logits []float32) float64 {
	first, second := math.Inf(-1), math.Inf(-1)
	for _, v := range logits {
		if x := float64(v); x > first {
			first, second = x, first
		} else {
			second = max(second, x)
		}
	}
	return first - second
}
