// args: 24xf32
// variants: default discrete
// parameters: model state=24xf32
// A mutable global whose first value is a parameter: it's gathered, not used in place.
util.global private mutable @state = #flow.parameter.named<"model"::"state"> : tensor<24xf32>
func.func @main(%x: tensor<24xf32>) -> tensor<24xf32> {
  %0 = util.global.load @state : tensor<24xf32>
  %1 = stablehlo.add %0, %x : tensor<24xf32>
  util.global.store %1, @state : tensor<24xf32>
  return %1 : tensor<24xf32>
}
