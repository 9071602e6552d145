package vm

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// assembler writes bytecode by hand, from the encoding in IREE's documentation, so
// that tests don't depend on the table of opcodes.
type assembler []byte

func (a assembler) op(bytes ...byte) assembler { return append(a, bytes...) }

func (a assembler) reg(registers ...uint16) assembler {
	for _, r := range registers {
		a = le.AppendUint16(a, r)
	}
	return a
}

func (a assembler) u32(v uint32) assembler { return le.AppendUint32(a, v) }
func (a assembler) u64(v uint64) assembler { return le.AppendUint64(a, v) }

// list pads to an even offset, then writes count and registers.
func (a assembler) list(registers ...uint16) assembler {
	if len(a)%2 == 1 {
		a = append(a, 0)
	}
	return a.reg(uint16(len(registers))).reg(registers...)
}

// edge writes a branch target and pairs of registers.
func (a assembler) edge(target uint32, pairs ...uint16) assembler {
	a = a.u32(target)
	if len(a)%2 == 1 {
		a = append(a, 0)
	}
	return a.reg(uint16(len(pairs) / 2)).reg(pairs...)
}

func (a assembler) ret(registers ...uint16) assembler { return a.op(0x5a).list(registers...) }

// begin is the marker of a function's first block.
func begin() assembler { return assembler{blockMarker} }

const ref = referenceBit // a reference register in a list

// program makes a module of one function, "f", with 8 cells, 8 references, 64
// bytes and 4 references of globals, a constant "constant", and imports of testLibrary.
func program(signature string, code assembler) *vmfb.Module {
	s, err := vmfb.ParseSignature(signature)
	if err != nil {
		panic(err)
	}
	m := &vmfb.Module{
		Types:       []string{"i32", "!vm.buffer", "!vm.list<?>", "!vm.opaque"},
		Rodata:      [][]byte{[]byte("constant")},
		GlobalBytes: 64, GlobalRefs: 4,
		Exports:   []vmfb.Export{{Name: "f"}},
		Functions: []vmfb.Function{{Type: s, Code: code, Cells: 8, References: 8}},
	}
	for _, f := range testLibrary.Functions {
		s, err := vmfb.ParseSignature(f.Type)
		if err != nil {
			panic(err)
		}
		m.Imports = append(m.Imports, vmfb.Import{Name: "test." + f.Name, Type: s})
	}
	m.Imports = append(m.Imports, vmfb.Import{Name: "absent.function", Type: vmfb.Signature{Results: "i"}, Optional: true})
	return m
}

// testLibrary has functions with every form of argument.
var testLibrary = Library{Name: "test", Functions: []Function{
	{Name: "sum", Type: "0iCiIDI_I", Run: func(c *Call) error {
		total := uint64(int32(c.I32()))
		for range c.Span() {
			total += uint64(int32(c.I32())) * c.I64()
		}
		c.Return(total + c.I64())
		return nil
	}},
	{Name: "length", Type: "0r_I", Run: func(c *Call) error {
		b := Arg[*Buffer](c)
		if c.Err() != nil {
			return c.Err()
		}
		c.Return(uint64(len(b.Bytes)))
		return nil
	}},
	{Name: "fails", Type: "0v_v", Run: func(c *Call) error { return errTest }},
	{Name: "forgets", Type: "0v_i", Run: func(c *Call) error { return nil }},
}}

var errTest = errors.New("test failure")

const (
	importSum, importLength, importFails, importForgets, importAbsent = importBit, importBit + 1, importBit + 2, importBit + 3, importBit + 4
)

func runProgram(t *testing.T, m *vmfb.Module, arguments ...Value) ([]Value, error) {
	t.Helper()
	in, err := New(m, testLibrary)
	if err != nil {
		return nil, err
	}
	return in.Call(t.Context(), "f", arguments)
}

func f32(v float32) uint32 { return math.Float32bits(v) }
func f64(v float64) uint64 { return math.Float64bits(v) }

