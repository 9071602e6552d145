package checkpoint

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
	"github.com/mlxc/mlxc/ir"
)

// ggufModel is a GGUF file, or the parts of one, in HF form.
type ggufModel struct {
	store
	file   *gguf.File // whose metadata counts: the first part
	dir    string     // whose side files win over the file's own; "" for none
	config []byte
	byName map[string]*gguf.Tensor // in the file's spelling
	// consumed are the tensors that the config holds the values of.
	consumed map[string]bool
}

// openGGUF opens the file at path, which the user gave, or which is the only one or the
// first part of the only model in the directory dir, which the user gave.
func openGGUF(path, dir string) (Checkpoint, error) {
	parts, err := openParts(path)
	if err == nil {
		var m *ggufModel
		if m, err = newGGUF(parts, dir); err == nil {
			return m, nil
		}
	}
	closeAll(parts)
	return nil, err
}

func closeAll(parts []*gguf.File) error {
	var all []error
	for _, p := range parts {
		all = append(all, p.Close())
	}
	return errors.Join(all...)
}

// newGGUF makes a model of its parts, the first of which has the metadata.
func newGGUF(parts []*gguf.File, dir string) (*ggufModel, error) {
	m := &ggufModel{file: parts[0], dir: dir, byName: map[string]*gguf.Tensor{}, consumed: map[string]bool{}}
	m.release = func() error { return closeAll(parts) }
	for _, p := range parts {
		if err := m.index(p); err != nil {
			return nil, inFile(p.Name, err)
		}
	}
	row, err := m.readConfig()
	if err != nil {
		return nil, inFile(m.file.Name, err)
	}
	for _, p := range parts {
		if err := m.addTensors(row, p); err != nil {
			return nil, inFile(p.Name, err)
		}
	}
	return m, m.noteSideFiles()
}

// index finds a part's tensors by name, and refuses element types that aren't read.
func (m *ggufModel) index(part *gguf.File) error {
	types := gguf.Decodables()
	for i := range part.Tensors {
		t := &part.Tensors[i]
		if !slices.Contains(types, t.Type) {
			return archs.Errorf(archs.BadQuantization, "tensor %s is %s (supported: %v); take a Q4_K_M, Q6_K or Q8_0 file of the model, or its SafeTensors", t.Name, t.Type, types)
		}
		if m.byName[t.Name] != nil {
			return archs.Errorf(archs.BadGGUF, "tensor %s is in an earlier part of the model, too; download the parts again", t.Name)
		}
		m.byName[t.Name] = t
	}
	return nil
}

// readConfig makes the config of the metadata.
func (m *ggufModel) readConfig() (*archs.Row, error) {
	if v, ok := m.Value("general.quantization_version").(uint32); ok && v != 2 {
		return nil, archs.Errorf(archs.BadQuantization, "metadata: general.quantization_version is %d (supported: 2)", v)
	}
	architecture, ok := m.Value("general.architecture").(string)
	if !ok {
		return nil, archs.Errorf(archs.BadGGUF, "metadata: general.architecture is missing")
	}
	row, err := archs.FindGGUF(architecture)
	if err != nil {
		return nil, err
	}
	m.config, err = row.GGUFConfig(m)
	return row, err
}

// inFile puts the file's name into an *archs.Error.
func inFile(name string, err error) error {
	if e, ok := errors.AsType[*archs.Error](err); ok {
		return archs.Errorf(e.Class, "%s: %s", name, e.Detail)
	}
	return err
}

// addTensors gives a part's tensors their HF names. Those that nothing translates keep
// theirs, for others to refuse.
func (m *ggufModel) addTensors(row *archs.Row, part *gguf.File) error {
	for _, t := range part.Tensors {
		if m.consumed[t.Name] {
			continue
		}
		name, ok := row.HFName(t.Name)
		if !ok {
			name = t.Name
		}
		heads, err := row.PairedHeads(name, m)
		if err != nil {
			return err
		}
		headDim := 0
		if heads > 0 {
			if len(t.Shape) == 0 || t.Shape[0]%(2*heads) != 0 {
				return archs.Errorf(archs.ShapeMismatch, "tensor %s: its shape %v doesn't divide into %d heads of an even size", t.Name, t.Shape, heads)
			}
			headDim = t.Shape[0] / heads
		}
		_, group, _, _ := t.Type.Affine()
		m.add(stored{Tensor: Tensor{Name: name, DType: t.Type.String(), Shape: t.Shape, Group: group, File: part.Name}, read: ggufRows(t, headDim), packed: packedGGUF(t, headDim)})
	}
	return nil
}

