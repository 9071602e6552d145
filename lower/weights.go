package lower

import (
	"fmt"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// Weight is one graph argument: what it is called in the bundle, how it is
// stored there, and how that is made from the checkpoint.
type Weight struct {
	Name   string // bundle name, HF tensor name where there is one
	Type   ir.Type
	Recipe Recipe
}

// NumberType is the type of the numbers that w holds, though w may have it as their bits.
func (w Weight) NumberType() ir.DType {
	if w.Recipe.Numbers != ir.Invalid {
		return w.Recipe.Numbers
	}
	return w.Type.DType
}

// meanings is all that the types of weights don't say of how a graph reads them: f16
// and bf16 lie as the same bits, and a format may have any centre.
func meanings(ws []Weight) []any {
	var list []any
	for _, w := range ws {
		list = append(list, w.Recipe.Numbers, w.Recipe.Format.Centre)
	}
	return list
}

// Recipe is data that compiler executes: the sources' rows are concatenated along
// dimension 0 (they must agree in the others), as numbers of the weight's element
// type (rounded to nearest even) or as a part of their quantisation, then the steps
// are applied in order.
type Recipe struct {
	Sources []Source
	Numbers ir.DType // type of the numbers where the weight is their bits; Invalid: the weight's
	Part    Part
	Format  Format // of all parts but Numbers
	Steps   []Step
}

// Part is what a recipe takes of a matrix.
type Part string

// The parts: rows of Codes are ui32 words, those of Scales and Biases one number a
// group, those of SuperScales and SuperBiases one a super-group. The parts of a matrix
// come together.
const (
	Numbers     Part = ""
	Codes       Part = "codes"
	Scales      Part = "scales"
	Biases      Part = "biases"
	SuperScales Part = "super_scales"
	SuperBiases Part = "super_biases"
)

// suffix is the last part of a bundle name.
func (p Part) suffix() string {
	if p == Codes {
		return "weight"
	}
	return string(p)
}

// Counted says whether the sources count as read: of a matrix that several recipes
// take parts of, once.
func (r Recipe) Counted() bool { return r.Part == Numbers || r.Part == Codes }

// Source is a checkpoint tensor, or a row range of it.
type Source struct {
	Tensor   string // HF name
	Shape    []int  // the shape that the Spec demands of the whole tensor
	From, To int    // rows; To == 0 means all
}

// Step is one rearrangement of a recipe. Op names it: "reshape" (Args: the shape),
// "transpose" (Args: the permutation), "pad" (Args: how many rows of zeros are added).
type Step struct {
	Op   string
	Args []int
}

// Linear is a matrix of the checkpoint: Out rows of In.
type Linear struct {
	Tensor  string // HF name
	Out, In int
}

// params are the weights of a Spec in the order in which they are arguments:
// embedding; for each layer attention norm, query·key·value and their biases, out
// and its bias, MLP norm, gate·up and their biases, down and its bias; final norm;
// head and its bias. A tied head is the embedding.
type params struct {
	list      []Weight
	embed     projection
	layers    []layerParams
	finalNorm int
	head      projection
}

// layerParams are the places in params.list of one layer's weights.
type layerParams struct {
	from, to               int
	attentionNorm, mlpNorm int
	qkv, out, gateUp, down projection
}

// projection is y = x·Wᵀ + bias for one or more matrices that multiply the same x.
type projection struct {
	linears []Linear
	stored  []stored
	bias    []int // places in params.list, none or one a matrix
}

// stored is Stored with its place in params.list.
type stored struct {
	Stored
	from, to int
}

// listWeights lists the weights of a Spec as the plan stores them.
func listWeights(s archs.Spec, plan WeightPlan) *params {
	l := &lister{plan: plan}
	p := &params{embed: l.projection("", false, Linear{s.Names.Embed, s.Vocab, s.Hidden})}
	for i, layer := range s.Layers {
		p.layers = append(p.layers, l.layer(s, layer, fmt.Sprintf(s.Names.Layer, i)))
	}
	p.finalNorm = l.vector(s.Names.FinalNorm, s.Hidden)
	p.head = p.embed
	if !s.TiedHead {
		p.head = l.projection("", false, Linear{s.Names.Head, s.Vocab, s.Hidden})
	}
	if s.HeadBias {
		p.head.bias = []int{l.vector(biasOf(s.Names.Head), s.Vocab)}
	}
	p.list = l.list
	return p
}

// lister appends weights.
type lister struct {
	plan WeightPlan
	list []Weight
}

func (l *lister) layer(s archs.Spec, layer archs.Layer, prefix string) layerParams {
	n, a, m := s.Names, layer.Attention, layer.MLP
	q, kv := a.Heads*a.HeadDim, a.KVHeads*a.HeadDim
	p := layerParams{from: len(l.list)}
	p.attentionNorm = l.vector(prefix+n.AttentionNorm, s.Hidden)
	p.qkv = l.projection(prefix+"qkv", a.QKVBias,
		Linear{prefix + n.Query, q, s.Hidden}, Linear{prefix + n.Key, kv, s.Hidden}, Linear{prefix + n.Value, kv, s.Hidden})
	p.out = l.projection("", a.OutBias, Linear{prefix + n.Out, s.Hidden, q})
	p.mlpNorm = l.vector(prefix+n.MLPNorm, s.Hidden)
	p.gateUp = l.projection(prefix+"gate_up", m.Bias,
		Linear{prefix + n.Gate, m.Width, s.Hidden}, Linear{prefix + n.Up, m.Width, s.Hidden})
	p.down = l.projection("", m.Bias, Linear{prefix + n.Down, s.Hidden, m.Width})
	p.to = len(l.list)
	return p
}

// projection lists matrices as the plan stores them; name is the bundle name,
// without ".weight", of what holds several of them.
func (l *lister) projection(name string, bias bool, linears ...Linear) projection {
	p := projection{linears: linears}
	for _, s := range l.plan.Store(name, linears) {
		from := len(l.list)
		l.list = append(l.list, s.Weights...)
		p.stored = append(p.stored, stored{s, from, len(l.list)})
	}
	if bias {
		for _, m := range linears {
			p.bias = append(p.bias, l.vector(biasOf(m.Tensor), m.Out))
		}
	}
	return p
}

// vector lists a norm's weight or a bias: n numbers, f32 under every plan.
func (l *lister) vector(tensor string, n int) int {
	l.list = append(l.list, Weight{tensor, ir.T(ir.F32, n), Recipe{Sources: []Source{{Tensor: tensor, Shape: []int{n}}}}})
	return len(l.list) - 1
}

// biasOf is the bias that goes with a weight.
func biasOf(tensor string) string { return strings.TrimSuffix(tensor, ".weight") + ".bias" }
