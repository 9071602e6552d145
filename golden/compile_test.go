package golden

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/compiler/iree/ireetest"
	"github.com/mlxc/mlxc/ir"
)

// TestGoldenDispatches compiles every graph to IREE's stream dialect, for a fixed CPU
// level. dispatches.txt holds the dispatches of each by kind, and their number: a change
// in what fuses shows. Nothing may be copied but scalars, and the logits of a vocabulary that
// doesn't fill its last tile: the state is updated in place.
func TestGoldenDispatches(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles all texts")
	}
	var got strings.Builder
	emitted := texts(t, readConfig(t))
	for _, path := range sortedKeys(emitted) {
		if strings.Contains(path, ".cuda/") {
			continue // a layout that is not for CPUs
		}
		stream := string(compile(t, path, emitted[path], "stream"))
		fmt.Fprintf(&got, "%s:%s\n", path, dispatches(t, stream))
		for _, copied := range copies(t, stream) {
			if copied > 8 && !(strings.HasPrefix(path, "tiny_llama.") && copied == tinyLogits) {
				t.Errorf("%s: %d bytes are copied from tensor to tensor", path, copied)
			}
		}
	}
	const file = "dispatches.txt"
	if *update {
		write(t, file, got.String())
	}
	if d := difference(read(t, file), got.String()); d != "" {
		t.Errorf("%s: %s\n`make golden` rewrites the file if the change is intended", file, d)
	}
}

var dispatchOp = regexp.MustCompile(`stream\.cmd\.dispatch @[\w$.]+::@[\w$.]+?_dispatch_\d+_([a-z_]+)`)

// dispatches are those of a module in the stream dialect: " 49 elementwise 20, …".
func dispatches(t testing.TB, stream string) string {
	t.Helper()
	all := dispatchOp.FindAllStringSubmatch(stream, -1)
	if n := strings.Count(stream, "stream.cmd.dispatch @"); n == 0 || n != len(all) {
		t.Fatalf("%d dispatches in the text of the stream dialect, the kinds of %d are known: has its form changed?", n, len(all))
	}
	kinds := map[string]int{}
	for _, d := range all {
		kinds[strings.Trim(d[1], "_")]++
	}
	var list []string
	for _, k := range sortedKeys(kinds) {
		list = append(list, fmt.Sprint(k, " ", kinds[k]))
	}
	return fmt.Sprint(" ", len(all), " ", strings.Join(list, ", "))
}

// tinyLogits is the size in bytes of a row of logits of tiny_llama, whose vocabulary of
// 100 doesn't fill its last tile.
const tinyLogits = 4 * 100

var (
	copyOp  = regexp.MustCompile(`stream\.(?:cmd|async)\.copy [^\n]*?, %c(\d+) :`)
	anyCopy = regexp.MustCompile(`stream\.(?:cmd|async)\.(?:copy|clone) `)
)

// copies are the sizes in bytes of the copies of a module in the stream dialect.
func copies(t testing.TB, stream string) []int {
	t.Helper()
	sizes := copyOp.FindAllStringSubmatch(stream, -1)
	if n := len(anyCopy.FindAllString(stream, -1)); n != len(sizes) {
		t.Errorf("%d copies, the sizes of %d are known", n, len(sizes))
	}
	var bytes []int
	for _, m := range sizes {
		var n int
		fmt.Sscan(m[1], &n)
		bytes = append(bytes, n)
	}
	return bytes
}

// TestGoldenCompiles compiles the texts of a real model all the way.
func TestGoldenCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a real model")
	}
	emitted := texts(t, readConfig(t))
	n := 0
	for _, path := range sortedKeys(emitted) {
		if strings.HasPrefix(path, "llama_3_2_1b.") {
			if vmfb := compile(t, path, emitted[path], ""); len(vmfb) == 0 {
				t.Errorf("%s: empty module", path)
			}
			n++
		}
	}
	if n < 4 {
		t.Errorf("only %d texts of the real model", n)
	}
}

// compile compiles a graph at a fixed CPU level as far as a phase of iree-compile.
func compile(t testing.TB, path, text, phase string) []byte {
	t.Helper()
	graph, err := ir.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return ireetest.Compile(t, "x86-64-v3", phase, compiler.Unit("graph", graph))
}