// ggufRows reads a tensor row by row. headDim ≠ 0 undoes the row order of RoPE
// pairs, archs.PairedRow.
func ggufRows(t gguf.Tensor, headDim int) reader {
	rows, width := Tensor{Shape: t.Shape}.rows()
	if len(t.Shape) < 2 { // one encoded row, of which "rows" are elements
		return func(dst []byte, d ir.DType, from, to int) {
			values := make([]float32, rows)
			gguf.Decode(values, t.Type, t.Data)
			for i := from; i < to; i++ {
				ir.Narrow(dst[(i-from)*d.Size():], d, values[ggufRow(i, headDim):][:1])
			}
		}
	}
	size := t.Type.RowBytes(width)
	_, plain := codecs[t.Type.String()]
	return func(dst []byte, d ir.DType, from, to int) {
		values := make([]float32, width)
		for i := from; i < to; i++ {
			row := ggufRow(i, headDim)
			src, out := t.Data[row*size:(row+1)*size], dst[(i-from)*width*d.Size():]
			if plain {
				convert(out, d, src, t.Type.String())
				continue
			}
			gguf.Decode(values, t.Type, src)
			ir.Narrow(out, d, values)
		}
	}
}

// ggufRow is the row of the file that holds HF's row.
func ggufRow(row, headDim int) int {
	if headDim == 0 {
		return row
	}
	return archs.PairedRow(row, headDim)
}

// noteSideFiles says which of the directory's files replace the file's own.
func (m *ggufModel) noteSideFiles() error {
	if m.dir == "" {
		return nil
	}
	for _, name := range sideFiles {
		data, err := readSideFile(m.dir, name, maxSideFile)
		if err != nil {
			return err
		}
		if data != nil {
			m.note("%s is used instead of what %s holds", filepath.Join(m.dir, name), m.file.Name)
		}
	}
	return nil
}

// Config is made from the metadata.
func (m *ggufModel) Config() []byte { return m.config }

// ConfigFile is the file with the metadata.
func (m *ggufModel) ConfigFile() string { return m.file.Name }

// File gives the directory's side file, else makes it from the metadata.
func (m *ggufModel) File(name string) ([]byte, error) {
	if err := checkSideFile(name); err != nil {
		return nil, err
	}
	if m.dir != "" {
		if data, err := readSideFile(m.dir, name, maxSideFile); data != nil || err != nil {
			return data, err
		}
	}
	made, ok := map[string]func(ggufTokens) ([]byte, error){
		"tokenizer.json":         ggufTokens.tokenizerJSON,
		"tokenizer_config.json":  ggufTokens.tokenizerConfig,
		"generation_config.json": ggufTokens.generationConfig,
	}[name]
	if !ok || m.Value("tokenizer.ggml.model") == nil {
		return nil, nil
	}
	tokens, err := readTokens(m.file.Metadata)
	if err != nil {
		return nil, inFile(m.file.Name, err)
	}
	data, err := made(tokens)
	return data, inFile(m.file.Name, err)
}

// MoreTemplates are the directory's; those of the metadata are in tokenizer_config.json.
func (m *ggufModel) MoreTemplates() ([]string, error) {
	if m.dir == "" {
		return nil, nil
	}
	return moreTemplates(m.dir)
}

// The methods of archs.GGUFFile.

// Keys lists the metadata keys.
func (m *ggufModel) Keys() []string { return m.file.Keys }

// Value is a metadata value, nil if there is none.
func (m *ggufModel) Value(key string) any { return m.file.Metadata[key] }

// HasTensor takes the file's names.
func (m *ggufModel) HasTensor(name string) bool { return m.byName[name] != nil }

// Floats reads a whole tensor, which then is part of the config and no longer a
// weight.
func (m *ggufModel) Floats(name string) ([]float32, error) {
	t := m.byName[name]
	switch {
	case t == nil:
		return nil, archs.Errorf(archs.MissingTensor, "tensor %s isn't there (there are %s)", name, some(slices.Sorted(maps.Keys(m.byName))))
	case t.Type != gguf.F32 || len(t.Shape) != 1:
		return nil, archs.Errorf(archs.BadGGUF, "tensor %s is %s %v; it must be a list of F32", name, t.Type, t.Shape)
	}
	m.consumed[name] = true
	values := make([]float32, t.Shape[0])
	gguf.Decode(values, t.Type, t.Data)
	return values, nil
}

var _ archs.GGUFFile = (*ggufModel)(nil)

// errorAt names the metadata key of a class of error.
func errorAt(class, key, format string, args ...any) error {
	return archs.Errorf(class, "metadata: %s: %s", key, fmt.Sprintf(format, args...))
}
