// args: 21xui8 21xui8
func.func @main(%a: tensor<21xui8>, %b: tensor<21xui8>) -> (tensor<21xui8>, tensor<21xf32>) {
  %0 = stablehlo.minimum %a, %b : tensor<21xui8>
  %1 = stablehlo.shift_right_logical %a, %0 : tensor<21xui8>
  %2 = stablehlo.convert %b : (tensor<21xui8>) -> tensor<21xf32>
  return %1, %2 : tensor<21xui8>, tensor<21xf32>
}
