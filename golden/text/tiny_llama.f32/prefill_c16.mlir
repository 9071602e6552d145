module @prefill_c16 attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @prefill_c16(
      %model.embed_tokens.weight: tensor<7x48x16xf32>,
      %model.layers.0.input_layernorm.weight: tensor<48xf32>,
      %model.layers.0.qkv.weight: tensor<8x48x16xf32>,
      %model.layers.0.self_attn.q_proj.bias: tensor<64xf32>,
      %model.layers.0.self_attn.k_proj.bias: tensor<32xf32>,
      %model.layers.0.self_attn.v_proj.bias: tensor<32xf32>,
      %model.layers.0.self_attn.o_proj.weight: tensor<3x64x16xf32>,
      %model.layers.0.self_attn.o_proj.bias: tensor<48xf32>,
      %model.layers.0.post_attention_layernorm.weight: tensor<48xf32>,
      %model.layers.0.gate_up.weight: tensor<10x48x16xf32>,
      %model.layers.0.mlp.gate_proj.bias: tensor<80xf32>,
      %model.layers.0.mlp.up_proj.bias: tensor<80xf32>,
      %model.layers.0.mlp.down_proj.weight: tensor<3x80x16xf32>,
      %model.layers.0.mlp.down_proj.bias: tensor<48xf32>,
      %model.layers.1.input_layernorm.weight: tensor<48xf32>,
      %model.layers.1.qkv.weight: tensor<8x48x16xf32>,
      %model.layers.1.self_attn.q_proj.bias: tensor<64xf32>,
      %model.layers.1.self_attn.k_proj.bias: tensor<32xf32>,
      %model.layers.1.self_attn.v_proj.bias: tensor<32xf32>,
      %model.layers.1.self_attn.o_proj.weight: tensor<3x64x16xf32>,
      %model.layers.1.self_attn.o_proj.bias: tensor<48xf32>,
      %model.layers.1.post_attention_layernorm.weight: tensor<48xf32>,
      %model.layers.1.gate_up.weight: tensor<10x48x16xf32>,
      %model.layers.1.mlp.gate_proj.bias: tensor<80xf32>,
      %model.layers.1.mlp.up_proj.bias: tensor<80xf32>,
      %model.layers.1.mlp.down_proj.weight: tensor<3x80x16xf32>,
      %model.layers.1.mlp.down_proj.bias: tensor<48xf32>,
      %model.norm.weight: tensor<48xf32>,
      %lm_head.weight: tensor<7x48x16xf32>,
      %layer0.key: tensor<9x2x17x16x16xf32> {iree.abi.output = 2 : index},
      %layer0.value: tensor<9x2x1x272x16xf32> {iree.abi.output = 3 : index},
      %layer1.key: tensor<9x2x17x16x16xf32> {iree.abi.output = 4 : index},
      %layer1.value: tensor<9x2x1x272x16xf32> {iree.abi.output = 5 : index},
      %slot: tensor<i32>,
      %token: tensor<16xi32>,
      %position: tensor<i32>,
      %valid: tensor<i32>,
      %cos: tensor<16x8xf32>,
      %sin: tensor<16x8xf32>
  ) -> (tensor<i32>, tensor<100xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>) {
    %c16 = stablehlo.constant dense<16> : tensor<16xi32>
    %0 = stablehlo.divide %token, %c16 : tensor<16xi32>
    %1 = stablehlo.remainder %token, %c16 : tensor<16xi32>
    %2 = stablehlo.reshape %0 : (tensor<16xi32>) -> tensor<16x1xi32>
    %3 = stablehlo.reshape %1 : (tensor<16xi32>) -> tensor<16x1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x2xi32>
    %5 = "stablehlo.gather"(%model.embed_tokens.weight, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 48, 1>}> : (tensor<7x48x16xf32>, tensor<16x2xi32>) -> tensor<16x48xf32>
    %6 = stablehlo.iota dim = 0 : tensor<16xi32>
    %7 = stablehlo.broadcast_in_dim %valid, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %8 = stablehlo.compare LT, %6, %7, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<16xi1>) -> tensor<16x48xi1>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<16x48xf32>
    %x = stablehlo.select %9, %5, %c0.0 : tensor<16x48xi1>, tensor<16x48xf32>
    %10 = stablehlo.iota dim = 0 : tensor<16xi32>
    %11 = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %12 = stablehlo.add %10, %11 : tensor<16xi32>
    %13 = stablehlo.iota dim = 1 : tensor<16x272xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<16xi32>) -> tensor<16x272xi32>
    %mask = stablehlo.compare LE, %13, %14, SIGNED : (tensor<16x272xi32>, tensor<16x272xi32>) -> tensor<16x272xi1>
    %x_1, %key, %value = func.call @prefill_c16.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.q_proj.bias, %model.layers.0.self_attn.k_proj.bias, %model.layers.0.self_attn.v_proj.bias, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.self_attn.o_proj.bias, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.gate_proj.bias, %model.layers.0.mlp.up_proj.bias, %model.layers.0.mlp.down_proj.weight, %model.layers.0.mlp.down_proj.bias, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x48xf32>, tensor<48xf32>, tensor<8x48x16xf32>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xf32>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xf32>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xf32>, tensor<48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<i32>, tensor<i32>, tensor<16x272xi1>, tensor<16x8xf32>, tensor<16x8xf32>) -> (tensor<16x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>)
    %x_2, %key_1, %value_1 = func.call @prefill_c16.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.q_proj.bias, %model.layers.1.self_attn.k_proj.bias, %model.layers.1.self_attn.v_proj.bias, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.self_attn.o_proj.bias, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.gate_proj.bias, %model.layers.1.mlp.up_proj.bias, %model.layers.1.mlp.down_proj.weight, %model.layers.1.mlp.down_proj.bias, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x48xf32>, tensor<48xf32>, tensor<8x48x16xf32>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xf32>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xf32>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xf32>, tensor<48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<i32>, tensor<i32>, tensor<16x272xi1>, tensor<16x8xf32>, tensor<16x8xf32>) -> (tensor<16x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>)
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.subtract %valid, %c1 : tensor<i32>
    %16 = stablehlo.reshape %15 : (tensor<i32>) -> tensor<1xi32>
    %17 = "stablehlo.gather"(%x_2, %16) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 48>}> : (tensor<16x48xf32>, tensor<1xi32>) -> tensor<48xf32>
    %normed = stablehlo.composite "mlxc.rms_norm" %17, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c16.rms_norm_2} : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %lm_head.weight {decomposition = @prefill_c16.linear_5} : (tensor<48xf32>, tensor<7x48x16xf32>) -> tensor<100xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %20 = stablehlo.compare EQ, %logits, %19, FLOAT : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xi1>
    %21 = stablehlo.iota dim = 0 : tensor<100xi32>
    %c100 = stablehlo.constant dense<100> : tensor<100xi32>
    %22 = stablehlo.select %20, %21, %c100 : tensor<100xi1>, tensor<100xi32>
    %c100_1 = stablehlo.constant dense<100> : tensor<i32>
    %next = stablehlo.reduce(%22 init: %c100_1) applies stablehlo.minimum across dimensions = [0] : (tensor<100xi32>, tensor<i32>) -> tensor<i32>
    return %next, %logits, %key, %value, %key_1, %value_1 : tensor<i32>, tensor<100xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>
  }

  func.func private @prefill_c16.layer(
      %x: tensor<16x48xf32>,
      %input_layernorm.weight: tensor<48xf32>,
      %qkv.weight: tensor<8x48x16xf32>,
      %self_attn.q_proj.bias: tensor<64xf32>,
      %self_attn.k_proj.bias: tensor<32xf32>,
      %self_attn.v_proj.bias: tensor<32xf32>,
      %self_attn.o_proj.weight: tensor<3x64x16xf32>,
      %self_attn.o_proj.bias: tensor<48xf32>,
      %post_attention_layernorm.weight: tensor<48xf32>,
      %gate_up.weight: tensor<10x48x16xf32>,
      %mlp.gate_proj.bias: tensor<80xf32>,
      %mlp.up_proj.bias: tensor<80xf32>,
      %mlp.down_proj.weight: tensor<3x80x16xf32>,
      %mlp.down_proj.bias: tensor<48xf32>,
      %key: tensor<9x2x17x16x16xf32>,
      %value: tensor<9x2x1x272x16xf32>,
      %slot: tensor<i32>,
      %position: tensor<i32>,
      %mask: tensor<16x272xi1>,
      %cos: tensor<16x8xf32>,
      %sin: tensor<16x8xf32>
  ) -> (tensor<16x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c16.rms_norm} : (tensor<16x48xf32>, tensor<48xf32>) -> tensor<16x48xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @prefill_c16.linear} : (tensor<16x48xf32>, tensor<8x48x16xf32>) -> tensor<16x128xf32>
    %1 = stablehlo.slice %0 [0:16, 0:64] : (tensor<16x128xf32>) -> tensor<16x64xf32>
    %2 = stablehlo.slice %0 [0:16, 64:96] : (tensor<16x128xf32>) -> tensor<16x32xf32>
    %3 = stablehlo.slice %0 [0:16, 96:128] : (tensor<16x128xf32>) -> tensor<16x32xf32>
    %4 = stablehlo.broadcast_in_dim %self_attn.q_proj.bias, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %5 = stablehlo.add %1, %4 : tensor<16x64xf32>
    %6 = stablehlo.broadcast_in_dim %self_attn.k_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %7 = stablehlo.add %2, %6 : tensor<16x32xf32>
    %8 = stablehlo.broadcast_in_dim %self_attn.v_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %9 = stablehlo.add %3, %8 : tensor<16x32xf32>
    %10 = stablehlo.reshape %5 : (tensor<16x64xf32>) -> tensor<16x4x16xf32>
    %q = stablehlo.composite "mlxc.rope" %10, %cos, %sin {decomposition = @prefill_c16.rope} : (tensor<16x4x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x4x16xf32>
    %11 = stablehlo.reshape %7 : (tensor<16x32xf32>) -> tensor<16x2x16xf32>
    %k = stablehlo.composite "mlxc.rope" %11, %cos, %sin {decomposition = @prefill_c16.rope_2} : (tensor<16x2x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x2x16xf32>
    %v = stablehlo.reshape %9 : (tensor<16x32xf32>) -> tensor<16x2x16xf32>
    %12 = stablehlo.reshape %q : (tensor<16x4x16xf32>) -> tensor<16x2x2x16xf32>
    %13 = stablehlo.transpose %12, dims = [1, 2, 0, 3] : (tensor<16x2x2x16xf32>) -> tensor<2x2x16x16xf32>
    %14 = stablehlo.transpose %k, dims = [1, 0, 2] : (tensor<16x2x16xf32>) -> tensor<2x16x16xf32>
    %15 = stablehlo.transpose %v, dims = [1, 0, 2] : (tensor<16x2x16xf32>) -> tensor<2x16x16xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %16 = stablehlo.divide %position, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.reshape %14 : (tensor<2x16x16xf32>) -> tensor<2x1x16x16xf32>
    %18 = stablehlo.transpose %17, dims = [0, 1, 3, 2] : (tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x1x16x16xf32>) -> tensor<1x2x1x16x16xf32>
    %new_key = stablehlo.dynamic_update_slice %key, %19, %slot, %c0, %16, %c0, %c0 : (tensor<9x2x17x16x16xf32>, tensor<1x2x1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xf32>
    %20 = stablehlo.reshape %15 : (tensor<2x16x16xf32>) -> tensor<2x16x1x16xf32>
    %21 = stablehlo.transpose %20, dims = [0, 2, 1, 3] : (tensor<2x16x1x16xf32>) -> tensor<2x1x16x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x1x16x16xf32>) -> tensor<1x2x1x16x16xf32>
    %new_value = stablehlo.dynamic_update_slice %value, %22, %slot, %c0, %c0, %position, %c0 : (tensor<9x2x1x272x16xf32>, tensor<1x2x1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xf32>
    %23 = stablehlo.dynamic_slice %new_key, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xf32>
    %keys = stablehlo.reshape %23 : (tensor<1x2x17x16x16xf32>) -> tensor<2x17x16x16xf32>
    %24 = stablehlo.dynamic_slice %new_value, %slot, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xf32>
    %values = stablehlo.reshape %24 : (tensor<1x2x1x272x16xf32>) -> tensor<2x1x272x16xf32>
    %25 = stablehlo.composite "mlxc.attention" %13, %keys, %values, %mask {composite_attributes = {scale = 0.25 : f64}, decomposition = @prefill_c16.attention} : (tensor<2x2x16x16xf32>, tensor<2x17x16x16xf32>, tensor<2x1x272x16xf32>, tensor<16x272xi1>) -> tensor<2x2x16x16xf32>
    %26 = stablehlo.transpose %25, dims = [2, 0, 1, 3] : (tensor<2x2x16x16xf32>) -> tensor<16x2x2x16xf32>
    %attended = stablehlo.reshape %26 : (tensor<16x2x2x16xf32>) -> tensor<16x64xf32>
    %27 = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @prefill_c16.linear_2} : (tensor<16x64xf32>, tensor<3x64x16xf32>) -> tensor<16x48xf32>
    %28 = stablehlo.broadcast_in_dim %self_attn.o_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<16x48xf32>
    %attention = stablehlo.add %27, %28 : tensor<16x48xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<16x48xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c16.rms_norm} : (tensor<16x48xf32>, tensor<48xf32>) -> tensor<16x48xf32>
    %29 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @prefill_c16.linear_3} : (tensor<16x48xf32>, tensor<10x48x16xf32>) -> tensor<16x160xf32>
    %30 = stablehlo.slice %29 [0:16, 0:80] : (tensor<16x160xf32>) -> tensor<16x80xf32>
    %31 = stablehlo.slice %29 [0:16, 80:160] : (tensor<16x160xf32>) -> tensor<16x80xf32>
    %32 = stablehlo.broadcast_in_dim %mlp.gate_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<16x80xf32>
    %gate = stablehlo.add %30, %32 : tensor<16x80xf32>
    %33 = stablehlo.broadcast_in_dim %mlp.up_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<16x80xf32>
    %up = stablehlo.add %31, %33 : tensor<16x80xf32>
    %34 = stablehlo.logistic %gate : tensor<16x80xf32>
    %35 = stablehlo.multiply %gate, %34 : tensor<16x80xf32>
    %hidden = stablehlo.multiply %35, %up : tensor<16x80xf32>
    %36 = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @prefill_c16.linear_4} : (tensor<16x80xf32>, tensor<3x80x16xf32>) -> tensor<16x48xf32>
    %37 = stablehlo.broadcast_in_dim %mlp.down_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<16x48xf32>
    %mlp = stablehlo.add %36, %37 : tensor<16x48xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<16x48xf32>
    return %x_2, %new_key, %new_value : tensor<16x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>
  }

  func.func private @prefill_c16.rms_norm(%x: tensor<16x48xf32>, %weight: tensor<48xf32>) -> tensor<16x48xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<16x48xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<16x48xf32>, tensor<f32>) -> tensor<16xf32>
    %c48.0 = stablehlo.constant dense<48.0> : tensor<16xf32>
    %mean = stablehlo.divide %1, %c48.0 : tensor<16xf32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<16xf32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<16xf32>
    %scale = stablehlo.rsqrt %2 : tensor<16xf32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<16xf32>) -> tensor<16x48xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<16x48xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<48xf32>) -> tensor<16x48xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<16x48xf32>
    return %6 : tensor<16x48xf32>
  }

  func.func private @prefill_c16.linear(
      %x: tensor<16x48xf32>,
      %weight: tensor<8x48x16xf32>
  ) -> tensor<16x128xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x48xf32>) -> tensor<16x8x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<8x48x16xf32>) -> tensor<16x8x48x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<16x8x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x8x48x16xf32>, tensor<f32>) -> tensor<16x8x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<16x8x16xf32>) -> tensor<16x128xf32>
    return %4 : tensor<16x128xf32>
  }

  func.func private @prefill_c16.rope(
      %x: tensor<16x4x16xf32>,
      %cos: tensor<16x8xf32>,
      %sin: tensor<16x8xf32>
  ) -> tensor<16x4x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<16x4x16xf32>) -> tensor<16x4x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<16x4x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<16x4x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x4x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<16x4x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<16x4x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<16x4x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<16x4x2x8xf32>) -> tensor<16x4x16xf32>
    return %9 : tensor<16x4x16xf32>
  }

  func.func private @prefill_c16.rope_2(
      %x: tensor<16x2x16xf32>,
      %cos: tensor<16x8xf32>,
      %sin: tensor<16x8xf32>
  ) -> tensor<16x2x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<16x2x16xf32>) -> tensor<16x2x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<16x2x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x2x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<16x2x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x2x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x2x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<16x2x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<16x2x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<16x2x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<16x2x2x8xf32>) -> tensor<16x2x16xf32>
    return %9 : tensor<16x2x16xf32>
  }

  func.func private @prefill_c16.attention(
      %query: tensor<2x2x16x16xf32>,
      %keys: tensor<2x17x16x16xf32>,
      %values: tensor<2x1x272x16xf32>,
      %mask: tensor<16x272xi1>
  ) -> tensor<2x2x16x16xf32> {
    %c0.25 = stablehlo.constant dense<0.25> : tensor<2x2x16x16xf32>
    %0 = stablehlo.multiply %query, %c0.25 : tensor<2x2x16x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 4] : (tensor<2x2x16x16xf32>) -> tensor<2x2x16x17x16x16xf32>
    %2 = stablehlo.broadcast_in_dim %keys, dims = [0, 3, 4, 5] : (tensor<2x17x16x16xf32>) -> tensor<2x2x16x17x16x16xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x16x17x16x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %c0.0) applies stablehlo.add across dimensions = [4] : (tensor<2x2x16x17x16x16xf32>, tensor<f32>) -> tensor<2x2x16x17x16xf32>
    %scores = stablehlo.reshape %4 : (tensor<2x2x16x17x16xf32>) -> tensor<2x2x16x272xf32>
    %5 = stablehlo.broadcast_in_dim %mask, dims = [2, 3] : (tensor<16x272xi1>) -> tensor<2x2x16x272xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<2x2x16x272xf32>
    %6 = stablehlo.select %5, %scores, %c-1.0e30 : tensor<2x2x16x272xi1>, tensor<2x2x16x272xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %c-inf) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x16x272xf32>, tensor<f32>) -> tensor<2x2x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x2x16xf32>) -> tensor<2x2x16x272xf32>
    %9 = stablehlo.subtract %6, %8 : tensor<2x2x16x272xf32>
    %probs = stablehlo.exponential %9 : tensor<2x2x16x272xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x16x272xf32>, tensor<f32>) -> tensor<2x2x16xf32>
    %10 = stablehlo.broadcast_in_dim %probs, dims = [0, 1, 2, 4] : (tensor<2x2x16x272xf32>) -> tensor<2x2x16x1x272x16xf32>
    %11 = stablehlo.broadcast_in_dim %values, dims = [0, 3, 4, 5] : (tensor<2x1x272x16xf32>) -> tensor<2x2x16x1x272x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<2x2x16x1x272x16xf32>
    %13 = stablehlo.reduce(%12 init: %c0.0) applies stablehlo.add across dimensions = [4] : (tensor<2x2x16x1x272x16xf32>, tensor<f32>) -> tensor<2x2x16x1x16xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x2x16x1x16xf32>) -> tensor<2x2x16x16xf32>
    %15 = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x2x16xf32>) -> tensor<2x2x16x16xf32>
    %16 = stablehlo.divide %14, %15 : tensor<2x2x16x16xf32>
    return %16 : tensor<2x2x16x16xf32>
  }

  func.func private @prefill_c16.linear_2(
      %x: tensor<16x64xf32>,
      %weight: tensor<3x64x16xf32>
  ) -> tensor<16x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x64xf32>) -> tensor<16x3x64x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x64x16xf32>) -> tensor<16x3x64x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<16x3x64x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x3x64x16xf32>, tensor<f32>) -> tensor<16x3x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<16x3x16xf32>) -> tensor<16x48xf32>
    return %4 : tensor<16x48xf32>
  }

  func.func private @prefill_c16.linear_3(
      %x: tensor<16x48xf32>,
      %weight: tensor<10x48x16xf32>
  ) -> tensor<16x160xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x48xf32>) -> tensor<16x10x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<10x48x16xf32>) -> tensor<16x10x48x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<16x10x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x10x48x16xf32>, tensor<f32>) -> tensor<16x10x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<16x10x16xf32>) -> tensor<16x160xf32>
    return %4 : tensor<16x160xf32>
  }

  func.func private @prefill_c16.linear_4(
      %x: tensor<16x80xf32>,
      %weight: tensor<3x80x16xf32>
  ) -> tensor<16x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x80xf32>) -> tensor<16x3x80x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x80x16xf32>) -> tensor<16x3x80x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<16x3x80x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x3x80x16xf32>, tensor<f32>) -> tensor<16x3x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<16x3x16xf32>) -> tensor<16x48xf32>
    return %4 : tensor<16x48xf32>
  }

  func.func private @prefill_c16.rms_norm_2(%x: tensor<48xf32>, %weight: tensor<48xf32>) -> tensor<48xf32> {
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

  func.func private @prefill_c16.linear_5(%x: tensor<48xf32>, %weight: tensor<7x48x16xf32>) -> tensor<100xf32> {
    %0 = stablehlo.reshape %x : (tensor<48xf32>) -> tensor<24x2xf32>
    %1 = stablehlo.slice %0 [0:24, 0:1] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<24x1xf32>) -> tensor<24xf32>
    %3 = stablehlo.slice %0 [0:24, 1:2] : (tensor<24x2xf32>) -> tensor<24x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<24x1xf32>) -> tensor<24xf32>
    %5 = stablehlo.reshape %weight : (tensor<7x48x16xf32>) -> tensor<7x24x2x16xf32>
    %6 = stablehlo.slice %5 [0:7, 0:24, 0:1, 0:16] : (tensor<7x24x2x16xf32>) -> tensor<7x24x1x16xf32>
    %7 = stablehlo.reshape %6 : (tensor<7x24x1x16xf32>) -> tensor<7x24x16xf32>
    %8 = stablehlo.slice %5 [0:7, 0:24, 1:2, 0:16] : (tensor<7x24x2x16xf32>) -> tensor<7x24x1x16xf32>
    %9 = stablehlo.reshape %8 : (tensor<7x24x1x16xf32>) -> tensor<7x24x16xf32>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<24xf32>) -> tensor<7x24x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<7x24x16xf32>) -> tensor<7x24x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<7x24x16xf32>
    %13 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<24xf32>) -> tensor<7x24x16xf32>
    %14 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<7x24x16xf32>) -> tensor<7x24x16xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<7x24x16xf32>
    %16 = stablehlo.add %12, %15 : tensor<7x24x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<7x24x16xf32>, tensor<f32>) -> tensor<7x16xf32>
    %18 = stablehlo.reshape %17 : (tensor<7x16xf32>) -> tensor<112xf32>
    %19 = stablehlo.slice %18 [0:100] : (tensor<112xf32>) -> tensor<100xf32>
    return %19 : tensor<100xf32>
  }
}
