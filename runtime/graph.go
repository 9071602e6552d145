package runtime

import (
	"context"
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

// On is the backend that runs a bundle's own graphs on a device.
func On(d device.Device) Backend { return graphBackend{d} }

func (g graphBackend) Name() string { return g.device.Name() }

func (g graphBackend) Open(ctx context.Context, b *bundle.Bundle, o Options) (Session, error) {
	if devices := b.Manifest.Compile.Devices; !slices.Contains(devices, g.Name()) {
		return nil, fmt.Errorf("runtime: %s: target %s, plan %s doesn't run on device %s (it runs on %v); choose one of them with --device, or emit for another --target",
			b.Path, b.Manifest.Compile.Target, b.Manifest.Plan.Name, g.Name(), devices)
	}
	if v := b.Manifest.IRVersion; v != ir.IRVersion {
		return nil, fmt.Errorf("runtime: %s: its graphs are of IR version %d, this mlxc runs version %d: emit it again with this version of mlxc-emit", b.Path, v, ir.IRVersion)
	}
	if slices.Contains(o.CPUs, HostCPU) {
		o.CPUs = nil
	}
	p, err := g.device.Load(ctx, b, device.Options{Threads: o.Threads, CPUs: o.CPUs})
	if err != nil {
		return nil, err
	}
	s, err := newGraphSession(b, p)
	if err != nil {
		p.Close()
		return nil, err
	}
	s.finishCalls = o.FinishCalls
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

	finishCalls bool // Options.FinishCalls

	// Of the step in progress.
	rows     []row
	integers []int32
	position [1]int
	cos, sin []float32
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
	tokens                       []int32         // [1] or [rows]
	tokenResult, logitsResult    int
	stateArgs, stateResults      []stateUse
}

// stateUse is where in a graph's arguments or results a tensor of the state is.
type stateUse struct{ at, index int }

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
			g.stateArgs = append(g.stateArgs, stateUse{i, a.Index})
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
		case "state":
			g.stateResults = append(g.stateResults, stateUse{i, r.Index})
		case "token":
			g.tokenResult = i
			g.tokens = make([]int32, max(1, elements(r.Shape)))
		case "logits":
			g.logitsResult = i
			g.logits = make([]float32, elements(r.Shape))
		}
	}
	return g, nil
}

func elements(shape []int) int { return ir.Type{Shape: shape}.Elements() }

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
// into g.logits. It returns the token ids, one, or one a row for ragged graphs, valid
// until the graph's next run.
func (s *graphSession) run(ctx context.Context, g *graph, rows []row, valid int) ([]int32, error) {
	if s.broken {
		return nil, ErrBroken
	}
	if err := s.writeInputs(g, rows, valid); err != nil {
		return nil, err
	}
	for _, u := range g.stateArgs {
		g.args[u.at] = s.state[u.index]
	}
	if s.finishCalls {
		ctx = context.WithoutCancel(ctx)
	}
	results, err := s.prog.Call(ctx, g.Name, g.args)
	if err != nil {
		s.broken = true
		return nil, fmt.Errorf("runtime: %w", err) // devices name the graph
	}
	for _, u := range g.stateResults {
		s.state[u.index] = results[u.at]
	}
	if err := results[g.tokenResult].Read(bytesOf(g.tokens)); err != nil {
		return nil, err
	}
	if err := results[g.logitsResult].Read(bytesOf(g.logits)); err != nil {
		return nil, err
	}
	results[g.tokenResult].Release()
	results[g.logitsResult].Release()
	return g.tokens, nil
}

func (s *graphSession) writeInputs(g *graph, rows []row, valid int) error {
	for _, input := range []struct {
		buffer device.Buffer
		of     func(row) int
	}{
		{g.token, func(r row) int { return r.token }},
		{g.slot, func(r row) int { return r.slot }},
		{g.position, func(r row) int { return r.position }},
	} {
		s.integers = s.integers[:0]
		// slot and position are scalars of a prefill: the first row's.
		for _, r := range rows[:max(1, input.buffer.Type().Elements())] {
			s.integers = append(s.integers, int32(input.of(r)))
		}
		if err := input.buffer.Write(bytesOf(s.integers)); err != nil {
			return err
		}
	}
	if g.valid != nil {
		s.integers = append(s.integers[:0], int32(valid))
		if err := g.valid.Write(bytesOf(s.integers)); err != nil {
			return err
		}
	}
	for k, t := range s.ropes {
		n := len(rows) * t.Width()
		s.cos, s.sin = slices.Grow(s.cos[:0], n)[:n], slices.Grow(s.sin[:0], n)[:n]
		for i, r := range rows {
			from, to := i*t.Width(), (i+1)*t.Width()
			s.position[0] = r.position
			if err := t.Fill(s.cos[from:to], s.sin[from:to], s.position[:], r.length); err != nil {
				return err
			}
		}
		if err := g.cos[k].Write(bytesOf(s.cos)); err != nil {
			return err
		}
		if err := g.sin[k].Write(bytesOf(s.sin)); err != nil {
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
// value finds NaN and Inf without a branch per element; four sums let the processor
// add side by side.
func finite(logits []float32) bool {
	var a, b, c, d float32
	for ; len(logits) >= 4; logits = logits[4:] {
		a += logits[0] * 0
		b += logits[1] * 0
		c += logits[2] * 0
		d += logits[3] * 0
	}
	for _, v := range logits {
		a += v * 0
	}
	return !math.IsNaN(float64(a + b + c + d))
}
