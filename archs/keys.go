package archs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Every key of config.json is accounted for in one of three ways: the family reads
// it; it is harmless; or it has its neutral value. Anything else is refused, a key
// that we have never heard of too: the next release of some model is where new
// mathematics shows up, under a key that older readers don't know, and a model
// that runs with the wrong mathematics looks fine at first. Such a key is named in
// the error, and a caller who knows better can have it ignored.

// harmless are keys that never change the logits: what HF keeps in a config for
// training, for generation and for itself. (max_window_layers only counts together
// with use_sliding_window.)
var harmless = set(`
	_attn_implementation _attn_implementation_autoset _commit_hash _flash_attn_2_enabled _name_or_path
	_pre_quantization_dtype 	architectures attention_dropout attention_probs_dropout_prob attn_dropout attn_implementation attn_pdrop
	auto_map bos_token classifier_dropout commit_hash embd_pdrop embedding_dropout eos_token finetuning_task
	gradient_checkpointing hidden_dropout hidden_dropout_prob id2label initializer_range is_decoder is_llama_config
	label2id license max_sequence_length max_window_layers mlp_dropout model_max_length model_name model_type
	name_or_path neftune_noise_alpha num_labels output_attentions output_hidden_states output_router_logits pad_token pad_token_id
	prefix problem_type resid_pdrop residual_dropout return_dict router_aux_loss_coef sep_token_id
	task_specific_params tf_legacy_loss tie_last_hidden_states tokenizer_class
	tokenizer_model_max_length tokenizer_padding_side torchscript transformers.js_config
	transformers_version unk_token_id unsloth_fixed unsloth_version use_bfloat16 use_cache use_flash_attention
	use_flash_attn use_flash_attention_2

	bad_words_ids begin_suppress_tokens chunk_size_feed_forward decoder_start_token_id diversity_penalty do_sample
	early_stopping encoder_no_repeat_ngram_size exponential_decay_length_penalty forced_bos_token_id
	forced_eos_token_id length_penalty max_length max_new_tokens min_length no_repeat_ngram_size num_beam_groups
	num_beams num_return_sequences output_scores remove_invalid_values repetition_penalty return_dict_in_generate
	suppress_tokens temperature top_k top_p typical_p
`)

// neutral are keys that change the mathematics, with the value at which they
// don't; nil means that only null will do. A family that models one reads it.
var neutral = map[string]any{
	"add_cross_attention": false, "alibi": false, "attention_bias": false, "attention_chunk_size": nil,
	"attention_multiplier": nil, "attention_out_bias": false, "attn_logit_softcapping": nil,
	"attn_temperature_tuning": false, "audio_config": nil, "bias": false, "clip_qkv": nil,
	"cross_attention_hidden_size": nil, "dim_model_base": nil, "embedding_multiplier": 1, "final_logit_softcapping": nil,
	"is_encoder_decoder": false, "kv_lora_rank": nil, "lm_head_bias": false, "logit_scale": 1, "logits_scaling": 1,
	"mlp_bias": false, "n_routed_experts": nil, "no_rope_layer_interval": nil, "no_rope_layers": nil, "num_experts": nil,
	"num_experts_per_tok": nil, "num_local_experts": nil, "num_nextn_predict_layers": nil, "parallel_attn": false,
	"partial_rotary_factor": 1, "per_layer_config": nil, "pretraining_tp": 1, "pruned_heads": map[string]any{},
	"q_lora_rank": nil, "qk_layernorm": false, "qk_norm": false, "qkv_bias": false, "query_pre_attn_scalar": nil,
	"residual_multiplier": 1, "rope_interleave": false, "rope_interleaved": false, "rope_local_base_freq": nil,
	"rotary_dim": nil, "rotary_emb_base": nil, "rotary_pct": 1, "rotary_percent": 1, "scale_depth": nil, "scale_emb": 1,
	"scale_width": nil, "sliding_window": nil, "sliding_window_pattern": nil, "text_config": nil,
	"tie_encoder_decoder": false, "use_bias": false, "use_parallel_residual": false, "use_qk_norm": false,
	"use_qkv_bias": false, "use_sliding_window": false, "vision_config": nil,
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// checkUnread refuses the first key, in alphabetical order, that isn't accounted for.
func (c *config) checkUnread() {
	allowed := maps.Clone(neutral)
	maps.Copy(allowed, c.row.Neutral)
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		v := c.values[key]
		if v == nil || c.read[key] || harmless[key] || slices.Contains(c.row.Harmless, key) {
			continue
		}
		at, known := allowed[key]
		switch {
		case !known:
			c.fail(UnsupportedConfig, key, "(%s) isn't a key that model_type %s is known to have, and it may change the mathematics; "+
				"ignore it explicitly if it doesn't", describe(v), c.row.ModelType)
		case !isNeutral(v, at):
			c.fail(UnsupportedConfig, key, "is %s, which model_type %s doesn't model (supported: %s)",
				describe(v), c.row.ModelType, describe(at))
		}
	}
}

// isNeutral compares a value with a neutral one; numbers by value.
func isNeutral(v, neutral any) bool {
	if n, ok := neutral.(int); ok {
		f, ok := float(v)
		return ok && f == float64(n)
	}
	return neutral != nil && fmt.Sprint(v) == fmt.Sprint(neutral)
}

// checkQuantization refuses blocks that ReadQuantization refuses. What the others say
// is for who reads the tensors.
func (c *config) checkQuantization() {
	for _, key := range quantizationKeys {
		c.read[key] = true
	}
	if _, err := quantization(c.values); err != nil && c.err == nil {
		c.err = err
	}
}
