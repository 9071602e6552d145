package cmd_test

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// codeOf describes code by what its own format says of it.
var codeOf = map[string]func(code []byte) (string, error){
	"cuda-nvptx-fb":       ptx,
	"rocm-hsaco-fb":       elfImage,
	"embedded-elf-arm_64": elfImage,
	"metal-msl-fb":        metalSource,
	"vulkan-spirv-fb":     spirv,
}

var ptxHead = regexp.MustCompile(`(?s)^(?://[^\n]*\n|\s)*\.version [0-9.]+\s+\.target (sm_[0-9]+)\s+\.address_size 64\s`)

func ptx(code []byte) (string, error) {
	m := ptxHead.FindSubmatch(code)
	if m == nil {
		return "", fmt.Errorf("not PTX: %.80q", code)
	}
	return fmt.Sprintf("%s, %d entries", m[1], strings.Count(string(code), "\n.visible .entry ")), nil
}

// machAMD are e_flags' numbers of AMD's processors (LLVM's AMDGPUUsage, EF_AMDGPU_MACH).
var machAMD = map[uint32]string{0x4c: "gfx942", 0x41: "gfx1100"}

func elfImage(code []byte) (string, error) {
	f, err := elf.NewFile(strings.NewReader(string(code)))
	if err != nil {
		return "", err
	}
	defer f.Close()
	name := f.Machine.String()
	if f.Machine == elf.EM_AMDGPU {
		name += " " + machAMD[binary.LittleEndian.Uint32(code[48:])&0xff]
	}
	return name, nil
}

func metalSource(code []byte) (string, error) {
	if !strings.Contains(string(code), "#include <metal_stdlib>\n") || !strings.Contains(string(code), "\nkernel void ") {
		return "", fmt.Errorf("not Metal source: %.80q", code)
	}
	return "Metal source", nil
}

// spirv counts the entry points, of which each is a compute shader (SPIR-V
// specification, 2.3 and 3.52: OpEntryPoint is 15, GLCompute is 5).
func spirv(code []byte) (string, error) {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(code[4*i:]) }
	n := len(code) / 4
	if n < 5 || word(0) != 0x07230203 {
		return "", fmt.Errorf("not SPIR-V: %.20q", code)
	}
	entries := 0
	for i := 5; i < n; {
		length, op := int(word(i)>>16), word(i)&0xffff
		if length == 0 || length > n-i {
			return "", fmt.Errorf("SPIR-V: an instruction of %d words, %d are left", length, n-i)
		}
		if op == 15 && word(i+1) == 5 {
			entries++
		}
		i += length
	}
	return fmt.Sprintf("SPIR-V, %d entries", entries), nil
}

// TestOtherMachines: bundles for targets that can't run here, made here, hold that
// target's code for every graph, and say what runs them. Real weights are the bar; other
// levels take a tiny model.
func TestOtherMachines(t *testing.T) {
	smollm2, tiny := filepath.Join(oracle.Root(), "build", "smollm2"), oracle.Load(t, "llama").Dir
	for _, c := range []struct {
		checkpoint    string
		target, level string
		format, code  string // every piece of code by codeOf, # for a number above 0
	}{
		{smollm2, "cuda", "--gpu=sm_86", "cuda-nvptx-fb", "sm_86, # entries"},
		{smollm2, "metal-spirv", "", "metal-msl-fb", "Metal source"},
		{smollm2, "vulkan-spirv", "", "vulkan-spirv-fb", "SPIR-V, # entries"},
		{smollm2, "rocm", "--gpu=gfx942", "rocm-hsaco-fb", "EM_AMDGPU gfx942"},
		{tiny, "cuda", "--gpu=sm_90", "cuda-nvptx-fb", "sm_89, # entries"},
		{tiny, "rocm", "--gpu=gfx1100", "rocm-hsaco-fb", "EM_AMDGPU gfx1100"},
		{tiny, "llvm-cpu-aarch64", "--cpu=apple-m1", "embedded-elf-arm_64", "EM_AARCH64"},
	} {
		t.Run(filepath.Base(c.checkpoint)+" "+c.target+" "+c.level, func(t *testing.T) {
			if c.checkpoint == smollm2 && testing.Short() {
				t.Skip("real weights: the full run covers them")
			}
			flags := []string{"--target", c.target, "--graphs", "prefill_c16,decode,ragged_b4"}
			if c.level != "" {
				flags = append(flags, c.level)
			}
			if c.checkpoint == smollm2 {
				checkCode(t, emit(t, smollm2, flags...), c.format, c.code)
				return
			}
			path := emit(t, tiny, append(flags, "--precision", "f32")...)
			checkCode(t, path, c.format, c.code)
			must(t, "mlxc-run", "validate", "--device", "reference", path, filepath.Join(tiny, "oracle.safetensors")) // HF's numbers
		})
	}
}

// checkCode reads the modules of a bundle down to their code.
func checkCode(t *testing.T, path, format, want string) {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	m := &b.Manifest
	if m.SelfCheck.Ran || !strings.HasPrefix(m.SelfCheck.Reason, "it would need device iree") {
		t.Errorf("self-check: %+v", m.SelfCheck)
	}
	exports := map[string]bool{}
	for _, module := range []string{"prefill", "decode", "ragged"} {
		data, err := b.Entry(m.VMFB(m.Levels()[0], module))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := vmfb.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range parsed.Exports {
			exports[e.Name] = true
		}
		checkExecutables(t, module, parsed, format, want)
	}
	for _, g := range m.Graphs {
		if !exports[g.Name] {
			t.Errorf("no module exports %s", g.Name)
		}
	}
	r := command(t, "mlxc-run", path, "--prompt-ids", "1")
	if r.code != 1 || r.stdout != "" || !strings.Contains(r.stderr, "needs device iree") || !strings.Contains(r.stderr, "iree-run-module --device=") {
		t.Errorf("mlxc-run: exit code %d, %s%s", r.code, r.stdout, r.stderr)
	}
	must(t, "mlxc-run", "verify", path)
	if out := must(t, "mlxc-run", "inspect", path); !strings.Contains(out, "self-check  not run: it would need device iree") {
		t.Errorf("inspect:\n%s", out)
	}
}

func checkExecutables(t *testing.T, module string, parsed *vmfb.Module, format, want string) {
	t.Helper()
	list, err := parsed.Executables()
	if err != nil || len(list) == 0 {
		t.Errorf("%s: %d executables, %v", module, len(list), err)
	}
	kernels := map[string]bool{}
	for _, x := range list {
		if x.Format != format {
			t.Errorf("%s: format %s, want %s", module, x.Format, format)
		}
		for _, k := range x.Kernels {
			kernels[k] = true
		}
		entries := 0
		for _, code := range x.Code {
			got, err := codeOf[format](code)
			n := 0
			if _, after, ok := strings.Cut(got, ", "); ok {
				_, _ = fmt.Sscanf(after, "%d", &n)
			}
			if entries += n; err != nil || got != strings.Replace(want, "#", fmt.Sprint(n), 1) {
				t.Errorf("%s: code is %q, %v, want %q", module, got, err, want)
			}
		}
		if strings.Contains(want, "#") && entries != len(x.Kernels) {
			t.Errorf("%s: %d entries for %d kernels", module, entries, len(x.Kernels))
		}
	}
	if len(kernels) < 10 && format != "embedded-elf-arm_64" {
		t.Errorf("%s: only %d kernels: %v", module, len(kernels), kernels)
	}
}
