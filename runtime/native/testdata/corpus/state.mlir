// args: 4xi32
// variants: default unmemoised external
// Module state across calls; TestStateAcrossCalls calls it several times.
util.global private mutable @total = dense<0> : tensor<4xi32>
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = util.global.load @total : tensor<4xi32>
  %1 = stablehlo.add %0, %x : tensor<4xi32>
  util.global.store %1, @total : tensor<4xi32>
  return %1 : tensor<4xi32>
}
