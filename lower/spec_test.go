package lower_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/ir/rope"
	"github.com/mlxc/mlxc/lower"
)

// tinySpec has two kinds of layers and two of RoPE.
func tinySpec() archs.Spec {
	norm := archs.Norm{Kind: archs.RMSNorm, Eps: 1e-5}
	layer := archs.Layer{
		Attention: archs.Attention{Heads: 4, KVHeads: 2, HeadDim: 8, Scale: 0.25},
		MLP:       archs.MLP{Width: 48, Activation: archs.SiLU},
		Norm:      norm,
	}
	other := layer
	other.Attention.RoPE = 1
	return archs.Spec{
		ModelType: "tiny", Vocab: 50, Hidden: 32, MaxLength: 64, BOS: 1, EOS: []int{2},
		Layers: []archs.Layer{layer, other, layer}, FinalNorm: norm,
		RoPE: []rope.Params{
			{Kind: rope.Default, Theta: 1e4, Dim: 8, MaxPosition: 64},
			{Kind: rope.Default, Theta: 1e6, Dim: 8, MaxPosition: 64},
		},
		Names: archs.Names{
			Embed: "embed.weight", FinalNorm: "norm.weight", Head: "head.weight", Layer: "layers.%d.",
			AttentionNorm: "norm1.weight", MLPNorm: "norm2.weight",
			Query: "q.weight", Key: "k.weight", Value: "v.weight", Out: "o.weight",
			Gate: "gate.weight", Up: "up.weight", Down: "down.weight",
		},
	}
}

// Where a change of a field shows.
const (
	inText    = "the text of every graph"
	inWeights = "the weights' recipes"
	inError   = "an error"
	// Not in what lower makes: the bundle's manifest has it, and the session uses it.
	inManifest = "the manifest"
)

