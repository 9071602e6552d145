// args: 8xf32
// variants: default index32 external
// The trip count depends on data: the host reads a condition back each time.
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %fzero = stablehlo.constant dense<0.0> : tensor<f32>
  %bound = stablehlo.constant dense<1.0e6> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<8xf32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8xf32>
    cond {
      %1 = stablehlo.multiply %v, %v : tensor<8xf32>
      %2 = stablehlo.reduce(%1 init: %fzero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      %3 = stablehlo.compare LT, %2, %bound : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %v, %three : tensor<8xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>
    }
  return %0#1, %0#0 : tensor<8xf32>, tensor<i32>
}
