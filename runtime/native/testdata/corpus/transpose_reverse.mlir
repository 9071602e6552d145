// args: 3x5x7xf32
func.func @main(%x: tensor<3x5x7xf32>) -> tensor<7x3x5xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<3x5x7xf32>) -> tensor<7x3x5xf32>
  %1 = stablehlo.reverse %0, dims = [0, 2] : tensor<7x3x5xf32>
  return %1 : tensor<7x3x5xf32>
}
