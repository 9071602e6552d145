// args: 4x4xf32
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4x4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = stablehlo.while(%j = %zero, %w = %v) : tensor<i32>, tensor<4x4xf32>
        cond {
          %2 = stablehlo.compare LE, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %2 : tensor<i1>
        } do {
          %2 = stablehlo.dynamic_slice %w, %i, %j, sizes = [1, 1] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
          %3 = stablehlo.exponential %2 : tensor<1x1xf32>
          %4 = stablehlo.dynamic_update_slice %w, %3, %j, %i : (tensor<4x4xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
          %5 = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %5, %4 : tensor<i32>, tensor<4x4xf32>
        }
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1#1 : tensor<i32>, tensor<4x4xf32>
    }
  return %0#1 : tensor<4x4xf32>
}
