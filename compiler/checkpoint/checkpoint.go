// Package checkpoint reads model directories and files: HF SafeTensors (single and
// sharded) and GGUF, mapped into memory, under one interface that speaks HF names.
package checkpoint

import (
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
)

// Tensor is one tensor of a checkpoint as the file has it. A matrix that MLX has
// quantised is one tensor, though the file has three: codes, scales and biases.
type Tensor struct {
	Name  string // HF name
	DType string // the format's own name: "F32", "BF16", "F8_E4M3", "Q4_1"; of MLX's matrices "affine4g32"
	Shape []int  // HF order: [out, in]
	File  string // base name of the file that holds it
	// Group is how many neighbouring numbers of a row share a scale in the file, 0 if none do.
	Group int
	// Affine is how MLX has quantised it, zero for all others.
	Affine quant.Affine
	// Opaque tensors hold integers or sub-byte numbers, which ReadRows refuses.
	Opaque bool
}

// Checkpoint is an opened model. It is safe for concurrent use; Close waits for
// reads, and reads after it fail.
type Checkpoint interface {
	// Config is config.json; for GGUF it is synthesized from the metadata.
	Config() []byte
	// ConfigFile is the base name of the file that Config is from: config.json, or the
	// first part of a GGUF.
	ConfigFile() string
	// Tensors lists all tensors, sorted by name.
	Tensors() []Tensor
	// ReadRows writes rows [from, to) of a tensor, dequantised and converted to d
	// (F32, F16 or BF16; round to nearest even), densely into dst. GGUF row
	// permutations are undone: rows come in HF order. Rows are indices of the first
	// dimension: elements of a vector, and a scalar is one row. Types that aren't
	// floats (integers, the sub-byte types of SafeTensors) are refused.
	ReadRows(dst []byte, d ir.DType, name string, from, to int) error
	// Number is the narrowest type that ReadRows converts to without loss: F16, BF16, or
	// F32, which is also that of F64 and of what can't be read.
	Number(name string) ir.DType
	Quantised
	// File returns the named side file (tokenizer.json, tokenizer_config.json,
	// generation_config.json, chat_template.jinja), nil if there is none. For GGUF
	// they are synthesized from the metadata, or refused where the metadata doesn't
	// say enough (a tokenizer.ggml.pre that isn't known); the directory's own files
	// win if the checkpoint was opened by its directory.
	File(name string) ([]byte, error)
	// MoreTemplates are the names of further side files that File gives: chat templates
	// with names, additional_chat_templates/NAME.jinja.
	MoreTemplates() ([]string, error)
	// Notes are remarks for the user ("index is stale: …").
	Notes() []string
	Close() error
}

// Packed says how a quantised matrix is handed out: codes of Bits (4 or 8; narrower
// widths widened without loss) in MLX's bit order, and one scale and bias of type
// Scale for Group neighbouring inputs. In f32, with the product rounded before the
// sum, scale·code + bias is exactly what ReadRows gives (but for the sign of zero). If
// Centre isn't 0, there are no biases, and scale·(code - Centre) is. If Super isn't 0,
// scales and biases are bytes, times a super-scale and a super-bias of type Scale that
// Super groups share.
type Packed struct {
	Bits, Group   int
	Centre, Super int
	Scale         ir.DType // F16, BF16 or F32
}

// Quantised reads quantised matrices, MLX's or GGUF's, as they are stored. Rows are those of ReadRows; names are HF names of matrices.
type Quantised interface {
	// Packed says how a matrix is handed out, false if it isn't quantised. It may
	// look at all of the matrix's scales when it is first asked.
	Packed(name string) (Packed, bool)
	// ReadCodes writes rows of codes, in·Bits/8 bytes each.
	ReadCodes(dst []byte, name string, from, to int) error
	// ReadScales and ReadBiases write rows of in/Group numbers, converted to d, which
	// loses nothing if d is Packed.Scale or F32. Biases are refused if there are none.
	ReadScales(dst []byte, d ir.DType, name string, from, to int) error
	ReadBiases(dst []byte, d ir.DType, name string, from, to int) error
	// ReadSuperScales and ReadSuperBiases write rows of in/Group/Super numbers as d. To
	// be multiplied with them are what ReadScales and ReadBiases write as UI8, or as I8 if
	// there is a centre; as floats these write the products.
	ReadSuperScales(dst []byte, d ir.DType, name string, from, to int) error
	ReadSuperBiases(dst []byte, d ir.DType, name string, from, to int) error
}
