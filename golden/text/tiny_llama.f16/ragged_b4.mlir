module @ragged_b4 attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @ragged_b4(
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
      %slot: tensor<4xi32>,
      %token: tensor<4xi32>,
      %position: tensor<4xi32>,
      %cos: tensor<4x8xf32>,
      %sin: tensor<4x8xf32>
  ) -> (tensor<4xi32>, tensor<4x100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %c16 = stablehlo.constant dense<16> : tensor<4xi32>
    %0 = stablehlo.divide %token, %c16 : tensor<4xi32>
    %1 = stablehlo.remainder %token, %c16 : tensor<4xi32>
    %2 = stablehlo.reshape %0 : (tensor<4xi32>) -> tensor<4x1xi32>
    %3 = stablehlo.reshape %1 : (tensor<4xi32>) -> tensor<4x1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %5 = "stablehlo.gather"(%model.embed_tokens.weight, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 48, 1>}> : (tensor<7x48x16xui16>, tensor<4x2xi32>) -> tensor<4x48xui16>
    %6 = stablehlo.bitcast_convert %5 : (tensor<4x48xui16>) -> tensor<4x48xf16>
    %x = stablehlo.convert %6 : (tensor<4x48xf16>) -> tensor<4x48xf32>
    %7 = stablehlo.iota dim = 1 : tensor<4x272xi32>
    %8 = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<4xi32>) -> tensor<4x272xi32>
    %mask = stablehlo.compare LE, %7, %8, SIGNED : (tensor<4x272xi32>, tensor<4x272xi32>) -> tensor<4x272xi1>
    %x_1, %key, %value = func.call @ragged_b4.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.q_proj.bias, %model.layers.0.self_attn.k_proj.bias, %model.layers.0.self_attn.v_proj.bias, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.self_attn.o_proj.bias, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.gate_proj.bias, %model.layers.0.mlp.up_proj.bias, %model.layers.0.mlp.down_proj.weight, %model.layers.0.mlp.down_proj.bias, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<4x48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<4xi32>, tensor<4xi32>, tensor<4x272xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %x_2, %key_1, %value_1 = func.call @ragged_b4.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.q_proj.bias, %model.layers.1.self_attn.k_proj.bias, %model.layers.1.self_attn.v_proj.bias, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.self_attn.o_proj.bias, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.gate_proj.bias, %model.layers.1.mlp.up_proj.bias, %model.layers.1.mlp.down_proj.weight, %model.layers.1.mlp.down_proj.bias, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<4x48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<4xi32>, tensor<4xi32>, tensor<4x272xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_2, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b4.rms_norm} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %lm_head.weight {decomposition = @ragged_b4.linear_5} : (tensor<4x48xf32>, tensor<7x48x16xui16>) -> tensor<4x100xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x100xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x100xf32>
    %11 = stablehlo.compare EQ, %logits, %10, FLOAT : (tensor<4x100xf32>, tensor<4x100xf32>) -> tensor<4x100xi1>
    %12 = stablehlo.iota dim = 1 : tensor<4x100xi32>
    %c100 = stablehlo.constant dense<100> : tensor<4x100xi32>
    %13 = stablehlo.select %11, %12, %c100 : tensor<4x100xi1>, tensor<4x100xi32>
    %c100_1 = stablehlo.constant dense<100> : tensor<i32>
    %next = stablehlo.reduce(%13 init: %c100_1) applies stablehlo.minimum across dimensions = [1] : (tensor<4x100xi32>, tensor<i32>) -> tensor<4xi32>
    return %next, %logits, %key, %value, %key_1, %value_1 : tensor<4xi32>, tensor<4x100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @ragged_b4.layer(
      %x: tensor<4x48xf32>,
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
      %slot: tensor<4xi32>,
      %position: tensor<4xi32>,
      %mask: tensor<4x272xi1>,
      %cos: tensor<4x8xf32>,
      %sin: tensor<4x8xf32>
  ) -> (tensor<4x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b4.rms_norm} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @ragged_b4.linear} : (tensor<4x48xf32>, tensor<8x48x16xui16>) -> tensor<4x128xf32>
    %1 = stablehlo.slice %0 [0:4, 0:64] : (tensor<4x128xf32>) -> tensor<4x64xf32>
    %2 = stablehlo.slice %0 [0:4, 64:96] : (tensor<4x128xf32>) -> tensor<4x32xf32>
    %3 = stablehlo.slice %0 [0:4, 96:128] : (tensor<4x128xf32>) -> tensor<4x32xf32>
    %4 = stablehlo.broadcast_in_dim %self_attn.q_proj.bias, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
    %5 = stablehlo.add %1, %4 : tensor<4x64xf32>
    %6 = stablehlo.broadcast_in_dim %self_attn.k_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<4x32xf32>
    %7 = stablehlo.add %2, %6 : tensor<4x32xf32>
    %8 = stablehlo.broadcast_in_dim %self_attn.v_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<4x32xf32>
    %9 = stablehlo.add %3, %8 : tensor<4x32xf32>
    %10 = stablehlo.reshape %5 : (tensor<4x64xf32>) -> tensor<4x4x16xf32>
    %q = stablehlo.composite "mlxc.rope" %10, %cos, %sin {decomposition = @ragged_b4.rope} : (tensor<4x4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4x16xf32>
    %11 = stablehlo.reshape %7 : (tensor<4x32xf32>) -> tensor<4x2x16xf32>
    %k = stablehlo.composite "mlxc.rope" %11, %cos, %sin {decomposition = @ragged_b4.rope_2} : (tensor<4x2x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x2x16xf32>
    %v = stablehlo.reshape %9 : (tensor<4x32xf32>) -> tensor<4x2x16xf32>
    %12 = stablehlo.slice %q [0:1, 0:4, 0:16] : (tensor<4x4x16xf32>) -> tensor<1x4x16xf32>
    %13 = stablehlo.reshape %12 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %14 = stablehlo.slice %k [0:1, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %16 = stablehlo.slice %v [0:1, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %18 = stablehlo.slice %slot [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %19 = stablehlo.reshape %18 : (tensor<1xi32>) -> tensor<i32>
    %20 = stablehlo.slice %position [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %21 = stablehlo.reshape %20 : (tensor<1xi32>) -> tensor<i32>
    %22 = stablehlo.slice %mask [0:1, 0:272] : (tensor<4x272xi1>) -> tensor<1x272xi1>
    %23 = stablehlo.reshape %22 : (tensor<1x272xi1>) -> tensor<272xi1>
    %24 = stablehlo.slice %q [1:2, 0:4, 0:16] : (tensor<4x4x16xf32>) -> tensor<1x4x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %26 = stablehlo.slice %k [1:2, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %28 = stablehlo.slice %v [1:2, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %30 = stablehlo.slice %slot [1:2] : (tensor<4xi32>) -> tensor<1xi32>
    %31 = stablehlo.reshape %30 : (tensor<1xi32>) -> tensor<i32>
    %32 = stablehlo.slice %position [1:2] : (tensor<4xi32>) -> tensor<1xi32>
    %33 = stablehlo.reshape %32 : (tensor<1xi32>) -> tensor<i32>
    %34 = stablehlo.slice %mask [1:2, 0:272] : (tensor<4x272xi1>) -> tensor<1x272xi1>
    %35 = stablehlo.reshape %34 : (tensor<1x272xi1>) -> tensor<272xi1>
    %36 = stablehlo.slice %q [2:3, 0:4, 0:16] : (tensor<4x4x16xf32>) -> tensor<1x4x16xf32>
    %37 = stablehlo.reshape %36 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %38 = stablehlo.slice %k [2:3, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %40 = stablehlo.slice %v [2:3, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %42 = stablehlo.slice %slot [2:3] : (tensor<4xi32>) -> tensor<1xi32>
    %43 = stablehlo.reshape %42 : (tensor<1xi32>) -> tensor<i32>
    %44 = stablehlo.slice %position [2:3] : (tensor<4xi32>) -> tensor<1xi32>
    %45 = stablehlo.reshape %44 : (tensor<1xi32>) -> tensor<i32>
    %46 = stablehlo.slice %mask [2:3, 0:272] : (tensor<4x272xi1>) -> tensor<1x272xi1>
    %47 = stablehlo.reshape %46 : (tensor<1x272xi1>) -> tensor<272xi1>
    %48 = stablehlo.slice %q [3:4, 0:4, 0:16] : (tensor<4x4x16xf32>) -> tensor<1x4x16xf32>
    %49 = stablehlo.reshape %48 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %50 = stablehlo.slice %k [3:4, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %52 = stablehlo.slice %v [3:4, 0:2, 0:16] : (tensor<4x2x16xf32>) -> tensor<1x2x16xf32>
    %53 = stablehlo.reshape %52 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %54 = stablehlo.slice %slot [3:4] : (tensor<4xi32>) -> tensor<1xi32>
    %55 = stablehlo.reshape %54 : (tensor<1xi32>) -> tensor<i32>
    %56 = stablehlo.slice %position [3:4] : (tensor<4xi32>) -> tensor<1xi32>
    %57 = stablehlo.reshape %56 : (tensor<1xi32>) -> tensor<i32>
    %58 = stablehlo.slice %mask [3:4, 0:272] : (tensor<4x272xi1>) -> tensor<1x272xi1>
    %59 = stablehlo.reshape %58 : (tensor<1x272xi1>) -> tensor<272xi1>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %60 = stablehlo.divide %21, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %61 = stablehlo.remainder %21, %c16 : tensor<i32>
    %62 = stablehlo.reshape %15 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %63 = stablehlo.convert %62 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %64 = stablehlo.bitcast_convert %63 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %64, %19, %c0, %60, %c0, %61 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %65 = stablehlo.reshape %17 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %66 = stablehlo.transpose %65, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %67 = stablehlo.reshape %66 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %68 = stablehlo.convert %67 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %69 = stablehlo.bitcast_convert %68 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %69, %19, %c0, %c0, %21, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %70 = stablehlo.divide %33, %c16 : tensor<i32>
    %71 = stablehlo.remainder %33, %c16 : tensor<i32>
    %72 = stablehlo.reshape %27 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %73 = stablehlo.convert %72 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %74 = stablehlo.bitcast_convert %73 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_1 = stablehlo.dynamic_update_slice %new_key, %74, %31, %c0, %70, %c0, %71 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %75 = stablehlo.reshape %29 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %76 = stablehlo.transpose %75, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %77 = stablehlo.reshape %76 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %78 = stablehlo.convert %77 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %79 = stablehlo.bitcast_convert %78 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_1 = stablehlo.dynamic_update_slice %new_value, %79, %31, %c0, %c0, %33, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %80 = stablehlo.divide %45, %c16 : tensor<i32>
    %81 = stablehlo.remainder %45, %c16 : tensor<i32>
    %82 = stablehlo.reshape %39 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %83 = stablehlo.convert %82 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %84 = stablehlo.bitcast_convert %83 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_2 = stablehlo.dynamic_update_slice %new_key_1, %84, %43, %c0, %80, %c0, %81 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %85 = stablehlo.reshape %41 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %86 = stablehlo.transpose %85, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %87 = stablehlo.reshape %86 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %88 = stablehlo.convert %87 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %89 = stablehlo.bitcast_convert %88 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_2 = stablehlo.dynamic_update_slice %new_value_1, %89, %43, %c0, %c0, %45, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %90 = stablehlo.divide %57, %c16 : tensor<i32>
    %91 = stablehlo.remainder %57, %c16 : tensor<i32>
    %92 = stablehlo.reshape %51 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %93 = stablehlo.convert %92 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %94 = stablehlo.bitcast_convert %93 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_3 = stablehlo.dynamic_update_slice %new_key_2, %94, %55, %c0, %90, %c0, %91 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %95 = stablehlo.reshape %53 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %96 = stablehlo.transpose %95, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %97 = stablehlo.reshape %96 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %98 = stablehlo.convert %97 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %99 = stablehlo.bitcast_convert %98 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_3 = stablehlo.dynamic_update_slice %new_value_2, %99, %55, %c0, %c0, %57, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %100 = stablehlo.dynamic_slice %new_key_3, %19, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys = stablehlo.reshape %100 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %101 = stablehlo.dynamic_slice %new_value_3, %19, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values = stablehlo.reshape %101 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %102 = stablehlo.composite "mlxc.attention" %13, %keys, %values, %23 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %103 = stablehlo.dynamic_slice %new_key_3, %31, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_1 = stablehlo.reshape %103 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %104 = stablehlo.dynamic_slice %new_value_3, %31, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_1 = stablehlo.reshape %104 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %105 = stablehlo.composite "mlxc.attention" %25, %keys_1, %values_1, %35 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %106 = stablehlo.dynamic_slice %new_key_3, %43, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_2 = stablehlo.reshape %106 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %107 = stablehlo.dynamic_slice %new_value_3, %43, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_2 = stablehlo.reshape %107 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %108 = stablehlo.composite "mlxc.attention" %37, %keys_2, %values_2, %47 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %109 = stablehlo.dynamic_slice %new_key_3, %55, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_3 = stablehlo.reshape %109 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %110 = stablehlo.dynamic_slice %new_value_3, %55, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_3 = stablehlo.reshape %110 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %111 = stablehlo.composite "mlxc.attention" %49, %keys_3, %values_3, %59 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %112 = stablehlo.reshape %102 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %113 = stablehlo.reshape %105 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %114 = stablehlo.reshape %108 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %115 = stablehlo.reshape %111 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %attended = stablehlo.concatenate %112, %113, %114, %115, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<4x64xf32>
    %116 = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @ragged_b4.linear_2} : (tensor<4x64xf32>, tensor<3x64x16xui16>) -> tensor<4x48xf32>
    %117 = stablehlo.broadcast_in_dim %self_attn.o_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<4x48xf32>
    %attention = stablehlo.add %116, %117 : tensor<4x48xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<4x48xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b4.rms_norm} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    %118 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @ragged_b4.linear_3} : (tensor<4x48xf32>, tensor<10x48x16xui16>) -> tensor<4x160xf32>
    %119 = stablehlo.slice %118 [0:4, 0:80] : (tensor<4x160xf32>) -> tensor<4x80xf32>
    %120 = stablehlo.slice %118 [0:4, 80:160] : (tensor<4x160xf32>) -> tensor<4x80xf32>
    %121 = stablehlo.broadcast_in_dim %mlp.gate_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<4x80xf32>
    %gate = stablehlo.add %119, %121 : tensor<4x80xf32>
    %122 = stablehlo.broadcast_in_dim %mlp.up_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<4x80xf32>
    %up = stablehlo.add %120, %122 : tensor<4x80xf32>
    %123 = stablehlo.logistic %gate : tensor<4x80xf32>
    %124 = stablehlo.multiply %gate, %123 : tensor<4x80xf32>
    %hidden = stablehlo.multiply %124, %up : tensor<4x80xf32>
    %125 = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @ragged_b4.linear_4} : (tensor<4x80xf32>, tensor<3x80x16xui16>) -> tensor<4x48xf32>
    %126 = stablehlo.broadcast_in_dim %mlp.down_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<4x48xf32>
    %mlp = stablehlo.add %125, %126 : tensor<4x48xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<4x48xf32>
    return %x_2, %new_key_3, %new_value_3 : tensor<4x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @ragged_b4.rms_norm(%x: tensor<4x48xf32>, %weight: tensor<48xf32>) -> tensor<4x48xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<4x48xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<4x48xf32>, tensor<f32>) -> tensor<4xf32>
    %c48.0 = stablehlo.constant dense<48.0> : tensor<4xf32>
    %mean = stablehlo.divide %1, %c48.0 : tensor<4xf32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<4xf32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<4xf32>
    %scale = stablehlo.rsqrt %2 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<4xf32>) -> tensor<4x48xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<4x48xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<48xf32>) -> tensor<4x48xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<4x48xf32>
    return %6 : tensor<4x48xf32>
  }

  func.func private @ragged_b4.linear(
      %x: tensor<4x48xf32>,
      %weight: tensor<8x48x16xui16>
  ) -> tensor<4x128xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x48xf32>) -> tensor<4x8x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<8x48x16xui16>) -> tensor<4x8x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<4x8x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<4x8x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<4x8x48x16xui16>) -> tensor<4x8x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<4x8x48x16xf16>) -> tensor<4x8x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x8x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x48x16xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %7 = stablehlo.negate %6 : tensor<4x8x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x8x16xf32>) -> tensor<4x128xf32>
    return %8 : tensor<4x128xf32>
  }

  func.func private @ragged_b4.rope(
      %x: tensor<4x4x16xf32>,
      %cos: tensor<4x8xf32>,
      %sin: tensor<4x8xf32>
  ) -> tensor<4x4x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<4x4x16xf32>) -> tensor<4x4x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<4x4x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<4x8xf32>) -> tensor<4x4x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<4x4x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<4x8xf32>) -> tensor<4x4x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x4x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<4x4x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<4x4x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<4x4x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<4x4x2x8xf32>) -> tensor<4x4x16xf32>
    return %9 : tensor<4x4x16xf32>
  }

  func.func private @ragged_b4.rope_2(
      %x: tensor<4x2x16xf32>,
      %cos: tensor<4x8xf32>,
      %sin: tensor<4x8xf32>
  ) -> tensor<4x2x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<4x2x16xf32>) -> tensor<4x2x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<4x2x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<4x8xf32>) -> tensor<4x2x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<4x2x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<4x8xf32>) -> tensor<4x2x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x2x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<4x2x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<4x2x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<4x2x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<4x2x2x8xf32>) -> tensor<4x2x16xf32>
    return %9 : tensor<4x2x16xf32>
  }

  func.func private @ragged_b4.attention(
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

  func.func private @ragged_b4.linear_2(
      %x: tensor<4x64xf32>,
      %weight: tensor<3x64x16xui16>
  ) -> tensor<4x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x64xf32>) -> tensor<4x3x64x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x64x16xui16>) -> tensor<4x3x64x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<4x3x64x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<4x3x64x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<4x3x64x16xui16>) -> tensor<4x3x64x16xf16>
    %4 = stablehlo.convert %3 : (tensor<4x3x64x16xf16>) -> tensor<4x3x64x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x3x64x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x3x64x16xf32>, tensor<f32>) -> tensor<4x3x16xf32>
    %7 = stablehlo.negate %6 : tensor<4x3x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x3x16xf32>) -> tensor<4x48xf32>
    return %8 : tensor<4x48xf32>
  }

  func.func private @ragged_b4.linear_3(
      %x: tensor<4x48xf32>,
      %weight: tensor<10x48x16xui16>
  ) -> tensor<4x160xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x48xf32>) -> tensor<4x10x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<10x48x16xui16>) -> tensor<4x10x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<4x10x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<4x10x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<4x10x48x16xui16>) -> tensor<4x10x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<4x10x48x16xf16>) -> tensor<4x10x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x10x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x10x48x16xf32>, tensor<f32>) -> tensor<4x10x16xf32>
    %7 = stablehlo.negate %6 : tensor<4x10x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x10x16xf32>) -> tensor<4x160xf32>
    return %8 : tensor<4x160xf32>
  }

  func.func private @ragged_b4.linear_4(
      %x: tensor<4x80xf32>,
      %weight: tensor<3x80x16xui16>
  ) -> tensor<4x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x80xf32>) -> tensor<4x3x80x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x80x16xui16>) -> tensor<4x3x80x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<4x3x80x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<4x3x80x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<4x3x80x16xui16>) -> tensor<4x3x80x16xf16>
    %4 = stablehlo.convert %3 : (tensor<4x3x80x16xf16>) -> tensor<4x3x80x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x3x80x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x3x80x16xf32>, tensor<f32>) -> tensor<4x3x16xf32>
    %7 = stablehlo.negate %6 : tensor<4x3x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x3x16xf32>) -> tensor<4x48xf32>
    return %8 : tensor<4x48xf32>
  }

  func.func private @ragged_b4.linear_5(
      %x: tensor<4x48xf32>,
      %weight: tensor<7x48x16xui16>
  ) -> tensor<4x100xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x48xf32>) -> tensor<4x7x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<7x48x16xui16>) -> tensor<4x7x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<4x7x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<4x7x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<4x7x48x16xui16>) -> tensor<4x7x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<4x7x48x16xf16>) -> tensor<4x7x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4x7x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x7x48x16xf32>, tensor<f32>) -> tensor<4x7x16xf32>
    %7 = stablehlo.negate %6 : tensor<4x7x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x7x16xf32>) -> tensor<4x112xf32>
    %9 = stablehlo.slice %8 [0:4, 0:100] : (tensor<4x112xf32>) -> tensor<4x100xf32>
    return %9 : tensor<4x100xf32>
  }
}
