// args: 8x32xf16 16x32xf16
// variants: default O3
func.func @main(%a: tensor<8x32xf16>, %b: tensor<16x32xf16>) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<8x32xf16>, tensor<16x32xf16>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
