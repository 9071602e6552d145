// args: 8x12xf32
// variants: default unmemoised external
// A contiguous slice: a transfer without any kernel.
func.func @main(%x: tensor<8x12xf32>) -> tensor<2x12xf32> {
  %0 = stablehlo.slice %x [3:5, 0:12] : (tensor<8x12xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}
