package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
)

// The longest config.json and side file in bytes; the largest tokenizer.json known
// has 35 MB.
const (
	maxConfig   = 16 << 20
	maxSideFile = 512 << 20
)

// sideFiles are the files that File gives.
var sideFiles = []string{"tokenizer.json", "tokenizer_config.json", "generation_config.json", "chat_template.jinja"}

// Open opens the checkpoint at path: a directory with HF files (config.json and
// SafeTensors) or with exactly one .gguf, whole or split, or a .gguf file, which may be the
// first part of a split one. Errors are *archs.Error.
// Opening reads headers only.
func Open(path string) (Checkpoint, error) {
	info, err := os.Stat(path)
	switch {
	case path == "":
		return nil, archs.Errorf(archs.MissingFile, "the checkpoint's path is empty; give the directory of a checkpoint or a .gguf file")
	case errors.Is(err, fs.ErrNotExist):
		return nil, archs.Errorf(archs.MissingFile, "%s: no such file or directory; give the directory of a checkpoint or a .gguf file", path)
	case err != nil:
		return nil, classified(err)
	case info.IsDir():
		return openDirectory(path)
	case strings.HasSuffix(path, ".safetensors"):
		return nil, archs.Errorf(archs.MissingFile, "%s: config.json is needed beside it; give the directory", path)
	}
	return openGGUF(path, "")
}

func openDirectory(dir string) (Checkpoint, error) {
	var weights, ggufs, foreign []string
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, classified(err)
	}
	for _, e := range list {
		switch filepath.Ext(e.Name()) {
		case ".safetensors":
			weights = append(weights, e.Name())
		case ".gguf":
			ggufs = append(ggufs, e.Name())
		case ".bin", ".pt", ".pth", ".h5", ".msgpack", ".npz":
			foreign = append(foreign, e.Name())
		}
	}
	hasIndex := slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == IndexName })
	switch {
	case len(weights) > 0 || hasIndex:
		return openHF(dir, weights, ggufs)
	case len(ggufs) > 0:
		models := ggufModels(ggufs)
		if len(models) > 1 {
			return nil, archs.Errorf(archs.MissingFile, "%s: it holds %d GGUF models (%s); give one of them", dir, len(models), some(models))
		}
		if !slices.Contains(ggufs, models[0]) {
			return nil, archs.Errorf(archs.MissingFile, "%s: it isn't there, but parts are of the model that it begins (%s); download it, too", models[0], some(ggufs))
		}
		return openGGUF(filepath.Join(dir, models[0]), dir)
	case len(foreign) > 0:
		return nil, archs.Errorf(archs.MissingFile, "%s: no .safetensors and no .gguf in it, only %s; convert the weights to SafeTensors", dir, some(foreign))
	}
	return nil, archs.Errorf(archs.MissingFile, "%s: no .safetensors and no .gguf in it", dir)
}

// ggufModels are the files among the names of GGUF files that stand for a model: whole
// ones and first parts, whether those are there or only others of theirs.
func ggufModels(names []string) (models []string) {
	for _, name := range names {
		models = append(models, FirstPart(name))
	}
	slices.Sort(models)
	return slices.Compact(models)
}

// ReadConfig reads a config.json that stands for a checkpoint.
func ReadConfig(path string) ([]byte, error) {
	data, err := rawfile.Read(path, maxConfig)
	return data, classified(err)
}

// ReadSideFile reads a side file of a directory of HF files, nil if there is none.
func ReadSideFile(dir, name string) ([]byte, error) { return readSideFile(dir, name, maxSideFile) }

// ReadTokenizer reads a tokenizer.json that takes the place of a checkpoint's.
func ReadTokenizer(path string) ([]byte, error) {
	dir, name := filepath.Split(path)
	data, err := readSideFile(dir, name, maxSideFile)
	if data == nil && err == nil {
		err = archs.Errorf(archs.MissingFile, "%s: there is no such tokenizer.json", path)
	}
	return data, err
}

// readSideFile reads a file of the directory, nil if there is none.
func readSideFile(dir, name string, limit int64) ([]byte, error) {
	data, err := rawfile.Read(filepath.Join(dir, name), limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, classified(err)
	}
	if strings.HasSuffix(name, ".json") && !strings.HasPrefix(strings.TrimLeft(string(data[:min(len(data), 64)]), " \t\r\n"), "{") {
		if what := rawfile.Impostor(data, "a JSON object"); what != "" {
			return nil, archs.Errorf(archs.MissingFile, "%s: is %s", name, what)
		}
	}
	return data, nil
}

// classified gives an error of reading a file its class.
func classified(err error) error {
	var (
		tensors *safetensors.FormatError
		ggufs   *gguf.FormatError
		file    *fs.PathError
	)
	switch {
	case errors.As(err, &tensors):
		return archs.Errorf(archs.BadSafeTensors, "%v", err)
	case errors.As(err, &ggufs):
		return archs.Errorf(archs.BadGGUF, "%v", err)
	case errors.Is(err, rawfile.ErrTooLong):
		return archs.Errorf(archs.BadConfig, "%v", err)
	case errors.As(err, &file):
		return archs.Errorf(archs.MissingFile, "%v; a readable file is needed there", err)
	}
	return err
}

// templateDir has the chat templates that have names, NAME.jinja.
const (
	templateDir    = "additional_chat_templates"
	templateSuffix = ".jinja"
)

// moreTemplates are the side files in the templateDir of a directory, sorted.
func moreTemplates(dir string) ([]string, error) {
	list, err := os.ReadDir(filepath.Join(dir, templateDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, classified(err)
	}
	var names []string
	for _, e := range list {
		if !e.IsDir() && strings.HasSuffix(e.Name(), templateSuffix) {
			names = append(names, path.Join(templateDir, e.Name()))
		}
	}
	return names, nil
}

// IsSideFile reports whether a file of a directory of HF files, by its path in it, is one
// that File gives.
func IsSideFile(name string) bool {
	return slices.Contains(sideFiles, name) || path.Dir(name) == templateDir && strings.HasSuffix(name, templateSuffix)
}

// checkSideFile refuses names that File doesn't give.
func checkSideFile(name string) error {
	if !IsSideFile(name) {
		return fmt.Errorf("checkpoint: %s: not one of the side files %s", name, strings.Join(sideFiles, ", "))
	}
	return nil
}

// some joins the first few names.
func some(names []string) string {
	const few = 4
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}
