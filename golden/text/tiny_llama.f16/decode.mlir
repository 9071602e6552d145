module @decode attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @decode(
      %model.embed_tokens.weight: tensor<7x48x16xui16>,
      %model.layers.0.input_layernorm.weight: tensor<48xf32>,
      %model.layers.0.qkv.weight: tensor<8x48x16xui16>,
      %model.layers.0.self_attn.q_proj.bias: tensor<64xf32>,
      %model.layers.0.self_attn.k_proj.bias: tensor<32xf32>,
      %model.layers.0.self_attn.v_proj.bias: tensor<32xf32>,
      %model.layers.0.self_attn.o_proj.weight: tensor<3x64x16xui16>,
      %model.layers.0.self_attn.o_proj.bias: tensor<48xf32>,
      %model.layers.0.post_attention_layernorm.weight: tensor<48xf32>,
      %model.layers.0.gate_up.weight: tensor<10x48x16xui16>,
      %model.layers.0.mlp.gate_proj.bias: tensor<80xf32>,
      %model.layers.0.mlp.up_proj.bias: tensor<80xf32>,
      %model.layers.0.mlp.down_proj.weight: tensor<3x80x16xui16>,
      %model.layers.0.mlp.down_proj.bias: tensor<48xf32>,
      %model.layers.1.input_layernorm.weight: tensor<48xf32>,
      %model.layers.1.qkv.weight: tensor<8x48x16xui16>,
      %model.layers.1.self_attn.q_proj.bias: tensor<64xf32>,
      %model.layers.1.self_attn.k_proj.bias: tensor<32xf32>,
      %model.layers.1.self_attn.v_proj.bias: tensor<32xf32>,
      %model.layers.1.self_attn.o_proj.weight: tensor<3x64x16xui16>,
      %model.layers.1.self_attn.o_proj.bias: tensor<48xf32>,
      %model.layers.1.post_attention_layernorm.weight: tensor<48xf32>,
      %model.layers.1.gate_up.weight: tensor<10x48x16xui16>,
      %model.layers.1.mlp.gate_proj.bias: tensor<80xf32>,
      %model.layers.1.mlp.up_proj.bias: tensor<80xf32>,
      %model.layers.1.mlp.down_proj.weight: tensor<3x80x16xui16>,
      %model.layers.1.mlp.down_proj.bias: tensor<48xf32>,
      %model.norm.weight: tensor<48xf32>,
      %lm_head.weight: tensor<7x48x16xui16>,
      %layer0.key: tensor<9x2x17x16x16xui16> {iree.abi.output = 2 : index},
      %layer0.value: tensor<9x2x1x272x16xui16> {iree.abi.output = 3 : index},
      %layer1.key: tensor<9x2x17x16x16xui16> {iree.abi.output = 4 : index},
      %layer1.value: tensor<9x2x1x272x16xui16> {iree.abi.output = 5 : index},
      %slot: tensor<i32>,
      %token: tensor<i32>,
      %position: tensor<i32>,
      %cos: tensor<1x8xf32>,
      %sin: tensor<1x8xf32>
  ) -> (tensor<i32>, tensor<100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %0 = stablehlo.reshape %cos : (tensor<1x8xf32>) -> tensor<8xf32>
    %1 = stablehlo.reshape %sin : (tensor<1x8xf32>) -> tensor<8xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.divide %token, %c16 : tensor<i32>
    %3 = stablehlo.remainder %token, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_slice %model.embed_tokens.weight, %2, %c0, %3, sizes = [1, 48, 1] : (tensor<7x48x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x48x1xui16>
    %5 = stablehlo.reshape %4 : (tensor<1x48x1xui16>) -> tensor<48xui16>
    %6 = stablehlo.bitcast_convert %5 : (tensor<48xui16>) -> tensor<48xf16>
    %x = stablehlo.convert %6 : (tensor<48xf16>) -> tensor<48xf32>
    %7 = stablehlo.iota dim = 0 : tensor<272xi32>
    %8 = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<272xi32>
    %mask = stablehlo.compare LE, %7, %8, SIGNED : (tensor<272xi32>, tensor<272xi32>) -> tensor<272xi1>
    %x_1, %key, %value = func.call @decode.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.q_proj.bias, %model.layers.0.self_attn.k_proj.bias, %model.layers.0.self_attn.v_proj.bias, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.self_attn.o_proj.bias, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.gate_proj.bias, %model.layers.0.mlp.up_proj.bias, %model.layers.0.mlp.down_proj.weight, %model.layers.0.mlp.down_proj.bias, %layer0.key, %layer0.value, %slot, %position, %mask, %0, %1) : (tensor<48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<272xi1>, tensor<8xf32>, tensor<8xf32>) -> (tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %x_2, %key_1, %value_1 = func.call @decode.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.q_proj.bias, %model.layers.1.self_attn.k_proj.bias, %model.layers.1.self_attn.v_proj.bias, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.self_attn.o_proj.bias, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.gate_proj.bias, %model.layers.1.mlp.up_proj.bias, %model.layers.1.mlp.down_proj.weight, %model.layers.1.mlp.down_proj.bias, %layer1.key, %layer1.value, %slot, %position, %mask, %0, %1) : (tensor<48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<272xi1>, tensor<8xf32>, tensor<8xf32>) -> (tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_2, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %lm_head.weight {decomposition = @decode.linear_5} : (tensor<48xf32>, tensor<7x48x16xui16>) -> tensor<100xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %11 = stablehlo.compare EQ, %logits, %10, FLOAT : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xi1>
    %12 = stablehlo.iota dim = 0 : tensor<100xi32>
    %c100 = stablehlo.constant dense<100> : tensor<100xi32>
    %13 = stablehlo.select %11, %12, %c100 : tensor<100xi1>, tensor<100xi32>
    %c100_1 = stablehlo.constant dense<100> : tensor<i32>
    %next = stablehlo.reduce(%13 init: %c100_1) applies stablehlo.minimum across dimensions = [0] : (tensor<100xi32>, tensor<i32>) -> tensor<i32>
    return %next, %logits, %key, %value, %key_1, %value_1 : tensor<i32>, tensor<100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @decode.layer(
      %x: tensor<48xf32>,
      %input_layernorm.weight: tensor<48xf32>,
      %qkv.weight: tensor<8x48x16xui16>,
      %self_attn.q_proj.bias: tensor<64xf32>,
      %self_attn.k_proj.bias: tensor<32xf32>,
      %self_attn.v_proj.bias: tensor<32xf32>,
      %self_attn.o_proj.weight: tensor<3x64x16xui16>,
      %self_attn.o_proj.bias: tensor<48xf32>,
      %post_attention_layernorm.weight: tensor<48xf32>,
      %gate_up.weight: tensor<10x48x16xui16>,
      %mlp.gate_proj.bias: tensor<80xf32>,
      %mlp.up_proj.bias: tensor<80xf32>,
      %mlp.down_proj.weight: tensor<3x80x16xui16>,
      %mlp.down_proj.bias: tensor<48xf32>,
      %key: tensor<9x2x17x16x16xui16>,
      %value: tensor<9x2x1x272x16xui16>,
      %slot: tensor<i32>,
      %position: tensor<i32>,
      %mask: tensor<272xi1>,
      %cos: tensor<8xf32>,
      %sin: tensor<8xf32>
  ) -> (tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @decode.linear} : (tensor<48xf32>, tensor<8x48x16xui16>) -> tensor<128xf32>
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
    %new_key = stablehlo.dynamic_update_slice %key, %19, %slot, %c0, %15, %c0, %16 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %20 = stablehlo.reshape %14 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %21 = stablehlo.transpose %20, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %23 = stablehlo.convert %22 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %24 = stablehlo.bitcast_convert %23 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %24, %slot, %c0, %c0, %position, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %25 = stablehlo.dynamic_slice %new_key, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys = stablehlo.reshape %25 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %26 = stablehlo.dynamic_slice %new_value, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values = stablehlo.reshape %26 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %27 = stablehlo.composite "mlxc.attention" %12, %keys, %values, %mask {composite_attributes = {scale = 0.25 : f64}, decomposition = @decode.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %attended = stablehlo.reshape %27 : (tensor<2x2x16xf32>) -> tensor<64xf32>
    %28 = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @decode.linear_2} : (tensor<64xf32>, tensor<3x64x16xui16>) -> tensor<48xf32>
    %29 = stablehlo.broadcast_in_dim %self_attn.o_proj.bias, dims = [0] : (tensor<48xf32>) -> tensor<48xf32>
    %attention = stablehlo.add %28, %29 : tensor<48xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<48xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %30 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @decode.linear_3} : (tensor<48xf32>, tensor<10x48x16xui16>) -> tensor<160xf32>
    %31 = stablehlo.slice %30 [0:80] : (tensor<160xf32>) -> tensor<80xf32>
    %32 = stablehlo.slice %30 [80:160] : (tensor<160xf32>) -> tensor<80xf32>
    %33 = stablehlo.broadcast_in_dim %mlp.gate_proj.bias, dims = [0] : (tensor<80xf32>) -> tensor<80xf32>
    %gate = stablehlo.add %31, %33 : tensor<80xf32>
    %34 = stablehlo.broadcast_in_dim %mlp.up_proj.bias, dims = [0] : (tensor<80xf32>) -> tensor<80xf32>
    %up = stablehlo.add %32, %34 : tensor<80xf32>
    %35 = stablehlo.logistic %gate : tensor<80xf32>
    %36 = stablehlo.multiply %gate, %35 : tensor<80xf32>
    %hidden = stablehlo.multiply %36, %up : tensor<80xf32>
    %37 = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @decode.linear_4} : (tensor<80xf32>, tensor<3x80x16xui16>) -> tensor<48xf32>
    %38 = stablehlo.broadcast_in_dim %mlp.down_proj.bias, dims = [0] : (tensor<48xf32>) -> tensor<48xf32>
    %mlp = stablehlo.add %37, %38 : tensor<48xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<48xf32>
    return %x_2, %new_key, %new_value : tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @decode.rms_norm(%x: tensor<48xf32>, %weight: tensor<48xf32>) -> tensor<48xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<48xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [0] : (tensor<48xf32>, tensor<f32>) -> tensor<f32>
    %c48.0 = stablehlo.constant dense<48.0> : tensor<f32>
    %mean = stablehlo.divide %1, %c48.0 : tensor<f32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<f32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<f32>
    %scale = stablehlo.rsqrt %2 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<48xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [0] : (tensor<48xf32>) -> tensor<48xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<48xf32>
    return %6 : tensor<48xf32>
  }

  func.func private @decode.linear(%x: tensor<48xf32>, %weight: tensor<8x48x16xui16>) -> tensor<128xf32> {
    %0 = stablehlo.reshape %x : (tensor<48xf32>) -> tensor<24x2xf32>
    %1 = stablehlo.slice %0 [0:24, 0:1] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<24x1xf32>) -> tensor<24xf32>
    %3 = stablehlo.slice %0 [0:24, 1:2] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<24x1xf32>) -> tensor<24xf32>
    %5 = stablehlo.reshape %weight : (tensor<8x48x16xui16>) -> tensor<8x24x2x16xui16>
    %6 = stablehlo.slice %5 [0:8, 0:24, 0:1, 0:16] : (tensor<8x24x2x16xui16>) -> tensor<8x24x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<8x24x1x16xui16>) -> tensor<8x24x16xui16>
    %8 = stablehlo.slice %5 [0:8, 0:24, 1:2, 0:16] : (tensor<8x24x2x16xui16>) -> tensor<8x24x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<8x24x1x16xui16>) -> tensor<8x24x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<24xf32>) -> tensor<8x24x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<8x24x16xui16>) -> tensor<8x24x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x24x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<8x24x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<8x24x16xui16>) -> tensor<8x24x16xf16>
    %14 = stablehlo.convert %13 : (tensor<8x24x16xf16>) -> tensor<8x24x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<8x24x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<24xf32>) -> tensor<8x24x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x24x16xui16>) -> tensor<8x24x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<8x24x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<8x24x16xui16>) -> tensor<8x24x16xf16>
    %20 = stablehlo.convert %19 : (tensor<8x24x16xf16>) -> tensor<8x24x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<8x24x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<8x24x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<8x24x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %24 = stablehlo.negate %23 : tensor<8x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<8x16xf32>) -> tensor<128xf32>
    return %25 : tensor<128xf32>
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
      %keys: tensor<2x17x16x16xui16>,
      %values: tensor<2x1x272x16xui16>,
      %mask: tensor<272xi1>
  ) -> tensor<2x2x16xf32> {
    %c0.25 = stablehlo.constant dense<0.25> : tensor<2x2x16xf32>
    %0 = stablehlo.multiply %query, %c0.25 : tensor<2x2x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 3] : (tensor<2x2x16xf32>) -> tensor<2x2x17x16x16xf32>
    %2 = stablehlo.broadcast_in_dim %keys, dims = [0, 2, 3, 4] : (tensor<2x17x16x16xui16>) -> tensor<2x2x17x16x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<2x2x17x16x16xui16>
    %3 = stablehlo.xor %2, %c32768 : tensor<2x2x17x16x16xui16>
    %4 = stablehlo.bitcast_convert %3 : (tensor<2x2x17x16x16xui16>) -> tensor<2x2x17x16x16xf16>
    %5 = stablehlo.convert %4 : (tensor<2x2x17x16x16xf16>) -> tensor<2x2x17x16x16xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<2x2x17x16x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x17x16x16xf32>, tensor<f32>) -> tensor<2x2x17x16xf32>
    %8 = stablehlo.negate %7 : tensor<2x2x17x16xf32>
    %scores = stablehlo.reshape %8 : (tensor<2x2x17x16xf32>) -> tensor<2x2x272xf32>
    %9 = stablehlo.broadcast_in_dim %mask, dims = [2] : (tensor<272xi1>) -> tensor<2x2x272xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<2x2x272xf32>
    %10 = stablehlo.select %9, %scores, %c-1.0e30 : tensor<2x2x272xi1>, tensor<2x2x272xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %c-inf) applies stablehlo.maximum across dimensions = [2] : (tensor<2x2x272xf32>, tensor<f32>) -> tensor<2x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x272xf32>
    %13 = stablehlo.subtract %10, %12 : tensor<2x2x272xf32>
    %probs = stablehlo.exponential %13 : tensor<2x2x272xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<2x2x272xf32>, tensor<f32>) -> tensor<2x2xf32>
    %14 = stablehlo.broadcast_in_dim %probs, dims = [0, 1, 3] : (tensor<2x2x272xf32>) -> tensor<2x2x1x272x16xf32>
    %15 = stablehlo.broadcast_in_dim %values, dims = [0, 2, 3, 4] : (tensor<2x1x272x16xui16>) -> tensor<2x2x1x272x16xui16>
    %c32768_1 = stablehlo.constant dense<32768> : tensor<2x2x1x272x16xui16>
    %16 = stablehlo.xor %15, %c32768_1 : tensor<2x2x1x272x16xui16>
    %17 = stablehlo.bitcast_convert %16 : (tensor<2x2x1x272x16xui16>) -> tensor<2x2x1x272x16xf16>
    %18 = stablehlo.convert %17 : (tensor<2x2x1x272x16xf16>) -> tensor<2x2x1x272x16xf32>
    %19 = stablehlo.multiply %14, %18 : tensor<2x2x1x272x16xf32>
    %20 = stablehlo.reduce(%19 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x1x272x16xf32>, tensor<f32>) -> tensor<2x2x1x16xf32>
    %21 = stablehlo.negate %20 : tensor<2x2x1x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x2x1x16xf32>) -> tensor<2x2x16xf32>
    %23 = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x16xf32>
    %24 = stablehlo.divide %22, %23 : tensor<2x2x16xf32>
    return %24 : tensor<2x2x16xf32>
  }

  func.func private @decode.linear_2(%x: tensor<64xf32>, %weight: tensor<3x64x16xui16>) -> tensor<48xf32> {
    %0 = stablehlo.reshape %x : (tensor<64xf32>) -> tensor<32x2xf32>
    %1 = stablehlo.slice %0 [0:32, 0:1] : (tensor<32x2xf32>) -> tensor<32x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<32x1xf32>) -> tensor<32xf32>
    %3 = stablehlo.slice %0 [0:32, 1:2] : (tensor<32x2xf32>) -> tensor<32x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<32x1xf32>) -> tensor<32xf32>
    %5 = stablehlo.reshape %weight : (tensor<3x64x16xui16>) -> tensor<3x32x2x16xui16>
    %6 = stablehlo.slice %5 [0:3, 0:32, 0:1, 0:16] : (tensor<3x32x2x16xui16>) -> tensor<3x32x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<3x32x1x16xui16>) -> tensor<3x32x16xui16>
    %8 = stablehlo.slice %5 [0:3, 0:32, 1:2, 0:16] : (tensor<3x32x2x16xui16>) -> tensor<3x32x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<3x32x1x16xui16>) -> tensor<3x32x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<32xf32>) -> tensor<3x32x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<3x32x16xui16>) -> tensor<3x32x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<3x32x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<3x32x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<3x32x16xui16>) -> tensor<3x32x16xf16>
    %14 = stablehlo.convert %13 : (tensor<3x32x16xf16>) -> tensor<3x32x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<3x32x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<32xf32>) -> tensor<3x32x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<3x32x16xui16>) -> tensor<3x32x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<3x32x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<3x32x16xui16>) -> tensor<3x32x16xf16>
    %20 = stablehlo.convert %19 : (tensor<3x32x16xf16>) -> tensor<3x32x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<3x32x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<3x32x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<3x32x16xf32>, tensor<f32>) -> tensor<3x16xf32>
    %24 = stablehlo.negate %23 : tensor<3x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<3x16xf32>) -> tensor<48xf32>
    return %25 : tensor<48xf32>
  }

  func.func private @decode.linear_3(%x: tensor<48xf32>, %weight: tensor<10x48x16xui16>) -> tensor<160xf32> {
    %0 = stablehlo.reshape %x : (tensor<48xf32>) -> tensor<24x2xf32>
    %1 = stablehlo.slice %0 [0:24, 0:1] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<24x1xf32>) -> tensor<24xf32>
    %3 = stablehlo.slice %0 [0:24, 1:2] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<24x1xf32>) -> tensor<24xf32>
    %5 = stablehlo.reshape %weight : (tensor<10x48x16xui16>) -> tensor<10x24x2x16xui16>
    %6 = stablehlo.slice %5 [0:10, 0:24, 0:1, 0:16] : (tensor<10x24x2x16xui16>) -> tensor<10x24x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<10x24x1x16xui16>) -> tensor<10x24x16xui16>
    %8 = stablehlo.slice %5 [0:10, 0:24, 1:2, 0:16] : (tensor<10x24x2x16xui16>) -> tensor<10x24x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<10x24x1x16xui16>) -> tensor<10x24x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<24xf32>) -> tensor<10x24x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<10x24x16xui16>) -> tensor<10x24x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<10x24x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<10x24x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<10x24x16xui16>) -> tensor<10x24x16xf16>
    %14 = stablehlo.convert %13 : (tensor<10x24x16xf16>) -> tensor<10x24x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<10x24x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<24xf32>) -> tensor<10x24x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<10x24x16xui16>) -> tensor<10x24x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<10x24x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<10x24x16xui16>) -> tensor<10x24x16xf16>
    %20 = stablehlo.convert %19 : (tensor<10x24x16xf16>) -> tensor<10x24x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<10x24x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<10x24x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<10x24x16xf32>, tensor<f32>) -> tensor<10x16xf32>
    %24 = stablehlo.negate %23 : tensor<10x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<10x16xf32>) -> tensor<160xf32>
    return %25 : tensor<160xf32>
  }

  func.func private @decode.linear_4(%x: tensor<80xf32>, %weight: tensor<3x80x16xui16>) -> tensor<48xf32> {
    %0 = stablehlo.reshape %x : (tensor<80xf32>) -> tensor<40x2xf32>
    %1 = stablehlo.slice %0 [0:40, 0:1] : (tensor<40x2xf32>) -> tensor<40x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<40x1xf32>) -> tensor<40xf32>
    %3 = stablehlo.slice %0 [0:40, 1:2] : (tensor<40x2xf32>) -> tensor<40x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<40x1xf32>) -> tensor<40xf32>
    %5 = stablehlo.reshape %weight : (tensor<3x80x16xui16>) -> tensor<3x40x2x16xui16>
    %6 = stablehlo.slice %5 [0:3, 0:40, 0:1, 0:16] : (tensor<3x40x2x16xui16>) -> tensor<3x40x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<3x40x1x16xui16>) -> tensor<3x40x16xui16>
    %8 = stablehlo.slice %5 [0:3, 0:40, 1:2, 0:16] : (tensor<3x40x2x16xui16>) -> tensor<3x40x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<3x40x1x16xui16>) -> tensor<3x40x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<40xf32>) -> tensor<3x40x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<3x40x16xui16>) -> tensor<3x40x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<3x40x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<3x40x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<3x40x16xui16>) -> tensor<3x40x16xf16>
    %14 = stablehlo.convert %13 : (tensor<3x40x16xf16>) -> tensor<3x40x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<3x40x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<40xf32>) -> tensor<3x40x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<3x40x16xui16>) -> tensor<3x40x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<3x40x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<3x40x16xui16>) -> tensor<3x40x16xf16>
    %20 = stablehlo.convert %19 : (tensor<3x40x16xf16>) -> tensor<3x40x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<3x40x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<3x40x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<3x40x16xf32>, tensor<f32>) -> tensor<3x16xf32>
    %24 = stablehlo.negate %23 : tensor<3x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<3x16xf32>) -> tensor<48xf32>
    return %25 : tensor<48xf32>
  }

  func.func private @decode.linear_5(%x: tensor<48xf32>, %weight: tensor<7x48x16xui16>) -> tensor<100xf32> {
    %0 = stablehlo.reshape %x : (tensor<48xf32>) -> tensor<24x2xf32>
    %1 = stablehlo.slice %0 [0:24, 0:1] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<24x1xf32>) -> tensor<24xf32>
    %3 = stablehlo.slice %0 [0:24, 1:2] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<24x1xf32>) -> tensor<24xf32>
    %5 = stablehlo.reshape %weight : (tensor<7x48x16xui16>) -> tensor<7x24x2x16xui16>
    %6 = stablehlo.slice %5 [0:7, 0:24, 0:1, 0:16] : (tensor<7x24x2x16xui16>) -> tensor<7x24x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<7x24x1x16xui16>) -> tensor<7x24x16xui16>
    %8 = stablehlo.slice %5 [0:7, 0:24, 1:2, 0:16] : (tensor<7x24x2x16xui16>) -> tensor<7x24x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<7x24x1x16xui16>) -> tensor<7x24x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<24xf32>) -> tensor<7x24x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<7x24x16xui16>) -> tensor<7x24x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<7x24x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<7x24x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<7x24x16xui16>) -> tensor<7x24x16xf16>
    %14 = stablehlo.convert %13 : (tensor<7x24x16xf16>) -> tensor<7x24x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<7x24x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<24xf32>) -> tensor<7x24x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<7x24x16xui16>) -> tensor<7x24x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<7x24x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<7x24x16xui16>) -> tensor<7x24x16xf16>
    %20 = stablehlo.convert %19 : (tensor<7x24x16xf16>) -> tensor<7x24x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<7x24x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<7x24x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<7x24x16xf32>, tensor<f32>) -> tensor<7x16xf32>
    %24 = stablehlo.negate %23 : tensor<7x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<7x16xf32>) -> tensor<112xf32>
    %26 = stablehlo.slice %25 [0:100] : (tensor<112xf32>) -> tensor<100xf32>
    return %26 : tensor<100xf32>
  }
}
