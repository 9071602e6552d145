// args: 2x4x16xf32 2x32x16xf32 2x32x16xf32 i32<28
// variants: default O3 generic unmemoised index32
func.func @main(%q: tensor<2x4x16xf32>, %k: tensor<2x32x16xf32>, %v: tensor<2x32x16xf32>, %pos: tensor<i32>) -> tensor<2x4x16xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %scale = stablehlo.constant dense<0.25> : tensor<2x4x32xf32>
  %masked = stablehlo.constant dense<-1.0e30> : tensor<2x4x32xf32>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x16xf32>, tensor<2x32x16xf32>) -> tensor<2x4x32xf32>
  %1 = stablehlo.multiply %0, %scale : tensor<2x4x32xf32>
  %row = stablehlo.iota dim = 1 : tensor<2x4x32xi32>
  %col = stablehlo.iota dim = 2 : tensor<2x4x32xi32>
  %p = stablehlo.broadcast_in_dim %pos, dims = [] : (tensor<i32>) -> tensor<2x4x32xi32>
  %last = stablehlo.add %row, %p : tensor<2x4x32xi32>
  %seen = stablehlo.compare LE, %col, %last : (tensor<2x4x32xi32>, tensor<2x4x32xi32>) -> tensor<2x4x32xi1>
  %2 = stablehlo.select %seen, %1, %masked : tensor<2x4x32xi1>, tensor<2x4x32xf32>
  %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x32xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x32xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<2x4x32xf32>
  %6 = stablehlo.exponential %5 : tensor<2x4x32xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x4x32xf32>, tensor<f32>) -> tensor<2x4xf32>
  %8 = stablehlo.dot_general %6, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x32xf32>, tensor<2x32x16xf32>) -> tensor<2x4x16xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x16xf32>
  %10 = stablehlo.divide %8, %9 : tensor<2x4x16xf32>
  return %10 : tensor<2x4x16xf32>
}
