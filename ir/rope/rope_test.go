package rope

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oracleCase is what testdata/make_rope.py writes.
type oracleCase struct {
	Name      string
	Params    Params
	Length    int
	Positions []int
	InvFreq   string `json:"inv_freq"`
	Cos, Sin  string
}

func oracleCases(t testing.TB, kind Kind) []oracleCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "rope", string(kind)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []oracleCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatalf("no cases for %s", kind)
	}
	return file.Cases
}

func floats(t testing.TB, text string) []float32 {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

var kinds = []Kind{Default, Linear, Dynamic, Llama3, Yarn, LongRoPE}

func TestRowsAgainstHF(t *testing.T) {
	for _, kind := range kinds {
		for _, c := range oracleCases(t, kind) {
			t.Run(string(kind)+"/"+c.Name, func(t *testing.T) {
				table, err := New(c.Params)
				if err != nil {
					t.Fatal(err)
				}
				base := float32(0)
				if table.stretched(c.Length) {
					base = c.Params.dynamicBase(c.Length)
				}
				for i, want := range floats(t, c.InvFreq) {
					if got := table.frequency(i, c.Length, base); got != want {
						t.Errorf("inverse frequency %d of %d: %b, want %b", i, table.Width(), got, want)
					}
				}
				cos, sin, err := Rows(c.Params, c.Positions, c.Length)
				if err != nil {
					t.Fatal(err)
				}
				for name, rows := range map[string][2][]float32{"cos": {cos, floats(t, c.Cos)}, "sin": {sin, floats(t, c.Sin)}} {
					if len(rows[0]) != len(rows[1]) {
						t.Fatalf("%s has %d entries, want %d", name, len(rows[0]), len(rows[1]))
					}
					worst, at := 0.0, 0
					for i, want := range rows[1] {
						if d := math.Abs(float64(rows[0][i]) - float64(want)); !(d <= worst) {
							worst, at = d, i
						}
					}
					if !(worst <= 1e-6) {
						t.Errorf("%s at position %d, entry %d: off by %g", name, c.Positions[at/table.Width()], at%table.Width(), worst)
					}
				}
			})
		}
	}
}

// The values of field case A1, from HF ROPE_INIT_FUNCTIONS["llama3"].
func TestLlama3Frequencies(t *testing.T) {
	p := Params{Kind: Llama3, Theta: 10000, Dim: 16, Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4, OriginalMaxPosition: 64}
	want := []float32{1, 0.244384587, 0.0130422562, 0.00395284733, 0.00125, 0.000395284733, 0.000125, 3.95284733e-05}
	for i, got := range p.llama3() {
		if got != want[i] {
			t.Errorf("inverse frequency %d: %.9g, want %.9g", i, got, want[i])
		}
	}
}

// A chunk, one row at a time and all at once are the same rows.
func TestFillIsRowByRow(t *testing.T) {
	for _, kind := range kinds {
		c := oracleCases(t, kind)[0]
		table, err := New(c.Params)
		if err != nil {
			t.Fatal(err)
		}
		positions := []int{0, 5, 31, c.Length - 1}
		cos, sin, err := Rows(c.Params, positions, c.Length)
		if err != nil {
			t.Fatal(err)
		}
		w := table.Width()
		one := make([]float32, 2*w)
		for i, position := range positions {
			allocs := testing.AllocsPerRun(1, func() {
				if err := table.Fill(one[:w], one[w:], []int{position}, c.Length); err != nil {
					t.Fatal(err)
				}
			})
			if allocs != 0 {
				t.Errorf("%s: Fill allocates %v times", kind, allocs)
			}
			for j := range w {
				if one[j] != cos[i*w+j] || one[w+j] != sin[i*w+j] {
					t.Fatalf("%s: position %d, entry %d differs", kind, position, j)
				}
			}
		}
	}
}

func TestFillErrors(t *testing.T) {
	table, err := New(Params{Kind: Default, Theta: 10000, Dim: 8})
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float32, 4)
	for _, c := range []struct {
		name      string
		cos       []float32
		positions []int
		length    int
		want      string
	}{
		{"cos too short", row[:3], []int{0}, 1, "need 4"},
		{"negative position", row, []int{-1}, 1, "position -1"},
		{"position beyond the length", row, []int{7}, 7, "position 7"},
	} {
		if err := table.Fill(c.cos, row, c.positions, c.length); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	good := map[Kind]Params{}
	for _, kind := range kinds {
		good[kind] = oracleCases(t, kind)[0].Params
		if err := good[kind].Validate(); err != nil {
			t.Fatal(err)
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		field  string
		kind   Kind
		change func(p *Params)
	}{
		{"kind", Default, func(p *Params) { p.Kind = "spiral" }},
		{"dim", Default, func(p *Params) { p.Dim = 7 }},
		{"dim", Default, func(p *Params) { p.Dim = 0 }},
		{"dim", Default, func(p *Params) { p.Dim = 2 * MaxDim }},
		{"theta", Default, func(p *Params) { p.Theta = 0 }},
		{"theta", Default, func(p *Params) { p.Theta = nan }},
		{"theta", Default, func(p *Params) { p.Theta = 1e300 }},
		{"theta", Yarn, func(p *Params) { p.Theta = 1 }},
		{"factor", Linear, func(p *Params) { p.Factor = 0 }},
		{"factor", Dynamic, func(p *Params) { p.Factor = 0.5 }},
		{"factor", Dynamic, func(p *Params) { p.Factor = inf }},
		{"dim", Dynamic, func(p *Params) { p.Dim = 2 }},
		{"max_position", Dynamic, func(p *Params) { p.MaxPosition = 0 }},
		{"factor", Llama3, func(p *Params) { p.Factor = -1 }},
		{"low_freq_factor", Llama3, func(p *Params) { p.LowFreqFactor = 0 }},
		{"high_freq_factor", Llama3, func(p *Params) { p.HighFreqFactor = p.LowFreqFactor }},
		{"original_max_position", Llama3, func(p *Params) { p.OriginalMaxPosition = 0 }},
		{"factor", Yarn, func(p *Params) { p.Factor = nan }},
		{"beta_fast", Yarn, func(p *Params) { p.BetaFast = 0 }},
		{"beta_slow", Yarn, func(p *Params) { p.BetaSlow = -1 }},
		{"attention_factor", Yarn, func(p *Params) { p.AttentionFactor = inf }},
		{"mscale", Yarn, func(p *Params) { p.MScale = -1 }},
		{"mscale_all_dim", Yarn, func(p *Params) { p.MScaleAllDim = nan }},
		{"original_max_position", Yarn, func(p *Params) { p.OriginalMaxPosition = -1 }},
		{"factor", LongRoPE, func(p *Params) { p.Factor = 0 }},
		{"attention_factor", LongRoPE, func(p *Params) { p.AttentionFactor = -1 }},
		{"original_max_position", LongRoPE, func(p *Params) { p.OriginalMaxPosition = 1 }},
		{"short_factor", LongRoPE, func(p *Params) { p.ShortFactor = p.ShortFactor[1:] }},
		{"long_factor", LongRoPE, func(p *Params) { p.LongFactor = append([]float64{0}, p.LongFactor[1:]...) }},
	} {
		p := good[c.kind]
		c.change(&p)
		if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), "rope: "+c.field+" ") {
			t.Errorf("%s with a wrong %s: %v", c.kind, c.field, err)
		}
	}
}

func BenchmarkFill(b *testing.B) {
	table, err := New(Params{Kind: Default, Theta: 10000, Dim: 64})
	if err != nil {
		b.Fatal(err)
	}
	row := make([]float32, 64)
	positions := []int{1234}
	for b.Loop() {
		if err := table.Fill(row[:32], row[32:], positions, 2000); err != nil {
			b.Fatal(err)
		}
	}
}
