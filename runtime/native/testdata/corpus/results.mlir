// args: 6xf32 6xf32
// variants: default external
func.func @main(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xi1>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %a, %b : tensor<6xf32>
  %1 = stablehlo.multiply %a, %b : tensor<6xf32>
  %2 = stablehlo.compare EQ, %0, %1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %3 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<6xf32>, tensor<6xf32>, tensor<6xi1>, tensor<f32>
}
