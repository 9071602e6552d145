package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/golden/scripted"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"mlxc-run": main})
}

// shared is a directory for what tests read only.
var shared string

// tests runs the tests with a shared directory.
type tests struct{ *testing.M }

func (m tests) Run() int {
	var err error
	if shared, err = os.MkdirTemp("", "mlxc-run"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(shared)
	return m.M.Run()
}

// contextLength is what the bundles of these tests have room for.
const contextLength = 2048

// answers is what the scripted model says.
var answers = func() map[int32]int32 {
	all := map[int32]int32{}
	for _, chain := range []map[int32]int32{
		scripted.Chain(314, 7042, 30, scripted.EOS, 198),                  // " is": " Paris" "." end "\n" 0 0 …
		scripted.Chain(582, 827, 1296, 582),                               // " one": " two" " three" " one" …
		scripted.Chain(42, 10813, 38887, 23274, 115, 40993, scripted.EOS), // ":": "🙂日本" in five tokens, end
		scripted.Chain(357, 176, scripted.EOS),                            // " it": half a character, end
	} {
		for token, next := range chain {
			all[token] = next
		}
	}
	return all
}()

// scriptedBundle is the path of the scripted model's bundle, which is emitted once.
func scriptedBundle(t testing.TB) string {
	t.Helper()
	path := filepath.Join(shared, "scripted.tar")
	if _, err := os.Stat(path); err != nil {
		scripted.Model{Next: answers}.Bundle(t, compiler.Options{Context: contextLength, Output: path})
	}
	return path
}

// chatTemplate ends with what the user said, whose last token chooses the answer, and
// puts the answer after it as it was generated.
const chatTemplate = `{% for m in messages %}` +
	`{% if m.content == 'refuse' %}{{ raise_exception('I refuse <b>\nto answer') }}{% endif %}` +
	`{% if not loop.first and m.role == loop.previtem.role %}{{ raise_exception('two in a row') }}{% endif %}` +
	`{% if m.role == 'assistant' %}{{ m.content + '<|im_end|>' }}` +
	`{% else %}{{ '<|im_start|>' + m.role + ' ' + m.content }}{% endif %}` +
	`{% endfor %}{% if suffix %}{{ suffix }}{% endif %}`

// chatBundle is the path of the scripted model's bundle with a chat template.
func chatBundle(t testing.TB) string {
	t.Helper()
	path := filepath.Join(shared, "chat.tar")
	if _, err := os.Stat(path); err != nil {
		scripted.Model{Next: answers, Files: map[string]string{"chat_template.jinja": chatTemplate}}.Bundle(t, compiler.Options{Context: contextLength, Output: path})
	}
	return path
}

// element is where an element of a weight lies, of "column" or "row,column": matrices
// are [rows, columns] or [tiles, columns, rows of a tile].
func element(t testing.TB, path, weight, place string) int {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	is := func(w bundle.Weight) bool { return w.Name == weight }
	shape := b.Manifest.Weights[slices.IndexFunc(b.Manifest.Weights, is)].Shape
	var row, column int
	if _, err := fmt.Sscanf(place, "%d,%d", &row, &column); err != nil {
		if column, err = strconv.Atoi(place); err != nil {
			t.Fatal(err)
		}
		return column
	}
	if len(shape) == 2 {
		return row*shape[1] + column
	}
	return (row/shape[2]*shape[1]+column)*shape[2] + row%shape[2]
}

// call runs the command in this process.
func call(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	s := cli.IO{In: strings.NewReader(stdin), Out: &out, Err: &errs}
	cmd := NewCmdRun(s, nil)
	cmd.SetArgs(args)
	code = cli.Main(cmd, s)
	return code, out.String(), errs.String()
}

// TestScripts runs testdata/script. $BUNDLE is the scripted model, $IDS_ONLY the same
// without a tokenizer, $CHAT the same with chatTemplate, $STOPS with stop
// ids from other files, too. Commands: patch FILE WEIGHT [ROW,]COLUMN VALUE sets an element of FILE,
// which becomes a copy of $BUNDLE if it isn't there; logits FILE ERROR writes an
// oracle file for the prompt "… is" whose logits are wrong by that much; tokens N FILE
// writes N times " one"; same-tokens FILE FILE compares two outputs of --json.
func TestScripts(t *testing.T) {
	path := scriptedBundle(t)
	chat := chatBundle(t)
	stops := scripted.Model{Next: answers, Files: map[string]string{
		"generation_config.json": `{"eos_token_id": [0, 582]}`,
		"tokenizer_config.json":  `{"eos_token": {"content": " three", "lstrip": false}}`,
	}}.Bundle(t, compiler.Options{Context: contextLength})
	idsOnly := scripted.Model{Next: answers}.Bundle(t, compiler.Options{Context: contextLength, NoTokenizer: true})
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("BUNDLE", path)
			e.Setenv("CHAT", chat)
			e.Setenv("STOPS", stops)
			long := fmt.Sprintf(`[{"role": "user", "content": %q}, {"role": "assistant", "content": ""}]`, strings.Repeat(" one", 2019))
			if err := os.WriteFile(filepath.Join(e.WorkDir, "long.json"), []byte(long), 0o644); err != nil {
				return err
			}
			e.Setenv("IDS_ONLY", idsOnly)
			e.Setenv("THREADS", strconv.Itoa(runtime.DefaultThreads()))
			return os.WriteFile(filepath.Join(e.WorkDir, "tokenizer.json"), scripted.Tokenizer(t), 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"patch": func(ts *testscript.TestScript, _ bool, args []string) {
				file := ts.MkAbs(args[0])
				if _, err := os.Stat(file); err != nil {
					ts.Check(copyFile(path, file))
				}
				value, err := strconv.ParseFloat(args[3], 32)
				ts.Check(err)
				at := payloads(t, file)["weights/"+args[1]]
				ts.Check(overwrite(file, at.offset+4*int64(element(t, file, args[1], args[2])), binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(value)))))
			},
			"logits": func(ts *testscript.TestScript, _ bool, args []string) {
				wrongBy, err := strconv.ParseFloat(args[1], 32)
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), oracleTensors(float32(wrongBy)), 0o644))
			},
			"same-tokens": func(ts *testscript.TestScript, neg bool, args []string) {
				var a, b runtime.Result
				ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &a))
				ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &b))
				if slices.Equal(a.Tokens, b.Tokens) == neg {
					ts.Fatalf("%v, %v", a.Tokens, b.Tokens)
				}
			},
			"tokens": func(ts *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[0])
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Repeat(" one", n)), 0o644))
			},
		},
	})
}

