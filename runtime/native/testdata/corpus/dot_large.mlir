// args: 96x256xf32 512x256xf32
// variants: default O3 tiled
// Enough workgroups for every thread.
func.func @main(%a: tensor<96x256xf32>, %b: tensor<512x256xf32>) -> tensor<96x512xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<96x256xf32>, tensor<512x256xf32>) -> tensor<96x512xf32>
  return %0 : tensor<96x512xf32>
}
