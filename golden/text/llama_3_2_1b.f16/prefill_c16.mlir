module @prefill_c16 attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @prefill_c16(
      %model.embed_tokens.weight: tensor<8016x2048x16xui16>,
      %model.layers.0.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.0.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.0.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.0.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.0.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.0.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.1.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.1.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.1.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.1.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.1.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.1.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.2.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.2.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.2.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.2.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.2.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.2.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.3.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.3.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.3.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.3.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.3.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.3.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.4.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.4.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.4.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.4.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.4.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.4.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.5.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.5.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.5.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.5.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.5.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.5.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.6.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.6.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.6.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.6.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.6.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.6.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.7.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.7.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.7.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.7.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.7.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.7.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.8.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.8.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.8.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.8.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.8.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.8.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.9.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.9.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.9.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.9.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.9.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.9.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.10.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.10.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.10.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.10.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.10.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.10.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.11.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.11.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.11.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.11.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.11.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.11.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.12.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.12.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.12.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.12.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.12.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.12.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.13.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.13.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.13.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.13.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.13.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.13.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.14.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.14.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.14.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.14.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.14.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.14.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.layers.15.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.15.qkv.weight: tensor<192x2048x16xui16>,
      %model.layers.15.self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %model.layers.15.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.15.gate_up.weight: tensor<1024x2048x16xui16>,
      %model.layers.15.mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %model.norm.weight: tensor<2048xf32>,
      %layer0.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 2 : index},
      %layer0.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 3 : index},
      %layer1.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 4 : index},
      %layer1.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 5 : index},
      %layer2.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 6 : index},
      %layer2.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 7 : index},
      %layer3.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 8 : index},
      %layer3.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 9 : index},
      %layer4.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 10 : index},
      %layer4.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 11 : index},
      %layer5.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 12 : index},
      %layer5.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 13 : index},
      %layer6.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 14 : index},
      %layer6.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 15 : index},
      %layer7.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 16 : index},
      %layer7.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 17 : index},
      %layer8.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 18 : index},
      %layer8.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 19 : index},
      %layer9.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 20 : index},
      %layer9.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 21 : index},
      %layer10.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 22 : index},
      %layer10.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 23 : index},
      %layer11.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 24 : index},
      %layer11.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 25 : index},
      %layer12.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 26 : index},
      %layer12.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 27 : index},
      %layer13.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 28 : index},
      %layer13.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 29 : index},
      %layer14.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 30 : index},
      %layer14.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 31 : index},
      %layer15.key: tensor<9x8x129x64x16xui16> {iree.abi.output = 32 : index},
      %layer15.value: tensor<9x8x4x2064x16xui16> {iree.abi.output = 33 : index},
      %slot: tensor<i32>,
      %token: tensor<16xi32>,
      %position: tensor<i32>,
      %valid: tensor<i32>,
      %cos: tensor<16x32xf32>,
      %sin: tensor<16x32xf32>
  ) -> (tensor<i32>, tensor<128256xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>) {
    %c16 = stablehlo.constant dense<16> : tensor<16xi32>
    %0 = stablehlo.divide %token, %c16 : tensor<16xi32>
    %1 = stablehlo.remainder %token, %c16 : tensor<16xi32>
    %2 = stablehlo.reshape %0 : (tensor<16xi32>) -> tensor<16x1xi32>
    %3 = stablehlo.reshape %1 : (tensor<16xi32>) -> tensor<16x1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x2xi32>
    %5 = "stablehlo.gather"(%model.embed_tokens.weight, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2048, 1>}> : (tensor<8016x2048x16xui16>, tensor<16x2xi32>) -> tensor<16x2048xui16>
    %6 = stablehlo.bitcast_convert %5 : (tensor<16x2048xui16>) -> tensor<16x2048xf16>
    %7 = stablehlo.convert %6 : (tensor<16x2048xf16>) -> tensor<16x2048xf32>
    %8 = stablehlo.iota dim = 0 : tensor<16xi32>
    %9 = stablehlo.broadcast_in_dim %valid, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %10 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<16xi1>) -> tensor<16x2048xi1>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<16x2048xf32>
    %x = stablehlo.select %11, %7, %c0.0 : tensor<16x2048xi1>, tensor<16x2048xf32>
    %12 = stablehlo.iota dim = 0 : tensor<16xi32>
    %13 = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %14 = stablehlo.add %12, %13 : tensor<16xi32>
    %15 = stablehlo.iota dim = 1 : tensor<16x2064xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<16xi32>) -> tensor<16x2064xi32>
    %mask = stablehlo.compare LE, %15, %16, SIGNED : (tensor<16x2064xi32>, tensor<16x2064xi32>) -> tensor<16x2064xi1>
    %x_1, %key, %value = func.call @prefill_c16.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.down_proj.weight, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_2, %key_1, %value_1 = func.call @prefill_c16.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.down_proj.weight, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_3, %key_2, %value_2 = func.call @prefill_c16.layer(%x_2, %model.layers.2.input_layernorm.weight, %model.layers.2.qkv.weight, %model.layers.2.self_attn.o_proj.weight, %model.layers.2.post_attention_layernorm.weight, %model.layers.2.gate_up.weight, %model.layers.2.mlp.down_proj.weight, %layer2.key, %layer2.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_4, %key_3, %value_3 = func.call @prefill_c16.layer(%x_3, %model.layers.3.input_layernorm.weight, %model.layers.3.qkv.weight, %model.layers.3.self_attn.o_proj.weight, %model.layers.3.post_attention_layernorm.weight, %model.layers.3.gate_up.weight, %model.layers.3.mlp.down_proj.weight, %layer3.key, %layer3.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_5, %key_4, %value_4 = func.call @prefill_c16.layer(%x_4, %model.layers.4.input_layernorm.weight, %model.layers.4.qkv.weight, %model.layers.4.self_attn.o_proj.weight, %model.layers.4.post_attention_layernorm.weight, %model.layers.4.gate_up.weight, %model.layers.4.mlp.down_proj.weight, %layer4.key, %layer4.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_6, %key_5, %value_5 = func.call @prefill_c16.layer(%x_5, %model.layers.5.input_layernorm.weight, %model.layers.5.qkv.weight, %model.layers.5.self_attn.o_proj.weight, %model.layers.5.post_attention_layernorm.weight, %model.layers.5.gate_up.weight, %model.layers.5.mlp.down_proj.weight, %layer5.key, %layer5.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_7, %key_6, %value_6 = func.call @prefill_c16.layer(%x_6, %model.layers.6.input_layernorm.weight, %model.layers.6.qkv.weight, %model.layers.6.self_attn.o_proj.weight, %model.layers.6.post_attention_layernorm.weight, %model.layers.6.gate_up.weight, %model.layers.6.mlp.down_proj.weight, %layer6.key, %layer6.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_8, %key_7, %value_7 = func.call @prefill_c16.layer(%x_7, %model.layers.7.input_layernorm.weight, %model.layers.7.qkv.weight, %model.layers.7.self_attn.o_proj.weight, %model.layers.7.post_attention_layernorm.weight, %model.layers.7.gate_up.weight, %model.layers.7.mlp.down_proj.weight, %layer7.key, %layer7.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_9, %key_8, %value_8 = func.call @prefill_c16.layer(%x_8, %model.layers.8.input_layernorm.weight, %model.layers.8.qkv.weight, %model.layers.8.self_attn.o_proj.weight, %model.layers.8.post_attention_layernorm.weight, %model.layers.8.gate_up.weight, %model.layers.8.mlp.down_proj.weight, %layer8.key, %layer8.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_10, %key_9, %value_9 = func.call @prefill_c16.layer(%x_9, %model.layers.9.input_layernorm.weight, %model.layers.9.qkv.weight, %model.layers.9.self_attn.o_proj.weight, %model.layers.9.post_attention_layernorm.weight, %model.layers.9.gate_up.weight, %model.layers.9.mlp.down_proj.weight, %layer9.key, %layer9.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_11, %key_10, %value_10 = func.call @prefill_c16.layer(%x_10, %model.layers.10.input_layernorm.weight, %model.layers.10.qkv.weight, %model.layers.10.self_attn.o_proj.weight, %model.layers.10.post_attention_layernorm.weight, %model.layers.10.gate_up.weight, %model.layers.10.mlp.down_proj.weight, %layer10.key, %layer10.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_12, %key_11, %value_11 = func.call @prefill_c16.layer(%x_11, %model.layers.11.input_layernorm.weight, %model.layers.11.qkv.weight, %model.layers.11.self_attn.o_proj.weight, %model.layers.11.post_attention_layernorm.weight, %model.layers.11.gate_up.weight, %model.layers.11.mlp.down_proj.weight, %layer11.key, %layer11.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_13, %key_12, %value_12 = func.call @prefill_c16.layer(%x_12, %model.layers.12.input_layernorm.weight, %model.layers.12.qkv.weight, %model.layers.12.self_attn.o_proj.weight, %model.layers.12.post_attention_layernorm.weight, %model.layers.12.gate_up.weight, %model.layers.12.mlp.down_proj.weight, %layer12.key, %layer12.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_14, %key_13, %value_13 = func.call @prefill_c16.layer(%x_13, %model.layers.13.input_layernorm.weight, %model.layers.13.qkv.weight, %model.layers.13.self_attn.o_proj.weight, %model.layers.13.post_attention_layernorm.weight, %model.layers.13.gate_up.weight, %model.layers.13.mlp.down_proj.weight, %layer13.key, %layer13.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_15, %key_14, %value_14 = func.call @prefill_c16.layer(%x_14, %model.layers.14.input_layernorm.weight, %model.layers.14.qkv.weight, %model.layers.14.self_attn.o_proj.weight, %model.layers.14.post_attention_layernorm.weight, %model.layers.14.gate_up.weight, %model.layers.14.mlp.down_proj.weight, %layer14.key, %layer14.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_16, %key_15, %value_15 = func.call @prefill_c16.layer(%x_15, %model.layers.15.input_layernorm.weight, %model.layers.15.qkv.weight, %model.layers.15.self_attn.o_proj.weight, %model.layers.15.post_attention_layernorm.weight, %model.layers.15.gate_up.weight, %model.layers.15.mlp.down_proj.weight, %layer15.key, %layer15.value, %slot, %position, %mask, %cos, %sin) : (tensor<16x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<16x2064xi1>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %17 = stablehlo.subtract %valid, %c1 : tensor<i32>
    %18 = stablehlo.reshape %17 : (tensor<i32>) -> tensor<1xi32>
    %19 = "stablehlo.gather"(%x_16, %18) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 2048>}> : (tensor<16x2048xf32>, tensor<1xi32>) -> tensor<2048xf32>
    %normed = stablehlo.composite "mlxc.rms_norm" %19, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c16.rms_norm_2} : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %model.embed_tokens.weight {decomposition = @prefill_c16.linear_5} : (tensor<2048xf32>, tensor<8016x2048x16xui16>) -> tensor<128256xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [0] : (tensor<128256xf32>, tensor<f32>) -> tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<128256xf32>
    %22 = stablehlo.compare EQ, %logits, %21, FLOAT : (tensor<128256xf32>, tensor<128256xf32>) -> tensor<128256xi1>
    %23 = stablehlo.iota dim = 0 : tensor<128256xi32>
    %c128256 = stablehlo.constant dense<128256> : tensor<128256xi32>
    %24 = stablehlo.select %22, %23, %c128256 : tensor<128256xi1>, tensor<128256xi32>
    %c128256_1 = stablehlo.constant dense<128256> : tensor<i32>
    %next = stablehlo.reduce(%24 init: %c128256_1) applies stablehlo.minimum across dimensions = [0] : (tensor<128256xi32>, tensor<i32>) -> tensor<i32>
    return %next, %logits, %key, %value, %key_1, %value_1, %key_2, %value_2, %key_3, %value_3, %key_4, %value_4, %key_5, %value_5, %key_6, %value_6, %key_7, %value_7, %key_8, %value_8, %key_9, %value_9, %key_10, %value_10, %key_11, %value_11, %key_12, %value_12, %key_13, %value_13, %key_14, %value_14, %key_15, %value_15 : tensor<i32>, tensor<128256xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @prefill_c16.layer(
      %x: tensor<16x2048xf32>,
      %input_layernorm.weight: tensor<2048xf32>,
      %qkv.weight: tensor<192x2048x16xui16>,
      %self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %post_attention_layernorm.weight: tensor<2048xf32>,
      %gate_up.weight: tensor<1024x2048x16xui16>,
      %mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %key: tensor<9x8x129x64x16xui16>,
      %value: tensor<9x8x4x2064x16xui16>,
      %slot: tensor<i32>,
      %position: tensor<i32>,
      %mask: tensor<16x2064xi1>,
      %cos: tensor<16x32xf32>,
      %sin: tensor<16x32xf32>
  ) -> (tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c16.rms_norm} : (tensor<16x2048xf32>, tensor<2048xf32>) -> tensor<16x2048xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @prefill_c16.linear} : (tensor<16x2048xf32>, tensor<192x2048x16xui16>) -> tensor<16x3072xf32>
    %1 = stablehlo.slice %0 [0:16, 0:2048] : (tensor<16x3072xf32>) -> tensor<16x2048xf32>
    %2 = stablehlo.slice %0 [0:16, 2048:2560] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
    %3 = stablehlo.slice %0 [0:16, 2560:3072] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
    %4 = stablehlo.reshape %1 : (tensor<16x2048xf32>) -> tensor<16x32x64xf32>
    %q = stablehlo.composite "mlxc.rope" %4, %cos, %sin {decomposition = @prefill_c16.rope} : (tensor<16x32x64xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %5 = stablehlo.reshape %2 : (tensor<16x512xf32>) -> tensor<16x8x64xf32>
    %k = stablehlo.composite "mlxc.rope" %5, %cos, %sin {decomposition = @prefill_c16.rope_2} : (tensor<16x8x64xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x8x64xf32>
    %v = stablehlo.reshape %3 : (tensor<16x512xf32>) -> tensor<16x8x64xf32>
    %6 = stablehlo.reshape %q : (tensor<16x32x64xf32>) -> tensor<16x8x4x64xf32>
    %7 = stablehlo.transpose %6, dims = [1, 2, 0, 3] : (tensor<16x8x4x64xf32>) -> tensor<8x4x16x64xf32>
    %8 = stablehlo.transpose %k, dims = [1, 0, 2] : (tensor<16x8x64xf32>) -> tensor<8x16x64xf32>
    %9 = stablehlo.transpose %v, dims = [1, 0, 2] : (tensor<16x8x64xf32>) -> tensor<8x16x64xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %10 = stablehlo.divide %position, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.reshape %8 : (tensor<8x16x64xf32>) -> tensor<8x1x16x64xf32>
    %12 = stablehlo.transpose %11, dims = [0, 1, 3, 2] : (tensor<8x1x16x64xf32>) -> tensor<8x1x64x16xf32>
    %13 = stablehlo.reshape %12 : (tensor<8x1x64x16xf32>) -> tensor<1x8x1x64x16xf32>
    %14 = stablehlo.convert %13 : (tensor<1x8x1x64x16xf32>) -> tensor<1x8x1x64x16xf16>
    %15 = stablehlo.bitcast_convert %14 : (tensor<1x8x1x64x16xf16>) -> tensor<1x8x1x64x16xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %15, %slot, %c0, %10, %c0, %c0 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %16 = stablehlo.reshape %9 : (tensor<8x16x64xf32>) -> tensor<8x16x4x16xf32>
    %17 = stablehlo.transpose %16, dims = [0, 2, 1, 3] : (tensor<8x16x4x16xf32>) -> tensor<8x4x16x16xf32>
    %18 = stablehlo.reshape %17 : (tensor<8x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %19 = stablehlo.convert %18 : (tensor<1x8x4x16x16xf32>) -> tensor<1x8x4x16x16xf16>
    %20 = stablehlo.bitcast_convert %19 : (tensor<1x8x4x16x16xf16>) -> tensor<1x8x4x16x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %20, %slot, %c0, %c0, %position, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x16x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %21 = stablehlo.dynamic_slice %new_key, %slot, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys = stablehlo.reshape %21 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %22 = stablehlo.dynamic_slice %new_value, %slot, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values = stablehlo.reshape %22 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %23 = stablehlo.composite "mlxc.attention" %7, %keys, %values, %mask {composite_attributes = {scale = 0.125 : f64}, decomposition = @prefill_c16.attention} : (tensor<8x4x16x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<16x2064xi1>) -> tensor<8x4x16x64xf32>
    %24 = stablehlo.transpose %23, dims = [2, 0, 1, 3] : (tensor<8x4x16x64xf32>) -> tensor<16x8x4x64xf32>
    %attended = stablehlo.reshape %24 : (tensor<16x8x4x64xf32>) -> tensor<16x2048xf32>
    %attention = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @prefill_c16.linear_2} : (tensor<16x2048xf32>, tensor<128x2048x16xui16>) -> tensor<16x2048xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<16x2048xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @prefill_c16.rms_norm} : (tensor<16x2048xf32>, tensor<2048xf32>) -> tensor<16x2048xf32>
    %25 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @prefill_c16.linear_3} : (tensor<16x2048xf32>, tensor<1024x2048x16xui16>) -> tensor<16x16384xf32>
    %gate = stablehlo.slice %25 [0:16, 0:8192] : (tensor<16x16384xf32>) -> tensor<16x8192xf32>
    %up = stablehlo.slice %25 [0:16, 8192:16384] : (tensor<16x16384xf32>) -> tensor<16x8192xf32>
    %26 = stablehlo.logistic %gate : tensor<16x8192xf32>
    %27 = stablehlo.multiply %gate, %26 : tensor<16x8192xf32>
    %hidden = stablehlo.multiply %27, %up : tensor<16x8192xf32>
    %mlp = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @prefill_c16.linear_4} : (tensor<16x8192xf32>, tensor<128x8192x16xui16>) -> tensor<16x2048xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<16x2048xf32>
    return %x_2, %new_key, %new_value : tensor<16x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @prefill_c16.rms_norm(
      %x: tensor<16x2048xf32>,
      %weight: tensor<2048xf32>
  ) -> tensor<16x2048xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<16x2048xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<16x2048xf32>, tensor<f32>) -> tensor<16xf32>
    %c2048.0 = stablehlo.constant dense<2048.0> : tensor<16xf32>
    %mean = stablehlo.divide %1, %c2048.0 : tensor<16xf32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<16xf32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<16xf32>
    %scale = stablehlo.rsqrt %2 : tensor<16xf32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<16xf32>) -> tensor<16x2048xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<16x2048xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<2048xf32>) -> tensor<16x2048xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<16x2048xf32>
    return %6 : tensor<16x2048xf32>
  }

  func.func private @prefill_c16.linear(
      %x: tensor<16x2048xf32>,
      %weight: tensor<192x2048x16xui16>
  ) -> tensor<16x3072xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x2048xf32>) -> tensor<16x192x2048x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<192x2048x16xui16>) -> tensor<16x192x2048x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<16x192x2048x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<16x192x2048x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<16x192x2048x16xui16>) -> tensor<16x192x2048x16xf16>
    %4 = stablehlo.convert %3 : (tensor<16x192x2048x16xf16>) -> tensor<16x192x2048x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x192x2048x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x192x2048x16xf32>, tensor<f32>) -> tensor<16x192x16xf32>
    %7 = stablehlo.negate %6 : tensor<16x192x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<16x192x16xf32>) -> tensor<16x3072xf32>
    return %8 : tensor<16x3072xf32>
  }

  func.func private @prefill_c16.rope(
      %x: tensor<16x32x64xf32>,
      %cos: tensor<16x32xf32>,
      %sin: tensor<16x32xf32>
  ) -> tensor<16x32x64xf32> {
    %0 = stablehlo.reshape %x : (tensor<16x32x64xf32>) -> tensor<16x32x2x32xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<16x32x2x32xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<16x32xf32>) -> tensor<16x32x2x32xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<16x32x2x32xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<16x32xf32>) -> tensor<16x32x2x32xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x32x2x32xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<16x32x2x32xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<16x32x2x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<16x32x2x32xf32>
    %9 = stablehlo.reshape %8 : (tensor<16x32x2x32xf32>) -> tensor<16x32x64xf32>
    return %9 : tensor<16x32x64xf32>
  }

  func.func private @prefill_c16.rope_2(
      %x: tensor<16x8x64xf32>,
      %cos: tensor<16x32xf32>,
      %sin: tensor<16x32xf32>
  ) -> tensor<16x8x64xf32> {
    %0 = stablehlo.reshape %x : (tensor<16x8x64xf32>) -> tensor<16x8x2x32xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<16x8x2x32xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<16x32xf32>) -> tensor<16x8x2x32xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<16x8x2x32xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<16x32xf32>) -> tensor<16x8x2x32xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x8x2x32xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<16x8x2x32xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<16x8x2x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<16x8x2x32xf32>
    %9 = stablehlo.reshape %8 : (tensor<16x8x2x32xf32>) -> tensor<16x8x64xf32>
    return %9 : tensor<16x8x64xf32>
  }

  func.func private @prefill_c16.attention(
      %query: tensor<8x4x16x64xf32>,
      %keys: tensor<8x129x64x16xui16>,
      %values: tensor<8x4x2064x16xui16>,
      %mask: tensor<16x2064xi1>
  ) -> tensor<8x4x16x64xf32> {
    %c0.125 = stablehlo.constant dense<0.125> : tensor<8x4x16x64xf32>
    %0 = stablehlo.multiply %query, %c0.125 : tensor<8x4x16x64xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 4] : (tensor<8x4x16x64xf32>) -> tensor<8x4x16x129x64x16xf32>
    %2 = stablehlo.broadcast_in_dim %keys, dims = [0, 3, 4, 5] : (tensor<8x129x64x16xui16>) -> tensor<8x4x16x129x64x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x4x16x129x64x16xui16>
    %3 = stablehlo.xor %2, %c32768 : tensor<8x4x16x129x64x16xui16>
    %4 = stablehlo.bitcast_convert %3 : (tensor<8x4x16x129x64x16xui16>) -> tensor<8x4x16x129x64x16xf16>
    %5 = stablehlo.convert %4 : (tensor<8x4x16x129x64x16xf16>) -> tensor<8x4x16x129x64x16xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<8x4x16x129x64x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [4] : (tensor<8x4x16x129x64x16xf32>, tensor<f32>) -> tensor<8x4x16x129x16xf32>
    %8 = stablehlo.negate %7 : tensor<8x4x16x129x16xf32>
    %scores = stablehlo.reshape %8 : (tensor<8x4x16x129x16xf32>) -> tensor<8x4x16x2064xf32>
    %9 = stablehlo.broadcast_in_dim %mask, dims = [2, 3] : (tensor<16x2064xi1>) -> tensor<8x4x16x2064xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<8x4x16x2064xf32>
    %10 = stablehlo.select %9, %scores, %c-1.0e30 : tensor<8x4x16x2064xi1>, tensor<8x4x16x2064xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %c-inf) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x2064xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x2064xf32>
    %13 = stablehlo.subtract %10, %12 : tensor<8x4x16x2064xf32>
    %probs = stablehlo.exponential %13 : tensor<8x4x16x2064xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x2064xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %14 = stablehlo.broadcast_in_dim %probs, dims = [0, 1, 2, 4] : (tensor<8x4x16x2064xf32>) -> tensor<8x4x16x4x2064x16xf32>
    %15 = stablehlo.broadcast_in_dim %values, dims = [0, 3, 4, 5] : (tensor<8x4x2064x16xui16>) -> tensor<8x4x16x4x2064x16xui16>
    %c32768_1 = stablehlo.constant dense<32768> : tensor<8x4x16x4x2064x16xui16>
    %16 = stablehlo.xor %15, %c32768_1 : tensor<8x4x16x4x2064x16xui16>
    %17 = stablehlo.bitcast_convert %16 : (tensor<8x4x16x4x2064x16xui16>) -> tensor<8x4x16x4x2064x16xf16>
    %18 = stablehlo.convert %17 : (tensor<8x4x16x4x2064x16xf16>) -> tensor<8x4x16x4x2064x16xf32>
    %19 = stablehlo.multiply %14, %18 : tensor<8x4x16x4x2064x16xf32>
    %20 = stablehlo.reduce(%19 init: %c0.0) applies stablehlo.add across dimensions = [4] : (tensor<8x4x16x4x2064x16xf32>, tensor<f32>) -> tensor<8x4x16x4x16xf32>
    %21 = stablehlo.negate %20 : tensor<8x4x16x4x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<8x4x16x4x16xf32>) -> tensor<8x4x16x64xf32>
    %23 = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x64xf32>
    %24 = stablehlo.divide %22, %23 : tensor<8x4x16x64xf32>
    return %24 : tensor<8x4x16x64xf32>
  }

  func.func private @prefill_c16.linear_2(
      %x: tensor<16x2048xf32>,
      %weight: tensor<128x2048x16xui16>
  ) -> tensor<16x2048xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x2048xf32>) -> tensor<16x128x2048x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<128x2048x16xui16>) -> tensor<16x128x2048x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<16x128x2048x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<16x128x2048x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<16x128x2048x16xui16>) -> tensor<16x128x2048x16xf16>
    %4 = stablehlo.convert %3 : (tensor<16x128x2048x16xf16>) -> tensor<16x128x2048x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x128x2048x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x128x2048x16xf32>, tensor<f32>) -> tensor<16x128x16xf32>
    %7 = stablehlo.negate %6 : tensor<16x128x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<16x128x16xf32>) -> tensor<16x2048xf32>
    return %8 : tensor<16x2048xf32>
  }

  func.func private @prefill_c16.linear_3(
      %x: tensor<16x2048xf32>,
      %weight: tensor<1024x2048x16xui16>
  ) -> tensor<16x16384xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x2048xf32>) -> tensor<16x1024x2048x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<1024x2048x16xui16>) -> tensor<16x1024x2048x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<16x1024x2048x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<16x1024x2048x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<16x1024x2048x16xui16>) -> tensor<16x1024x2048x16xf16>
    %4 = stablehlo.convert %3 : (tensor<16x1024x2048x16xf16>) -> tensor<16x1024x2048x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x1024x2048x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x1024x2048x16xf32>, tensor<f32>) -> tensor<16x1024x16xf32>
    %7 = stablehlo.negate %6 : tensor<16x1024x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<16x1024x16xf32>) -> tensor<16x16384xf32>
    return %8 : tensor<16x16384xf32>
  }

  func.func private @prefill_c16.linear_4(
      %x: tensor<16x8192xf32>,
      %weight: tensor<128x8192x16xui16>
  ) -> tensor<16x2048xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<16x8192xf32>) -> tensor<16x128x8192x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<128x8192x16xui16>) -> tensor<16x128x8192x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<16x128x8192x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<16x128x8192x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<16x128x8192x16xui16>) -> tensor<16x128x8192x16xf16>
    %4 = stablehlo.convert %3 : (tensor<16x128x8192x16xf16>) -> tensor<16x128x8192x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<16x128x8192x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<16x128x8192x16xf32>, tensor<f32>) -> tensor<16x128x16xf32>
    %7 = stablehlo.negate %6 : tensor<16x128x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<16x128x16xf32>) -> tensor<16x2048xf32>
    return %8 : tensor<16x2048xf32>
  }

  func.func private @prefill_c16.rms_norm_2(
      %x: tensor<2048xf32>,
      %weight: tensor<2048xf32>
  ) -> tensor<2048xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<2048xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [0] : (tensor<2048xf32>, tensor<f32>) -> tensor<f32>
    %c2048.0 = stablehlo.constant dense<2048.0> : tensor<f32>
    %mean = stablehlo.divide %1, %c2048.0 : tensor<f32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<f32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<f32>
    %scale = stablehlo.rsqrt %2 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<2048xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [0] : (tensor<2048xf32>) -> tensor<2048xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2048xf32>
    return %6 : tensor<2048xf32>
  }

  func.func private @prefill_c16.linear_5(
      %x: tensor<2048xf32>,
      %weight: tensor<8016x2048x16xui16>
  ) -> tensor<128256xf32> {
    %0 = stablehlo.reshape %x : (tensor<2048xf32>) -> tensor<1024x2xf32>
    %1 = stablehlo.slice %0 [0:1024, 0:1] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %3 = stablehlo.slice %0 [0:1024, 1:2] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %5 = stablehlo.reshape %weight : (tensor<8016x2048x16xui16>) -> tensor<8016x1024x2x16xui16>
    %6 = stablehlo.slice %5 [0:8016, 0:1024, 0:1, 0:16] : (tensor<8016x1024x2x16xui16>) -> tensor<8016x1024x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<8016x1024x1x16xui16>) -> tensor<8016x1024x16xui16>
    %8 = stablehlo.slice %5 [0:8016, 0:1024, 1:2, 0:16] : (tensor<8016x1024x2x16xui16>) -> tensor<8016x1024x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<8016x1024x1x16xui16>) -> tensor<8016x1024x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<1024xf32>) -> tensor<8016x1024x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<8016x1024x16xui16>) -> tensor<8016x1024x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8016x1024x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<8016x1024x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<8016x1024x16xui16>) -> tensor<8016x1024x16xf16>
    %14 = stablehlo.convert %13 : (tensor<8016x1024x16xf16>) -> tensor<8016x1024x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<8016x1024x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<1024xf32>) -> tensor<8016x1024x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8016x1024x16xui16>) -> tensor<8016x1024x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<8016x1024x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<8016x1024x16xui16>) -> tensor<8016x1024x16xf16>
    %20 = stablehlo.convert %19 : (tensor<8016x1024x16xf16>) -> tensor<8016x1024x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<8016x1024x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<8016x1024x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<8016x1024x16xf32>, tensor<f32>) -> tensor<8016x16xf32>
    %24 = stablehlo.negate %23 : tensor<8016x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<8016x16xf32>) -> tensor<128256xf32>
    return %25 : tensor<128256xf32>
  }
}
