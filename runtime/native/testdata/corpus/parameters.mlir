// args: 2x16xf32
// variants: default O3 discrete external
// parameters: model weight=24x16xf32 bias=24xf32 scale=f32
util.global private @weight = #flow.parameter.named<"model"::"weight"> : tensor<24x16xf32>
util.global private @bias = #flow.parameter.named<"model"::"bias"> : tensor<24xf32>
util.global private @scale = #flow.parameter.named<"model"::"scale"> : tensor<f32>
func.func @main(%x: tensor<2x16xf32>) -> tensor<2x24xf32> {
  %w = util.global.load @weight : tensor<24x16xf32>
  %b = util.global.load @bias : tensor<24xf32>
  %s = util.global.load @scale : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<2x16xf32>, tensor<24x16xf32>) -> tensor<2x24xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<24xf32>) -> tensor<2x24xf32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
  %3 = stablehlo.multiply %0, %2 : tensor<2x24xf32>
  %4 = stablehlo.add %3, %1 : tensor<2x24xf32>
  return %4 : tensor<2x24xf32>
}
