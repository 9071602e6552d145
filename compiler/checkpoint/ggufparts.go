package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
)

// A GGUF model may be split into parts, as llama-gguf-split does: files with tensors each,
// the first with the metadata of all. Each has its number, from 0, in split.no, their
// number in split.count, and that of all tensors in split.tensors.count; the files' names
// say the same, with numbers from 1.

// partName is the form of a part's name.
var partName = regexp.MustCompile(`^(.+)-([0-9]{5})-of-([0-9]{5})\.gguf$`)

// maxParts is the most parts of a model; the largest on the hub have some tens.
const maxParts = 1000

// numbered takes a part's name apart: its folder and stem, its number and that of all. ok is
// false for other names.
func numbered(name string) (stem string, no, count int, ok bool) {
	dir, base := path.Split(name)
	m := partName.FindStringSubmatch(base)
	if m == nil {
		return "", 0, 0, false
	}
	no, _ = strconv.Atoi(m[2])
	count, _ = strconv.Atoi(m[3])
	return dir + m[1], no, count, 1 <= no && no <= count && count <= maxParts
}

func numberedName(stem string, no, count int) string {
	return fmt.Sprintf("%s-%05d-of-%05d.gguf", stem, no, count)
}

// Parts are the names of all files of a split GGUF model by that of one of them, which
// may have folders in front, in their order: NAME-00001-of-00003.gguf, …. They are nil if
// it isn't the name of a part.
func Parts(name string) []string {
	stem, _, count, ok := numbered(name)
	if !ok {
		return nil
	}
	parts := make([]string, count)
	for i := range parts {
		parts[i] = numberedName(stem, i+1, count)
	}
	return parts
}

// FirstPart is the first file of a split GGUF model by the name of one of them, and name
// itself if it isn't that of a part.
func FirstPart(name string) string {
	if stem, _, count, ok := numbered(name); ok {
		return numberedName(stem, 1, count)
	}
	return name
}

// ModelName is the name that a GGUF file gives its model: its base name without ending,
// and without a part's number. Other base names stay as they are.
func ModelName(file string) string {
	base := path.Base(filepath.ToSlash(file))
	if stem, _, _, ok := numbered(base); ok {
		return stem
	}
	return strings.TrimSuffix(base, ".gguf")
}

// The keys of a part.
const (
	keyNo      = "split.no"
	keyCount   = "split.count"
	keyTensors = "split.tensors.count"
)

// partCount is how many parts the model has of which file is the first, 1 if it isn't split.
func partCount(file *gguf.File) (int, error) {
	value, there := file.Metadata[keyCount]
	if !there || value == uint16(0) || value == uint16(1) {
		return 1, nil
	}
	count, ok := value.(uint16)
	if !ok || count > maxParts {
		return 0, errorAt(archs.BadGGUF, keyCount, "%v is not how many parts a model has (supported: a uint16 of at most %d)", value, maxParts)
	}
	no, ok := file.Metadata[keyNo].(uint16)
	if !ok || no >= count {
		return 0, errorAt(archs.BadGGUF, keyNo, "%v is not the number of one of %d parts (supported: a uint16 below that)", file.Metadata[keyNo], count)
	}
	names := Parts(file.Name)
	switch {
	case len(names) != int(count) || names[no] != file.Name:
		return 0, errorAt(archs.MissingFile, keyNo, "it is part %d of a model of %d, but isn't called NAME-%05[1]d-of-%05[2]d.gguf, by which the others could be found; give all of them the names that they were made with", no+1, count)
	case no > 0:
		return 0, errorAt(archs.MissingFile, keyNo, "it is part %d of a model of %d; give the first, %s", no+1, count, names[0])
	}
	return int(count), nil
}

// openParts opens the file at path and, if it is the first part of a split model, the
// others beside it. What it returns is open, also with an error.
func openParts(path string) (parts []*gguf.File, err error) {
	first, err := gguf.Open(path)
	if err != nil {
		return nil, classified(err)
	}
	parts = []*gguf.File{first}
	count, err := partCount(first)
	if err != nil || count == 1 {
		return parts, inFile(first.Name, err)
	}
	for _, name := range Parts(first.Name)[1:] {
		part, err := gguf.Open(filepath.Join(filepath.Dir(path), name))
		if errors.Is(err, fs.ErrNotExist) {
			return parts, archs.Errorf(archs.MissingFile, "%s: it isn't there, but %s is the first of %d parts of a model; download it, too", name, first.Name, count)
		}
		if err != nil {
			return parts, classified(err)
		}
		parts = append(parts, part)
	}
	return parts, checkParts(parts)
}

// checkParts holds that files are the parts of one model, in their order: their numbers and
// counts, and whatever else two of them say, agree.
func checkParts(parts []*gguf.File) error {
	first := parts[0]
	total, ok := first.Metadata[keyTensors].(int32)
	if !ok {
		return inFile(first.Name, errorAt(archs.BadGGUF, keyTensors, "%v is not the number of tensors (supported: an int32)", first.Metadata[keyTensors]))
	}
	tensors := 0
	for i, p := range parts {
		tensors += len(p.Tensors)
		fits := map[string]any{keyNo: uint16(i), keyCount: uint16(len(parts)), keyTensors: total}
		for _, key := range p.Keys {
			if value, shared := first.Metadata[key]; shared && fits[key] == nil {
				fits[key] = value
			}
		}
		for _, key := range slices.Sorted(maps.Keys(fits)) {
			if got := p.Metadata[key]; !reflect.DeepEqual(got, fits[key]) {
				return inFile(p.Name, errorAt(archs.BadGGUF, key, "it is %.40s, and would be %.40s in part %d of %d of the model that %s begins: the files are of different models; download them again", fmt.Sprint(got), fmt.Sprint(fits[key]), i+1, len(parts), first.Name))
			}
		}
	}
	if tensors != int(total) {
		return inFile(first.Name, errorAt(archs.BadGGUF, keyTensors, "it is %d, but the %d parts have %d tensors: one of them is of another model; download them again", total, len(parts), tensors))
	}
	return nil
}
