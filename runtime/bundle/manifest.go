// Package bundle is the file format that ships: a plain tar with the manifest
// first, then modules, tokenizer and page-aligned weights that map in place.
package bundle

import "github.com/mlxc/mlxc/ir/rope"

// The format versions that a reader accepts: bundles for one CPU level, and those for
// several, which readers that know one level only refuse by their format.
const (
	FormatVersion      = 2
	FleetFormatVersion = 3
)

// Manifest describes a bundle completely; it is manifest.toml, the first entry, and
// has the same names in JSON.
type Manifest struct {
	Format    int           `toml:"format" json:"format"`
	Generator string        `toml:"generator" json:"generator"` // "mlxc-emit 0.1.0"
	IRVersion int           `toml:"ir_version" json:"ir_version"`
	StableHLO string        `toml:"stablehlo_version" json:"stablehlo_version"`
	Model     Model         `toml:"model" json:"model"`
	Compile   Compile       `toml:"compile" json:"compile"`
	Plan      Plan          `toml:"plan" json:"plan"`
	Stop      []Stop        `toml:"stop" json:"stop"`
	RoPE      []rope.Params `toml:"rope" json:"rope"`
	State     []State       `toml:"state" json:"state"`
	Weights   []Weight      `toml:"weight" json:"weight"`
	Graphs    []Graph       `toml:"graph" json:"graph"`
	Entries   []Entry       `toml:"entry" json:"entry"`
	SelfCheck SelfCheck     `toml:"self_check" json:"self_check"`
}

// Model identifies the model.
type Model struct {
	Name       string `toml:"name" json:"name"`                         // base name of the checkpoint
	Source     string `toml:"source,omitempty" json:"source,omitempty"` // of a checkpoint of the hub: hf:ORG/NAME@COMMIT[:FILE]; for people only
	ModelType  string `toml:"model_type" json:"model_type"`             // HF model_type; for people only, the runtime never branches on it
	Spec       string `toml:"spec" json:"spec"`                         // the Spec as JSON, for inspect
	Parameters int64  `toml:"parameters" json:"parameters"`
	Vocab      int    `toml:"vocab" json:"vocab"`
	Context    int    `toml:"context" json:"context"`         // positions that a sequence may use
	Capacity   int    `toml:"capacity" json:"capacity"`       // rows that the state has per sequence (≥ Context)
	Slots      int    `toml:"slots" json:"slots"`             // sequences; the last one is the spare of idle ragged rows
	ChunkAlign int    `toml:"chunk_align" json:"chunk_align"` // prefill chunks start at multiples of it
	BOS        int    `toml:"bos" json:"bos"`                 // -1 if none
}

// Compile says what the modules were compiled for, by what.
type Compile struct {
	Target      string   `toml:"target" json:"target"`
	CPU         string   `toml:"cpu" json:"cpu"`                     // llvm-cpu: the target CPU as given to the compiler; "" in a fleet's
	CPUFeatures []string `toml:"cpu_features" json:"cpu_features"`   // features that the processor must have, IREE's names
	GPU         string   `toml:"gpu,omitempty" json:"gpu,omitempty"` // the target GPU as mlxc-emit was told, where targets have levels of GPUs
	Compiler    string   `toml:"compiler" json:"compiler"`           // version line of iree-compile
	Flags       []string `toml:"flags" json:"flags"`
	Devices     []string `toml:"devices" json:"devices"`                  // devices that can run it, the default one first
	Fleet       []Level  `toml:"level,omitempty" json:"levels,omitempty"` // if there are several
}

// Plan says how weights and state are stored.
type Plan struct {
	Name      string `toml:"name" json:"name"`           // "dense"
	Precision string `toml:"precision" json:"precision"` // "f16"
	KV        string `toml:"kv" json:"kv"`
}

// Stop is an id that ends generation, with the files that say so.
type Stop struct {
	ID      int      `toml:"id" json:"id"`
	Sources []string `toml:"sources" json:"sources"` // "config.json", "generation_config.json", …
}

// State is one tensor of the state pool; sessions treat it as opaque.
type State struct {
	Name       string `toml:"name" json:"name"`
	DType      string `toml:"dtype" json:"dtype"`
	Shape      []int  `toml:"shape" json:"shape"`
	SlotAxis   int    `toml:"slot_axis" json:"slot_axis"`
	Rewindable bool   `toml:"rewindable" json:"rewindable"`
}

// Weight is a graph argument whose bytes are the entry weights/<Name>.
type Weight struct {
	Name  string `toml:"name" json:"name"`
	DType string `toml:"dtype" json:"dtype"`
	Shape []int  `toml:"shape" json:"shape"`
}

// Graph is one function, called Name: compiled in the module of that name, which may hold
// several graphs, and as StableHLO in modules/<Name>.mlir.zst.
type Graph struct {
	Name    string `toml:"name" json:"name"` // "prefill_c16"
	Kind    string `toml:"kind" json:"kind"` // "prefill", "decode", "ragged"
	Rows    int    `toml:"rows" json:"rows"`
	Span    int    `toml:"span" json:"span"` // rows of a sequence's state that it reads, the first ones; 0: all
	Module  string `toml:"module" json:"module"`
	Args    Args   `toml:"args" json:"args"`
	Results Args   `toml:"results" json:"results"`
}

// Arg is an argument or result; roles are those of package lower:
// weight, state, slot, token, position, valid, cos, sin, logits.
type Arg struct {
	Role  string
	Index int // weight, state or RoPE index
	DType string
	Shape []int

	last int // while decoding: the last index of a run
}

// Entry is one file of the tar.
type Entry struct {
	Name   string `toml:"name" json:"name"`
	Size   int64  `toml:"size" json:"size"`
	SHA256 string `toml:"sha256" json:"sha256"`
}

// SelfCheck records what emission checked. In a fleet's manifest each level has its own.
type SelfCheck struct {
	Ran      bool    `toml:"ran" json:"ran"`
	Reason   string  `toml:"reason,omitempty" json:"reason,omitempty"` // why not
	MaxError float64 `toml:"max_error,omitempty" json:"max_error,omitempty"`
}

// StopIDs are the ids that end generation.
func (m *Manifest) StopIDs() []int32 {
	ids := make([]int32, len(m.Stop))
	for i, s := range m.Stop {
		ids[i] = int32(s.ID)
	}
	return ids
}

// ChatTemplates are the names of the entries that hold chat templates, in order.
func (m *Manifest) ChatTemplates() []string {
	var names []string
	for _, e := range m.Entries {
		if ChatTemplateName(e.Name) != "" {
			names = append(names, e.Name)
		}
	}
	return names
}

// StateBytes is the size of all state tensors of a valid manifest together.
func (m *Manifest) StateBytes() int64 {
	var n int64
	for _, s := range m.State {
		if t, err := tensorType(s.DType, s.Shape); err == nil {
			n += int64(t.Bytes())
		}
	}
	return n
}
