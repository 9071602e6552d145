// args: 17xi1 17xi1
func.func @main(%a: tensor<17xi1>, %b: tensor<17xi1>) -> (tensor<17xi1>, tensor<17xi32>) {
  %0 = stablehlo.and %a, %b : tensor<17xi1>
  %1 = stablehlo.not %a : tensor<17xi1>
  %2 = stablehlo.or %0, %1 : tensor<17xi1>
  %3 = stablehlo.convert %2 : (tensor<17xi1>) -> tensor<17xi32>
  return %2, %3 : tensor<17xi1>, tensor<17xi32>
}
