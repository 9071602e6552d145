package hal

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/native/pages"
	"github.com/mlxc/mlxc/runtime/native/vm"
	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// Kernels in machine code: rdi is the environment, rsi the dispatch state, rdx the
// workgroup state.
var (
	// countKernel adds 1 to element x + countX*(y + countY*z) of binding 0.
	countKernel = []byte{
		0x48, 0x8b, 0x46, 0x20, // mov rax, [rsi+32]: bindings
		0x48, 0x8b, 0x00, // mov rax, [rax]
		0x44, 0x0f, 0xb7, 0x42, 0x08, // movzx r8d, word [rdx+8]: z
		0x44, 0x0f, 0xaf, 0x46, 0x10, // imul r8d, [rsi+16]: countY
		0x44, 0x03, 0x42, 0x04, // add r8d, [rdx+4]: y
		0x44, 0x0f, 0xaf, 0x46, 0x0c, // imul r8d, [rsi+12]: countX
		0x44, 0x03, 0x02, // add r8d, [rdx]: x
		0x42, 0xff, 0x04, 0x80, // inc dword [rax+r8*4]
		0x31, 0xc0, // xor eax, eax
		0xc3,
	}
	// addKernel adds constant 1 to the first element of binding 1.
	addKernel = []byte{
		0x48, 0x8b, 0x46, 0x20, // mov rax, [rsi+32]: bindings
		0x48, 0x8b, 0x40, 0x08, // mov rax, [rax+8]
		0x48, 0x8b, 0x4e, 0x18, // mov rcx, [rsi+24]: constants
		0x8b, 0x49, 0x04, // mov ecx, [rcx+4]
		0xf0, 0x01, 0x08, // lock add [rax], ecx
		0x31, 0xc0, // xor eax, eax
		0xc3,
	}
	// lengthKernel stores the length of binding 0 in its first 8 bytes.
	lengthKernel = []byte{
		0x48, 0x8b, 0x46, 0x20, // mov rax, [rsi+32]: bindings
		0x48, 0x8b, 0x00, // mov rax, [rax]
		0x48, 0x8b, 0x4e, 0x28, // mov rcx, [rsi+40]: lengths
		0x48, 0x8b, 0x09, // mov rcx, [rcx]
		0x48, 0x89, 0x08, // mov [rax], rcx
		0x31, 0xc0, // xor eax, eax
		0xc3,
	}
	failKernel = []byte{0xb8, 9, 0, 0, 0, 0xc3} // mov eax, 9
)

// testExecutable has the kernels above and spinKernel.
func testExecutable(t testing.TB) *Executable {
	t.Helper()
	m, err := pages.Map(pages.Size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pages.Unmap(m) })
	e := &Executable{env: &environment{}}
	at := 0
	for _, k := range []struct {
		name                string
		code                []byte
		constants, bindings int
	}{{"count", countKernel, 0, 1}, {"add", addKernel, 2, 2}, {"length", lengthKernel, 0, 1}, {"fail", failKernel, 0, 0}, {"spin", spinKernel, 1, 1}} {
		copy(m[at:], k.code)
		e.kernels = append(e.kernels, kernel{name: k.name, entry: pages.Address(m) + uintptr(at), constants: k.constants, bindings: k.bindings, executable: e})
		at += 64
	}
	if err := pages.Protect(m, pages.ReadExecute); err != nil {
		t.Fatal(err)
	}
	return e
}

// machine is a device with the means to record and run commands as a module does.
type machine struct {
	testing.TB
	device     *Device
	library    vm.Library
	executable *Executable
}

