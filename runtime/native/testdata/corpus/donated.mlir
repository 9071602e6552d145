// args: 16x8xf32 1x8xf32 i32<16
// variants: default O3 unmemoised external
// aliases: 0=0
// The result takes the place of the first argument.
func.func @main(%cache: tensor<16x8xf32> {iree.abi.output = 0 : index}, %u: tensor<1x8xf32>, %i: tensor<i32>) -> tensor<16x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cache, %u, %i, %zero : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
