// args: 6x50xf32
// variants: default O3
func.func @main(%x: tensor<6x50xf32>) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x50xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
