module @decode attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @decode(
      %model.embed_tokens.weight: tensor<6x1x16x16xui32>,
      %model.embed_tokens.scales: tensor<6x1x16xf16>,
      %model.embed_tokens.biases: tensor<6x1x16xf16>,
      %model.layers.0.input_layernorm.weight: tensor<64xf32>,
      %model.layers.0.qkv.weight: tensor<8x1x16x16xui32>,
      %model.layers.0.qkv.scales: tensor<8x1x16xf16>,
      %model.layers.0.qkv.biases: tensor<8x1x16xf16>,
      %model.layers.0.self_attn.q_proj.bias: tensor<64xf32>,
      %model.layers.0.self_attn.k_proj.bias: tensor<32xf32>,
      %model.layers.0.self_attn.v_proj.bias: tensor<32xf32>,
      %model.layers.0.self_attn.o_proj.weight: tensor<4x1x16x16xui32>,
      %model.layers.0.self_attn.o_proj.scales: tensor<4x1x16xf16>,
      %model.layers.0.self_attn.o_proj.biases: tensor<4x1x16xf16>,
      %model.layers.0.self_attn.o_proj.bias: tensor<64xf32>,
      %model.layers.0.post_attention_layernorm.weight: tensor<64xf32>,
      %model.layers.0.gate_up.weight: tensor<16x1x16x16xui32>,
      %model.layers.0.gate_up.scales: tensor<16x1x16xf16>,
      %model.layers.0.gate_up.biases: tensor<16x1x16xf16>,
      %model.layers.0.mlp.gate_proj.bias: tensor<128xf32>,
      %model.layers.0.mlp.up_proj.bias: tensor<128xf32>,
      %model.layers.0.mlp.down_proj.weight: tensor<4x2x16x16xui32>,
      %model.layers.0.mlp.down_proj.scales: tensor<4x2x16xf16>,
      %model.layers.0.mlp.down_proj.biases: tensor<4x2x16xf16>,
      %model.layers.0.mlp.down_proj.bias: tensor<64xf32>,
      %model.layers.1.input_layernorm.weight: tensor<64xf32>,
      %model.layers.1.qkv.weight: tensor<8x1x16x16xui32>,
      %model.layers.1.qkv.scales: tensor<8x1x16xf16>,
      %model.layers.1.qkv.biases: tensor<8x1x16xf16>,
      %model.layers.1.self_attn.q_proj.bias: tensor<64xf32>,
      %model.layers.1.self_attn.k_proj.bias: tensor<32xf32>,
      %model.layers.1.self_attn.v_proj.bias: tensor<32xf32>,
      %model.layers.1.self_attn.o_proj.weight: tensor<4x1x16x16xui32>,
      %model.layers.1.self_attn.o_proj.scales: tensor<4x1x16xf16>,
      %model.layers.1.self_attn.o_proj.biases: tensor<4x1x16xf16>,
      %model.layers.1.self_attn.o_proj.bias: tensor<64xf32>,
      %model.layers.1.post_attention_layernorm.weight: tensor<64xf32>,
      %model.layers.1.gate_up.weight: tensor<16x1x16x16xui32>,
      %model.layers.1.gate_up.scales: tensor<16x1x16xf16>,
      %model.layers.1.gate_up.biases: tensor<16x1x16xf16>,
      %model.layers.1.mlp.gate_proj.bias: tensor<128xf32>,
      %model.layers.1.mlp.up_proj.bias: tensor<128xf32>,
      %model.layers.1.mlp.down_proj.weight: tensor<4x2x16x16xui32>,
      %model.layers.1.mlp.down_proj.scales: tensor<4x2x16xf16>,
      %model.layers.1.mlp.down_proj.biases: tensor<4x2x16xf16>,
      %model.layers.1.mlp.down_proj.bias: tensor<64xf32>,
      %model.norm.weight: tensor<64xf32>,
      %lm_head.weight: tensor<6x1x16x16xui32>,
      %lm_head.scales: tensor<6x1x16xf16>,
      %lm_head.biases: tensor<6x1x16xf16>,
      %layer0.key: tensor<9x2x16x16x16xui16> {iree.abi.output = 2 : index},
      %layer0.value: tensor<9x2x1x256x16xui16> {iree.abi.output = 3 : index},
      %layer1.key: tensor<9x2x16x16x16xui16> {iree.abi.output = 4 : index},
      %layer1.value: tensor<9x2x1x256x16xui16> {iree.abi.output = 5 : index},
      %slot: tensor<i32>,
      %token: tensor<i32>,
      %position: tensor<i32>,
      %cos: tensor<1x8xf32>,
      %sin: tensor<1x8xf32>
  ) -> (tensor<i32>, tensor<96xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>) {
    %0 = stablehlo.reshape %cos : (tensor<1x8xf32>) -> tensor<8xf32>
    %1 = stablehlo.reshape %sin : (tensor<1x8xf32>) -> tensor<8xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.divide %token, %c16 : tensor<i32>
    %3 = stablehlo.remainder %token, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_slice %model.embed_tokens.weight, %2, %c0, %c0, %3, sizes = [1, 1, 16, 1] : (tensor<6x1x16x16xui32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x16x1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1x1x16x1xui32>) -> tensor<1x16xui32>
    %6 = stablehlo.divide %token, %c16 : tensor<i32>
    %7 = stablehlo.remainder %token, %c16 : tensor<i32>
    %8 = stablehlo.dynamic_slice %model.embed_tokens.scales, %6, %c0, %7, sizes = [1, 1, 1] : (tensor<6x1x16xf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1xf16>
    %9 = stablehlo.reshape %8 : (tensor<1x1x1xf16>) -> tensor<1xf16>
    %10 = stablehlo.divide %token, %c16 : tensor<i32>
    %11 = stablehlo.remainder %token, %c16 : tensor<i32>
    %12 = stablehlo.dynamic_slice %model.embed_tokens.biases, %10, %c0, %11, sizes = [1, 1, 1] : (tensor<6x1x16xf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1xf16>
    %13 = stablehlo.reshape %12 : (tensor<1x1x1xf16>) -> tensor<1xf16>
    %14 = stablehlo.iota dim = 2 : tensor<1x16x4xui32>
    %c8 = stablehlo.constant dense<8> : tensor<1x16x4xui32>
    %15 = stablehlo.multiply %14, %c8 : tensor<1x16x4xui32>
    %16 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x16xui32>) -> tensor<1x16x4xui32>
    %17 = stablehlo.shift_right_logical %16, %15 : tensor<1x16x4xui32>
    %c255 = stablehlo.constant dense<255> : tensor<1x16x4xui32>
    %18 = stablehlo.and %17, %c255 : tensor<1x16x4xui32>
    %19 = stablehlo.bitcast_convert %18 : (tensor<1x16x4xui32>) -> tensor<1x16x4xi32>
    %20 = stablehlo.convert %19 : (tensor<1x16x4xi32>) -> tensor<1x16x4xf32>
    %21 = stablehlo.convert %9 : (tensor<1xf16>) -> tensor<1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<1xf32>) -> tensor<1x16x4xf32>
    %23 = stablehlo.convert %13 : (tensor<1xf16>) -> tensor<1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<1xf32>) -> tensor<1x16x4xf32>
    %25 = stablehlo.multiply %20, %22 : tensor<1x16x4xf32>
    %26 = stablehlo.add %25, %24 : tensor<1x16x4xf32>
    %x = stablehlo.reshape %26 : (tensor<1x16x4xf32>) -> tensor<64xf32>
    %27 = stablehlo.iota dim = 0 : tensor<256xi32>
    %28 = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<256xi32>
    %mask = stablehlo.compare LE, %27, %28, SIGNED : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
    %x_1, %key, %value = func.call @decode.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.qkv.scales, %model.layers.0.qkv.biases, %model.layers.0.self_attn.q_proj.bias, %model.layers.0.self_attn.k_proj.bias, %model.layers.0.self_attn.v_proj.bias, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.self_attn.o_proj.scales, %model.layers.0.self_attn.o_proj.biases, %model.layers.0.self_attn.o_proj.bias, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.gate_up.scales, %model.layers.0.gate_up.biases, %model.layers.0.mlp.gate_proj.bias, %model.layers.0.mlp.up_proj.bias, %model.layers.0.mlp.down_proj.weight, %model.layers.0.mlp.down_proj.scales, %model.layers.0.mlp.down_proj.biases, %model.layers.0.mlp.down_proj.bias, %layer0.key, %layer0.value, %slot, %position, %mask, %0, %1) : (tensor<64xf32>, tensor<64xf32>, tensor<8x1x16x16xui32>, tensor<8x1x16xf16>, tensor<8x1x16xf16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<4x1x16x16xui32>, tensor<4x1x16xf16>, tensor<4x1x16xf16>, tensor<64xf32>, tensor<64xf32>, tensor<16x1x16x16xui32>, tensor<16x1x16xf16>, tensor<16x1x16xf16>, tensor<128xf32>, tensor<128xf32>, tensor<4x2x16x16xui32>, tensor<4x2x16xf16>, tensor<4x2x16xf16>, tensor<64xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>, tensor<i32>, tensor<i32>, tensor<256xi1>, tensor<8xf32>, tensor<8xf32>) -> (tensor<64xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>)
    %x_2, %key_1, %value_1 = func.call @decode.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.qkv.scales, %model.layers.1.qkv.biases, %model.layers.1.self_attn.q_proj.bias, %model.layers.1.self_attn.k_proj.bias, %model.layers.1.self_attn.v_proj.bias, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.self_attn.o_proj.scales, %model.layers.1.self_attn.o_proj.biases, %model.layers.1.self_attn.o_proj.bias, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.gate_up.scales, %model.layers.1.gate_up.biases, %model.layers.1.mlp.gate_proj.bias, %model.layers.1.mlp.up_proj.bias, %model.layers.1.mlp.down_proj.weight, %model.layers.1.mlp.down_proj.scales, %model.layers.1.mlp.down_proj.biases, %model.layers.1.mlp.down_proj.bias, %layer1.key, %layer1.value, %slot, %position, %mask, %0, %1) : (tensor<64xf32>, tensor<64xf32>, tensor<8x1x16x16xui32>, tensor<8x1x16xf16>, tensor<8x1x16xf16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<4x1x16x16xui32>, tensor<4x1x16xf16>, tensor<4x1x16xf16>, tensor<64xf32>, tensor<64xf32>, tensor<16x1x16x16xui32>, tensor<16x1x16xf16>, tensor<16x1x16xf16>, tensor<128xf32>, tensor<128xf32>, tensor<4x2x16x16xui32>, tensor<4x2x16xf16>, tensor<4x2x16xf16>, tensor<64xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>, tensor<i32>, tensor<i32>, tensor<256xi1>, tensor<8xf32>, tensor<8xf32>) -> (tensor<64xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_2, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %lm_head.weight, %lm_head.scales, %lm_head.biases {decomposition = @decode.linear_5} : (tensor<64xf32>, tensor<6x1x16x16xui32>, tensor<6x1x16xf16>, tensor<6x1x16xf16>) -> tensor<96xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [0] : (tensor<96xf32>, tensor<f32>) -> tensor<f32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %31 = stablehlo.compare EQ, %logits, %30, FLOAT : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xi1>
    %32 = stablehlo.iota dim = 0 : tensor<96xi32>
    %c96 = stablehlo.constant dense<96> : tensor<96xi32>
    %33 = stablehlo.select %31, %32, %c96 : tensor<96xi1>, tensor<96xi32>
    %c96_1 = stablehlo.constant dense<96> : tensor<i32>
    %next = stablehlo.reduce(%33 init: %c96_1) applies stablehlo.minimum across dimensions = [0] : (tensor<96xi32>, tensor<i32>) -> tensor<i32>
    return %next, %logits, %key, %value, %key_1, %value_1 : tensor<i32>, tensor<96xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>
  }

  func.func private @decode.layer(
      %x: tensor<64xf32>,
      %input_layernorm.weight: tensor<64xf32>,
      %qkv.weight: tensor<8x1x16x16xui32>,
      %qkv.scales: tensor<8x1x16xf16>,
      %qkv.biases: tensor<8x1x16xf16>,
      %self_attn.q_proj.bias: tensor<64xf32>,
      %self_attn.k_proj.bias: tensor<32xf32>,
      %self_attn.v_proj.bias: tensor<32xf32>,
      %self_attn.o_proj.weight: tensor<4x1x16x16xui32>,
      %self_attn.o_proj.scales: tensor<4x1x16xf16>,
      %self_attn.o_proj.biases: tensor<4x1x16xf16>,
      %self_attn.o_proj.bias: tensor<64xf32>,
      %post_attention_layernorm.weight: tensor<64xf32>,
      %gate_up.weight: tensor<16x1x16x16xui32>,
      %gate_up.scales: tensor<16x1x16xf16>,
      %gate_up.biases: tensor<16x1x16xf16>,
      %mlp.gate_proj.bias: tensor<128xf32>,
      %mlp.up_proj.bias: tensor<128xf32>,
      %mlp.down_proj.weight: tensor<4x2x16x16xui32>,
      %mlp.down_proj.scales: tensor<4x2x16xf16>,
      %mlp.down_proj.biases: tensor<4x2x16xf16>,
      %mlp.down_proj.bias: tensor<64xf32>,
      %key: tensor<9x2x16x16x16xui16>,
      %value: tensor<9x2x1x256x16xui16>,
      %slot: tensor<i32>,
      %position: tensor<i32>,
      %mask: tensor<256xi1>,
      %cos: tensor<8xf32>,
      %sin: tensor<8xf32>
  ) -> (tensor<64xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight, %qkv.scales, %qkv.biases {decomposition = @decode.linear} : (tensor<64xf32>, tensor<8x1x16x16xui32>, tensor<8x1x16xf16>, tensor<8x1x16xf16>) -> tensor<128xf32>
    %1 = stablehlo.slice %0 [0:64] : (tensor<128xf32>) -> tensor<64xf32>
    %2 = stablehlo.slice %0 [64:96] : (tensor<128xf32>) -> tensor<32xf32>
    %3 = stablehlo.slice %0 [96:128] : (tensor<128xf32>) -> tensor<32xf32>
    %4 = stablehlo.broadcast_in_dim %self_attn.q_proj.bias, dims = [0] : (tensor<64xf32>) -> tensor<64xf32>
    %5 = stablehlo.add %1, %4 : tensor<64xf32>
    %6 = stablehlo.broadcast_in_dim %self_attn.k_proj.bias, dims = [0] : (tensor<32xf32>) -> tensor<32xf32>
    %7 = stablehlo.add %2, %6 : tensor<32xf32>
    %8 = stablehlo.broadcast_in_dim %self_attn.v_proj.bias, dims = [0] : (tensor<32xf32>) -> tensor<32xf32>
    %9 = stablehlo.add %3, %8 : tensor<32xf32>
    %10 = stablehlo.reshape %5 : (tensor<64xf32>) -> tensor<4x16xf32>
    %q = stablehlo.composite "mlxc.rope" %10, %cos, %sin {decomposition = @decode.rope} : (tensor<4x16xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x16xf32>
    %11 = stablehlo.reshape %7 : (tensor<32xf32>) -> tensor<2x16xf32>
    %k = stablehlo.composite "mlxc.rope" %11, %cos, %sin {decomposition = @decode.rope_2} : (tensor<2x16xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x16xf32>
    %v = stablehlo.reshape %9 : (tensor<32xf32>) -> tensor<2x16xf32>
    %12 = stablehlo.reshape %q : (tensor<4x16xf32>) -> tensor<2x2x16xf32>
    %13 = stablehlo.reshape %k : (tensor<2x16xf32>) -> tensor<2x1x16xf32>
    %14 = stablehlo.reshape %v : (tensor<2x16xf32>) -> tensor<2x1x16xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %15 = stablehlo.divide %position, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.remainder %position, %c16 : tensor<i32>
    %17 = stablehlo.reshape %13 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %18 = stablehlo.convert %17 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %19, %slot, %c0, %15, %c0, %16 : (tensor<9x2x16x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x16x16x16xui16>
    %20 = stablehlo.reshape %14 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %21 = stablehlo.transpose %20, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %23 = stablehlo.convert %22 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %24 = stablehlo.bitcast_convert %23 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %24, %slot, %c0, %c0, %position, %c0 : (tensor<9x2x1x256x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x256x16xui16>
    %25 = stablehlo.dynamic_slice %new_key, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 16, 16, 16] : (tensor<9x2x16x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x16x16xui16>
    %keys = stablehlo.reshape %25 : (tensor<1x2x16x16x16xui16>) -> tensor<2x16x16x16xui16>
    %26 = stablehlo.dynamic_slice %new_value, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 256, 16] : (tensor<9x2x1x256x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x256x16xui16>
    %values = stablehlo.reshape %26 : (tensor<1x2x1x256x16xui16>) -> tensor<2x1x256x16xui16>
    %27 = stablehlo.composite "mlxc.attention" %12, %keys, %values, %mask {composite_attributes = {scale = 0.25 : f64}, decomposition = @decode.attention} : (tensor<2x2x16xf32>, tensor<2x16x16x16xui16>, tensor<2x1x256x16xui16>, tensor<256xi1>) -> tensor<2x2x16xf32>
    %attended = stablehlo.reshape %27 : (tensor<2x2x16xf32>) -> tensor<64xf32>
    %28 = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight, %self_attn.o_proj.scales, %self_attn.o_proj.biases {decomposition = @decode.linear_2} : (tensor<64xf32>, tensor<4x1x16x16xui32>, tensor<4x1x16xf16>, tensor<4x1x16xf16>) -> tensor<64xf32>
    %29 = stablehlo.broadcast_in_dim %self_attn.o_proj.bias, dims = [0] : (tensor<64xf32>) -> tensor<64xf32>
    %attention = stablehlo.add %28, %29 : tensor<64xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<64xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %30 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight, %gate_up.scales, %gate_up.biases {decomposition = @decode.linear_3} : (tensor<64xf32>, tensor<16x1x16x16xui32>, tensor<16x1x16xf16>, tensor<16x1x16xf16>) -> tensor<256xf32>
    %31 = stablehlo.slice %30 [0:128] : (tensor<256xf32>) -> tensor<128xf32>
    %32 = stablehlo.slice %30 [128:256] : (tensor<256xf32>) -> tensor<128xf32>
    %33 = stablehlo.broadcast_in_dim %mlp.gate_proj.bias, dims = [0] : (tensor<128xf32>) -> tensor<128xf32>
    %gate = stablehlo.add %31, %33 : tensor<128xf32>
    %34 = stablehlo.broadcast_in_dim %mlp.up_proj.bias, dims = [0] : (tensor<128xf32>) -> tensor<128xf32>
    %up = stablehlo.add %32, %34 : tensor<128xf32>
    %35 = stablehlo.logistic %gate : tensor<128xf32>
    %36 = stablehlo.multiply %gate, %35 : tensor<128xf32>
    %hidden = stablehlo.multiply %36, %up : tensor<128xf32>
    %37 = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight, %mlp.down_proj.scales, %mlp.down_proj.biases {decomposition = @decode.linear_4} : (tensor<128xf32>, tensor<4x2x16x16xui32>, tensor<4x2x16xf16>, tensor<4x2x16xf16>) -> tensor<64xf32>
    %38 = stablehlo.broadcast_in_dim %mlp.down_proj.bias, dims = [0] : (tensor<64xf32>) -> tensor<64xf32>
    %mlp = stablehlo.add %37, %38 : tensor<64xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<64xf32>
    return %x_2, %new_key, %new_value : tensor<64xf32>, tensor<9x2x16x16x16xui16>, tensor<9x2x1x256x16xui16>
  }

  func.func private @decode.rms_norm(%x: tensor<64xf32>, %weight: tensor<64xf32>) -> tensor<64xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<64xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %c64.0 = stablehlo.constant dense<64.0> : tensor<f32>
    %mean = stablehlo.divide %1, %c64.0 : tensor<f32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<f32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<f32>
    %scale = stablehlo.rsqrt %2 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<64xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [0] : (tensor<64xf32>) -> tensor<64xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<64xf32>
    return %6 : tensor<64xf32>
  }

  func.func private @decode.linear(
      %x: tensor<64xf32>,
      %weight: tensor<8x1x16x16xui32>,
      %weight1: tensor<8x1x16xf16>,
      %weight2: tensor<8x1x16xf16>
  ) -> tensor<128xf32> {
    %0 = stablehlo.bitcast_convert %weight : (tensor<8x1x16x16xui32>) -> tensor<8x1x16x16xi32>
    %1 = stablehlo.reshape %0 : (tensor<8x1x16x16xi32>) -> tensor<8x1x8x2x16xi32>
    %2 = stablehlo.slice %1 [0:8, 0:1, 0:8, 0:1, 0:16] : (tensor<8x1x8x2x16xi32>) -> tensor<8x1x8x1x16xi32>
    %3 = stablehlo.reshape %2 : (tensor<8x1x8x1x16xi32>) -> tensor<8x1x8x16xi32>
    %4 = stablehlo.slice %1 [0:8, 0:1, 0:8, 1:2, 0:16] : (tensor<8x1x8x2x16xi32>) -> tensor<8x1x8x1x16xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x1x8x1x16xi32>) -> tensor<8x1x8x16xi32>
    %6 = stablehlo.reshape %x : (tensor<64xf32>) -> tensor<1x8x8xf32>
    %cst = stablehlo.constant dense<[1.0, 0.00390625, 1.5258789e-05, 1.0, 1.0, 0.00390625, 1.5258789e-05, 1.0]> : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<8xf32>) -> tensor<1x8x8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<1x8x8xf32>
    %c255 = stablehlo.constant dense<255> : tensor<8x1x8x16xi32>
    %9 = stablehlo.and %3, %c255 : tensor<8x1x8x16xi32>
    %10 = stablehlo.convert %9 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %11 = stablehlo.slice %8 [0:1, 0:8, 0:1] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<8x1x8x16xf32>
    %c65280 = stablehlo.constant dense<65280> : tensor<8x1x8x16xi32>
    %15 = stablehlo.and %3, %c65280 : tensor<8x1x8x16xi32>
    %16 = stablehlo.convert %15 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %17 = stablehlo.slice %8 [0:1, 0:8, 1:2] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<8x1x8x16xf32>
    %c16711680 = stablehlo.constant dense<16711680> : tensor<8x1x8x16xi32>
    %21 = stablehlo.and %3, %c16711680 : tensor<8x1x8x16xi32>
    %22 = stablehlo.convert %21 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %23 = stablehlo.slice %8 [0:1, 0:8, 2:3] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %26 = stablehlo.multiply %22, %25 : tensor<8x1x8x16xf32>
    %c24 = stablehlo.constant dense<24> : tensor<8x1x8x16xi32>
    %27 = stablehlo.shift_right_logical %3, %c24 : tensor<8x1x8x16xi32>
    %28 = stablehlo.convert %27 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %29 = stablehlo.slice %8 [0:1, 0:8, 3:4] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<8x1x8x16xf32>
    %33 = stablehlo.and %5, %c255 : tensor<8x1x8x16xi32>
    %34 = stablehlo.convert %33 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %35 = stablehlo.slice %8 [0:1, 0:8, 4:5] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %38 = stablehlo.multiply %34, %37 : tensor<8x1x8x16xf32>
    %39 = stablehlo.and %5, %c65280 : tensor<8x1x8x16xi32>
    %40 = stablehlo.convert %39 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %41 = stablehlo.slice %8 [0:1, 0:8, 5:6] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %42 = stablehlo.reshape %41 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<8x1x8x16xf32>
    %45 = stablehlo.and %5, %c16711680 : tensor<8x1x8x16xi32>
    %46 = stablehlo.convert %45 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %47 = stablehlo.slice %8 [0:1, 0:8, 6:7] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %48 = stablehlo.reshape %47 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %50 = stablehlo.multiply %46, %49 : tensor<8x1x8x16xf32>
    %51 = stablehlo.shift_right_logical %5, %c24 : tensor<8x1x8x16xi32>
    %52 = stablehlo.convert %51 : (tensor<8x1x8x16xi32>) -> tensor<8x1x8x16xf32>
    %53 = stablehlo.slice %8 [0:1, 0:8, 7:8] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %56 = stablehlo.multiply %52, %55 : tensor<8x1x8x16xf32>
    %57 = stablehlo.add %14, %20 : tensor<8x1x8x16xf32>
    %58 = stablehlo.add %57, %26 : tensor<8x1x8x16xf32>
    %59 = stablehlo.add %58, %32 : tensor<8x1x8x16xf32>
    %60 = stablehlo.add %38, %44 : tensor<8x1x8x16xf32>
    %61 = stablehlo.add %60, %50 : tensor<8x1x8x16xf32>
    %62 = stablehlo.add %61, %56 : tensor<8x1x8x16xf32>
    %63 = stablehlo.add %59, %62 : tensor<8x1x8x16xf32>
    %64 = stablehlo.convert %weight1 : (tensor<8x1x16xf16>) -> tensor<8x1x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 3] : (tensor<8x1x16xf32>) -> tensor<8x1x8x16xf32>
    %66 = stablehlo.convert %weight2 : (tensor<8x1x16xf16>) -> tensor<8x1x16xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 3] : (tensor<8x1x16xf32>) -> tensor<8x1x8x16xf32>
    %68 = stablehlo.multiply %63, %65 : tensor<8x1x8x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %69 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<8x1x8x16xf32>
    %71 = stablehlo.multiply %67, %70 : tensor<8x1x8x16xf32>
    %72 = stablehlo.add %68, %71 : tensor<8x1x8x16xf32>
    %73 = stablehlo.reduce(%72 init: %c0.0) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x1x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %74 = stablehlo.reshape %73 : (tensor<8x16xf32>) -> tensor<128xf32>
    return %74 : tensor<128xf32>
  }

  func.func private @decode.rope(
      %x: tensor<4x16xf32>,
      %cos: tensor<8xf32>,
      %sin: tensor<8xf32>
  ) -> tensor<4x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<4x16xf32>) -> tensor<4x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<2xf32>) -> tensor<4x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [2] : (tensor<8xf32>) -> tensor<4x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<4x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [2] : (tensor<8xf32>) -> tensor<4x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [1] : tensor<4x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<4x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<4x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<4x2x8xf32>) -> tensor<4x16xf32>
    return %9 : tensor<4x16xf32>
  }

  func.func private @decode.rope_2(
      %x: tensor<2x16xf32>,
      %cos: tensor<8xf32>,
      %sin: tensor<8xf32>
  ) -> tensor<2x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<2x16xf32>) -> tensor<2x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<2xf32>) -> tensor<2x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [2] : (tensor<8xf32>) -> tensor<2x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<2x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [2] : (tensor<8xf32>) -> tensor<2x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<2x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [1] : tensor<2x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<2x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<2x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<2x2x8xf32>) -> tensor<2x16xf32>
    return %9 : tensor<2x16xf32>
  }

  func.func private @decode.attention(
      %query: tensor<2x2x16xf32>,
      %keys: tensor<2x16x16x16xui16>,
      %values: tensor<2x1x256x16xui16>,
      %mask: tensor<256xi1>
  ) -> tensor<2x2x16xf32> {
    %c0.25 = stablehlo.constant dense<0.25> : tensor<2x2x16xf32>
    %0 = stablehlo.multiply %query, %c0.25 : tensor<2x2x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 3] : (tensor<2x2x16xf32>) -> tensor<2x2x16x16x16xf32>
    %2 = stablehlo.broadcast_in_dim %keys, dims = [0, 2, 3, 4] : (tensor<2x16x16x16xui16>) -> tensor<2x2x16x16x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<2x2x16x16x16xui16>
    %3 = stablehlo.xor %2, %c32768 : tensor<2x2x16x16x16xui16>
    %4 = stablehlo.bitcast_convert %3 : (tensor<2x2x16x16x16xui16>) -> tensor<2x2x16x16x16xf16>
    %5 = stablehlo.convert %4 : (tensor<2x2x16x16x16xf16>) -> tensor<2x2x16x16x16xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<2x2x16x16x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x16x16x16xf32>, tensor<f32>) -> tensor<2x2x16x16xf32>
    %8 = stablehlo.negate %7 : tensor<2x2x16x16xf32>
    %scores = stablehlo.reshape %8 : (tensor<2x2x16x16xf32>) -> tensor<2x2x256xf32>
    %9 = stablehlo.broadcast_in_dim %mask, dims = [2] : (tensor<256xi1>) -> tensor<2x2x256xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<2x2x256xf32>
    %10 = stablehlo.select %9, %scores, %c-1.0e30 : tensor<2x2x256xi1>, tensor<2x2x256xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %c-inf) applies stablehlo.maximum across dimensions = [2] : (tensor<2x2x256xf32>, tensor<f32>) -> tensor<2x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x256xf32>
    %13 = stablehlo.subtract %10, %12 : tensor<2x2x256xf32>
    %probs = stablehlo.exponential %13 : tensor<2x2x256xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<2x2x256xf32>, tensor<f32>) -> tensor<2x2xf32>
    %14 = stablehlo.broadcast_in_dim %probs, dims = [0, 1, 3] : (tensor<2x2x256xf32>) -> tensor<2x2x1x256x16xf32>
    %15 = stablehlo.broadcast_in_dim %values, dims = [0, 2, 3, 4] : (tensor<2x1x256x16xui16>) -> tensor<2x2x1x256x16xui16>
    %c32768_1 = stablehlo.constant dense<32768> : tensor<2x2x1x256x16xui16>
    %16 = stablehlo.xor %15, %c32768_1 : tensor<2x2x1x256x16xui16>
    %17 = stablehlo.bitcast_convert %16 : (tensor<2x2x1x256x16xui16>) -> tensor<2x2x1x256x16xf16>
    %18 = stablehlo.convert %17 : (tensor<2x2x1x256x16xf16>) -> tensor<2x2x1x256x16xf32>
    %19 = stablehlo.multiply %14, %18 : tensor<2x2x1x256x16xf32>
    %20 = stablehlo.reduce(%19 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x1x256x16xf32>, tensor<f32>) -> tensor<2x2x1x16xf32>
    %21 = stablehlo.negate %20 : tensor<2x2x1x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x2x1x16xf32>) -> tensor<2x2x16xf32>
    %23 = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x16xf32>
    %24 = stablehlo.divide %22, %23 : tensor<2x2x16xf32>
    return %24 : tensor<2x2x16xf32>
  }

  func.func private @decode.linear_2(
      %x: tensor<64xf32>,
      %weight: tensor<4x1x16x16xui32>,
      %weight1: tensor<4x1x16xf16>,
      %weight2: tensor<4x1x16xf16>
  ) -> tensor<64xf32> {
    %0 = stablehlo.bitcast_convert %weight : (tensor<4x1x16x16xui32>) -> tensor<4x1x16x16xi32>
    %1 = stablehlo.reshape %0 : (tensor<4x1x16x16xi32>) -> tensor<4x1x8x2x16xi32>
    %2 = stablehlo.slice %1 [0:4, 0:1, 0:8, 0:1, 0:16] : (tensor<4x1x8x2x16xi32>) -> tensor<4x1x8x1x16xi32>
    %3 = stablehlo.reshape %2 : (tensor<4x1x8x1x16xi32>) -> tensor<4x1x8x16xi32>
    %4 = stablehlo.slice %1 [0:4, 0:1, 0:8, 1:2, 0:16] : (tensor<4x1x8x2x16xi32>) -> tensor<4x1x8x1x16xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x1x8x1x16xi32>) -> tensor<4x1x8x16xi32>
    %6 = stablehlo.reshape %x : (tensor<64xf32>) -> tensor<1x8x8xf32>
    %cst = stablehlo.constant dense<[1.0, 0.00390625, 1.5258789e-05, 1.0, 1.0, 0.00390625, 1.5258789e-05, 1.0]> : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<8xf32>) -> tensor<1x8x8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<1x8x8xf32>
    %c255 = stablehlo.constant dense<255> : tensor<4x1x8x16xi32>
    %9 = stablehlo.and %3, %c255 : tensor<4x1x8x16xi32>
    %10 = stablehlo.convert %9 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %11 = stablehlo.slice %8 [0:1, 0:8, 0:1] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<4x1x8x16xf32>
    %c65280 = stablehlo.constant dense<65280> : tensor<4x1x8x16xi32>
    %15 = stablehlo.and %3, %c65280 : tensor<4x1x8x16xi32>
    %16 = stablehlo.convert %15 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %17 = stablehlo.slice %8 [0:1, 0:8, 1:2] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<4x1x8x16xf32>
    %c16711680 = stablehlo.constant dense<16711680> : tensor<4x1x8x16xi32>
    %21 = stablehlo.and %3, %c16711680 : tensor<4x1x8x16xi32>
    %22 = stablehlo.convert %21 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %23 = stablehlo.slice %8 [0:1, 0:8, 2:3] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %26 = stablehlo.multiply %22, %25 : tensor<4x1x8x16xf32>
    %c24 = stablehlo.constant dense<24> : tensor<4x1x8x16xi32>
    %27 = stablehlo.shift_right_logical %3, %c24 : tensor<4x1x8x16xi32>
    %28 = stablehlo.convert %27 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %29 = stablehlo.slice %8 [0:1, 0:8, 3:4] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<4x1x8x16xf32>
    %33 = stablehlo.and %5, %c255 : tensor<4x1x8x16xi32>
    %34 = stablehlo.convert %33 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %35 = stablehlo.slice %8 [0:1, 0:8, 4:5] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %38 = stablehlo.multiply %34, %37 : tensor<4x1x8x16xf32>
    %39 = stablehlo.and %5, %c65280 : tensor<4x1x8x16xi32>
    %40 = stablehlo.convert %39 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %41 = stablehlo.slice %8 [0:1, 0:8, 5:6] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %42 = stablehlo.reshape %41 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<4x1x8x16xf32>
    %45 = stablehlo.and %5, %c16711680 : tensor<4x1x8x16xi32>
    %46 = stablehlo.convert %45 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %47 = stablehlo.slice %8 [0:1, 0:8, 6:7] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %48 = stablehlo.reshape %47 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %50 = stablehlo.multiply %46, %49 : tensor<4x1x8x16xf32>
    %51 = stablehlo.shift_right_logical %5, %c24 : tensor<4x1x8x16xi32>
    %52 = stablehlo.convert %51 : (tensor<4x1x8x16xi32>) -> tensor<4x1x8x16xf32>
    %53 = stablehlo.slice %8 [0:1, 0:8, 7:8] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %56 = stablehlo.multiply %52, %55 : tensor<4x1x8x16xf32>
    %57 = stablehlo.add %14, %20 : tensor<4x1x8x16xf32>
    %58 = stablehlo.add %57, %26 : tensor<4x1x8x16xf32>
    %59 = stablehlo.add %58, %32 : tensor<4x1x8x16xf32>
    %60 = stablehlo.add %38, %44 : tensor<4x1x8x16xf32>
    %61 = stablehlo.add %60, %50 : tensor<4x1x8x16xf32>
    %62 = stablehlo.add %61, %56 : tensor<4x1x8x16xf32>
    %63 = stablehlo.add %59, %62 : tensor<4x1x8x16xf32>
    %64 = stablehlo.convert %weight1 : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 3] : (tensor<4x1x16xf32>) -> tensor<4x1x8x16xf32>
    %66 = stablehlo.convert %weight2 : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 3] : (tensor<4x1x16xf32>) -> tensor<4x1x8x16xf32>
    %68 = stablehlo.multiply %63, %65 : tensor<4x1x8x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %69 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<4x1x8x16xf32>
    %71 = stablehlo.multiply %67, %70 : tensor<4x1x8x16xf32>
    %72 = stablehlo.add %68, %71 : tensor<4x1x8x16xf32>
    %73 = stablehlo.reduce(%72 init: %c0.0) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x1x8x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %74 = stablehlo.reshape %73 : (tensor<4x16xf32>) -> tensor<64xf32>
    return %74 : tensor<64xf32>
  }

  func.func private @decode.linear_3(
      %x: tensor<64xf32>,
      %weight: tensor<16x1x16x16xui32>,
      %weight1: tensor<16x1x16xf16>,
      %weight2: tensor<16x1x16xf16>
  ) -> tensor<256xf32> {
    %0 = stablehlo.bitcast_convert %weight : (tensor<16x1x16x16xui32>) -> tensor<16x1x16x16xi32>
    %1 = stablehlo.reshape %0 : (tensor<16x1x16x16xi32>) -> tensor<16x1x8x2x16xi32>
    %2 = stablehlo.slice %1 [0:16, 0:1, 0:8, 0:1, 0:16] : (tensor<16x1x8x2x16xi32>) -> tensor<16x1x8x1x16xi32>
    %3 = stablehlo.reshape %2 : (tensor<16x1x8x1x16xi32>) -> tensor<16x1x8x16xi32>
    %4 = stablehlo.slice %1 [0:16, 0:1, 0:8, 1:2, 0:16] : (tensor<16x1x8x2x16xi32>) -> tensor<16x1x8x1x16xi32>
    %5 = stablehlo.reshape %4 : (tensor<16x1x8x1x16xi32>) -> tensor<16x1x8x16xi32>
    %6 = stablehlo.reshape %x : (tensor<64xf32>) -> tensor<1x8x8xf32>
    %cst = stablehlo.constant dense<[1.0, 0.00390625, 1.5258789e-05, 1.0, 1.0, 0.00390625, 1.5258789e-05, 1.0]> : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<8xf32>) -> tensor<1x8x8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<1x8x8xf32>
    %c255 = stablehlo.constant dense<255> : tensor<16x1x8x16xi32>
    %9 = stablehlo.and %3, %c255 : tensor<16x1x8x16xi32>
    %10 = stablehlo.convert %9 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %11 = stablehlo.slice %8 [0:1, 0:8, 0:1] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<16x1x8x16xf32>
    %c65280 = stablehlo.constant dense<65280> : tensor<16x1x8x16xi32>
    %15 = stablehlo.and %3, %c65280 : tensor<16x1x8x16xi32>
    %16 = stablehlo.convert %15 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %17 = stablehlo.slice %8 [0:1, 0:8, 1:2] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<16x1x8x16xf32>
    %c16711680 = stablehlo.constant dense<16711680> : tensor<16x1x8x16xi32>
    %21 = stablehlo.and %3, %c16711680 : tensor<16x1x8x16xi32>
    %22 = stablehlo.convert %21 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %23 = stablehlo.slice %8 [0:1, 0:8, 2:3] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %26 = stablehlo.multiply %22, %25 : tensor<16x1x8x16xf32>
    %c24 = stablehlo.constant dense<24> : tensor<16x1x8x16xi32>
    %27 = stablehlo.shift_right_logical %3, %c24 : tensor<16x1x8x16xi32>
    %28 = stablehlo.convert %27 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %29 = stablehlo.slice %8 [0:1, 0:8, 3:4] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<16x1x8x16xf32>
    %33 = stablehlo.and %5, %c255 : tensor<16x1x8x16xi32>
    %34 = stablehlo.convert %33 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %35 = stablehlo.slice %8 [0:1, 0:8, 4:5] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %38 = stablehlo.multiply %34, %37 : tensor<16x1x8x16xf32>
    %39 = stablehlo.and %5, %c65280 : tensor<16x1x8x16xi32>
    %40 = stablehlo.convert %39 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %41 = stablehlo.slice %8 [0:1, 0:8, 5:6] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %42 = stablehlo.reshape %41 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<16x1x8x16xf32>
    %45 = stablehlo.and %5, %c16711680 : tensor<16x1x8x16xi32>
    %46 = stablehlo.convert %45 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %47 = stablehlo.slice %8 [0:1, 0:8, 6:7] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %48 = stablehlo.reshape %47 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %50 = stablehlo.multiply %46, %49 : tensor<16x1x8x16xf32>
    %51 = stablehlo.shift_right_logical %5, %c24 : tensor<16x1x8x16xi32>
    %52 = stablehlo.convert %51 : (tensor<16x1x8x16xi32>) -> tensor<16x1x8x16xf32>
    %53 = stablehlo.slice %8 [0:1, 0:8, 7:8] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %56 = stablehlo.multiply %52, %55 : tensor<16x1x8x16xf32>
    %57 = stablehlo.add %14, %20 : tensor<16x1x8x16xf32>
    %58 = stablehlo.add %57, %26 : tensor<16x1x8x16xf32>
    %59 = stablehlo.add %58, %32 : tensor<16x1x8x16xf32>
    %60 = stablehlo.add %38, %44 : tensor<16x1x8x16xf32>
    %61 = stablehlo.add %60, %50 : tensor<16x1x8x16xf32>
    %62 = stablehlo.add %61, %56 : tensor<16x1x8x16xf32>
    %63 = stablehlo.add %59, %62 : tensor<16x1x8x16xf32>
    %64 = stablehlo.convert %weight1 : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 3] : (tensor<16x1x16xf32>) -> tensor<16x1x8x16xf32>
    %66 = stablehlo.convert %weight2 : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 3] : (tensor<16x1x16xf32>) -> tensor<16x1x8x16xf32>
    %68 = stablehlo.multiply %63, %65 : tensor<16x1x8x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %69 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<16x1x8x16xf32>
    %71 = stablehlo.multiply %67, %70 : tensor<16x1x8x16xf32>
    %72 = stablehlo.add %68, %71 : tensor<16x1x8x16xf32>
    %73 = stablehlo.reduce(%72 init: %c0.0) applies stablehlo.add across dimensions = [1, 2] : (tensor<16x1x8x16xf32>, tensor<f32>) -> tensor<16x16xf32>
    %74 = stablehlo.reshape %73 : (tensor<16x16xf32>) -> tensor<256xf32>
    return %74 : tensor<256xf32>
  }

  func.func private @decode.linear_4(
      %x: tensor<128xf32>,
      %weight: tensor<4x2x16x16xui32>,
      %weight1: tensor<4x2x16xf16>,
      %weight2: tensor<4x2x16xf16>
  ) -> tensor<64xf32> {
    %0 = stablehlo.bitcast_convert %weight : (tensor<4x2x16x16xui32>) -> tensor<4x2x16x16xi32>
    %1 = stablehlo.reshape %0 : (tensor<4x2x16x16xi32>) -> tensor<4x2x8x2x16xi32>
    %2 = stablehlo.slice %1 [0:4, 0:2, 0:8, 0:1, 0:16] : (tensor<4x2x8x2x16xi32>) -> tensor<4x2x8x1x16xi32>
    %3 = stablehlo.reshape %2 : (tensor<4x2x8x1x16xi32>) -> tensor<4x2x8x16xi32>
    %4 = stablehlo.slice %1 [0:4, 0:2, 0:8, 1:2, 0:16] : (tensor<4x2x8x2x16xi32>) -> tensor<4x2x8x1x16xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x2x8x1x16xi32>) -> tensor<4x2x8x16xi32>
    %6 = stablehlo.reshape %x : (tensor<128xf32>) -> tensor<2x8x8xf32>
    %cst = stablehlo.constant dense<[1.0, 0.00390625, 1.5258789e-05, 1.0, 1.0, 0.00390625, 1.5258789e-05, 1.0]> : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<8xf32>) -> tensor<2x8x8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x8x8xf32>
    %c255 = stablehlo.constant dense<255> : tensor<4x2x8x16xi32>
    %9 = stablehlo.and %3, %c255 : tensor<4x2x8x16xi32>
    %10 = stablehlo.convert %9 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %11 = stablehlo.slice %8 [0:2, 0:8, 0:1] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<4x2x8x16xf32>
    %c65280 = stablehlo.constant dense<65280> : tensor<4x2x8x16xi32>
    %15 = stablehlo.and %3, %c65280 : tensor<4x2x8x16xi32>
    %16 = stablehlo.convert %15 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %17 = stablehlo.slice %8 [0:2, 0:8, 1:2] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %18 = stablehlo.reshape %17 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<4x2x8x16xf32>
    %c16711680 = stablehlo.constant dense<16711680> : tensor<4x2x8x16xi32>
    %21 = stablehlo.and %3, %c16711680 : tensor<4x2x8x16xi32>
    %22 = stablehlo.convert %21 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %23 = stablehlo.slice %8 [0:2, 0:8, 2:3] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %26 = stablehlo.multiply %22, %25 : tensor<4x2x8x16xf32>
    %c24 = stablehlo.constant dense<24> : tensor<4x2x8x16xi32>
    %27 = stablehlo.shift_right_logical %3, %c24 : tensor<4x2x8x16xi32>
    %28 = stablehlo.convert %27 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %29 = stablehlo.slice %8 [0:2, 0:8, 3:4] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %30 = stablehlo.reshape %29 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<4x2x8x16xf32>
    %33 = stablehlo.and %5, %c255 : tensor<4x2x8x16xi32>
    %34 = stablehlo.convert %33 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %35 = stablehlo.slice %8 [0:2, 0:8, 4:5] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %36 = stablehlo.reshape %35 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %38 = stablehlo.multiply %34, %37 : tensor<4x2x8x16xf32>
    %39 = stablehlo.and %5, %c65280 : tensor<4x2x8x16xi32>
    %40 = stablehlo.convert %39 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %41 = stablehlo.slice %8 [0:2, 0:8, 5:6] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %42 = stablehlo.reshape %41 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<4x2x8x16xf32>
    %45 = stablehlo.and %5, %c16711680 : tensor<4x2x8x16xi32>
    %46 = stablehlo.convert %45 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %47 = stablehlo.slice %8 [0:2, 0:8, 6:7] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %48 = stablehlo.reshape %47 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %50 = stablehlo.multiply %46, %49 : tensor<4x2x8x16xf32>
    %51 = stablehlo.shift_right_logical %5, %c24 : tensor<4x2x8x16xi32>
    %52 = stablehlo.convert %51 : (tensor<4x2x8x16xi32>) -> tensor<4x2x8x16xf32>
    %53 = stablehlo.slice %8 [0:2, 0:8, 7:8] : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
    %54 = stablehlo.reshape %53 : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %56 = stablehlo.multiply %52, %55 : tensor<4x2x8x16xf32>
    %57 = stablehlo.add %14, %20 : tensor<4x2x8x16xf32>
    %58 = stablehlo.add %57, %26 : tensor<4x2x8x16xf32>
    %59 = stablehlo.add %58, %32 : tensor<4x2x8x16xf32>
    %60 = stablehlo.add %38, %44 : tensor<4x2x8x16xf32>
    %61 = stablehlo.add %60, %50 : tensor<4x2x8x16xf32>
    %62 = stablehlo.add %61, %56 : tensor<4x2x8x16xf32>
    %63 = stablehlo.add %59, %62 : tensor<4x2x8x16xf32>
    %64 = stablehlo.convert %weight1 : (tensor<4x2x16xf16>) -> tensor<4x2x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 3] : (tensor<4x2x16xf32>) -> tensor<4x2x8x16xf32>
    %66 = stablehlo.convert %weight2 : (tensor<4x2x16xf16>) -> tensor<4x2x16xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 3] : (tensor<4x2x16xf32>) -> tensor<4x2x8x16xf32>
    %68 = stablehlo.multiply %63, %65 : tensor<4x2x8x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %69 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<4x2x8x16xf32>
    %71 = stablehlo.multiply %67, %70 : tensor<4x2x8x16xf32>
    %72 = stablehlo.add %68, %71 : tensor<4x2x8x16xf32>
    %73 = stablehlo.reduce(%72 init: %c0.0) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x2x8x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %74 = stablehlo.reshape %73 : (tensor<4x16xf32>) -> tensor<64xf32>
    return %74 : tensor<64xf32>
  }

  func.func private @decode.linear_5(
      %x: tensor<64xf32>,
      %weight: tensor<6x1x16x16xui32>,
      %weight1: tensor<6x1x16xf16>,
      %weight2: tensor<6x1x16xf16>
  ) -> tensor<96xf32> {
    %0 = stablehlo.bitcast_convert %weight : (tensor<6x1x16x16xui32>) -> tensor<6x1x16x16xi32>
    %1 = stablehlo.reshape %0 : (tensor<6x1x16x16xi32>) -> tensor<6x1x8x2x16xi32>
    %2 = stablehlo.slice %1 [0:6, 0:1, 0:8, 0:1, 0:16] : (tensor<6x1x8x2x16xi32>) -> tensor<6x1x8x1x16xi32>
    %3 = stablehlo.reshape %2 : (tensor<6x1x8x1x16xi32>) -> tensor<6x1x8x16xi32>
    %4 = stablehlo.slice %1 [0:6, 0:1, 0:8, 1:2, 0:16] : (tensor<6x1x8x2x16xi32>) -> tensor<6x1x8x1x16xi32>
    %5 = stablehlo.reshape %4 : (tensor<6x1x8x1x16xi32>) -> tensor<6x1x8x16xi32>
    %6 = stablehlo.reshape %x : (tensor<64xf32>) -> tensor<1x8x8xf32>
    %cst = stablehlo.constant dense<[1.0, 0.00390625, 1.5258789e-05, 1.0, 1.0, 0.00390625, 1.5258789e-05, 1.0]> : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<8xf32>) -> tensor<1x8x8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<1x8x8xf32>
    %c255 = stablehlo.constant dense<255> : tensor<6x1x8x16xi32>
    %9 = stablehlo.and %3, %c255 : tensor<6x1x8x16xi32>
    %10 = stablehlo.convert %9 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %11 = stablehlo.slice %8 [0:1, 0:8, 0:1] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<6x1x8x16xf32>
    %c65280 = stablehlo.constant dense<65280> : tensor<6x1x8x16xi32>
    %15 = stablehlo.and %3, %c65280 : tensor<6x1x8x16xi32>
    %16 = stablehlo.convert %15 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %17 = stablehlo.slice %8 [0:1, 0:8, 1:2] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<6x1x8x16xf32>
    %c16711680 = stablehlo.constant dense<16711680> : tensor<6x1x8x16xi32>
    %21 = stablehlo.and %3, %c16711680 : tensor<6x1x8x16xi32>
    %22 = stablehlo.convert %21 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %23 = stablehlo.slice %8 [0:1, 0:8, 2:3] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %26 = stablehlo.multiply %22, %25 : tensor<6x1x8x16xf32>
    %c24 = stablehlo.constant dense<24> : tensor<6x1x8x16xi32>
    %27 = stablehlo.shift_right_logical %3, %c24 : tensor<6x1x8x16xi32>
    %28 = stablehlo.convert %27 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %29 = stablehlo.slice %8 [0:1, 0:8, 3:4] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<6x1x8x16xf32>
    %33 = stablehlo.and %5, %c255 : tensor<6x1x8x16xi32>
    %34 = stablehlo.convert %33 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %35 = stablehlo.slice %8 [0:1, 0:8, 4:5] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %38 = stablehlo.multiply %34, %37 : tensor<6x1x8x16xf32>
    %39 = stablehlo.and %5, %c65280 : tensor<6x1x8x16xi32>
    %40 = stablehlo.convert %39 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %41 = stablehlo.slice %8 [0:1, 0:8, 5:6] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %42 = stablehlo.reshape %41 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<6x1x8x16xf32>
    %45 = stablehlo.and %5, %c16711680 : tensor<6x1x8x16xi32>
    %46 = stablehlo.convert %45 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %47 = stablehlo.slice %8 [0:1, 0:8, 6:7] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %48 = stablehlo.reshape %47 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %50 = stablehlo.multiply %46, %49 : tensor<6x1x8x16xf32>
    %51 = stablehlo.shift_right_logical %5, %c24 : tensor<6x1x8x16xi32>
    %52 = stablehlo.convert %51 : (tensor<6x1x8x16xi32>) -> tensor<6x1x8x16xf32>
    %53 = stablehlo.slice %8 [0:1, 0:8, 7:8] : (tensor<1x8x8xf32>) -> tensor<1x8x1xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %56 = stablehlo.multiply %52, %55 : tensor<6x1x8x16xf32>
    %57 = stablehlo.add %14, %20 : tensor<6x1x8x16xf32>
    %58 = stablehlo.add %57, %26 : tensor<6x1x8x16xf32>
    %59 = stablehlo.add %58, %32 : tensor<6x1x8x16xf32>
    %60 = stablehlo.add %38, %44 : tensor<6x1x8x16xf32>
    %61 = stablehlo.add %60, %50 : tensor<6x1x8x16xf32>
    %62 = stablehlo.add %61, %56 : tensor<6x1x8x16xf32>
    %63 = stablehlo.add %59, %62 : tensor<6x1x8x16xf32>
    %64 = stablehlo.convert %weight1 : (tensor<6x1x16xf16>) -> tensor<6x1x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 3] : (tensor<6x1x16xf32>) -> tensor<6x1x8x16xf32>
    %66 = stablehlo.convert %weight2 : (tensor<6x1x16xf16>) -> tensor<6x1x16xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 3] : (tensor<6x1x16xf32>) -> tensor<6x1x8x16xf32>
    %68 = stablehlo.multiply %63, %65 : tensor<6x1x8x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %69 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<6x1x8x16xf32>
    %71 = stablehlo.multiply %67, %70 : tensor<6x1x8x16xf32>
    %72 = stablehlo.add %68, %71 : tensor<6x1x8x16xf32>
    %73 = stablehlo.reduce(%72 init: %c0.0) applies stablehlo.add across dimensions = [1, 2] : (tensor<6x1x8x16xf32>, tensor<f32>) -> tensor<6x16xf32>
    %74 = stablehlo.reshape %73 : (tensor<6x16xf32>) -> tensor<96xf32>
    return %74 : tensor<96xf32>
  }
}
