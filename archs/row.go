package archs

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
)

// rows are the families; each is in the file named after its model_type.
var rows = []*Row{&llama}

// Row is what there is to know about one HF model_type: data, no code. A row that
// inherits says only what differs: its zero fields are the parent's, and entries
// of its maps add to or replace the parent's.
type Row struct {
	ModelType string
	Inherits  string // model_type of the parent row, "" for none
	// Classes are the values of "architectures" that this row describes.
	Classes []string
	// Defaults are those of the HF config class, by config key. A key that neither
	// the file nor Defaults has is an error that names it.
	Defaults map[string]any
	// Keys renames config keys where the family spells them differently from
	// llama: "num_hidden_layers": "num_layers".
	Keys map[string]string
	// Neutral and Harmless add to the tables of the same names in keys.go.
	Neutral  map[string]any
	Harmless []string

	Norm     NormKind
	NormEps  string // config key of the norms' epsilon
	QKVBias  Switch
	OutBias  Switch
	MLPBias  Switch
	HeadBias Switch

	Names Names
	// Ignored are tensors that checkpoints of the family may hold and that the
	// model doesn't use, as path.Match patterns.
	Ignored []string
	GGUF    GGUF
}

// Switch is a yes or no that a family fixes or reads: Always, Never, or the name
// of a boolean config key.
type Switch string

// The fixed switches.
const (
	Always Switch = "always"
	Never  Switch = "never"
)

// ModelTypes lists the supported values of model_type.
func ModelTypes() []string {
	var names []string
	for _, r := range rows {
		names = append(names, r.ModelType)
	}
	slices.Sort(names)
	return names
}

// Ignorable says whether a checkpoint of the model_type may hold the tensor
// although nothing consumes it (rotary_emb.inv_freq buffers, for instance).
func Ignorable(modelType, tensor string) bool {
	r, err := find(modelType)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(r.Ignored, func(pattern string) bool {
		ok, err := path.Match(pattern, tensor)
		return ok && err == nil
	})
}

// find returns the row of a model_type with everything that it inherits filled in.
func find(modelType string) (*Row, error) {
	i := slices.IndexFunc(rows, func(r *Row) bool { return r.ModelType == modelType })
	if i < 0 {
		return nil, Errorf(UnsupportedModel, "config.json: model_type %q isn't supported (supported: %s)",
			modelType, strings.Join(ModelTypes(), ", "))
	}
	r := *rows[i]
	if r.Inherits == "" {
		return &r, nil
	}
	parent, err := find(r.Inherits)
	if err != nil {
		return nil, fmt.Errorf("archs: row %s inherits: %w", modelType, err)
	}
	inherit(reflect.ValueOf(&r).Elem(), reflect.ValueOf(parent).Elem())
	return &r, nil
}

// inherit fills what is missing in child, a struct, from parent.
func inherit(child, parent reflect.Value) {
	for i := range child.NumField() {
		c, p := child.Field(i), parent.Field(i)
		switch c.Kind() {
		case reflect.Struct:
			inherit(c, p)
		case reflect.Map:
			c.Set(union(c, p))
		default:
			if c.IsZero() {
				c.Set(p)
			}
		}
	}
}

// union is a new map with the entries of parent, then those of child.
func union(child, parent reflect.Value) reflect.Value {
	m := reflect.MakeMap(child.Type())
	for _, from := range []reflect.Value{parent, child} {
		for it := from.MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), it.Value())
		}
	}
	return m
}
