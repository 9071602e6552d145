package bundle

import (
	"fmt"
	"math"
	"path"
	"strings"
)

// The names of the entries. Modules are modules/<module>.vmfb, those of a fleet
// modules/<level>/<module>.vmfb, texts modules/<graph>.mlir.zst, weights are
// weights/<weight name>.
const (
	manifestName = "manifest.toml"
	moduleDir    = "modules/"
	vmfbSuffix   = ".vmfb"
	weightDir    = "weights/"

	TokenizerJSON    = "tokenizer.json"
	TokenizerBin     = "tokenizer.bin" // the form that package tokenizer maps
	TokenizerConfig  = "tokenizer_config.json"
	GenerationConfig = "generation_config.json"
	ChatTemplate     = "chat_template.jinja"
	Config           = "config.json"

	// Templates with names, NAME.jinja, as HF saves them; ChatTemplate is the default.
	chatTemplateDir    = "additional_chat_templates/"
	chatTemplateSuffix = ".jinja"
)

// NamedChatTemplate is the name of the entry that holds the chat template of a name.
func NamedChatTemplate(name string) string {
	if name == defaultTemplate {
		return ChatTemplate
	}
	return chatTemplateDir + name + chatTemplateSuffix
}

// defaultTemplate is the name of the template that is used if nothing else is said.
const defaultTemplate = "default"

// ChatTemplateName is the name of the chat template that an entry holds, "" if it
// holds none.
func ChatTemplateName(entry string) string {
	if entry == ChatTemplate {
		return defaultTemplate
	}
	name, ok := strings.CutPrefix(entry, chatTemplateDir)
	name, ok2 := strings.CutSuffix(name, chatTemplateSuffix)
	if !ok || !ok2 || strings.Contains(name, "/") || name == defaultTemplate {
		return ""
	}
	return name
}

// isModule says whether the entry of that name is a compiled module.
func isModule(name string) bool {
	return strings.HasPrefix(name, moduleDir) && strings.HasSuffix(name, vmfbSuffix)
}

// MLIR is the name of the entry that holds a graph's StableHLO text, zstd-compressed.
func MLIR(graph string) string { return moduleDir + graph + ".mlir.zst" }

// WeightEntry is the name of the entry that holds a weight.
func WeightEntry(weight string) string { return weightDir + weight }

// PageSize is what weight payloads are aligned to in the file: the largest page of
// the systems that map them (Apple silicon).
const PageSize = 16 << 10

const (
	block         = 512 // of a tar
	maxEntries    = 1 << 17
	maxNameLength = 512
	maxFileSize   = int64(1) << 50
)

// span is where an entry lies in the file.
type span struct {
	header []byte // everything from the end of the previous payload's last block to the payload
	start  int64  // of the header
	off    int64  // of the payload
	size   int64
}

// end is where the payload's last block ends.
func (s span) end() int64 { return roundUp(s.off+s.size, block) }

// layout places the manifest slot and the entries, in order. It is a function of
// its arguments only: the reader compares a file with it byte by byte, so there is
// exactly one file for a manifest and its payloads. The last result is the size of
// the whole file, the two zero blocks that end a tar included.
func layout(slot int64, entries []Entry) (manifest span, spans []span, size int64, err error) {
	if manifest, err = place(0, manifestName, slot); err != nil {
		return
	}
	at := manifest.end()
	spans = make([]span, len(entries))
	for i, e := range entries {
		if spans[i], err = place(at, e.Name, e.Size); err != nil {
			return
		}
		if at = spans[i].end(); at > maxFileSize {
			err = fmt.Errorf("entry %s ends at byte %d, the limit is %d", e.Name, at, maxFileSize)
			return
		}
	}
	return manifest, spans, at + 2*block, nil
}

// place puts one entry at byte at. A weight's header is stretched by a PAX comment
// so that the payload starts on a page.
func place(at int64, name string, size int64) (span, error) {
	if err := checkName(name); err != nil {
		return span{}, err
	}
	if size < 0 || size > maxFileSize {
		return span{}, fmt.Errorf("entry %s: size %d is out of range", name, size)
	}
	h := header(name, size, 0)
	if off := at + int64(len(h)); strings.HasPrefix(name, weightDir) && off%PageSize != 0 {
		least := at + int64(len(header(name, size, 1)))
		h = header(name, size, 1+int(roundUp(least, PageSize)-least))
	}
	return span{header: h, start: at, off: at + int64(len(h)), size: size}, nil
}

// checkName accepts clean relative paths that mean the same to every tar.
func checkName(name string) error {
	if name == "" || len(name) > maxNameLength || path.Clean(name) != name || path.IsAbs(name) ||
		name == ".." || strings.HasPrefix(name, "../") || strings.ContainsAny(name, "\x00\\\n") {
		return fmt.Errorf("entry name %q is not a clean relative path of at most %d bytes", name, maxNameLength)
	}
	return nil
}

func roundUp(n, to int64) int64 {
	if n > math.MaxInt64-to {
		return math.MaxInt64
	}
	return (n + to - 1) / to * to
}
