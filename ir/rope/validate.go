package rope

import (
	"fmt"
	"math"
)

// MaxDim bounds Dim.
const MaxDim = 1 << 14

// Validate checks the fields that the kind uses. Errors name the field.
func (p Params) Validate() error {
	used, ok := checks[p.Kind]
	if !ok {
		return fmt.Errorf("rope: kind %q isn't known (known: default, linear, dynamic, llama3, yarn, longrope)", p.Kind)
	}
	if p.Dim < 2 || p.Dim%2 != 0 || p.Dim > MaxDim {
		return fmt.Errorf("rope: dim is %d (supported: an even number from 2 to %d)", p.Dim, MaxDim)
	}
	if err := positive("theta", p.Theta); err != nil {
		return err
	}
	if used == nil {
		return nil
	}
	return used(p)
}

// checks are those of the kinds' own fields.
var checks = map[Kind]func(Params) error{
	Default: nil,
	Linear:  func(p Params) error { return positive("factor", p.Factor) },
	Dynamic: func(p Params) error {
		if p.Dim < 4 {
			return fmt.Errorf("rope: dim is %d (supported by dynamic: 4 and more)", p.Dim)
		}
		if !(p.Factor >= 1) || math.IsInf(p.Factor, 0) {
			return fmt.Errorf("rope: factor is %v (supported by dynamic: 1 and more)", p.Factor)
		}
		return position("max_position", p.MaxPosition, 1)
	},
	Llama3: func(p Params) error {
		if !(p.HighFreqFactor > p.LowFreqFactor) {
			return fmt.Errorf("rope: high_freq_factor is %v, low_freq_factor %v (supported: high above low)", p.HighFreqFactor, p.LowFreqFactor)
		}
		return first(positive("factor", p.Factor), positive("low_freq_factor", p.LowFreqFactor), positive("high_freq_factor", p.HighFreqFactor),
			position("original_max_position", p.OriginalMaxPosition, 1))
	},
	Yarn: func(p Params) error {
		if p.Theta <= 1 {
			return fmt.Errorf("rope: theta is %v (supported by yarn: above 1)", p.Theta)
		}
		return first(positive("factor", p.Factor), positive("beta_fast", p.BetaFast), positive("beta_slow", p.BetaSlow),
			optional("attention_factor", p.AttentionFactor), optional("mscale", p.MScale), optional("mscale_all_dim", p.MScaleAllDim),
			position("original_max_position", p.OriginalMaxPosition, 1))
	},
	LongRoPE: func(p Params) error {
		return first(positive("factor", p.Factor), optional("attention_factor", p.AttentionFactor),
			position("original_max_position", p.OriginalMaxPosition, 2),
			divisors("short_factor", p.ShortFactor, p.Dim/2), divisors("long_factor", p.LongFactor, p.Dim/2))
	},
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// positive accepts what is above 0 and finite in f32 too.
func positive(field string, v float64) error {
	if f := float32(v); !(f > 0) || math.IsInf(float64(f), 0) {
		return fmt.Errorf("rope: %s is %v (supported: a number above 0)", field, v)
	}
	return nil
}

// optional accepts 0 too, which stands for absent.
func optional(field string, v float64) error {
	if v == 0 {
		return nil
	}
	return positive(field, v)
}

func position(field string, n, least int) error {
	if n < least || n > math.MaxInt32 {
		return fmt.Errorf("rope: %s is %d (supported: from %d to %d)", field, n, least, math.MaxInt32)
	}
	return nil
}

func divisors(field string, list []float64, n int) error {
	if len(list) != n {
		return fmt.Errorf("rope: %s has %d numbers (supported: dim/2, %d)", field, len(list), n)
	}
	for _, v := range list {
		if err := positive(field, v); err != nil {
			return err
		}
	}
	return nil
}
