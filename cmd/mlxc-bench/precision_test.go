package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/golden/oracle"
)

// TestPrecisionChecksFirst: a test that what would be emitted can't run is refused before
// anything is emitted.
func TestPrecisionChecksFirst(t *testing.T) {
	checkpoint := oracle.Load(t, "llama").Checkpoint
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--context", "32", "-p", "8,40"}, checkpoint + ": measure: pp40 needs 40 positions, the bundle's context is 32: choose shorter ones"},
		{[]string{"-p", "8", "-n", "5000"}, checkpoint + ": measure: tg5000 needs 5000 positions, the bundle's context is "},
		{[]string{"-p", "8", "-b", "9"}, checkpoint + ": measure: pp8 × b9 needs 9 sequences at once, the bundle has slots for 8"},
		{[]string{"-p", "8", "--precision", "f16,f32:32"}, "lower: precision f32:32: f32 takes nothing after a colon"},
		{[]string{"-p", "8", "--precision", "q4:48"}, "lower: precision q4:48: "},
		{[]string{"-p", "8", "--precision", "q3"}, "--precision: target: llvm-cpu: unknown precision \"q3\" (supported: f32, "},
		{[]string{"-p", "8", "--precision", "recipe:mixed_9"}, "quant: unknown recipe \"mixed_9\" (supported: mixed_2_6, "},
		{[]string{"-p", "8", "--cpu", "sm_86"}, "--cpu: target: llvm-cpu: unknown CPU level \"sm_86\" (supported: "},
	} {
		var out, errs bytes.Buffer
		cache := t.TempDir()
		s := cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}
		cmd := NewCmdBench(s, nil)
		cmd.SetArgs(append([]string{"--precision", "f32,q4:32", "--cache-dir", cache, "-n", "4", checkpoint}, c.args...))
		code := cli.Main(cmd, s)
		left, _ := os.ReadDir(cache)
		if want := "mlxc-bench: " + c.want; code != 1 || !strings.HasPrefix(errs.String(), want) || len(left) > 0 {
			t.Errorf("%v: exit code %d, %s, left %v, want %s", c.args, code, &errs, left, want)
		}
	}
}

// TestPrecision: each precision of a checkpoint is emitted once and measured alone and
// in the widest batch; fewer bits are fewer bytes.
func TestPrecision(t *testing.T) {
	checkpoint := oracle.Load(t, "llama").Checkpoint
	cache := t.TempDir()
	run := func(args ...string) (stdout, stderr string) {
		var out, errs bytes.Buffer
		s := cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}
		cmd := NewCmdBench(s, nil)
		cmd.SetArgs(append([]string{"--precision", "f32,q4:32", "--context", "32", "--cache-dir", cache, "-p", "8", "-n", "4", "-r", "2", "-t", "1", "--cpu", "x86-64", checkpoint}, args...))
		if code := cli.Main(cmd, s); code != 0 {
			t.Fatalf("exit code %d, %s", code, &errs)
		}
		return out.String(), errs.String()
	}

	text, notes := run("-o", "json")
	if n := strings.Count(notes, "emitting "); n != 2 {
		t.Errorf("%d emissions noted, want 2:\n%s", n, notes)
	}
	var rows []Row
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		t.Fatal(err)
	}
	size := int64(1 << 40)
	for i, precision := range []string{"f32", "q4:32"} {
		for k, test := range []string{"pp8", "tg4", "tg4 × b8"} {
			r := rows[3*i+k]
			if r.Precision != precision || r.Level != "x86-64" || r.Test != test || r.ModelSize >= size || r.AvgTS <= 0 || (r.BytesPerToken > 0) != (k > 0) {
				t.Errorf("%+v, want %s of %s in less than %d bytes", r, test, precision, size)
			}
		}
		alone, batch := rows[3*i+1], rows[3*i+2]
		if alone.BytesPerToken <= float64(alone.ModelSize) || batch.BytesPerToken >= alone.BytesPerToken {
			t.Errorf("%s: %g bytes a token alone, %g in a batch, %d of weights", precision, alone.BytesPerToken, batch.BytesPerToken, alone.ModelSize)
		}
		size = alone.ModelSize
	}

	table, notes := run()
	if notes != "" {
		t.Errorf("emitted again: %s", notes)
	}
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != 4 || lines[0] != "| model | precision | weights | MB/token | threads | pp8 t/s | tg4 t/s | tg4 × b8 t/s |" {
		t.Fatalf("table:\n%s", table)
	}
	for i, precision := range []string{"f32", "q4:32"} {
		if pattern := `^\| llama \| ` + precision + ` \| \d+\.\d MB \| \d+\.\d \| 1 \|( \d+\.\d\d ± \d+\.\d\d \|){3}$`; !regexp.MustCompile(pattern).MatchString(lines[2+i]) {
			t.Errorf("line %q doesn't match %s", lines[2+i], pattern)
		}
	}

	// A changed checkpoint is another one; what was emitted before goes.
	config := filepath.Join(checkpoint, "config.json")
	b, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, append(b, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, notes = run("-o", "csv"); strings.Count(notes, "emitting ") != 2 {
		t.Errorf("not emitted again: %s", notes)
	}
	if bundles, _ := filepath.Glob(filepath.Join(cache, "bench", "*")); len(bundles) != 2 {
		t.Errorf("in the cache: %q, want 2 bundles", bundles)
	}
}

// Checkpoints of the hub are taken where folders are.
func TestPrecisionOfTheHub(t *testing.T) {
	t.Setenv("HF_HUB_OFFLINE", "1")
	t.Setenv("HF_HOME", t.TempDir())
	for checkpoint, want := range map[string]string{
		"hf:test/tiny":  "hf:test/tiny@main: HF_HUB_OFFLINE is set, and it is neither in ",
		"hf:tiny":       "a model of the hub is written hf:ORG/NAME",
		"test/no-model": "no such file or directory; give the directory of a checkpoint or a .gguf file, or, if the hub's model is meant, hf:test/no-model",
	} {
		var out, errs bytes.Buffer
		s := cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}
		cmd := NewCmdBench(s, nil)
		cmd.SetArgs([]string{"--precision", "f32", "--cache-dir", t.TempDir(), checkpoint})
		if code := cli.Main(cmd, s); code != 1 || !strings.Contains(errs.String(), want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %s, want %q", checkpoint, code, &errs, want)
		}
	}
}
