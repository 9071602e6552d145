package archs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// quantizationKeys are the keys of config.json that say how matrices are quantised.
var quantizationKeys = []string{"quantization", "quantization_config"}

// Quantization is MLX's block of config.json about quantised matrices: one width and
// one group size for all of them, and modules that differ.
//
//	"quantization": {"group_size": 64, "bits": 4, "mode": "affine",
//	                 "model.embed_tokens": {"group_size": 64, "bits": 8}, "lm_head": false}
type Quantization struct {
	all     Quantized
	modules map[string]Quantized // by the paths' common spelling
}

// Quantized is how the config says that a module's matrix is stored.
type Quantized struct {
	Field       string // of config.json, for messages
	Named       bool   // the config names the module itself
	Mode        string // one of modes; "" if the config says that it isn't quantised
	Bits, Group int    // both 0 if the config says that it isn't quantised
}

// modes are MLX's; what a module that is named doesn't say is affine.
var modes = []string{Affine, "mxfp4", "mxfp8", "nvfp4"}

// Affine is the mode with codes that are whole numbers, and scales and biases; the
// others have small floats for codes, and no biases.
const Affine = "affine"

// ReadQuantization reads the block, nil if there is none. Methods of other programs are
// refused by name. Errors are of type *Error.
func ReadQuantization(config []byte) (*Quantization, error) {
	values, err := decodeConfig(config)
	if err != nil {
		return nil, err
	}
	return quantization(values)
}

// quantization reads the first block that there is, which counts for mlx-lm. A second one
// must say the same, unless it is of another program: what the weights had before.
func quantization(values map[string]any) (*Quantization, error) {
	var first *Quantization
	for _, key := range quantizationKeys {
		v := values[key]
		if block, ok := v.(map[string]any); v == nil || first != nil && ok && block["quant_method"] != nil {
			continue
		}
		q, err := readQuantization(key, v)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = q
		} else if err := first.contradicts(q); err != nil {
			return nil, err
		}
	}
	return first, nil
}

// contradicts says where two blocks differ.
func (q *Quantization) contradicts(o *Quantization) error {
	paths := slices.Sorted(maps.Keys(q.modules))
	paths = append(paths, slices.Sorted(maps.Keys(o.modules))...)
	for _, pair := range append([][2]Quantized{{q.all, o.all}}, pairs(q, o, paths)...) {
		if a, b := pair[0], pair[1]; a.Mode != b.Mode || a.Bits != b.Bits || a.Group != b.Group {
			return badQuantization(a.Field, "says %s, but %s says %s; leave the block that the weights were made with", a.text(), b.Field, b.text())
		}
	}
	return nil
}

// pairs are what two blocks say of modules.
func pairs(q, o *Quantization, paths []string) (list [][2]Quantized) {
	for _, path := range paths {
		list = append(list, [2]Quantized{q.Module(path), o.Module(path)})
	}
	return list
}

// text is what the config says, for messages.
func (q Quantized) text() string {
	if q.Mode == "" {
		return "not quantised"
	}
	return fmt.Sprintf("mode %s, bits %d, group_size %d", q.Mode, q.Bits, q.Group)
}

// Unmatched are the fields of config.json that name modules which aren't among paths.
func (q *Quantization) Unmatched(paths []string) []string {
	there := map[string]bool{}
	for _, p := range paths {
		there[modulePath(p)] = true
	}
	var fields []string
	for path, how := range q.modules {
		if !there[path] {
			fields = append(fields, how.Field)
		}
	}
	slices.Sort(fields)
	return fields
}

func readQuantization(key string, v any) (*Quantization, error) {
	block, ok := v.(map[string]any)
	if !ok {
		return nil, badQuantization(key, "is %s (supported: an object)", describe(v))
	}
	if method := block["quant_method"]; method != nil {
		return nil, badQuantization(key, "has quant_method %s (supported: MLX's quantisation, which has none); use the float checkpoint, or one that mlx-lm converted", describe(method))
	}
	all, err := readQuantized(key, block)
	if err != nil {
		return nil, err
	}
	q := &Quantization{all: all, modules: map[string]Quantized{}}
	for _, path := range slices.Sorted(maps.Keys(block)) {
		if slices.Contains(quantizedKeys, path) || block[path] == nil {
			continue
		}
		if err := q.addModule(fmt.Sprintf("%s[%q]", key, path), path, block[path]); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// addModule reads the entry of one module: an object, or false.
func (q *Quantization) addModule(field, path string, v any) (err error) {
	how := q.all
	switch v := v.(type) {
	case bool:
		if !v {
			how.Mode, how.Bits, how.Group = "", 0, 0
		}
	case map[string]any:
		if how, err = readQuantized(field, v); err != nil {
			return err
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !slices.Contains(quantizedKeys, key) {
				return badQuantization(field, "has the unknown key %q (supported: %s)", key, strings.Join(quantizedKeys, ", "))
			}
		}
	default:
		return badQuantization(field, "is %s (supported: an object or a boolean, for the module of that path)", describe(v))
	}
	how.Field, how.Named = field, true
	spelling := modulePath(path)
	if other, twice := q.modules[spelling]; twice && (other.Mode != how.Mode || other.Bits != how.Bits || other.Group != how.Group) {
		return badQuantization(field, "and %s name the same module and differ; leave one of them", other.Field)
	}
	q.modules[spelling] = how
	return nil
}

var quantizedKeys = []string{"bits", "group_size", "mode"}

// readQuantized reads width, group size and mode.
func readQuantized(field string, v map[string]any) (Quantized, error) {
	how := Quantized{Field: field, Mode: Affine}
	if mode := v["mode"]; mode != nil {
		how.Mode, _ = mode.(string)
		if !slices.Contains(modes, how.Mode) {
			return how, badQuantization(field, "has mode %s (supported: %s)", describe(mode), strings.Join(modes, ", "))
		}
	}
	for _, size := range []struct {
		key string
		n   *int
	}{{"bits", &how.Bits}, {"group_size", &how.Group}} {
		var ok bool
		if *size.n, ok = integer(v[size.key]); !ok || *size.n < 1 {
			return how, badQuantization(field, "has %s %s (supported: a whole number above 0)", size.key, describe(v[size.key]))
		}
	}
	return how, nil
}

func badQuantization(field, format string, args ...any) error {
	return Errorf(BadQuantization, "config.json: %s %s", field, fmt.Sprintf(format, args...))
}

// Module is what the config says of the module whose weight is called path+".weight".
// One that it doesn't name is quantised like all, if its weight is.
func (q *Quantization) Module(path string) Quantized {
	if how, ok := q.modules[modulePath(path)]; ok {
		return how
	}
	return q.all
}

// modulePrefixes are what the paths of one text model's modules begin with: in the
// checkpoint of a wrapper around it, in that checkpoint as converters rename it, and
// in its own.
var modulePrefixes = []string{"model.language_model.", "language_model.model.", "language_model.", "model."}

// modulePath is the spelling that is common to all of them.
func modulePath(path string) string {
	for _, prefix := range modulePrefixes {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			return rest
		}
	}
	return path
}
