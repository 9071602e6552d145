// args: 3x4xf32 2x4xf32
// variants: default O3 unmemoised
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x4xf32>) -> tensor<7x9xf32> {
  %pad = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.pad %0, %pad, low = [1, 2], high = [1, 0], interior = [0, 1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<7x9xf32>
  return %1 : tensor<7x9xf32>
}