// assembled are the instructions that the programs of testdata don't reach.
var assembled = []struct {
	covers    string
	signature string
	code      assembler
	want      []uint64
}{
	{"global.store.indirect.i32 global.load.indirect.i32", "0v_i",
		begin().op(0x0d).u32(12).reg(0).op(0x0d).u32(77).reg(1).op(0x03).reg(0, 1).op(0x02).reg(0, 2).ret(2), []uint64{77}},
	{"global.store.indirect.i64 global.load.indirect.i64", "0v_I",
		begin().op(0x0d).u32(56).reg(0).op(0x0f).u64(1<<40).reg(2).op(0x07).reg(0, 2).op(0x06).reg(0, 4).ret(4), []uint64{1 << 40}},
	{"global.store.indirect.ref global.load.indirect.ref", "0v_I",
		begin().op(0x0d).u32(3).reg(0).op(0x11).u32(0).reg(0).op(0x0b).reg(0).u32(1).reg(0).op(0x0a).reg(0).u32(1).reg(1).op(0x6e).reg(1, 2).ret(2), []uint64{8}},
	{"global.store.indirect.f32 global.load.indirect.f32", "0v_f",
		begin().op(0x0d).u32(60).reg(0).op(0xe0, 0x05).u32(f32(2.5)).reg(1).op(0xe0, 0x03).reg(0, 1).op(0xe0, 0x02).reg(0, 2).ret(2), []uint64{uint64(f32(2.5))}},
	{"global.store.indirect.f64 global.load.indirect.f64", "0v_F",
		begin().op(0x0c).reg(0).op(0xe1, 0x05).u64(f64(-2.5)).reg(2).op(0xe1, 0x03).reg(0, 2).op(0xe1, 0x02).reg(0, 4).ret(4), []uint64{f64(-2.5)}},
	{"fpowi.f32", "0v_f",
		begin().op(0xe0, 0x05).u32(f32(1.5)).reg(0).op(0x0f).u64(3).reg(2).op(0xe0, 0x3e).reg(0, 2, 1).ret(1), []uint64{uint64(f32(3.375))}},
	{"fpowi.f64", "0v_F",
		begin().op(0xe1, 0x05).u64(f64(2)).reg(0).op(0x0f).u64(^uint64(1)).reg(2).op(0xe1, 0x40).reg(0, 2, 4).ret(4), []uint64{f64(0.25)}},
	{"cast.si32.f64 cast.ui32.f64", "0v_FF",
		begin().op(0x0d).u32(^uint32(0)).reg(0).op(0xe1, 0x16).reg(0, 2).op(0xe1, 0x17).reg(0, 4).ret(2, 4), []uint64{f64(-1), f64(1<<32 - 1)}},
	{"cast.f64.si32 cast.f64.ui32", "0v_ii",
		begin().op(0xe1, 0x05).u64(f64(-2.5)).reg(0).op(0xe1, 0x18).reg(0, 2).op(0xe1, 0x05).u64(f64(3e9)).reg(0).op(0xe1, 0x19).reg(0, 3).ret(2, 3), []uint64{uint64(uint32(0xfffffffd)), 3e9}},
	{"cast.any.ref", "0v_I",
		begin().op(0x11).u32(0).reg(0).op(0x82).reg(0).u32(1).reg(1).op(0x6e).reg(1, 2).ret(2), []uint64{8}},
	{"assign.ref", "0v_ii", // the first copies, the second moves
		begin().op(0x11).u32(0).reg(0).op(0x86).reg(0, 1).op(0x86).reg(1|moveBit, 2).op(0x55).reg(1, 0).op(0x53).reg(0, 2, 1).ret(0, 1), []uint64{0, 1}},
	{"yield", "0v_i",
		begin().op(0x0d).u32(5).reg(0).op(0x5d).edge(20, 0, 1).op(0x79).ret(1), []uint64{5}},
	{"cond_break", "0v_i",
		begin().op(0x0d).u32(5).reg(0).op(0x60).reg(0).edge(22, 0, 1).op(0x79).ret(1), []uint64{5}},
	{"call.variadic", "0v_I", // 2 + 3×4 + 5×4 + 4
		begin().op(0x0d).u32(2).reg(0).op(0x0d).u32(3).reg(1).op(0x0f).u64(4).reg(2).op(0x0d).u32(5).reg(4).
			op(0x59).u32(importSum).list(0xffff, 2, 0xffff).list(0, 1, 2, 4, 2, 2).list(6).ret(6), []uint64{2 + 3*4 + 5*4 + 4}},
	{"call.variadic", "0v_I", // an empty span
		begin().op(0x0d).u32(2).reg(0).op(0x0f).u64(4).reg(2).op(0x59).u32(importSum).list(0xffff, 0, 0xffff).list(0, 2).list(6).ret(6), []uint64{6}},
	{"call.variadic.yieldable", "0v_I",
		begin().op(0x0d).u32(2).reg(0).op(0x0f).u64(4).reg(2).op(0x88).u32(importSum).list(0xffff, 0, 0xffff).list(0, 2).u32(46).list(6).op(0x79).ret(6), []uint64{6}},
	{"call.yieldable", "0v_I",
		begin().op(0x11).u32(0).reg(3).op(0x87).u32(importLength).list(ref | 3).u32(26).list(4).op(0x79).ret(4), []uint64{8}},
}

