// args: 21xi64 21xi64<7
func.func @main(%a: tensor<21xi64>, %b: tensor<21xi64>) -> tensor<21xi64> {
  %one = stablehlo.constant dense<1> : tensor<21xi64>
  %0 = stablehlo.add %b, %one : tensor<21xi64>
  %1 = stablehlo.divide %a, %0 : tensor<21xi64>
  %2 = stablehlo.remainder %a, %0 : tensor<21xi64>
  %3 = stablehlo.shift_left %1, %b : tensor<21xi64>
  %4 = stablehlo.xor %3, %2 : tensor<21xi64>
  %5 = stablehlo.maximum %4, %a : tensor<21xi64>
  return %5 : tensor<21xi64>
}
