// args: 0x4xf32 3x4xf32
func.func @main(%a: tensor<0x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.add %0, %b : tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
