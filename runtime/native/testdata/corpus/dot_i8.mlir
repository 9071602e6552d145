// args: 8x32xi8 16x32xi8
// variants: default tiled
func.func @main(%a: tensor<8x32xi8>, %b: tensor<16x32xi8>) -> tensor<8x16xi32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<8x32xi8>, tensor<16x32xi8>) -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}
