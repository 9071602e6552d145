module @ragged_b8 attributes {mlxc.ir_version = 2 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @main(
      %model.embed_tokens.weight: tensor<128256x2048xf16>,
      %model.layers.0.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.0.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.0.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.0.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.0.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.0.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.1.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.1.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.1.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.1.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.1.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.1.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.2.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.2.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.2.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.2.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.2.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.2.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.3.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.3.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.3.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.3.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.3.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.3.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.4.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.4.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.4.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.4.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.4.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.4.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.5.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.5.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.5.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.5.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.5.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.5.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.6.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.6.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.6.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.6.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.6.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.6.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.7.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.7.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.7.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.7.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.7.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.7.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.8.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.8.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.8.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.8.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.8.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.8.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.9.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.9.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.9.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.9.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.9.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.9.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.10.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.10.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.10.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.10.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.10.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.10.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.11.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.11.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.11.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.11.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.11.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.11.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.12.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.12.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.12.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.12.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.12.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.12.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.13.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.13.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.13.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.13.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.13.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.13.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.14.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.14.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.14.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.14.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.14.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.14.mlp.down_proj.weight: tensor<2048x8192xf16>,
      %model.layers.15.input_layernorm.weight: tensor<2048xf32>,
      %model.layers.15.qkv.weight: tensor<3072x2048xf16>,
      %model.layers.15.self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %model.layers.15.post_attention_layernorm.weight: tensor<2048xf32>,
      %model.layers.15.gate_up.weight: tensor<16384x2048xf16>,
      %model.layers.15.mlp.down_proj.weight: tensor<2048x8192xf16>,
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
    %0 = "stablehlo.gather"(%model.embed_tokens.weight, %token) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2048>}> : (tensor<128256x2048xf16>, tensor<8xi32>) -> tensor<8x2048xf16>
    %x = stablehlo.convert %0 : (tensor<8x2048xf16>) -> tensor<8x2048xf32>
    %1 = stablehlo.iota dim = 1 : tensor<8x2064xi32>
    %2 = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<8xi32>) -> tensor<8x2064xi32>
    %mask = stablehlo.compare LE, %1, %2, SIGNED : (tensor<8x2064xi32>, tensor<8x2064xi32>) -> tensor<8x2064xi1>
    %x_1, %key, %value = func.call @layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.down_proj.weight, %layer0.key, %layer0.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_2, %key_1, %value_1 = func.call @layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.down_proj.weight, %layer1.key, %layer1.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_3, %key_2, %value_2 = func.call @layer(%x_2, %model.layers.2.input_layernorm.weight, %model.layers.2.qkv.weight, %model.layers.2.self_attn.o_proj.weight, %model.layers.2.post_attention_layernorm.weight, %model.layers.2.gate_up.weight, %model.layers.2.mlp.down_proj.weight, %layer2.key, %layer2.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_4, %key_3, %value_3 = func.call @layer(%x_3, %model.layers.3.input_layernorm.weight, %model.layers.3.qkv.weight, %model.layers.3.self_attn.o_proj.weight, %model.layers.3.post_attention_layernorm.weight, %model.layers.3.gate_up.weight, %model.layers.3.mlp.down_proj.weight, %layer3.key, %layer3.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_5, %key_4, %value_4 = func.call @layer(%x_4, %model.layers.4.input_layernorm.weight, %model.layers.4.qkv.weight, %model.layers.4.self_attn.o_proj.weight, %model.layers.4.post_attention_layernorm.weight, %model.layers.4.gate_up.weight, %model.layers.4.mlp.down_proj.weight, %layer4.key, %layer4.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_6, %key_5, %value_5 = func.call @layer(%x_5, %model.layers.5.input_layernorm.weight, %model.layers.5.qkv.weight, %model.layers.5.self_attn.o_proj.weight, %model.layers.5.post_attention_layernorm.weight, %model.layers.5.gate_up.weight, %model.layers.5.mlp.down_proj.weight, %layer5.key, %layer5.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_7, %key_6, %value_6 = func.call @layer(%x_6, %model.layers.6.input_layernorm.weight, %model.layers.6.qkv.weight, %model.layers.6.self_attn.o_proj.weight, %model.layers.6.post_attention_layernorm.weight, %model.layers.6.gate_up.weight, %model.layers.6.mlp.down_proj.weight, %layer6.key, %layer6.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_8, %key_7, %value_7 = func.call @layer(%x_7, %model.layers.7.input_layernorm.weight, %model.layers.7.qkv.weight, %model.layers.7.self_attn.o_proj.weight, %model.layers.7.post_attention_layernorm.weight, %model.layers.7.gate_up.weight, %model.layers.7.mlp.down_proj.weight, %layer7.key, %layer7.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_9, %key_8, %value_8 = func.call @layer(%x_8, %model.layers.8.input_layernorm.weight, %model.layers.8.qkv.weight, %model.layers.8.self_attn.o_proj.weight, %model.layers.8.post_attention_layernorm.weight, %model.layers.8.gate_up.weight, %model.layers.8.mlp.down_proj.weight, %layer8.key, %layer8.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_10, %key_9, %value_9 = func.call @layer(%x_9, %model.layers.9.input_layernorm.weight, %model.layers.9.qkv.weight, %model.layers.9.self_attn.o_proj.weight, %model.layers.9.post_attention_layernorm.weight, %model.layers.9.gate_up.weight, %model.layers.9.mlp.down_proj.weight, %layer9.key, %layer9.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_11, %key_10, %value_10 = func.call @layer(%x_10, %model.layers.10.input_layernorm.weight, %model.layers.10.qkv.weight, %model.layers.10.self_attn.o_proj.weight, %model.layers.10.post_attention_layernorm.weight, %model.layers.10.gate_up.weight, %model.layers.10.mlp.down_proj.weight, %layer10.key, %layer10.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_12, %key_11, %value_11 = func.call @layer(%x_11, %model.layers.11.input_layernorm.weight, %model.layers.11.qkv.weight, %model.layers.11.self_attn.o_proj.weight, %model.layers.11.post_attention_layernorm.weight, %model.layers.11.gate_up.weight, %model.layers.11.mlp.down_proj.weight, %layer11.key, %layer11.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_13, %key_12, %value_12 = func.call @layer(%x_12, %model.layers.12.input_layernorm.weight, %model.layers.12.qkv.weight, %model.layers.12.self_attn.o_proj.weight, %model.layers.12.post_attention_layernorm.weight, %model.layers.12.gate_up.weight, %model.layers.12.mlp.down_proj.weight, %layer12.key, %layer12.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_14, %key_13, %value_13 = func.call @layer(%x_13, %model.layers.13.input_layernorm.weight, %model.layers.13.qkv.weight, %model.layers.13.self_attn.o_proj.weight, %model.layers.13.post_attention_layernorm.weight, %model.layers.13.gate_up.weight, %model.layers.13.mlp.down_proj.weight, %layer13.key, %layer13.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_15, %key_14, %value_14 = func.call @layer(%x_14, %model.layers.14.input_layernorm.weight, %model.layers.14.qkv.weight, %model.layers.14.self_attn.o_proj.weight, %model.layers.14.post_attention_layernorm.weight, %model.layers.14.gate_up.weight, %model.layers.14.mlp.down_proj.weight, %layer14.key, %layer14.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_16, %key_15, %value_15 = func.call @layer(%x_15, %model.layers.15.input_layernorm.weight, %model.layers.15.qkv.weight, %model.layers.15.self_attn.o_proj.weight, %model.layers.15.post_attention_layernorm.weight, %model.layers.15.gate_up.weight, %model.layers.15.mlp.down_proj.weight, %layer15.key, %layer15.value, %slot, %position, %mask, %cos, %sin) : (tensor<8x2048xf32>, tensor<2048xf32>, tensor<3072x2048xf16>, tensor<2048x2048xf16>, tensor<2048xf32>, tensor<16384x2048xf16>, tensor<2048x8192xf16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<8xi32>, tensor<8xi32>, tensor<8x2064xi1>, tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_16, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @rms_norm} : (tensor<8x2048xf32>, tensor<2048xf32>) -> tensor<8x2048xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %model.embed_tokens.weight {decomposition = @linear_5} : (tensor<8x2048xf32>, tensor<128256x2048xf16>) -> tensor<8x128256xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [1] : (tensor<8x128256xf32>, tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xf32>) -> tensor<8x128256xf32>
    %5 = stablehlo.compare EQ, %logits, %4, FLOAT : (tensor<8x128256xf32>, tensor<8x128256xf32>) -> tensor<8x128256xi1>
    %6 = stablehlo.iota dim = 1 : tensor<8x128256xi32>
    %c128256 = stablehlo.constant dense<128256> : tensor<8x128256xi32>
    %7 = stablehlo.select %5, %6, %c128256 : tensor<8x128256xi1>, tensor<8x128256xi32>
    %c128256_1 = stablehlo.constant dense<128256> : tensor<i32>
    %next = stablehlo.reduce(%7 init: %c128256_1) applies stablehlo.minimum across dimensions = [1] : (tensor<8x128256xi32>, tensor<i32>) -> tensor<8xi32>
    return %next, %logits, %key, %value, %key_1, %value_1, %key_2, %value_2, %key_3, %value_3, %key_4, %value_4, %key_5, %value_5, %key_6, %value_6, %key_7, %value_7, %key_8, %value_8, %key_9, %value_9, %key_10, %value_10, %key_11, %value_11, %key_12, %value_12, %key_13, %value_13, %key_14, %value_14, %key_15, %value_15 : tensor<8xi32>, tensor<8x128256xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @layer(
      %x: tensor<8x2048xf32>,
      %input_layernorm.weight: tensor<2048xf32>,
      %qkv.weight: tensor<3072x2048xf16>,
      %self_attn.o_proj.weight: tensor<2048x2048xf16>,
      %post_attention_layernorm.weight: tensor<2048xf32>,
      %gate_up.weight: tensor<16384x2048xf16>,
      %mlp.down_proj.weight: tensor<2048x8192xf16>,
      %key: tensor<9x8x129x64x16xui16>,
      %value: tensor<9x8x4x2064x16xui16>,
      %slot: tensor<8xi32>,
      %position: tensor<8xi32>,
      %mask: tensor<8x2064xi1>,
      %cos: tensor<8x32xf32>,
      %sin: tensor<8x32xf32>
  ) -> (tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @rms_norm} : (tensor<8x2048xf32>, tensor<2048xf32>) -> tensor<8x2048xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @linear} : (tensor<8x2048xf32>, tensor<3072x2048xf16>) -> tensor<8x3072xf32>
    %1 = stablehlo.slice %0 [0:8, 0:2048] : (tensor<8x3072xf32>) -> tensor<8x2048xf32>
    %2 = stablehlo.slice %0 [0:8, 2048:2560] : (tensor<8x3072xf32>) -> tensor<8x512xf32>
    %3 = stablehlo.slice %0 [0:8, 2560:3072] : (tensor<8x3072xf32>) -> tensor<8x512xf32>
    %4 = stablehlo.reshape %1 : (tensor<8x2048xf32>) -> tensor<8x32x64xf32>
    %q = stablehlo.composite "mlxc.rope" %4, %cos, %sin {decomposition = @rope} : (tensor<8x32x64xf32>, tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32x64xf32>
    %5 = stablehlo.reshape %2 : (tensor<8x512xf32>) -> tensor<8x8x64xf32>
    %k = stablehlo.composite "mlxc.rope" %5, %cos, %sin {decomposition = @rope_2} : (tensor<8x8x64xf32>, tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x8x64xf32>
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
    %c32768 = stablehlo.constant dense<32768> : tensor<1x8x1x64x1xui16>
    %107 = stablehlo.xor %106, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %107, %13, %c0, %102, %c0, %103 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %108 = stablehlo.reshape %11 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %109 = stablehlo.transpose %108, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %110 = stablehlo.reshape %109 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %111 = stablehlo.convert %110 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %112 = stablehlo.bitcast_convert %111 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %c32768_1 = stablehlo.constant dense<32768> : tensor<1x8x4x1x16xui16>
    %113 = stablehlo.xor %112, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %113, %13, %c0, %c0, %15, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %114 = stablehlo.divide %27, %c16 : tensor<i32>
    %115 = stablehlo.remainder %27, %c16 : tensor<i32>
    %116 = stablehlo.reshape %21 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %117 = stablehlo.convert %116 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %118 = stablehlo.bitcast_convert %117 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %119 = stablehlo.xor %118, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key_1 = stablehlo.dynamic_update_slice %new_key, %119, %25, %c0, %114, %c0, %115 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %120 = stablehlo.reshape %23 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %121 = stablehlo.transpose %120, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %122 = stablehlo.reshape %121 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %123 = stablehlo.convert %122 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %124 = stablehlo.bitcast_convert %123 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %125 = stablehlo.xor %124, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value_1 = stablehlo.dynamic_update_slice %new_value, %125, %25, %c0, %c0, %27, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %126 = stablehlo.divide %39, %c16 : tensor<i32>
    %127 = stablehlo.remainder %39, %c16 : tensor<i32>
    %128 = stablehlo.reshape %33 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %129 = stablehlo.convert %128 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %130 = stablehlo.bitcast_convert %129 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %131 = stablehlo.xor %130, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key_2 = stablehlo.dynamic_update_slice %new_key_1, %131, %37, %c0, %126, %c0, %127 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %132 = stablehlo.reshape %35 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %133 = stablehlo.transpose %132, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %134 = stablehlo.reshape %133 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %135 = stablehlo.convert %134 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %136 = stablehlo.bitcast_convert %135 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %137 = stablehlo.xor %136, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value_2 = stablehlo.dynamic_update_slice %new_value_1, %137, %37, %c0, %c0, %39, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %138 = stablehlo.divide %51, %c16 : tensor<i32>
    %139 = stablehlo.remainder %51, %c16 : tensor<i32>
    %140 = stablehlo.reshape %45 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %141 = stablehlo.convert %140 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %142 = stablehlo.bitcast_convert %141 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %143 = stablehlo.xor %142, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key_3 = stablehlo.dynamic_update_slice %new_key_2, %143, %49, %c0, %138, %c0, %139 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %144 = stablehlo.reshape %47 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %145 = stablehlo.transpose %144, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %146 = stablehlo.reshape %145 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %147 = stablehlo.convert %146 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %148 = stablehlo.bitcast_convert %147 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %149 = stablehlo.xor %148, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value_3 = stablehlo.dynamic_update_slice %new_value_2, %149, %49, %c0, %c0, %51, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %150 = stablehlo.divide %63, %c16 : tensor<i32>
    %151 = stablehlo.remainder %63, %c16 : tensor<i32>
    %152 = stablehlo.reshape %57 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %153 = stablehlo.convert %152 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %154 = stablehlo.bitcast_convert %153 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %155 = stablehlo.xor %154, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key_4 = stablehlo.dynamic_update_slice %new_key_3, %155, %61, %c0, %150, %c0, %151 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %156 = stablehlo.reshape %59 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %157 = stablehlo.transpose %156, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %158 = stablehlo.reshape %157 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %159 = stablehlo.convert %158 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %160 = stablehlo.bitcast_convert %159 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %161 = stablehlo.xor %160, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value_4 = stablehlo.dynamic_update_slice %new_value_3, %161, %61, %c0, %c0, %63, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %162 = stablehlo.divide %75, %c16 : tensor<i32>
    %163 = stablehlo.remainder %75, %c16 : tensor<i32>
    %164 = stablehlo.reshape %69 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %165 = stablehlo.convert %164 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %166 = stablehlo.bitcast_convert %165 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %167 = stablehlo.xor %166, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key_5 = stablehlo.dynamic_update_slice %new_key_4, %167, %73, %c0, %162, %c0, %163 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %168 = stablehlo.reshape %71 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %169 = stablehlo.transpose %168, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %170 = stablehlo.reshape %169 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %171 = stablehlo.convert %170 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %172 = stablehlo.bitcast_convert %171 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %173 = stablehlo.xor %172, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value_5 = stablehlo.dynamic_update_slice %new_value_4, %173, %73, %c0, %c0, %75, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %174 = stablehlo.divide %87, %c16 : tensor<i32>
    %175 = stablehlo.remainder %87, %c16 : tensor<i32>
    %176 = stablehlo.reshape %81 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %177 = stablehlo.convert %176 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %178 = stablehlo.bitcast_convert %177 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %179 = stablehlo.xor %178, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key_6 = stablehlo.dynamic_update_slice %new_key_5, %179, %85, %c0, %174, %c0, %175 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %180 = stablehlo.reshape %83 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %181 = stablehlo.transpose %180, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %182 = stablehlo.reshape %181 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %183 = stablehlo.convert %182 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %184 = stablehlo.bitcast_convert %183 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %185 = stablehlo.xor %184, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value_6 = stablehlo.dynamic_update_slice %new_value_5, %185, %85, %c0, %c0, %87, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %186 = stablehlo.divide %99, %c16 : tensor<i32>
    %187 = stablehlo.remainder %99, %c16 : tensor<i32>
    %188 = stablehlo.reshape %93 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %189 = stablehlo.convert %188 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %190 = stablehlo.bitcast_convert %189 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %191 = stablehlo.xor %190, %c32768 : tensor<1x8x1x64x1xui16>
    %new_key_7 = stablehlo.dynamic_update_slice %new_key_6, %191, %97, %c0, %186, %c0, %187 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %192 = stablehlo.reshape %95 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %193 = stablehlo.transpose %192, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %194 = stablehlo.reshape %193 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %195 = stablehlo.convert %194 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %196 = stablehlo.bitcast_convert %195 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %197 = stablehlo.xor %196, %c32768_1 : tensor<1x8x4x1x16xui16>
    %new_value_7 = stablehlo.dynamic_update_slice %new_value_6, %197, %97, %c0, %c0, %99, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %198 = stablehlo.dynamic_slice %new_key_7, %13, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys = stablehlo.reshape %198 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %199 = stablehlo.dynamic_slice %new_value_7, %13, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values = stablehlo.reshape %199 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %200 = stablehlo.composite "mlxc.attention" %7, %keys, %values, %17 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %201 = stablehlo.dynamic_slice %new_key_7, %25, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_1 = stablehlo.reshape %201 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %202 = stablehlo.dynamic_slice %new_value_7, %25, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_1 = stablehlo.reshape %202 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %203 = stablehlo.composite "mlxc.attention" %19, %keys_1, %values_1, %29 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %204 = stablehlo.dynamic_slice %new_key_7, %37, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_2 = stablehlo.reshape %204 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %205 = stablehlo.dynamic_slice %new_value_7, %37, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_2 = stablehlo.reshape %205 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %206 = stablehlo.composite "mlxc.attention" %31, %keys_2, %values_2, %41 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %207 = stablehlo.dynamic_slice %new_key_7, %49, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_3 = stablehlo.reshape %207 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %208 = stablehlo.dynamic_slice %new_value_7, %49, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_3 = stablehlo.reshape %208 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %209 = stablehlo.composite "mlxc.attention" %43, %keys_3, %values_3, %53 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %210 = stablehlo.dynamic_slice %new_key_7, %61, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_4 = stablehlo.reshape %210 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %211 = stablehlo.dynamic_slice %new_value_7, %61, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_4 = stablehlo.reshape %211 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %212 = stablehlo.composite "mlxc.attention" %55, %keys_4, %values_4, %65 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %213 = stablehlo.dynamic_slice %new_key_7, %73, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_5 = stablehlo.reshape %213 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %214 = stablehlo.dynamic_slice %new_value_7, %73, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_5 = stablehlo.reshape %214 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %215 = stablehlo.composite "mlxc.attention" %67, %keys_5, %values_5, %77 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %216 = stablehlo.dynamic_slice %new_key_7, %85, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_6 = stablehlo.reshape %216 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %217 = stablehlo.dynamic_slice %new_value_7, %85, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_6 = stablehlo.reshape %217 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %218 = stablehlo.composite "mlxc.attention" %79, %keys_6, %values_6, %89 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %219 = stablehlo.dynamic_slice %new_key_7, %97, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys_7 = stablehlo.reshape %219 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %220 = stablehlo.dynamic_slice %new_value_7, %97, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values_7 = stablehlo.reshape %220 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %221 = stablehlo.composite "mlxc.attention" %91, %keys_7, %values_7, %101 {composite_attributes = {scale = 0.125 : f64}, decomposition = @attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %222 = stablehlo.reshape %200 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %223 = stablehlo.reshape %203 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %224 = stablehlo.reshape %206 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %225 = stablehlo.reshape %209 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %226 = stablehlo.reshape %212 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %227 = stablehlo.reshape %215 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %228 = stablehlo.reshape %218 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %229 = stablehlo.reshape %221 : (tensor<8x4x64xf32>) -> tensor<1x2048xf32>
    %attended = stablehlo.concatenate %222, %223, %224, %225, %226, %227, %228, %229, dim = 0 : (tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>) -> tensor<8x2048xf32>
    %attention = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @linear_2} : (tensor<8x2048xf32>, tensor<2048x2048xf16>) -> tensor<8x2048xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<8x2048xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @rms_norm} : (tensor<8x2048xf32>, tensor<2048xf32>) -> tensor<8x2048xf32>
    %230 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @linear_3} : (tensor<8x2048xf32>, tensor<16384x2048xf16>) -> tensor<8x16384xf32>
    %gate = stablehlo.slice %230 [0:8, 0:8192] : (tensor<8x16384xf32>) -> tensor<8x8192xf32>
    %up = stablehlo.slice %230 [0:8, 8192:16384] : (tensor<8x16384xf32>) -> tensor<8x8192xf32>
    %231 = stablehlo.logistic %gate : tensor<8x8192xf32>
    %232 = stablehlo.multiply %gate, %231 : tensor<8x8192xf32>
    %hidden = stablehlo.multiply %232, %up : tensor<8x8192xf32>
    %mlp = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @linear_4} : (tensor<8x8192xf32>, tensor<2048x8192xf16>) -> tensor<8x2048xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<8x2048xf32>
    return %x_2, %new_key_7, %new_value_7 : tensor<8x2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @rms_norm(%x: tensor<8x2048xf32>, %weight: tensor<2048xf32>) -> tensor<8x2048xf32> {
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

  func.func private @linear(%x: tensor<8x2048xf32>, %weight: tensor<3072x2048xf16>) -> tensor<8x3072xf32> {
    %0 = stablehlo.convert %weight : (tensor<3072x2048xf16>) -> tensor<3072x2048xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1] : (tensor<8x2048xf32>, tensor<3072x2048xf32>) -> tensor<8x3072xf32>
    return %1 : tensor<8x3072xf32>
  }

  func.func private @rope(
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

  func.func private @rope_2(
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

  func.func private @attention(
      %query: tensor<8x4x64xf32>,
      %keys: tensor<8x129x64x16xui16>,
      %values: tensor<8x4x2064x16xui16>,
      %mask: tensor<2064xi1>
  ) -> tensor<8x4x64xf32> {
    %c0.125 = stablehlo.constant dense<0.125> : tensor<8x4x64xf32>
    %0 = stablehlo.multiply %query, %c0.125 : tensor<8x4x64xf32>
    %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<8x4x64xf32>) -> tensor<8x64x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2, 3] : (tensor<8x64x4xf32>) -> tensor<8x129x64x4x16xf32>
    %3 = stablehlo.broadcast_in_dim %keys, dims = [0, 1, 2, 4] : (tensor<8x129x64x16xui16>) -> tensor<8x129x64x4x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<8x129x64x4x16xui16>
    %4 = stablehlo.xor %3, %c32768 : tensor<8x129x64x4x16xui16>
    %5 = stablehlo.bitcast_convert %4 : (tensor<8x129x64x4x16xui16>) -> tensor<8x129x64x4x16xf16>
    %6 = stablehlo.convert %5 : (tensor<8x129x64x4x16xf16>) -> tensor<8x129x64x4x16xf32>
    %7 = stablehlo.multiply %2, %6 : tensor<8x129x64x4x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x129x64x4x16xf32>, tensor<f32>) -> tensor<8x129x4x16xf32>
    %9 = stablehlo.transpose %8, dims = [0, 2, 1, 3] : (tensor<8x129x4x16xf32>) -> tensor<8x4x129x16xf32>
    %scores = stablehlo.reshape %9 : (tensor<8x4x129x16xf32>) -> tensor<8x4x2064xf32>
    %10 = stablehlo.broadcast_in_dim %mask, dims = [2] : (tensor<2064xi1>) -> tensor<8x4x2064xi1>
    %c-1.0e30 = stablehlo.constant dense<-1.0e+30> : tensor<8x4x2064xf32>
    %11 = stablehlo.select %10, %scores, %c-1.0e30 : tensor<8x4x2064xi1>, tensor<8x4x2064xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %c-inf) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x2064xf32>, tensor<f32>) -> tensor<8x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x2064xf32>
    %14 = stablehlo.subtract %11, %13 : tensor<8x4x2064xf32>
    %probs = stablehlo.exponential %14 : tensor<8x4x2064xf32>
    %sum = stablehlo.reduce(%probs init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x4x2064xf32>, tensor<f32>) -> tensor<8x4xf32>
    %15 = stablehlo.transpose %probs, dims = [0, 2, 1] : (tensor<8x4x2064xf32>) -> tensor<8x2064x4xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 2, 3] : (tensor<8x2064x4xf32>) -> tensor<8x4x2064x4x16xf32>
    %17 = stablehlo.broadcast_in_dim %values, dims = [0, 1, 2, 4] : (tensor<8x4x2064x16xui16>) -> tensor<8x4x2064x4x16xui16>
    %c32768_1 = stablehlo.constant dense<32768> : tensor<8x4x2064x4x16xui16>
    %18 = stablehlo.xor %17, %c32768_1 : tensor<8x4x2064x4x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<8x4x2064x4x16xui16>) -> tensor<8x4x2064x4x16xf16>
    %20 = stablehlo.convert %19 : (tensor<8x4x2064x4x16xf16>) -> tensor<8x4x2064x4x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<8x4x2064x4x16xf32>
    %22 = stablehlo.reduce(%21 init: %c0.0) applies stablehlo.add across dimensions = [2] : (tensor<8x4x2064x4x16xf32>, tensor<f32>) -> tensor<8x4x4x16xf32>
    %23 = stablehlo.transpose %22, dims = [0, 2, 1, 3] : (tensor<8x4x4x16xf32>) -> tensor<8x4x4x16xf32>
    %24 = stablehlo.reshape %23 : (tensor<8x4x4x16xf32>) -> tensor<8x4x64xf32>
    %25 = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x64xf32>
    %26 = stablehlo.divide %24, %25 : tensor<8x4x64xf32>
    return %26 : tensor<8x4x64xf32>
  }

  func.func private @linear_2(%x: tensor<8x2048xf32>, %weight: tensor<2048x2048xf16>) -> tensor<8x2048xf32> {
    %0 = stablehlo.convert %weight : (tensor<2048x2048xf16>) -> tensor<2048x2048xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1] : (tensor<8x2048xf32>, tensor<2048x2048xf32>) -> tensor<8x2048xf32>
    return %1 : tensor<8x2048xf32>
  }

  func.func private @linear_3(%x: tensor<8x2048xf32>, %weight: tensor<16384x2048xf16>) -> tensor<8x16384xf32> {
    %0 = stablehlo.convert %weight : (tensor<16384x2048xf16>) -> tensor<16384x2048xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1] : (tensor<8x2048xf32>, tensor<16384x2048xf32>) -> tensor<8x16384xf32>
    return %1 : tensor<8x16384xf32>
  }

  func.func private @linear_4(%x: tensor<8x8192xf32>, %weight: tensor<2048x8192xf16>) -> tensor<8x2048xf32> {
    %0 = stablehlo.convert %weight : (tensor<2048x8192xf16>) -> tensor<2048x8192xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1] : (tensor<8x8192xf32>, tensor<2048x8192xf32>) -> tensor<8x2048xf32>
    return %1 : tensor<8x2048xf32>
  }

  func.func private @linear_5(
      %x: tensor<8x2048xf32>,
      %weight: tensor<128256x2048xf16>
  ) -> tensor<8x128256xf32> {
    %0 = stablehlo.convert %weight : (tensor<128256x2048xf16>) -> tensor<128256x2048xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1] : (tensor<8x2048xf32>, tensor<128256x2048xf32>) -> tensor<8x128256xf32>
    return %1 : tensor<8x128256xf32>
  }
}
