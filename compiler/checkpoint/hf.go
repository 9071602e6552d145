package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
)

// IndexName is the file that says which SafeTensors file holds which tensor.
const IndexName = "model.safetensors.index.json"

const configName = "config.json"

// hf is a directory of HF files.
type hf struct {
	store
	dir    string
	config []byte
	files  []*safetensors.File
	plain  map[string]*safetensors.Tensor // as the files have them
}

// openHF opens the directory's SafeTensors; weights and ggufs are the names of the
// files of either kind in it.
func openHF(dir string, weights, ggufs []string) (_ Checkpoint, err error) {
	h := &hf{dir: dir, plain: map[string]*safetensors.Tensor{}}
	defer func() {
		if err != nil {
			h.unmap()
		}
	}()
	if h.config, err = readSideFile(dir, configName, maxConfig); err != nil {
		return nil, err
	} else if h.config == nil {
		return nil, archs.Errorf(archs.MissingFile, "%s: %s isn't there", dir, configName)
	}
	index, err := readIndex(dir)
	if err != nil {
		return nil, err
	}
	used, stale, err := WeightFiles(index, weights)
	if err != nil {
		return nil, err
	}
	if stale != "" {
		h.note("%s", stale)
	}
	for _, name := range append(slices.Clone(weights), ggufs...) {
		if !slices.Contains(used, name) {
			h.note("%s is ignored: the weights are in %s", name, some(used))
		}
	}
	holders, err := h.load(used)
	if err != nil {
		return nil, err
	}
	if err := h.compare(index, holders); err != nil {
		return nil, err
	}
	if err := h.joinQuantised(); err != nil {
		return nil, err
	}
	h.release = h.unmap
	return h, nil
}

// readIndex reads the index, nil if there is none.
func readIndex(dir string) (map[string]string, error) {
	data, err := readSideFile(dir, IndexName, safetensors.MaxIndex)
	if data == nil || err != nil {
		return nil, err
	}
	index, err := safetensors.ParseIndex(IndexName, data)
	return index, classified(err)
}

// WeightFiles says which of the SafeTensors files that are there hold the model. An
// index, which may be nil, decides if a file that it names is there, and then all must
// be. An index none of whose files is there was left over from an earlier upload, which
// the note says; then the files' names decide. Errors are *archs.Error.
func WeightFiles(index map[string]string, there []string) (files []string, note string, err error) {
	var named []string
	for _, file := range index {
		named = append(named, file)
	}
	slices.Sort(named)
	named = slices.Compact(named)
	absent := slices.DeleteFunc(slices.Clone(named), func(f string) bool { return slices.Contains(there, f) })
	switch {
	case len(named) == 0:
	case len(absent) == 0:
		return named, "", nil
	case len(absent) < len(named) || len(there) == 0:
		tensor := slices.Min(tensorsOf(index, absent[0]))
		return nil, "", archs.Errorf(archs.MissingFile, "%s: %s places tensor %s in it, but it isn't there (%d of the index's %d files are); download it, or delete the index if it is stale",
			absent[0], IndexName, tensor, len(named)-len(absent), len(named))
	default:
		note = fmt.Sprintf("%s is stale: none of the files that it names (%s) is there", IndexName, some(named))
	}
	files, err = choose(there)
	return files, note, err
}

// tensorsOf lists the tensors that the index places in a file.
func tensorsOf(index map[string]string, file string) (tensors []string) {
	for t, f := range index {
		if f == file {
			tensors = append(tensors, t)
		}
	}
	return tensors
}

var shardName = regexp.MustCompile(`^(.+)-([0-9]{5})-of-([0-9]{5})\.safetensors$`)

