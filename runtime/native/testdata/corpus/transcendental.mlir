// args: 5x33xf32
// variants: default O3 generic
func.func @main(%x: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %0 = stablehlo.exponential %x : tensor<5x33xf32>
  %1 = stablehlo.tanh %x : tensor<5x33xf32>
  %2 = stablehlo.logistic %x : tensor<5x33xf32>
  %3 = stablehlo.log %0 : tensor<5x33xf32>
  %4 = stablehlo.rsqrt %0 : tensor<5x33xf32>
  %5 = stablehlo.sine %x : tensor<5x33xf32>
  %6 = stablehlo.cosine %x : tensor<5x33xf32>
  %7 = stablehlo.add %1, %2 : tensor<5x33xf32>
  %8 = stablehlo.multiply %3, %4 : tensor<5x33xf32>
  %9 = stablehlo.subtract %7, %8 : tensor<5x33xf32>
  %10 = stablehlo.divide %9, %0 : tensor<5x33xf32>
  %11 = stablehlo.multiply %5, %6 : tensor<5x33xf32>
  %12 = stablehlo.add %10, %11 : tensor<5x33xf32>
  return %12 : tensor<5x33xf32>
}
