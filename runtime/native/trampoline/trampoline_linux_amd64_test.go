package trampoline

import (
	"math"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/mlxc/mlxc/runtime/native/pages"
)

// code maps machine code and returns its address.
func code(t testing.TB, b []byte) uintptr {
	t.Helper()
	m, err := pages.Map(pages.Size)
	if err != nil {
		t.Fatal(err)
	}
	copy(m, b)
	if err := pages.Protect(m, pages.ReadExecute); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pages.Unmap(m) })
	return pages.Address(m)
}

func stack(t testing.TB) *Stack {
	t.Helper()
	s, err := NewStack()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestArgumentsAndResult(t *testing.T) {
	fn := code(t, []byte{
		0x48, 0x89, 0xf8, // mov rax, rdi
		0x48, 0x29, 0xf0, // sub rax, rsi
		0x48, 0x0f, 0xaf, 0xc2, // imul rax, rdx
		0xc3, // ret
	})
	if got := stack(t).Call(fn, 50, 8, 3); got != 126 {
		t.Errorf("(50 - 8) * 3 = %d, want 126", got)
	}
}

func TestCalleeRunsAlignedOnItsOwnStack(t *testing.T) {
	fn := code(t, []byte{
		0x48, 0x89, 0xe0, // mov rax, rsp
		0xc3, // ret
	})
	s := stack(t)
	sp := s.Call(fn, 0, 0, 0) + 8 // before the return address was pushed
	base := pages.Address(s.mapping)
	if sp < base || sp > base+uintptr(len(s.mapping)) {
		t.Errorf("stack pointer %#x outside the stack at %#x", sp, base)
	}
	if sp%16 != 0 {
		t.Errorf("stack pointer %#x isn't 16-byte aligned at the call", sp)
	}
}

func TestDenormalsAreFlushedInTheCalleeOnly(t *testing.T) {
	halve := code(t, []byte{
		0xf3, 0x0f, 0x10, 0x07, // movss xmm0, [rdi]
		0xf3, 0x0f, 0x59, 0x06, // mulss xmm0, [rsi]
		0xf3, 0x0f, 0x11, 0x02, // movss [rdx], xmm0
		0x31, 0xc0, // xor eax, eax
		0xc3, // ret
	})
	v := &[3]float32{math.SmallestNonzeroFloat32 * 8, 0.5, 1}
	stack(t).Call(halve, uintptr(unsafe.Pointer(&v[0])), uintptr(unsafe.Pointer(&v[1])), uintptr(unsafe.Pointer(&v[2])))
	if v[2] != 0 {
		t.Errorf("in the callee: %g, want 0", v[2])
	}
	if v[0]*v[1] == 0 {
		t.Error("after the call Go's arithmetic flushes denormals")
	}
}

// Garbage collection, stack growth and preemption signals go on while other
// goroutines are in calls.
func TestCallsUnderGarbageCollection(t *testing.T) {
	count := code(t, []byte{
		0x31, 0xc0, // xor eax, eax
		0xff, 0xc0, // inc eax
		0x39, 0xf8, // cmp eax, edi
		0x75, 0xfa, // jne -6
		0xc3, // ret
	})
	var wg sync.WaitGroup
	stop := time.Now().Add(200 * time.Millisecond)
	for range 4 {
		s := stack(t)
		wg.Go(func() {
			for time.Now().Before(stop) {
				if got := s.Call(count, 100_000, 0, 0); uint32(got) != 100_000 {
					t.Errorf("counted %d", got)
					return
				}
			}
		})
	}
	for time.Now().Before(stop) {
		_ = make([]byte, 1<<16)
		runtime.GC()
	}
	wg.Wait()
}

func BenchmarkCall(b *testing.B) {
	fn, s := code(b, []byte{0xc3}), stack(b)
	for b.Loop() {
		s.Call(fn, 0, 0, 0)
	}
}
