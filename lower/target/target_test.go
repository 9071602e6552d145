package target

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/iree"
)

func TestBuiltinRows(t *testing.T) {
	for _, name := range Names() {
		r, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if r.Name != name {
			t.Errorf("%s.toml: name = %q", name, r.Name)
		}
	}
	r, err := Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	flags, err := r.CompileFlags("")
	if err != nil || !slices.Contains(flags, "--iree-llvmcpu-target-cpu=host") || !slices.Contains(flags, "--iree-opt-level=O3") {
		t.Errorf("CompileFlags(\"\") = %q, %v", flags, err)
	}
}

// TestPrecisions: what each row allows, takes by default, and refuses with which advice.
func TestPrecisions(t *testing.T) {
	const notYet = "refused: weights can't "
	floats := map[string]string{"f16": "", "f32": "", "bf16": "",
		"keep": notYet + "stay quantised on GPUs yet; f16 dequantises them",
		"q8":   notYet + "be packed in 8 bits on GPUs yet; use f16", "q8:32": notYet + "be packed in 8 bits on GPUs yet; use f16",
		"q4": notYet + "be packed in 4 bits on GPUs yet; use f16", "q4:128": notYet + "be packed in 4 bits on GPUs yet; use f16",
		"recipe:mixed_4_6": notYet + "be packed as a recipe says on GPUs yet; use f16",
		"q9":               "unknown precision"}
	metal := maps.Clone(floats)
	metal["bf16"] = "refused: IREE 3.13.0 writes no bf16 in Metal source but pieces it together of 16-bit integers; use f16 (supported: f16, f32)"
	all := map[string]string{"f32": "", "f16": "", "bf16": "", "keep": "", "q8": "", "q4": "", "q4:32": "", "recipe:mixed_4_6": "",
		"q9": `target: ROW: unknown precision "q9" (supported: f32, f16, bf16, keep, q8, q4, recipe)`}
	rows := map[string]struct {
		standard   string
		precisions map[string]string // what the error says, "" if it is allowed
	}{
		"cuda": {"f16", floats}, "rocm": {"f16", floats}, "vulkan-spirv": {"f16", floats}, "metal-spirv": {"f16", metal},
		"llvm-cpu": {"keep", all}, "llvm-cpu-aarch64": {"keep", all},
	}
	for _, name := range Names() {
		r, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		row, ok := rows[name]
		if !ok || r.DefaultPrecision != row.standard {
			t.Errorf("%s: the default precision is %s, want %q", name, r.DefaultPrecision, row.standard)
		}
		for precision, want := range row.precisions {
			want = strings.ReplaceAll(want, "ROW", name)
			if got := errText(r.CheckPrecision(precision)); (got == "") != (want == "") || !strings.Contains(got, want) {
				t.Errorf("%s: precision %s: %q, want %q", name, precision, got, want)
			}
		}
	}
}

// TestNotes: a GPU that iree-compile doesn't know is named to the user, with the code
// that runs on it.
func TestNotes(t *testing.T) {
	r, err := Load("cuda")
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[string]string{
		"": "", "sm_80": "", "sm_89": "", "sm_120": "",
		"sm_90":  "GPU level sm_90: iree-compile doesn't know it, the code is for sm_89: its PTX runs forward",
		"sm_90a": "GPU level sm_90a: iree-compile doesn't know it, the code is for sm_89: its PTX runs forward",
		"sm_100": "GPU level sm_100: iree-compile doesn't know it, the code is for sm_89: its PTX runs forward",
	} {
		if got := r.Note(level); got != want {
			t.Errorf("level %q: note %q, want %q", level, got, want)
		}
		flags, err := r.CompileFlags(level)
		if flag := "--iree-cuda-target=" + cmp.Or(r.Levels[level].As, level, "sm_80"); err != nil || flags[len(flags)-1] != flag {
			t.Errorf("level %q: flags %q, %v, want %s", level, flags, err, flag)
		}
	}
}

