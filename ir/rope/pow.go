package rope

import "math"

// HF's frequencies are theta^(2i/Dim) in f32 by PyTorch, which isn't correctly
// rounded: about one power in a hundred is one unit in the last place off, and at
// position 8000 that is 5e-4 in an angle. So powers are computed here as PyTorch
// computes them on a CPU with AVX-512: full vectors by the algorithm of SLEEF's
// powf_u10 (a logarithm and an exponential in pairs of f32, with its coefficients;
// Shibata, Petrogalli, "SLEEF: A Portable Vectorized Library of C Standard
// Mathematical Functions", 2020), the rest of the list by the C library's powf.

// vector is the number of elements that PyTorch takes at a time: two registers.
const vector = 32

// power is base^exponents[i] as an element of the whole list; base > 0.
func power(base float32, exponents []float32, i int) float32 {
	if i < len(exponents)/vector*vector {
		return pow(base, exponents[i])
	}
	return powScalar(base, exponents[i])
}

// powScalar is the C library's powf, which is correctly rounded but for very few
// arguments.
func powScalar(base, x float32) float32 { return float32(math.Pow(float64(base), float64(x))) }

// pow is base^x as SLEEF's powf_u10 rounds it, for base > 0 and results in range.
func pow(base, x float32) float32 {
	if base == 1 || x == 0 {
		return 1
	}
	return exp(log(base).scale(x))
}

// log is the natural logarithm: e·ln 2 + 2·atanh((m-1)/(m+1)), base = m·2^e with m
// in [0.75, 1.5).
func log(base float32) pair {
	frac, e := math.Frexp(float64(base)) // frac in [0.5, 1)
	if frac < 0.75 {
		frac, e = 2*frac, e-1
	}
	m := float32(frac)
	x := twoSum(-1, m).div(twoSum(1, m))
	x2 := x.square()
	t := fma(fma(0.240320354700088500976562, x2.hi, 0.285112679004669189453125), x2.hi, 0.400007992982864379882812)
	s := pair{0.69314718246459960938, -1.904654323148236017e-09}.scale(float32(e))
	s = s.addSmaller(pair{2 * x.hi, 2 * x.lo})
	series := x2.scale(t).add(pair{0.66666662693023681640625, 3.69183861259614332084311e-09})
	return s.addSmaller(x2.mul(x).mul(series))
}

// exp is e^d: 2^q · e^s with |s| ≤ ln 2 / 2.
func exp(d pair) float32 {
	const ln2hi, ln2lo = 0.693145751953125, 1.428606765330187045e-06
	q := float32(math.RoundToEven(float64(float32(float32(d.hi+d.lo) * math.Log2E))))
	s := d.addFloat(float32(q * -ln2hi)).addFloat(float32(q * -ln2lo))
	s = quickTwoSum(s.hi, s.lo)
	u := float32(0.00136324646882712841033936)
	for _, c := range [...]float32{0.00836596917361021041870117, 0.0416710823774337768554688, 0.166665524244308471679688, 0.499999850988388061523438} {
		u = fma(u, s.hi, c)
	}
	t := pair{hi: 1}.addSmaller(s.addSmaller(s.square().scale(u)))
	return float32(math.Ldexp(float64(t.hi+t.lo), int(q)))
}

// pair is the unevaluated sum of two f32 numbers, |lo| well below |hi|. The
// methods round as SLEEF's of the same meaning. Explicit conversions keep Go from
// fusing a product into a sum.
type pair struct{ hi, lo float32 }

// twoSum is a+b exactly.
func twoSum(a, b float32) pair {
	s := a + b
	v := s - a
	return pair{s, (a - (s - v)) + (b - v)}
}

// quickTwoSum is a+b exactly if |a| ≥ |b|.
func quickTwoSum(a, b float32) pair {
	s := a + b
	return pair{s, (a - s) + b}
}

// add is a+b.
func (a pair) add(b pair) pair {
	s := twoSum(a.hi, b.hi)
	return pair{s.hi, s.lo + (a.lo + b.lo)}
}

// addFloat is a+b.
func (a pair) addFloat(b float32) pair {
	s := twoSum(a.hi, b)
	return pair{s.hi, s.lo + a.lo}
}

// addSmaller is a+b if |a| ≥ |b|.
func (a pair) addSmaller(b pair) pair {
	s := a.hi + b.hi
	return pair{s, ((a.hi - s + b.hi) + a.lo) + b.lo}
}

// scale is a·b.
func (a pair) scale(b float32) pair {
	s := float32(a.hi * b)
	return pair{s, fma(a.lo, b, fma(a.hi, b, -s))}
}

// mul is a·b.
func (a pair) mul(b pair) pair {
	s := float32(a.hi * b.hi)
	return pair{s, fma(a.hi, b.lo, fma(a.lo, b.hi, fma(a.hi, b.hi, -s)))}
}

// square is a².
func (a pair) square() pair {
	s := float32(a.hi * a.hi)
	return pair{s, fma(a.hi+a.hi, a.lo, fma(a.hi, a.hi, -s))}
}

// div is a/b.
func (a pair) div(b pair) pair {
	t := 1 / b.hi
	s := float32(a.hi * t)
	u := fma(t, a.hi, -s)
	v := fma(-b.lo, t, fma(-b.hi, t, 1))
	return pair{s, fma(s, v, fma(a.lo, t, u))}
}

// fma is x·y+z with one rounding to f32. The product is exact in f64; the sum is
// rounded to odd there, so that rounding again to f32 is right.
func fma(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	v := s - p
	if lost := (p - (s - v)) + (c - v); lost != 0 {
		if bits := math.Float64bits(s); bits&1 == 0 {
			if (lost > 0) == (s > 0) {
				bits++
			} else {
				bits--
			}
			s = math.Float64frombits(bits)
		}
	}
	return float32(s)
}
