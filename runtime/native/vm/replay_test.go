package vm

import (
	"slices"
	"testing"

	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// outside is what replayed programs talk to.
type outside struct {
	next   uint32   // number that the program reads
	kept   Symbol   // argument of keep
	keeps  int      // calls of keep
	used   []uint64 // arguments of use, and what keep's number is then
	lent   *Buffer  // by borrow
	denied bool     // borrow gives another buffer
}

func (o *outside) library() Library {
	return Library{Name: "test", Functions: []Function{
		{Name: "read", Type: "0v_i", Replay: Again, Run: func(c *Call) error {
			c.Return(uint64(o.next))
			return nil
		}},
		{Name: "keep", Type: "0ii_v", Replay: Once, Run: func(c *Call) error {
			c.I32()
			c.I32()
			o.kept = c.Symbol()
			o.keeps++
			return nil
		}},
		{Name: "use", Type: "0I_v", Replay: Again, Run: func(c *Call) error {
			o.used = append(o.used, c.I64())
			if v, ok := c.Number(o.kept); ok {
				o.used = append(o.used, v)
			}
			return nil
		}},
		{Name: "borrow", Type: "0v_r", Replay: Memory, Run: func(c *Call) error {
			if c.Expected() != nil && o.denied || o.lent == nil {
				o.lent = &Buffer{Bytes: make([]byte, 8)}
			}
			c.ReturnRef(o.lent)
			return nil
		}},
		{Name: "other", Type: "0v_v", Run: func(*Call) error { return nil }},
	}}
}

const (
	importRead, importKeep, importUse, importBorrow, importOther = importBit, importBit + 1, importBit + 2, importBit + 3, importBit + 4
)

func (o *outside) program(t *testing.T, signature string, code assembler) *Instance {
	t.Helper()
	m := program(signature, code)
	m.Imports = nil
	for _, f := range o.library().Functions {
		s, err := vmfb.ParseSignature(f.Type)
		if err != nil {
			t.Fatal(err)
		}
		m.Imports = append(m.Imports, vmfb.Import{Name: "test." + f.Name, Type: s})
	}
	in, err := New(m, o.library())
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// computed reads n and uses max(n + 10, 0) × 3 as 64 bits; it keeps n + 10 and
// returns 5 and its argument.
func computed() assembler {
	return begin().
		op(0x58).u32(importRead).list().list(0).
		op(0x0d).u32(10).reg(1).op(0x22).reg(0, 1, 2). // 2 = n + 10
		op(0x58).u32(importKeep).list(1, 2).list().
		op(0x47).reg(2, 4).op(0x0e).reg(6).op(0x80).reg(4, 6, 4). // 4 = max(int64(2), 0)
		op(0x0f).u64(3).reg(6).op(0x2c).reg(4, 6, 6).             // 6 = 4 × 3
		op(0x58).u32(importUse).list(6).list().
		op(0x0d).u32(5).reg(0).ret(0, ref)
}

// TestReplay: the third call and the following ones call nothing but what reads and
// uses numbers, and compute what the interpreter would.
func TestReplay(t *testing.T) {
	o := &outside{}
	in := o.program(t, "0r_ir", computed())
	argument := RefValue(&Buffer{})
	for call, n := range []int32{0, 7, 1, -100, 2_000_000_000, 1} {
		o.next, o.used = uint32(n), nil
		results, err := in.Call(t.Context(), "f", []Value{argument})
		if err != nil {
			t.Fatal(err)
		}
		want := []uint64{uint64(max(int64(n+10), 0)) * 3}
		if call >= 2 {
			want = append(want, uint64(uint32(n+10)))
		}
		if !slices.Equal(o.used, want) || o.keeps != min(call+1, 2) {
			t.Errorf("call %d, number %d: used %d, kept %d times; want %d and %d", call, n, o.used, o.keeps, want, min(call+1, 2))
		}
		if len(results) != 2 || results[0].Bits != 5 || results[1] != argument {
			t.Errorf("call %d: results %v", call, results)
		}
	}
	if allocations := testing.AllocsPerRun(10, func() {
		o.used = o.used[:0]
		if _, err := in.Call(t.Context(), "f", []Value{argument}); err != nil {
			t.Fatal(err)
		}
	}); allocations > 1 { // the arguments
		t.Errorf("%g allocations a call", allocations)
	}
	if _, err := in.Call(t.Context(), "f", []Value{RefValue(&Buffer{})}); err != nil || o.keeps != 3 {
		t.Errorf("another argument: kept %d times, want 3 (error %v)", o.keeps, err)
	}
}

// TestReplayMemory: a replay gets the memory that was recorded, or isn't one.
func TestReplayMemory(t *testing.T) {
	o := &outside{}
	in := o.program(t, "0v_r", begin().op(0x58).u32(importBorrow).list().list(ref).ret(ref))
	call := func() Ref {
		results, err := in.Call(t.Context(), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		return results[0].Ref
	}
	for range 4 {
		if got := call(); got != Ref(o.lent) {
			t.Fatal("another buffer than the one lent")
		}
	}
	before := o.lent
	o.denied = true
	if got := call(); got != Ref(o.lent) || o.lent == before {
		t.Error("the result isn't the buffer lent last")
	}
	for range 2 * maxMisses {
		call()
	}
	if r := in.functions[0].replays; r.recording != nil || r.misses < maxMisses {
		t.Errorf("still recorded after %d misses", r.misses)
	}
}

// TestNotReplayed: programs that do what can't be replayed work as before.
func TestNotReplayed(t *testing.T) {
	read := begin().op(0x58).u32(importRead).list().list(0)
	for name, code := range map[string]assembler{
		"returns the number":       slices.Clone(read).ret(0),
		"keeps it where none asks": slices.Clone(read).op(0x58).u32(importKeep).list(0, 1).list().ret(0),
		"calls another import":     begin().op(0x58).u32(importOther).list().list().op(0x58).u32(importRead).list().list(0).ret(0),
		"stores it":                slices.Clone(read).op(0x01).u32(8).reg(0).op(0x00).u32(8).reg(1).ret(1),
		"counts":                   begin().op(0x00).u32(0).reg(1).op(0x0d).u32(1).reg(2).op(0x22).reg(1, 2, 1).op(0x01).u32(0).reg(1).op(0x58).u32(importRead).list().list(0).ret(0),
		"takes half of a pair":     slices.Clone(read).op(0x0c).reg(1).op(0x42).reg(0, 2).ret(2),
	} {
		t.Run(name, func(t *testing.T) {
			o := &outside{}
			in := o.program(t, "0v_i", code)
			for n := range uint32(2 * maxMisses) {
				o.next = n
				results, err := in.Call(t.Context(), "f", nil)
				if err != nil {
					t.Fatal(err)
				}
				if results[0].Bits != uint64(n) {
					t.Errorf("call %d returned %d", n, results[0].Bits)
				}
			}
			if in.functions[0].replays.recording != nil {
				t.Error("it's replayed")
			}
		})
	}
}
