package cmd_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/scripted"
	"github.com/mlxc/mlxc/runtime"
)

// TestNonFiniteLogits is field case D1 from the checkpoint on: a weight that is no
// number fails the self-check of the emission; in a bundle that was emitted without
// one, generation stops before a token comes of it.
func TestNonFiniteLogits(t *testing.T) {
	places := map[string]string{"model.norm.weight": "number 9", "lm_head.weight": "row 0, number 9"}
	for tensor, value := range map[string]float64{"model.norm.weight": math.NaN(), "lm_head.weight": math.Inf(1)} {
		checkpoint := scripted.Model{Next: scripted.Chain(314, 7042), Break: func(name string, values []float32) {
			if name == tensor {
				values[9] = float32(value)
			}
		}}.Checkpoint(t)
		path := filepath.Join(t.TempDir(), "b.tar")
		flags := []string{"--precision", "f32", "--context", "64", "--graphs", "prefill_c16,decode", "-o", path, checkpoint}
		r := command(t, "mlxc-emit", flags...)
		if !strings.Contains(r.stderr, "mlxc-emit: tensor "+tensor+": "+places[tensor]+" is NaN or Inf as f32: ") {
			t.Errorf("%s: no remark in %s", tensor, r.stderr)
		}
		if _, err := os.Stat(path); r.code == 0 || err == nil || !strings.Contains(r.stderr, "non-finite logits at step ") {
			t.Errorf("%s: emit with self-check: exit code %d, %s", tensor, r.code, r.stderr)
		}
		must(t, "mlxc-emit", append([]string{"--no-self-check"}, flags...)...)
		for _, device := range runtime.DeviceNames() {
			r := command(t, "mlxc-run", "--device", device, path, "France is")
			if r.code != 1 || r.stdout != "" || !strings.Contains(r.stderr, "non-finite logits at step 2") {
				t.Errorf("%s on %s: exit code %d, stdout %q, %s", tensor, device, r.code, r.stdout, r.stderr)
			}
		}
	}
}