func TestAssembled(t *testing.T) {
	for _, c := range assembled {
		t.Run(c.covers, func(t *testing.T) {
			results, err := runProgram(t, program(c.signature, c.code))
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range c.want {
				if results[i].Bits != w {
					t.Errorf("result %d is %#x, want %#x", i, results[i].Bits, w)
				}
			}
		})
	}
}

func init() {
	for _, c := range assembled {
		for name := range strings.FieldsSeq(c.covers) {
			notInDialect[name] = true
		}
	}
}

func TestRefusedAtLoad(t *testing.T) {
	long := make([]uint16, 9)
	for _, c := range []struct {
		name, signature string
		code            assembler
		want            string
	}{
		{"unknown instruction", "0v_v", begin().op(0xdf), "unknown instruction 0xdf"},
		{"unknown float instruction", "0v_v", begin().op(0xe0, 0x77), "unknown instruction 0x177"},
		{"operands cut off", "0v_v", begin().op(0x0d).u32(1), "const.i32: operands run over the end"},
		{"cell out of range", "0v_v", begin().op(0x0c).reg(8), "register 8 of 8"},
		{"pair out of range", "0v_v", begin().op(0x0e).reg(7), "register 8 of 8"},
		{"reference as a cell", "0v_v", begin().op(0x0c).reg(ref), "register 32768"},
		{"reference out of range", "0v_v", begin().op(0x10).reg(8), "reference register 8 of 8"},
		{"type out of range", "0v_v", begin().op(0x12).u32(4).reg(0, 0), "type 4 of 4"},
		{"constant data out of range", "0v_v", begin().op(0x11).u32(1).reg(0), "constant data 1 of 1"},
		{"global out of range", "0v_v", begin().op(0x00).u32(61).reg(0), "global at offset 61"},
		{"wide global out of range", "0v_v", begin().op(0x04).u32(57).reg(0), "global at offset 57"},
		{"global reference out of range", "0v_v", begin().op(0x08).u32(4).u32(1).reg(0), "global reference 4 of 4"},
		{"branch into an instruction", "0v_v", begin().op(0x56).edge(2), "isn't the start of a block"},
		{"branch out of the function", "0v_v", begin().op(0x56).edge(1 << 20), "isn't the start of a block"},
		{"branch moves a missing register", "0v_v", begin().op(0x56).edge(0, 0, 9), "register 9 of 8"},
		{"branch moves a reference to a cell number", "0v_v", begin().op(0x56).edge(0, ref, 9), "reference register 9 of 8"},
		{"list longer than the function", "0v_v", begin().op(0x5a).reg(60000), "list of 60000 operands"},
		{"result count", "0v_ii", begin().ret(0), `1 operands for "ii"`},
		{"result in the wrong bank", "0v_i", begin().ret(ref), "wrong register bank"},
		{"result pair out of range", "0v_I", begin().ret(7), "register 8 of 8"},
		{"call of a missing function", "0v_v", begin().op(0x58).u32(7).list().list(), "function 7 of 1"},
		{"call of a missing import", "0v_v", begin().op(0x58).u32(importBit + 9).list().list(), "import 9 of 5"},
		{"call without arguments", "0v_v", begin().op(0x58).u32(importLength).list().list(0), `arguments: 0 operands for "r"`},
		{"call without results", "0v_v", begin().op(0x58).u32(importLength).list(ref).list(), `results: 0 operands for "I"`},
		{"call with spans but no lengths", "0v_v", begin().op(0x58).u32(importSum).list(0, 0).list(0), "no length for span 0"},
		{"span longer than the arguments", "0v_v", begin().op(0x59).u32(importSum).list(0xffff, 60000, 0xffff).list(long...).list(0), "more than 65536 arguments"},
		{"arguments that don't fit", "0iiiiiiiii_v", begin().ret(), "don't hold the arguments"},
		{"function with spans", "0CiD_v", begin().ret(), "supported in imports only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := New(program(c.signature, c.code), testLibrary)
			if err == nil {
				if err = in.Decode(); err != nil {
					if _, again := in.Call(t.Context(), "f", make([]Value, len(in.functions[0].arguments))); again == nil {
						t.Error("called all the same")
					}
				}
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestImportsAreBoundAtLoad(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*vmfb.Module)
		want   string
		is     error
	}{
		{"unknown import", func(m *vmfb.Module) { m.Imports[0].Name = "test.difference" }, "imports test.difference, which isn't supported", nil},
		{"another signature", func(m *vmfb.Module) { m.Imports[1].Type.Results = "i" }, "imports test.length as 0r_i, this runtime has it as 0r_I", vmfb.ErrVersion},
		{"unknown dependency", func(m *vmfb.Module) { m.Dependencies = []vmfb.Dependency{{Name: "other"}} }, `needs "other" version 0`, vmfb.ErrVersion},
		{"newer dependency", func(m *vmfb.Module) { m.Dependencies = []vmfb.Dependency{{Name: "test", Version: 1}} }, `needs "test" version 1, this runtime has 0`, vmfb.ErrVersion},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := program("0v_v", begin().ret())
			c.change(m)
			_, err := New(m, testLibrary)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %v, want one with %q that is %v", err, c.want, c.is)
			}
		})
	}
}

