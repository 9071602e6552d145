// args: 2x3x16xf32 2x8xf32 2x8xf32
// variants: default O3
func.func @main(%x: tensor<2x3x16xf32>, %cos: tensor<2x8xf32>, %sin: tensor<2x8xf32>) -> tensor<2x3x16xf32> {
  %c = stablehlo.broadcast_in_dim %cos, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x3x8xf32>
  %s = stablehlo.broadcast_in_dim %sin, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x3x8xf32>
  %a = stablehlo.slice %x [0:2, 0:3, 0:8] : (tensor<2x3x16xf32>) -> tensor<2x3x8xf32>
  %b = stablehlo.slice %x [0:2, 0:3, 8:16] : (tensor<2x3x16xf32>) -> tensor<2x3x8xf32>
  %0 = stablehlo.multiply %a, %c : tensor<2x3x8xf32>
  %1 = stablehlo.multiply %b, %s : tensor<2x3x8xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<2x3x8xf32>
  %3 = stablehlo.multiply %b, %c : tensor<2x3x8xf32>
  %4 = stablehlo.multiply %a, %s : tensor<2x3x8xf32>
  %5 = stablehlo.add %3, %4 : tensor<2x3x8xf32>
  %6 = stablehlo.concatenate %2, %5, dim = 2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x16xf32>
  return %6 : tensor<2x3x16xf32>
}
