// args: 40xf32
// variants: default generic
func.func @main(%x: tensor<40xf32>) -> (tensor<40xbf16>, tensor<40xf32>) {
  %0 = stablehlo.convert %x : (tensor<40xf32>) -> tensor<40xbf16>
  %1 = stablehlo.multiply %0, %0 : tensor<40xbf16>
  %2 = stablehlo.convert %1 : (tensor<40xbf16>) -> tensor<40xf32>
  return %0, %2 : tensor<40xbf16>, tensor<40xf32>
}
