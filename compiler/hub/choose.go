package hub

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
)

const configName = "config.json"

// foreign are the endings of weights that mlxc doesn't read.
var foreign = []string{".bin", ".pt", ".pth", ".ckpt", ".h5", ".msgpack", ".onnx", ".npz"}

// choice is what is got of a repository.
type choice struct {
	side    []File // got first
	weights []File
	single  string // the file that is the checkpoint, "" if the folder is
}

// choose says which files of the repository make the checkpoint that ref names. readSide
// gets a side file's content.
func choose(ref Ref, l Listing, readSide func(File) ([]byte, error)) (c choice, note string, err error) {
	switch {
	case ref.File == configName:
		f, ok := l.file(configName)
		if !ok {
			return c, "", fmt.Errorf("it has no %s", configName)
		}
		return choice{side: []File{f}, single: f.Path}, "", nil
	case ref.File != "":
		m, err := chooseGGUF(ref, l)
		return choice{weights: m.files, single: m.path}, "", err
	}
	weights := rootFiles(l, ".safetensors")
	_, hasIndex := l.file(checkpoint.IndexName)
	if _, isAdapter := l.file("adapter_config.json"); isAdapter {
		if _, ok := l.file(configName); !ok {
			return c, "", fmt.Errorf("it is an adapter (adapter_config.json), not a whole model; merge it into its base model first")
		}
	}
	if len(weights) == 0 && !hasIndex {
		m, err := onlyGGUF(ref, l)
		return choice{weights: m.files, single: m.path}, "", err
	}
	return chooseSafeTensors(l, weights, readSide)
}

// rootFiles are the names of files in the repository's top folder with an ending.
func rootFiles(l Listing, ending string) (names []string) {
	for _, f := range l.Files {
		if !strings.Contains(f.Path, "/") && strings.HasSuffix(f.Path, ending) {
			names = append(names, f.Path)
		}
	}
	return names
}

func chooseSafeTensors(l Listing, weights []string, readSide func(File) ([]byte, error)) (c choice, note string, err error) {
	if _, ok := l.file(configName); !ok {
		return c, "", fmt.Errorf("it has %s, but no %s", some(weights), configName)
	}
	for _, f := range l.Files {
		if f.Path == configName || f.Path == checkpoint.IndexName || checkpoint.IsSideFile(f.Path) {
			c.side = append(c.side, f)
		}
	}
	var index map[string]string
	if f, ok := l.file(checkpoint.IndexName); ok {
		if f.Size > safetensors.MaxIndex {
			return c, "", fmt.Errorf("%s has %d bytes, at most %d are allowed", f.Path, f.Size, safetensors.MaxIndex)
		}
		data, err := readSide(f)
		if err != nil {
			return c, "", err
		}
		if index, err = safetensors.ParseIndex(f.Path, data); err != nil {
			return c, "", err
		}
	}
	names, note, err := checkpoint.WeightFiles(index, weights)
	if err != nil {
		return c, "", err
	}
	for _, name := range names {
		f, _ := l.file(name)
		c.weights = append(c.weights, f)
	}
	return c, note, nil
}

// ggufModel is a GGUF file, or a split one.
type ggufModel struct {
	path  string // of the file, or of the first part
	files []File // itself, or the parts that there are, in their order
}

// complete is the model, unless it lacks parts.
func (m ggufModel) complete() (ggufModel, error) {
	for i, part := range checkpoint.Parts(m.path) {
		if i >= len(m.files) || m.files[i].Path != part {
			return m, fmt.Errorf("it lacks %s, of whose model it has %s", part, m.files[0].Path)
		}
	}
	return m, nil
}

// models are the GGUF files that hold a model: not a projector, an importance matrix or a
// draft. Parts of a model are one.
func models(l Listing) (list []ggufModel) {
	place := map[string]int{}
	for _, f := range l.Files {
		base := strings.ToLower(path.Base(f.Path))
		if !strings.HasSuffix(base, ".gguf") || strings.Contains(base, "mmproj") || strings.Contains(base, "imatrix") {
			continue
		}
		first := checkpoint.FirstPart(f.Path)
		i, known := place[first]
		if !known {
			i = len(list)
			place[first] = i
			list = append(list, ggufModel{path: first})
		}
		list[i].files = append(list[i].files, f)
	}
	return list
}

