// args: 4x7xf32 4x7xf32
// variants: default O0 O3 nozip unmemoised discrete index32 generic external
func.func @main(%a: tensor<4x7xf32>, %b: tensor<4x7xf32>) -> tensor<4x7xf32> {
  %0 = stablehlo.add %a, %b : tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}
