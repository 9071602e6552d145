module @decode attributes {mlxc.ir_version = 3 : i64, mlxc.stablehlo_version = "1.20.0"} {
  func.func @decode(
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
      %token: tensor<i32>,
      %position: tensor<i32>,
      %cos: tensor<1x32xf32>,
      %sin: tensor<1x32xf32>
  ) -> (tensor<i32>, tensor<128256xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>) {
    %0 = stablehlo.reshape %cos : (tensor<1x32xf32>) -> tensor<32xf32>
    %1 = stablehlo.reshape %sin : (tensor<1x32xf32>) -> tensor<32xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.divide %token, %c16 : tensor<i32>
    %3 = stablehlo.remainder %token, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_slice %model.embed_tokens.weight, %2, %c0, %3, sizes = [1, 2048, 1] : (tensor<8016x2048x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2048x1xui16>
    %5 = stablehlo.reshape %4 : (tensor<1x2048x1xui16>) -> tensor<2048xui16>
    %6 = stablehlo.bitcast_convert %5 : (tensor<2048xui16>) -> tensor<2048xf16>
    %x = stablehlo.convert %6 : (tensor<2048xf16>) -> tensor<2048xf32>
    %7 = stablehlo.iota dim = 0 : tensor<2064xi32>
    %8 = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<2064xi32>
    %mask = stablehlo.compare LE, %7, %8, SIGNED : (tensor<2064xi32>, tensor<2064xi32>) -> tensor<2064xi1>
    %x_1, %key, %value = func.call @decode.layer(%x, %model.layers.0.input_layernorm.weight, %model.layers.0.qkv.weight, %model.layers.0.self_attn.o_proj.weight, %model.layers.0.post_attention_layernorm.weight, %model.layers.0.gate_up.weight, %model.layers.0.mlp.down_proj.weight, %layer0.key, %layer0.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_2, %key_1, %value_1 = func.call @decode.layer(%x_1, %model.layers.1.input_layernorm.weight, %model.layers.1.qkv.weight, %model.layers.1.self_attn.o_proj.weight, %model.layers.1.post_attention_layernorm.weight, %model.layers.1.gate_up.weight, %model.layers.1.mlp.down_proj.weight, %layer1.key, %layer1.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_3, %key_2, %value_2 = func.call @decode.layer(%x_2, %model.layers.2.input_layernorm.weight, %model.layers.2.qkv.weight, %model.layers.2.self_attn.o_proj.weight, %model.layers.2.post_attention_layernorm.weight, %model.layers.2.gate_up.weight, %model.layers.2.mlp.down_proj.weight, %layer2.key, %layer2.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_4, %key_3, %value_3 = func.call @decode.layer(%x_3, %model.layers.3.input_layernorm.weight, %model.layers.3.qkv.weight, %model.layers.3.self_attn.o_proj.weight, %model.layers.3.post_attention_layernorm.weight, %model.layers.3.gate_up.weight, %model.layers.3.mlp.down_proj.weight, %layer3.key, %layer3.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_5, %key_4, %value_4 = func.call @decode.layer(%x_4, %model.layers.4.input_layernorm.weight, %model.layers.4.qkv.weight, %model.layers.4.self_attn.o_proj.weight, %model.layers.4.post_attention_layernorm.weight, %model.layers.4.gate_up.weight, %model.layers.4.mlp.down_proj.weight, %layer4.key, %layer4.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_6, %key_5, %value_5 = func.call @decode.layer(%x_5, %model.layers.5.input_layernorm.weight, %model.layers.5.qkv.weight, %model.layers.5.self_attn.o_proj.weight, %model.layers.5.post_attention_layernorm.weight, %model.layers.5.gate_up.weight, %model.layers.5.mlp.down_proj.weight, %layer5.key, %layer5.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_7, %key_6, %value_6 = func.call @decode.layer(%x_6, %model.layers.6.input_layernorm.weight, %model.layers.6.qkv.weight, %model.layers.6.self_attn.o_proj.weight, %model.layers.6.post_attention_layernorm.weight, %model.layers.6.gate_up.weight, %model.layers.6.mlp.down_proj.weight, %layer6.key, %layer6.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_8, %key_7, %value_7 = func.call @decode.layer(%x_7, %model.layers.7.input_layernorm.weight, %model.layers.7.qkv.weight, %model.layers.7.self_attn.o_proj.weight, %model.layers.7.post_attention_layernorm.weight, %model.layers.7.gate_up.weight, %model.layers.7.mlp.down_proj.weight, %layer7.key, %layer7.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_9, %key_8, %value_8 = func.call @decode.layer(%x_8, %model.layers.8.input_layernorm.weight, %model.layers.8.qkv.weight, %model.layers.8.self_attn.o_proj.weight, %model.layers.8.post_attention_layernorm.weight, %model.layers.8.gate_up.weight, %model.layers.8.mlp.down_proj.weight, %layer8.key, %layer8.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_10, %key_9, %value_9 = func.call @decode.layer(%x_9, %model.layers.9.input_layernorm.weight, %model.layers.9.qkv.weight, %model.layers.9.self_attn.o_proj.weight, %model.layers.9.post_attention_layernorm.weight, %model.layers.9.gate_up.weight, %model.layers.9.mlp.down_proj.weight, %layer9.key, %layer9.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_11, %key_10, %value_10 = func.call @decode.layer(%x_10, %model.layers.10.input_layernorm.weight, %model.layers.10.qkv.weight, %model.layers.10.self_attn.o_proj.weight, %model.layers.10.post_attention_layernorm.weight, %model.layers.10.gate_up.weight, %model.layers.10.mlp.down_proj.weight, %layer10.key, %layer10.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_12, %key_11, %value_11 = func.call @decode.layer(%x_11, %model.layers.11.input_layernorm.weight, %model.layers.11.qkv.weight, %model.layers.11.self_attn.o_proj.weight, %model.layers.11.post_attention_layernorm.weight, %model.layers.11.gate_up.weight, %model.layers.11.mlp.down_proj.weight, %layer11.key, %layer11.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_13, %key_12, %value_12 = func.call @decode.layer(%x_12, %model.layers.12.input_layernorm.weight, %model.layers.12.qkv.weight, %model.layers.12.self_attn.o_proj.weight, %model.layers.12.post_attention_layernorm.weight, %model.layers.12.gate_up.weight, %model.layers.12.mlp.down_proj.weight, %layer12.key, %layer12.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_14, %key_13, %value_13 = func.call @decode.layer(%x_13, %model.layers.13.input_layernorm.weight, %model.layers.13.qkv.weight, %model.layers.13.self_attn.o_proj.weight, %model.layers.13.post_attention_layernorm.weight, %model.layers.13.gate_up.weight, %model.layers.13.mlp.down_proj.weight, %layer13.key, %layer13.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_15, %key_14, %value_14 = func.call @decode.layer(%x_14, %model.layers.14.input_layernorm.weight, %model.layers.14.qkv.weight, %model.layers.14.self_attn.o_proj.weight, %model.layers.14.post_attention_layernorm.weight, %model.layers.14.gate_up.weight, %model.layers.14.mlp.down_proj.weight, %layer14.key, %layer14.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %x_16, %key_15, %value_15 = func.call @decode.layer(%x_15, %model.layers.15.input_layernorm.weight, %model.layers.15.qkv.weight, %model.layers.15.self_attn.o_proj.weight, %model.layers.15.post_attention_layernorm.weight, %model.layers.15.gate_up.weight, %model.layers.15.mlp.down_proj.weight, %layer15.key, %layer15.value, %slot, %position, %mask, %0, %1) : (tensor<2048xf32>, tensor<2048xf32>, tensor<192x2048x16xui16>, tensor<128x2048x16xui16>, tensor<2048xf32>, tensor<1024x2048x16xui16>, tensor<128x8192x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<2064xi1>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>)
    %normed = stablehlo.composite "mlxc.rms_norm" %x_16, %model.norm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    %logits = stablehlo.composite "mlxc.linear" %normed, %model.embed_tokens.weight {decomposition = @decode.linear_5} : (tensor<2048xf32>, tensor<8016x2048x16xui16>) -> tensor<128256xf32>
    %c-inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%logits init: %c-inf) applies stablehlo.maximum across dimensions = [0] : (tensor<128256xf32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<128256xf32>
    %11 = stablehlo.compare EQ, %logits, %10, FLOAT : (tensor<128256xf32>, tensor<128256xf32>) -> tensor<128256xi1>
    %12 = stablehlo.iota dim = 0 : tensor<128256xi32>
    %c128256 = stablehlo.constant dense<128256> : tensor<128256xi32>
    %13 = stablehlo.select %11, %12, %c128256 : tensor<128256xi1>, tensor<128256xi32>
    %c128256_1 = stablehlo.constant dense<128256> : tensor<i32>
    %next = stablehlo.reduce(%13 init: %c128256_1) applies stablehlo.minimum across dimensions = [0] : (tensor<128256xi32>, tensor<i32>) -> tensor<i32>
    return %next, %logits, %key, %value, %key_1, %value_1, %key_2, %value_2, %key_3, %value_3, %key_4, %value_4, %key_5, %value_5, %key_6, %value_6, %key_7, %value_7, %key_8, %value_8, %key_9, %value_9, %key_10, %value_10, %key_11, %value_11, %key_12, %value_12, %key_13, %value_13, %key_14, %value_14, %key_15, %value_15 : tensor<i32>, tensor<128256xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @decode.layer(
      %x: tensor<2048xf32>,
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
      %mask: tensor<2064xi1>,
      %cos: tensor<32xf32>,
      %sin: tensor<32xf32>
  ) -> (tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>) {
    %normed = stablehlo.composite "mlxc.rms_norm" %x, %input_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    %0 = stablehlo.composite "mlxc.linear" %normed, %qkv.weight {decomposition = @decode.linear} : (tensor<2048xf32>, tensor<192x2048x16xui16>) -> tensor<3072xf32>
    %1 = stablehlo.slice %0 [0:2048] : (tensor<3072xf32>) -> tensor<2048xf32>
    %2 = stablehlo.slice %0 [2048:2560] : (tensor<3072xf32>) -> tensor<512xf32>
    %3 = stablehlo.slice %0 [2560:3072] : (tensor<3072xf32>) -> tensor<512xf32>
    %4 = stablehlo.reshape %1 : (tensor<2048xf32>) -> tensor<32x64xf32>
    %q = stablehlo.composite "mlxc.rope" %4, %cos, %sin {decomposition = @decode.rope} : (tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<32x64xf32>
    %5 = stablehlo.reshape %2 : (tensor<512xf32>) -> tensor<8x64xf32>
    %k = stablehlo.composite "mlxc.rope" %5, %cos, %sin {decomposition = @decode.rope_2} : (tensor<8x64xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<8x64xf32>
    %v = stablehlo.reshape %3 : (tensor<512xf32>) -> tensor<8x64xf32>
    %6 = stablehlo.reshape %q : (tensor<32x64xf32>) -> tensor<8x4x64xf32>
    %7 = stablehlo.reshape %k : (tensor<8x64xf32>) -> tensor<8x1x64xf32>
    %8 = stablehlo.reshape %v : (tensor<8x64xf32>) -> tensor<8x1x64xf32>
    %c16 = stablehlo.constant dense<16> : tensor<i32>
    %9 = stablehlo.divide %position, %c16 : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.remainder %position, %c16 : tensor<i32>
    %11 = stablehlo.reshape %7 : (tensor<8x1x64xf32>) -> tensor<1x8x1x64x1xf32>
    %12 = stablehlo.convert %11 : (tensor<1x8x1x64x1xf32>) -> tensor<1x8x1x64x1xf16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<1x8x1x64x1xf16>) -> tensor<1x8x1x64x1xui16>
    %new_key = stablehlo.dynamic_update_slice %key, %13, %slot, %c0, %9, %c0, %10 : (tensor<9x8x129x64x16xui16>, tensor<1x8x1x64x1xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x129x64x16xui16>
    %14 = stablehlo.reshape %8 : (tensor<8x1x64xf32>) -> tensor<8x1x4x16xf32>
    %15 = stablehlo.transpose %14, dims = [0, 2, 1, 3] : (tensor<8x1x4x16xf32>) -> tensor<8x4x1x16xf32>
    %16 = stablehlo.reshape %15 : (tensor<8x4x1x16xf32>) -> tensor<1x8x4x1x16xf32>
    %17 = stablehlo.convert %16 : (tensor<1x8x4x1x16xf32>) -> tensor<1x8x4x1x16xf16>
    %18 = stablehlo.bitcast_convert %17 : (tensor<1x8x4x1x16xf16>) -> tensor<1x8x4x1x16xui16>
    %new_value = stablehlo.dynamic_update_slice %value, %18, %slot, %c0, %c0, %position, %c0 : (tensor<9x8x4x2064x16xui16>, tensor<1x8x4x1x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x8x4x2064x16xui16>
    %19 = stablehlo.dynamic_slice %new_key, %slot, %c0, %c0, %c0, %c0, sizes = [1, 8, 129, 64, 16] : (tensor<9x8x129x64x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x129x64x16xui16>
    %keys = stablehlo.reshape %19 : (tensor<1x8x129x64x16xui16>) -> tensor<8x129x64x16xui16>
    %20 = stablehlo.dynamic_slice %new_value, %slot, %c0, %c0, %c0, %c0, sizes = [1, 8, 4, 2064, 16] : (tensor<9x8x4x2064x16xui16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x2064x16xui16>
    %values = stablehlo.reshape %20 : (tensor<1x8x4x2064x16xui16>) -> tensor<8x4x2064x16xui16>
    %21 = stablehlo.composite "mlxc.attention" %6, %keys, %values, %mask {composite_attributes = {scale = 0.125 : f64}, decomposition = @decode.attention} : (tensor<8x4x64xf32>, tensor<8x129x64x16xui16>, tensor<8x4x2064x16xui16>, tensor<2064xi1>) -> tensor<8x4x64xf32>
    %attended = stablehlo.reshape %21 : (tensor<8x4x64xf32>) -> tensor<2048xf32>
    %attention = stablehlo.composite "mlxc.linear" %attended, %self_attn.o_proj.weight {decomposition = @decode.linear_2} : (tensor<2048xf32>, tensor<128x2048x16xui16>) -> tensor<2048xf32>
    %x_1 = stablehlo.add %x, %attention : tensor<2048xf32>
    %normed_1 = stablehlo.composite "mlxc.rms_norm" %x_1, %post_attention_layernorm.weight {composite_attributes = {eps = 1.0e-05 : f64}, decomposition = @decode.rms_norm} : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    %22 = stablehlo.composite "mlxc.linear" %normed_1, %gate_up.weight {decomposition = @decode.linear_3} : (tensor<2048xf32>, tensor<1024x2048x16xui16>) -> tensor<16384xf32>
    %gate = stablehlo.slice %22 [0:8192] : (tensor<16384xf32>) -> tensor<8192xf32>
    %up = stablehlo.slice %22 [8192:16384] : (tensor<16384xf32>) -> tensor<8192xf32>
    %23 = stablehlo.logistic %gate : tensor<8192xf32>
    %24 = stablehlo.multiply %gate, %23 : tensor<8192xf32>
    %hidden = stablehlo.multiply %24, %up : tensor<8192xf32>
    %mlp = stablehlo.composite "mlxc.linear" %hidden, %mlp.down_proj.weight {decomposition = @decode.linear_4} : (tensor<8192xf32>, tensor<128x8192x16xui16>) -> tensor<2048xf32>
    %x_2 = stablehlo.add %x_1, %mlp : tensor<2048xf32>
    return %x_2, %new_key, %new_value : tensor<2048xf32>, tensor<9x8x129x64x16xui16>, tensor<9x8x4x2064x16xui16>
  }

  func.func private @decode.rms_norm(%x: tensor<2048xf32>, %weight: tensor<2048xf32>) -> tensor<2048xf32> {
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

  func.func private @decode.linear(
      %x: tensor<2048xf32>,
      %weight: tensor<192x2048x16xui16>
  ) -> tensor<3072xf32> {
    %0 = stablehlo.reshape %x : (tensor<2048xf32>) -> tensor<1024x2xf32>
    %1 = stablehlo.slice %0 [0:1024, 0:1] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %3 = stablehlo.slice %0 [0:1024, 1:2] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %5 = stablehlo.reshape %weight : (tensor<192x2048x16xui16>) -> tensor<192x1024x2x16xui16>
    %6 = stablehlo.slice %5 [0:192, 0:1024, 0:1, 0:16] : (tensor<192x1024x2x16xui16>) -> tensor<192x1024x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<192x1024x1x16xui16>) -> tensor<192x1024x16xui16>
    %8 = stablehlo.slice %5 [0:192, 0:1024, 1:2, 0:16] : (tensor<192x1024x2x16xui16>) -> tensor<192x1024x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<192x1024x1x16xui16>) -> tensor<192x1024x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<1024xf32>) -> tensor<192x1024x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<192x1024x16xui16>) -> tensor<192x1024x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<192x1024x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<192x1024x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<192x1024x16xui16>) -> tensor<192x1024x16xf16>
    %14 = stablehlo.convert %13 : (tensor<192x1024x16xf16>) -> tensor<192x1024x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<192x1024x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<1024xf32>) -> tensor<192x1024x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<192x1024x16xui16>) -> tensor<192x1024x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<192x1024x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<192x1024x16xui16>) -> tensor<192x1024x16xf16>
    %20 = stablehlo.convert %19 : (tensor<192x1024x16xf16>) -> tensor<192x1024x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<192x1024x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<192x1024x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<192x1024x16xf32>, tensor<f32>) -> tensor<192x16xf32>
    %24 = stablehlo.negate %23 : tensor<192x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<192x16xf32>) -> tensor<3072xf32>
    return %25 : tensor<3072xf32>
  }

  func.func private @decode.rope(
      %x: tensor<32x64xf32>,
      %cos: tensor<32xf32>,
      %sin: tensor<32xf32>
  ) -> tensor<32x64xf32> {
    %0 = stablehlo.reshape %x : (tensor<32x64xf32>) -> tensor<32x2x32xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<2xf32>) -> tensor<32x2x32xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [2] : (tensor<32xf32>) -> tensor<32x2x32xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<32x2x32xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [2] : (tensor<32xf32>) -> tensor<32x2x32xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<32x2x32xf32>
    %6 = stablehlo.reverse %0, dims = [1] : tensor<32x2x32xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<32x2x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<32x2x32xf32>
    %9 = stablehlo.reshape %8 : (tensor<32x2x32xf32>) -> tensor<32x64xf32>
    return %9 : tensor<32x64xf32>
  }

  func.func private @decode.rope_2(
      %x: tensor<8x64xf32>,
      %cos: tensor<32xf32>,
      %sin: tensor<32xf32>
  ) -> tensor<8x64xf32> {
    %0 = stablehlo.reshape %x : (tensor<8x64xf32>) -> tensor<8x2x32xf32>
    %cst = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<2xf32>) -> tensor<8x2x32xf32>
    %2 = stablehlo.broadcast_in_dim %sin, dims = [2] : (tensor<32xf32>) -> tensor<8x2x32xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8x2x32xf32>
    %4 = stablehlo.broadcast_in_dim %cos, dims = [2] : (tensor<32xf32>) -> tensor<8x2x32xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x2x32xf32>
    %6 = stablehlo.reverse %0, dims = [1] : tensor<8x2x32xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<8x2x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<8x2x32xf32>
    %9 = stablehlo.reshape %8 : (tensor<8x2x32xf32>) -> tensor<8x64xf32>
    return %9 : tensor<8x64xf32>
  }

  func.func private @decode.attention(
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

  func.func private @decode.linear_2(
      %x: tensor<2048xf32>,
      %weight: tensor<128x2048x16xui16>
  ) -> tensor<2048xf32> {
    %0 = stablehlo.reshape %x : (tensor<2048xf32>) -> tensor<1024x2xf32>
    %1 = stablehlo.slice %0 [0:1024, 0:1] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %3 = stablehlo.slice %0 [0:1024, 1:2] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %5 = stablehlo.reshape %weight : (tensor<128x2048x16xui16>) -> tensor<128x1024x2x16xui16>
    %6 = stablehlo.slice %5 [0:128, 0:1024, 0:1, 0:16] : (tensor<128x1024x2x16xui16>) -> tensor<128x1024x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<128x1024x1x16xui16>) -> tensor<128x1024x16xui16>
    %8 = stablehlo.slice %5 [0:128, 0:1024, 1:2, 0:16] : (tensor<128x1024x2x16xui16>) -> tensor<128x1024x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<128x1024x1x16xui16>) -> tensor<128x1024x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<1024xf32>) -> tensor<128x1024x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<128x1024x16xui16>) -> tensor<128x1024x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<128x1024x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<128x1024x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<128x1024x16xui16>) -> tensor<128x1024x16xf16>
    %14 = stablehlo.convert %13 : (tensor<128x1024x16xf16>) -> tensor<128x1024x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<128x1024x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<1024xf32>) -> tensor<128x1024x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<128x1024x16xui16>) -> tensor<128x1024x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<128x1024x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<128x1024x16xui16>) -> tensor<128x1024x16xf16>
    %20 = stablehlo.convert %19 : (tensor<128x1024x16xf16>) -> tensor<128x1024x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<128x1024x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<128x1024x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<128x1024x16xf32>, tensor<f32>) -> tensor<128x16xf32>
    %24 = stablehlo.negate %23 : tensor<128x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<128x16xf32>) -> tensor<2048xf32>
    return %25 : tensor<2048xf32>
  }

  func.func private @decode.linear_3(
      %x: tensor<2048xf32>,
      %weight: tensor<1024x2048x16xui16>
  ) -> tensor<16384xf32> {
    %0 = stablehlo.reshape %x : (tensor<2048xf32>) -> tensor<1024x2xf32>
    %1 = stablehlo.slice %0 [0:1024, 0:1] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %3 = stablehlo.slice %0 [0:1024, 1:2] : (tensor<1024x2xf32>) -> tensor<1024x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1024x1xf32>) -> tensor<1024xf32>
    %5 = stablehlo.reshape %weight : (tensor<1024x2048x16xui16>) -> tensor<1024x1024x2x16xui16>
    %6 = stablehlo.slice %5 [0:1024, 0:1024, 0:1, 0:16] : (tensor<1024x1024x2x16xui16>) -> tensor<1024x1024x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<1024x1024x1x16xui16>) -> tensor<1024x1024x16xui16>
    %8 = stablehlo.slice %5 [0:1024, 0:1024, 1:2, 0:16] : (tensor<1024x1024x2x16xui16>) -> tensor<1024x1024x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<1024x1024x1x16xui16>) -> tensor<1024x1024x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<1024xf32>) -> tensor<1024x1024x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1024x1024x16xui16>) -> tensor<1024x1024x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<1024x1024x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<1024x1024x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<1024x1024x16xui16>) -> tensor<1024x1024x16xf16>
    %14 = stablehlo.convert %13 : (tensor<1024x1024x16xf16>) -> tensor<1024x1024x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<1024x1024x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<1024xf32>) -> tensor<1024x1024x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1024x1024x16xui16>) -> tensor<1024x1024x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<1024x1024x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<1024x1024x16xui16>) -> tensor<1024x1024x16xf16>
    %20 = stablehlo.convert %19 : (tensor<1024x1024x16xf16>) -> tensor<1024x1024x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<1024x1024x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<1024x1024x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<1024x1024x16xf32>, tensor<f32>) -> tensor<1024x16xf32>
    %24 = stablehlo.negate %23 : tensor<1024x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<1024x16xf32>) -> tensor<16384xf32>
    return %25 : tensor<16384xf32>
  }

  func.func private @decode.linear_4(
      %x: tensor<8192xf32>,
      %weight: tensor<128x8192x16xui16>
  ) -> tensor<2048xf32> {
    %0 = stablehlo.reshape %x : (tensor<8192xf32>) -> tensor<4096x2xf32>
    %1 = stablehlo.slice %0 [0:4096, 0:1] : (tensor<4096x2xf32>) -> tensor<4096x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<4096x1xf32>) -> tensor<4096xf32>
    %3 = stablehlo.slice %0 [0:4096, 1:2] : (tensor<4096x2xf32>) -> tensor<4096x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<4096x1xf32>) -> tensor<4096xf32>
    %5 = stablehlo.reshape %weight : (tensor<128x8192x16xui16>) -> tensor<128x4096x2x16xui16>
    %6 = stablehlo.slice %5 [0:128, 0:4096, 0:1, 0:16] : (tensor<128x4096x2x16xui16>) -> tensor<128x4096x1x16xui16>
    %7 = stablehlo.reshape %6 : (tensor<128x4096x1x16xui16>) -> tensor<128x4096x16xui16>
    %8 = stablehlo.slice %5 [0:128, 0:4096, 1:2, 0:16] : (tensor<128x4096x2x16xui16>) -> tensor<128x4096x1x16xui16>
    %9 = stablehlo.reshape %8 : (tensor<128x4096x1x16xui16>) -> tensor<128x4096x16xui16>
    %10 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4096xf32>) -> tensor<128x4096x16xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<128x4096x16xui16>) -> tensor<128x4096x16xui16>
    %c32768 = stablehlo.constant dense<32768> : tensor<128x4096x16xui16>
    %12 = stablehlo.xor %11, %c32768 : tensor<128x4096x16xui16>
    %13 = stablehlo.bitcast_convert %12 : (tensor<128x4096x16xui16>) -> tensor<128x4096x16xf16>
    %14 = stablehlo.convert %13 : (tensor<128x4096x16xf16>) -> tensor<128x4096x16xf32>
    %15 = stablehlo.multiply %10, %14 : tensor<128x4096x16xf32>
    %16 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4096xf32>) -> tensor<128x4096x16xf32>
    %17 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<128x4096x16xui16>) -> tensor<128x4096x16xui16>
    %18 = stablehlo.xor %17, %c32768 : tensor<128x4096x16xui16>
    %19 = stablehlo.bitcast_convert %18 : (tensor<128x4096x16xui16>) -> tensor<128x4096x16xf16>
    %20 = stablehlo.convert %19 : (tensor<128x4096x16xf16>) -> tensor<128x4096x16xf32>
    %21 = stablehlo.multiply %16, %20 : tensor<128x4096x16xf32>
    %22 = stablehlo.add %15, %21 : tensor<128x4096x16xf32>
    %c0.0 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %c0.0) applies stablehlo.add across dimensions = [1] : (tensor<128x4096x16xf32>, tensor<f32>) -> tensor<128x16xf32>
    %24 = stablehlo.negate %23 : tensor<128x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<128x16xf32>) -> tensor<2048xf32>
    return %25 : tensor<2048xf32>
  }

  func.func private @decode.linear_5(
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
