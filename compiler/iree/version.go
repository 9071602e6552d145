package iree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// ErrVersion is what Check's error wraps when the tool is of another release.
var ErrVersion = errors.New("wrong IREE release")

// errSilent is what is wrong with a tool that may be the right one, on a machine that is
// too busy.
var errSilent = errors.New("no answer within a minute; try again, or name another one with --iree-compile")

// repair is what to do about a missing or wrong tool.
const repair = "run `make deps`, or `pip install iree-base-compiler==" + Version + " iree-base-runtime==" + Version + "`, or name another one with --iree-compile"

// Compiler is an iree-compile of the right release.
type Compiler struct {
	Path    string
	Opt     string // the iree-opt of the same release
	Version string // as the tool says it: "3.13.0rc20261016 @ 89ece87b…"
}

var versionLine = regexp.MustCompile(`(?m)^\s*IREE compiler version (.*\S)\s*$`)

// Check asks an iree-compile for its version and refuses any but Version.
func Check(ctx context.Context, path string) (*Compiler, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errSilent)
	defer cancel()
	cmd, said := command(ctx, path, "--version"), &head{}
	cmd.Stdout, cmd.Stderr = said, said
	err := cmd.Run()
	out := said.text
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("iree: %s --version: %w", path, context.Cause(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("iree: %s --version: %w: %s; %s", path, err, firstLine(out), repair)
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return nil, fmt.Errorf("iree: %s --version says %q: not an iree-compile; %s", path, firstLine(out), repair)
	}
	version := string(m[1])
	if rest, ok := strings.CutPrefix(version, Version); !ok || rest != "" && strings.ContainsAny(rest[:1], ".0123456789") {
		return nil, fmt.Errorf("iree: %s: %w: it is %s, mlxc needs %s, because a module runs on no other release; %s", path, ErrVersion, version, Version, repair)
	}
	opt := filepath.Join(filepath.Dir(path), "iree-opt")
	if !isFile(opt) {
		if opt, err = Find("iree-opt", ""); err != nil {
			return nil, err
		}
	}
	return &Compiler{Path: path, Opt: opt, Version: version}, nil
}

// command is a child that dies with its whole process group when ctx ends: the pip
// wheel's iree-compile is a script that starts the real one.
func command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	ownGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// head keeps the beginning of what a program prints: one that is not the compiler may
// print without end.
type head struct{ text []byte }

// maxHead is far more than a version or a probe's module has.
const maxHead = 1 << 20

func (h *head) Write(p []byte) (int, error) {
	h.text = append(h.text, p[:min(len(p), maxHead-len(h.text))]...)
	return len(p), nil
}

// maxLine is how much of a program's line is repeated in an error.
const maxLine = 500

func firstLine(out []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(out), []byte("\n"))
	if len(line) > maxLine {
		return string(line[:maxLine]) + "…"
	}
	return string(line)
}

// CPU is the processor that a module is compiled for.
type CPU struct {
	Name     string   // LLVM's name: "znver4", "x86-64-v3"
	Features []string // that it must have, sorted, LLVM's names
	// More are those of Features that the name doesn't imply; Less are those that it
	// implies and that the code must not use.
	More, Less []string
}

// Flags name the processor to iree-compile independently of the machine it runs on.
func (c CPU) Flags() []string {
	var list []string
	for _, f := range c.More {
		list = append(list, "+"+f)
	}
	for _, f := range c.Less {
		list = append(list, "-"+f)
	}
	flags := []string{CPUFlag + c.Name}
	if len(list) > 0 {
		flags = append(flags, cpuFeaturesFlag+strings.Join(list, ","))
	}
	return flags
}

// HostFlag makes iree-compile ask the machine that it runs on.
const HostFlag = CPUFlag + "host"

const (
	CPUFlag         = "--iree-llvmcpu-target-cpu="
	cpuFeaturesFlag = "--iree-llvmcpu-target-cpu-features="
	tripleFlag      = "--iree-llvmcpu-target-triple="
)

var targetCPU = regexp.MustCompile(`[{ ]cpu = "([^"]*)", cpu_features = "([^"]*)"`)

// ResolveCPU says which processor the llvm-cpu flags mean: "host" becomes the one at
// hand. The compiler itself is asked, with a module of one operation.
func (c *Compiler) ResolveCPU(ctx context.Context, flags []string) (CPU, error) {
	dir, err := os.MkdirTemp("", "mlxc-cpu-")
	if err != nil {
		return CPU{}, fmt.Errorf("iree: %w", err)
	}
	defer os.RemoveAll(dir)
	const probe = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.add %a, %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
	in := filepath.Join(dir, "probe.mlir")
	if err := os.WriteFile(in, []byte(probe), 0o666); err != nil {
		return CPU{}, fmt.Errorf("iree: %w", err)
	}
	cmd := command(ctx, c.Path, append(slices.Clone(flags), "--compile-to=executable-sources", in, "-o", "-")...)
	var stdout, stderr head
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if ctx.Err() != nil {
		return CPU{}, context.Cause(ctx)
	}
	if err != nil {
		return CPU{}, fmt.Errorf("iree: %s %s: %w: %s", c.Path, strings.Join(flags, " "), err, firstError(stderr.text))
	}
	m := targetCPU.FindSubmatch(stdout.text)
	if m == nil {
		return CPU{}, fmt.Errorf("iree: %s does not say which cpu %s means", c.Path, strings.Join(flags, " "))
	}
	return parseCPU(string(m[1]), string(m[2])), nil
}

// codegenFeature begins features that say what code is made, and ask nothing of a
// processor: registers that it leaves alone.
const codegenFeature = "reserve-"

// parseCPU reads LLVM's feature string: what the name implies, then for "host" a word
// on every feature there is. The last word on a feature counts.
func parseCPU(name, features string) CPU {
	words := map[string]string{} // of each feature, in order
	for f := range strings.SplitSeq(features, ",") {
		if len(f) > 1 {
			words[f[1:]] += f[:1]
		}
	}
	c := CPU{Name: name, Features: []string{}}
	for _, f := range slices.Sorted(maps.Keys(words)) {
		w := words[f]
		has := strings.HasSuffix(w, "+")
		if has && !strings.HasPrefix(f, codegenFeature) {
			c.Features = append(c.Features, f)
		}
		switch {
		case w == "+":
			c.More = append(c.More, f)
		case !has && strings.Contains(w, "+"):
			c.Less = append(c.Less, f)
		}
	}
	return c
}

// HostFlags is flags for the processor at hand, whatever architecture they are for.
func HostFlags(flags []string) []string {
	flags = slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return strings.HasPrefix(f, tripleFlag) })
	return ReplaceCPU(flags, CPU{Name: "host"})
}

// ReplaceCPU is flags with the processor said by c instead of however they say it.
func ReplaceCPU(flags []string, c CPU) []string {
	flags = slices.DeleteFunc(slices.Clone(flags), func(f string) bool {
		return strings.HasPrefix(f, CPUFlag) || strings.HasPrefix(f, cpuFeaturesFlag)
	})
	return append(flags, c.Flags()...)
}
