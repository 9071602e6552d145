module @ragged_b8 attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @ragged_b8(
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
      %slot: tensor<8xi32>,
      %token: tensor<8xi32>,
      %position: tensor<8xi32>,
      %cos: tensor<8x8xf32>,
      %sin: tensor<8x8xf32>
  ) -> (tensor<8xi32>, tensor<8x100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %c16 = stablehlo.constant dense<16> : tensor<8xi32>
    %0 = stablehlo.divide %token, %c16 : tensor<8xi32>
    %1 = stablehlo.remainder %token, %c16 : tensor<8xi32>
    %2 = stablehlo.reshape %0 : (tensor<8xi32>) -> tensor<8x1xi32>
    %3 = stablehlo.reshape %1 : (tensor<8xi32>) -> tensor<8x1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %5 = "stablehlo.gather"(%model.embed_tokens.weight, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 48, 1>}> : (tensor<7x48x16xui16>, tensor<8x2xi32>) -> tensor<8x48xui16>
    %6 = stablehlo.bitcast_convert %5 : (tensor<8x48xui16>) -> tensor<8x48xf16>
    %x = stablehlo.convert %6 : (tensor<8x48xf16>) -> tensor<8x48xf32>
    %7 = stablehlo.iota dim = 1 : tensor<8x272xi32>
    %8 = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<8xi32>) -> tensor<8x272xi32>
    %mask = stablehlo.compare LE, %7, %8, SIGNED : (tensor<8x272xi32>, tensor<8x272xi32>) -> tensor<8x272xi1>
    %x_1, %key, %value = func.call @ragged_b8.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.q_proj.bias, %model.layers.0.self_attn.k_proj.bias, %model.layers.0.self_attn.v_proj.bias, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.self_attn.o_proj.bias, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.gate_proj.bias, %model.layers.0.mlp.up_proj.bias, %model.layers.0.mlp.down_proj.weight, %model.layers.0.mlp.down_proj.bias, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x272xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %x_2, %key_1, %value_1 = func.call @ragged_b8.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.q_proj.bias, %model.layers.1.self_attn.k_proj.bias, %model.layers.1.self_attn.v_proj.bias, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.self_attn.o_proj.bias, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.gate_proj.bias, %model.layers.1.mlp.up_proj.bias, %model.layers.1.mlp.down_proj.weight, %model.layers.1.mlp.down_proj.bias, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x48xf32>, tensor<48xf32>, tensor<8x48x16xui16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<3x64x16xui16>, tensor<48xf32>, tensor<48xf32>, tensor<10x48x16xui16>, tensor<80xf32>, tensor<80xf32>, tensor<3x80x16xui16>, tensor<48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x272xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_2, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b8.rms_norm} : (tensor<8x48xf32>, tensor<48xf32>) -> tensor<8x48xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %lm_head.weight {decomposition = @ragged_b8.linear_5} : (tensor<8x48xf32>, tensor<7x48x16xui16>) -> tensor<8x100xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [1] : (tensor<8x100xf32>, tensor<f32>) -> tensor<8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<8xf32>) -> tensor<8x100xf32>
    %11 = stablehlo.compare EQ, %logits, %10, FLOAT : (tensor<8x100xf32>, tensor<8x100xf32>) -> tensor<8x100xi1>
    %12 = stablehlo.iota dim = 1 : tensor<8x100xi32>
    %c100 = stablehlo.constant dense<100> : tensor<8x100xi32>
    %13 = stablehlo.select %11, %12, %c100 : tensor<8x100xi1>, tensor<8x100xi32>
    %c100_1 = stablehlo.constant dense<100> : tensor<i32>
    %next = stablehlo.reduce(%13 init: %c100_1) applies stablehlo.minimum across dimensions = [1] : (tensor<8x100xi32>, tensor<i32>) -> tensor<8xi32>
    return %next, %logits, %key, %value, %key_1, %value_1 : tensor<8xi32>, tensor<8x100xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @ragged_b8.layer(
      %x: tensor<8x48xf32>,
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
      %slot: tensor<8xi32>,
      %position: tensor<8xi32>,
      %mask: tensor<8x272xi1>,
      %cos: tensor<8x8xf32>,
      %sin: tensor<8x8xf32>
  ) -> (tensor<8x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b8.rms_norm} : (tensor<8x48xf32>, tensor<48xf32>) -> tensor<8x48xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @ragged_b8.linear} : (tensor<8x48xf32>, tensor<8x48x16xui16>) -> tensor<8x128xf32>
    %1 = stablehlo.slice %0 [0:8, 0:64] : (tensor<8x128xf32>) -> tensor<8x64xf32>
    %2 = stablehlo.slice %0 [0:8, 64:96] : (tensor<8x128xf32>) -> tensor<8x32xf32>
    %3 = stablehlo.slice %0 [0:8, 96:128] : (tensor<8x128xf32>) -> tensor<8x32xf32>
    %4 = stablehlo.broadcast_in_dim %self_attn.q_proj.bias, dims = [1] : (tensor<64xf32>) -> tensor<8x64xf32>
    %5 = stablehlo.add %1, %4 : tensor<8x64xf32>
    %6 = stablehlo.broadcast_in_dim %self_attn.k_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<8x32xf32>
    %7 = stablehlo.add %2, %6 : tensor<8x32xf32>
    %8 = stablehlo.broadcast_in_dim %self_attn.v_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<8x32xf32>
    %9 = stablehlo.add %3, %8 : tensor<8x32xf32>
    %10 = stablehlo.reshape %5 : (tensor<8x64xf32>) -> tensor<8x4x16xf32>
    %q = stablehlo.composite "mlxc.rope" %10, %cos, %sin {decomposition = @ragged_b8.rope} : (tensor<8x4x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x4x16xf32>
    %11 = stablehlo.reshape %7 : (tensor<8x32xf32>) -> tensor<8x2x16xf32>
    %k = stablehlo.composite "mlxc.rope" %11, %cos, %sin {decomposition = @ragged_b8.rope_2} : (tensor<8x2x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x2x16xf32>
    %v = stablehlo.reshape %9 : (tensor<8x32xf32>) -> tensor<8x2x16xf32>
    %12 = stablehlo.slice %q [0:1, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %13 = stablehlo.reshape %12 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %14 = stablehlo.slice %k [0:1, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %16 = stablehlo.slice %v [0:1, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %18 = stablehlo.slice %slot [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %19 = stablehlo.reshape %18 : (tensor<1xi32>) -> tensor<i32>
    %20 = stablehlo.slice %position [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %21 = stablehlo.reshape %20 : (tensor<1xi32>) -> tensor<i32>
    %22 = stablehlo.slice %mask [0:1, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %23 = stablehlo.reshape %22 : (tensor<1x272xi1>) -> tensor<272xi1>
    %24 = stablehlo.slice %q [1:2, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %26 = stablehlo.slice %k [1:2, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %28 = stablehlo.slice %v [1:2, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %30 = stablehlo.slice %slot [1:2] : (tensor<8xi32>) -> tensor<1xi32>
    %31 = stablehlo.reshape %30 : (tensor<1xi32>) -> tensor<i32>
    %32 = stablehlo.slice %position [1:2] : (tensor<8xi32>) -> tensor<1xi32>
    %33 = stablehlo.reshape %32 : (tensor<1xi32>) -> tensor<i32>
    %34 = stablehlo.slice %mask [1:2, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %35 = stablehlo.reshape %34 : (tensor<1x272xi1>) -> tensor<272xi1>
    %36 = stablehlo.slice %q [2:3, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %37 = stablehlo.reshape %36 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %38 = stablehlo.slice %k [2:3, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %40 = stablehlo.slice %v [2:3, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %42 = stablehlo.slice %slot [2:3] : (tensor<8xi32>) -> tensor<1xi32>
    %43 = stablehlo.reshape %42 : (tensor<1xi32>) -> tensor<i32>
    %44 = stablehlo.slice %position [2:3] : (tensor<8xi32>) -> tensor<1xi32>
    %45 = stablehlo.reshape %44 : (tensor<1xi32>) -> tensor<i32>
    %46 = stablehlo.slice %mask [2:3, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %47 = stablehlo.reshape %46 : (tensor<1x272xi1>) -> tensor<272xi1>
    %48 = stablehlo.slice %q [3:4, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %49 = stablehlo.reshape %48 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %50 = stablehlo.slice %k [3:4, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %52 = stablehlo.slice %v [3:4, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %53 = stablehlo.reshape %52 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %54 = stablehlo.slice %slot [3:4] : (tensor<8xi32>) -> tensor<1xi32>
    %55 = stablehlo.reshape %54 : (tensor<1xi32>) -> tensor<i32>
    %56 = stablehlo.slice %position [3:4] : (tensor<8xi32>) -> tensor<1xi32>
    %57 = stablehlo.reshape %56 : (tensor<1xi32>) -> tensor<i32>
    %58 = stablehlo.slice %mask [3:4, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %59 = stablehlo.reshape %58 : (tensor<1x272xi1>) -> tensor<272xi1>
    %60 = stablehlo.slice %q [4:5, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %61 = stablehlo.reshape %60 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %62 = stablehlo.slice %k [4:5, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %63 = stablehlo.reshape %62 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %64 = stablehlo.slice %v [4:5, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %65 = stablehlo.reshape %64 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %66 = stablehlo.slice %slot [4:5] : (tensor<8xi32>) -> tensor<1xi32>
    %67 = stablehlo.reshape %66 : (tensor<1xi32>) -> tensor<i32>
    %68 = stablehlo.slice %position [4:5] : (tensor<8xi32>) -> tensor<1xi32>
    %69 = stablehlo.reshape %68 : (tensor<1xi32>) -> tensor<i32>
    %70 = stablehlo.slice %mask [4:5, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %71 = stablehlo.reshape %70 : (tensor<1x272xi1>) -> tensor<272xi1>
    %72 = stablehlo.slice %q [5:6, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %73 = stablehlo.reshape %72 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %74 = stablehlo.slice %k [5:6, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %75 = stablehlo.reshape %74 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %76 = stablehlo.slice %v [5:6, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %77 = stablehlo.reshape %76 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %78 = stablehlo.slice %slot [5:6] : (tensor<8xi32>) -> tensor<1xi32>
    %79 = stablehlo.reshape %78 : (tensor<1xi32>) -> tensor<i32>
    %80 = stablehlo.slice %position [5:6] : (tensor<8xi32>) -> tensor<1xi32>
    %81 = stablehlo.reshape %80 : (tensor<1xi32>) -> tensor<i32>
    %82 = stablehlo.slice %mask [5:6, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %83 = stablehlo.reshape %82 : (tensor<1x272xi1>) -> tensor<272xi1>
    %84 = stablehlo.slice %q [6:7, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %85 = stablehlo.reshape %84 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %86 = stablehlo.slice %k [6:7, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %87 = stablehlo.reshape %86 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %88 = stablehlo.slice %v [6:7, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %89 = stablehlo.reshape %88 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %90 = stablehlo.slice %slot [6:7] : (tensor<8xi32>) -> tensor<1xi32>
    %91 = stablehlo.reshape %90 : (tensor<1xi32>) -> tensor<i32>
    %92 = stablehlo.slice %position [6:7] : (tensor<8xi32>) -> tensor<1xi32>
    %93 = stablehlo.reshape %92 : (tensor<1xi32>) -> tensor<i32>
    %94 = stablehlo.slice %mask [6:7, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %95 = stablehlo.reshape %94 : (tensor<1x272xi1>) -> tensor<272xi1>
    %96 = stablehlo.slice %q [7:8, 0:4, 0:16] : (tensor<8x4x16xf32>) -> tensor<1x4x16xf32>
    %97 = stablehlo.reshape %96 : (tensor<1x4x16xf32>) -> tensor<2x2x16xf32>
    %98 = stablehlo.slice %k [7:8, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %99 = stablehlo.reshape %98 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %100 = stablehlo.slice %v [7:8, 0:2, 0:16] : (tensor<8x2x16xf32>) -> tensor<1x2x16xf32>
    %101 = stablehlo.reshape %100 : (tensor<1x2x16xf32>) -> tensor<2x1x16xf32>
    %102 = stablehlo.slice %slot [7:8] : (tensor<8xi32>) -> tensor<1xi32>
    %103 = stablehlo.reshape %102 : (tensor<1xi32>) -> tensor<i32>
    %104 = stablehlo.slice %position [7:8] : (tensor<8xi32>) -> tensor<1xi32>
    %105 = stablehlo.reshape %104 : (tensor<1xi32>) -> tensor<i32>
    %106 = stablehlo.slice %mask [7:8, 0:272] : (tensor<8x272xi1>) -> tensor<1x272xi1>
    %107 = stablehlo.reshape %106 : (tensor<1x272xi1>) -> tensor<272xi1>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %108 = stablehlo.divide %21, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %109 = stablehlo.remainder %21, %c16 : tensor<i32>
    %110 = stablehlo.reshape %15 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %111 = stablehlo.convert %110 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %112 = stablehlo.bitcast_convert %111 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %112, %19, %c0, %108, %c0, %109 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %113 = stablehlo.reshape %17 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %114 = stablehlo.transpose %113, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %115 = stablehlo.reshape %114 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %116 = stablehlo.convert %115 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %117 = stablehlo.bitcast_convert %116 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %117, %19, %c0, %c0, %21, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %118 = stablehlo.divide %33, %c16 : tensor<i32>
    %119 = stablehlo.remainder %33, %c16 : tensor<i32>
    %120 = stablehlo.reshape %27 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %121 = stablehlo.convert %120 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %122 = stablehlo.bitcast_convert %121 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_1 = stablehlo.dynamic_update_slice %new_key, %122, %31, %c0, %118, %c0, %119 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %123 = stablehlo.reshape %29 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %124 = stablehlo.transpose %123, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %125 = stablehlo.reshape %124 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %126 = stablehlo.convert %125 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %127 = stablehlo.bitcast_convert %126 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_1 = stablehlo.dynamic_update_slice %new_value, %127, %31, %c0, %c0, %33, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %128 = stablehlo.divide %45, %c16 : tensor<i32>
    %129 = stablehlo.remainder %45, %c16 : tensor<i32>
    %130 = stablehlo.reshape %39 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %131 = stablehlo.convert %130 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %132 = stablehlo.bitcast_convert %131 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_2 = stablehlo.dynamic_update_slice %new_key_1, %132, %43, %c0, %128, %c0, %129 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %133 = stablehlo.reshape %41 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %134 = stablehlo.transpose %133, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %135 = stablehlo.reshape %134 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %136 = stablehlo.convert %135 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %137 = stablehlo.bitcast_convert %136 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_2 = stablehlo.dynamic_update_slice %new_value_1, %137, %43, %c0, %c0, %45, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %138 = stablehlo.divide %57, %c16 : tensor<i32>
    %139 = stablehlo.remainder %57, %c16 : tensor<i32>
    %140 = stablehlo.reshape %51 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %141 = stablehlo.convert %140 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %142 = stablehlo.bitcast_convert %141 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_3 = stablehlo.dynamic_update_slice %new_key_2, %142, %55, %c0, %138, %c0, %139 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %143 = stablehlo.reshape %53 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %144 = stablehlo.transpose %143, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %145 = stablehlo.reshape %144 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %146 = stablehlo.convert %145 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %147 = stablehlo.bitcast_convert %146 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_3 = stablehlo.dynamic_update_slice %new_value_2, %147, %55, %c0, %c0, %57, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %148 = stablehlo.divide %69, %c16 : tensor<i32>
    %149 = stablehlo.remainder %69, %c16 : tensor<i32>
    %150 = stablehlo.reshape %63 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %151 = stablehlo.convert %150 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %152 = stablehlo.bitcast_convert %151 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_4 = stablehlo.dynamic_update_slice %new_key_3, %152, %67, %c0, %148, %c0, %149 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %153 = stablehlo.reshape %65 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %154 = stablehlo.transpose %153, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %155 = stablehlo.reshape %154 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %156 = stablehlo.convert %155 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %157 = stablehlo.bitcast_convert %156 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_4 = stablehlo.dynamic_update_slice %new_value_3, %157, %67, %c0, %c0, %69, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %158 = stablehlo.divide %81, %c16 : tensor<i32>
    %159 = stablehlo.remainder %81, %c16 : tensor<i32>
    %160 = stablehlo.reshape %75 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %161 = stablehlo.convert %160 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %162 = stablehlo.bitcast_convert %161 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_5 = stablehlo.dynamic_update_slice %new_key_4, %162, %79, %c0, %158, %c0, %159 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %163 = stablehlo.reshape %77 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %164 = stablehlo.transpose %163, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %165 = stablehlo.reshape %164 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %166 = stablehlo.convert %165 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %167 = stablehlo.bitcast_convert %166 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_5 = stablehlo.dynamic_update_slice %new_value_4, %167, %79, %c0, %c0, %81, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %168 = stablehlo.divide %93, %c16 : tensor<i32>
    %169 = stablehlo.remainder %93, %c16 : tensor<i32>
    %170 = stablehlo.reshape %87 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %171 = stablehlo.convert %170 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %172 = stablehlo.bitcast_convert %171 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_6 = stablehlo.dynamic_update_slice %new_key_5, %172, %91, %c0, %168, %c0, %169 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %173 = stablehlo.reshape %89 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %174 = stablehlo.transpose %173, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %175 = stablehlo.reshape %174 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %176 = stablehlo.convert %175 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %177 = stablehlo.bitcast_convert %176 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_6 = stablehlo.dynamic_update_slice %new_value_5, %177, %91, %c0, %c0, %93, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %178 = stablehlo.divide %105, %c16 : tensor<i32>
    %179 = stablehlo.remainder %105, %c16 : tensor<i32>
    %180 = stablehlo.reshape %99 : (tensor<2x1x16xf32>) -> tensor<1x2x1x16x1xf32>
    %181 = stablehlo.convert %180 : (tensor<1x2x1x16x1xf32>) -> tensor<1x2x1x16x1xf16>
    %182 = stablehlo.bitcast_convert %181 : (tensor<1x2x1x16x1xf16>) -> tensor<1x2x1x16x1xui16>
    %new_key_7 = stablehlo.dynamic_update_slice %new_key_6, %182, %103, %c0, %178, %c0, %179 : (tensor<9x2x17x16x16xui16>, tensor<1x2x1x16x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x17x16x16xui16>
    %183 = stablehlo.reshape %101 : (tensor<2x1x16xf32>) -> tensor<2x1x1x16xf32>
    %184 = stablehlo.transpose %183, dims = [0, 2, 1, 3] : (tensor<2x1x1x16xf32>) -> tensor<2x1x1x16xf32>
    %185 = stablehlo.reshape %184 : (tensor<2x1x1x16xf32>) -> tensor<1x2x1x1x16xf32>
    %186 = stablehlo.convert %185 : (tensor<1x2x1x1x16xf32>) -> tensor<1x2x1x1x16xf16>
    %187 = stablehlo.bitcast_convert %186 : (tensor<1x2x1x1x16xf16>) -> tensor<1x2x1x1x16xui16>
    %new_value_7 = stablehlo.dynamic_update_slice %new_value_6, %187, %103, %c0, %c0, %105, %c0 : (tensor<9x2x1x272x16xui16>, tensor<1x2x1x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x1x272x16xui16>
    %188 = stablehlo.dynamic_slice %new_key_7, %19, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys = stablehlo.reshape %188 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %189 = stablehlo.dynamic_slice %new_value_7, %19, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values = stablehlo.reshape %189 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %190 = stablehlo.composite "mlxc.attention" %13, %keys, %values, %23 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %191 = stablehlo.dynamic_slice %new_key_7, %31, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_1 = stablehlo.reshape %191 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %192 = stablehlo.dynamic_slice %new_value_7, %31, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_1 = stablehlo.reshape %192 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %193 = stablehlo.composite "mlxc.attention" %25, %keys_1, %values_1, %35 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %194 = stablehlo.dynamic_slice %new_key_7, %43, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_2 = stablehlo.reshape %194 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %195 = stablehlo.dynamic_slice %new_value_7, %43, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_2 = stablehlo.reshape %195 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %196 = stablehlo.composite "mlxc.attention" %37, %keys_2, %values_2, %47 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %197 = stablehlo.dynamic_slice %new_key_7, %55, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_3 = stablehlo.reshape %197 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %198 = stablehlo.dynamic_slice %new_value_7, %55, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_3 = stablehlo.reshape %198 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %199 = stablehlo.composite "mlxc.attention" %49, %keys_3, %values_3, %59 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %200 = stablehlo.dynamic_slice %new_key_7, %67, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_4 = stablehlo.reshape %200 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %201 = stablehlo.dynamic_slice %new_value_7, %67, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_4 = stablehlo.reshape %201 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %202 = stablehlo.composite "mlxc.attention" %61, %keys_4, %values_4, %71 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %203 = stablehlo.dynamic_slice %new_key_7, %79, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_5 = stablehlo.reshape %203 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %204 = stablehlo.dynamic_slice %new_value_7, %79, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_5 = stablehlo.reshape %204 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %205 = stablehlo.composite "mlxc.attention" %73, %keys_5, %values_5, %83 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %206 = stablehlo.dynamic_slice %new_key_7, %91, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_6 = stablehlo.reshape %206 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %207 = stablehlo.dynamic_slice %new_value_7, %91, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_6 = stablehlo.reshape %207 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %208 = stablehlo.composite "mlxc.attention" %85, %keys_6, %values_6, %95 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %209 = stablehlo.dynamic_slice %new_key_7, %103, %c0, %c0, %c0, %c0, sizes = [1, 2, 17, 16, 16] : (tensor<9x2x17x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x17x16x16xui16>
    %keys_7 = stablehlo.reshape %209 : (tensor<1x2x17x16x16xui16>) -> tensor<2x17x16x16xui16>
    %210 = stablehlo.dynamic_slice %new_value_7, %103, %c0, %c0, %c0, %c0, sizes = [1, 2, 1, 272, 16] : (tensor<9x2x1x272x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x272x16xui16>
    %values_7 = stablehlo.reshape %210 : (tensor<1x2x1x272x16xui16>) -> tensor<2x1x272x16xui16>
    %211 = stablehlo.composite "mlxc.attention" %97, %keys_7, %values_7, %107 {composite_attributes = {scale = 0.25 : f64}, decomposition = @ragged_b8.attention} : (tensor<2x2x16xf32>, tensor<2x17x16x16xui16>, tensor<2x1x272x16xui16>, tensor<272xi1>) -> tensor<2x2x16xf32>
    %212 = stablehlo.reshape %190 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %213 = stablehlo.reshape %193 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %214 = stablehlo.reshape %196 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %215 = stablehlo.reshape %199 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %216 = stablehlo.reshape %202 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %217 = stablehlo.reshape %205 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %218 = stablehlo.reshape %208 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %219 = stablehlo.reshape %211 : (tensor<2x2x16xf32>) -> tensor<1x64xf32>
    %attended = stablehlo.concatenate %212, %213, %214, %215, %216, %217, %218, %219, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<8x64xf32>
    %220 = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @ragged_b8.linear_2} : (tensor<8x64xf32>, tensor<3x64x16xui16>) -> tensor<8x48xf32>
    %221 = stablehlo.broadcast_in_dim %self_attn.o_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<8x48xf32>
    %attention = stablehlo.add %220, %221 : tensor<8x48xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<8x48xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b8.rms_norm} : (tensor<8x48xf32>, tensor<48xf32>) -> tensor<8x48xf32>
    %222 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @ragged_b8.linear_3} : (tensor<8x48xf32>, tensor<10x48x16xui16>) -> tensor<8x160xf32>
    %223 = stablehlo.slice %222 [0:8, 0:80] : (tensor<8x160xf32>) -> tensor<8x80xf32>
    %224 = stablehlo.slice %222 [0:8, 80:160] : (tensor<8x160xf32>) -> tensor<8x80xf32>
    %225 = stablehlo.broadcast_in_dim %mlp.gate_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<8x80xf32>
    %gate = stablehlo.add %223, %225 : tensor<8x80xf32>
    %226 = stablehlo.broadcast_in_dim %mlp.up_proj.bias, dims = [1] : (tensor<80xf32>) -> tensor<8x80xf32>
    %up = stablehlo.add %224, %226 : tensor<8x80xf32>
    %227 = stablehlo.logistic %gate : tensor<8x80xf32>
    %228 = stablehlo.multiply %gate, %227 : tensor<8x80xf32>
    %hidden = stablehlo.multiply %228, %up : tensor<8x80xf32>
    %229 = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @ragged_b8.linear_4} : (tensor<8x80xf32>, tensor<3x80x16xui16>) -> tensor<8x48xf32>
    %230 = stablehlo.broadcast_in_dim %mlp.down_proj.bias, dims = [1] : (tensor<48xf32>) -> tensor<8x48xf32>
    %mlp = stablehlo.add %229, %230 : tensor<8x48xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<8x48xf32>
    return %x_2, %new_key_7, %new_value_7 : tensor<8x48xf32>, tensor<9x2x17x16x16xui16>, tensor<9x2x1x272x16xui16>
  }

  func.func private @ragged_b8.rms_norm(%x: tensor<8x48xf32>, %weight: tensor<48xf32>) -> tensor<8x48xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<8x48xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %c48.0 = stablehlo.constant dense<48.0> : tensor<8xf32>
    %mean = stablehlo.divide %1, %c48.0 : tensor<8xf32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<8xf32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<8xf32>
    %scale = stablehlo.rsqrt %2 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<8xf32>) -> tensor<8x48xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<8x48xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<48xf32>) -> tensor<8x48xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<8x48xf32>
    return %6 : tensor<8x48xf32>
  }

  func.func private @ragged_b8.linear(
      %x: tensor<8x48xf32>,
      %weight: tensor<8x48x16xui16>
  ) -> tensor<8x128xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x48xf32>) -> tensor<8x8x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<8x48x16xui16>) -> tensor<8x8x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x8x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x8x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x8x48x16xui16>) -> tensor<8x8x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x8x48x16xf16>) -> tensor<8x8x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x8x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x8x48x16xf32>, tensor<f32>) -> tensor<8x8x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x8x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x8x16xf32>) -> tensor<8x128xf32>
    return %8 : tensor<8x128xf32>
  }

  func.func private @ragged_b8.rope(
      %x: tensor<8x4x16xf32>,
      %cos: tensor<8x8xf32>,
      %sin: tensor<8x8xf32>
  ) -> tensor<8x4x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<8x4x16xf32>) -> tensor<8x4x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<8x4x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x4x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8x4x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x4x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x4x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<8x4x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<8x4x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<8x4x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<8x4x2x8xf32>) -> tensor<8x4x16xf32>
    return %9 : tensor<8x4x16xf32>
  }

  func.func private @ragged_b8.rope_2(
      %x: tensor<8x2x16xf32>,
      %cos: tensor<8x8xf32>,
      %sin: tensor<8x8xf32>
  ) -> tensor<8x2x16xf32> {
    %0 = stablehlo.reshape %x : (tensor<8x2x16xf32>) -> tensor<8x2x2x8xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<8x2x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x2x2x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8x2x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x2x2x8xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x2x2x8xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<8x2x2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<8x2x2x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<8x2x2x8xf32>
    %9 = stablehlo.reshape %8 : (tensor<8x2x2x8xf32>) -> tensor<8x2x16xf32>
    return %9 : tensor<8x2x16xf32>
  }

  func.func private @ragged_b8.attention(
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

  func.func private @ragged_b8.linear_2(
      %x: tensor<8x64xf32>,
      %weight: tensor<3x64x16xui16>
  ) -> tensor<8x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x64xf32>) -> tensor<8x3x64x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x64x16xui16>) -> tensor<8x3x64x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x3x64x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x3x64x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x3x64x16xui16>) -> tensor<8x3x64x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x3x64x16xf16>) -> tensor<8x3x64x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x3x64x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x3x64x16xf32>, tensor<f32>) -> tensor<8x3x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x3x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x3x16xf32>) -> tensor<8x48xf32>
    return %8 : tensor<8x48xf32>
  }

  func.func private @ragged_b8.linear_3(
      %x: tensor<8x48xf32>,
      %weight: tensor<10x48x16xui16>
  ) -> tensor<8x160xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x48xf32>) -> tensor<8x10x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<10x48x16xui16>) -> tensor<8x10x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x10x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x10x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x10x48x16xui16>) -> tensor<8x10x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x10x48x16xf16>) -> tensor<8x10x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x10x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x10x48x16xf32>, tensor<f32>) -> tensor<8x10x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x10x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x10x16xf32>) -> tensor<8x160xf32>
    return %8 : tensor<8x160xf32>
  }

  func.func private @ragged_b8.linear_4(
      %x: tensor<8x80xf32>,
      %weight: tensor<3x80x16xui16>
  ) -> tensor<8x48xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x80xf32>) -> tensor<8x3x80x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<3x80x16xui16>) -> tensor<8x3x80x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x3x80x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x3x80x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x3x80x16xui16>) -> tensor<8x3x80x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x3x80x16xf16>) -> tensor<8x3x80x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x3x80x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x3x80x16xf32>, tensor<f32>) -> tensor<8x3x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x3x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x3x16xf32>) -> tensor<8x48xf32>
    return %8 : tensor<8x48xf32>
  }

  func.func private @ragged_b8.linear_5(
      %x: tensor<8x48xf32>,
      %weight: tensor<7x48x16xui16>
  ) -> tensor<8x100xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x48xf32>) -> tensor<8x7x48x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<7x48x16xui16>) -> tensor<8x7x48x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x7x48x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x7x48x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x7x48x16xui16>) -> tensor<8x7x48x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x7x48x16xf16>) -> tensor<8x7x48x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x7x48x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x7x48x16xf32>, tensor<f32>) -> tensor<8x7x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x7x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x7x16xf32>) -> tensor<8x112xf32>
    %9 = stablehlo.slice %8 [0:8, 0:100] : (tensor<8x112xf32>) -> tensor<8x100xf32>
    return %9 : tensor<8x100xf32>
  }
}
