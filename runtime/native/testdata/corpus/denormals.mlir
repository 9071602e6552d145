// args: 16xf32
// variants: default generic
// Products that are denormal: the runtime flushes them to zero.
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %tiny = stablehlo.constant dense<1.0e-38> : tensor<16xf32>
  %half = stablehlo.constant dense<0.01> : tensor<16xf32>
  %0 = stablehlo.multiply %x, %tiny : tensor<16xf32>
  %1 = stablehlo.multiply %0, %half : tensor<16xf32>
  %2 = stablehlo.divide %1, %tiny : tensor<16xf32>
  return %2 : tensor<16xf32>
}
