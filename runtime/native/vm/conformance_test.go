package vm

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// Programs in the VM dialect, testdata/*.mlir, that between them use every
// instruction that the dialect can express. iree-compile assembles them, and
// iree-run-module is the oracle: each line "// call: function arguments" must give
// the same results, or an error in both.
func TestInstructionsAgainstIREE(t *testing.T) {
	compile, run := ireeTool(t, "iree-compile"), ireeTool(t, "iree-run-module")
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	covered := map[string]bool{}
	for _, file := range files {
		binary := filepath.Join(t.TempDir(), "module.vmfb")
		if out, err := exec.Command(compile, "--compile-mode=vm", file, "-o", binary).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
		for _, call := range calls(t, file) {
			t.Run(strings.Join(call, " "), func(t *testing.T) {
				compareCall(t, run, binary, call[0], call[1:])
			})
		}
		for name := range instructionsOf(load(t, binary)) {
			covered[name] = true
		}
	}
	for _, op := range opcodes {
		if op.exec != nil && !covered[op.name] && !notInDialect[op.name] {
			t.Errorf("no program uses %s", op.name)
		}
	}
}

// notInDialect are instructions that no program here uses: the textual dialect has
// no operation for them, or they need an import.
var notInDialect = map[string]bool{}

func ireeTool(t *testing.T, name string) string {
	t.Helper()
	path, err := iree.Find(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// calls reads the calls that a program lists.
func calls(t *testing.T, file string) [][]string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var calls [][]string
	for line := range strings.Lines(string(source)) {
		if call, ok := strings.CutPrefix(line, "// call: "); ok {
			calls = append(calls, strings.Fields(call))
		}
	}
	return calls
}

func load(t *testing.T, file string) *Instance {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := vmfb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	in, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.Decode(), in.Start(t.Context())); err != nil {
		t.Fatal(err)
	}
	return in
}

func instructionsOf(in *Instance) map[string]bool {
	names := map[string]bool{}
	for _, f := range in.functions {
		for _, i := range f.code {
			names[opcodes[i.op].name] = true
		}
	}
	return names
}

var resultLine = regexp.MustCompile(`(?m)^result\[\d+\]: (.*)$`)

func compareCall(t *testing.T, run, binary, function string, words []string) {
	t.Helper()
	in := load(t, binary)
	signature := in.functions[in.exports[function].Function].signature
	command := []string{"--module=" + binary, "--function=" + function}
	var arguments []Value
	for i, w := range words {
		arguments = append(arguments, parseValue(t, Kind(signature.Arguments[i]), w))
		command = append(command, "--input="+w)
	}
	out, oracleErr := exec.Command(run, command...).CombinedOutput()
	results, err := in.Call(t.Context(), function, arguments)
	if (err != nil) != (oracleErr != nil) {
		t.Fatalf("error %v; iree-run-module: %v\n%s", err, oracleErr, out)
	}
	var got, want []string
	for i, v := range results {
		got = append(got, formatValue(Kind(signature.Results[i]), v))
	}
	for _, m := range resultLine.FindAllStringSubmatch(string(out), -1) {
		want = append(want, m[1])
	}
	if oracleErr == nil && strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
}

func parseValue(t *testing.T, k Kind, word string) Value {
	t.Helper()
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		t.Fatal(err)
	}
	switch k {
	case F32:
		return Value{Kind: k, Bits: uint64(math.Float32bits(float32(f)))}
	case F64:
		return Value{Kind: k, Bits: math.Float64bits(f)}
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if k == I32 {
		return Value{Kind: k, Bits: uint64(uint32(n))}
	}
	return Value{Kind: k, Bits: uint64(n)}
}

// formatValue writes a value as iree-run-module does.
func formatValue(k Kind, v Value) string {
	switch k {
	case I32:
		return fmt.Sprintf("i32=%d", int32(v.Bits))
	case I64:
		return fmt.Sprintf("i64=%d", int64(v.Bits))
	case F32:
		return "f32=" + formatFloat(float64(math.Float32frombits(uint32(v.Bits))))
	default:
		return "f64=" + formatFloat(math.Float64frombits(v.Bits))
	}
}

// formatFloat is C's %g.
func formatFloat(f float64) string {
	if math.IsNaN(f) {
		return map[bool]string{false: "nan", true: "-nan"}[math.Signbit(f)]
	}
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', 6, 64), "+"))
}
