package compiler

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"

	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// model is a checkpoint, read and lowered.
type model struct {
	checkpoint checkpoint.Checkpoint // nil if only a config.json was given
	name       string
	spec       archs.Spec
	plan       lower.Plan
	options    lower.Options
	program    *lower.Program
}

// defaultContext is the context when none is asked for and the model allows more.
const defaultContext = 2048

// maxContext is above any model's: what exceeds it is a slip of the keyboard, and
// would overflow shapes further on.
const maxContext = 1 << 24

// readModel opens the checkpoint, reads its config, lowers it, and holds the tensors
// that are there against those that the graphs need. No weight byte is read.
func readModel(o Options) (_ *model, err error) {
	m := &model{name: o.name()}
	defer func() {
		if err != nil {
			m.Close()
		}
	}()
	config, has, err := m.open(o)
	if err != nil {
		return nil, err
	}
	if m.spec, err = archs.Read(config, has); err != nil {
		return nil, err
	}
	if err = m.choosePlan(o); err != nil {
		return nil, err
	}
	if m.options, err = lowerOptions(o, m.spec, m.plan.State); err != nil {
		return nil, err
	}
	if m.program, err = lower.Lower(m.spec, m.plan, m.options); err != nil {
		return nil, err
	}
	if m.checkpoint != nil {
		m.noteRequantised(o.Progress)
		if err = m.checkLeft(o.Progress); err != nil {
			return nil, err
		}
		err = checkTensors(m.spec, m.program.Weights, m.checkpoint.Tensors())
	}
	return m, err
}

// open opens the checkpoint, or reads the config.json that stands for it. has is nil
// in the latter case.
func (m *model) open(o Options) (config []byte, has func(string) bool, err error) {
	if filepath.Ext(o.Checkpoint) == ".json" {
		config, err = checkpoint.ReadConfig(o.Checkpoint)
		return config, nil, err
	}
	if m.checkpoint, err = checkpoint.Open(o.Checkpoint); err != nil {
		return nil, nil, err
	}
	for _, note := range m.checkpoint.Notes() {
		o.Progress.Note(note)
	}
	there := map[string]bool{}
	for _, t := range m.checkpoint.Tensors() {
		there[t.Name] = true
	}
	return m.checkpoint.Config(), func(name string) bool { return there[name] }, nil
}

func (m *model) Close() {
	if m.checkpoint != nil {
		m.checkpoint.Close()
	}
}

// name is the model's.
func (o Options) name() string { return cmp.Or(o.Name, modelName(o.Checkpoint)) }

// modelName is the base name of the checkpoint, without .gguf and a part's number.
func modelName(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if filepath.Ext(path) == ".json" {
		path = filepath.Dir(path)
	}
	return checkpoint.ModelName(path)
}

// Room is how many positions a sequence has in the bundle that o makes, and how many
// sequences there may be at a time, or why the config or the precision can't be emitted.
// No weight byte is read.
func Room(o Options) (positions, sequences int, err error) {
	o.Progress = silent{o.Progress} // the emission remarks what there is to remark
	m := &model{}
	defer m.Close()
	config, has, err := m.open(o)
	if err != nil {
		return 0, 0, err
	}
	if m.spec, err = archs.Read(config, has); err != nil {
		return 0, 0, err
	}
	if err := m.choosePlan(o); err != nil {
		return 0, 0, err
	}
	graphs := o.Graphs
	if len(graphs) == 0 {
		graphs = DefaultGraphs
	}
	slots, spare := leastSlots, 0
	for _, k := range graphs {
		if k.Kind == lower.Ragged {
			slots, spare = max(slots, k.Rows+1), 1 // for idle rows
		}
	}
	return contextOf(o, m.spec), slots - spare, nil
}

// contextOf is the context that is asked for, or else the default one.
func contextOf(o Options, spec archs.Spec) int {
	return cmp.Or(o.Context, min(spec.MaxLength, defaultContext))
}

// leastSlots of a state: reads of a slot that is all of the pool IREE doesn't fuse with
// what they are for, but writes them down. An unused slot costs no memory.
const leastSlots = 2

// lowerOptions chooses context, graphs and slots.
func lowerOptions(o Options, spec archs.Spec, state lower.StatePlan) (lower.Options, error) {
	l := lower.Options{Context: contextOf(o, spec), Graphs: o.Graphs, Slots: leastSlots}
	if l.Context > maxContext {
		return l, fmt.Errorf("compiler: --context %d is more than %d, the most that a bundle can hold; the model's max_position_embeddings is %d", l.Context, maxContext, spec.MaxLength)
	}
	if l.Context > spec.MaxLength {
		o.Progress.Note(fmt.Sprintf("--context %d is more than the model's max_position_embeddings, %d", l.Context, spec.MaxLength))
	}
	if len(l.Graphs) == 0 {
		l.Graphs = defaultGraphs(l.Context, state)
	}
	if len(l.Graphs) > bundle.MaxGraphs {
		return l, fmt.Errorf("compiler: --graphs names %d graphs, a bundle has %d at most", len(l.Graphs), bundle.MaxGraphs)
	}
	for _, k := range l.Graphs {
		if k.Kind == lower.Prefill && k.Rows > l.Context+DefaultGraphs[0].Rows {
			return l, fmt.Errorf("compiler: graph %s: a chunk of %d tokens is longer than the context, %d", k, k.Rows, l.Context)
		}
		if k.Kind == lower.Ragged {
			l.Slots = max(l.Slots, k.Rows+1)
		}
	}
	return l, nil
}

func (m *model) parameters() int64 {
	var n int64
	for _, w := range m.program.Weights {
		if !w.Recipe.Counted() {
			continue
		}
		for _, s := range w.Recipe.Sources {
			from, to := rowRange(s)
			n += int64(to-from) * int64(rowElements(s.Shape))
		}
	}
	return n
}

// bundleEstimate is how large the bundle will be, with modules for so many levels, before
// they are there.
func (m *model) bundleEstimate(levels int) int64 {
	const rest, perGraph = 16 << 20, 4 << 20 // tokenizer and manifest; vmfb and text
	n := int64(rest + perGraph*len(m.program.Graphs)*levels)
	for _, w := range m.program.Weights {
		n += int64(w.Type.Bytes())
	}
	return n
}

// cut is the same model with as few of its first layers as have one of each kind,
// and with its smallest graphs only.
func (m *model) cut() (*model, error) {
	part := *m
	var kinds []string
	layers := 0
	for i := range m.spec.Layers {
		if kind := m.layerKind(i); !slices.Contains(kinds, kind) {
			kinds, layers = append(kinds, kind), i+1
		}
	}
	part.spec.Layers = m.spec.Layers[:layers]
	part.options.Graphs = smallest(m.options.Graphs)
	var err error
	part.program, err = lower.Lower(part.spec, m.plan, part.options)
	return &part, err
}

// layerKind describes layer i: what it computes, and how its weights are stored.
func (m *model) layerKind(i int) string {
	kind := []any{m.spec.Layers[i]}
	prefix := fmt.Sprintf(m.spec.Names.Layer, i)
	for _, w := range m.program.Weights {
		if name, ok := strings.CutPrefix(w.Name, prefix); ok {
			kind = append(kind, name, w.Type, w.Recipe.Numbers, w.Recipe.Format)
		}
	}
	return fmt.Sprint(kind...)
}
