package quant

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
)

// Recipe says how each matrix of a model is to be quantised.
type Recipe struct {
	Name    string // "mixed_4_6", or the base name of a file
	all     Affine
	modules []module // the last one that fits counts
}

// module is a choice for the matrices whose path ends in the pattern.
type module struct {
	pattern string               // parts between dots, each one of package path
	how     Affine               // zero: not quantised
	where   func(layer int) bool // in which layers; nil: in all
	must    bool                 // a model without such a matrix isn't meant
}

// mixed are mlx-lm's recipes: few bits, and more of them for what suffers most.
var mixed = map[string]struct{ few, more int }{
	"mixed_2_6": {2, 6}, "mixed_3_4": {3, 4}, "mixed_3_6": {3, 6}, "mixed_4_6": {4, 6},
}

// maxRecipe is the size in bytes up to which a recipe's file is read.
const maxRecipe = 1 << 20

// LoadRecipe is the recipe of mlx-lm of that name, or the one in a file: whatever ends
// in .toml or contains a path separator is a file. paths are those of the model's
// matrices, without ".weight": what the recipe names must be among them. layers is how
// many layers the model has.
func LoadRecipe(name string, paths []string, layers int) (*Recipe, error) {
	r := mixedRecipe(name, layers)
	if strings.HasSuffix(name, ".toml") || strings.ContainsRune(name, filepath.Separator) {
		var err error
		if r, err = readRecipe(name); err != nil {
			return nil, fmt.Errorf("quant: recipe %s: %w", name, err)
		}
	}
	if r == nil {
		return nil, fmt.Errorf("quant: unknown recipe %q (supported: %s, or the path of a file: ./my.toml)", name, strings.Join(slices.Sorted(maps.Keys(mixed)), ", "))
	}
	for _, m := range r.modules {
		if m.must && !slices.ContainsFunc(paths, m.fits) {
			return nil, fmt.Errorf("quant: recipe %s: path %s fits no matrix of the model (there are %s, …)", name, m.pattern, strings.Join(paths[:min(3, len(paths))], ", "))
		}
	}
	return r, nil
}

// mixedRecipe is mixed_quant_predicate_builder of mlx_lm/convert.py: more bits for
// values and down projections in the first and last eighth of the layers and in every
// third between, and for the head. It is nil if there is no such recipe.
func mixedRecipe(name string, layers int) *Recipe {
	bits, ok := mixed[name]
	if !ok {
		return nil
	}
	eighth := layers / 8
	sensitive := func(i int) bool { return i < eighth || i >= 7*layers/8 || (i-eighth)%3 == 2 }
	more := Affine{bits.more, 64}
	return &Recipe{name, Affine{bits.few, 64}, []module{
		{"*v_proj*", more, sensitive, false},
		{"*v_a_proj*", more, sensitive, false},
		{"*v_b_proj*", more, sensitive, false},
		{"*down_proj*", more, sensitive, true},
		{"*lm_head*", more, nil, false},
	}}
}

// layerOf is the first number among a path's parts, 0 if there is none.
func layerOf(path string) int {
	for part := range strings.SplitSeq(path, ".") {
		if n, err := strconv.Atoi(part); err == nil {
			return n
		}
	}
	return 0
}

// readRecipe reads a file such as
//
//	bits = 4
//	group_size = 64
//
//	[[module]]
//	path = "layers.*.mlp.down_proj"
//	bits = 6
//
//	[[module]]
//	path = "lm_head"
//	quantize = false
func readRecipe(file string) (*Recipe, error) {
	data, err := rawfile.Read(file, maxRecipe)
	if err != nil {
		return nil, err
	}
	return parseRecipe(filepath.Base(file), data)
}

func parseRecipe(name string, data []byte) (*Recipe, error) {
	type choice struct {
		Bits      *int   `toml:"bits"`
		GroupSize *int   `toml:"group_size"`
		Path      string `toml:"path"`
		Quantize  *bool  `toml:"quantize"`
	}
	var file struct {
		Bits      int      `toml:"bits"`
		GroupSize int      `toml:"group_size"`
		Modules   []choice `toml:"module"`
	}
	file.Bits, file.GroupSize = 4, 64
	meta, err := toml.Decode(string(data), &file)
	if err != nil {
		return nil, err
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("unknown key %s (supported: bits, group_size, and of each [[module]] path, bits, group_size, quantize)", keys[0])
	}
	r := &Recipe{Name: name, all: Affine{file.Bits, file.GroupSize}}
	if err := r.all.Check(); err != nil {
		return nil, err
	}
	for _, c := range file.Modules {
		if c.Path == "" || slices.Contains(strings.Split(c.Path, "."), "") {
			return nil, fmt.Errorf("[[module]] path %q isn't one: parts between dots, in which * is any text, as in layers.*.mlp.down_proj", c.Path)
		}
		m := module{pattern: c.Path, how: r.all, must: true}
		if _, err := path.Match(m.pattern, ""); err != nil {
			return nil, fmt.Errorf("[[module]] path %q: %w", c.Path, err)
		}
		if c.Bits != nil {
			m.how.Bits = *c.Bits
		}
		if c.GroupSize != nil {
			m.how.Group = *c.GroupSize
		}
		if err := m.how.Check(); err != nil {
			return nil, fmt.Errorf("[[module]] path %q: %w", c.Path, err)
		}
		if c.Quantize != nil && !*c.Quantize {
			m.how = Affine{}
		}
		r.modules = append(r.modules, m)
	}
	return r, nil
}

// Of is how the matrix path+".weight" is to be quantised, zero if it isn't.
func (r *Recipe) Of(path string) Affine {
	how := r.all
	for _, m := range r.modules {
		if m.fits(path) && (m.where == nil || m.where(layerOf(path))) {
			how = m.how
		}
	}
	return how
}

// fits says whether the path ends in the pattern, whole parts of it.
func (m module) fits(name string) bool {
	parts := strings.Split(name, ".")
	n := strings.Count(m.pattern, ".") + 1
	if n > len(parts) {
		return false
	}
	ok, _ := path.Match(strings.ReplaceAll(m.pattern, ".", "/"), strings.Join(parts[len(parts)-n:], "/"))
	return ok
}
