// args: 8x12xf32
func.func @main(%x: tensor<8x12xf32>) -> tensor<6x4xf32> {
  %0 = stablehlo.slice %x [1:7:2, 2:10:1] : (tensor<8x12xf32>) -> tensor<3x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<3x8xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
