// args: 3x32xf32 64x32xf32 64x32xf32 32x64xf32
// variants: default O3 tiled unmemoised
func.func @main(%x: tensor<3x32xf32>, %gate: tensor<64x32xf32>, %up: tensor<64x32xf32>, %down: tensor<32x64xf32>) -> tensor<3x32xf32> {
  %0 = stablehlo.dot_general %x, %gate, contracting_dims = [1] x [1] : (tensor<3x32xf32>, tensor<64x32xf32>) -> tensor<3x64xf32>
  %1 = stablehlo.dot_general %x, %up, contracting_dims = [1] x [1] : (tensor<3x32xf32>, tensor<64x32xf32>) -> tensor<3x64xf32>
  %2 = stablehlo.logistic %0 : tensor<3x64xf32>
  %3 = stablehlo.multiply %0, %2 : tensor<3x64xf32>
  %4 = stablehlo.multiply %3, %1 : tensor<3x64xf32>
  %5 = stablehlo.dot_general %4, %down, contracting_dims = [1] x [1] : (tensor<3x64xf32>, tensor<32x64xf32>) -> tensor<3x32xf32>
  return %5 : tensor<3x32xf32>
}
