package cmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/native"
	"github.com/mlxc/mlxc/runtime/native/cpu"
	"github.com/mlxc/mlxc/runtime/validate"
)

// TestFleet: one bundle for two CPU levels has one copy of the weights, and gives HF's
// tokens on the level that it chooses for each processor.
func TestFleet(t *testing.T) {
	c := oracle.Load(t, "llama")
	flags := []string{"--precision", "f32", "--no-tokenizer", "--context", "128", "--graphs", "prefill_c16,decode"}
	fleet := emit(t, c.Dir, append(flags, "--cpu", "x86-64-v4,x86-64-v3")...)
	single := emit(t, c.Dir, append(flags, "--cpu", "x86-64-v3")...)
	again := emit(t, c.Dir, append(flags, "--cpu", "x86-64-v3,x86-64-v4")...)
	if a, b := read(t, fleet), read(t, again); !bytes.Equal(a, b) {
		t.Error("two emissions differ")
	}
	b, one := openBundle(t, fleet), openBundle(t, single)
	sameWeights(t, b, one)
	t.Run("inspect", func(t *testing.T) { inspectFleet(t, b) })

	var seqs []validate.Sequence
	for _, r := range c.Runs {
		seqs = append(seqs, validate.Sequence{Name: r.Name, Prompt: r.Prompt, Tokens: r.Tokens, Logits: r.Logits})
	}
	for _, cpus := range []string{"host", "x86-64-v3,x86-64-v4"} { // what mlxc-emit takes, too
		if best := must(t, "mlxc-run", fleet, "--json", "--cpu", cpus, "-n", "1", "--prompt-ids", "1"); !strings.Contains(best, `"cpu":"x86-64-v`) {
			t.Errorf("--cpu %s: %s", cpus, best)
		}
	}
	for _, l := range b.Manifest.Levels() {
		t.Run(l.CPU, func(t *testing.T) {
			if lacks := cpu.Host().Missing(l.CPUFeatures); lacks != nil { // what is left to check is that it says so
				r := command(t, "mlxc-run", fleet, "--cpu", l.CPU, "--prompt-ids", "1")
				if r.code != 1 || !strings.Contains(r.stderr, "this processor lacks "+strings.Join(lacks, ", ")) || l.SelfCheck.Ran {
					t.Errorf("exit code %d, %s, self-check %+v", r.code, r.stderr, l.SelfCheck)
				}
				return
			}
			if !l.SelfCheck.Ran {
				t.Errorf("self-check: %+v", l.SelfCheck)
			}
			processor := cpu.Of(l.CPUFeatures...)
			s, err := runtime.On(native.Device{Processor: &processor}).Open(t.Context(), b, runtime.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := s.Capabilities().CPU; got != l.CPU {
				t.Errorf("level %s is chosen", got)
			}
			report, err := validate.Run(t.Context(), s, seqs)
			if err != nil {
				t.Fatal(err)
			}
			if report.Steps != 34 || len(report.Misses) > 0 || !report.Compared || report.MaxError > c.Tolerance {
				t.Errorf("%+v", report)
			}
			forced(t, fleet, l.CPU, c.Runs[0])
		})
	}
}

// TestSuggestedLevels: the level that an error of mlxc-run suggests is one that mlxc-emit
// compiles for, and whose code the processor can run.
func TestSuggestedLevels(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range row.Fleet {
		if got := cpu.Of(row.Levels[level].Features...).Level(); got != level {
			t.Errorf("a processor with what %s asks for is told to use %s", level, got)
		}
	}
}

// forced runs one level from the command line, which says so.
func forced(t *testing.T, path, level string, run oracle.Run) {
	t.Helper()
	r := command(t, "mlxc-run", "-v", "--json", "--ignore-eos", "-n", "5", "--cpu", level, "--prompt-ids", ids(run.Prompt), path)
	var got runtime.Result
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		t.Fatalf("%v: %s", err, r.stderr)
	}
	if got.CPU != level || ids(got.Tokens) != ids(run.Tokens[:5]) || !strings.Contains(r.stderr, "code for cpu "+level+"\n") {
		t.Errorf("cpu %q, tokens %v, want %s, %v; %s", got.CPU, got.Tokens, level, run.Tokens[:5], r.stderr)
	}
}

// sameWeights: levels cost what their modules take; weights are those of a bundle of one
// level, byte for byte.
func sameWeights(t *testing.T, fleet, one *bundle.Bundle) {
	t.Helper()
	modules := int64(0)
	for _, e := range fleet.Manifest.Entries {
		if strings.HasPrefix(e.Name, "modules/x86-64-v4/") {
			modules += e.Size
		}
	}
	const rest = 64 << 10 // a larger manifest, and padding
	if more := fleet.Size() - one.Size(); modules == 0 || more < modules || more > modules+rest {
		t.Errorf("the second level takes %d bytes, its modules %d", more, modules)
	}
	if len(fleet.Manifest.Weights) != len(one.Manifest.Weights) || fleet.WeightBytes() != one.WeightBytes() {
		t.Fatalf("%d weights of %d bytes, want %d of %d", len(fleet.Manifest.Weights), fleet.WeightBytes(), len(one.Manifest.Weights), one.WeightBytes())
	}
	for i, w := range one.Manifest.Weights {
		if !bytes.Equal(fleet.Weight(i), one.Weight(i)) {
			t.Errorf("%s differs", w.Name)
		}
	}
}

// inspectFleet: people see the levels, and which one is theirs.
func inspectFleet(t *testing.T, b *bundle.Bundle) {
	chosen, err := native.Device{}.Level(b, nil)
	if err != nil {
		t.Fatal(err) // the tests need at least x86-64-v3
	}
	text := must(t, "mlxc-run", "inspect", b.Path)
	for _, pattern := range []string{
		`(?m)^target +llvm-cpu, 2 CPU levels, of which this processor runs ` + chosen.CPU + `$`,
		`(?m)^level +x86-64-v3: self-check passed, largest difference \S+\nfeatures +avx avx2 `,
		`(?m)^level +x86-64-v4: self-check .*\nfeatures +avx avx2 avx512bw `,
		`(?m)^made by +mlxc-emit \S+, format 3, `,
	} {
		if !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("no match of %s in\n%s", pattern, text)
		}
	}
}

func openBundle(t *testing.T, path string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
