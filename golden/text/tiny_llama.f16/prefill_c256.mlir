module @prefill_c256 attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @prefill_c256(
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
      %token: tensor<256xi32>,
      %position: tensor<i32>,
      %valid: tensor<i32>,
      %cos: tensor<256x8xf32>,
      %sin: tensor<256x8xf32>
  ) -> (tensor<i32>, tensor<100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %c16 = stablehlo.constant dense<16> : tensor<256xi32>
    %0 = stablehlo.divide %token, %c16 : tensor<256xi32>
    %1 = stablehlo.remainder %token, %c16 : tensor<256xi32>
    %2 = stablehlo.reshape %0 : (tensor<256xi32>) -> tensor<256x1xi32>
    %3 = stablehlo.reshape %1 : (tensor<256xi32>) -> tensor<256x1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<256x1xi32>, tensor<256x1xi32>) -> tensor<256x2xi32>
    %5 = "stablehlo.gather"(%model.embed_tokens.weight, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 48, 1>}> : (tensor<7x48x16xui16>, tensor<256x2xi32>) -> tensor<256x48xui16>
    %6 = stablehlo.bitcast_convert %5 : (tensor<256x48xui16>) -> tensor<256x48xf16>
    %7 = stablehlo.convert %6 : (tensor<256x48xf16>) -> tensor<256x48xf32>
    %8 = stablehlo.iota dim = 0 : tensor<256xi32>
    %9 = stablehlo.broadcast_in_dim %valid, dims = [] : (tensor<i32>) -> tensor<256xi32>
    %10 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<256xi1>) -> tensor<256x48xi1>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<256x48xf32>
    %x = stablehlo.select %11, %7, %c0.0 : tensor<256x48xi1>, tensor<256x48xf32>
    %12 = stablehlo.iota dim = 0 : tensor<256xi32>
    %13 = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<256xi32>
    %14 = stablehlo.add %12, %13 : tensor<256xi32>
    %15 = stablehlo.iota dim = 1 : tensor<256x272xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<256xi32>) -> tensor<256x272xi32>
    %mask = stablehlo.compare LE, %15, %16, SIGNED : (tensor<256x272xi32>, tensor<256x272xi32>) -> tensor<256x272xi1>
    %x_1, %key, %value = func.call @prefill_c256.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.q_proj.bias, %model.layers.0.self_attn.k_proj.bias, %model.layers.0.self_attn.v_proj.bias, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.self_attn.o_proj.bias, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.gate_proj.bias, %model.layers.0.mlp.up_proj.bias, %model.layers.0.mlp.down_proj.weight, %model.layers.0.mlp.down_proj.bias, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<256x48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<256x272xi1>, tensor<256x8xf32>, tensor<256x8xf32>) -> (tensor<256x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %x_2, %key_1, %value_1 = func.call @prefill_c256.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.q_proj.bias, %model.layers.1.self_attn.k_proj.bias, %model.layers.1.self_attn.v_proj.bias, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.self_attn.o_proj.bias, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.gate_proj.bias, %model.layers.1.mlp.up_proj.bias, %model.layers.1.mlp.down_proj.weight, %model.layers.1.mlp.down_proj.bias, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<256x48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<256x272xi1>, tensor<256x8xf32>, tensor<256x8xf32>) -> (tensor<256x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %17 = stablehlo.subtract %valid, %c1 : tensor<i32>
    %18 = stablehlo.reshape %17 : (tensor<i32>) -> tensor<1xi32>
    %19 = "stablehlo.gather"(%x_2, %18) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 48>}> : (tensor<256x48xf32>, tensor<1xi32>) -> tensor<48xf32>
    %normed = stablehlo.composite "mlxc.rms_norm" %19, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c256.rms_norm_2} : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %lm_head.weight {decomposition = @prefill_c256.linear_5} : (tensor<48xf32>, tensor<7x48x16xui16>) -> tensor<100xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %22 = stablehlo.compare EQ, %logits, %21, FLOAT : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xi1>
    %23 = stablehlo.iota dim = 0 : tensor<100xi32>
    %c100 = stablehlo.constant dense<100> : tensor<100xi32>
    %24 = stablehlo.select %22, %23, %c100 : tensor<100xi1>, tensor<100xi32>
    %c100_1 = stablehlo.constant dense<100> : tensor<i32>
    %next = stablehlo.reduce(%24 init: %c100_1) applies stablehlo.minimum across dimensions = [0] : (tensor<100xi32>, tensor<i32>) -> tensor<i32>
    return %next, %logits, %key, %value, %key_1, %value_1 : tensor<i32>, tensor<100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @prefill_c256.layer(
      %x: tensor<256x48xf32>,
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
      %mask: tensor<256x272xi1>,
      %cos: tensor<256x8xf32>,
      %sin: tensor<256x8xf32>
  ) -> (tensor<256x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c256.rms_norm} : (tensor<256x48xf32>, tensor<48xf32>) -> tensor<256x48xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @prefill_c256.linear} : (tensor<256x48xf32>, tensor<8x48x16xui16>) -> tensor<256x128xf32>
    %1 = stablehlo.slice %0 [0:256, 0:64] : (tensor<256x128xf32>) -> tensor<256x64xf32>
    %2 = stablehlo.slice %0 [0:256, 64:96] : (tensor<256x128xf32>) -> tensor<256x32xf32>
    %3 = stablehlo.slice %0 [0:256, 96:128] : (tensor<256x128xf32>) -> tensor<256x32xf32>
    %4 = stablehlo.broadcast_in_dim %self_attn.q_proj.bias, dims = [1] : (tensor<64xf32>) -> tensor<256x64xf32>
    %5 = stablehlo.add %1, %4 : tensor<256x64xf32>
    %6 = stablehlo.broadcast_in_dim %self_attn.k_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<256x32xf32>
    %7 = stablehlo.add %2, %6 : tensor<256x32xf32>
    %8 = stablehlo.broadcast_in_dim %self_attn.v_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<256x32xf32>
    %9 = stablehlo.add %3, %8 : tensor<256x32xf32>
    %10 = stablehlo.reshape %5 : (tensor<256x64xf32>) -> tensor<256x4x16xf32>
    %q = stablehlo.composite "mlxc.rope" %10, %cos, %sin {decomposition = @prefill_c256.rope} : (tensor<256x4x16xf32>, tensor<256x8xf32>, tensor<256x8xf32>) -> tensor<256x4x16xf32>
    %11 = stablehlo.reshape %7 : (tensor<256x32xf32>) -> tensor<256x2x16xf32>
    %k = stablehlo.composite "mlxc.rope" %11, %cos, %sin {decomposition = @prefill_c256.rope_2} : (tensor<256x2x16xf32>, tensor<256x8xf32>, tensor<256x8xf32>) -> tensor<256x2x16xf32>
    %v = stablehlo.reshape %9 : (tensor<256x32xf32>) -> tensor<256x2x16xf32>
    %12 = stablehlo.reshape %q : (tensor<256x4x16xf32>) -> tensor<256x2x2x16xf32>
    %13 = stablehlo.transpose %12, dims = [1, 2, 0, 3] : (tensor<256x2x2x16xf32>) -> tensor<2x2x256x16xf32>
    %14 = stablehlo.transpose %k, dims = [1, 0, 2] : (tensor<256x2x16xf32>) -> tensor<2x256x16xf32>
    %15 = stablehlo.transpose %v, dims = [1, 0, 2] : (tensor<256x2x16xf32>) -> tensor<2x256x16xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %16 = stablehlo.divide %position, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.reshape %14 : (tensor<2x256x16xf32>) -> tensor<2x16x16x16xf32>
    %18 = stablehlo.transpose %17, dims = [0, 1, 3, 2] : (tensor<2x16x16x16xf32>) -> tensor<2x16x16x16xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x16x16x16xf32>) -> tensor<1x2x16x16x16xf32>
    %20 = stablehlo.convert %19 : (tensor<1x2x16x16x16xf32>) -> tensor<1x2x16x16x16xf16>
    %21 = stablehlo.bitcast_convert %20 : (tensor<1x2x16x16x16xf16>) -> tensor<1x2x16x16x16xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %21, %slot, %c0, %16, %c0, %c0 : (tensor<9x2x17x16x16xui16>, tensor<1x2x16x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %22 = stablehlo.reshape %15 : (tensor<2x256x16xf32>) -> tensor<2x256x1x16xf32>
    %23 = stablehlo.transpose %22, dims = [0, 2, 1, 3] : (tensor<2x256x1x16xf32>) -> tensor<2x1x256x16xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x1x256x16xf32>) -> tensor<1x2x1x256x16xf32>
    %25 = stablehlo.convert %24 : (tensor<1x2x1x256x16xf32>) -> tensor<1x2x1x256x16xf16>
    %26 = stablehlo.bitcast_convert %25 : (tensor<1x2x1x256x16xf16>) -> tensor<1x2x1x256x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %26, %slot, %c0, %c0, %position, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x256x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %27 = stablehlo.dynamic_slice %new_key, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys = stablehlo.reshape %27 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %28 = stablehlo.dynamic_slice %new_value, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values = stablehlo.reshape %28 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %29 = stablehlo.composite "mlxc.attention" %13, %keys, %values, %mask {composite_attributes = {scale = 0.25 : f64}, decomposition = @prefill_c256.attention} : (tensor<2x2x256x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<256x272xi1>) -> tensor<2x2x256x16xf32>
    %30 = stablehlo.transpose %29, dims = [2, 0, 1, 3] : (tensor<2x2x256x16xf32>) -> tensor<256x2x2x16xf32>
    %attended = stablehlo.reshape %30 : (tensor<256x2x2x16xf32>) -> tensor<256x64xf32>
    %31 = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @prefill_c256.linear_2} : (tensor<256x64xf32>, tensor<3x64x16xui16>) -> tensor<256x48xf32>
    %32 = stablehlo.broadcast_in_dim %self_attn.o_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<256x48xf32>
    %attention = stablehlo.add %31, %32 : tensor<256x48xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<256x48xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c256.rms_norm} : (tensor<256x48xf32>, tensor<48xf32>) -> tensor<256x48xf32>
    %33 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @prefill_c256.linear_3} : (tensor<256x48xf32>, tensor<10x48x16xui16>) -> tensor<256x160xf32>
    %34 = stablehlo.slice %33 [0:256, 0:80] : (tensor<256x160xf32>) -> tensor<256x80xf32>
    %35 = stablehlo.slice %33 [0:256, 80:160] : (tensor<256x160xf32>) -> tensor<256x80xf32>
    %36 = stablehlo.broadcast_in_dim %mlp.gate_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<256x80xf32>
    %gate = stablehlo.add %34, %36 : tensor<256x80xf32>
    %37 = stablehlo.broadcast_in_dim %mlp.up_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<256x80xf32>
    %up = stablehlo.add %35, %37 : tensor<256x80xf32>
    %38 = stablehlo.logistic %gate : tensor<256x80xf32>
    %39 = stablehlo.multiply %gate, %38 : tensor<256x80xf32>
    %hidden = stablehlo.multiply %39, %up : tensor<256x80xf32>
    %40 = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @prefill_c256.linear_4} : (tensor<256x80xf32>, tensor<3x80x16xui16>) -> tensor<256x48xf32>
    %41 = stablehlo.broadcast_in_dim %mlp.down_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<256x48xf32>
    %mlp = stablehlo.add %40, %41 : tensor<256x48xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<256x48xf32>
    return %x_2, %new_key, %new_value : tensor<256x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @prefill_c256.rms_norm(
      %x: tensor<256x48xf32>,
      %weight: tensor<48xf32>
  ) -> tensor<256x48xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<256x48xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<256x48xf32>, tensor<f32>) -> tensor<256xf32>
    %c48.0 = stablehlo.constant dense<48.0> : tensor<256xf32>
    %mean = stablehlo.divide %1, %c48.0 : tensor<256xf32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<256xf32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<256xf32>
    %scale = stablehlo.rsqrt %2 : tensor<256xf32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<256xf32>) -> tensor<256x48xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<256x48xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<48xf32>) -> tensor<256x48xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<256x48xf32>
    return %6 : tensor<256x48xf32>
  }

  func.func private @prefill_c256.linear(
      %x: tensor<256x48xf32>,
      %weight: tensor<8x48x16xui16>
  ) -> tensor<256x128xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<256x48xf32>) -> tensor<256x8x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<8x48x16xui16>) -> tensor<256x8x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<256x8x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<256x8x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<256x8x48x16xui16>) -> tensor<256x8x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<256x8x48x16xf16>) -> tensor<256x8x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<256x8x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<256x8x48x16xf32>, tensor<f32>) -> tensor<256x8x16xf32>
    %7 = stablehlo.negate %6 : tensor<256x8x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<256x8x16xf32>) -> tensor<256x128xf32>
    return %8 : tensor<256x128xf32>
  }

  func.func private @prefill_c256.rope(
      %x: tensor<256x4x16xf32>,
      %cos: tensor<256x8xf32>,
      %sin: tensor<256x8xf32>
  ) -> tensor<256x4x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<256x4x16xf32>) -> tensor<256x4x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<256x4x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<256x8xf32>) -> tensor<256x4x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<256x4x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<256x8xf32>) -> tensor<256x4x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<256x4x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<256x4x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<256x4x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<256x4x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<256x4x2x8xf32>) -> tensor<256x4x16xf32>
    return %9 : tensor<256x4x16xf32>
  }

  func.func private @prefill_c256.rope_2(
      %x: tensor<256x2x16xf32>,
      %cos: tensor<256x8xf32>,
      %sin: tensor<256x8xf32>
  ) -> tensor<256x2x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<256x2x16xf32>) -> tensor<256x2x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<256x2x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<256x8xf32>) -> tensor<256x2x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<256x2x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<256x8xf32>) -> tensor<256x2x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<256x2x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<256x2x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<256x2x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<256x2x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<256x2x2x8xf32>) -> tensor<256x2x16xf32>
    return %9 : tensor<256x2x16xf32>
  }

  func.func private @prefill_c256.attention(
      %query: tensor<2x2x256x16xf32>,
      %keys: tensor<2x17x16x16xui16>,
      %values: tensor<2x1x272x16xui16>,
      %mask: tensor<256x272xi1>
  ) -> tensor<2x2x256x16xf32> {
    %c0.25 = stablehlo.constant dense<0.25> : tensor<2x2x256x16xf32>
    %0 = stablehlo.multiply %query, %c0.25 : tensor<2x2x256x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 4] : (tensor<2x2x256x16xf32>) -> tensor<2x2x256x17x16x16xf32>
    %2 = stablehlo.broadcast_in_dim %keys, dims = [0, 3, 4, 5] : (tensor<2x17x16x16xui16>) -> tensor<2x2x256x17x16x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<2x2x256x17x16x16xui16>
    %3 = stablehlo.xor %2, %c32768 : tensor<2x2x256x17x16x16xui16>
    %4 = stablehlo.bitcast_convert %3 : (tensor<2x2x256x17x16x16xui16>) -> tensor<2x2x256x17x16x16xf16>
    %5 = stablehlo.convert %4 : (tensor<2x2x256x17x16x16xf16>) -> tensor<2x2x256x17x16x16xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<2x2x256x17x16x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [4] : (tensor<2x2x256x17x16x16xf32>, tensor<f32>) -> tensor<2x2x256x17x16xf32>
    %8 = stablehlo.negate %7 : tensor<2x2x256x17x16xf32>
    %scores = stablehlo.reshape %8 : (tensor<2x2x256x17x16xf32>) -> tensor<2x2x256x272xf32>
    %9 = stablehlo.broadcast_in_dim %mask, dims = [2, 3] : (tensor<256x272xi1>) -> tensor<2x2x256x272xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<2x2x256x272xf32>
    %10 = stablehlo.select %9, %scores, %c-1.0e30 : tensor<2x2x256x272xi1>, tensor<2x2x256x272xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %c-inf) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x256x272xf32>, tensor<f32>) -> tensor<2x2x256xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x2x256xf32>) -> tensor<2x2x256x272xf32>
    %13 = stablehlo.subtract %10, %12 : tensor<2x2x256x272xf32>
    %probs = stablehlo.exponential %13 : tensor<2x2x256x272xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x256x272xf32>, tensor<f32>) -> tensor<2x2x256xf32>
    %14 = stablehlo.broadcast_in_dim %probs, dims = [0, 1, 2, 4] : (tensor<2x2x256x272xf32>) -> tensor<2x2x256x1x272x16xf32>
    %15 = stablehlo.broadcast_in_dim %values, dims = [0, 3, 4, 5] : (tensor<2x1x272x16xui16>) -> tensor<2x2x256x1x272x16xui16>
    %c32768_1 = stablehlo.constant dense<32768> : tensor<2x2x256x1x272x16xui16>
    %16 = stablehlo.xor %15, %c32768_1 : tensor<2x2x256x1x272x16xui16>
    %17 = stablehlo.bitcast_convert %16 : (tensor<2x2x256x1x272x16xui16>) -> tensor<2x2x256x1x272x16xf16>
    %18 = stablehlo.convert %17 : (tensor<2x2x256x1x272x16xf16>) -> tensor<2x2x256x1x272x16xf32>
    %19 = stablehlo.multiply %14, %18 : tensor<2x2x256x1x272x16xf32>
    %20 = stablehlo.reduce(%19 init: %c0.0) applies stablehlo.add across dimensions = [4] : (tensor<2x2x256x1x272x16xf32>, tensor<f32>) -> tensor<2x2x256x1x16xf32>
    %21 = stablehlo.negate %20 : tensor<2x2x256x1x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x2x256x1x16xf32>) -> tensor<2x2x256x16xf32>
    %23 = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x2x256xf32>) -> tensor<2x2x256x16xf32>
    %24 = stablehlo.divide %22, %23 : tensor<2x2x256x16xf32>
    return %24 : tensor<2x2x256x16xf32>
  }

  func.func private @prefill_c256.linear_2(
      %x: tensor<256x64xf32>,
      %weight: tensor<3x64x16xui16>
  ) -> tensor<256x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<256x64xf32>) -> tensor<256x3x64x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x64x16xui16>) -> tensor<256x3x64x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<256x3x64x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<256x3x64x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<256x3x64x16xui16>) -> tensor<256x3x64x16xf16>
    %4 = stablehlo.convert %3 : (tensor<256x3x64x16xf16>) -> tensor<256x3x64x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<256x3x64x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<256x3x64x16xf32>, tensor<f32>) -> tensor<256x3x16xf32>
    %7 = stablehlo.negate %6 : tensor<256x3x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<256x3x16xf32>) -> tensor<256x48xf32>
    return %8 : tensor<256x48xf32>
  }

  func.func private @prefill_c256.linear_3(
      %x: tensor<256x48xf32>,
      %weight: tensor<10x48x16xui16>
  ) -> tensor<256x160xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<256x48xf32>) -> tensor<256x10x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<10x48x16xui16>) -> tensor<256x10x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<256x10x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<256x10x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<256x10x48x16xui16>) -> tensor<256x10x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<256x10x48x16xf16>) -> tensor<256x10x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<256x10x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<256x10x48x16xf32>, tensor<f32>) -> tensor<256x10x16xf32>
    %7 = stablehlo.negate %6 : tensor<256x10x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<256x10x16xf32>) -> tensor<256x160xf32>
    return %8 : tensor<256x160xf32>
  }

  func.func private @prefill_c256.linear_4(
      %x: tensor<256x80xf32>,
      %weight: tensor<3x80x16xui16>
  ) -> tensor<256x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<256x80xf32>) -> tensor<256x3x80x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x80x16xui16>) -> tensor<256x3x80x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<256x3x80x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<256x3x80x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<256x3x80x16xui16>) -> tensor<256x3x80x16xf16>
    %4 = stablehlo.convert %3 : (tensor<256x3x80x16xf16>) -> tensor<256x3x80x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<256x3x80x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<256x3x80x16xf32>, tensor<f32>) -> tensor<256x3x16xf32>
    %7 = stablehlo.negate %6 : tensor<256x3x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<256x3x16xf32>) -> tensor<256x48xf32>
    return %8 : tensor<256x48xf32>
  }

  func.func private @prefill_c256.rms_norm_2(%x: tensor<48xf32>, %weight: tensor<48xf32>) -> tensor<48xf32> {
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

  func.func private @prefill_c256.linear_5(
      %x: tensor<48xf32>,
      %weight: tensor<7x48x16xui16>
  ) -> tensor<100xf32> {
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