func newMachine(t testing.TB, threads int) *machine {
	t.Helper()
	e, err := NewExecutor(threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	e.RunAlone(0)
	d := NewDevice(e, NewAllocator())
	return &machine{t, d, d.Library(), testExecutable(t)}
}

func (m *machine) try(function string, arguments ...any) ([]vm.Value, error) {
	return m.library.Invoke(m.Context(), function, arguments...)
}

func (m *machine) call(function string, arguments ...any) []vm.Value {
	m.Helper()
	results, err := m.try(function, arguments...)
	if err != nil {
		m.Fatalf("%s: %v", function, err)
	}
	return results
}

func (m *machine) buffer(size int) *Buffer {
	return m.call("allocator.allocate", m.device.allocator, 0, 0, 0, size)[0].Ref.(*Buffer)
}

// commands is a command buffer that can be executed many times.
func (m *machine) commands() *CommandBuffer {
	return m.call("command_buffer.create", m.device, 0, 3, -1, 0)[0].Ref.(*CommandBuffer)
}

func (m *machine) barrier(cb *CommandBuffer) {
	m.call("command_buffer.execution_barrier", cb, 0, 0, 0)
}

// dispatch records a kernel with constants and bindings {slot, buffer, offset, length}.
func (m *machine) dispatch(cb *CommandBuffer, name string, workgroups [3]int, constants []int, bindings ...[4]any) error {
	id, err := m.try("executable.lookup.function", m.executable, &vm.Buffer{Bytes: []byte(name)})
	if err != nil {
		return err
	}
	arguments := []any{cb, m.executable, int(id[0].Bits), workgroups[0], workgroups[1], workgroups[2], 0, vm.Span(len(constants))}
	for _, c := range constants {
		arguments = append(arguments, c)
	}
	arguments = append(arguments, vm.Span(len(bindings)))
	for _, b := range bindings {
		arguments = append(arguments, 0, b[0], b[1], b[2], b[3])
	}
	_, err = m.try("command_buffer.dispatch", arguments...)
	return err
}

func (m *machine) execute(cb *CommandBuffer, table ...[3]any) error {
	m.Helper()
	m.call("command_buffer.finalize", cb)
	return m.executeAgain(cb, table...)
}

func (m *machine) executeAgain(cb *CommandBuffer, table ...[3]any) error {
	arguments := []any{m.device, -1, nil, nil, cb, 0, vm.Span(len(table))}
	for _, entry := range table {
		arguments = append(arguments, entry[0], entry[1], entry[2])
	}
	_, err := m.try("device.queue.execute.indirect", arguments...)
	return err
}

func words(b *Buffer) []uint32 {
	w := make([]uint32, len(b.bytes)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b.bytes[4*i:])
	}
	return w
}

func TestEveryWorkgroupRunsOnce(t *testing.T) {
	for _, threads := range []int{1, 2, 4} {
		m := newMachine(t, threads)
		for _, grid := range [][3]int{{1, 1, 1}, {7, 1, 1}, {1, 5, 1}, {3, 4, 5}, {2, 1, 9}, {0, 3, 1}, {100, 10, 2}} {
			n := grid[0] * grid[1] * grid[2]
			b, cb := m.buffer(4*n), m.commands()
			if err := m.dispatch(cb, "count", grid, nil, [4]any{0, b, 0, -1}); err != nil {
				t.Fatal(err)
			}
			if err := m.execute(cb); err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(words(b), func(w uint32) bool { return w != 1 }); i >= 0 {
				t.Errorf("%d threads, %v workgroups: number %d ran %d times", threads, grid, i, words(b)[i])
			}
		}
	}
}

// Dispatches without a barrier between them share a group; each sees its own
// constants and bindings.
func TestDispatchesSideBySide(t *testing.T) {
	m := newMachine(t, 3)
	cb, ignored := m.commands(), m.buffer(4)
	var buffers []*Buffer
	for i := range 10 {
		b := m.buffer(8)
		buffers = append(buffers, b)
		if err := m.dispatch(cb, "add", [3]int{i * 7, 1, 1}, []int{-1, i + 1}, [4]any{0, ignored, 0, 4}, [4]any{0, b, 4, 4}); err != nil {
			t.Fatal(err)
		}
	}
	if len(cb.groups) != 1 {
		t.Errorf("%d groups, want 1", len(cb.groups))
	}
	for round := 1; round <= 3; round++ {
		if round == 1 {
			m.call("command_buffer.finalize", cb)
		}
		if err := m.executeAgain(cb); err != nil {
			t.Fatal(err)
		}
		for i, b := range buffers {
			if got, want := words(b), []uint32{0, uint32(round * i * 7 * (i + 1))}; !slices.Equal(got, want) {
				t.Errorf("round %d, dispatch %d: %v, want %v", round, i, got, want)
			}
		}
	}
}

