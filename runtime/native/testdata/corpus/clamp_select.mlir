// args: 9xf32 9xf32
func.func @main(%x: tensor<9xf32>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %lo = stablehlo.constant dense<-0.5> : tensor<f32>
  %hi = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  %1 = stablehlo.compare LT, %x, %y : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
  %2 = stablehlo.select %1, %0, %y : tensor<9xi1>, tensor<9xf32>
  return %2 : tensor<9xf32>
}
