package hal

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/native/cpu"
	"github.com/mlxc/mlxc/runtime/native/pages"
	"github.com/mlxc/mlxc/runtime/native/vm"
)

// deviceOnly is a device that runs nothing.
func deviceOnly() *Device {
	return &Device{executor: &Executor{workers: make([]worker, 3)}, allocator: NewAllocator(), processor: cpu.Host()}
}

func invoke(t *testing.T, d *Device, function string, arguments ...any) []vm.Value {
	t.Helper()
	results, err := d.Library().Invoke(context.Background(), function, arguments...)
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	return results
}

func word8(s string) *vm.Buffer { return &vm.Buffer{Bytes: []byte(s)} }

func TestQueries(t *testing.T) {
	d := deviceOnly()
	feature, absent := "sse3", "no-such-feature"
	for _, c := range []struct {
		category, key string
		ok, value     uint64
	}{
		{"hal.device.id", "local*", 1, 1},
		{"hal.device.id", "cuda*", 1, 0},
		{"hal.device.id", "[", 0, 0},
		{"hal.executable.format", "embedded-elf-x86_64", 1, 1},
		{"hal.executable.format", "embedded-elf-arm_64", 1, 0},
		{"hal.device", "concurrency", 1, 1},
		{"hal.dispatch", "concurrency", 1, 3},
		{"hal.cpu", feature, 1, flag(cpu.Host().Has(feature))},
		{"hal.cpu", absent, 1, 0},
		{"hal.weather", "sunny", 0, 0},
	} {
		got := invoke(t, d, "device.query.i64", d, word8(c.category), word8(c.key))
		if got[0].Bits != c.ok || got[1].Bits != c.value {
			t.Errorf("%s %s: %d, %d, want %d, %d", c.category, c.key, got[0].Bits, got[1].Bits, c.ok, c.value)
		}
	}
	if n := invoke(t, d, "devices.count")[0].Bits; n != 1 {
		t.Errorf("%d devices", n)
	}
	if invoke(t, d, "devices.get", 0)[0].Ref != vm.Ref(d) || invoke(t, d, "devices.get", 1)[0].Ref != nil {
		t.Error("devices.get must give the device, then null")
	}
	pair := invoke(t, d, "allocator.select", 0, 0, 0, vm.Span(2), d, 5, nil, 6)
	if pair[0].Ref != vm.Ref(d) || pair[1].Bits != 5 {
		t.Errorf("allocator.select gives %v", pair)
	}
}

func TestFences(t *testing.T) {
	d := deviceOnly()
	good := invoke(t, d, "fence.create", d, 0)[0].Ref
	bad := invoke(t, d, "fence.create", d, 0)[0].Ref
	invoke(t, d, "fence.signal", good)
	invoke(t, d, "fence.fail", bad, 13)
	if got := invoke(t, d, "fence.query", good)[0].Bits; got != 0 {
		t.Errorf("signalled fence: status %d", got)
	}
	if got := invoke(t, d, "fence.join", 0, vm.Span(3), good, nil, good)[0].Ref; got != nil {
		t.Errorf("join of signalled fences is %v, want null", got)
	}
	if got := invoke(t, d, "fence.join", 0, vm.Span(2), good, bad)[0].Ref; got != bad {
		t.Errorf("join with a failed fence is %v", got)
	}
	if got := invoke(t, d, "fence.await", -1, 0, vm.Span(2), good, bad)[0].Bits; got != 13 {
		t.Errorf("await of a failed fence: status %d, want 13", got)
	}
}