func TestTransfersAndDispatchesInOrder(t *testing.T) {
	m := newMachine(t, 2)
	cb, a, b := m.commands(), m.buffer(16), m.buffer(16)
	m.call("command_buffer.fill_buffer", cb, a, 0, 16, 0, 5, 4, 0)
	if err := m.dispatch(cb, "count", [3]int{4, 1, 1}, nil, [4]any{0, a, 0, 16}); err != nil {
		t.Fatal(err)
	}
	// No barrier: the transfer must see the dispatch's result all the same.
	m.call("command_buffer.copy_buffer", cb, 0, 0, a, 4, b, 8, 8, 0)
	m.barrier(cb)
	m.call("command_buffer.update_buffer", cb, &vm.Buffer{Bytes: []byte{9, 9, 1, 2, 3, 4}}, 2, b, 0, 4, 0, 0)
	if err := m.execute(cb); err != nil {
		t.Fatal(err)
	}
	if got, want := words(b), []uint32{0x04030201, 0, 6, 6}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSlots(t *testing.T) {
	m := newMachine(t, 1)
	cb := m.commands()
	if err := m.dispatch(cb, "length", [3]int{1, 1, 1}, nil, [4]any{1, nil, 8, -1}); err != nil {
		t.Fatal(err)
	}
	m.barrier(cb)
	m.call("command_buffer.copy_buffer", cb, 1, 0, nil, 8, nil, 0, 8, 0)
	small, large := m.buffer(32), m.buffer(256)
	if err := m.execute(cb, [3]any{small, 8, 16}, [3]any{large, 64, 128}); err != nil {
		t.Fatal(err)
	}
	if got := binary.LittleEndian.Uint64(small.bytes[8:]); got != 120 {
		t.Errorf("the kernel saw a binding of %d bytes, want 128 - 8", got)
	}
	for name, table := range map[string][][3]any{
		"slot missing":        {{small, 0, 32}},
		"slot too small":      {{small, 0, 32}, {large, 252, 4}},
		"null slot":           {{small, 0, 32}, {nil, 0, 0}},
		"range out of bounds": {{small, 8, 32}, {large, 0, 256}},
		"transfer too large":  {{small, 28, 4}, {large, 0, 256}},
	} {
		if err := m.executeAgain(cb, table...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestIndirectDispatch(t *testing.T) {
	m := newMachine(t, 2)
	cb, counts, b := m.commands(), m.buffer(16), m.buffer(64)
	if err := m.dispatch(cb, "count", [3]int{2, 1, 1}, nil, [4]any{0, b, 0, 64}); err != nil {
		t.Fatal(err)
	}
	m.call("command_buffer.dispatch.indirect", cb, m.executable, 0, 0, counts, 4, 0, vm.Span(0), vm.Span(1), 0, 0, b, 0, 64)
	m.call("command_buffer.finalize", cb)
	copy(counts.bytes, []byte{0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0})
	if err := m.executeAgain(cb); err != nil {
		t.Fatal(err)
	}
	if got, want := words(b)[:14], []uint32{2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	copy(counts.bytes, slices.Repeat([]byte{0xff}, 16))
	if err := m.executeAgain(cb); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("2^96 workgroups: %v", err)
	}
}

func TestRecordingErrors(t *testing.T) {
	m := newMachine(t, 1)
	b := m.buffer(64)
	constant, err := Wrap(b.bytes, b)
	if err != nil {
		t.Fatal(err)
	}
	finished := m.commands()
	m.call("command_buffer.finalize", finished)
	binding := [4]any{0, b, 0, 64}
	for _, c := range []struct {
		name string
		do   func() error
		want string
	}{
		{"too few bindings", func() error { return m.dispatch(m.commands(), "count", [3]int{1, 1, 1}, nil) }, `kernel "count" takes 0 constants and 1 bindings, given are 0 and 0`},
		{"too many constants", func() error { return m.dispatch(m.commands(), "count", [3]int{1, 1, 1}, []int{1}, binding) }, "given are 1 and 1"},
		{"binding out of range", func() error { return m.dispatch(m.commands(), "count", [3]int{1, 1, 1}, nil, [4]any{0, b, 8, 60}) }, "range of 60 bytes at 8 in a buffer of 64 bytes"},
		{"binding offset out of range", func() error { return m.dispatch(m.commands(), "count", [3]int{1, 1, 1}, nil, [4]any{0, b, 65, -1}) }, "in a buffer of 64 bytes"},
		{"too many workgroups", func() error { return m.dispatch(m.commands(), "count", [3]int{1 << 20, 1 << 20, 1}, nil, binding) }, "workgroups"},
		{"z beyond 16 bits", func() error { return m.dispatch(m.commands(), "count", [3]int{1, 1, 1 << 16}, nil, binding) }, "workgroups"},
		{"unknown kernel", func() error { return m.dispatch(m.commands(), "absent", [3]int{1, 1, 1}, nil) }, `no kernel "absent"`},
		{"finalized", func() error { return m.dispatch(finished, "count", [3]int{1, 1, 1}, nil, binding) }, "has been finalized"},
		{"not finalized", func() error { return m.executeAgain(m.commands()) }, "hasn't been finalized"},
		{"kernel fails", func() error {
			cb := m.commands()
			if err := m.dispatch(cb, "fail", [3]int{3, 1, 1}, nil); err != nil {
				return err
			}
			return m.execute(cb)
		}, `kernel "fail" failed with status 9`},
		{"transfer into a constant", func() error {
			cb := m.commands()
			m.call("command_buffer.fill_buffer", cb, constant, 0, 4, 0, 0, 1, 0)
			return m.execute(cb)
		}, "constant buffer"},
		{"pattern of three bytes", func() error {
			_, err := m.try("command_buffer.fill_buffer", m.commands(), b, 0, 4, 0, 0, 3, 0)
			return err
		}, "fill pattern of 3 bytes"},
		{"update beyond its source", func() error {
			_, err := m.try("command_buffer.update_buffer", m.commands(), &vm.Buffer{Bytes: make([]byte, 8)}, 4, b, 0, 8, 0, 0)
			return err
		}, "range of 8 bytes at 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.do(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestOneShotCommandBuffers(t *testing.T) {
	m := newMachine(t, 1)
	b := m.buffer(8)
	for round := range uint32(3) {
		cb := m.call("command_buffer.create", m.device, 1, 3, -1, 0)[0].Ref.(*CommandBuffer)
		for offset := range 2 {
			if err := m.dispatch(cb, "count", [3]int{1, 1, 1}, nil, [4]any{0, b, 4 * offset, 4}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.execute(cb); err != nil {
			t.Fatal(err)
		}
		if err := m.executeAgain(cb); !errors.Is(err, errSpent) {
			t.Errorf("second execution: %v", err)
		}
		if got, want := words(b), []uint32{round + 1, round + 1}; !slices.Equal(got, want) {
			t.Errorf("round %d: %v, want %v", round, got, want)
		}
	}
}

func TestCancelledExecution(t *testing.T) {
	m := newMachine(t, 1)
	cb, b := m.commands(), m.buffer(4)
	if err := m.dispatch(cb, "count", [3]int{1, 1, 1}, nil, [4]any{0, b, 0, 4}); err != nil {
		t.Fatal(err)
	}
	m.call("command_buffer.finalize", cb)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.library.Invoke(ctx, "device.queue.execute", m.device, -1, nil, nil, cb, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if words(b)[0] != 0 {
		t.Error("the kernel ran")
	}
}

// FuzzImports calls functions in any order with any arguments, as hostile bytecode
// may. The one kernel does nothing.
func FuzzImports(f *testing.F) {
	f.Add([]byte("\x1b\x01\x00\x00\x00\x1d\x02\x03\x01\x01\x01\x00\x01\x05\x01\x00\x00\x01\x00\x08"))
	for function := range NewDevice(nil, NewAllocator()).Library().Functions {
		f.Add(append([]byte{byte(function)}, slices.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 4)...))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		executor, err := NewExecutor(1)
		if err != nil {
			t.Fatal(err)
		}
		defer executor.Close()
		d := NewDevice(executor, NewAllocator())
		d.allocator.largest = 1 << 16
		code, err := pages.Map(pages.Size)
		if err != nil {
			t.Fatal(err)
		}
		defer pages.Unmap(code)
		copy(code, []byte{0x31, 0xc0, 0xc3}) // xor eax, eax; ret
		if err := pages.Protect(code, pages.ReadExecute); err != nil {
			t.Fatal(err)
		}
		e := &Executable{env: &environment{}}
		e.kernels = []kernel{{name: "k", entry: pages.Address(code), constants: 1, bindings: 1, executable: e}}
		objects := []vm.Ref{nil, d, d.allocator, e, &vm.Buffer{Bytes: make([]byte, 100)}, &vm.Buffer{Bytes: []byte("k"), Constant: true}}
		fuzzCalls(t, d.Library(), script, objects)
	})
}

// fuzzCalls takes a function and its arguments from the script, over and over.
func fuzzCalls(t *testing.T, l vm.Library, script []byte, objects []vm.Ref) {
	next := func() int {
		if len(script) == 0 {
			return 0
		}
		b := script[0]
		script = script[1:]
		return int(b)
	}
	integers := []int{0, 1, 2, 3, 4, 8, 12, 64, 100, 1000, 1 << 15, 1 << 32, 1 << 62, -1, -64}
	value := func(kind rune) any {
		if kind == 'r' {
			return objects[next()%len(objects)]
		}
		return integers[next()%len(integers)]
	}
	for calls := 0; len(script) > 0 && calls < 100; calls++ {
		function := l.Functions[next()%len(l.Functions)]
		signature, err := vmfb.ParseSignature(function.Type)
		if err != nil {
			t.Fatal(err)
		}
		var arguments []any
		for rest := signature.Arguments; rest != ""; rest = rest[1:] {
			if rest[0] != 'C' {
				arguments = append(arguments, value(rune(rest[0])))
				continue
			}
			tuple, after, _ := strings.Cut(rest[1:], "D")
			n := next() % 4
			arguments = append(arguments, vm.Span(n))
			for range n {
				for _, kind := range tuple {
					arguments = append(arguments, value(kind))
				}
			}
			rest = "D" + after
		}
		results, err := l.Invoke(t.Context(), function.Name, arguments...)
		if err != nil {
			continue
		}
		for _, r := range results {
			if r.Ref != nil {
				objects = append(objects, r.Ref)
			}
		}
	}
}
