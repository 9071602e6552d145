package bundle

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mlxc/mlxc/ir"
)

// Limits of what a manifest may ask for, far above any model.
const (
	maxDim     = 1 << 31
	maxVocab   = 1 << 24
	maxRows    = 4096
	maxLogits  = 1 << 30 // of all rows of a graph
	maxTensors = 1 << 15
	maxRank    = 8
)

// MaxGraphs is how many graphs a bundle may have.
const MaxGraphs = 80

// roles of a graph's arguments after weights and state, in order, before cos and sin.
// "valid" is there for prefill only.
var callRoles = []string{"slot", "token", "position", "valid"}

// Validate reports the first inconsistency of the manifest: limits, shapes against
// entry sizes, graph arguments against weights, state and RoPE kinds.
func (m *Manifest) Validate() error {
	for _, check := range []func() error{m.validateCounts, m.validateModel, m.validateLevels, m.validateEntries, m.validateState, m.validateWeights, m.validateGraphs} {
		if err := check(); err != nil {
			return fmt.Errorf("manifest.toml: %w", err)
		}
	}
	return nil
}

func (m *Manifest) validateCounts() error {
	for _, c := range []struct {
		name      string
		n, atMost int
	}{
		{"entries", len(m.Entries), maxEntries}, {"graphs", len(m.Graphs), MaxGraphs}, {"weights", len(m.Weights), maxTensors},
		{"state tensors", len(m.State), maxTensors}, {"rope kinds", len(m.RoPE), MaxGraphs}, {"stop ids", len(m.Stop), maxTensors},
		{"CPU levels", len(m.Compile.Fleet), maxLevels},
	} {
		if c.n > c.atMost {
			return fmt.Errorf("%d %s, the limit is %d", c.n, c.name, c.atMost)
		}
	}
	return nil
}

func (m *Manifest) validateModel() error {
	for _, f := range []struct {
		name               string
		value, least, most int
	}{
		{"vocab", m.Model.Vocab, 1, maxVocab}, {"context", m.Model.Context, 1, maxDim}, {"capacity", m.Model.Capacity, m.Model.Context, maxDim},
		{"slots", m.Model.Slots, 1, 2 * maxRows}, {"chunk_align", m.Model.ChunkAlign, 1, maxDim}, {"bos", m.Model.BOS, -1, maxDim},
	} {
		if f.value < f.least || f.value > f.most {
			return fmt.Errorf("model.%s is %d, must be %d to %d", f.name, f.value, f.least, f.most)
		}
	}
	if m.Model.BOS >= m.Model.Vocab {
		return fmt.Errorf("model.bos is %d, the vocabulary has %d ids", m.Model.BOS, m.Model.Vocab)
	}
	for i, s := range m.Stop {
		if s.ID < 0 || s.ID >= m.Model.Vocab {
			return fmt.Errorf("stop id %d is outside the vocabulary of %d", s.ID, m.Model.Vocab)
		}
		if i > 0 && s.ID <= m.Stop[i-1].ID {
			return fmt.Errorf("stop ids are not in rising order: %d after %d", s.ID, m.Stop[i-1].ID)
		}
	}
	for i, r := range m.RoPE {
		if r.Dim <= 0 || r.Dim%2 != 0 || r.Dim > maxDim {
			return fmt.Errorf("rope %d: dim is %d, must be even and positive", i, r.Dim)
		}
	}
	return nil
}

// validateEntries holds that the entries are exactly those that the rest of the
// manifest speaks of, weights last and in order.
func (m *Manifest) validateEntries() error {
	known := map[string]bool{}
	need := m.moduleEntries()
	for _, n := range need {
		known[n] = true
	}
	for _, n := range []string{TokenizerJSON, TokenizerBin, TokenizerConfig, GenerationConfig, ChatTemplate, Config} {
		known[n] = true
	}
	for _, e := range m.ChatTemplates() {
		known[e] = true
	}
	files := len(m.Entries) - len(m.Weights)
	if files < 0 {
		return fmt.Errorf("%d entries for %d weights", len(m.Entries), len(m.Weights))
	}
	for _, e := range m.Entries[:files] {
		if !known[e.Name] {
			return fmt.Errorf("entry %q is unknown or there twice", e.Name)
		}
		known[e.Name] = false
	}
	for _, n := range need {
		if known[n] {
			return fmt.Errorf("entry %q, which the graphs need, is missing", n)
		}
	}
	for i, e := range m.Entries[files:] {
		if e.Name != WeightEntry(m.Weights[i].Name) {
			return fmt.Errorf("entry %q stands where weight %d, %q, must be", e.Name, i, m.Weights[i].Name)
		}
	}
	for _, e := range m.Entries {
		if len(e.SHA256) != 64 {
			return fmt.Errorf("entry %s: sha256 has %d digits, must have 64", e.Name, len(e.SHA256))
		}
	}
	return nil
}

