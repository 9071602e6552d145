// args: 3x64xf32 64xf32
func.func @main(%x: tensor<3x64xf32>, %w: tensor<64xf32>) -> tensor<3x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<64.0> : tensor<3xf32>
  %eps = stablehlo.constant dense<1.0e-5> : tensor<3xf32>
  %0 = stablehlo.multiply %x, %x : tensor<3x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x64xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.divide %1, %n : tensor<3xf32>
  %3 = stablehlo.add %2, %eps : tensor<3xf32>
  %4 = stablehlo.rsqrt %3 : tensor<3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xf32>) -> tensor<3x64xf32>
  %6 = stablehlo.multiply %x, %5 : tensor<3x64xf32>
  %7 = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<64xf32>) -> tensor<3x64xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<3x64xf32>
  return %8 : tensor<3x64xf32>
}
