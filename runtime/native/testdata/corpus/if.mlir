// args: i1 6xf32
func.func @main(%p: tensor<i1>, %x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<6xf32>
    stablehlo.return %1 : tensor<6xf32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<6xf32>
    stablehlo.return %1 : tensor<6xf32>
  }) : (tensor<i1>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
