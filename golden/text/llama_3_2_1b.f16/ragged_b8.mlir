module @ragged_b8 attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @ragged_b8(
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
      %slot: tensor<8xi32>,
      %token: tensor<8xi32>,
      %position: tensor<8xi32>,
      %cos: tensor<8x32xf32>,
      %sin: tensor<8x32xf32>
  ) -> (tensor<8xi32>, tensor<8x128256xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>) {
    %c16 = stablehlo.constant dense<16> : tensor<8xi32>
    %0 = stablehlo.divide %token, %c16 : tensor<8xi32>
    %1 = stablehlo.remainder %token, %c16 : tensor<8xi32>
    %2 = stablehlo.reshape %0 : (tensor<8xi32>) -> tensor<8x1xi32>
    %3 = stablehlo.reshape %1 : (tensor<8xi32>) -> tensor<8x1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %5 = "stablehlo.gather"(%model.embed_tokens.weight, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2048, 1>}> : (tensor<8016x2048x16xui16>, tensor<8x2xi32>) -> tensor<8x2048xui16>
    %6 = stablehlo.bitcast_convert %5 : (tensor<8x2048xui16>) -> tensor<8x2048xf16>
    %x = stablehlo.convert %6 : (tensor<8x2048xf16>) -> tensor<8x2048xf32>
    %7 = stablehlo.iota dim = 1 : tensor<8x2064xi32>
    %8 = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<8xi32>) -> tensor<8x2064xi32>
    %mask = stablehlo.compare LE, %7, %8, SIGNED : (tensor<8x2064xi32>, tensor<8x2064xi32>) -> tensor<8x2064xi1>
    %x_1, %key, %value = func.call @ragged_b8.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.down_proj.weight, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_2, %key_1, %value_1 = func.call @ragged_b8.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.down_proj.weight, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_3, %key_2, %value_2 = func.call @ragged_b8.layer(%x_2, %model.layers.2.input_layernorm.weight, %model.layers.2.qkv.weight, %model.layers.2.self_attn.o_proj.weight, %model.layers.2.post_attention_layernorm.weight, %model.layers.2.gate_up.weight, %model.layers.2.mlp.down_proj.weight, %layer2.key, %layer2.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_4, %key_3, %value_3 = func.call @ragged_b8.layer(%x_3, %model.layers.3.input_layernorm.weight, %model.layers.3.qkv.weight, %model.layers.3.self_attn.o_proj.weight, %model.layers.3.post_attention_layernorm.weight, %model.layers.3.gate_up.weight, %model.layers.3.mlp.down_proj.weight, %layer3.key, %layer3.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_5, %key_4, %value_4 = func.call @ragged_b8.layer(%x_4, %model.layers.4.input_layernorm.weight, %model.layers.4.qkv.weight, %model.layers.4.self_attn.o_proj.weight, %model.layers.4.post_attention_layernorm.weight, %model.layers.4.gate_up.weight, %model.layers.4.mlp.down_proj.weight, %layer4.key, %layer4.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_6, %key_5, %value_5 = func.call @ragged_b8.layer(%x_5, %model.layers.5.input_layernorm.weight, %model.layers.5.qkv.weight, %model.layers.5.self_attn.o_proj.weight, %model.layers.5.post_attention_layernorm.weight, %model.layers.5.gate_up.weight, %model.layers.5.mlp.down_proj.weight, %layer5.key, %layer5.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_7, %key_6, %value_6 = func.call @ragged_b8.layer(%x_6, %model.layers.6.input_layernorm.weight, %model.layers.6.qkv.weight, %model.layers.6.self_attn.o_proj.weight, %model.layers.6.post_attention_layernorm.weight, %model.layers.6.gate_up.weight, %model.layers.6.mlp.down_proj.weight, %layer6.key, %layer6.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_8, %key_7, %value_7 = func.call @ragged_b8.layer(%x_7, %model.layers.7.input_layernorm.weight, %model.layers.7.qkv.weight, %model.layers.7.self_attn.o_proj.weight, %model.layers.7.post_attention_layernorm.weight, %model.layers.7.gate_up.weight, %model.layers.7.mlp.down_proj.weight, %layer7.key, %layer7.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_9, %key_8, %value_8 = func.call @ragged_b8.layer(%x_8, %model.layers.8.input_layernorm.weight, %model.layers.8.qkv.weight, %model.layers.8.self_attn.o_proj.weight, %model.layers.8.post_attention_layernorm.weight, %model.layers.8.gate_up.weight, %model.layers.8.mlp.down_proj.weight, %layer8.key, %layer8.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_10, %key_9, %value_9 = func.call @ragged_b8.layer(%x_9, %model.layers.9.input_layernorm.weight, %model.layers.9.qkv.weight, %model.layers.9.self_attn.o_proj.weight, %model.layers.9.post_attention_layernorm.weight, %model.layers.9.gate_up.weight, %model.layers.9.mlp.down_proj.weight, %layer9.key, %layer9.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_11, %key_10, %value_10 = func.call @ragged_b8.layer(%x_10, %model.layers.10.input_layernorm.weight, %model.layers.10.qkv.weight, %model.layers.10.self_attn.o_proj.weight, %model.layers.10.post_attention_layernorm.weight, %model.layers.10.gate_up.weight, %model.layers.10.mlp.down_proj.weight, %layer10.key, %layer10.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_12, %key_11, %value_11 = func.call @ragged_b8.layer(%x_11, %model.layers.11.input_layernorm.weight, %model.layers.11.qkv.weight, %model.layers.11.self_attn.o_proj.weight, %model.layers.11.post_attention_layernorm.weight, %model.layers.11.gate_up.weight, %model.layers.11.mlp.down_proj.weight, %layer11.key, %layer11.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_13, %key_12, %value_12 = func.call @ragged_b8.layer(%x_12, %model.layers.12.input_layernorm.weight, %model.layers.12.qkv.weight, %model.layers.12.self_attn.o_proj.weight, %model.layers.12.post_attention_layernorm.weight, %model.layers.12.gate_up.weight, %model.layers.12.mlp.down_proj.weight, %layer12.key, %layer12.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_14, %key_13, %value_13 = func.call @ragged_b8.layer(%x_13, %model.layers.13.input_layernorm.weight, %model.layers.13.qkv.weight, %model.layers.13.self_attn.o_proj.weight, %model.layers.13.post_attention_layernorm.weight, %model.layers.13.gate_up.weight, %model.layers.13.mlp.down_proj.weight, %layer13.key, %layer13.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_15, %key_14, %value_14 = func.call @ragged_b8.layer(%x_14, %model.layers.14.input_layernorm.weight, %model.layers.14.qkv.weight, %model.layers.14.self_attn.o_proj.weight, %model.layers.14.post_attention_layernorm.weight, %model.layers.14.gate_up.weight, %model.layers.14.mlp.down_proj.weight, %layer14.key, %layer14.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_16, %key_15, %value_15 = func.call @ragged_b8.layer(%x_15, %model.layers.15.input_layernorm.weight, %model.layers.15.qkv.weight, %model.layers.15.self_attn.o_proj.weight, %model.layers.15.post_attention_layernorm.weight, %model.layers.15.gate_up.weight, %model.layers.15.mlp.down_proj.weight, %layer15.key, %layer15.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_16, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b8.rms_norm} : (tensor<8x2048xf32>, tensor<2048xf32>) -> tensor<8x2048xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %model.embed_tokens.weight {decomposition = @ragged_b8.linear_5} : (tensor<8x2048xf32>, tensor<8016x2048x16xui16>) -> tensor<8x128256xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [1] : (tensor<8x128256xf32>, tensor<f32>) -> tensor<8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<8xf32>) -> tensor<8x128256xf32>
    %11 = stablehlo.compare EQ, %logits, %10, FLOAT : (tensor<8x128256xf32>, tensor<8x128256xf32>) -> tensor<8x128256xi1>
    %12 = stablehlo.iota dim = 1 : tensor<8x128256xi32>
    %c128256 = stablehlo.constant dense<128256> : tensor<8x128256xi32>
    %13 = stablehlo.select %11, %12, %c128256 : tensor<8x128256xi1>, tensor<8x128256xi32>
    %c128256_1 = stablehlo.constant dense<128256> : tensor<i32>
    %next = stablehlo.reduce(%13 init: %c128256_1) applies stablehlo.minimum across dimensions = [1] : (tensor<8x128256xi32>, tensor<i32>) -> tensor<8xi32>
    return %next, %logits, %key, %value, %key_1, %value_1, %key_2, %value_2, %key_3, %value_3, %key_4, %value_4, %key_5, %value_5, %key_6, %value_6, %key_7, %value_7, %key_8, %value_8, %key_9, %value_9, %key_10, %value_10, %key_11, %value_11, %key_12, %value_12, %key_13, %value_13, %key_14, %value_14, %key_15, %value_15 : tensor<8xi32>, tensor<8x128256xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @ragged_b8.layer(
      %x: tensor<8x2048xf32>,
      %input_layernorm.weight: tensor<2048xf32>,
      %qkv.weight: tensor<192x2048x16xui16>,
      %self_attn.o_proj.weight: tensor<128x2048x16xui16>,
      %post_attention_layernorm.weight: tensor<2048xf32>,
      %gate_up.weight: tensor<1024x2048x16xui16>,
      %mlp.down_proj.weight: tensor<128x8192x16xui16>,
      %key: tensor<9x8x129x64x16xui16>,
      %value: tensor<9x8x4x2064x16xui16>,
      %slot: tensor<8xi32>,
      %position: tensor<8xi32>,
      %mask: tensor<8x2064xi1>,
      %cos: tensor<8x32xf32>,
      %sin: tensor<8x32xf32>
  ) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b8.rms_norm} : (tensor<8x2048xf32>, tensor<2048xf32>) -> tensor<8x2048xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @ragged_b8.linear} : (tensor<8x2048xf32>, tensor<192x2048x16xui16>) -> tensor<8x3072xf32>
    %1 = stablehlo.slice %0 [0:8, 0:2048] : (tensor<8x3072xf32>) -> tensor<8x2048xf32>
    %2 = stablehlo.slice %0 [0:8, 2048:2560] : (tensor<8x3072xf32>) -> tensor<8x512xf32>
    %3 = stablehlo.slice %0 [0:8, 2560:3072] : (tensor<8x3072xf32>) -> tensor<8x512xf32>
    %4 = stablehlo.reshape %1 : (tensor<8x2048xf32>) -> tensor<8x32x64xf32>
    %q = stablehlo.composite "mlxc.rope" %4, %cos, %sin {decomposition = @ragged_b8.rope} : (tensor<8x32x64xf32>, tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32x64xf32>
    %5 = stablehlo.reshape %2 : (tensor<8x512xf32>) -> tensor<8x8x64xf32>
    %k = stablehlo.composite "mlxc.rope" %5, %cos, %sin {decomposition = @ragged_b8.rope_2} : (tensor<8x8x64xf32>, tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x8x64xf32>
    %v = stablehlo.reshape %3 : (tensor<8x512xf32>) -> tensor<8x8x64xf32>
    %6 = stablehlo.slice %q [0:1, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %8 = stablehlo.slice %k [0:1, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %10 = stablehlo.slice %v [0:1, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %12 = stablehlo.slice %slot [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %13 = stablehlo.reshape %12 : (tensor<1xi32>) -> tensor<i32>
    %14 = stablehlo.slice %position [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %15 = stablehlo.reshape %14 : (tensor<1xi32>) -> tensor<i32>
    %16 = stablehlo.slice %mask [0:1, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %17 = stablehlo.reshape %16 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %18 = stablehlo.slice %q [1:2, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %20 = stablehlo.slice %k [1:2, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %22 = stablehlo.slice %v [1:2, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %24 = stablehlo.slice %slot [1:2] : (tensor<8xi32>) -> tensor<1xi32>
    %25 = stablehlo.reshape %24 : (tensor<1xi32>) -> tensor<i32>
    %26 = stablehlo.slice %position [1:2] : (tensor<8xi32>) -> tensor<1xi32>
    %27 = stablehlo.reshape %26 : (tensor<1xi32>) -> tensor<i32>
    %28 = stablehlo.slice %mask [1:2, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %29 = stablehlo.reshape %28 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %30 = stablehlo.slice %q [2:3, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %32 = stablehlo.slice %k [2:3, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %34 = stablehlo.slice %v [2:3, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %36 = stablehlo.slice %slot [2:3] : (tensor<8xi32>) -> tensor<1xi32>
    %37 = stablehlo.reshape %36 : (tensor<1xi32>) -> tensor<i32>
    %38 = stablehlo.slice %position [2:3] : (tensor<8xi32>) -> tensor<1xi32>
    %39 = stablehlo.reshape %38 : (tensor<1xi32>) -> tensor<i32>
    %40 = stablehlo.slice %mask [2:3, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %41 = stablehlo.reshape %40 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %42 = stablehlo.slice %q [3:4, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %44 = stablehlo.slice %k [3:4, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %45 = stablehlo.reshape %44 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %46 = stablehlo.slice %v [3:4, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %47 = stablehlo.reshape %46 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %48 = stablehlo.slice %slot [3:4] : (tensor<8xi32>) -> tensor<1xi32>
    %49 = stablehlo.reshape %48 : (tensor<1xi32>) -> tensor<i32>
    %50 = stablehlo.slice %position [3:4] : (tensor<8xi32>) -> tensor<1xi32>
    %51 = stablehlo.reshape %50 : (tensor<1xi32>) -> tensor<i32>
    %52 = stablehlo.slice %mask [3:4, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %53 = stablehlo.reshape %52 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %54 = stablehlo.slice %q [4:5, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %56 = stablehlo.slice %k [4:5, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %57 = stablehlo.reshape %56 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %58 = stablehlo.slice %v [4:5, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %59 = stablehlo.reshape %58 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %60 = stablehlo.slice %slot [4:5] : (tensor<8xi32>) -> tensor<1xi32>
    %61 = stablehlo.reshape %60 : (tensor<1xi32>) -> tensor<i32>
    %62 = stablehlo.slice %position [4:5] : (tensor<8xi32>) -> tensor<1xi32>
    %63 = stablehlo.reshape %62 : (tensor<1xi32>) -> tensor<i32>
    %64 = stablehlo.slice %mask [4:5, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %65 = stablehlo.reshape %64 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %66 = stablehlo.slice %q [5:6, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %67 = stablehlo.reshape %66 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %68 = stablehlo.slice %k [5:6, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %69 = stablehlo.reshape %68 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %70 = stablehlo.slice %v [5:6, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %71 = stablehlo.reshape %70 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %72 = stablehlo.slice %slot [5:6] : (tensor<8xi32>) -> tensor<1xi32>
    %73 = stablehlo.reshape %72 : (tensor<1xi32>) -> tensor<i32>
    %74 = stablehlo.slice %position [5:6] : (tensor<8xi32>) -> tensor<1xi32>
    %75 = stablehlo.reshape %74 : (tensor<1xi32>) -> tensor<i32>
    %76 = stablehlo.slice %mask [5:6, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %77 = stablehlo.reshape %76 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %78 = stablehlo.slice %q [6:7, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %79 = stablehlo.reshape %78 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %80 = stablehlo.slice %k [6:7, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %81 = stablehlo.reshape %80 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %82 = stablehlo.slice %v [6:7, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %83 = stablehlo.reshape %82 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %84 = stablehlo.slice %slot [6:7] : (tensor<8xi32>) -> tensor<1xi32>
    %85 = stablehlo.reshape %84 : (tensor<1xi32>) -> tensor<i32>
    %86 = stablehlo.slice %position [6:7] : (tensor<8xi32>) -> tensor<1xi32>
    %87 = stablehlo.reshape %86 : (tensor<1xi32>) -> tensor<i32>
    %88 = stablehlo.slice %mask [6:7, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %89 = stablehlo.reshape %88 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %90 = stablehlo.slice %q [7:8, 0:32, 0:64] : (tensor<8x32x64xf32>) -> tensor<1x32x64xf32>
    %91 = stablehlo.reshape %90 : (tensor<1x32x64xf32>) -> tensor<8x4x64xf32>
    %92 = stablehlo.slice %k [7:8, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %93 = stablehlo.reshape %92 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %94 = stablehlo.slice %v [7:8, 0:8, 0:64] : (tensor<8x8x64xf32>) -> tensor<1x8x64xf32>
    %95 = stablehlo.reshape %94 : (tensor<1x8x64xf32>) -> tensor<8x1x64xf32>
    %96 = stablehlo.slice %slot [7:8] : (tensor<8xi32>) -> tensor<1xi32>
    %97 = stablehlo.reshape %96 : (tensor<1xi32>) -> tensor<i32>
    %98 = stablehlo.slice %position [7:8] : (tensor<8xi32>) -> tensor<1xi32>
    %99 = stablehlo.reshape %98 : (tensor<1xi32>) -> tensor<i32>
    %100 = stablehlo.slice %mask [7:8, 0:2064] : (tensor<8x2064xi1>) -> tensor<1x2064xi1>
    %101 = stablehlo.reshape %100 : (tensor<1x2064xi1>) -> tensor<2064xi1>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %102 = stablehlo.divide %15, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %103 = stablehlo.remainder %15, %c16 : tensor<i32>
    %104 = stablehlo.reshape %9 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %105 = stablehlo.convert %104 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %106 = stablehlo.bitcast_convert %105 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %106, %13, %c0, %102, %c0, %103 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %107 = stablehlo.reshape %11 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %108 = stablehlo.transpose %107, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %109 = stablehlo.reshape %108 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %110 = stablehlo.convert %109 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %111 = stablehlo.bitcast_convert %110 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %111, %13, %c0, %c0, %15, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %112 = stablehlo.divide %27, %c16 : tensor<i32>
    %113 = stablehlo.remainder %27, %c16 : tensor<i32>
    %114 = stablehlo.reshape %21 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %115 = stablehlo.convert %114 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %116 = stablehlo.bitcast_convert %115 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key_1 = stablehlo.dynamic_update_slice %new_key, %116, %25, %c0, %112, %c0, %113 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %117 = stablehlo.reshape %23 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %118 = stablehlo.transpose %117, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %119 = stablehlo.reshape %118 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %120 = stablehlo.convert %119 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %121 = stablehlo.bitcast_convert %120 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value_1 = stablehlo.dynamic_update_slice %new_value, %121, %25, %c0, %c0, %27, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %122 = stablehlo.divide %39, %c16 : tensor<i32>
    %123 = stablehlo.remainder %39, %c16 : tensor<i32>
    %124 = stablehlo.reshape %33 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %125 = stablehlo.convert %124 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %126 = stablehlo.bitcast_convert %125 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key_2 = stablehlo.dynamic_update_slice %new_key_1, %126, %37, %c0, %122, %c0, %123 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %127 = stablehlo.reshape %35 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %128 = stablehlo.transpose %127, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %129 = stablehlo.reshape %128 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %130 = stablehlo.convert %129 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %131 = stablehlo.bitcast_convert %130 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value_2 = stablehlo.dynamic_update_slice %new_value_1, %131, %37, %c0, %c0, %39, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %132 = stablehlo.divide %51, %c16 : tensor<i32>
    %133 = stablehlo.remainder %51, %c16 : tensor<i32>
    %134 = stablehlo.reshape %45 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %135 = stablehlo.convert %134 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %136 = stablehlo.bitcast_convert %135 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key_3 = stablehlo.dynamic_update_slice %new_key_2, %136, %49, %c0, %132, %c0, %133 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %137 = stablehlo.reshape %47 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %138 = stablehlo.transpose %137, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %139 = stablehlo.reshape %138 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %140 = stablehlo.convert %139 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %141 = stablehlo.bitcast_convert %140 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value_3 = stablehlo.dynamic_update_slice %new_value_2, %141, %49, %c0, %c0, %51, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %142 = stablehlo.divide %63, %c16 : tensor<i32>
    %143 = stablehlo.remainder %63, %c16 : tensor<i32>
    %144 = stablehlo.reshape %57 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %145 = stablehlo.convert %144 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %146 = stablehlo.bitcast_convert %145 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key_4 = stablehlo.dynamic_update_slice %new_key_3, %146, %61, %c0, %142, %c0, %143 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %147 = stablehlo.reshape %59 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %148 = stablehlo.transpose %147, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %149 = stablehlo.reshape %148 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %150 = stablehlo.convert %149 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %151 = stablehlo.bitcast_convert %150 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value_4 = stablehlo.dynamic_update_slice %new_value_3, %151, %61, %c0, %c0, %63, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %152 = stablehlo.divide %75, %c16 : tensor<i32>
    %153 = stablehlo.remainder %75, %c16 : tensor<i32>
    %154 = stablehlo.reshape %69 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %155 = stablehlo.convert %154 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %156 = stablehlo.bitcast_convert %155 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key_5 = stablehlo.dynamic_update_slice %new_key_4, %156, %73, %c0, %152, %c0, %153 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %157 = stablehlo.reshape %71 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %158 = stablehlo.transpose %157, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %159 = stablehlo.reshape %158 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %160 = stablehlo.convert %159 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %161 = stablehlo.bitcast_convert %160 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value_5 = stablehlo.dynamic_update_slice %new_value_4, %161, %73, %c0, %c0, %75, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %162 = stablehlo.divide %87, %c16 : tensor<i32>
    %163 = stablehlo.remainder %87, %c16 : tensor<i32>
    %164 = stablehlo.reshape %81 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %165 = stablehlo.convert %164 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %166 = stablehlo.bitcast_convert %165 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key_6 = stablehlo.dynamic_update_slice %new_key_5, %166, %85, %c0, %162, %c0, %163 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %167 = stablehlo.reshape %83 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %168 = stablehlo.transpose %167, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %169 = stablehlo.reshape %168 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %170 = stablehlo.convert %169 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %171 = stablehlo.bitcast_convert %170 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value_6 = stablehlo.dynamic_update_slice %new_value_5, %171, %85, %c0, %c0, %87, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %172 = stablehlo.divide %99, %c16 : tensor<i32>
    %173 = stablehlo.remainder %99, %c16 : tensor<i32>
    %174 = stablehlo.reshape %93 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %175 = stablehlo.convert %174 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %176 = stablehlo.bitcast_convert %175 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key_7 = stablehlo.dynamic_update_slice %new_key_6, %176, %97, %c0, %172, %c0, %173 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %177 = stablehlo.reshape %95 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %178 = stablehlo.transpose %177, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %179 = stablehlo.reshape %178 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %180 = stablehlo.convert %179 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %181 = stablehlo.bitcast_convert %180 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value_7 = stablehlo.dynamic_update_slice %new_value_6, %181, %97, %c0, %c0, %99, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %182 = stablehlo.dynamic_slice %new_key_7, %13, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys = stablehlo.reshape %182 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %183 = stablehlo.dynamic_slice %new_value_7, %13, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values = stablehlo.reshape %183 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %184 = stablehlo.composite "mlxc.attention" %7, %keys, %values, %17 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %185 = stablehlo.dynamic_slice %new_key_7, %25, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_1 = stablehlo.reshape %185 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %186 = stablehlo.dynamic_slice %new_value_7, %25, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_1 = stablehlo.reshape %186 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %187 = stablehlo.composite "mlxc.attention" %19, %keys_1, %values_1, %29 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %188 = stablehlo.dynamic_slice %new_key_7, %37, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_2 = stablehlo.reshape %188 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %189 = stablehlo.dynamic_slice %new_value_7, %37, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_2 = stablehlo.reshape %189 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %190 = stablehlo.composite "mlxc.attention" %31, %keys_2, %values_2, %41 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %191 = stablehlo.dynamic_slice %new_key_7, %49, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_3 = stablehlo.reshape %191 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %192 = stablehlo.dynamic_slice %new_value_7, %49, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_3 = stablehlo.reshape %192 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %193 = stablehlo.composite "mlxc.attention" %43, %keys_3, %values_3, %53 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %194 = stablehlo.dynamic_slice %new_key_7, %61, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_4 = stablehlo.reshape %194 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %195 = stablehlo.dynamic_slice %new_value_7, %61, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_4 = stablehlo.reshape %195 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %196 = stablehlo.composite "mlxc.attention" %55, %keys_4, %values_4, %65 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %197 = stablehlo.dynamic_slice %new_key_7, %73, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_5 = stablehlo.reshape %197 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %198 = stablehlo.dynamic_slice %new_value_7, %73, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_5 = stablehlo.reshape %198 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %199 = stablehlo.composite "mlxc.attention" %67, %keys_5, %values_5, %77 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %200 = stablehlo.dynamic_slice %new_key_7, %85, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_6 = stablehlo.reshape %200 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %201 = stablehlo.dynamic_slice %new_value_7, %85, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_6 = stablehlo.reshape %201 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %202 = stablehlo.composite "mlxc.attention" %79, %keys_6, %values_6, %89 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %203 = stablehlo.dynamic_slice %new_key_7, %97, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_7 = stablehlo.reshape %203 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %204 = stablehlo.dynamic_slice %new_value_7, %97, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_7 = stablehlo.reshape %204 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %205 = stablehlo.composite "mlxc.attention" %91, %keys_7, %values_7, %101 {composite_attributes = {scale = 0.125 : f64}, decomposition = @ragged_b8.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %206 = stablehlo.reshape %184 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %207 = stablehlo.reshape %187 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %208 = stablehlo.reshape %190 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %209 = stablehlo.reshape %193 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %210 = stablehlo.reshape %196 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %211 = stablehlo.reshape %199 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %212 = stablehlo.reshape %202 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %213 = stablehlo.reshape %205 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %attended = stablehlo.concatenate %206, %207, %208, %209, %210, %211, %212, %213, dim = 0 : (tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>) -> tensor<8x2048xf32>
    %attention = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @ragged_b8.linear_2} : (tensor<8x2048xf32>, tensor<128x2048x16xui16>) -> tensor<8x2048xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<8x2048xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @ragged_b8.rms_norm} : (tensor<8x2048xf32>, tensor<2048xf32>) -> tensor<8x2048xf32>
    %214 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @ragged_b8.linear_3} : (tensor<8x2048xf32>, tensor<1024x2048x16xui16>) -> tensor<8x16384xf32>
    %gate = stablehlo.slice %214 [0:8, 0:8192] : (tensor<8x16384xf32>) -> tensor<8x8192xf32>
    %up = stablehlo.slice %214 [0:8, 8192:16384] : (tensor<8x16384xf32>) -> tensor<8x8192xf32>
    %215 = stablehlo.logistic %gate : tensor<8x8192xf32>
    %216 = stablehlo.multiply %gate, %215 : tensor<8x8192xf32>
    %hidden = stablehlo.multiply %216, %up : tensor<8x8192xf32>
    %mlp = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @ragged_b8.linear_4} : (tensor<8x8192xf32>, tensor<128x8192x16xui16>) -> tensor<8x2048xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<8x2048xf32>
    return %x_2, %new_key_7, %new_value_7 : tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @ragged_b8.rms_norm(
      %x: tensor<8x2048xf32>,
      %weight: tensor<2048xf32>
  ) -> tensor<8x2048xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<8x2048xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<8x2048xf32>, tensor<f32>) -> tensor<8xf32>
    %c2048.0 = stablehlo.constant dense<2048.0> : tensor<8xf32>
    %mean = stablehlo.divide %1, %c2048.0 : tensor<8xf32>
    %c1.0e-05 = stablehlo.constant dense<1.0e-05> : tensor<8xf32>
    %2 = stablehlo.add %mean, %c1.0e-05 : tensor<8xf32>
    %scale = stablehlo.rsqrt %2 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<8xf32>) -> tensor<8x2048xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<8x2048xf32>
    %5 = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<2048xf32>) -> tensor<8x2048xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<8x2048xf32>
    return %6 : tensor<8x2048xf32>
  }

  func.func private @ragged_b8.linear(
      %x: tensor<8x2048xf32>,
      %weight: tensor<192x2048x16xui16>
  ) -> tensor<8x3072xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x2048xf32>) -> tensor<8x192x2048x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<192x2048x16xui16>) -> tensor<8x192x2048x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x192x2048x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x192x2048x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x192x2048x16xui16>) -> tensor<8x192x2048x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x192x2048x16xf16>) -> tensor<8x192x2048x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x192x2048x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x192x2048x16xf32>, tensor<f32>) -> tensor<8x192x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x192x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x192x16xf32>) -> tensor<8x3072xf32>
    return %8 : tensor<8x3072xf32>
  }

  func.func private @ragged_b8.rope(
      %x: tensor<8x32x64xf32>,
      %cos: tensor<8x32xf32>,
      %sin: tensor<8x32xf32>
  ) -> tensor<8x32x64xf32> {
    %0 = stablehlo.reshape %x : (tensor<8x32x64xf32>) -> tensor<8x32x2x32xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<8x32x2x32xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<8x32xf32>) -> tensor<8x32x2x32xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8x32x2x32xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<8x32xf32>) -> tensor<8x32x2x32xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x32x2x32xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<8x32x2x32xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<8x32x2x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<8x32x2x32xf32>
    %9 = stablehlo.reshape %8 : (tensor<8x32x2x32xf32>) -> tensor<8x32x64xf32>
    return %9 : tensor<8x32x64xf32>
  }

  func.func private @ragged_b8.rope_2(
      %x: tensor<8x8x64xf32>,
      %cos: tensor<8x32xf32>,
      %sin: tensor<8x32xf32>
  ) -> tensor<8x8x64xf32> {
    %0 = stablehlo.reshape %x : (tensor<8x8x64xf32>) -> tensor<8x8x2x32xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<8x8x2x32xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [0, 3] : (tensor<8x32xf32>) -> tensor<8x8x2x32xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8x8x2x32xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [0, 3] : (tensor<8x32xf32>) -> tensor<8x8x2x32xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x8x2x32xf32>
    %6 = stablehlo.reverse %0, dims = [2] : tensor<8x8x2x32xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<8x8x2x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<8x8x2x32xf32>
    %9 = stablehlo.reshape %8 : (tensor<8x8x2x32xf32>) -> tensor<8x8x64xf32>
    return %9 : tensor<8x8x64xf32>
  }

  func.func private @ragged_b8.attention(
      %query: tensor<8x4x64xf32>,
      %keys: tensor<8x129x64x16xui16>,
      %values: tensor<8x4x2064x16xui16>,
      %mask: tensor<2064xi1>
  ) -> tensor<8x4x64xf32> {
    %c0.125 = stablehlo.constant dense<0.125> : tensor<8x4x64xf32>
    %0 = stablehlo.multiply %query, %c0.125 : tensor<8x4x64xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 3] : (tensor<8x4x64xf32>) -> tensor<8x4x129x64x16xf32>
    %2 = stablehlo.broadcast_in_dim %keys, dims = [0, 2, 3, 4] : (tensor<8x129x64x16xui16>) -> tensor<8x4x129x64x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x4x129x64x16xui16>
    %3 = stablehlo.xor %2, %c32768 : tensor<8x4x129x64x16xui16>
    %4 = stablehlo.bitcast_convert %3 : (tensor<8x4x129x64x16xui16>) -> tensor<8x4x129x64x16xf16>
    %5 = stablehlo.convert %4 : (tensor<8x4x129x64x16xf16>) -> tensor<8x4x129x64x16xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<8x4x129x64x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<8x4x129x64x16xf32>, tensor<f32>) -> tensor<8x4x129x16xf32>
    %8 = stablehlo.negate %7 : tensor<8x4x129x16xf32>
    %scores = stablehlo.reshape %8 : (tensor<8x4x129x16xf32>) -> tensor<8x4x2064xf32>
    %9 = stablehlo.broadcast_in_dim %mask, dims = [2] : (tensor<2064xi1>) -> tensor<8x4x2064xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<8x4x2064xf32>
    %10 = stablehlo.select %9, %scores, %c-1.0e30 : tensor<8x4x2064xi1>, tensor<8x4x2064xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %c-inf) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x2064xf32>, tensor<f32>) -> tensor<8x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x2064xf32>
    %13 = stablehlo.subtract %10, %12 : tensor<8x4x2064xf32>
    %probs = stablehlo.exponential %13 : tensor<8x4x2064xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x4x2064xf32>, tensor<f32>) -> tensor<8x4xf32>
    %14 = stablehlo.broadcast_in_dim %probs, dims = [0, 1, 3] : (tensor<8x4x2064xf32>) -> tensor<8x4x4x2064x16xf32>
    %15 = stablehlo.broadcast_in_dim %values, dims = [0, 2, 3, 4] : (tensor<8x4x2064x16xui16>) -> tensor<8x4x4x2064x16xui16>
    %c32768_1 = stablehlo.constant dense<32768> : tensor<8x4x4x2064x16xui16>
    %16 = stablehlo.xor %15, %c32768_1 : tensor<8x4x4x2064x16xui16>
    %17 = stablehlo.bitcast_convert %16 : (tensor<8x4x4x2064x16xui16>) -> tensor<8x4x4x2064x16xf16>
    %18 = stablehlo.convert %17 : (tensor<8x4x4x2064x16xf16>) -> tensor<8x4x4x2064x16xf32>
    %19 = stablehlo.multiply %14, %18 : tensor<8x4x4x2064x16xf32>
    %20 = stablehlo.reduce(%19 init: %c0.0) applies stablehlo.add across dimensions = [3] : (tensor<8x4x4x2064x16xf32>, tensor<f32>) -> tensor<8x4x4x16xf32>
    %21 = stablehlo.negate %20 : tensor<8x4x4x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<8x4x4x16xf32>) -> tensor<8x4x64xf32>
    %23 = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x64xf32>
    %24 = stablehlo.divide %22, %23 : tensor<8x4x64xf32>
    return %24 : tensor<8x4x64xf32>
  }

  func.func private @ragged_b8.linear_2(
      %x: tensor<8x2048xf32>,
      %weight: tensor<128x2048x16xui16>
  ) -> tensor<8x2048xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x2048xf32>) -> tensor<8x128x2048x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<128x2048x16xui16>) -> tensor<8x128x2048x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x128x2048x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x128x2048x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x128x2048x16xui16>) -> tensor<8x128x2048x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x128x2048x16xf16>) -> tensor<8x128x2048x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x128x2048x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x128x2048x16xf32>, tensor<f32>) -> tensor<8x128x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x128x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x128x16xf32>) -> tensor<8x2048xf32>
    return %8 : tensor<8x2048xf32>
  }

  func.func private @ragged_b8.linear_3(
      %x: tensor<8x2048xf32>,
      %weight: tensor<1024x2048x16xui16>
  ) -> tensor<8x16384xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x2048xf32>) -> tensor<8x1024x2048x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<1024x2048x16xui16>) -> tensor<8x1024x2048x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x1024x2048x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x1024x2048x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x1024x2048x16xui16>) -> tensor<8x1024x2048x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x1024x2048x16xf16>) -> tensor<8x1024x2048x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x1024x2048x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048x16xf32>, tensor<f32>) -> tensor<8x1024x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x1024x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x1024x16xf32>) -> tensor<8x16384xf32>
    return %8 : tensor<8x16384xf32>
  }

  func.func private @ragged_b8.linear_4(
      %x: tensor<8x8192xf32>,
      %weight: tensor<128x8192x16xui16>
  ) -> tensor<8x2048xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x8192xf32>) -> tensor<8x128x8192x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<128x8192x16xui16>) -> tensor<8x128x8192x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x128x8192x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x128x8192x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x128x8192x16xui16>) -> tensor<8x128x8192x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x128x8192x16xf16>) -> tensor<8x128x8192x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x128x8192x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x128x8192x16xf32>, tensor<f32>) -> tensor<8x128x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x128x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x128x16xf32>) -> tensor<8x2048xf32>
    return %8 : tensor<8x2048xf32>
  }

  func.func private @ragged_b8.linear_5(
      %x: tensor<8x2048xf32>,
      %weight: tensor<8016x2048x16xui16>
  ) -> tensor<8x128256xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x2048xf32>) -> tensor<8x8016x2048x16xf32>
    %1 = stablehlo.broadcast_in_dim %weight, dims = [1, 2, 3] : (tensor<8016x2048x16xui16>) -> tensor<8x8016x2048x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x8016x2048x16xui16>
    %2 = stablehlo.xor %1, %c32768 : tensor<8x8016x2048x16xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x8016x2048x16xui16>) -> tensor<8x8016x2048x16xf16>
    %4 = stablehlo.convert %3 : (tensor<8x8016x2048x16xf16>) -> tensor<8x8016x2048x16xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x8016x2048x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x8016x2048x16xf32>, tensor<f32>) -> tensor<8x8016x16xf32>
    %7 = stablehlo.negate %6 : tensor<8x8016x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x8016x16xf32>) -> tensor<8x128256xf32>
    return %8 : tensor<8x128256xf32>
  }
}
