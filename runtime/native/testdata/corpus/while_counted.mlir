// args: 8xf32
// variants: default O3 unmemoised external
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<17> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.sine %v : tensor<8xf32>
      %3 = stablehlo.add %2, %v : tensor<8xf32>
      stablehlo.return %1, %3 : tensor<i32>, tensor<8xf32>
    }
  return %0#1 : tensor<8xf32>
}
