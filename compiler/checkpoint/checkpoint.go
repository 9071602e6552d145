// Package checkpoint reads model directories and files: HF SafeTensors (single and
// sharded) and GGUF, mapped into memory, under one interface that speaks HF names.
package checkpoint

import "github.com/mlxc/mlxc/ir"

// Tensor is one tensor of a checkpoint as the file has it.
type Tensor struct {
	Name  string // HF name
	DType string // the format's own name: "F32", "BF16", "F8_E4M3", "Q4_1"
	Shape []int  // HF order: [out, in]
	File  string // base name of the file that holds it
}

// Checkpoint is an opened model. It is safe for concurrent use; Close waits for
// reads, and reads after it fail.
type Checkpoint interface {
	// Config is config.json; for GGUF it is synthesized from the metadata.
	Config() []byte
	// Tensors lists all tensors, sorted by name.
	Tensors() []Tensor
	// ReadRows writes rows [from, to) of a tensor, dequantised and converted to d
	// (F32, F16 or BF16; round to nearest even), densely into dst. GGUF row
	// permutations are undone: rows come in HF order. Rows are indices of the first
	// dimension: elements of a vector, and a scalar is one row. Types that aren't
	// floats (integers, the sub-byte types of SafeTensors) are refused.
	ReadRows(dst []byte, d ir.DType, name string, from, to int) error
	// File returns the named side file (tokenizer.json, tokenizer_config.json,
	// generation_config.json, chat_template.jinja), nil if there is none. For GGUF
	// they are synthesized from the metadata, or refused where the metadata doesn't
	// say enough (a tokenizer.ggml.pre that isn't known); the directory's own files
	// win if the checkpoint was opened by its directory.
	File(name string) ([]byte, error)
	// Notes are remarks for the user ("index is stale: …").
	Notes() []string
	Close() error
}
