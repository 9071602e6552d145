// args: 12xf64
// variants: double
func.func @main(%x: tensor<12xf64>) -> tensor<12xf64> {
  %0 = stablehlo.multiply %x, %x : tensor<12xf64>
  %1 = stablehlo.sqrt %0 : tensor<12xf64>
  %2 = stablehlo.add %1, %x : tensor<12xf64>
  return %2 : tensor<12xf64>
}
