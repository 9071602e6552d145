// Package rope computes the cos/sin rows of rotary position embeddings, for every
// RoPE kind that HF transformers knows, with HF's f32 arithmetic.
package rope

// Kind is a RoPE scaling kind under its canonical HF name.
type Kind string

// The kinds; see "RoPE scaling kinds" in HF modeling_rope_utils.
const (
	Default  Kind = "default"
	Linear   Kind = "linear"
	Dynamic  Kind = "dynamic"
	Llama3   Kind = "llama3"
	Yarn     Kind = "yarn"
	LongRoPE Kind = "longrope"
)

// Params says everything that cos and sin depend on but the position. It is what
// the bundle's manifest records; fields that a Kind doesn't use are zero.
type Params struct {
	Kind   Kind    `toml:"kind" json:"kind"`
	Theta  float64 `toml:"theta" json:"theta"`
	Dim    int     `toml:"dim" json:"dim"` // rotary dimensions, even; a row has Dim/2 entries
	Factor float64 `toml:"factor,omitempty" json:"factor,omitempty"`
	// MaxPosition is max_position_embeddings; OriginalMaxPosition is
	// original_max_position_embeddings (the same when absent).
	MaxPosition         int `toml:"max_position,omitempty" json:"max_position,omitempty"`
	OriginalMaxPosition int `toml:"original_max_position,omitempty" json:"original_max_position,omitempty"`
	// llama3
	LowFreqFactor  float64 `toml:"low_freq_factor,omitempty" json:"low_freq_factor,omitempty"`
	HighFreqFactor float64 `toml:"high_freq_factor,omitempty" json:"high_freq_factor,omitempty"`
	// yarn
	BetaFast     float64 `toml:"beta_fast,omitempty" json:"beta_fast,omitempty"`
	BetaSlow     float64 `toml:"beta_slow,omitempty" json:"beta_slow,omitempty"`
	MScale       float64 `toml:"mscale,omitempty" json:"mscale,omitempty"`
	MScaleAllDim float64 `toml:"mscale_all_dim,omitempty" json:"mscale_all_dim,omitempty"`
	NoTruncate   bool    `toml:"no_truncate,omitempty" json:"no_truncate,omitempty"`
	// yarn and longrope: cos/sin amplitude; 0 = derived by the kind's formula.
	AttentionFactor float64 `toml:"attention_factor,omitempty" json:"attention_factor,omitempty"`
	// longrope
	ShortFactor []float64 `toml:"short_factor,omitempty" json:"short_factor,omitempty"`
	LongFactor  []float64 `toml:"long_factor,omitempty" json:"long_factor,omitempty"`
}
