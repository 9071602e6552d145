// args: 1x12x3xf32 4x3x5xf32
func.func @main(%x: tensor<1x12x3xf32>, %w: tensor<4x3x5xf32>) -> tensor<1x9x5xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x12x3xf32>, tensor<4x3x5xf32>) -> tensor<1x9x5xf32>
  return %0 : tensor<1x9x5xf32>
}
