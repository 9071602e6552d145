package golden

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// cases are what is golden: a config under a precision, for a target.
var cases = []struct {
	config, precision string
	context           int
	graphs            []string
	target            string // "": llvm-cpu
}{
	{"tiny_llama", "f32", 256, []string{"prefill_c16", "prefill_c16_s64", "prefill_c64", "prefill_c256", "decode", "decode_s64", "ragged_b4", "ragged_b4_s64", "ragged_b8"}, ""},
	{"tiny_llama", "f16", 256, []string{"prefill_c16", "prefill_c64", "prefill_c256", "decode", "ragged_b4", "ragged_b8"}, ""},
	{"tiny_packed", "q4", 256, []string{"prefill_c16", "decode", "ragged_b4"}, ""},
	{"tiny_packed", "q8", 256, []string{"decode"}, ""},
	{"llama_3_2_1b", "f16", 2048, []string{"prefill_c16", "prefill_c64", "decode", "decode_s256", "ragged_b4", "ragged_b8"}, ""},
	{"tiny_llama", "f16", 256, []string{"prefill_c16", "decode", "decode_s64", "ragged_b4"}, "cuda"},
}

// slots are those of ragged_b8 and the spare one.
const slots = 9

// texts emits every golden file: path below text to content. config reads a config.
func texts(t testing.TB, config func(name string) []byte) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, c := range cases {
		row, err := target.Load(cmp.Or(c.target, "llvm-cpu"))
		if err != nil {
			t.Fatal(err)
		}
		spec, err := archs.Read(config(c.config), nil)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := lower.PlanFor(row, c.precision, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		o := lower.Options{Context: c.context, Slots: slots}
		for _, name := range c.graphs {
			kind, err := lower.ParseGraphKind(name)
			if err != nil {
				t.Fatal(err)
			}
			o.Graphs = append(o.Graphs, kind)
		}
		program, err := lower.Lower(spec, plan, o)
		if err != nil {
			t.Fatal(err)
		}
		folder := c.config + "." + c.precision
		if c.target != "" {
			folder += "." + c.target
		}
		for _, g := range program.Graphs {
			files[fmt.Sprintf("%s/%s.mlir", folder, g.Kind)] = ir.Print(g.Module)
		}
	}
	return files
}

func readConfig(t testing.TB) func(name string) []byte {
	return func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join("configs", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
}

// TestGoldenTexts: what is emitted is what is committed, no file more or less.
func TestGoldenTexts(t *testing.T) {
	want := texts(t, readConfig(t))
	for _, path := range sortedKeys(want) {
		file := filepath.Join("text", filepath.FromSlash(path))
		if *update {
			write(t, file, want[path])
		}
		have, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v; `make golden` writes it", err)
			continue
		}
		if d := difference(string(have), want[path]); d != "" {
			t.Errorf("%s: %s\n`make golden` rewrites the file if the change is intended", file, d)
		}
	}
	for _, path := range committed(t) {
		if _, ok := want[path]; ok {
			continue
		}
		file := filepath.Join("text", path)
		if !*update {
			t.Errorf("%s is stale: nothing emits it; `make golden` removes it", file)
		} else if err := os.Remove(file); err != nil {
			t.Error(err)
		}
	}
}

// TestGoldenTextsParse: the parser reads every text and prints the same bytes.
func TestGoldenTextsParse(t *testing.T) {
	for path, text := range texts(t, readConfig(t)) {
		m, err := ir.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if d := difference(text, ir.Print(m)); d != "" {
			t.Errorf("%s printed, parsed and printed: %s", path, d)
		}
	}
}

// TestDeterminism: the order of keys in config.json, the number of processors and
// what runs beside change nothing.
func TestDeterminism(t *testing.T) {
	want := texts(t, readConfig(t))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		var wg sync.WaitGroup
		for seed := range 3 {
			wg.Go(func() {
				got := texts(t, func(name string) []byte { return shuffled(t, readConfig(t)(name), uint64(seed)) })
				for path := range want {
					if d := difference(want[path], got[path]); d != "" {
						t.Errorf("%s with GOMAXPROCS=%d, keys in order %d: %s", path, procs, seed, d)
					}
				}
			})
		}
		wg.Wait()
	}
}

// shuffled writes a JSON object with its keys in another order.
func shuffled(t testing.TB, object []byte, seed uint64) []byte {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(object, &values); err != nil {
		t.Error(err)
		return object
	}
	keys := sortedKeys(values)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var out bytes.Buffer
	for i, k := range keys {
		fmt.Fprintf(&out, "%c%q:%s", "{,"[min(i, 1)], k, values[k])
	}
	out.WriteByte('}')
	return out.Bytes()
}

// difference describes the first line in which two texts differ, "" if none does.
func difference(have, want string) string {
	a, b := strings.SplitAfter(have, "\n"), strings.SplitAfter(want, "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return fmt.Sprintf("line %d is missing\nemitted: %q", i+1, b[i])
		case i >= len(b):
			return fmt.Sprintf("line %d is too much\ngolden:  %q", i+1, a[i])
		case a[i] != b[i]:
			return fmt.Sprintf("line %d differs\ngolden:  %q\nemitted: %q", i+1, a[i], b[i])
		}
	}
	return ""
}

func TestDifference(t *testing.T) {
	text := "module {\n  func\n}\n"
	for _, c := range []struct{ have, want string }{
		{text, ""},
		{"module {\n  funC\n}\n", "line 2 differs\ngolden:  \"  funC\\n\"\nemitted: \"  func\\n\""},
		{"module {\n  func\n}", "line 3 differs\ngolden:  \"}\"\nemitted: \"}\\n\""},
		{"module {\n  func\n}\n ", "line 4 differs\ngolden:  \" \"\nemitted: \"\""},
		{"module {\r\n  func\n}\n", "line 1 differs\ngolden:  \"module {\\r\\n\"\nemitted: \"module {\\n\""},
		{"module {\n  func\n}\n}\n", "line 4 differs\ngolden:  \"}\\n\"\nemitted: \"\""},
		{"", "line 1 differs\ngolden:  \"\"\nemitted: \"module {\\n\""},
	} {
		if got := difference(c.have, text); got != c.want {
			t.Errorf("difference(%q):\n%s\nwant\n%s", c.have, got, c.want)
		}
	}
}

// committed lists the files below text, with slashes.
func committed(t testing.TB) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS("text"), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
