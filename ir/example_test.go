package ir_test

import (
	"fmt"

	. "github.com/mlxc/mlxc/ir"
)

// A module with a composite, as it is built and as it prints.
func Example() {
	m, err := Build(func() *Module {
		m := &Module{Name: "example", Attrs: map[string]any{"mlxc.ir_version": IRVersion}}
		rows, row := T(F32, 4, 8), T(F32, 8)

		b := NewFunc(m, "rms_norm", true, []Type{rows, row}, []Type{rows})
		x, weight := Named("x", b.Arg(0)), Named("weight", b.Arg(1))
		sum := b.ReduceSum(b.Multiply(x, x), 1)
		mean := Named("mean", b.Divide(sum, b.Splat(sum.Type, 8)))
		scale := Named("scale", b.Rsqrt(b.Add(mean, b.Splat(mean.Type, 1e-5))))
		b.Return(b.Multiply(b.Multiply(x, b.Broadcast(scale, []int{0}, 4, 8)), b.Broadcast(weight, []int{1}, 4, 8)))

		b = NewFunc(m, "main", false, []Type{row, rows}, []Type{rows})
		weight, state := Named("norm.weight", b.Arg(0)), Named("state", b.Arg(1))
		b.Func.ArgAttrs[1] = map[string]any{"iree.abi.output": Index(0)}
		b.Return(b.Composite("mlxc.rms_norm", "rms_norm", map[string]any{"eps": 1e-5}, state, weight)[0])
		return m
	})
	fmt.Print(Print(m), err)
	// Output:
	// module @example attributes {mlxc.ir_version = 3 : i64} {
	//   func.func private @rms_norm(%x: tensor<4x8xf32>, %weight: tensor<8xf32>) -> tensor<4x8xf32> {
	//     %0 = stablehlo.multiply %x, %x : tensor<4x8xf32>
	//     %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
	//     %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
	//     %c8.0 = stablehlo.constant dense<8.0> : tensor<4xf32>
	//     %mean = stablehlo.divide %1, %c8.0 : tensor<4xf32>
	//     %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<4xf32>
	//     %2 = stablehlo.add %mean, %c1.0e-05 : tensor<4xf32>
	//     %scale = stablehlo.rsqrt %2 : tensor<4xf32>
	//     %3 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
	//     %4 = stablehlo.multiply %x, %3 : tensor<4x8xf32>
	//     %5 = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
	//     %6 = stablehlo.multiply %4, %5 : tensor<4x8xf32>
	//     return %6 : tensor<4x8xf32>
	//   }
	//
	//   func.func @main(
	//       %norm.weight: tensor<8xf32>,
	//       %state: tensor<4x8xf32> {iree.abi.output = 0 : index}
	//   ) -> tensor<4x8xf32> {
	//     %0 = stablehlo.composite "mlxc.rms_norm" %state, %norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @rms_norm} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
	//     return %0 : tensor<4x8xf32>
	//   }
	// }
	// <nil>
}
