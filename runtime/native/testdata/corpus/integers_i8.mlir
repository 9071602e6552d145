// args: 21xi8 21xi8<7
func.func @main(%a: tensor<21xi8>, %b: tensor<21xi8>) -> tensor<21xi8> {
  %one = stablehlo.constant dense<1> : tensor<21xi8>
  %0 = stablehlo.add %b, %one : tensor<21xi8>
  %1 = stablehlo.divide %a, %0 : tensor<21xi8>
  %2 = stablehlo.remainder %a, %0 : tensor<21xi8>
  %3 = stablehlo.shift_left %1, %b : tensor<21xi8>
  %4 = stablehlo.xor %3, %2 : tensor<21xi8>
  %5 = stablehlo.maximum %4, %a : tensor<21xi8>
  return %5 : tensor<21xi8>
}
