package runtime

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/sample"
)

// The scripted device is a model whose state is the tokens themselves, one row per
// slot, and whose next token is a hash of the whole sequence: a token written to a
// wrong place, a stale row or a clamped chunk changes everything after it.
const (
	scriptVocab = 31
	nanToken    = 30 // a sequence that ends with it has NaN logits
)

func nextToken(seq []int32) int32 {
	h := uint32(2166136261)
	for _, t := range seq {
		h = (h ^ uint32(t+1)) * 16777619
	}
	return int32(h % (scriptVocab - 1))
}

// scripted is a device.Program.
type scripted struct {
	graphs map[string]bundle.Graph
	calls  []string
	during func() // called in every call, if not nil
	fail   bool
}

type hostBuffer struct {
	t    ir.Type
	data []byte
	dead bool
}

func (b *hostBuffer) Type() ir.Type { return b.t }
func (b *hostBuffer) Write(d []byte) error {
	if len(d) != len(b.data) {
		return fmt.Errorf("write of %d bytes to %v", len(d), b.t)
	}
	copy(b.data, d)
	return nil
}
func (b *hostBuffer) Read(d []byte) error {
	if len(d) != len(b.data) {
		return fmt.Errorf("read of %d bytes from %v", len(d), b.t)
	}
	copy(d, b.data)
	return nil
}
func (b *hostBuffer) CopySlot(axis, from, to int) error {
	return device.CopySlot(b.t, b.data, axis, from, to)
}
func (b *hostBuffer) ClearSlot(axis, slot int) error {
	return device.ClearSlot(b.t, b.data, axis, slot)
}
func (b *hostBuffer) Release() {}
func (b *hostBuffer) int(i int) int {
	return int(int32(binary.LittleEndian.Uint32(b.data[4*i:])))
}

func (p *scripted) Alloc(t ir.Type) (device.Buffer, error) {
	return &hostBuffer{t: t, data: make([]byte, t.Bytes())}, nil
}
func (p *scripted) Upload(t ir.Type, d []byte) (device.Buffer, error) {
	return &hostBuffer{t: t, data: d}, nil
}
func (p *scripted) Close() error { return nil }

