package compiler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/lower"
)

// checkTensors holds that the weights take every tensor of the checkpoint exactly
// once, in the shape that the config demands. Errors are *archs.Error of the classes
// missing_tensor, shape_mismatch, bad_quantization and unexpected_tensor.
func checkTensors(spec archs.Spec, weights []lower.Weight, tensors []checkpoint.Tensor) error {
	byName := make(map[string]checkpoint.Tensor, len(tensors))
	for _, t := range tensors {
		byName[t.Name] = t
	}
	used := map[string][]lower.Source{}
	for _, w := range weights {
		if !w.Recipe.Counted() {
			continue
		}
		for _, s := range w.Recipe.Sources {
			t, ok := byName[s.Tensor]
			if !ok {
				return missingTensor(spec, s, tensors)
			}
			if !slices.Equal(t.Shape, s.Shape) {
				if err := otherWidth(t, s); err != nil {
					return err
				}
				return archs.Errorf(archs.ShapeMismatch, "%s: shape %v in %s, the config asks for %v%s", t.Name, t.Shape, t.File, s.Shape, explain(spec, s.Tensor))
			}
			if t.Opaque {
				return archs.Errorf(archs.BadQuantization, "tensor %s: %s in %s holds no numbers that can be a weight (floats can, and codes of a quantization block in config.json); use the float checkpoint, or one that mlx-lm quantised", t.Name, t.DType, t.File)
			}
			used[s.Tensor] = append(used[s.Tensor], s)
		}
	}
	for _, t := range tensors {
		sources := used[t.Name]
		if len(sources) == 0 {
			if archs.Ignorable(spec.ModelType, t.Name) {
				continue
			}
			return archs.Errorf(archs.UnexpectedTensor, "%s: it is in %s with shape %v, but a %s with this config has no such tensor, and leaving it out could give wrong numbers; check that config.json belongs to these weights", t.Name, t.File, t.Shape, spec.ModelType)
		}
		if err := coverOnce(sources); err != nil {
			return fmt.Errorf("compiler: tensor %s: %w", t.Name, err)
		}
	}
	return nil
}

// otherWidth refuses an MLX matrix whose words and scales have a shape that another
// width of codes and another group size give: 8 bits in groups of 32 fill the words of
// twice as many columns with 4 bits in groups of 64. It is nil if that can't be.
func otherWidth(t checkpoint.Tensor, s lower.Source) error {
	last := len(t.Shape) - 1
	if t.Affine.Bits == 0 || len(s.Shape) != len(t.Shape) || !slices.Equal(s.Shape[:last], t.Shape[:last]) {
		return nil
	}
	has, want := t.Shape[last], s.Shape[last]
	ratio := float64(want) / float64(has)
	return archs.Errorf(archs.BadQuantization, "tensor %s: config.json: quantization says bits %d, group_size %d, which makes %d columns of what is in %s; the config asks for %d columns, which would have bits %.4g, group_size %.4g",
		t.Name, t.Affine.Bits, t.Affine.Group, has, t.File, want, float64(t.Affine.Bits)/ratio, float64(t.Affine.Group)*ratio)
}

func missingTensor(spec archs.Spec, s lower.Source, tensors []checkpoint.Tensor) error {
	last := s.Tensor[strings.LastIndexByte(strings.TrimSuffix(s.Tensor, ".weight"), '.')+1:]
	near := ""
	for _, t := range tensors {
		if strings.HasSuffix(t.Name, last) {
			near = "; there is a " + t.Name
			break
		}
	}
	return archs.Errorf(archs.MissingTensor, "%s: a %s with this config needs it with shape %v, but it is in no file of the checkpoint (%d tensors found%s)", s.Tensor, spec.ModelType, s.Shape, len(tensors), near)
}

// coverOnce checks that the row ranges of one tensor are all of it, without overlap.
func coverOnce(sources []lower.Source) error {
	slices.SortFunc(sources, func(a, b lower.Source) int { return cmp.Compare(a.From, b.From) })
	at := 0
	for _, s := range sources {
		from, to := rowRange(s)
		if from != at {
			return fmt.Errorf("rows %d to %d are used twice or not at all", min(from, at), max(from, at))
		}
		at = to
	}
	if _, end := rowRange(lower.Source{Shape: sources[0].Shape}); at != end {
		return fmt.Errorf("rows %d to %d are not used", at, end)
	}
	return nil
}

// explain says which config values a tensor's shape comes from.
func explain(spec archs.Spec, tensor string) string {
	for i, l := range spec.Layers {
		name, ok := strings.CutPrefix(tensor, fmt.Sprintf(spec.Names.Layer, i))
		if !ok {
			continue
		}
		a := l.Attention
		hidden := fmt.Sprintf("hidden_size %d", spec.Hidden)
		heads := fmt.Sprintf("num_attention_heads %d × head_dim %d", a.Heads, a.HeadDim)
		kvHeads := fmt.Sprintf("num_key_value_heads %d × head_dim %d", a.KVHeads, a.HeadDim)
		width := fmt.Sprintf("intermediate_size %d", l.MLP.Width)
		for _, row := range []struct{ name, from string }{
			{spec.Names.Query, heads}, {spec.Names.Key, kvHeads}, {spec.Names.Value, kvHeads}, {spec.Names.Out, hidden + ", columns " + heads},
			{spec.Names.Gate, width}, {spec.Names.Up, width}, {spec.Names.Down, hidden + ", columns " + width},
			{spec.Names.AttentionNorm, hidden}, {spec.Names.MLPNorm, hidden},
		} {
			if name == row.name || name == strings.TrimSuffix(row.name, "weight")+"bias" {
				return ": rows are " + row.from
			}
		}
	}
	switch tensor {
	case spec.Names.Embed, spec.Names.Head:
		return fmt.Sprintf(": rows are vocab_size %d, columns hidden_size %d", spec.Vocab, spec.Hidden)
	case spec.Names.FinalNorm:
		return fmt.Sprintf(": rows are hidden_size %d", spec.Hidden)
	}
	return ""
}
