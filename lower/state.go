package lower

import (
	"fmt"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// StateTensor is one tensor of the state pool.
type StateTensor struct {
	Name       string // "layer0.key"
	Type       ir.Type
	SlotAxis   int
	Rewindable bool // Truncate is a matter of position only
}

// listState lists the state: for each layer its keys, then its values.
func listState(s archs.Spec, plan Plan, slots, capacity int) []StateTensor {
	var list []StateTensor
	for i, l := range s.Layers {
		key, value := plan.state(l.Attention).Pools(slots, l.Attention.KVHeads, capacity, l.Attention.HeadDim)
		list = append(list,
			StateTensor{fmt.Sprintf("layer%d.key", i), key, 0, true},
			StateTensor{fmt.Sprintf("layer%d.value", i), value, 0, true})
	}
	return list
}