// choose picks the weights without an index: model.safetensors, else the only file
// there is, else the only set of numbered shards, which must be complete.
func choose(there []string) ([]string, error) {
	if slices.Contains(there, "model.safetensors") {
		return []string{"model.safetensors"}, nil
	}
	sets := map[string][]string{}
	for _, name := range there {
		set := name
		if m := shardName.FindStringSubmatch(name); m != nil {
			set = m[1] + "-of-" + m[3]
		}
		sets[set] = append(sets[set], name)
	}
	if len(sets) != 1 {
		return nil, archs.Errorf(archs.MissingFile, "model.safetensors: it isn't there, there is no %s, and several files could be meant: %s; leave one model in the directory", IndexName, some(there))
	}
	if m := shardName.FindStringSubmatch(there[0]); m != nil {
		n, _ := strconv.Atoi(m[3])
		for i := 1; i <= n; i++ {
			if shard := fmt.Sprintf("%s-%05d-of-%s.safetensors", m[1], i, m[3]); !slices.Contains(there, shard) {
				return nil, archs.Errorf(archs.MissingFile, "%s: it isn't there, %d of %d shards are; download it", shard, len(there), n)
			}
		}
	}
	return there, nil
}

// load opens the files and says which of them hold each tensor. The same tensor in
// two files must be the same.
func (h *hf) load(names []string) (holders map[string][]string, err error) {
	holders = map[string][]string{}
	var twice []string
	for _, name := range names {
		f, err := safetensors.Open(filepath.Join(h.dir, name))
		if err != nil {
			return nil, classified(err)
		}
		h.files = append(h.files, f)
		for i := range f.Tensors {
			t := &f.Tensors[i]
			holders[t.Name] = append(holders[t.Name], name)
			if other := h.plain[t.Name]; other == nil {
				h.plain[t.Name] = t
				h.add(stored{Tensor: Tensor{Name: t.Name, DType: t.DType, Shape: t.Shape, File: name}, read: plainRows(t)})
			} else if other.DType == t.DType && slices.Equal(other.Shape, t.Shape) && bytes.Equal(other.Data, t.Data) {
				twice = append(twice, t.Name)
			} else {
				return nil, archs.Errorf(archs.BadSafeTensors, "tensor %s is in %s and in %s, with different contents; leave one of them", t.Name, holders[t.Name][0], name)
			}
		}
	}
	if len(twice) > 0 {
		h.note("%d tensors are in two files, with the same contents: %s", len(twice), some(twice))
	}
	return holders, nil
}

// compare holds the index against what the files hold, which is the truth: every
// tensor that the index promises must be somewhere.
func (h *hf) compare(index map[string]string, holders map[string][]string) error {
	var moved, lost []string
	for _, tensor := range slices.Sorted(maps.Keys(index)) {
		promised := index[tensor]
		switch in := holders[tensor]; {
		case len(in) == 0:
			lost = append(lost, tensor)
		case !slices.Contains(in, promised) && slices.Contains(h.names(), promised):
			moved = append(moved, tensor)
		}
	}
	if len(lost) > 0 {
		return archs.Errorf(archs.MissingTensor, "%s: %s promises it in %s, but it is in none of the files that are there (%s); %d of %d tensors are missing",
			lost[0], IndexName, index[lost[0]], some(h.names()), len(lost), len(index))
	}
	if len(moved) > 0 {
		h.note("%s is wrong about %d tensors: %s is in %s, not in %s", IndexName, len(moved), moved[0], holders[moved[0]][0], index[moved[0]])
	}
	return nil
}

func (h *hf) names() (names []string) {
	for _, f := range h.files {
		names = append(names, f.Name)
	}
	return names
}

func (h *hf) unmap() error {
	var all []error
	for _, f := range h.files {
		all = append(all, f.Close())
	}
	return errors.Join(all...)
}

// Config is config.json.
func (h *hf) Config() []byte { return h.config }

// ConfigFile is config.json.
func (h *hf) ConfigFile() string { return configName }

// File reads a side file.
func (h *hf) File(name string) ([]byte, error) {
	if err := checkSideFile(name); err != nil {
		return nil, err
	}
	return readSideFile(h.dir, name, maxSideFile)
}

// MoreTemplates are those of the directory.
func (h *hf) MoreTemplates() ([]string, error) { return moreTemplates(h.dir) }