// moduleEntries are the names of the texts and modules that the graphs need.
func (m *Manifest) moduleEntries() []string {
	var names []string
	for _, g := range m.Graphs {
		names = append(names, MLIR(g.Name))
		if m.Compile.Compiler == "" {
			continue
		}
		for _, l := range m.Levels() {
			names = append(names, m.VMFB(l, g.Module))
		}
	}
	return names
}

func (m *Manifest) validateState() error {
	seen := map[string]bool{}
	total := int64(0)
	for _, s := range m.State {
		t, err := tensorType(s.DType, s.Shape)
		if err != nil {
			return fmt.Errorf("state %s: %w", s.Name, err)
		}
		if total += int64(t.Bytes()); total > maxFileSize {
			return fmt.Errorf("state %s: all state up to it takes %d bytes, the limit is %d", s.Name, total, maxFileSize)
		}
		if s.Name == "" || seen[s.Name] {
			return fmt.Errorf("state %q is there twice", s.Name)
		}
		seen[s.Name] = true
		if s.SlotAxis < 0 || s.SlotAxis >= t.Rank() || t.Shape[s.SlotAxis] != m.Model.Slots {
			return fmt.Errorf("state %s: slot_axis %d of shape %v must hold the model's %d slots", s.Name, s.SlotAxis, s.Shape, m.Model.Slots)
		}
		if s.Rewindable && !holdsRows(s.Shape, m.Model.Capacity) {
			return fmt.Errorf("state %s: no dimension of shape %v holds the %d rows of model.capacity", s.Name, s.Shape, m.Model.Capacity)
		}
	}
	return nil
}

// holdsRows says whether a state of the shape has so many rows, in a dimension of its
// own or as tiles of the last dimension.
func holdsRows(shape []int, rows int) bool {
	tile := shape[len(shape)-1]
	return slices.ContainsFunc(shape, func(n int) bool { return n == rows || tile > 0 && rows%tile == 0 && n == rows/tile })
}

func (m *Manifest) validateWeights() error {
	entries := m.Entries[len(m.Entries)-len(m.Weights):]
	seen := map[string]bool{}
	for i, w := range m.Weights {
		t, err := tensorType(w.DType, w.Shape)
		if err != nil {
			return fmt.Errorf("weight %s: %w", w.Name, err)
		}
		if w.Name == "" || seen[w.Name] {
			return fmt.Errorf("weight %q is there twice", w.Name)
		}
		seen[w.Name] = true
		if n := int64(t.Bytes()); n != entries[i].Size {
			return fmt.Errorf("weight %s: %s takes %d bytes, its entry has %d", w.Name, t, n, entries[i].Size)
		}
	}
	return nil
}

func (m *Manifest) validateGraphs() error {
	seen := map[string]bool{}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		if seen[g.Name] {
			return fmt.Errorf("graph %q is there twice", g.Name)
		}
		seen[g.Name] = true
		if err := m.validateGraph(g); err != nil {
			return fmt.Errorf("graph %s: %w", g.Name, err)
		}
	}
	return nil
}

func (m *Manifest) validateGraph(g *Graph) error {
	if g.Rows < 1 || g.Rows > m.Model.Capacity && g.Kind == "prefill" || g.Rows > maxRows {
		return fmt.Errorf("%d rows, must be 1 to %d", g.Rows, maxRows)
	}
	if g.Kind == "ragged" && g.Rows > maxLogits/m.Model.Vocab {
		return fmt.Errorf("%d rows of %d logits, the limit is %d together", g.Rows, m.Model.Vocab, maxLogits)
	}
	if g.Kind == "prefill" && g.Rows%m.Model.ChunkAlign != 0 {
		return fmt.Errorf("%d rows are no multiple of model.chunk_align, %d", g.Rows, m.Model.ChunkAlign)
	}
	if g.Span != 0 && (g.Span < g.Rows || g.Span >= m.Model.Capacity) {
		return fmt.Errorf("span is %d, must be 0, for all of the state's %d rows, or fewer of them and not less than the graph's %d rows", g.Span, m.Model.Capacity, g.Rows)
	}
	if name, ok := g.wantName(); !ok || name != g.Name || g.Kind == "decode" && g.Rows != 1 {
		return fmt.Errorf("kind %q, rows %d, span %d do not make that graph", g.Kind, g.Rows, g.Span)
	}
	whole := func(o Graph) bool { return o.Kind == g.Kind && o.Rows == g.Rows && o.Span == 0 }
	if !slices.ContainsFunc(m.Graphs, whole) {
		return fmt.Errorf("nothing takes over beyond position %d: the graph that reads all of the state is missing", g.Span)
	}
	if err := sameArgs("argument", g.Args, m.wantArgs(g)); err != nil {
		return err
	}
	return sameArgs("result", g.Results, m.wantResults(g))
}

