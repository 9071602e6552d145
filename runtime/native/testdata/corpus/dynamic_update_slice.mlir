// args: 9x6xf32 2x6xf32 i32<9
func.func @main(%x: tensor<9x6xf32>, %u: tensor<2x6xf32>, %i: tensor<i32>) -> tensor<9x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %zero : (tensor<9x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<9x6xf32>
  return %0 : tensor<9x6xf32>
}
