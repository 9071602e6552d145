module @ragged_b4 attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @ragged_b4(
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
      %slot: tensor<4xi32>,
      %token: tensor<4xi32>,
      %position: tensor<4xi32>,
      %cos: tensor<4x8xf32>,
      %sin: tensor<4x8xf32>
  ) -> (tensor<4xi32>, tensor<4x100xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>) {
    %c16 = stablehlo.constant dense<16> : tensor<4xi32>
    %0 = stablehlo.divide %token, %c16 : tensor<4xi32>
    %1 = stablehlo.remainder %token, %c16 : tensor<4xi32>
    %2 = stablehlo.reshape %0 : (tensor<4xi32>) -> tensor<4x1xi32>
    %3 = stablehlo.reshape %1 : (tensor<4xi32>) -> tensor<4x1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %x = "stablehlo.gather"(%model.embed_tokens.weight, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 48, 1>}> : (tensor<7x48x16xf32>, tensor<4x2xi32>) -> tensor<4x48xf32>
    %5 = stablehlo.iota dim = 1 : tensor<4x272xi32>
    %6 = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<4xi32>) -> tensor<4x272xi32>
    %mask = stablehlo.compare LE, %5, %6, SIGNED : (tensor<4x272xi32>, tensor<4x272xi32>) -> tensor<4x272xi1>
    %x_1, %key, %value = func.call @ragged_b4.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.q_proj.bias, %model.layers.0.self_attn.k_proj.bias, %model.layers.0.self_attn.v_proj.bias, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.self_attn.o_proj.bias, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.gate_proj.bias, %model.layers.0.mlp.up_proj.bias, %model.layers.0.mlp.down_proj.weight, %model.layers.0.mlp.down_proj.bias, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<4x48xf32>, tensor<48xf32>, tensor<8x48x16xf32>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xf32>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xf32>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xf32>, tensor<48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4x272xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>)
    %x_2, %key_1, %value_1 = func.call @ragged_b4.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.q_proj.bias, %model.layers.1.self_attn.k_proj.bias, %model.layers.1.self_attn.v_proj.bias, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.self_attn.o_proj.bias, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.gate_proj.bias, %model.layers.1.mlp.up_proj.bias, %model.layers.1.mlp.down_proj.weight, %model.layers.1.mlp.down_proj.bias, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<4x48xf32>, tensor<48xf32>, tensor<8x48x16xf32>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xf32>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xf32>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xf32>, tensor<48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4x272xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_2, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b4.rms_norm} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %lm_head.weight {decomposition = @ragged_b4.linear_5} : (tensor<4x48xf32>, tensor<7x48x16xf32>) -> tensor<4x100xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x100xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x100xf32>
    %9 = stablehlo.compare EQ, %logits, %8, FLOAT : (tensor<4x100xf32>, tensor<4x100xf32>) -> tensor<4x100xi1>
    %10 = stablehlo.iota dim = 1 : tensor<4x100xi32>
    %c100 = stablehlo.constant dense<100> : tensor<4x100xi32>
    %11 = stablehlo.select %9, %10, %c100 : tensor<4x100xi1>, tensor<4x100xi32>
    %c100_1 = stablehlo.constant dense<100> : tensor<i32>
    %next = stablehlo.reduce(%11 init: %c100_1) applies stablehlo.minimum across dimensions = [1] : (tensor<4x100xi32>, tensor<i32>) -> tensor<4xi32>
    return %next, %logits, %key, %value, %key_1, %value_1 : tensor<4xi32>, tensor<4x100xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>
  }

  func.func private @ragged_b4.layer(
      %x: tensor<4x48xf32>,
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
      %slot: tensor<4xi32>,
      %position: tensor<4xi32>,
      %mask: tensor<4x272xi1>,
      %cos: tensor<4x8xf32>,
      %sin: tensor<4x8xf32>
  ) -> (tensor<4x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b4.rms_norm} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @ragged_b4.linear} : (tensor<4x48xf32>, tensor<8x48x16xf32>) -> tensor<4x128xf32>
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
    %new_key = stablehlo.dynamic_update_slice %key, %62, %19, %c0, %60, %c0, %61 : (tensor<9x2x17x16x16xf32>, tensor<1x2x1x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xf32>
    %63 = stablehlo.reshape %17 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %64 = stablehlo.transpose %63, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %65 = stablehlo.reshape %64 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %new_value = stablehlo.dynamic_update_slice %value, %65, %19, %c0, %c0, %21, %c0 : (tensor<9x2x1x272x16xf32>, tensor<1x2x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xf32>
    %66 = stablehlo.divide %33, %c16 : tensor<i32>
    %67 = stablehlo.remainder %33, %c16 : tensor<i32>
    %68 = stablehlo.reshape %27 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %new_key_1 = stablehlo.dynamic_update_slice %new_key, %68, %31, %c0, %66, %c0, %67 : (tensor<9x2x17x16x16xf32>, tensor<1x2x1x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xf32>
    %69 = stablehlo.reshape %29 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %70 = stablehlo.transpose %69, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %71 = stablehlo.reshape %70 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %new_value_1 = stablehlo.dynamic_update_slice %new_value, %71, %31, %c0, %c0, %33, %c0 : (tensor<9x2x1x272x16xf32>, tensor<1x2x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xf32>
    %72 = stablehlo.divide %45, %c16 : tensor<i32>
    %73 = stablehlo.remainder %45, %c16 : tensor<i32>
    %74 = stablehlo.reshape %39 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %new_key_2 = stablehlo.dynamic_update_slice %new_key_1, %74, %43, %c0, %72, %c0, %73 : (tensor<9x2x17x16x16xf32>, tensor<1x2x1x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xf32>
    %75 = stablehlo.reshape %41 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %76 = stablehlo.transpose %75, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %77 = stablehlo.reshape %76 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %new_value_2 = stablehlo.dynamic_update_slice %new_value_1, %77, %43, %c0, %c0, %45, %c0 : (tensor<9x2x1x272x16xf32>, tensor<1x2x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xf32>
    %78 = stablehlo.divide %57, %c16 : tensor<i32>
    %79 = stablehlo.remainder %57, %c16 : tensor<i32>
    %80 = stablehlo.reshape %51 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %new_key_3 = stablehlo.dynamic_update_slice %new_key_2, %80, %55, %c0, %78, %c0, %79 : (tensor<9x2x17x16x16xf32>, tensor<1x2x1x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xf32>
    %81 = stablehlo.reshape %53 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %82 = stablehlo.transpose %81, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %83 = stablehlo.reshape %82 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %new_value_3 = stablehlo.dynamic_update_slice %new_value_2, %83, %55, %c0, %c0, %57, %c0 : (tensor<9x2x1x272x16xf32>, tensor<1x2x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xf32>
    %84 = stablehlo.dynamic_slice %new_key_3, %19, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xf32>
    %keys = stablehlo.reshape %84 : (tensor<1x2x17x16x16xf32>) -> tensor<2x17x16x16xf32>
    %85 = stablehlo.dynamic_slice %new_value_3, %19, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xf32>
    %values = stablehlo.reshape %85 : (tensor<1x2x1x272x16xf32>) -> tensor<2x1x272x16xf32>
    %86 = stablehlo.composite "mlxc.attention" %13, %keys, %values, %23 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xf32>, tensor<2x1x272x16xf32>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %87 = stablehlo.dynamic_slice %new_key_3, %31, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xf32>
    %keys_1 = stablehlo.reshape %87 : (tensor<1x2x17x16x16xf32>) -> tensor<2x17x16x16xf32>
    %88 = stablehlo.dynamic_slice %new_value_3, %31, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xf32>
    %values_1 = stablehlo.reshape %88 : (tensor<1x2x1x272x16xf32>) -> tensor<2x1x272x16xf32>
    %89 = stablehlo.composite "mlxc.attention" %25, %keys_1, %values_1, %35 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xf32>, tensor<2x1x272x16xf32>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %90 = stablehlo.dynamic_slice %new_key_3, %43, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xf32>
    %keys_2 = stablehlo.reshape %90 : (tensor<1x2x17x16x16xf32>) -> tensor<2x17x16x16xf32>
    %91 = stablehlo.dynamic_slice %new_value_3, %43, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xf32>
    %values_2 = stablehlo.reshape %91 : (tensor<1x2x1x272x16xf32>) -> tensor<2x1x272x16xf32>
    %92 = stablehlo.composite "mlxc.attention" %37, %keys_2, %values_2, %47 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xf32>, tensor<2x1x272x16xf32>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %93 = stablehlo.dynamic_slice %new_key_3, %55, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xf32>
    %keys_3 = stablehlo.reshape %93 : (tensor<1x2x17x16x16xf32>) -> tensor<2x17x16x16xf32>
    %94 = stablehlo.dynamic_slice %new_value_3, %55, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xf32>
    %values_3 = stablehlo.reshape %94 : (tensor<1x2x1x272x16xf32>) -> tensor<2x1x272x16xf32>
    %95 = stablehlo.composite "mlxc.attention" %49, %keys_3, %values_3, %59 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b4.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xf32>, tensor<2x1x272x16xf32>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %96 = stablehlo.reshape %86 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %97 = stablehlo.reshape %89 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %98 = stablehlo.reshape %92 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %99 = stablehlo.reshape %95 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %attended = stablehlo.concatenate %96, %97, %98, %99, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<4x64xf32>
    %100 = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @ragged_b4.linear_2} : (tensor<4x64xf32>, tensor<3x64x16xf32>) -> tensor<4x48xf32>
    %101 = stablehlo.broadcast_in_dim %self_attn.o_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<4x48xf32>
    %attention = stablehlo.add %100, %101 : tensor<4x48xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<4x48xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b4.rms_norm} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    %102 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @ragged_b4.linear_3} : (tensor<4x48xf32>, tensor<10x48x16xf32>) -> tensor<4x160xf32>
    %103 = stablehlo.slice %102 [0:4, 0:80] : (tensor<4x160xf32>) -> tensor<4x80xf32>
    %104 = stablehlo.slice %102 [0:4, 80:160] : (tensor<4x160xf32>) -> tensor<4x80xf32>
    %105 = stablehlo.broadcast_in_dim %mlp.gate_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<4x80xf32>
    %gate = stablehlo.add %103, %105 : tensor<4x80xf32>
    %106 = stablehlo.broadcast_in_dim %mlp.up_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<4x80xf32>
    %up = stablehlo.add %104, %106 : tensor<4x80xf32>
    %107 = stablehlo.logistic %gate : tensor<4x80xf32>
    %108 = stablehlo.multiply %gate, %107 : tensor<4x80xf32>
    %hidden = stablehlo.multiply %108, %up : tensor<4x80xf32>
    %109 = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @ragged_b4.linear_4} : (tensor<4x80xf32>, tensor<3x80x16xf32>) -> tensor<4x48xf32>
    %110 = stablehlo.broadcast_in_dim %mlp.down_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<4x48xf32>
    %mlp = stablehlo.add %109, %110 : tensor<4x48xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<4x48xf32>
    return %x_2, %new_key_3, %new_value_3 : tensor<4x48xf32>, tensor<9x2x17x16x16xf32>, tensor<9x2x1x272x16xf32>
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

  func.func private @ragged_b4.linear(%x: tensor<4x48xf32>, %weight: tensor<8x48x16xf32>) -> tensor<4x128xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x48xf32>) -> tensor<4x8x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<8x48x16xf32>) -> tensor<4x8x48x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x8x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x48x16xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<4x8x16xf32>) -> tensor<4x128xf32>
    return %4 : tensor<4x128xf32>
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
      %keys: tensor<2x17x16x16xf32>,
      %values: tensor<2x1x272x16xf32>,
      %mask: tensor<272xi1>
  ) -> tensor<2x2x16xf32> {
    %c0.25 = stablehlo.constant dense<0.25> : tensor<2x2x16xf32>
    %0 = stablehlo.multiply %query, %c0.25 : tensor<2x2x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 3] : (tensor<2x2x16xf32>) -> tensor<2x2x17x16x16xf32>
    %2 = stablehlo.broadcast_in_dim %keys, dims = [0, 2, 3, 4] : (tensor<2x17x16x16xf32>) -> tensor<2x2x17x16x16xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x17x16x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x17x16x16xf32>, tensor<f32>) -> tensor<2x2x17x16xf32>
    %scores = stablehlo.reshape %4 : (tensor<2x2x17x16xf32>) -> tensor<2x2x272xf32>
    %5 = stablehlo.broadcast_in_dim %mask, dims = [2] : (tensor<272xi1>) -> tensor<2x2x272xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<2x2x272xf32>
    %6 = stablehlo.select %5, %scores, %c-1.0e30 : tensor<2x2x272xi1>, tensor<2x2x272xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %c-inf) applies stablehlo.maximum across dimensions = [2] : (tensor<2x2x272xf32>, tensor<f32>) -> tensor<2x2xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x272xf32>
    %9 = stablehlo.subtract %6, %8 : tensor<2x2x272xf32>
    %probs = stablehlo.exponential %9 : tensor<2x2x272xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<2x2x272xf32>, tensor<f32>) -> tensor<2x2xf32>
    %10 = stablehlo.broadcast_in_dim %probs, dims = [0, 1, 3] : (tensor<2x2x272xf32>) -> tensor<2x2x1x272x16xf32>
    %11 = stablehlo.broadcast_in_dim %values, dims = [0, 2, 3, 4] : (tensor<2x1x272x16xf32>) -> tensor<2x2x1x272x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<2x2x1x272x16xf32>
    %13 = stablehlo.reduce(%12 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<2x2x1x272x16xf32>, tensor<f32>) -> tensor<2x2x1x16xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x2x1x16xf32>) -> tensor<2x2x16xf32>
    %15 = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x16xf32>
    %16 = stablehlo.divide %14, %15 : tensor<2x2x16xf32>
    return %16 : tensor<2x2x16xf32>
  }

  func.func private @ragged_b4.linear_2(
      %x: tensor<4x64xf32>,
      %weight: tensor<3x64x16xf32>
  ) -> tensor<4x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x64xf32>) -> tensor<4x3x64x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x64x16xf32>) -> tensor<4x3x64x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x3x64x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x3x64x16xf32>, tensor<f32>) -> tensor<4x3x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<4x3x16xf32>) -> tensor<4x48xf32>
    return %4 : tensor<4x48xf32>
  }

  func.func private @ragged_b4.linear_3(
      %x: tensor<4x48xf32>,
      %weight: tensor<10x48x16xf32>
  ) -> tensor<4x160xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x48xf32>) -> tensor<4x10x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<10x48x16xf32>) -> tensor<4x10x48x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x10x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x10x48x16xf32>, tensor<f32>) -> tensor<4x10x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<4x10x16xf32>) -> tensor<4x160xf32>
    return %4 : tensor<4x160xf32>
  }

  func.func private @ragged_b4.linear_4(
      %x: tensor<4x80xf32>,
      %weight: tensor<3x80x16xf32>
  ) -> tensor<4x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x80xf32>) -> tensor<4x3x80x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x80x16xf32>) -> tensor<4x3x80x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x3x80x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x3x80x16xf32>, tensor<f32>) -> tensor<4x3x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<4x3x16xf32>) -> tensor<4x48xf32>
    return %4 : tensor<4x48xf32>
  }

  func.func private @ragged_b4.linear_5(
      %x: tensor<4x48xf32>,
      %weight: tensor<7x48x16xf32>
  ) -> tensor<4x100xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x48xf32>) -> tensor<4x7x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<7x48x16xf32>) -> tensor<4x7x48x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x7x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<4x7x48x16xf32>, tensor<f32>) -> tensor<4x7x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<4x7x16xf32>) -> tensor<4x112xf32>
    %5 = stablehlo.slice %4 [0:4, 0:100] : (tensor<4x112xf32>) -> tensor<4x100xf32>
    return %5 : tensor<4x100xf32>
  }
}