func (p *scripted) Call(ctx context.Context, name string, args []device.Buffer) ([]device.Buffer, error) {
	g := p.graphs[name]
	p.calls = append(p.calls, name)
	if p.during != nil {
		p.during()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.fail {
		return nil, fmt.Errorf("scripted: graph %s: device lost", name)
	}
	in := map[string]*hostBuffer{}
	for i, a := range g.Args {
		in[a.Role] = args[i].(*hostBuffer)
	}
	state := in["state"]
	if state.dead {
		return nil, errors.New("a donated buffer was used again")
	}
	state.dead = true
	state = &hostBuffer{t: state.t, data: state.data} // the donated storage under a new name
	capacity := state.t.Shape[1]
	rows, sequences := g.Rows, g.Rows
	if g.Kind == "prefill" {
		sequences = 1
	}
	if g.Kind == "ragged" {
		rows = 1
	}
	tokens := make([]int32, sequences)
	logits := make([]float32, 0, sequences*scriptVocab)
	for s := range sequences {
		slot, position := in["slot"].int(s), in["position"].int(s)
		length := position + rows
		if g.Kind == "prefill" {
			length = position + in["valid"].int(0)
		}
		if position+rows > capacity {
			return nil, fmt.Errorf("%s writes rows %d to %d of %d", name, position, position+rows, capacity)
		}
		for i := range rows {
			binary.LittleEndian.PutUint32(state.data[4*(slot*capacity+position+i):], uint32(in["token"].int(s+i)))
		}
		if idle := slot == state.t.Shape[0]-1; !idle && g.Span > 0 && length > g.Span {
			return nil, fmt.Errorf("%s is asked for a sequence of %d", name, length)
		}
		seq := make([]int32, length)
		for i := range seq {
			seq[i] = int32(state.int(slot*capacity + i))
		}
		row := make([]float32, scriptVocab)
		tokens[s] = nextToken(seq)
		row[tokens[s]] = 1
		if seq[length-1] == nanToken {
			row[3] = float32(math.NaN())
		}
		logits = append(logits, row...)
	}
	results := make([]device.Buffer, len(g.Results))
	for i, r := range g.Results {
		t, _ := typeOf(r.DType, r.Shape)
		switch r.Role {
		case "token":
			results[i] = &hostBuffer{t: t, data: bytesOf(tokens)}
		case "logits":
			results[i] = &hostBuffer{t: t, data: bytesOf(logits)}
		case "state":
			results[i] = state
		}
	}
	return results, nil
}

// newScripted opens a session with the given graphs on the scripted device.
func newScripted(t *testing.T, contextLen, capacity, align int, kinds ...bundle.Graph) (*graphSession, *scripted) {
	t.Helper()
	const slots = 5
	m := bundle.Manifest{
		Model: bundle.Model{Vocab: scriptVocab, Context: contextLen, Capacity: capacity, Slots: slots, ChunkAlign: align},
		State: []bundle.State{{Name: "tokens", DType: "i32", Shape: []int{slots, capacity}, Rewindable: true}},
	}
	p := &scripted{graphs: map[string]bundle.Graph{}}
	for _, g := range kinds {
		shape, outer := []int{g.Rows}, []int{}
		perSeq := []int{}
		if g.Kind == "decode" {
			shape = []int{}
		}
		if g.Kind == "ragged" {
			perSeq, outer = []int{g.Rows}, []int{g.Rows}
		}
		g.Args = []bundle.Arg{
			{Role: "state", DType: "i32", Shape: []int{slots, capacity}},
			{Role: "slot", DType: "i32", Shape: perSeq},
			{Role: "token", DType: "i32", Shape: shape},
			{Role: "position", DType: "i32", Shape: perSeq},
		}
		if g.Kind == "prefill" {
			g.Args = append(g.Args, bundle.Arg{Role: "valid", DType: "i32"})
		}
		g.Results = []bundle.Arg{
			{Role: "token", DType: "i32", Shape: perSeq},
			{Role: "logits", DType: "f32", Shape: append(outer, scriptVocab)},
			{Role: "state", DType: "i32", Shape: []int{slots, capacity}},
		}
		p.graphs[g.Name] = g
		m.Graphs = append(m.Graphs, g)
	}
	s, err := newGraphSession(&bundle.Bundle{Manifest: m}, p)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

var (
	prefill4  = bundle.Graph{Name: "prefill_c4", Kind: "prefill", Rows: 4}
	prefill16 = bundle.Graph{Name: "prefill_c16", Kind: "prefill", Rows: 16}
	decode1   = bundle.Graph{Name: "decode", Kind: "decode", Rows: 1}
	ragged2   = bundle.Graph{Name: "ragged_b2", Kind: "ragged", Rows: 2}
	ragged4   = bundle.Graph{Name: "ragged_b4", Kind: "ragged", Rows: 4}
)

func ids(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32((i*7 + 3) % 29)
	}
	return v
}

// want continues a prompt by the definition of the scripted model.
func want(prompt []int32, n int) []int32 {
	seq := slices.Clone(prompt)
	for range n {
		seq = append(seq, nextToken(seq))
	}
	return seq[len(prompt):]
}

// continueGreedy prefills and decodes n tokens in all.
func continueGreedy(t *testing.T, s Session, slot Slot, prompt []int32, n int) []int32 {
	t.Helper()
	step, err := s.Prefill(t.Context(), slot, prompt)
	if err != nil {
		t.Fatal(err)
	}
	out := []int32{step.Token}
	for len(out) < n {
		steps, err := s.Decode(t.Context(), []Slot{slot})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, steps[0].Token)
	}
	return out
}

