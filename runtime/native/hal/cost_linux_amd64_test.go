package hal

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// spinKernel counts down from constant 0 and then adds 1 to element x of binding 0.
var spinKernel = []byte{
	0x48, 0x8b, 0x4e, 0x18, // mov rcx, [rsi+24]: constants
	0x8b, 0x09, // mov ecx, [rcx]
	0xff, 0xc9, // loop: dec ecx
	0x75, 0xfc, // jnz loop
	0x48, 0x8b, 0x46, 0x20, // mov rax, [rsi+32]: bindings
	0x48, 0x8b, 0x00, // mov rax, [rax]
	0x8b, 0x0a, // mov ecx, [rdx]: x
	0xff, 0x04, 0x88, // inc dword [rax+rcx*4]
	0x31, 0xc0, // xor eax, eax
	0xc3,
}

// TestShortGroupsRunAlone: after a few runs a kernel's cost decides who runs it; what
// it computes doesn't depend on that.
func TestShortGroupsRunAlone(t *testing.T) {
	for _, c := range []struct {
		countdown int
		alone     bool
	}{{1, true}, {1 << 20, false}} {
		m := newMachine(t, 2)
		m.device.executor.RunAlone(100 * time.Microsecond)
		b, cb := m.buffer(4*4), m.commands()
		if err := m.dispatch(cb, "spin", [3]int{4, 1, 1}, []int{c.countdown}, [4]any{0, b, 0, -1}); err != nil {
			t.Fatal(err)
		}
		if err := m.execute(cb); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			if err := m.executeAgain(cb); err != nil {
				t.Fatal(err)
			}
		}
		if got := words(b); !slices.Equal(got, []uint32{5, 5, 5, 5}) {
			t.Errorf("workgroups ran %d times, want 5 each", got)
		}
		e := m.device.executor
		e.dispatches = cb.dispatches
		if alone, known := e.short(); alone != c.alone || !known {
			t.Errorf("countdown from %d: alone %v, known %v; a workgroup costs %v", c.countdown, alone, known, cb.dispatches[0].kernel.cost.best/costScale)
		}
	}
}

// BenchmarkDispatch is the time of a dispatch of tiny workgroups that wait for each
// other: what the runtime adds to the kernels. A token of SmolLM2 has some 600.
func BenchmarkDispatch(b *testing.B) {
	const dispatches = 600
	for _, threads := range []int{1, 2} {
		for _, workgroups := range []int{1, 8} {
			for _, alone := range []time.Duration{DefaultAlone, 0} {
				name := fmt.Sprintf("threads=%d/workgroups=%d/shared=%v", threads, workgroups, alone == 0)
				b.Run(name, func(b *testing.B) {
					m := newMachine(b, threads)
					m.device.executor.RunAlone(alone)
					buffer, cb := m.buffer(4*workgroups), m.commands()
					for range dispatches {
						if err := m.dispatch(cb, "count", [3]int{workgroups, 1, 1}, nil, [4]any{0, buffer, 0, -1}); err != nil {
							b.Fatal(err)
						}
						m.barrier(cb)
					}
					cb.finalize(threads)
					b.ReportAllocs()
					for b.Loop() {
						if err := m.device.executor.execute(b.Context(), cb, nil); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/dispatches, "ns/dispatch")
				})
			}
		}
	}
}
