package archs

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/ir/rope"
)

// ropeKinds are the values of rope_type (and of its older name, type).
var ropeKinds = map[string]rope.Kind{
	"default": rope.Default, "linear": rope.Linear, "dynamic": rope.Dynamic, "llama3": rope.Llama3,
	"yarn": rope.Yarn, "longrope": rope.LongRoPE,
	"su": rope.LongRoPE, // its name in the first Phi-3 configs
}

// ropeField is a number in rope_scaling.
type ropeField struct {
	key    string
	to     func(*rope.Params) *float64
	absent float64 // its value when absent; NaN: it is required
}

var required = math.NaN()

// ropeFields are the numbers that each kind reads (HF ROPE_INIT_FUNCTIONS). yarn
// and longrope derive a factor that is absent (0) from the two lengths.
var ropeFields = map[rope.Kind][]ropeField{
	rope.Linear:  {{"factor", factor, required}},
	rope.Dynamic: {{"factor", factor, required}},
	rope.Llama3: {{"factor", factor, required},
		{"low_freq_factor", func(p *rope.Params) *float64 { return &p.LowFreqFactor }, required},
		{"high_freq_factor", func(p *rope.Params) *float64 { return &p.HighFreqFactor }, required}},
	rope.Yarn: {{"factor", factor, 0}, {"attention_factor", attentionFactor, 0},
		{"beta_fast", func(p *rope.Params) *float64 { return &p.BetaFast }, 32},
		{"beta_slow", func(p *rope.Params) *float64 { return &p.BetaSlow }, 1},
		{"mscale", func(p *rope.Params) *float64 { return &p.MScale }, 0},
		{"mscale_all_dim", func(p *rope.Params) *float64 { return &p.MScaleAllDim }, 0}},
	rope.LongRoPE: {{"factor", factor, 0}, {"attention_factor", attentionFactor, 0}},
}

func factor(p *rope.Params) *float64          { return &p.Factor }
func attentionFactor(p *rope.Params) *float64 { return &p.AttentionFactor }

// ropeKeys are the keys that rope_scaling may have. As in HF, one that belongs to
// another kind has no influence.
var ropeKeys = set(`
	rope_type type rope_theta partial_rotary_factor factor original_max_position_embeddings attention_factor beta_fast
	beta_slow mscale mscale_all_dim truncate low_freq_factor high_freq_factor short_factor long_factor finetuned
`)

// rope reads the RoPE of layers of the given type from any of its spellings:
// rope_scaling or rope_parameters (the former wins), flat or nested by layer type,
// with the kind under rope_type or type (the former wins), rope_theta inside or
// beside. One rotation gives one Params, whatever the spelling.
func (c *config) rope(layerType string, headDim, maxPosition int) rope.Params {
	name, fields, nested := c.ropeObject(layerType)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !ropeKeys[key] && fields[key] != nil {
			c.fail(UnsupportedConfig, name+"."+key, "(%s) isn't supported (supported: %s)",
				describe(fields[key]), strings.Join(slices.Sorted(maps.Keys(ropeKeys)), ", "))
		}
	}
	p := rope.Params{Kind: c.ropeKind(name, fields), Dim: headDim}
	p.Theta = c.ropeNumber(name, fields, "rope_theta", 0)
	if top := c.float("rope_theta"); p.Theta == 0 {
		p.Theta = top
	}
	if part := c.ropeNumber(name, fields, "partial_rotary_factor", 1); part != 1 {
		c.fail(UnsupportedConfig, name+".partial_rotary_factor", "is %v, which model_type %s doesn't model (supported: 1)", part, c.row.ModelType)
	}
	for _, f := range ropeFields[p.Kind] {
		*f.to(&p) = c.ropeNumber(name, fields, f.key, f.absent)
	}
	original := c.originalMaxPosition(name, fields, nested, maxPosition)
	switch p.Kind {
	case rope.Dynamic:
		p.MaxPosition = maxPosition
	case rope.Llama3, rope.Yarn, rope.LongRoPE:
		p.OriginalMaxPosition = original
		if p.Factor == 0 && p.OriginalMaxPosition > 0 {
			p.Factor = float64(maxPosition) / float64(p.OriginalMaxPosition)
		}
	}
	switch p.Kind {
	case rope.Yarn:
		truncate, isBool := fields["truncate"].(bool)
		if fields["truncate"] != nil && !isBool {
			c.fail(BadConfig, name+".truncate", "is %s (supported: true, false)", describe(fields["truncate"]))
		}
		p.NoTruncate = isBool && !truncate
	case rope.LongRoPE:
		p.ShortFactor = c.ropeList(name, fields, "short_factor")
		p.LongFactor = c.ropeList(name, fields, "long_factor")
	}
	if err := p.Validate(); err != nil {
		c.fail(BadConfig, name+":", "%v", err)
	}
	return p
}