func open1(t *testing.T, s Session) Slot {
	t.Helper()
	slot, err := s.Open(t.Context(), sample.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	return slot
}

func TestPrefillChunks(t *testing.T) {
	// Capacity as lower computes it: context + smallest chunk − 1, here 40 + 3.
	for _, tc := range []struct {
		prompt int
		calls  []string
	}{
		{1, []string{"prefill_c4"}},
		{4, []string{"prefill_c4"}},
		{5, []string{"prefill_c16"}}, // two chunks of 4 read the weights twice
		{9, []string{"prefill_c16"}},
		{20, []string{"prefill_c16", "prefill_c4"}},
		{37, []string{"prefill_c16", "prefill_c16", "prefill_c4", "prefill_c4"}},
		{40, []string{"prefill_c16", "prefill_c16", "prefill_c4", "prefill_c4"}},
	} {
		s, p := newScripted(t, 40, 43, 1, prefill16, prefill4, decode1)
		step, err := s.Prefill(t.Context(), open1(t, s), ids(tc.prompt))
		if err != nil {
			t.Fatalf("prompt of %d: %v", tc.prompt, err)
		}
		if !slices.Equal(p.calls, tc.calls) {
			t.Errorf("prompt of %d: calls %v, want %v", tc.prompt, p.calls, tc.calls)
		}
		if w := want(ids(tc.prompt), 1)[0]; step.Token != w {
			t.Errorf("prompt of %d: token %d, want %d", tc.prompt, step.Token, w)
		}
	}
}

// TestEveryPromptLength is the cache edge (field case B3): no chunk is ever placed
// outside the state, whatever the length, and up to the last position.
func TestEveryPromptLength(t *testing.T) {
	for _, graphs := range [][]bundle.Graph{{prefill16, prefill4, decode1}, {prefill16, decode1}, {decode1},
		{to(16, prefill16), to(32, decode1), prefill16, to(8, prefill4), prefill4, to(16, decode1), decode1}} {
		for n := 1; n <= 40; n++ {
			capacity := 43
			if len(graphs) == 2 {
				capacity = 40 // the chunk doesn't fit at the end: decode takes over
			}
			s, _ := newScripted(t, 40, capacity, 1, graphs...)
			slot := open1(t, s)
			k := 40 - n + 1 // the prompt's next token, and one per free position
			if got, w := continueGreedy(t, s, slot, ids(n), k), want(ids(n), k); !slices.Equal(got, w) {
				t.Fatalf("%d graphs, prompt %d: %v, want %v", len(graphs), n, got, w)
			}
			var ce *ContextError
			if _, err := s.Decode(t.Context(), []Slot{slot}); !errors.As(err, &ce) || ce.Context != 40 {
				t.Fatalf("decode at the end of the context: %v", err)
			}
		}
	}
}

func TestPrefillRefusesWhatDoesNotFit(t *testing.T) {
	s, p := newScripted(t, 40, 43, 1, prefill4, decode1)
	slot := open1(t, s)
	continueGreedy(t, s, slot, ids(38), 1)
	calls := len(p.calls)
	var ce *ContextError
	if _, err := s.Prefill(t.Context(), slot, ids(3)); !errors.As(err, &ce) || *ce != (ContextError{38, 3, 40}) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Prefill(t.Context(), slot, []int32{scriptVocab}); err == nil {
		t.Error("a token id outside the vocabulary was taken")
	}
	if _, err := s.Prefill(t.Context(), slot, nil); err == nil {
		t.Error("an empty prompt was taken")
	}
	if len(p.calls) != calls || s.Len(slot) != 38 {
		t.Errorf("a refused prefill ran the device or changed the sequence")
	}
}

func TestAlignedChunksFeedTokensAgain(t *testing.T) {
	s, _ := newScripted(t, 64, 80, 4, prefill16, prefill4, decode1)
	slot := open1(t, s)
	seq := ids(5)
	for turn := range 3 {
		got := continueGreedy(t, s, slot, seq[s.Len(slot):], 3)
		if w := want(seq, 3); !slices.Equal(got, w) {
			t.Fatalf("turn %d: %v, want %v", turn, got, w)
		}
		seq = append(seq, got[:2]...) // the third is sampled, not fed: forgotten
		seq = append(seq, ids(turn+2)...)
	}
}

func TestRaggedEqualsSingle(t *testing.T) {
	for n := 1; n <= 4; n++ {
		s, p := newScripted(t, 40, 43, 1, prefill16, prefill4, decode1, ragged4, ragged2)
		var slots []Slot
		var seqs [][]int32
		for i := range n {
			slot := open1(t, s)
			prompt := ids(3 + 5*i)
			step, err := s.Prefill(t.Context(), slot, prompt)
			if err != nil {
				t.Fatal(err)
			}
			slots, seqs = append(slots, slot), append(seqs, append(prompt, step.Token))
		}
		p.calls = nil
		for range 6 {
			steps, err := s.Decode(t.Context(), slots)
			if err != nil {
				t.Fatal(err)
			}
			for i := range steps {
				seqs[i] = append(seqs[i], steps[i].Token)
			}
		}
		for i, q := range seqs {
			if w := want(ids(3+5*i), 7); !slices.Equal(q[3+5*i:], w) {
				t.Errorf("batch of %d, row %d: %v, want %v", n, i, q[3+5*i:], w)
			}
		}
		if w := []string{"", "decode", "ragged_b2", "ragged_b4", "ragged_b4"}[n]; p.calls[0] != w {
			t.Errorf("batch of %d ran %s, want %s", n, p.calls[0], w)
		}
	}
}

func TestForkAndTruncate(t *testing.T) {
	s, _ := newScripted(t, 40, 43, 1, prefill4, decode1)
	slot := open1(t, s)
	continueGreedy(t, s, slot, ids(6), 3)
	fork, err := s.Fork(t.Context(), slot)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Truncate(slot, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decode(t.Context(), []Slot{slot}); err == nil {
		t.Error("decode after truncate needs a new token, got none and no error")
	}
	if got, w := continueGreedy(t, s, slot, []int32{1}, 2), want(append(ids(4), 1), 2); !slices.Equal(got, w) {
		t.Errorf("after truncate: %v, want %v", got, w)
	}
	steps, err := s.Decode(t.Context(), []Slot{fork})
	if err != nil {
		t.Fatal(err)
	}
	if w := want(ids(6), 4)[3]; steps[0].Token != w {
		t.Errorf("fork: %d, want %d", steps[0].Token, w)
	}
	if err := s.Truncate(slot, 50); err == nil {
		t.Error("truncate beyond the end: no error")
	}
}

// TestNonFinite is field case D1: the row with NaN reports it, the others go on.
func TestNonFinite(t *testing.T) {
	s, _ := newScripted(t, 40, 43, 1, prefill4, decode1, ragged2)
	good, bad := open1(t, s), open1(t, s)
	for _, slot := range []Slot{good, bad} {
		if _, err := s.Prefill(t.Context(), slot, ids(2)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Feed(bad, nanToken); err != nil {
		t.Fatal(err)
	}
	steps, err := s.Decode(t.Context(), []Slot{good, bad})
	if err != nil {
		t.Fatal(err)
	}
	var nf *NonFiniteError
	if steps[0].Err != nil || !errors.As(steps[1].Err, &nf) || nf.Position != 3 {
		t.Errorf("errors %v, %v: want none and non-finite at 3", steps[0].Err, steps[1].Err)
	}
	if w := want(ids(2), 2)[1]; steps[0].Token != w {
		t.Errorf("good row: %d, want %d", steps[0].Token, w)
	}
	r, err := Generate(t.Context(), s, idDecoder{}, Request{Prompt: []int32{5, nanToken}}, func(string) error { return nil })
	if !errors.As(err, &nf) || len(r.Tokens) != 0 || r.FinishReason != "error" {
		t.Errorf("Generate: %+v, %v", r, err)
	}
}

// TestPoisonedSlotIsCleared: what a failed sequence left in the state never reaches
// the next one of its slot.
func TestPoisonedSlotIsCleared(t *testing.T) {
	s, _ := newScripted(t, 40, 43, 1, prefill4, decode1)
	slot := open1(t, s)
	if step, err := s.Prefill(t.Context(), slot, []int32{5, 6, nanToken}); err != nil || step.Err == nil {
		t.Fatalf("step %+v, %v", step, err)
	}
	s.Release(slot)
	if again := open1(t, s); again != slot {
		t.Fatalf("slot %d, want the released %d", again, slot)
	}
	for i, b := range s.state[0].(*hostBuffer).data[:4*43] {
		if b != 0 {
			t.Fatalf("byte %d of the slot is %d", i, b)
		}
	}
}

func TestSlotsRunOut(t *testing.T) {
	s, _ := newScripted(t, 40, 43, 1, decode1, ragged2)
	for range s.Capabilities().Slots {
		open1(t, s)
	}
	if _, err := s.Open(t.Context(), sample.Spec{}); !errors.Is(err, ErrNoSlot) {
		t.Errorf("got %v, want ErrNoSlot", err)
	}
	s.Release(2)
	if slot := open1(t, s); slot != 2 || s.Len(slot) != 0 {
		t.Errorf("slot %d with %d tokens, want the released one, empty", slot, s.Len(slot))
	}
}

func TestBrokenAfterFailedCall(t *testing.T) {
	s, p := newScripted(t, 40, 43, 1, decode1)
	slot := open1(t, s)
	p.fail = true
	if _, err := s.Prefill(t.Context(), slot, ids(2)); err == nil || strings.Count(err.Error(), "graph ") != 1 {
		t.Fatalf("got %v, want an error that names the graph once", err)
	}
	p.fail = false
	if _, err := s.Prefill(t.Context(), slot, ids(2)); !errors.Is(err, ErrBroken) {
		t.Errorf("got %v, want ErrBroken: the state was donated to the failed call", err)
	}
}

// TestFinishCalls: a context that ends during a call takes the state along, unless calls
// are to be finished.
func TestFinishCalls(t *testing.T) {
	for _, finish := range []bool{false, true} {
		s, p := newScripted(t, 40, 43, 1, prefill4, decode1)
		s.finishCalls = finish
		slot := open1(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		p.during = cancel
		if _, err := s.Prefill(ctx, slot, ids(9)); !errors.Is(err, context.Canceled) {
			t.Fatalf("prefill: %v", err)
		}
		p.during = nil
		_, err := s.Prefill(t.Context(), slot, ids(9)[s.Len(slot):])
		if broken := errors.Is(err, ErrBroken); broken == finish || !broken && err != nil {
			t.Errorf("finish calls %v: %v", finish, err)
		}
		if finish && (len(p.calls) != 3 || s.Len(slot) != 9) {
			t.Errorf("calls %v, %d tokens: want the first chunk's state to be kept", p.calls, s.Len(slot))
		}
	}
}
