// args: 21xi16 21xi16<7
func.func @main(%a: tensor<21xi16>, %b: tensor<21xi16>) -> tensor<21xi16> {
  %one = stablehlo.constant dense<1> : tensor<21xi16>
  %0 = stablehlo.add %b, %one : tensor<21xi16>
  %1 = stablehlo.divide %a, %0 : tensor<21xi16>
  %2 = stablehlo.remainder %a, %0 : tensor<21xi16>
  %3 = stablehlo.shift_left %1, %b : tensor<21xi16>
  %4 = stablehlo.xor %3, %2 : tensor<21xi16>
  %5 = stablehlo.maximum %4, %a : tensor<21xi16>
  return %5 : tensor<21xi16>
}