// wantName is the name of the graph of that kind, rows and span; false if there is no such kind.
func (g *Graph) wantName() (string, bool) {
	name, ok := map[string]string{"prefill": "prefill_c" + strconv.Itoa(g.Rows), "decode": "decode", "ragged": "ragged_b" + strconv.Itoa(g.Rows)}[g.Kind]
	if g.Span > 0 {
		name += "_s" + strconv.Itoa(g.Span)
	}
	return name, ok
}

// wantArgs is the one list of arguments that a graph of that kind takes.
func (m *Manifest) wantArgs(g *Graph) []Arg {
	args := make([]Arg, 0, len(m.Weights)+len(m.State)+4+2*len(m.RoPE))
	for i, w := range m.Weights {
		args = append(args, Arg{Role: "weight", Index: i, DType: w.DType, Shape: w.Shape})
	}
	args = append(args, m.stateArgs()...)
	perRow, chunk := []int{}, []int{}
	switch g.Kind {
	case "ragged":
		perRow, chunk = []int{g.Rows}, []int{g.Rows}
	case "prefill":
		chunk = []int{g.Rows}
	}
	shapes := [][]int{perRow, chunk, perRow, {}} // of callRoles
	for i, role := range callRoles {
		if role != "valid" || g.Kind == "prefill" {
			args = append(args, Arg{Role: role, DType: "i32", Shape: shapes[i]})
		}
	}
	for i, r := range m.RoPE {
		rows := []int{g.Rows, r.Dim / 2}
		args = append(args, Arg{Role: "cos", Index: i, DType: "f32", Shape: rows}, Arg{Role: "sin", Index: i, DType: "f32", Shape: rows})
	}
	return args
}

// wantResults is the list of its results: token, logits, state.
func (m *Manifest) wantResults(g *Graph) []Arg {
	token, logits := []int{}, []int{m.Model.Vocab}
	if g.Kind == "ragged" {
		token, logits = []int{g.Rows}, []int{g.Rows, m.Model.Vocab}
	}
	return append([]Arg{{Role: "token", DType: "i32", Shape: token}, {Role: "logits", DType: "f32", Shape: logits}}, m.stateArgs()...)
}

func (m *Manifest) stateArgs() []Arg {
	args := make([]Arg, len(m.State))
	for i, s := range m.State {
		args[i] = Arg{Role: "state", Index: i, DType: s.DType, Shape: s.Shape}
	}
	return args
}

func sameArgs(what string, got, want []Arg) error {
	for i := range min(len(got), len(want)) {
		if g, w := got[i], want[i]; g.Role != w.Role || g.Index != w.Index || g.DType != w.DType || !slices.Equal(g.Shape, w.Shape) {
			return fmt.Errorf("%s %d is %s %d %s%v, must be %s %d %s%v", what, i, g.Role, g.Index, g.DType, g.Shape, w.Role, w.Index, w.DType, w.Shape)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d %ss, must be %d", len(got), what, len(want))
	}
	return nil
}

// tensorType checks dtype and shape and that the size in bytes fits the limits.
func tensorType(dtype string, shape []int) (ir.Type, error) {
	d, err := ir.ParseDType(dtype)
	if err != nil {
		return ir.Type{}, err
	}
	if len(shape) > maxRank {
		return ir.Type{}, fmt.Errorf("%d dimensions, the limit is %d", len(shape), maxRank)
	}
	n := int64(d.Size())
	for _, s := range shape {
		if s < 1 || s > maxDim || n > maxFileSize/int64(s) {
			return ir.Type{}, fmt.Errorf("shape %v is out of range", shape)
		}
		n *= int64(s)
	}
	return ir.Type{DType: d, Shape: shape}, nil
}