// onlyModels reports whether all GGUF files are models, so that what the hub says of one
// is true of each.
func onlyModels(l Listing) bool {
	n := 0
	for _, m := range models(l) {
		n += len(m.files)
	}
	for _, f := range l.Files {
		if strings.HasSuffix(strings.ToLower(f.Path), ".gguf") {
			n--
		}
	}
	return n == 0
}

// chooseGGUF finds the model that is named, by the path of a file of its or by its
// quantisation.
func chooseGGUF(ref Ref, l Listing) (ggufModel, error) {
	all := models(l)
	if strings.HasSuffix(ref.File, ".gguf") {
		f, ok := l.file(ref.File)
		if !ok {
			return ggufModel{}, fmt.Errorf("it has no file %s; %s", ref.File, ggufs(ref, all))
		}
		for _, m := range all {
			if slices.Contains(m.files, f) {
				return m.complete()
			}
		}
		return ggufModel{path: f.Path, files: []File{f}}, nil // no model by its name, but asked for
	}
	if strings.Contains(ref.File, "/") || path.Ext(ref.File) != "" {
		return ggufModel{}, fmt.Errorf("%s can't be got alone: FILE is a .gguf, a quantisation such as Q4_K_M, or %s", ref.File, configName)
	}
	named := regexp.MustCompile(`(?i)(^|[-._/])` + regexp.QuoteMeta(ref.File) + `(-[0-9]{5}-of-[0-9]{5})?\.gguf$`)
	found := slices.DeleteFunc(slices.Clone(all), func(m ggufModel) bool { return !named.MatchString(m.path) })
	switch len(found) {
	case 0:
		return ggufModel{}, fmt.Errorf("it has no GGUF file for %s; %s", ref.File, ggufs(ref, all))
	case 1:
		return found[0].complete()
	}
	return ggufModel{}, fmt.Errorf("%s could be several of its files; %s", ref.File, ggufs(ref, found))
}

// onlyGGUF is the repository's GGUF model if there is one alone.
func onlyGGUF(ref Ref, l Listing) (ggufModel, error) {
	switch all := models(l); len(all) {
	case 0:
	case 1:
		return all[0].complete()
	default:
		return ggufModel{}, fmt.Errorf("it has %d GGUF models and no SafeTensors; name one: %s", len(all), ggufs(ref, all))
	}
	var others []string
	for _, f := range l.Files {
		if slices.Contains(foreign, path.Ext(f.Path)) {
			others = append(others, f.Path)
		}
	}
	if len(others) > 0 {
		return ggufModel{}, fmt.Errorf("it has no .safetensors and no .gguf, only %s, which mlxc doesn't read; take a repository with SafeTensors, or convert it (a conversion that waits as pull request 1 is %s%s@refs/pr/1)", some(others), Prefix, ref.Repo())
	}
	return ggufModel{}, fmt.Errorf("it has no .safetensors and no .gguf in its top folder")
}

// ggufs lists what can be named.
func ggufs(ref Ref, models []ggufModel) string {
	if len(models) == 0 {
		return "it has none"
	}
	const most = 20
	var list []string
	for _, m := range models[:min(most, len(models))] {
		size, parts := int64(0), ""
		for _, f := range m.files {
			size += f.Size
		}
		if n := len(m.files); n > 1 {
			parts = fmt.Sprintf(" in %d parts", n)
		}
		list = append(list, fmt.Sprintf("%s%s:%s (%s%s)", Prefix, ref.Repo(), m.path, megabytes(size), parts))
	}
	if n := len(models) - most; n > 0 {
		list = append(list, fmt.Sprintf("and %d more", n))
	}
	return "there are " + strings.Join(list, ", ")
}

// some joins the first few names.
func some(names []string) string {
	const few = 4
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