// TestTokenizers: the ids of HF's tokenizers for every row of every tokenizer (of one
// in a short run).
func TestTokenizers(t *testing.T) {
	names := []string{"smollm2", "llama3style", "qwen2style", "o200style", "deepseekstyle"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		path := t.TempDir() + "/tokenizer.json"
		if err := os.WriteFile(path, oracle.File(t, "tokenizers/"+name+".tokenizer.json"), 0o644); err != nil {
			t.Fatal(err)
		}
		if name == "smollm2" {
			compareTokens(t, name, scriptedBundle(t))
		}
		compareTokens(t, name, path)
	}
}

func compareTokens(t *testing.T, name, path string) {
	t.Helper()
	type row struct {
		Text    string  `json:"text"`
		IDs     []int32 `json:"ids"`
		Plain   []int32 `json:"ids_plain"`
		Decoded string  `json:"decoded"`
	}
	rows := string(oracle.File(t, "tokenizers/"+name+".oracle.jsonl"))
	_, special, stderr := call(rows, "tokenize", path)
	_, plain, _ := call(rows, "tokenize", "--no-special", path)
	want, got, gotPlain := strings.Split(rows, "\n"), strings.Split(special, "\n"), strings.Split(plain, "\n")
	if len(got) != len(want) || len(gotPlain) != len(want) || len(want) < 100 {
		t.Fatalf("%s: %d and %d lines for %d: %s", path, len(got), len(gotPlain), len(want), stderr)
	}
	for i, line := range want {
		if line == "" {
			continue
		}
		var w, g, p row
		for _, x := range []struct {
			line string
			row  *row
		}{{line, &w}, {got[i], &g}, {gotPlain[i], &p}} {
			if err := json.Unmarshal([]byte(x.line), x.row); err != nil {
				t.Fatalf("%s: line %d: %v in %q", path, i+1, err, x.line)
			}
		}
		if !slices.Equal(g.IDs, w.IDs) || !slices.Equal(p.IDs, w.Plain) || g.Decoded != w.Decoded || p.Decoded != w.Decoded {
			t.Fatalf("%s: %q: %v, %q; plain %v; want %v, %q; %v", path, w.Text, g.IDs, g.Decoded, p.IDs, w.IDs, w.Decoded, w.Plain)
		}
	}
}
