// args: i32<8
func.func @main(%pos: tensor<i32>) -> tensor<3x11xf32> {
  %row = stablehlo.iota dim = 0 : tensor<3x11xi32>
  %col = stablehlo.iota dim = 1 : tensor<3x11xi32>
  %0 = stablehlo.broadcast_in_dim %pos, dims = [] : (tensor<i32>) -> tensor<3x11xi32>
  %1 = stablehlo.add %row, %0 : tensor<3x11xi32>
  %2 = stablehlo.compare LE, %col, %1 : (tensor<3x11xi32>, tensor<3x11xi32>) -> tensor<3x11xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<3x11xf32>
  %low = stablehlo.constant dense<-1.0e30> : tensor<3x11xf32>
  %3 = stablehlo.select %2, %zero, %low : tensor<3x11xi1>, tensor<3x11xf32>
  return %3 : tensor<3x11xf32>
}
