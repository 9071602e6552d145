package runtime

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/ir/rope"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/sample"
)

// graphBackend runs the bundle's own graphs on a device.
type graphBackend struct{ device device.Device }

func (g graphBackend) Name() string { return g.device.Name() }

func (g graphBackend) Open(ctx context.Context, b *bundle.Bundle, o Options) (Session, error) {
	if devices := b.Manifest.Compile.Devices; !slices.Contains(devices, g.Name()) {
		return nil, fmt.Errorf("runtime: %s: target %s, plan %s doesn't run on device %s (it runs on %v); choose one of them with --device, or emit for another --target",
			b.Path, b.Manifest.Compile.Target, b.Manifest.Plan.Name, g.Name(), devices)
	}
	p, err := g.device.Load(ctx, b, device.Options{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	s, err := newGraphSession(b, p)
	if err != nil {
		p.Close()
		return nil, err
	}
	return s, nil
}

// graphSession is a Session over the graphs of a bundle. The device's buffers for
// weights, state and small inputs live as long as it does.
type graphSession struct {
	model   bundle.Model
	ropes   []*rope.Table
	stateOf []bundle.State
	prog    device.Program
	weights []device.Buffer
	state   []device.Buffer
	prefill []ladder // by ascending rows
	decode  ladder
	ragged  []ladder // by ascending rows
	seqs    []sequence
	broken  bool
}

// sequence is what the session knows of a slot.
type sequence struct {
	open    bool
	history []int32 // tokens that the state holds
	next    int32   // token that Decode appends
	hasNext bool
	// poisoned: the state may hold NaN or Inf; it's cleared before the slot is reused.
	poisoned bool
	sampler  *sample.Sampler
	logits   []float32 // of the last step; aliases the graph's read buffer
}

// graph is a callable graph with its input buffers, made once and rewritten per call.
type graph struct {
	bundle.Graph
	args                         []device.Buffer // in argument order; state entries are refreshed per call
	slot, token, position, valid device.Buffer
	cos, sin                     []device.Buffer // by RoPE index
	logits                       []float32       // [vocab] or [rows, vocab]
	scratch                      []byte
	tokenResult, logitsResult    int
}

func newGraphSession(b *bundle.Bundle, p device.Program) (*graphSession, error) {
	m := &b.Manifest
	s := &graphSession{model: m.Model, stateOf: m.State, prog: p}
	for _, params := range m.RoPE {
		t, err := rope.New(params)
		if err != nil {
			return nil, err
		}
		s.ropes = append(s.ropes, t)
	}
	for i, w := range m.Weights {
		t, err := typeOf(w.DType, w.Shape)
		if err != nil {
			return nil, err
		}
		buf, err := p.Upload(t, b.Weight(i))
		if err != nil {
			return nil, fmt.Errorf("runtime: weight %s: %w", w.Name, err)
		}
		s.weights = append(s.weights, buf)
	}
	for _, st := range m.State {
		t, err := typeOf(st.DType, st.Shape)
		if err != nil {
			return nil, err
		}
		buf, err := p.Alloc(t)
		if err != nil {
			return nil, fmt.Errorf("runtime: state %s: %w", st.Name, err)
		}
		s.state = append(s.state, buf)
	}
	graphs := map[string][]*graph{} // by kind
	for _, bg := range m.Graphs {
		g, err := s.newGraph(bg)
		if err != nil {
			return nil, fmt.Errorf("runtime: graph %s: %w", bg.Name, err)
		}
		graphs[bg.Kind] = append(graphs[bg.Kind], g)
	}
	if len(graphs["decode"]) == 0 {
		return nil, fmt.Errorf("runtime: %s has no decode graph; emit it with --graphs …,decode", b.Path)
	}
	s.prefill, s.decode, s.ragged = ladders(graphs["prefill"]), ladders(graphs["decode"])[0], ladders(graphs["ragged"])
	usable := m.Model.Slots
	if len(s.ragged) > 0 {
		usable-- // the last slot is the spare of idle rows
	}
	s.seqs = make([]sequence, usable)
	return s, nil
}

// newGraph makes the input buffers of a graph.
func (s *graphSession) newGraph(bg bundle.Graph) (*graph, error) {
	g := &graph{Graph: bg, args: make([]device.Buffer, len(bg.Args)),
		cos: make([]device.Buffer, len(s.ropes)), sin: make([]device.Buffer, len(s.ropes))}
	for i, a := range bg.Args {
		switch a.Role {
		case "weight":
			g.args[i] = s.weights[a.Index]
			continue
		case "state":
			continue
		}
		t, err := typeOf(a.DType, a.Shape)
		if err != nil {
			return nil, err
		}
		buf, err := s.prog.Alloc(t)
		if err != nil {
			return nil, err
		}
		g.args[i] = buf
		switch a.Role {
		case "slot":
			g.slot = buf
		case "token":
			g.token = buf
		case "position":
			g.position = buf
		case "valid":
			g.valid = buf
		case "cos":
			g.cos[a.Index] = buf
		case "sin":
			g.sin[a.Index] = buf
		}
	}
	for i, r := range bg.Results {
		switch r.Role {
		case "token":
			g.tokenResult = i
		case "logits":
			g.logitsResult = i
			t, err := typeOf(r.DType, r.Shape)
			if err != nil {
				return nil, err
			}
			g.logits = make([]float32, t.Elements())
		}
	}
	return g, nil
}

func typeOf(dtype string, shape []int) (ir.Type, error) {
	d, err := ir.ParseDType(dtype)
	return ir.Type{DType: d, Shape: shape}, err
}

// row is the input of one row of a graph.
type row struct {
	slot, token, position int
	length                int // of the sequence, for RoPE: see rope.Table.Fill
}

// run writes the rows' inputs, calls the graph and takes the donated state back.
// A prefill's rows share slot; valid is how many of them count. Logits are read
// into g.logits. It returns the token ids, one, or one a row for ragged graphs.
func (s *graphSession) run(ctx context.Context, g *graph, rows []row, valid int) ([]int32, error) {
	if s.broken {
		return nil, ErrBroken
	}
	if err := s.writeInputs(g, rows, valid); err != nil {
		return nil, err
	}
	for i, a := range g.Args {
		if a.Role == "state" {
			g.args[i] = s.state[a.Index]
		}
	}
	results, err := s.prog.Call(ctx, g.Name, g.args)
	if err != nil {
		s.broken = true
		return nil, fmt.Errorf("runtime: %w", err) // devices name the graph
	}
	for i, r := range g.Results {
		if r.Role == "state" {
			s.state[r.Index] = results[i]
		}
	}
	tokens := make([]int32, max(1, results[g.tokenResult].Type().Elements()))
	if err := results[g.tokenResult].Read(bytesOf(tokens)); err != nil {
		return nil, err
	}
	if err := results[g.logitsResult].Read(bytesOf(g.logits)); err != nil {
		return nil, err
	}
	results[g.tokenResult].Release()
	results[g.logitsResult].Release()
	return tokens, nil
}

func (s *graphSession) writeInputs(g *graph, rows []row, valid int) error {
	n := len(rows)
	perRow := func(f func(row) int) []byte {
		g.scratch = g.scratch[:0]
		for _, r := range rows {
			g.scratch = binary.LittleEndian.AppendUint32(g.scratch, uint32(f(r)))
		}
		return g.scratch
	}
	first := func(b []byte, buf device.Buffer) []byte { return b[:4*max(1, buf.Type().Elements())] }
	if err := g.token.Write(perRow(func(r row) int { return r.token })); err != nil {
		return err
	}
	// slot and position are scalars of a prefill: the first row's.
	if err := g.slot.Write(first(perRow(func(r row) int { return r.slot }), g.slot)); err != nil {
		return err
	}
	if err := g.position.Write(first(perRow(func(r row) int { return r.position }), g.position)); err != nil {
		return err
	}
	if g.valid != nil {
		if err := g.valid.Write(binary.LittleEndian.AppendUint32(nil, uint32(valid))); err != nil {
			return err
		}
	}
	for k, t := range s.ropes {
		w := t.Width()
		cos, sin := make([]float32, n*w), make([]float32, n*w)
		for i, r := range rows {
			if err := t.Fill(cos[i*w:(i+1)*w], sin[i*w:(i+1)*w], []int{r.position}, r.length); err != nil {
				return err
			}
		}
		if err := g.cos[k].Write(bytesOf(cos)); err != nil {
			return err
		}
		if err := g.sin[k].Write(bytesOf(sin)); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf is the memory of v; devices and bundles are little-endian, as every
// platform that mlxc supports.
func bytesOf[T int32 | float32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 4*len(v))
}

// finite reports whether every logit is a finite number. Adding zero times each
// value finds NaN and Inf without a branch per element.
func finite(logits []float32) bool {
	var acc float32
	for _, v := range logits {
		acc += v * 0
	}
	return !math.IsNaN(float64(acc))
}