// ropeObject finds the object that describes the layer type, empty if there is
// none, and says by which name and whether it was nested by layer type.
func (c *config) ropeObject(layerType string) (name string, fields map[string]any, nested bool) {
	found := ""
	for _, key := range []string{"rope_parameters", "rope_scaling"} {
		v := c.value(key)
		object, ok := v.(map[string]any)
		if v != nil && !ok {
			c.fail(BadConfig, key, "is %s (supported: an object or null)", describe(v))
		}
		if len(object) > 0 {
			found, fields = key, object
		}
	}
	if found == "" {
		return "rope_scaling", nil, false
	}
	isObject := func(v any) bool { _, ok := v.(map[string]any); return ok }
	if !slices.ContainsFunc(slices.Collect(maps.Values(fields)), isObject) {
		return found, fields, false
	}
	inner, ok := fields[layerType].(map[string]any)
	if !ok {
		c.fail(BadConfig, found, "is nested but has no object for %s", layerType)
	}
	return found + "." + layerType, inner, true
}

// ropeKind reads the kind. Without one HF rotates unscaled; if there are numbers
// that only a scaled kind reads, that can't be what was meant.
func (c *config) ropeKind(name string, fields map[string]any) rope.Kind {
	key, v := "rope_type", fields["rope_type"]
	if v == nil {
		key, v = "type", fields["type"]
	}
	if v == nil {
		for _, scaling := range []string{"factor", "short_factor", "long_factor", "low_freq_factor", "attention_factor"} {
			if fields[scaling] != nil {
				c.fail(BadConfig, name, "has a %s but no rope_type (supported: %s)", scaling,
					strings.Join(slices.Sorted(maps.Keys(ropeKinds)), ", "))
			}
		}
		return rope.Default
	}
	text, _ := v.(string)
	kind, ok := ropeKinds[text]
	if !ok {
		c.fail(UnsupportedConfig, name+"."+key, "%s isn't supported (supported: %s)", describe(v),
			strings.Join(slices.Sorted(maps.Keys(ropeKinds)), ", "))
	}
	return kind
}

// ropeNumber reads a finite number.
func (c *config) ropeNumber(name string, fields map[string]any, key string, absent float64) float64 {
	v := fields[key]
	f, ok := float(v)
	switch {
	case v == nil && math.IsNaN(absent):
		c.fail(BadConfig, name+"."+key, "is missing (supported: a number above 0)")
		return 0
	case v == nil:
		return absent
	case !ok || f < 0 || f == 0 && key != "mscale" && key != "mscale_all_dim":
		c.fail(BadConfig, name+"."+key, "is %s (supported: a finite number above 0)", describe(v))
	}
	return f
}

// ropeList reads a list of numbers.
func (c *config) ropeList(name string, fields map[string]any, key string) []float64 {
	list, ok := fields[key].([]any)
	out := make([]float64, len(list))
	for i, v := range list {
		f, isFloat := float(v)
		out[i], ok = f, ok && isFloat
	}
	if !ok {
		c.fail(BadConfig, name+"."+key, "is %s (supported: a list of numbers)", describe(fields[key]))
	}
	return out
}

// originalMaxPosition reads original_max_position_embeddings: beside rope_scaling
// first, as HF does, then inside it, then max_position_embeddings.
func (c *config) originalMaxPosition(name string, fields map[string]any, nested bool, maxPosition int) int {
	const key = "original_max_position_embeddings"
	inside, v := true, fields[key]
	if top := c.value(key); top != nil && !nested {
		inside, v = false, top
	}
	if v == nil {
		return maxPosition
	}
	n, ok := integer(v)
	if !ok || n < 1 || n > maxPositions {
		field := key
		if inside {
			field = name + "." + key
		}
		c.fail(BadConfig, field, "is %s (supported: an integer from 1 to %d)", describe(v), maxPositions)
	}
	return n
}