// fields says for every field of a Spec where a change of it shows.
var fields = map[string]struct {
	change func(s *archs.Spec)
	shows  string
}{
	"ModelType":                {func(s *archs.Spec) { s.ModelType = "other" }, inManifest},
	"Vocab":                    {func(s *archs.Spec) { s.Vocab = 60 }, inText},
	"Hidden":                   {func(s *archs.Spec) { s.Hidden = 64 }, inText},
	"MaxLength":                {func(s *archs.Spec) { s.MaxLength = 99 }, inManifest}, // bounds the default context
	"Layers":                   {func(s *archs.Spec) { s.Layers = s.Layers[:2] }, inText},
	"Layers.Attention.Heads":   {func(s *archs.Spec) { s.Layers[0].Attention.Heads = 2 }, inText},
	"Layers.Attention.KVHeads": {func(s *archs.Spec) { s.Layers[0].Attention.KVHeads = 1 }, inText},
	"Layers.Attention.HeadDim": {func(s *archs.Spec) { s.Layers[0].Attention.HeadDim = 16 }, inText},
	"Layers.Attention.Scale":   {func(s *archs.Spec) { s.Layers[0].Attention.Scale = 0.5 }, inText},
	"Layers.Attention.QKVBias": {func(s *archs.Spec) { s.Layers[0].Attention.QKVBias = true }, inText},
	"Layers.Attention.OutBias": {func(s *archs.Spec) { s.Layers[0].Attention.OutBias = true }, inText},
	"Layers.Attention.RoPE":    {func(s *archs.Spec) { s.Layers[0].Attention.RoPE = 1 }, inText},
	"Layers.MLP.Width":         {func(s *archs.Spec) { s.Layers[0].MLP.Width = 32 }, inText},
	"Layers.MLP.Activation":    {func(s *archs.Spec) { s.Layers[0].MLP.Activation = archs.GELU }, inText},
	"Layers.MLP.Bias":          {func(s *archs.Spec) { s.Layers[0].MLP.Bias = true }, inText},
	"Layers.Norm.Kind":         {func(s *archs.Spec) { s.Layers[0].Norm.Kind = "other" }, inError},
	"Layers.Norm.Eps":          {func(s *archs.Spec) { s.Layers[0].Norm.Eps = 1e-6 }, inText},
	"FinalNorm.Kind":           {func(s *archs.Spec) { s.FinalNorm.Kind = "other" }, inError},
	"FinalNorm.Eps":            {func(s *archs.Spec) { s.FinalNorm.Eps = 1e-6 }, inText},
	"TiedHead":                 {func(s *archs.Spec) { s.TiedHead = true }, inText},
	"HeadBias":                 {func(s *archs.Spec) { s.HeadBias = true }, inText},
	"RoPE":                     {func(s *archs.Spec) { s.RoPE = append(s.RoPE, s.RoPE[0]) }, inText},
	"RoPE.Kind":                {func(s *archs.Spec) { s.RoPE[0].Kind = rope.Linear }, inManifest},
	"RoPE.Theta":               {func(s *archs.Spec) { s.RoPE[0].Theta = 5 }, inManifest},
	"RoPE.Dim":                 {func(s *archs.Spec) { s.RoPE[0].Dim = 4 }, inText},
	"RoPE.Factor":              {func(s *archs.Spec) { s.RoPE[0].Factor = 5 }, inManifest},
	"RoPE.MaxPosition":         {func(s *archs.Spec) { s.RoPE[0].MaxPosition = 5 }, inManifest},
	"RoPE.OriginalMaxPosition": {func(s *archs.Spec) { s.RoPE[0].OriginalMaxPosition = 5 }, inManifest},
	"RoPE.LowFreqFactor":       {func(s *archs.Spec) { s.RoPE[0].LowFreqFactor = 5 }, inManifest},
	"RoPE.HighFreqFactor":      {func(s *archs.Spec) { s.RoPE[0].HighFreqFactor = 5 }, inManifest},
	"RoPE.BetaFast":            {func(s *archs.Spec) { s.RoPE[0].BetaFast = 5 }, inManifest},
	"RoPE.BetaSlow":            {func(s *archs.Spec) { s.RoPE[0].BetaSlow = 5 }, inManifest},
	"RoPE.MScale":              {func(s *archs.Spec) { s.RoPE[0].MScale = 5 }, inManifest},
	"RoPE.MScaleAllDim":        {func(s *archs.Spec) { s.RoPE[0].MScaleAllDim = 5 }, inManifest},
	"RoPE.NoTruncate":          {func(s *archs.Spec) { s.RoPE[0].NoTruncate = true }, inManifest},
	"RoPE.AttentionFactor":     {func(s *archs.Spec) { s.RoPE[0].AttentionFactor = 5 }, inManifest},
	"RoPE.ShortFactor":         {func(s *archs.Spec) { s.RoPE[0].ShortFactor = []float64{5} }, inManifest},
	"RoPE.LongFactor":          {func(s *archs.Spec) { s.RoPE[0].LongFactor = []float64{5} }, inManifest},
	"Names.Embed":              {func(s *archs.Spec) { s.Names.Embed = "x.weight" }, inWeights},
	"Names.FinalNorm":          {func(s *archs.Spec) { s.Names.FinalNorm = "x.weight" }, inWeights},
	"Names.Head":               {func(s *archs.Spec) { s.Names.Head = "x.weight" }, inWeights},
	"Names.Layer":              {func(s *archs.Spec) { s.Names.Layer = "x.%d." }, inWeights},
	"Names.AttentionNorm":      {func(s *archs.Spec) { s.Names.AttentionNorm = "x.weight" }, inWeights},
	"Names.MLPNorm":            {func(s *archs.Spec) { s.Names.MLPNorm = "x.weight" }, inWeights},
	"Names.Query":              {func(s *archs.Spec) { s.Names.Query = "x.weight" }, inWeights},
	"Names.Key":                {func(s *archs.Spec) { s.Names.Key = "x.weight" }, inWeights},
	"Names.Value":              {func(s *archs.Spec) { s.Names.Value = "x.weight" }, inWeights},
	"Names.Out":                {func(s *archs.Spec) { s.Names.Out = "x.weight" }, inWeights},
	"Names.Gate":               {func(s *archs.Spec) { s.Names.Gate = "x.weight" }, inWeights},
	"Names.Up":                 {func(s *archs.Spec) { s.Names.Up = "x.weight" }, inWeights},
	"Names.Down":               {func(s *archs.Spec) { s.Names.Down = "x.weight" }, inWeights},
	"EOS":                      {func(s *archs.Spec) { s.EOS = []int{3} }, inManifest},
	"BOS":                      {func(s *archs.Spec) { s.BOS = 3 }, inManifest},
}

