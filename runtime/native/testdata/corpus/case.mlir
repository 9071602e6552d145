// args: i32<3 6xf32
// variants: default O0
func.func @main(%k: tensor<i32>, %x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "stablehlo.case"(%k) ({
    %1 = stablehlo.negate %x : tensor<6xf32>
    stablehlo.return %1 : tensor<6xf32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<6xf32>
    stablehlo.return %1 : tensor<6xf32>
  }, {
    %1 = stablehlo.multiply %x, %x : tensor<6xf32>
    stablehlo.return %1 : tensor<6xf32>
  }) : (tensor<i32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
