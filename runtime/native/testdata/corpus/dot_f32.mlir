// args: 37x64xf32 64x53xf32
// variants: default O3 generic tiled unmemoised
func.func @main(%a: tensor<37x64xf32>, %b: tensor<64x53xf32>) -> tensor<37x53xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<37x64xf32>, tensor<64x53xf32>) -> tensor<37x53xf32>
  return %0 : tensor<37x53xf32>
}
