// args: 4x32x8xf32 4x32x8xf16 1x8xf32 i32<4 i32<32
// variants: O3 default
// aliases: 1=0 2=1
// Two pools with a slot axis, one of them f16, and a result that reads them.
func.func @main(%k: tensor<4x32x8xf32> {iree.abi.output = 1 : index}, %v: tensor<4x32x8xf16> {iree.abi.output = 2 : index}, %u: tensor<1x8xf32>, %slot: tensor<i32>, %pos: tensor<i32>) -> (tensor<32xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf16>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %fzero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %u : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
  %1 = stablehlo.dynamic_update_slice %k, %0, %slot, %pos, %zero : (tensor<4x32x8xf32>, tensor<1x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x32x8xf32>
  %2 = stablehlo.convert %0 : (tensor<1x1x8xf32>) -> tensor<1x1x8xf16>
  %3 = stablehlo.dynamic_update_slice %v, %2, %slot, %pos, %zero : (tensor<4x32x8xf16>, tensor<1x1x8xf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x32x8xf16>
  %4 = stablehlo.dynamic_slice %1, %slot, %zero, %zero, sizes = [1, 32, 8] : (tensor<4x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x8xf32>
  %5 = stablehlo.dynamic_slice %3, %slot, %zero, %zero, sizes = [1, 32, 8] : (tensor<4x32x8xf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x8xf16>
  %6 = stablehlo.convert %5 : (tensor<1x32x8xf16>) -> tensor<1x32x8xf32>
  %7 = stablehlo.multiply %4, %6 : tensor<1x32x8xf32>
  %8 = stablehlo.reduce(%7 init: %fzero) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x32x8xf32>, tensor<f32>) -> tensor<32xf32>
  return %8, %1, %3 : tensor<32xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf16>
}
