package rope

import "math"

// The formulas are those of HF modeling_rope_utils (transformers 5.24), in f32
// where HF's tensors are f32, and in f64 where it computes with Python floats.

// exponents are 2i/Dim.
func (p Params) exponents() []float32 {
	x := make([]float32, p.Dim/2)
	for i := range x {
		x[i] = float32(2*i) / float32(p.Dim)
	}
	return x
}

// plain are the inverse frequencies theta^(-2i/Dim) of the default kind, each
// divided by the corresponding divisor if there are any.
func (p Params) plain(divisors []float64) []float32 {
	x := p.exponents()
	f := make([]float32, len(x))
	for i := range x {
		f[i] = power(float32(p.Theta), x, i)
		if divisors != nil {
			f[i] = float32(divisors[i]) * f[i]
		}
		f[i] = 1 / f[i]
	}
	return f
}

// linear divides by Factor (kaiokendev's position interpolation).
func (p Params) linear() []float32 {
	f := p.plain(nil)
	for i := range f {
		f[i] /= float32(p.Factor)
	}
	return f
}

// llama3 divides long wavelengths by Factor, keeps short ones, blends between.
func (p Params) llama3() []float32 {
	old := float64(p.OriginalMaxPosition)
	longest, shortest := float32(old/p.LowFreqFactor), float32(old/p.HighFreqFactor)
	low, span := float32(p.LowFreqFactor), float32(p.HighFreqFactor-p.LowFreqFactor)
	factor := float32(p.Factor)
	f := p.plain(nil)
	for i, v := range f {
		switch wave := float32(1/v) * (2 * math.Pi); {
		case wave > longest:
			f[i] = v / factor
		case wave >= shortest:
			smooth := (float32(float32(1/wave)*float32(old)) - low) / span
			f[i] = float32((1-smooth)*v)/factor + float32(smooth*v)
		}
	}
	return f
}

// yarn divides slow dimensions by Factor, keeps fast ones, ramps between (Peng et
// al., "YaRN: Efficient Context Window Extension of Large Language Models", 2023).
func (p Params) yarn() []float32 {
	low, high := p.correctionDim(p.BetaFast), p.correctionDim(p.BetaSlow)
	if !p.NoTruncate {
		low, high = math.Floor(low), math.Ceil(high)
	}
	low, high = max(low, 0), min(high, float64(p.Dim-1))
	if low == high {
		high += 0.001
	}
	x := p.exponents()
	f := make([]float32, len(x))
	for i := range f {
		ramp := (float32(i) - float32(low)) / float32(high-low)
		keep := 1 - min(max(ramp, 0), 1)
		slow := power(float32(p.Theta), x, i)
		kept, divided := 1/slow, 1/float32(float32(p.Factor)*slow)
		f[i] = float32(divided*(1-keep)) + float32(kept*keep)
	}
	return f
}

// correctionDim is the dimension that makes the given number of rotations over
// OriginalMaxPosition positions.
func (p Params) correctionDim(rotations float64) float64 {
	return float64(p.Dim) * math.Log(float64(p.OriginalMaxPosition)/(rotations*2*math.Pi)) / (2 * math.Log(p.Theta))
}

// amplitude multiplies cos and sin.
func (p Params) amplitude() float64 {
	switch {
	case p.AttentionFactor != 0:
		return p.AttentionFactor
	case p.Kind == Yarn && p.MScale != 0 && p.MScaleAllDim != 0:
		return mscale(p.Factor, p.MScale) / mscale(p.Factor, p.MScaleAllDim)
	case p.Kind == Yarn:
		return mscale(p.Factor, 1)
	case p.Kind == LongRoPE && p.Factor > 1:
		return math.Sqrt(1 + math.Log(p.Factor)/math.Log(float64(p.OriginalMaxPosition)))
	}
	return 1
}

// mscale is yarn's magnitude for a factor.
func mscale(factor, weight float64) float64 {
	if factor <= 1 {
		return 1
	}
	return 0.1*weight*math.Log(factor) + 1
}

// dynamicBase is the base that the dynamic kind uses for a sequence longer than
// MaxPosition (bloc97 and emozilla's NTK-aware scaling). HF has the length in a
// tensor there, hence f32; only the exponent is a Python float.
func (p Params) dynamicBase(length int) float32 {
	stretch := float32(float32(p.Factor)*float32(length))/float32(p.MaxPosition) - float32(p.Factor-1)
	exponent := float64(p.Dim) / float64(p.Dim-2)
	return float32(p.Theta) * float32(math.Pow(float64(stretch), exponent))
}
