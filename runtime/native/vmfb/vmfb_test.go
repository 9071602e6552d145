package vmfb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample is testdata/corpus/parameters.mlir of package native, compiled by
// iree-compile 3.13.0 for the generic CPU, without debug information. What it holds
// is listed here as iree-dump-module lists it.
func sample(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/parameters.vmfb")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// bare is the sample without its ZIP wrapper, as --iree-vm-emit-polyglot-zip=false
// writes it. Constant data keeps its distance from the end of the FlatBuffer only
// if that stays aligned, so the parts are laid out anew.
func bare(t testing.TB) []byte {
	root, external, err := unwrap(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	out := append(binary.LittleEndian.AppendUint32(nil, uint32(len(root))), root...)
	for len(out)%rodataAlign != 0 {
		out = append(out, 0)
	}
	return append(out, external...)
}

func TestParse(t *testing.T) {
	for name, data := range map[string][]byte{"polyglot ZIP": sample(t), "bare": bare(t)} {
		t.Run(name, func(t *testing.T) {
			m, err := Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, got, want any) {
				t.Helper()
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
			check("name", m.Name, "module")
			check("types", m.Types, []string{"i32", "i64", "!hal.allocator", "!hal.buffer", "!hal.buffer_view", "!hal.command_buffer",
				"!hal.device", "!hal.executable", "!hal.fence", "!vm.buffer", "!vm.list<!vm.ref<!hal.buffer>>"})
			check("dependencies", m.Dependencies, []Dependency{{"io_parameters", 0, false}, {"hal", 7, false}})
			check("number of imports", len(m.Imports), 19)
			check("import 7", m.Imports[7], Import{"hal.command_buffer.dispatch", Signature{"rrIiiiICiDCiirIID", ""}, false})
			check("import 12", m.Imports[12].Type.String(), "0v_i")
			check("exports", m.Exports, []Export{
				{"main", 1, "sync func @main(%input0: tensor<2x16xf32>) -> (%output0: tensor<2x24xf32>)"}, {"__init", 2, ""}})
			check("state", [2]int{m.GlobalBytes, m.GlobalRefs}, [2]int{0, 6})
			check("constants", string(m.Rodata[0])+" "+string(m.Rodata[7]), "model weightbiasscale")
			check("executable", string(m.Rodata[5][:4]), "\x7fELF")
			check("size of the executable", len(m.Rodata[5]), 2792)
			var functions [][3]int
			for _, f := range m.Functions {
				functions = append(functions, [3]int{len(f.Code), f.Cells, f.References})
			}
			check("functions", functions, [][3]int{{340, 20, 7}, {476, 20, 6}, {1460, 26, 12}})
		})
	}
}

func TestParseSignature(t *testing.T) {
	for s, want := range map[string]Signature{
		"":          {},
		"0v_v":      {},
		"0r_r":      {"r", "r"},
		"0riIfF_iI": {"riIfF", "iI"},
		"0rCiDI_v":  {"rCiDI", ""},
	} {
		got, err := ParseSignature(s)
		if err != nil || got != want {
			t.Errorf("ParseSignature(%q) = %v, %v, want %v", s, got, err, want)
		}
		if s != "" && got.String() != s {
			t.Errorf("%q prints as %q", s, got)
		}
	}
	for _, s := range []string{"r_r", "1r_r", "0x_v", "0v_CiD", "0CiCiDD_v", "0Ci_v", "0D_v", "0CD_v", "0r_x"} {
		if got, err := ParseSignature(s); err == nil {
			t.Errorf("ParseSignature(%q) = %v, want an error", s, got)
		}
	}
}

// field returns the position of a field of the root table in the bare sample.
func field(t *testing.T, data []byte, id int) int {
	t.Helper()
	r := &reader{data: data[4:]}
	at := r.root().field(id)
	if at == 0 || r.err != nil {
		t.Fatalf("no field %d: %v", id, r.err)
	}
	return 4 + at
}

func TestRefusals(t *testing.T) {
	put := binary.LittleEndian.PutUint32
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, b []byte) []byte
		want  string
		is    error
	}{
		{"empty", func(t *testing.T, b []byte) []byte { return nil }, "ends before the module", nil},
		{"not a module", func(t *testing.T, b []byte) []byte { return []byte("GGUF and more bytes") }, "the module claims", nil},
		{"another FlatBuffer", func(t *testing.T, b []byte) []byte { copy(b[8:], "TFL3"); return b }, `file identifier "TFL3"`, nil},
		{"ZIP without a module", func(t *testing.T, b []byte) []byte {
			return append([]byte("PK\x03\x04"), make([]byte, 26)...)
		}, "ends before the module", nil},
		{"length beyond the file", func(t *testing.T, b []byte) []byte { put(b, 1<<31); return b }, "the module claims", nil},
		{"older major version", func(t *testing.T, b []byte) []byte { put(b[field(t, b, moduleBytecodeVersion):], 15<<16); return b },
			"bytecode version 15.0, this runtime reads 17.0", ErrVersion},
		{"newer minor version", func(t *testing.T, b []byte) []byte { put(b[field(t, b, moduleBytecodeVersion):], 17<<16|1); return b },
			"bytecode version 17.1, this runtime reads 17.0", ErrVersion},
		{"unknown requirement", func(t *testing.T, b []byte) []byte { put(b[field(t, b, moduleRequirements):], 0x1c); return b },
			"unknown runtime features 0x10", nil},
		{"vector beyond the module", func(t *testing.T, b []byte) []byte {
			at := field(t, b, moduleTypes)
			put(b[at+int(binary.LittleEndian.Uint32(b[at:])):], 1<<30)
			return b
		}, "vector of 1073741824 elements", nil},
		{"offset beyond the module", func(t *testing.T, b []byte) []byte { put(b[field(t, b, moduleImports):], 1<<31-1); return b }, "run over the end", nil},
		{"constant data cut off", func(t *testing.T, b []byte) []byte { return b[:len(b)-800] }, "constant data 5", nil},
		{"function outside the bytecode", func(t *testing.T, b []byte) []byte {
			at := field(t, b, moduleFunctions)
			put(b[at+int(binary.LittleEndian.Uint32(b[at:]))+4:], 1<<20)
			return b
		}, "runs over the end of the bytecode", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.spoil(t, bytes.Clone(bare(t))))
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %v, want one with %q that is %v", err, c.want, c.is)
			}
		})
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	data := sample(t)
	m, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	end := bytes.Index(data, m.Rodata[5]) + len(m.Rodata[5])
	for n := range end {
		if _, err := Parse(data[:n]); err == nil {
			t.Fatalf("cut to %d of %d bytes: no error", n, len(data))
		}
	}
}

// A table that is listed many times must not multiply memory.
func TestOverlappingPartsAreLimited(t *testing.T) {
	b := bytes.Clone(bare(t))
	at := field(t, b, moduleTypes)
	vector := at + int(binary.LittleEndian.Uint32(b[at:]))
	// One vector that covers most of the module as type names, each the whole module.
	n := uint32(len(b)-vector) / 8
	binary.LittleEndian.PutUint32(b[vector:], n)
	if _, err := Parse(b); err == nil {
		t.Error("no error")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample(f))
	f.Add(bare(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			return
		}
		size := 0
		for _, s := range m.Types {
			size += len(s)
		}
		for _, fn := range m.Functions {
			if fn.Cells > maxRegisters || fn.References > maxReferences {
				t.Errorf("function with %d cells and %d references", fn.Cells, fn.References)
			}
		}
		if size > 4*len(data)+1<<16 {
			t.Errorf("%d bytes of type names from %d bytes", size, len(data))
		}
	})
}
