package archs

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// GGUF is how a family's models are written in GGUF files.
type GGUF struct {
	Architecture string // general.architecture, the prefix of metadata keys
	QKRows       RowOrder
	// Keys maps config.json keys to metadata keys without "<architecture>.".
	Keys map[string]string
	// Names are the file's spellings of the tensors of Row.Names.
	Names Names
}

// RowOrder is the order of the rows of q_proj and k_proj within a head of d rows.
type RowOrder string

const (
	// Half is HF's order: RoPE pairs rows j and j+d/2.
	Half RowOrder = "half"
	// Paired is that of llama.cpp's llama: RoPE pairs rows 2j and 2j+1.
	Paired RowOrder = "paired"
)

// GGUFFile is what the mapping to HF form needs of an opened file.
type GGUFFile interface {
	// Keys lists the metadata keys.
	Keys() []string
	// Value is a metadata value: string, bool, any integer or float type, or a
	// slice of one of them. It is nil if there is none.
	Value(key string) any
	// HasTensor takes the file's names, not HF's.
	HasTensor(name string) bool
	// Floats reads a whole F32 tensor.
	Floats(name string) ([]float32, error)
}

// FindGGUF returns the row of a general.architecture.
func FindGGUF(architecture string) (*Row, error) {
	var known []string
	for _, modelType := range ModelTypes() {
		r, err := find(modelType)
		if err != nil {
			return nil, err
		}
		if r.GGUF.Architecture == "" {
			continue
		}
		if r.GGUF.Architecture == architecture {
			return r, nil
		}
		known = append(known, r.GGUF.Architecture)
	}
	return nil, Errorf(UnsupportedModel, "metadata: general.architecture %q isn't supported (supported: %s)",
		architecture, strings.Join(known, ", "))
}

// HFName translates a tensor name of the file to HF's.
func (r *Row) HFName(name string) (string, bool) { return translate(name, r.GGUF.Names, r.Names) }

// GGUFName translates an HF tensor name to the file's.
func (r *Row) GGUFName(name string) (string, bool) { return translate(name, r.Names, r.GGUF.Names) }

// translate respells a weight or bias name.
func translate(name string, from, to Names) (string, bool) {
	stem, isBias := strings.CutSuffix(name, ".bias")
	if isBias {
		name = stem + ".weight"
	}
	layer := ""
	if before, after, _ := strings.Cut(from.Layer, "%d"); strings.HasPrefix(name, before) {
		n, rest, ok := strings.Cut(name[len(before):], after)
		if i, err := strconv.ParseUint(n, 10, 31); !ok || err != nil || strconv.FormatUint(i, 10) != n {
			return "", false
		}
		layer, name = strings.Replace(to.Layer, "%d", n, 1), rest
	}
	global := []string{from.Embed, from.FinalNorm, from.Head}
	f, t := reflect.ValueOf(from), reflect.ValueOf(to)
	for i := range f.NumField() {
		spelling := f.Field(i).String()
		if spelling != name || slices.Contains(global, spelling) != (layer == "") {
			continue
		}
		out := layer + t.Field(i).String()
		if isBias {
			out = strings.TrimSuffix(out, ".weight") + ".bias"
		}
		return out, true
	}
	return "", false
}

// PairedHeads is the number of heads by which the rows of a tensor (HF name,
// weight or bias) are in Paired order in f; 0 if they are in HF's.
func (r *Row) PairedHeads(name string, f GGUFFile) (int, error) {
	if r.GGUF.QKRows != Paired {
		return 0, nil
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(name, ".bias"), ".weight") + ".weight"
	keys := []string{"num_attention_heads"}
	switch {
	case strings.HasSuffix(stem, "."+r.Names.Query):
	case strings.HasSuffix(stem, "."+r.Names.Key):
		keys = []string{"num_key_value_heads", "num_attention_heads"}
	default:
		return 0, nil
	}
	for _, key := range keys {
		n, err := r.number(f, r.GGUF.Keys[key])
		if err != nil {
			return 0, err
		}
		if i, err := strconv.Atoi(string(n)); err == nil && i > 0 {
			return i, nil
		}
	}
	return 0, Errorf(BadGGUF, "metadata: %s isn't a positive integer", r.key(r.GGUF.Keys["num_attention_heads"]))
}

// PairedRow is the row of the file that holds HF's row of a tensor whose heads
// have headDim rows in Paired order: h·d + p·d/2 + j is at h·d + 2j + p.
func PairedRow(row, headDim int) int {
	i := row % headDim
	return row - i + 2*(i%(headDim/2)) + i/(headDim/2)
}

func (r *Row) key(meta string) string { return r.GGUF.Architecture + "." + meta }

// number reads a number of the architecture's metadata, "" if there is none.
func (r *Row) number(f GGUFFile, meta string) (json.Number, error) {
	return number(r.key(meta), f.Value(r.key(meta)))
}

// number writes a metadata value as JSON does. A list of equal numbers, one for
// every layer, is that number. f32 values get the digits that f32 has, so that
// 1e-5 reads as in HF's config.json.
func number(key string, value any) (json.Number, error) {
	if value == nil {
		return "", nil
	}
	v := reflect.ValueOf(value)
	switch {
	case v.CanInt():
		return json.Number(strconv.FormatInt(v.Int(), 10)), nil
	case v.CanUint():
		return json.Number(strconv.FormatUint(v.Uint(), 10)), nil
	case v.CanFloat() && !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0):
		return json.Number(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())), nil
	case v.Kind() == reflect.Slice && v.Len() > 0:
		for i := range v.Len() {
			if e := v.Index(i); !e.Comparable() || !e.Equal(v.Index(0)) {
				return "", Errorf(UnsupportedConfig, "metadata: %s differs between layers: %v", key, value)
			}
		}
		return number(key, v.Index(0).Interface())
	}
	return "", Errorf(BadGGUF, "metadata: %s is %v (supported: a finite number)", key, value)
}
