package ir_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/iree"
	. "github.com/mlxc/mlxc/ir"
)

// runTool runs an IREE tool on the text of m and returns what it prints.
func runTool(t *testing.T, m *Module, tool string, flags ...string) string {
	t.Helper()
	path, err := iree.Find(tool, "")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "module.mlir")
	if err := os.WriteFile(file, []byte(Print(m)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append(flags, file)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%.4000s", cmd, err, stderr.String())
	}
	return string(out)
}

func TestIREEReadsEveryOp(t *testing.T) {
	m := everyOp(t)
	out := runTool(t, m, "iree-opt")
	if got, want := strings.Count(out, "func.func"), len(m.Funcs); got != want {
		t.Errorf("iree-opt read %d functions of %d", got, want)
	}
	runTool(t, m, "iree-opt", "--iree-stablehlo-input-transformation-pipeline")
}

// The constants print as decimals where there is a short one; iree-opt, told to
// print bits, must print those that went in. For f16 and bf16 they are all there
// are, for f32 a sample.
func TestIREEReadsConstantsExactly(t *testing.T) {
	const row = 32 // as many elements as print in decimal
	rng := rand.New(rand.NewPCG(1, 2))
	tensors := map[DType][]byte{}
	for i := range 1 << 16 {
		tensors[F16] = binary.LittleEndian.AppendUint16(tensors[F16], uint16(i))
		tensors[BF16] = binary.LittleEndian.AppendUint16(tensors[BF16], uint16(i))
		tensors[F32] = binary.LittleEndian.AppendUint32(tensors[F32], rng.Uint32())
	}
	tensors[F32] = binary.LittleEndian.AppendUint32(tensors[F32][4:], 1) // the smallest subnormal
	var want strings.Builder
	m, err := Build(func() *Module {
		m := &Module{}
		for _, d := range []DType{F32, F16, BF16} {
			fn(m, d.String(), nil, func(b *Builder) []*Value {
				for data := tensors[d]; len(data) > 0; data = data[row*d.Size():] {
					fmt.Fprintf(&want, "0x%s\n", strings.ToUpper(hex.EncodeToString(data[:row*d.Size()])))
					b.Constant(&Tensor{T(d, row), data[:row*d.Size()]})
				}
				return nil
			})
		}
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	out := runTool(t, m, "iree-opt", "--mlir-print-elementsattrs-with-hex-if-larger=1")
	var got strings.Builder
	for _, blob := range regexp.MustCompile(`0x[0-9A-F]{32,}`).FindAllString(out, -1) {
		got.WriteString(blob + "\n")
	}
	if got.String() != want.String() {
		t.Error("iree-opt reads other constants than were printed")
	}
}
