// Package lower turns a Spec into graphs: Spec × graph kind × plan → ir.Module and
// the ordered weights that the module takes as arguments.
package lower

import (
	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// Weight is one graph argument: what it is called in the bundle, how it is
// stored there, and how that is made from the checkpoint.
type Weight struct {
	Name   string // bundle name, HF tensor name where there is one
	Type   ir.Type
	Recipe Recipe
}

// Recipe is data that compiler executes: the sources' rows are concatenated along
// dimension 0 (they must agree in the others), then converted to the weight's
// element type (round to nearest even), then the steps are applied in order.
type Recipe struct {
	Sources []Source
	Steps   []Step
}

// Source is a checkpoint tensor, or a row range of it.
type Source struct {
	Tensor   string // HF name
	Shape    []int  // the shape that the Spec demands of the whole tensor
	From, To int    // rows; To == 0 means all
}

// Step is one rearrangement of a recipe. Op names it: "reshape" (Args: the shape),
// "transpose" (Args: the permutation). The plans that tile and pack add theirs.
type Step struct {
	Op   string
	Args []int
}

// StateTensor is one tensor of the state pool.
type StateTensor struct {
	Name       string // "layer0.key"
	Type       ir.Type
	SlotAxis   int
	Rewindable bool // Truncate is a matter of position only
}

// Role says what a graph argument or result is for; sessions bind by it.
type Role string

// The roles of arguments; Logits is a result only, State and Token both.
const (
	RoleWeight   Role = "weight"
	RoleState    Role = "state"
	RoleSlot     Role = "slot"     // i32: prefill, decode scalar; ragged [N]
	RoleToken    Role = "token"    // i32: prefill [N]; decode scalar; ragged [N]
	RolePosition Role = "position" // i32: position of the (first) token; ragged [N]
	RoleValid    Role = "valid"    // i32 scalar: number of valid tokens of a prefill chunk
	RoleCos      Role = "cos"      // f32 [rows, rotary/2]; Index is the RoPE kind
	RoleSin      Role = "sin"
	RoleLogits   Role = "logits" // f32: [vocab]; ragged [N, vocab]
)

// Arg is one argument or result of a graph, in order: all weights, all state
// tensors, then slot, token, position, valid (prefill only), and cos, sin for each
// RoPE kind. Results: token, logits, then the state tensors, each donated from
// its argument by iree.abi.output.
type Arg struct {
	Role  Role
	Name  string
	Index int // weight, state or RoPE index
	Type  ir.Type
}

// GraphKind is a graph of the bundle: {"prefill", 16} is prefill_c16, {"ragged", 4}
// ragged_b4, {"decode", 1} decode. Rows is tokens of a chunk or sequences of a batch.
type GraphKind struct {
	Kind string
	Rows int
}

// Options of emission.
type Options struct {
	Context int         // positions of a sequence that the state holds
	Slots   int         // sequences that the state holds, the spare one included
	Graphs  []GraphKind // what to emit
}

// Graph is one emitted graph.
type Graph struct {
	Kind    GraphKind
	Module  *ir.Module // its entry function is "main"
	Args    []Arg
	Results []Arg
}

// Program is everything that one Spec lowers to under one plan.
type Program struct {
	Spec    archs.Spec
	Weights []Weight
	State   []StateTensor
	// Capacity is the number of rows that the state has per sequence: Context plus
	// the smallest chunk less one, rounded up to 16. So the smallest chunk fits at
	// every position below Context and no dynamic_update_slice is ever clamped; the
	// session uses a larger chunk only where position+rows ≤ Capacity.
	Capacity int
	// ChunkAlign: prefill chunks start at multiples of it (1 for dense).
	ChunkAlign int
	Graphs     []Graph
}