// TestFeatures compares the rows' feature lists with what iree-compile enables.
func TestFeatures(t *testing.T) {
	r, err := Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := iree.Find("iree-compile", "")
	if err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(t.TempDir(), "m.mlir")
	if err := os.WriteFile(in, []byte("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, cpu := range r.Levels {
		if cpu.Features == nil {
			continue
		}
		flags, err := r.CompileFlags(name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, append(flags, "--compile-to=executable-sources", in, "-o", "-")...).CombinedOutput()
		m := regexp.MustCompile(`cpu_features = "([^"]*)"`).FindSubmatch(out)
		if err != nil || m == nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if got := "+" + strings.Join(cpu.Features, ",+"); got != string(m[1]) {
			t.Errorf("%s: features of the row\n%s\nof iree-compile\n%s", name, got, m[1])
		}
	}
}

const minimal = `
name = "mine"
devices = ["native"]
flags = ["--iree-hal-target-device=local"]
default_precision = "f32"
precisions = ["f32"]
`

const levels = minimal + `
processor = "gpu"
forward = "it grows"
level_flag = "--level"
default_level = "a"
[level.a]
`

func TestOwnFile(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // "name cpu-or-error", by show
	}{
		{"complete", minimal, "mine, flags 1, devices 1, levels []"},
		{"inherits", "name = \"zen\"\ninherits = \"llvm-cpu\"\ndefault_level = \"znver4\"\n[level.znver4]\nfeatures = [\"avx\"]",
			"zen, flags 4, devices 2, levels [host x86-64 x86-64-v2 x86-64-v3 x86-64-v4 znver4]"},
		{"inherits and replaces a list", "name = \"zen\"\ninherits = \"llvm-cpu\"\nflags = [\"--a\"]",
			"zen, flags 1, devices 2, levels [host x86-64 x86-64-v2 x86-64-v3 x86-64-v4]"},
		{"unknown key", minimal + "devicez = 1", "target: FILE: unknown key devicez (llvm-cpu.toml and cuda.toml in the sources show all keys)"},
		{"unknown key in a table", minimal + "[level.x]\nfeaturez = []", "target: FILE: unknown key level.x.featurez (llvm-cpu.toml and cuda.toml in the sources show all keys)"},
		{"wrong type", "name = 1", "target: FILE: toml: line 1 (last key \"name\"): incompatible types: TOML value has type int64; destination has type string"},
		{"syntax", "name = ", "target: FILE: line 1: unexpected EOF; expected value"},
		{"inherits nothing known", minimal + `inherits = "x"`, `target: FILE: inherits: target: unknown target "x" (supported: cuda, llvm-cpu, llvm-cpu-aarch64, metal-spirv, rocm, vulkan-spirv, or the path of a target file: ./my.toml)`},
		{"no name", `inherits = "llvm-cpu"`, "target: FILE: name is missing"},
		{"default not allowed", minimal + "[refused]\nf16 = \"no\"\n", "mine, flags 1, devices 1, levels []"},
		{"refused and allowed", minimal + "[refused]\nf32 = \"no\"\n", "target: FILE: precision f32 is both in precisions and refused"},
		{"no flags", strings.Replace(minimal, "flags", "tools", 1), "target: FILE: flags is missing: what is iree-compile to be told?"},
		{"levels without a flag", minimal + "default_level = \"a\"\n[level.a]", "target: FILE: level_flag and [level.NAME] tables go together: one is missing"},
		{"levels of nothing", minimal + "level_flag = \"--a\"\ndefault_level = \"a\"\n[level.a]", "target: FILE: processor is missing: what are the levels of, cpu or gpu?"},
		{"tiles on a GPU", levels[:strings.Index(levels, "[level")] + "layout = \"tiled\"\n[level.a]", `target: FILE: layout = "tiled" is for registers of CPUs: GPUs have dense`},
		{"a flag that isn't one", strings.Replace(minimal, "--iree", "iree", 1), `target: FILE: flags: "iree-hal-target-device=local" isn't a flag: it begins with --`},
		{"a flag of a level that isn't one", levels + "[level.b]\nflags = [\"b\"]", `target: FILE: level.b.flags: "b" isn't a flag: it begins with --`},
		{"a level without a name", levels + "[level.\"\"]", `target: FILE: level: "" isn't a name`},
		{"a device without a name", strings.Replace(minimal, "native", "a b", 1), `target: FILE: devices: "a b" isn't a name`},
		{"levels of something else", minimal + "processor = \"tpu\"", `target: FILE: processor = "tpu" (supported: cpu, gpu)`},
		{"a level as another", levels + "[level.b]\nas = \"a\"", "mine, flags 1, devices 1, levels [a b]"},
		{"a level as another for no reason", strings.Replace(levels, "forward", "summary", 1) + "[level.b]\nas = \"a\"", `target: FILE: level.b: as = "a" needs forward: why does the code of one level run on another?`},
		{"a level as none", levels + "[level.b]\nas = \"c\"", `target: FILE: level.b: as = "c" is not a level with code of its own (there are: a)`},
		{"a level as itself", levels + "[level.b]\nas = \"b\"", `target: FILE: level.b: as = "b" is not a level with code of its own (there are: a)`},
		{"a level as another with flags", levels + "[level.b]\nas = \"a\"\nflags = []", "target: FILE: level.b: as and flags exclude each other"},
		{"default level missing", "name = \"zen\"\ninherits = \"llvm-cpu\"\ndefault_level = \"z\"", `target: FILE: default_level "z" has no table [level.z] (there are: host, x86-64, x86-64-v2, x86-64-v3, x86-64-v4)`},
		{"fleet without features", "name = \"zen\"\ninherits = \"llvm-cpu\"\nfleet = [\"x86-64-v3\", \"host\"]", `target: FILE: fleet: "host" has no table [level.host] with features, by which a bundle's level is chosen`},
		{"fleet twice", "name = \"zen\"\ninherits = \"llvm-cpu\"\nfleet = [\"x86-64-v3\", \"x86-64-v3\"]", "target: FILE: fleet: x86-64-v3 is there twice"},
		{"too large", strings.Repeat("#", maxFile+1), "target: FILE: larger than 1048576 bytes: not a target file"},
	} {
		file := filepath.Join(t.TempDir(), "my.toml")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Load(file)
		got := strings.ReplaceAll(errText(err), file, "FILE")
		if err == nil {
			got = fmt.Sprintf("%s, flags %d, devices %d, levels %v", r.Name, len(r.Flags), len(r.Devices), r.LevelNames())
		}
		if got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestLevelFlags shows how a level reaches iree-compile.
func TestLevelFlags(t *testing.T) {
	r, err := parse("my.toml", []byte(levels+"[level.b]\nas = \"a\"\n[level.c]\nflags = [\"--x\", \"--y\"]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[string]string{"": "--level=a", "a": "--level=a", "b": "--level=a", "c": "--x --y"} {
		flags, err := r.CompileFlags(level)
		if got := strings.Join(flags[1:], " "); err != nil || got != want {
			t.Errorf("level %q: %s, %v, want %s", level, got, err, want)
		}
	}
}

// TestOrder: levels stand in the order of the row's fleet, whatever their names.
func TestOrder(t *testing.T) {
	r, err := parse("my.toml", []byte("name = \"mine\"\ninherits = \"llvm-cpu\"\nfleet = [\"x86-64-v3\", \"b\", \"a\"]\n"+
		"[level.a]\nfeatures = [\"avx\"]\n[level.b]\nfeatures = [\"avx\"]\n[level.c]\nfeatures = [\"avx\"]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	const alone = `target: mine: CPU level %q can't stand beside others in a bundle%s (those that can: x86-64-v3, b, a)`
	for _, c := range []struct{ levels, want string }{
		{"", ""},
		{"host", "host"},
		{"c", "c"},
		{"a b x86-64-v3", "x86-64-v3 b a"},
		{"b a", "b a"},
		{"a b a", "target: mine: CPU level a is given twice"},
		{"a pentium", `target: mine: unknown CPU level "pentium" (supported: a, b, c, host, x86-64, x86-64-v2, x86-64-v3, x86-64-v4); a target file of your own can add it`},
		{"a c", fmt.Sprintf(alone, "c", "")},
		{"host a", fmt.Sprintf(alone, "host", ": what it asks of a processor isn't known beforehand; name a level that says it")},
	} {
		levels, err := r.Order(strings.Fields(c.levels))
		if got := strings.Join(levels, " ") + errText(err); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.levels, got, c.want)
		}
	}
	arm, err := Load("llvm-cpu-aarch64")
	if err != nil {
		t.Fatal(err)
	}
	_, err = arm.Order([]string{"generic", "neoverse-v1"})
	if want := "target: llvm-cpu-aarch64: its levels can't stand in one bundle (generic, neoverse-v1), because none of its devices chooses among them; make a bundle of each"; errText(err) != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestLoadErrors(t *testing.T) {
	r, err := Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	_, noLevel := r.CompileFlags("pentium")
	_, noTarget := Load("cuda9")
	_, noFile := Load("./absent.toml")
	r.Refused = map[string]string{"bf16": "no such hardware"}
	r.Precisions = []string{"f32"}
	for want, err := range map[string]error{
		`target: llvm-cpu: unknown CPU level "pentium" (supported: host, x86-64, x86-64-v2, x86-64-v3, x86-64-v4); a target file of your own can add it`:         noLevel,
		`target: unknown target "cuda9" (supported: cuda, llvm-cpu, llvm-cpu-aarch64, metal-spirv, rocm, vulkan-spirv, or the path of a target file: ./my.toml)`: noTarget,
		`target: open ./absent.toml: no such file or directory`:                          noFile,
		`target: llvm-cpu: precision bf16 is refused: no such hardware (supported: f32)`: r.CheckPrecision("bf16"),
	} {
		if errText(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte("name = \"zen\"\ninherits = \"llvm-cpu\"\n[level.a]\nfeatures = [\"avx\"]\n"))
	f.Add([]byte("[refused]\nf32 = \"x\""))
	for _, name := range Names() {
		data, err := rows.ReadFile(name + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parse("fuzz.toml", data, nil)
		if err != nil {
			return
		}
		for _, level := range append(r.LevelNames(), "") {
			flags, err := r.CompileFlags(level)
			if err != nil || slices.ContainsFunc(flags, func(f string) bool { return !strings.HasPrefix(f, "--") }) {
				t.Errorf("flags of level %q of an accepted row: %q, %v", level, flags, err)
			}
		}
	})
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
