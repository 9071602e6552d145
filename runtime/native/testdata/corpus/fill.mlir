// args:
// variants: default unmemoised
// Constants that are splats: fills.
func.func @main() -> (tensor<5xf32>, tensor<3xi8>, tensor<4xi16>, tensor<2xi64>) {
  %0 = stablehlo.constant dense<1.5> : tensor<5xf32>
  %1 = stablehlo.constant dense<-3> : tensor<3xi8>
  %2 = stablehlo.constant dense<777> : tensor<4xi16>
  %3 = stablehlo.constant dense<123456789012> : tensor<2xi64>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<3xi8>, tensor<4xi16>, tensor<2xi64>
}
