// args: 6xui32
// variants: default O3
// Eight 4-bit values a word, as packed weights are read.
func.func @main(%w: tensor<6xui32>) -> tensor<6x8xf32> {
  %0 = stablehlo.bitcast_convert %w : (tensor<6xui32>) -> tensor<6xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xi32>) -> tensor<6x8xi32>
  %2 = stablehlo.iota dim = 1 : tensor<6x8xi32>
  %four = stablehlo.constant dense<4> : tensor<6x8xi32>
  %mask = stablehlo.constant dense<15> : tensor<6x8xi32>
  %3 = stablehlo.multiply %2, %four : tensor<6x8xi32>
  %4 = stablehlo.shift_right_logical %1, %3 : tensor<6x8xi32>
  %5 = stablehlo.and %4, %mask : tensor<6x8xi32>
  %6 = stablehlo.convert %5 : (tensor<6x8xi32>) -> tensor<6x8xf32>
  return %6 : tensor<6x8xf32>
}
