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
		f, err := chooseGGUF(ref, l)
		return choice{weights: []File{f}, single: f.Path}, "", err
	}
	weights := rootFiles(l, ".safetensors")
	_, hasIndex := l.file(checkpoint.IndexName)
	if _, isAdapter := l.file("adapter_config.json"); isAdapter {
		if _, ok := l.file(configName); !ok {
			return c, "", fmt.Errorf("it is an adapter (adapter_config.json), not a whole model; merge it into its base model first")
		}
	}
	if len(weights) == 0 && !hasIndex {
		f, err := onlyGGUF(ref, l)
		return choice{weights: []File{f}, single: f.Path}, "", err
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

// split is the name of a part of a GGUF model.
var split = regexp.MustCompile(`-[0-9]{5}-of-[0-9]{5}\.gguf$`)

// models are the GGUF files that hold a model, whole or a part of it: not a projector,
// an importance matrix or a draft.
func models(l Listing) (whole, parts []File) {
	for _, f := range l.Files {
		base := strings.ToLower(path.Base(f.Path))
		switch {
		case !strings.HasSuffix(base, ".gguf"), strings.Contains(base, "mmproj"), strings.Contains(base, "imatrix"):
		case split.MatchString(base):
			parts = append(parts, f)
		default:
			whole = append(whole, f)
		}
	}
	return whole, parts
}

// onlyModels reports whether all GGUF files are models, so that what the hub says of one
// is true of each.
func onlyModels(l Listing) bool {
	whole, parts := models(l)
	all := 0
	for _, f := range l.Files {
		if strings.HasSuffix(strings.ToLower(f.Path), ".gguf") {
			all++
		}
	}
	return all == len(whole)+len(parts)
}

// chooseGGUF finds the file that is named, by its path or its quantisation.
func chooseGGUF(ref Ref, l Listing) (File, error) {
	whole, parts := models(l)
	if strings.HasSuffix(ref.File, ".gguf") {
		f, ok := l.file(ref.File)
		switch {
		case !ok:
			return f, fmt.Errorf("it has no file %s; %s", ref.File, ggufs(ref, whole, parts))
		case split.MatchString(f.Path):
			return f, splitError(f)
		}
		return f, nil
	}
	if strings.Contains(ref.File, "/") || path.Ext(ref.File) != "" {
		return File{}, fmt.Errorf("%s can't be got alone: FILE is a .gguf, a quantisation such as Q4_K_M, or %s", ref.File, configName)
	}
	named := regexp.MustCompile(`(?i)(^|[-._/])` + regexp.QuoteMeta(ref.File) + `(-[0-9]{5}-of-[0-9]{5})?\.gguf$`)
	found := matching(whole, named)
	switch foundParts := matching(parts, named); {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return File{}, fmt.Errorf("%s could be several of its files; %s", ref.File, ggufs(ref, found, nil))
	case len(foundParts) > 0:
		return File{}, splitError(foundParts[0])
	}
	return File{}, fmt.Errorf("it has no GGUF file for %s; %s", ref.File, ggufs(ref, whole, parts))
}

// onlyGGUF is the repository's GGUF file if there is one alone.
func onlyGGUF(ref Ref, l Listing) (File, error) {
	whole, parts := models(l)
	switch {
	case len(whole) == 1:
		return whole[0], nil
	case len(whole) > 1:
		return File{}, fmt.Errorf("it has %d GGUF files and no SafeTensors; name one: %s", len(whole), ggufs(ref, whole, nil))
	case len(parts) > 0:
		return File{}, splitError(parts[0])
	}
	var others []string
	for _, f := range l.Files {
		if slices.Contains(foreign, path.Ext(f.Path)) {
			others = append(others, f.Path)
		}
	}
	if len(others) > 0 {
		return File{}, fmt.Errorf("it has no .safetensors and no .gguf, only %s, which mlxc doesn't read; take a repository with SafeTensors, or convert it (a conversion that waits as pull request 1 is %s%s@refs/pr/1)", some(others), Prefix, ref.Repo())
	}
	return File{}, fmt.Errorf("it has no .safetensors and no .gguf in its top folder")
}

func splitError(f File) error {
	return fmt.Errorf("%s is a part of a split GGUF, which mlxc doesn't read; merge its parts with llama-gguf-split --merge, or take another file", f.Path)
}

// ggufs lists what can be named.
func ggufs(ref Ref, whole, parts []File) string {
	if len(whole)+len(parts) == 0 {
		return "it has none"
	}
	const most = 20
	var list []string
	for _, f := range whole {
		list = append(list, fmt.Sprintf("%s%s:%s (%s)", Prefix, ref.Repo(), f.Path, megabytes(f.Size)))
	}
	if len(list) > most {
		list = append(list[:most], fmt.Sprintf("and %d more", len(list)-most))
	}
	if len(parts) > 0 {
		list = append(list, fmt.Sprintf("and %d parts of split files, which mlxc doesn't read", len(parts)))
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

// matching are the files whose paths a pattern matches.
func matching(files []File, pattern *regexp.Regexp) (found []File) {
	for _, f := range files {
		if pattern.MatchString(f.Path) {
			found = append(found, f)
		}
	}
	return found
}