func TestBuffersAndViews(t *testing.T) {
	d := deviceOnly()
	b := invoke(t, d, "allocator.allocate", d.allocator, 0, 0, 0, 24)[0].Ref.(*Buffer)
	invoke(t, d, "buffer.store", 0x01020304, b, 8, 3)
	if got := invoke(t, d, "buffer.load", b, 8, 4)[0].Bits; got != 0x020304 {
		t.Errorf("load of what store wrote: %#x", got)
	}
	part := invoke(t, d, "buffer.subspan", b, 8, 16)[0].Ref.(*Buffer)
	if got := invoke(t, d, "buffer.length", part)[0].Bits; got != 16 {
		t.Errorf("length of the part: %d", got)
	}
	v := invoke(t, d, "buffer_view.create", b, 8, 16, Float32, DenseRowMajor, vm.Span(2), 2, 2)[0].Ref.(*View)
	if invoke(t, d, "buffer_view.buffer", v)[0].Ref.(*Buffer).bytes[0] != 4 || invoke(t, d, "buffer_view.rank", v)[0].Bits != 2 ||
		invoke(t, d, "buffer_view.dim", v, 1)[0].Bits != 2 || invoke(t, d, "buffer_view.element_type", v)[0].Bits != Float32 ||
		invoke(t, d, "buffer_view.encoding_type", v)[0].Bits != DenseRowMajor {
		t.Error("the view doesn't have what it was made of")
	}
	invoke(t, d, "buffer_view.assert", v, word8("x"), Float32, DenseRowMajor, vm.Span(2), 2, 2)
	invoke(t, d, "buffer.assert", b, word8("x"), d.allocator, 24, 0, 0)
	for _, c := range []struct {
		function  string
		arguments []any
		want      string
	}{
		{"buffer.load", []any{b, 21, 4}, "range of 4 bytes at 21 in a buffer of 24 bytes"},
		{"buffer.load", []any{b, -1, 4}, "in a buffer of 24 bytes"},
		{"buffer.load", []any{b, 0, 8}, "at most 4"},
		{"buffer.load", []any{nil, 0, 4}, "null reference where !hal.buffer is expected"},
		{"buffer.load", []any{v, 0, 4}, "!hal.buffer_view where !hal.buffer is expected"},
		{"buffer.store", []any{0, b, 23, 2}, "in a buffer of 24 bytes"},
		{"buffer.subspan", []any{b, 8, 17}, "in a buffer of 24 bytes"},
		{"buffer_view.create", []any{b, 16, 16, Float32, 1, vm.Span(0)}, "in a buffer of 24 bytes"},
		{"buffer_view.dim", []any{v, 2}, "dimension 2 of a tensor of rank 2"},
		{"buffer_view.assert", []any{v, word8("input0"), Int32, 1, vm.Span(2), 2, 2}, "input0 has element type 0x21000020"},
		{"buffer_view.assert", []any{v, word8("input0"), Float32, 1, vm.Span(2), 2, 3}, "input0 has shape [2 2], expected is [2 3]"},
		{"buffer.assert", []any{b, word8("input0"), d.allocator, 25, 0, 0}, "input0 has 24 bytes, expected are at least 25"},
		{"allocator.allocate", []any{d.allocator, 0, 0, 0, 1 << 50}, "at most"},
		{"executable.create", []any{d, 0, word8("cuda-nvptx-fb"), word8(""), nil}, `"cuda-nvptx-fb": executable format isn't supported`},
		{"device.queue.copy", []any{d, 0, nil, nil, b, 0, part, 8, 9, 0}, "range of 9 bytes at 8 in a buffer of 16 bytes"},
		{"device.queue.fill", []any{d, 0, nil, nil, b, 20, 8, 0, 1, 0}, "in a buffer of 24 bytes"},
		{"ex.file.from_memory", []any{d, 0, 3, word8("data"), 0, 4, 0}, "can only be read"},
		{"ex.file.from_memory", []any{d, 0, 1, word8("data"), 2, 4, 0}, "range of 4 bytes at 2"},
	} {
		_, err := d.Library().Invoke(t.Context(), c.function, c.arguments...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: error %v, want one with %q", c.function, c.arguments, err, c.want)
		}
	}
}

func TestQueueTransfers(t *testing.T) {
	d := deviceOnly()
	a, b := invoke(t, d, "device.queue.alloca", d, 0, nil, nil, 0, 0, 0, 16, 0)[0].Ref.(*Buffer), invoke(t, d, "allocator.allocate", d.allocator, 0, 0, 0, 16)[0].Ref.(*Buffer)
	invoke(t, d, "device.queue.fill", d, 0, nil, nil, a, 0, 16, 0x0201, 2, 0)
	invoke(t, d, "device.queue.copy", d, 0, nil, nil, a, 1, b, 2, 3, 0)
	invoke(t, d, "device.queue.update", d, 0, nil, nil, word8("host"), 1, b, 8, 3, 0)
	file := invoke(t, d, "ex.file.from_memory", d, 0, 1, word8("a file"), 2, 4, 0)[0].Ref
	invoke(t, d, "device.queue.read", d, 0, nil, nil, file, 1, b, 12, 3, 0)
	invoke(t, d, "device.queue.barrier", d, 0, nil, nil, 0)
	if want := []byte("\x00\x00\x02\x01\x02\x00\x00\x00ost\x00ile\x00"); !bytes.Equal(b.bytes, want) {
		t.Errorf("%q, want %q", b.bytes, want)
	}
	if _, err := d.Library().Invoke(t.Context(), "device.queue.write", d, 0, nil, nil, b, 0, file, 0, 1, 0); err == nil {
		t.Error("write to a file in memory: no error")
	}
}

