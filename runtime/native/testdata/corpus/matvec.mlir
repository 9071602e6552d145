// args: 1x512xf32 1536x512xf32
// variants: O3 index32
func.func @main(%x: tensor<1x512xf32>, %w: tensor<1536x512xf32>) -> tensor<1x1536xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x512xf32>, tensor<1536x512xf32>) -> tensor<1x1536xf32>
  return %0 : tensor<1x1536xf32>
}
