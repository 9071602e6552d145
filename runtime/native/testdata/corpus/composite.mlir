// args: 3x8xf32
func.func private @twice(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %0 = stablehlo.composite "test.twice" %x {decomposition = @twice} : (tensor<3x8xf32>) -> tensor<3x8xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<3x8xf32>
  %2 = stablehlo.negate %1 : tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}
