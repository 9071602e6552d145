// Package bundle is the file format that ships: a plain tar with the manifest
// first, then modules, tokenizer and page-aligned weights that map in place.
package bundle

import "github.com/mlxc/mlxc/ir/rope"

// FormatVersion of the bundle; a reader accepts only its own.
const FormatVersion = 1

// Manifest describes a bundle completely; it is manifest.toml, the first entry.
type Manifest struct {
	Format    int           `toml:"format"`
	Generator string        `toml:"generator"` // "mlxc-emit 0.1.0"
	IRVersion int           `toml:"ir_version"`
	StableHLO string        `toml:"stablehlo_version"`
	Model     Model         `toml:"model"`
	Compile   Compile       `toml:"compile"`
	Plan      Plan          `toml:"plan"`
	Stop      []Stop        `toml:"stop"`
	RoPE      []rope.Params `toml:"rope"`
	State     []State       `toml:"state"`
	Weights   []Weight      `toml:"weight"`
	Graphs    []Graph       `toml:"graph"`
	Entries   []Entry       `toml:"entry"`
	SelfCheck SelfCheck     `toml:"self_check"`
}

// Model identifies the model.
type Model struct {
	Name       string `toml:"name"`       // base name of the checkpoint
	ModelType  string `toml:"model_type"` // HF model_type; for people only, the runtime never branches on it
	Spec       string `toml:"spec"`       // the Spec as JSON, for inspect
	Parameters int64  `toml:"parameters"`
	Vocab      int    `toml:"vocab"`
	Context    int    `toml:"context"`     // positions that a sequence may use
	Capacity   int    `toml:"capacity"`    // rows that the state has per sequence (≥ Context)
	Slots      int    `toml:"slots"`       // sequences; the last one is the spare of idle ragged rows
	ChunkAlign int    `toml:"chunk_align"` // prefill chunks start at multiples of it
	BOS        int    `toml:"bos"`         // -1 if none
}

// Compile says what the modules were compiled for, by what.
type Compile struct {
	Target      string   `toml:"target"`
	CPU         string   `toml:"cpu"`          // llvm-cpu: the target CPU as given to the compiler
	CPUFeatures []string `toml:"cpu_features"` // features that the processor must have, IREE's names
	Compiler    string   `toml:"compiler"`     // version line of iree-compile
	Flags       []string `toml:"flags"`
	Devices     []string `toml:"devices"` // devices that can run it, the default one first
}

// Plan says how weights and state are stored.
type Plan struct {
	Name      string `toml:"name"`      // "dense"
	Precision string `toml:"precision"` // "f16"
	KV        string `toml:"kv"`
}

// Stop is an id that ends generation, with the files that say so.
type Stop struct {
	ID      int      `toml:"id"`
	Sources []string `toml:"sources"` // "config.json", "generation_config.json", …
}

// State is one tensor of the state pool; sessions treat it as opaque.
type State struct {
	Name       string `toml:"name"`
	DType      string `toml:"dtype"`
	Shape      []int  `toml:"shape"`
	SlotAxis   int    `toml:"slot_axis"`
	Rewindable bool   `toml:"rewindable"`
}

// Weight is a graph argument whose bytes are the entry weights/<Name>.
type Weight struct {
	Name  string `toml:"name"`
	DType string `toml:"dtype"`
	Shape []int  `toml:"shape"`
}

// Graph is one compiled function: modules/<Name>.vmfb and modules/<Name>.mlir.zst.
type Graph struct {
	Name    string `toml:"name"` // "prefill_c16"
	Kind    string `toml:"kind"` // "prefill", "decode", "ragged"
	Rows    int    `toml:"rows"`
	Func    string `toml:"func"` // "main"
	Args    Args   `toml:"args"`
	Results Args   `toml:"results"`
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
	Name   string `toml:"name"`
	Size   int64  `toml:"size"`
	SHA256 string `toml:"sha256"`
}

// SelfCheck records what emission checked.
type SelfCheck struct {
	Ran      bool    `toml:"ran"`
	Reason   string  `toml:"reason,omitempty"` // why not
	MaxError float64 `toml:"max_error,omitempty"`
}