func TestConstantsAreImportedInPlace(t *testing.T) {
	d := deviceOnly()
	memory := invoke(t, d, "allocator.allocate", d.allocator, 0, 0, 0, 256)[0].Ref.(*Buffer).bytes
	constant := &vm.Buffer{Bytes: memory, Constant: true}
	got := invoke(t, d, "allocator.import", d.allocator, 1, 0, 0, 0, constant, 64, -1)[0].Ref.(*Buffer)
	if pages.Address(got.bytes) != pages.Address(memory)+64 || len(got.bytes) != 192 || !got.constant {
		t.Errorf("imported %d bytes at %#x, constant %v", len(got.bytes), pages.Address(got.bytes), got.constant)
	}
	if got := invoke(t, d, "allocator.import", d.allocator, 1, 0, 0, 0, constant, 4, 8)[0].Ref; got != nil {
		t.Errorf("unaligned import gives %v, want null", got)
	}
	if _, err := d.Library().Invoke(t.Context(), "allocator.import", d.allocator, 0, 0, 0, 0, constant, 4, 8); err == nil {
		t.Error("unaligned import that must not fail: no error")
	}
}

func TestTransientsAreReused(t *testing.T) {
	a := NewAllocator()
	first, err := a.Transient(5000)
	if err != nil {
		t.Fatal(err)
	}
	address := pages.Address(first.bytes)
	a.Release(first)
	a.Release(first) // a second time changes nothing
	again, err := a.Transient(4000)
	if err != nil {
		t.Fatal(err)
	}
	if pages.Address(again.bytes) != address || len(again.bytes) != 4000 {
		t.Errorf("%d bytes at %#x, want 4000 at %#x", len(again.bytes), pages.Address(again.bytes), address)
	}
	other, err := a.Transient(4000)
	if err != nil || pages.Address(other.bytes) == address {
		t.Errorf("memory in use was handed out again (%v)", err)
	}
	a.Release(again)
	if large, err := a.Transient(1 << 20); err != nil || pages.Address(large.bytes) == address {
		t.Errorf("a small block for a large buffer (%v)", err)
	}
	kept, err := a.Allocate(4000)
	if err != nil {
		t.Fatal(err)
	}
	a.Release(kept)
	if next, err := a.Transient(4000); err != nil || pages.Address(next.bytes) == pages.Address(kept.bytes) {
		t.Errorf("a buffer that isn't transient was reused (%v)", err)
	}
	for range 3 * maxPooled {
		b, err := a.Transient(64)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Release(b)
	}
	if len(a.pool) > maxPooled {
		t.Errorf("%d blocks in the pool", len(a.pool))
	}
}

// Large buffers are mapped, aligned, zero, and unmapped when nothing refers to them.
func TestLargeBuffersGo(t *testing.T) {
	a := NewAllocator()
	for range 4 {
		b, err := a.Allocate(smallBuffer + 1)
		if err != nil {
			t.Fatal(err)
		}
		if pages.Address(b.bytes)%Alignment != 0 || b.bytes[smallBuffer] != 0 {
			t.Error("a large buffer isn't aligned or isn't zero")
		}
		b.bytes[smallBuffer] = 1
	}
	for range 100 {
		if a.Mapped() == 0 {
			return
		}
		runtime.GC()
	}
	t.Errorf("%d bytes are still mapped", a.Mapped())
}

func TestCollectorIsToldOfMappings(t *testing.T) {
	a := NewAllocator()
	collections := 0
	a.collectGarbage = func() { collections++ }
	for range 9 {
		if _, err := a.Allocate(collectAfter / 4); err != nil {
			t.Fatal(err)
		}
	}
	if collections != 2 {
		t.Errorf("%d collections, want 2", collections)
	}
}

func TestWrap(t *testing.T) {
	memory := make([]byte, 256)
	skip := -pages.Address(memory) % Alignment
	if _, err := Wrap(memory[skip+1:], nil); err == nil {
		t.Error("unaligned memory: no error")
	}
	b, err := Wrap(memory[skip:], nil)
	if err != nil || !b.Constant() {
		t.Errorf("%v, constant %v", err, b.Constant())
	}
	if empty, err := Wrap(nil, nil); err != nil || len(empty.Bytes()) != 0 {
		t.Errorf("empty memory: %v", err)
	}
}
