// One step of a toy model: the state's row of the slot gains the token's embedding,
// and the logits are the dot products of that row with all embeddings.
func.func @decode(%embed: tensor<11x8xf32>, %sum: tensor<3x8xf32> {iree.abi.output = 2 : index}, %slot: tensor<i32>, %token: tensor<i32>, %position: tensor<i32>) -> (tensor<i32>, tensor<11xf32>, tensor<3x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %row = stablehlo.dynamic_slice %embed, %token, %zero, sizes = [1, 8] : (tensor<11x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %old = stablehlo.dynamic_slice %sum, %slot, %zero, sizes = [1, 8] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %new = stablehlo.add %old, %row : tensor<1x8xf32>
  %state = stablehlo.dynamic_update_slice %sum, %new, %slot, %zero : (tensor<3x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
  %vector = stablehlo.reshape %new : (tensor<1x8xf32>) -> tensor<8xf32>
  %logits = stablehlo.dot_general %embed, %vector, contracting_dims = [1] x [0] : (tensor<11x8xf32>, tensor<8xf32>) -> tensor<11xf32>
  %index = stablehlo.iota dim = 0 : tensor<11xi32>
  %best:2 = stablehlo.reduce(%logits init: %low), (%index init: %zero) across dimensions = [0] : (tensor<11xf32>, tensor<11xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
      %3 = stablehlo.select %1, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
    }
  return %best#1, %logits, %state : tensor<i32>, tensor<11xf32>, tensor<3x8xf32>
}
