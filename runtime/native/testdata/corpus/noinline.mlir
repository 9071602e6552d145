// args: 4xf32 i64<9
// Calls that the compiler must keep: values of both register banks cross them.
util.func private @step(%x: tensor<4xf32>, %n: index, %k: i64) -> (tensor<4xf32>, i64) attributes {inlining_policy = #util.inline.never} {
  %0 = arith.index_cast %n : index to i64
  %1 = arith.addi %0, %k : i64
  %2 = flow.tensor.splat %1 : tensor<i64>
  %3 = stablehlo.convert %2 : (tensor<i64>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %5 = stablehlo.add %x, %4 : tensor<4xf32>
  util.return %5, %1 : tensor<4xf32>, i64
}
util.func public @main(%x: tensor<4xf32>, %s: tensor<i64>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %k = tensor.extract %s[] : tensor<i64>
  %0:2 = util.call @step(%x, %c3, %k) : (tensor<4xf32>, index, i64) -> (tensor<4xf32>, i64)
  %1:2 = util.call @step(%0#0, %c9, %0#1) : (tensor<4xf32>, index, i64) -> (tensor<4xf32>, i64)
  util.return %1#0 : tensor<4xf32>
}
