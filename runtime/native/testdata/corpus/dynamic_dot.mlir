// args: 13x32xf32 32x24xf32
// variants: default index32
func.func @main(%a: tensor<?x32xf32>, %b: tensor<32x24xf32>) -> tensor<?x24xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x24xf32>) -> tensor<?x24xf32>
  return %0 : tensor<?x24xf32>
}
