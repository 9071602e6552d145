package sample

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
)

// seen returns the tokens that 2000 draws give, sorted.
func seen(t *testing.T, spec Spec, logits []float32) []int32 {
	t.Helper()
	s, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	found := map[int32]bool{}
	for range 2000 {
		id, err := s.Sample(logits)
		if err != nil {
			t.Fatal(err)
		}
		found[id] = true
	}
	var ids []int32
	for id := range found {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// TestCorners is field case D4: probabilities are 0.60946, 0.22421, 0.13599, 0.03034.
func TestCorners(t *testing.T) {
	logits := []float32{2, 1, 0.5, -1}
	all := []int32{0, 1, 2, 3}
	for _, c := range []struct {
		spec Spec
		want []int32
	}{
		{Spec{}, []int32{0}},
		{Spec{Temperature: 1, TopP: 1}, all},
		{Spec{Temperature: 1, TopP: 1e-8}, []int32{0}},
		{Spec{Temperature: 1, TopP: 0}, []int32{0}},
		{Spec{Temperature: 1, TopP: 0.6}, []int32{0}},
		{Spec{Temperature: 1, TopP: 0.61}, []int32{0, 1}},
		{Spec{Temperature: 1, TopP: 0.83}, []int32{0, 1}},
		{Spec{Temperature: 1, TopP: 0.84}, []int32{0, 1, 2}},
		{Spec{Temperature: 0.01, TopK: 1, TopP: 0.8}, []int32{0}},
		{Spec{Temperature: 1, TopP: 1, MinP: 0.5}, []int32{0}},
		{Spec{Temperature: 1, TopP: 1, MinP: 1}, []int32{0}},
		{Spec{Temperature: 1, TopP: 1, MinP: 0.3}, []int32{0, 1}},
		{Spec{Temperature: 1e-9, TopP: 1}, []int32{0}},
		{Spec{Temperature: math.SmallestNonzeroFloat64, TopP: 1}, []int32{0}},
		{Spec{Temperature: math.MaxFloat64, TopP: 1}, all},
		{Spec{Temperature: 1, TopP: 1, TopK: 1}, []int32{0}},
		{Spec{Temperature: 1, TopP: 1, TopK: 2}, []int32{0, 1}},
		{Spec{Temperature: 1, TopP: 1, TopK: 4}, all},
		{Spec{Temperature: 1, TopP: 1, TopK: 10}, all},
		{Spec{Temperature: 1, TopP: 1, TopK: -1}, all},
		// Of two tokens, renormalised, the first has 0.731.
		{Spec{Temperature: 1, TopK: 2, TopP: 0.73}, []int32{0}},
		{Spec{Temperature: 1, TopK: 2, TopP: 0.74}, []int32{0, 1}},
		// Of three, 0.628; min-p takes what top-p left.
		{Spec{Temperature: 1, TopK: 3, TopP: 0.9, MinP: 0.3}, []int32{0, 1}},
	} {
		if got := seen(t, c.spec, logits); !slices.Equal(got, c.want) {
			t.Errorf("%+v: tokens %v, want %v", c.spec, got, c.want)
		}
	}
}

func TestTies(t *testing.T) {
	logits := []float32{1, 3, 3, 2, 3}
	for _, c := range []struct {
		spec Spec
		want []int32
	}{
		{Spec{}, []int32{1}},
		{Spec{Temperature: 1, TopP: 1, TopK: 1}, []int32{1}},
		{Spec{Temperature: 1, TopP: 1, TopK: 2}, []int32{1, 2}},
		{Spec{Temperature: 1e-9, TopP: 1}, []int32{1, 2, 4}},
		{Spec{Temperature: 1, TopP: 0}, []int32{1}},
		{Spec{Temperature: 1, TopP: 1, MinP: 1}, []int32{1, 2, 4}},
	} {
		if got := seen(t, c.spec, logits); !slices.Equal(got, c.want) {
			t.Errorf("%+v: tokens %v, want %v", c.spec, got, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		spec  Spec
		field string
	}{
		{Spec{}, ""},
		{Spec{Temperature: 2, TopK: 40, TopP: 0.95, MinP: 0.05, Seed: 7}, ""},
		{Spec{TopK: -1, Seed: -1}, ""},
		{Spec{Temperature: -1}, "temperature"},
		{Spec{Temperature: nan}, "temperature"},
		{Spec{Temperature: inf}, "temperature"},
		{Spec{TopK: -2}, "top_k"},
		{Spec{TopP: 1.1}, "top_p"},
		{Spec{TopP: -0.1}, "top_p"},
		{Spec{TopP: nan}, "top_p"},
		{Spec{MinP: 1.1}, "min_p"},
		{Spec{MinP: -1}, "min_p"},
		{Spec{MinP: nan}, "min_p"},
		{Spec{Seed: -2}, "seed"},
	} {
		_, err := New(c.spec)
		var f *FieldError
		if c.field == "" {
			if err != nil {
				t.Errorf("%+v: %v", c.spec, err)
			}
		} else if !errors.As(err, &f) || f.Field != c.field || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%+v: error %v, want one for %s", c.spec, err, c.field)
		}
	}
}

// TestNonFinite is field case D1.
func TestNonFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, spec := range []Spec{{}, {Temperature: 1, TopP: 1, TopK: 2}} {
			s, err := New(spec)
			if err != nil {
				t.Fatal(err)
			}
			for at := range 3 {
				logits := []float32{1, 2, 3}
				logits[at] = float32(bad)
				if _, err := s.Sample(logits); !errors.Is(err, ErrNonFinite) {
					t.Errorf("%v at %d: error %v, want ErrNonFinite", bad, at, err)
				}
			}
			if _, err := s.Sample(nil); err == nil {
				t.Error("no logits: no error")
			}
			if id, err := s.Sample([]float32{-math.MaxFloat32, math.MaxFloat32}); id != 1 || err != nil {
				t.Errorf("extreme logits: %d, %v", id, err)
			}
		}
	}
}

// TestSplitMix: the sequence of the reference implementation from seed 1234567.
func TestSplitMix(t *testing.T) {
	s := splitMix(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.next(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
	for range 1000 {
		if u := s.uniform(); u < 0 || u >= 1 || u*(1<<24) != math.Floor(u*(1<<24)) {
			t.Fatalf("%v is not a multiple of 2^-24 in [0, 1)", u)
		}
	}
}

func TestSeeds(t *testing.T) {
	logits := make([]float32, 1000)
	draw := func(seed int64) (ids []int32, used int64) {
		s, err := New(Spec{Temperature: 1, TopP: 1, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			id, err := s.Sample(logits)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		return ids, s.Spec().Seed
	}
	a, _ := draw(42)
	if b, _ := draw(42); !slices.Equal(a, b) {
		t.Errorf("seed 42 gives %v, then %v", a, b)
	}
	if b, _ := draw(43); slices.Equal(a, b) {
		t.Error("seeds 42 and 43 give the same tokens")
	}
	c, seed := draw(-1)
	if b, _ := draw(seed); seed < 0 || !slices.Equal(b, c) {
		t.Errorf("the random seed %d gives %v, then %v", seed, c, b)
	}
	if b, _ := draw(-1); slices.Equal(b, c) {
		t.Error("two random seeds give the same tokens")
	}
}

// plain is the rule of the package comment, written down step by step.
func plain(spec Spec, logits []float32, u float64) int32 {
	ids := make([]int32, len(logits))
	for i := range ids {
		ids[i] = int32(i)
	}
	sort.SliceStable(ids, func(i, j int) bool { return logits[ids[i]] > logits[ids[j]] })
	p := make([]float64, len(ids))
	normalise := func() {
		sum := 0.0
		for _, v := range p {
			sum += v
		}
		for i := range p {
			p[i] /= sum
		}
	}
	for i, id := range ids {
		p[i] = math.Exp((float64(logits[id]) - float64(logits[ids[0]])) / max(spec.Temperature, 1e-6))
	}
	normalise()
	if spec.TopK > 0 && spec.TopK < len(p) {
		p = p[:spec.TopK]
		normalise()
	}
	if spec.TopP < 1 {
		sum, n := 0.0, 0
		for n < len(p) && sum < spec.TopP {
			sum += p[n]
			n++
		}
		p = p[:max(n, 1)]
		normalise()
	}
	n := 0
	for n < len(p) && p[n] >= spec.MinP*p[0] {
		n++
	}
	p = p[:n]
	normalise()
	sum := 0.0
	for i, v := range p {
		if sum += v; sum > u {
			return ids[i]
		}
	}
	return ids[len(p)-1]
}

func TestAgainstPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(v ...float64) float64 { return v[rnd.IntN(len(v))] }
	for range 3000 {
		logits := make([]float32, 1+rnd.IntN(300))
		for i := range logits {
			logits[i] = float32(rnd.NormFloat64() * 3)
			if rnd.IntN(4) == 0 {
				logits[i] = float32(rnd.IntN(5)) // ties
			}
		}
		spec := Spec{
			Temperature: pick(0.1, 0.7, 1, 2, 30), TopK: int(pick(0, 0, 1, 5, 40, 1000)),
			TopP: pick(1, 1, 0.95, 0.5, 0.01), MinP: pick(0, 0, 0.05, 0.5), Seed: rnd.Int64(),
		}
		s, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		u := s.rng
		for range 5 {
			got, err := s.Sample(logits)
			if want := plain(spec, logits, u.uniform()); got != want || err != nil {
				t.Fatalf("%+v, %d logits: token %d (%v), want %d", spec, len(logits), got, err, want)
			}
		}
	}
}

// TestDistribution: frequencies are probabilities, within five standard deviations.
func TestDistribution(t *testing.T) {
	logits := []float32{2, 1, 0.5, -1}
	s, err := New(Spec{Temperature: 1, TopP: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const n = 200000
	var count [4]float64
	for range n {
		id, err := s.Sample(logits)
		if err != nil {
			t.Fatal(err)
		}
		count[id]++
	}
	for id, p := range []float64{0.60946, 0.22421, 0.13599, 0.03034} {
		if d := math.Abs(count[id] - n*p); d > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("token %d: %v of %d draws, want %v", id, count[id], n, n*p)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	for _, spec := range []Spec{{}, {Temperature: 1, TopP: 1}, {Temperature: 0.8, TopK: 40, TopP: 0.9, MinP: 0.05}} {
		s, logits := vocabulary(t, spec)
		if n := testing.AllocsPerRun(20, func() { _, _ = s.Sample(logits) }); n > 0 {
			t.Errorf("%+v: %v allocations a token", spec, n)
		}
	}
}

// vocabulary returns a sampler and 49,152 logits, with which it has drawn before.
func vocabulary(t testing.TB, spec Spec) (*Sampler, []float32) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	logits := make([]float32, 49152)
	for i := range logits {
		logits[i] = float32(rnd.NormFloat64() * 3)
	}
	s, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := s.Sample(logits); err != nil {
			t.Fatal(err)
		}
	}
	return s, logits
}

func BenchmarkSample(b *testing.B) {
	for name, spec := range map[string]Spec{
		"greedy":        {},
		"temperature":   {Temperature: 1, TopP: 1},
		"top_k":         {Temperature: 1, TopP: 1, TopK: 40},
		"top_p":         {Temperature: 1, TopP: 0.9},
		"min_p":         {Temperature: 1, TopP: 1, MinP: 0.05},
		"k and p and m": {Temperature: 0.8, TopK: 40, TopP: 0.95, MinP: 0.05},
	} {
		b.Run(name, func(b *testing.B) {
			s, logits := vocabulary(b, spec)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = s.Sample(logits)
			}
		})
	}
}
