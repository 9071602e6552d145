package native

import (
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/native/pages"
)

// The toy model of testdata/device/decode.mlir. All numbers in it are small
// integers, so results are exact in any order of summation.
const vocab, width, slots = 11, 8, 3

func toyEmbedding(token, i int) float32 { return float32((token*7+i*i*3)%11 - 5) }

// toyBundle writes the toy model as a bundle; change edits the module's text.
func toyBundle(t *testing.T, change func(source string) string, manifest func(*bundle.Manifest)) *bundle.Bundle {
	t.Helper()
	source := string(readFile(t, "testdata/device/decode.mlir"))
	if change != nil {
		source = change(source)
	}
	vmfb := readFile(t, compileCached(t, tool(t, "iree-compile"), []byte(source), slices.Concat(commonFlags, variantFlags["generic"])))
	var weights []byte
	for token := range vocab {
		for i := range width {
			weights = appendFloat(weights, toyEmbedding(token, i))
		}
	}
	files := map[string][]byte{
		"modules/decode.vmfb": vmfb, bundle.MLIR("decode"): []byte(source), bundle.TokenizerJSON: []byte("{}"), bundle.WeightEntry("embed"): weights,
	}
	m := toyManifest(files)
	if manifest != nil {
		manifest(&m)
	}
	path := filepath.Join(t.TempDir(), "toy.tar")
	writeBundle(t, path, m, files)
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func toyManifest(files map[string][]byte) bundle.Manifest {
	state := bundle.Arg{Role: "state", DType: "f32", Shape: []int{slots, width}}
	scalar := func(role string) bundle.Arg { return bundle.Arg{Role: role, DType: "i32", Shape: []int{}} }
	m := bundle.Manifest{
		Generator: "test", IRVersion: 1, StableHLO: "1.0.0",
		Model:   bundle.Model{Name: "toy", Vocab: vocab, Context: 20, Capacity: 20, Slots: slots, ChunkAlign: 1, BOS: -1},
		Compile: bundle.Compile{Target: "llvm-cpu", CPU: "generic", Compiler: "3.13.0", Devices: []string{"native", "reference"}},
		Plan:    bundle.Plan{Name: "dense", Precision: "f32", KV: "f32"},
		State:   []bundle.State{{Name: "sum", DType: "f32", Shape: []int{slots, width}}},
		Weights: []bundle.Weight{{Name: "embed", DType: "f32", Shape: []int{vocab, width}}},
		Graphs: []bundle.Graph{{Name: "decode", Kind: "decode", Rows: 1, Module: "decode",
			Args:    bundle.Args{{Role: "weight", DType: "f32", Shape: []int{vocab, width}}, state, scalar("slot"), scalar("token"), scalar("position")},
			Results: bundle.Args{scalar("token"), {Role: "logits", DType: "f32", Shape: []int{vocab}}, state}}},
	}
	for _, name := range []string{"modules/decode.vmfb", bundle.MLIR("decode"), bundle.TokenizerJSON, bundle.WeightEntry("embed")} {
		m.Entries = append(m.Entries, bundle.Entry{Name: name, Size: int64(len(files[name]))})
	}
	return m
}

func writeBundle(t *testing.T, path string, m bundle.Manifest, files map[string][]byte) {
	t.Helper()
	w, err := bundle.Create(path, m)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for name, data := range files {
		if err := w.Write(name, func(out io.Writer) error { _, err := out.Write(data); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Seal(bundle.SelfCheck{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// toyRun is a loaded toy model with its buffers.
type toyRun struct {
	t       *testing.T
	program device.Program
	weight  device.Buffer
	state   device.Buffer
	inputs  [3]device.Buffer // slot, token, position
	keep    bool             // results, so that their memory isn't used again
}

func loadToy(t *testing.T, b *bundle.Bundle, threads int) *toyRun {
	t.Helper()
	p, err := Device{}.Load(t.Context(), b, device.Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &toyRun{t: t, program: p}
	r.weight = r.must(p.Upload(ir.T(ir.F32, vocab, width), b.Weight(0)))
	r.state = r.must(p.Alloc(ir.T(ir.F32, slots, width)))
	for i := range r.inputs {
		r.inputs[i] = r.must(p.Alloc(ir.T(ir.I32)))
	}
	return r
}

func (r *toyRun) must(b device.Buffer, err error) device.Buffer {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	return b
}

func (r *toyRun) args() []device.Buffer {
	return []device.Buffer{r.weight, r.state, r.inputs[0], r.inputs[1], r.inputs[2]}
}

// step decodes one token and returns the best one and the logits.
func (r *toyRun) step(slot, token int) (best int, logits []float32) {
	r.t.Helper()
	for i, v := range []int{slot, token, 0} {
		if err := r.inputs[i].Write(le.AppendUint32(nil, uint32(v))); err != nil {
			r.t.Fatal(err)
		}
	}
	results, err := r.program.Call(r.t.Context(), "decode", r.args())
	if err != nil {
		r.t.Fatal(err)
	}
	r.state = results[2]
	best, logits = int(le.Uint32(read(r.t, results[0]))), floats(read(r.t, results[1]))
	if !r.keep {
		results[0].Release()
		results[1].Release()
	}
	return best, logits
}

func read(t *testing.T, b device.Buffer) []byte {
	t.Helper()
	data := make([]byte, b.Type().Bytes())
	if err := b.Read(data); err != nil {
		t.Fatal(err)
	}
	return data
}

// toyReference is the toy model in Go.
type toyReference [slots][width]float32

func (s *toyReference) step(slot, token int) (best int, logits []float32) {
	logits = make([]float32, vocab)
	for i := range width {
		s[slot][i] += toyEmbedding(token, i)
	}
	for k := range logits {
		for i, v := range s[slot] {
			logits[k] += v * toyEmbedding(k, i)
		}
		if logits[k] > logits[best] {
			best = k
		}
	}
	return best, logits
}

func TestProgramRunsSteps(t *testing.T) {
	b := toyBundle(t, nil, nil)
	for _, threads := range []int{1, 2, 5} {
		run, reference := loadToy(t, b, threads), toyReference{}
		run.keep = threads == 5
		if got := run.program.(*Program).Threads(); got != threads {
			t.Errorf("%d threads, want %d", got, threads)
		}
		token := 3
		for i := range 30 {
			slot := i % slots
			best, logits := run.step(slot, token)
			wantBest, wantLogits := reference.step(slot, token)
			if diff := cmp.Diff(wantLogits, logits); diff != "" || best != wantBest {
				t.Fatalf("%d threads, step %d: token %d, want %d; logits (-want +got):\n%s", threads, i, best, wantBest, diff)
			}
			token = (best + i) % vocab
		}
	}
}

// TestCallsAllocateNothing: once its buffers are released, a call makes none.
func TestCallsAllocateNothing(t *testing.T) {
	run := loadToy(t, toyBundle(t, nil, nil), 2)
	args := run.args()
	call := func() {
		results, err := run.program.Call(t.Context(), "decode", args)
		if err != nil {
			t.Fatal(err)
		}
		args[1] = results[2]
		results[0].Release()
		results[1].Release()
	}
	for range 4 { // the second one is recorded
		call()
	}
	if got := testing.AllocsPerRun(20, call); got != 0 {
		t.Errorf("%g allocations a call", got)
	}
}

func TestWeightsAreUsedInPlace(t *testing.T) {
	b := toyBundle(t, nil, nil)
	run := loadToy(t, b, 1)
	if got, want := pages.Address(run.weight.(*Buffer).view.Buffer().Bytes()), pages.Address(b.Weight(0)); got != want {
		t.Errorf("weight at %#x, mapped at %#x", got, want)
	}
	if err := run.weight.Write(make([]byte, vocab*width*4)); err == nil || !strings.Contains(err.Error(), "constant") {
		t.Errorf("write to a mapped weight: %v", err)
	}
	unaligned := append([]byte{0}, b.Weight(0)...)[1:]
	run.weight = run.must(run.program.Upload(ir.T(ir.F32, vocab, width), unaligned))
	clear(unaligned) // must have been copied
	reference := toyReference{}
	_, want := reference.step(0, 1)
	if _, got := run.step(0, 1); !slices.Equal(got, want) {
		t.Errorf("unaligned upload: logits %v, want %v", got, want)
	}
}

func TestDonatedBuffersAreSpent(t *testing.T) {
	run := loadToy(t, toyBundle(t, nil, nil), 1)
	before := run.state
	address := pages.Address(before.(*Buffer).view.Buffer().Bytes())
	run.step(1, 4)
	if got := pages.Address(run.state.(*Buffer).view.Buffer().Bytes()); got != address {
		t.Errorf("state moved from %#x to %#x", address, got)
	}
	if err := before.Read(make([]byte, slots*width*4)); !errors.Is(err, errReleased) {
		t.Errorf("reading the donated buffer: %v", err)
	}
	run.state = before
	if _, err := run.program.Call(t.Context(), "decode", run.args()); !errors.Is(err, errReleased) {
		t.Errorf("passing the donated buffer: %v", err)
	}
}

func TestCopiedStateIsAnError(t *testing.T) {
	b := toyBundle(t, func(s string) string { return strings.Replace(s, " {iree.abi.output = 2 : index}", "", 1) }, nil)
	run := loadToy(t, b, 1)
	if _, err := run.program.Call(t.Context(), "decode", run.args()); err == nil || !strings.Contains(err.Error(), "lacks iree.abi.output") {
		t.Errorf("error %v, want one about iree.abi.output", err)
	}
}

func TestCallErrors(t *testing.T) {
	run := loadToy(t, toyBundle(t, nil, nil), 2)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	other := run.must(run.program.Alloc(ir.T(ir.F32)))
	for _, c := range []struct {
		name, graph string
		ctx         context.Context
		args        []device.Buffer
		want        string
	}{
		{"unknown graph", "prefill_c16", t.Context(), run.args(), `no graph "prefill_c16"`},
		{"too few arguments", "decode", t.Context(), run.args()[1:], "4 arguments given, it takes 5"},
		{"wrong type", "decode", t.Context(), append(run.args()[:4], other), "argument 4 (position) is tensor<f32>, it takes tensor<i32>"},
		{"another device's buffer", "decode", t.Context(), append(run.args()[:4], nil), "buffer of another device"},
		{"cancelled", "decode", cancelled, run.args(), "context canceled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := run.program.Call(c.ctx, c.graph, c.args); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := run.program.Upload(ir.T(ir.F32, 3), make([]byte, 8)); err == nil {
		t.Error("upload of the wrong size: no error")
	}
	if _, err := run.program.Alloc(ir.T(ir.I4, 8)); err == nil {
		t.Error("i4 buffer: no error")
	}
	if err := run.state.CopySlot(0, 0, 3); err == nil {
		t.Error("copy to slot 3 of 3: no error")
	}
}

func TestCopySlot(t *testing.T) {
	run, reference := loadToy(t, toyBundle(t, nil, nil), 1), toyReference{}
	run.step(0, 5)
	reference.step(0, 5)
	if err := run.state.CopySlot(0, 0, 2); err != nil {
		t.Fatal(err)
	}
	reference[2] = reference[0]
	_, got := run.step(2, 6)
	if _, want := reference.step(2, 6); !slices.Equal(got, want) {
		t.Errorf("logits after the fork %v, want %v", got, want)
	}
}

func TestBundlesThatCannotRunHere(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*bundle.Manifest)
		want   string
	}{
		{"another target", func(m *bundle.Manifest) { m.Compile.Target, m.Compile.Devices = "cuda", []string{"iree"} },
			`compiled for target "cuda", which runs on: iree`},
		{"another release of IREE", func(m *bundle.Manifest) { m.Compile.Compiler = "3.12.0rc20260801 @ 0123" },
			`was compiled by IREE 3.12.0rc20260801 @ 0123, this runtime runs what IREE 3.13.* compiles; emit the bundle again`},
		{"another processor", func(m *bundle.Manifest) { m.Compile.CPU, m.Compile.CPUFeatures = "zen9", []string{"warp-drive"} },
			`compiled for CPU "zen9": this version of mlxc doesn't know the CPU features warp-drive; emit the bundle again: mlxc-emit --cpu x86-64`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := (Device{}).Load(t.Context(), toyBundle(t, nil, c.change), device.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func appendFloat(b []byte, v float32) []byte { return le.AppendUint32(b, math.Float32bits(v)) }

func floats(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(le.Uint32(b[4*i:]))
	}
	return v
}
