// args: 9x6xf32 i32<12 i32<12
// variants: default index32
// Starts beyond the operand are clamped.
func.func @main(%x: tensor<9x6xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<3x2xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [3, 2] : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