// TestEveryFieldShows changes each field of a Spec in turn.
func TestEveryFieldShows(t *testing.T) {
	for _, path := range leaves(reflect.TypeFor[archs.Spec](), "") {
		if _, ok := fields[path]; !ok {
			t.Errorf("field %s is not in the table of fields", path)
		}
	}
	base, weights, err := lowered(t, tinySpec())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(fields)) {
		f := fields[path]
		changed := tinySpec()
		f.change(&changed)
		if reflect.DeepEqual(changed, tinySpec()) {
			t.Errorf("%s: the table does not change it", path)
		}
		texts, w, err := lowered(t, changed)
		if (err != nil) != (f.shows == inError) {
			t.Errorf("%s: error %v, want it in %s", path, err, f.shows)
			continue
		}
		for kind := range texts {
			if differs := texts[kind] != base[kind]; differs != (f.shows == inText) && f.shows != inWeights {
				t.Errorf("%s: text of %s differs: %v, want a change in %s", path, kind, differs, f.shows)
			}
		}
		if differs := w != weights; !differs && f.shows == inWeights {
			t.Errorf("%s: the weights' recipes are the same", path)
		} else if differs && f.shows == inManifest {
			t.Errorf("%s: the weights' recipes differ, want a change in %s only", path, f.shows)
		}
	}
}

// leaves lists the paths of the fields of a struct type; slices of structs are
// leaves and have leaves.
func leaves(t reflect.Type, prefix string) []string {
	var paths []string
	for i := range t.NumField() {
		f := t.Field(i)
		inner := f.Type
		if inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct {
			paths = append(paths, prefix+f.Name)
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			paths = append(paths, leaves(inner, prefix+f.Name+".")...)
		} else if inner == f.Type {
			paths = append(paths, prefix+f.Name)
		}
	}
	return paths
}

// lowered is the text of each graph kind, and what the weights are made of.
func lowered(t *testing.T, s archs.Spec) (texts map[string]string, weights string, err error) {
	o := lower.Options{Context: 40, Slots: 3, Graphs: kinds(t, "prefill_c16", "decode", "ragged_b2")}
	p, err := lower.Lower(s, plan(t, "f16", ""), o)
	if err != nil {
		return nil, "", err
	}
	texts = map[string]string{}
	for _, g := range p.Graphs {
		texts[g.Kind.String()] = ir.Print(g.Module)
	}
	return texts, fmt.Sprintf("%+v", p.Weights), nil
}

// TestLayerKinds: equal layers share one function, and so do equal pieces.
func TestLayerKinds(t *testing.T) {
	texts, _, err := lowered(t, tinySpec())
	if err != nil {
		t.Fatal(err)
	}
	for kind, text := range texts {
		for what, want := range map[string]int{
			"func.func private @layer": 2, "func.call @layer(": 2, "func.call @layer_2(": 1,
			"func.func private @rms_norm": map[string]int{"decode": 1, "prefill_c16": 2, "ragged_b2": 1}[kind],
		} {
			if got := strings.Count(strings.ReplaceAll(text, "@"+kind+".", "@"), what); got != want {
				t.Errorf("%s: %d × %q, want %d", kind, got, what, want)
			}
		}
	}
}
