package compiler

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/lower"
)

// choosePlan chooses the plan for the precision that is asked for.
func (m *model) choosePlan(o Options) (err error) {
	precision, own := o.Precision, formats(m.checkpoint)
	if own == nil && precision == "" && o.Target.DefaultPrecision == lower.Keep {
		precision = "f16"
		o.Progress.Note("precision f16: a config.json alone has no weights to keep")
	}
	if name, ok := strings.CutPrefix(precision, lower.Mixed+":"); ok && name != "" {
		if own, err = m.recipeFormats(name, own); err != nil {
			return err
		}
		precision = lower.Mixed + ":" + filepath.Base(name) // the bundle doesn't depend on where the file is
	}
	m.plan, err = lower.PlanFor(o.Target, precision, o.KV, own)
	return err
}

// formats are those in which a checkpoint hands out its matrices; nil without one.
func formats(c checkpoint.Checkpoint) lower.Formats {
	if c == nil {
		return nil
	}
	return func(tensor string) lower.Format {
		if p, ok := c.Packed(tensor); ok {
			return lower.Format{Bits: p.Bits, Group: p.Group, DType: p.Scale, Centre: p.Centre, Super: p.Super}
		}
		return lower.Format{DType: c.Number(tensor)}
	}
}

// recipeFormats are those that a recipe gives to the checkpoint's matrices.
func (m *model) recipeFormats(name string, own lower.Formats) (lower.Formats, error) {
	if own == nil {
		return nil, archs.Errorf(archs.MissingFile, "recipe %s: a config.json alone doesn't say which matrices there are; give the checkpoint's directory", name)
	}
	var paths []string
	for _, t := range m.checkpoint.Tensors() {
		if path, ok := strings.CutSuffix(t.Name, ".weight"); ok && len(t.Shape) > 1 {
			paths = append(paths, path)
		}
	}
	recipe, err := quant.LoadRecipe(name, paths, len(m.spec.Layers))
	if err != nil {
		return nil, err
	}
	return func(tensor string) lower.Format {
		how := recipe.Of(strings.TrimSuffix(tensor, ".weight"))
		if how == (quant.Affine{}) {
			return own(tensor)
		}
		return own(tensor).Quantised(how.Bits, how.Group)
	}, nil
}

// noteRequantised remarks that quantised matrices are quantised again.
func (m *model) noteRequantised(p Progress) {
	for _, w := range m.program.Weights {
		if w.Recipe.Format.Quantise == 0 {
			continue
		}
		for _, s := range w.Recipe.Sources {
			if packed, ok := m.checkpoint.Packed(s.Tensor); ok {
				p.Note(fmt.Sprintf("the checkpoint is quantised already (%s: %d bits): precision %s quantises it again, and loses more than keep does", s.Tensor, packed.Bits, m.plan.Precision))
				return
			}
		}
	}
}

// checkLeft remarks what q4 or q8 can't quantise: rows that aren't whole groups. If that
// is every matrix, it is an error.
func (m *model) checkLeft(p Progress) error {
	bits, _, _ := strings.Cut(m.plan.Precision, ":")
	if bits != "q4" && bits != "q8" {
		return nil
	}
	var left []string
	quantised := 0
	for _, w := range m.program.Weights {
		if w.Recipe.Format.Quantise != 0 {
			quantised++
		} else if s := w.Recipe.Sources[0]; len(s.Shape) > 1 {
			left = append(left, fmt.Sprintf("%s: rows of %d", s.Tensor, s.Shape[1]))
		}
	}
	if quantised == 0 {
		return fmt.Errorf("compiler: precision %s quantises nothing: no matrix has rows of whole groups (%s); choose a smaller group, as in %s:32, or keep", m.plan.Precision, left[0], bits)
	}
	if len(left) > 0 {
		p.Note(fmt.Sprintf("precision %s leaves %d matrices as they are, whose rows aren't whole groups (%s)", m.plan.Precision, len(left), left[0]))
	}
	return nil
}
