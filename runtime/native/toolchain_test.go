package native

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/iree"
)

// tool finds a tool of IREE's.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := iree.Find(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compileCached compiles a module, or finds what an earlier run compiled of the
// same source, flags and compiler, under build/native-corpus of the source tree.
// It returns the name of the file.
func compileCached(t testing.TB, compiler string, source []byte, flags []string) string {
	t.Helper()
	key := sha256.Sum256([]byte(strings.Join(append([]string{iree.Version, hostCPU(t), string(source)}, flags...), "\x00")))
	cache := filepath.Join(sourceRoot(t), "build", "native-corpus")
	file := filepath.Join(cache, fmt.Sprintf("%x.vmfb", key[:16]))
	if _, err := os.Stat(file); err == nil {
		return file
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	input, output := filepath.Join(t.TempDir(), "module.mlir"), filepath.Join(t.TempDir(), "module.vmfb")
	writeFile(t, input, source)
	log, err := exec.Command(compiler, append([]string{input, "-o", output}, flags...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("iree-compile %v: %v\n%s", flags, err, log)
	}
	temporary := file + fmt.Sprintf(".%d", os.Getpid())
	writeFile(t, temporary, readFile(t, output))
	if err := os.Rename(temporary, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// hostCPU names what "--iree-llvmcpu-target-cpu=host" stands for, as far as a cache
// that moves between machines must know.
func hostCPU(t testing.TB) string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(string(readFile(t, "/proc/cpuinfo"))) {
		if strings.HasPrefix(line, "model name") || strings.HasPrefix(line, "flags") {
			lines = append(lines, line)
			if len(lines) == 2 {
				break
			}
		}
	}
	return strings.Join(lines, "")
}

// sourceRoot is the directory of go.mod.
func sourceRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
	}
}