func TestErrorsAtRunTime(t *testing.T) {
	for _, c := range []struct {
		name, signature string
		code            assembler
		want            string
	}{
		{"division by zero", "0v_v", begin().op(0x25).reg(0, 1, 2).ret(), "instruction 0 (div.i32.s): division by zero"},
		{"wide remainder by zero", "0v_v", begin().op(0x30).reg(0, 2, 4).ret(), "division by zero"},
		{"null buffer", "0v_v", begin().op(0x6e).reg(0, 0).ret(), "null reference where !vm.buffer is expected"},
		{"list as a buffer", "0v_v", begin().op(0x12).u32(0).reg(0, 0).op(0x6e).reg(0, 0).ret(), "!vm.list where !vm.buffer is expected"},
		{"load outside", "0v_v", begin().op(0x11).u32(0).reg(0).op(0x0f).u64(2).reg(0).op(0x66).reg(0, 0, 2).ret(), "1 elements of 4 bytes at 2 in a buffer of 8 bytes"},
		{"load far outside", "0v_v", begin().op(0x11).u32(0).reg(0).op(0x0f).u64(1<<62).reg(0).op(0x67).reg(0, 0, 2).ret(), "in a buffer of 8 bytes"},
		{"store to a constant", "0v_v", begin().op(0x11).u32(0).reg(0).op(0x68).reg(0, 0, 2).ret(), "is a constant"},
		{"fill of a constant", "0v_v", begin().op(0x11).u32(0).reg(0).op(0x71).reg(0, 0, 2, 4).ret(), "is a constant"},
		{"huge buffer", "0v_v", begin().op(0x0f).u64(1<<50).reg(0).op(0x6c).reg(0, 2, 0).ret(), "exceeds a limit"},
		{"huge list", "0v_v", begin().op(0x12).u32(0).reg(0, 0).op(0x0d).u32(1<<31).reg(0).op(0x15).reg(0, 0).ret(), "exceeds a limit"},
		{"list index", "0v_v", begin().op(0x12).u32(0).reg(0, 0).op(0x16).reg(0, 1, 2).ret(), "index 0 in a list of 0"},
		{"indirect global", "0v_v", begin().op(0x0d).u32(61).reg(0).op(0x02).reg(0, 1).ret(), "global at offset 61 of 64"},
		{"indirect global reference", "0v_v", begin().op(0x0d).u32(4).reg(0).op(0x0a).reg(0).u32(1).reg(1).ret(), "global reference 4 of 4"},
		{"wrong type", "0v_v", begin().op(0x12).u32(0).reg(0, 0).op(0x82).reg(0).u32(1).reg(1).ret(), "!vm.list where !vm.buffer is expected"},
		{"no return", "0v_v", begin().op(0x0c).reg(0), "control ran off the end"},
		{"failing import", "0v_v", begin().op(0x58).u32(importFails).list().list().ret(), "test.fails: test failure"},
		{"wrong argument of an import", "0v_v", begin().op(0x58).u32(importLength).list(ref).list(0).ret(), "test.length: null reference where !vm.buffer"},
		{"import without its result", "0v_v", begin().op(0x58).u32(importForgets).list().list(0).ret(), "test.forgets: gave 0 results, declared 1"},
		{"absent import", "0v_v", begin().op(0x58).u32(importAbsent).list().list(0).ret(), "absent.function isn't there"},
		{"endless recursion", "0v_v", begin().op(0x58).u32(0).list().list().ret(), "more than 128 calls in calls"},
		{"fail", "0v_v", begin().op(0x0d).u32(9).reg(0).op(0x5b).reg(0).reg(4).op('o', 'o', 'p', 's').ret(), "failed with status 9: oops"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := runProgram(t, program(c.signature, c.code)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestWrongArguments(t *testing.T) {
	m := program("0ir_v", begin().ret())
	for _, arguments := range [][]Value{nil, {Int(1), RefValue(nil)}, {{Kind: I32}, {Kind: I32}}, {{Kind: I32}, RefValue(nil), RefValue(nil)}} {
		if _, err := runProgram(t, m, arguments...); err == nil {
			t.Errorf("arguments %v: no error", arguments)
		}
	}
	if _, err := runProgram(t, m, Value{Kind: I32}, RefValue(&Buffer{})); err != nil {
		t.Error(err)
	}
}

// An endless loop ends when its context does, also if it only calls.
func TestContextEndsALoop(t *testing.T) {
	for name, code := range map[string]assembler{
		"branch":       begin().op(0x56).edge(0),
		"empty import": begin().op(0x58).u32(importSum + 2).list().list().op(0x56).edge(0),
	} {
		t.Run(name, func(t *testing.T) {
			library := testLibrary
			library.Functions = append([]Function{}, library.Functions...)
			library.Functions[2].Run = func(*Call) error { return nil }
			in, err := New(program("0v_v", code), library)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if _, err := in.Call(ctx, "f", nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want that the deadline passed", err)
			}
			if in.depth != 0 {
				t.Errorf("%d frames left", in.depth)
			}
		})
	}
}

// Moving a reference clears its register; what a frame held is dropped when it's left.
func TestReferencesAreDropped(t *testing.T) {
	in, err := New(program("0r_r", begin().op(0x86).reg(0, 3).ret(ref|moveBit)), testLibrary)
	if err != nil {
		t.Fatal(err)
	}
	b := &Buffer{}
	results, err := in.Call(t.Context(), "f", []Value{RefValue(b)})
	if err != nil || results[0].Ref != Ref(b) {
		t.Fatalf("results %v, %v", results, err)
	}
	for _, f := range in.functions[0].free {
		for i, r := range f.refs {
			if r != nil {
				t.Errorf("register %d still holds a reference", i)
			}
		}
	}
}

func TestErrorsAreLocatedOnce(t *testing.T) {
	m := program("0v_v", begin().op(0x58).u32(1).list().list().ret())
	m.Functions = append(m.Functions, vmfb.Function{Code: begin().op(0x25).reg(0, 1, 2).ret(), Cells: 8})
	_, err := runProgram(t, m)
	if want := `vm: function "#1", instruction 0 (div.i32.s): division by zero`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestSipHash(t *testing.T) {
	// The test vectors of the SipHash paper, appendix A: bytes 0, 1, 2, … of these lengths.
	b := make([]byte, 15)
	for i := range b {
		b[i] = byte(i)
	}
	if got := sipHash(b); got != 0xa129ca6149be45e5 {
		t.Errorf("15 bytes: %#x, want 0xa129ca6149be45e5", got)
	}
}

// FuzzModule decodes and runs hostile functions with a limit on steps.
func FuzzModule(f *testing.F) {
	for _, c := range assembled {
		f.Add([]byte(c.code), c.signature)
	}
	f.Add([]byte(begin().op(0x56).edge(0)), "0v_v")
	f.Add([]byte(begin().op(0x58).u32(0).list().list().op(0x56).edge(0)), "0v_v")
	f.Fuzz(func(t *testing.T, code []byte, signature string) {
		if _, err := vmfb.ParseSignature(signature); err != nil {
			return
		}
		library := testLibrary
		library.Functions = slices.Clone(library.Functions)
		library.Functions[0].Replay, library.Functions[1].Replay = Again, Once
		in, err := New(program(signature, code), library)
		if err != nil {
			return
		}
		in.maxSteps = 1 << 14
		var arguments []Value
		for _, a := range in.functions[0].arguments {
			arguments = append(arguments, Value{Kind: a.kind})
		}
		for range 4 { // run, record, replay
			_, _ = in.Call(t.Context(), "f", arguments)
		}
		if in.depth != 0 {
			t.Errorf("%d frames left", in.depth)
		}
	})
}
