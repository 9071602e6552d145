package hal

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/mlxc/mlxc/runtime/native/pages"
	"github.com/mlxc/mlxc/runtime/native/vm"
)

// CommandBuffer is a recorded sequence of groups: transfers that run in order, then
// dispatches that run side by side. A group ends at a barrier, and where a transfer
// follows a dispatch: the compiler leaves barriers out between those (seen with a
// slice of a dispatch's result). After finalize the command buffer doesn't change
// and can be executed any number of times, one at a time.
type CommandBuffer struct {
	groups     []group
	transfers  []transfer
	dispatches []dispatch
	barrier    bool // the next command begins a group
	finalized  bool
	oneShot    bool // executed once at most
	spent      bool // and has been

	// What the dispatches take, as kernels read it.
	constants []uint32
	addresses []uintptr // of bindings
	lengths   []uint64  // of bindings
	states    []dispatchState
	slots     []slotUse // bindings that are known at execution only
	numbers   []number  // constants that differ between replays
	keep      []*Buffer // behind the other addresses

	// For reading the arguments of the dispatch that is being recorded.
	someConstants []uint32
	someBindings  []binding
}

// group begins at these indices and ends where the next one begins.
type group struct{ transfer, dispatch int }

// dispatch is a kernel run over a grid of workgroups.
type dispatch struct {
	kernel     *kernel
	workgroups [3]uint32
	counts     *binding // holds the workgroup counts instead, if not nil
	binding    int      // index of the first
	constant   int      // index of the first
	start, end int      // workgroups among those of the group
	weights    int      // bytes of constant buffers that it's bound to
}

// transfer writes a range.
type transfer struct {
	target binding
	source *binding // or nil
	write  func(target, source []byte)
}

// binding is a range of a buffer or, if that is nil, of an entry of the table that
// execution gets.
type binding struct {
	buffer         *Buffer
	slot           uint32
	offset, length uint64
}

// slotUse is a binding of a dispatch to an entry of the table.
type slotUse struct {
	binding
	at int // in addresses and lengths
}

// number is a constant that the recording function had read from device memory.
type number struct {
	at     int // in constants
	symbol vm.Symbol
}

// TypeName is "!hal.command_buffer".
func (*CommandBuffer) TypeName() string { return "!hal.command_buffer" }

var (
	errFinalized = errors.New("the command buffer has been finalized")
	errOpen      = errors.New("the command buffer hasn't been finalized")
	errSpent     = errors.New("the command buffer can be executed once only")
)

// Limits of a command buffer and a dispatch.
const (
	maxCommands   = 1 << 20
	maxWorkgroups = 1 << 24
)

// of returns the buffer of a binding.
func (b *binding) of(table []Buffer) (*Buffer, error) {
	if b.buffer != nil {
		return b.buffer, nil
	}
	if uint64(b.slot) >= uint64(len(table)) {
		return nil, fmt.Errorf("slot %d of %d", b.slot, len(table))
	}
	return &table[b.slot], nil
}

// read returns the range of a binding.
func (b *binding) read(table []Buffer) ([]byte, error) {
	buffer, err := b.of(table)
	if err != nil {
		return nil, err
	}
	return buffer.span(b.offset, b.length)
}

// write returns the range of a binding that a transfer writes.
func (b *binding) write(table []Buffer) ([]byte, error) {
	buffer, err := b.of(table)
	if err != nil {
		return nil, err
	}
	return buffer.writable(b.offset, b.length)
}

// begin opens a group for the next command where a barrier asks for one.
func (cb *CommandBuffer) begin() error {
	if cb.finalized {
		return errFinalized
	}
	if len(cb.transfers)+len(cb.dispatches) >= maxCommands {
		return fmt.Errorf("more than %d commands in a command buffer", maxCommands)
	}
	if cb.barrier || len(cb.groups) == 0 {
		cb.groups = append(cb.groups, group{len(cb.transfers), len(cb.dispatches)})
		cb.barrier = false
	}
	return nil
}

// addTransfer records a transfer.
func (cb *CommandBuffer) addTransfer(t transfer) error {
	if n := len(cb.groups); n > 0 && cb.groups[n-1].dispatch < len(cb.dispatches) {
		cb.barrier = true
	}
	if err := cb.begin(); err != nil {
		return err
	}
	cb.transfers = append(cb.transfers, t)
	return nil
}

// addDispatch records a dispatch. Bindings to buffers are checked here, those to
// slots at execution.
func (cb *CommandBuffer) addDispatch(d dispatch, constants []uint32, bindings []binding) error {
	if len(constants) != d.kernel.constants || len(bindings) != d.kernel.bindings {
		return fmt.Errorf("kernel %q takes %d constants and %d bindings, given are %d and %d", d.kernel.name, d.kernel.constants, d.kernel.bindings, len(constants), len(bindings))
	}
	if d.counts != nil {
		cb.barrier = true // a group of its own: its size is known at execution
	}
	if err := cb.begin(); err != nil {
		return err
	}
	cb.barrier = d.counts != nil
	d.binding, d.constant = len(cb.addresses), len(cb.constants)
	cb.constants = append(cb.constants, constants...)
	for i := range bindings {
		if err := cb.addBinding(bindings[i]); err != nil {
			return fmt.Errorf("kernel %q: binding %d: %w", d.kernel.name, i, err)
		}
		if b := bindings[i].buffer; b != nil && b.constant {
			d.weights += int(cb.lengths[len(cb.lengths)-1])
		}
	}
	if err := cb.place(&d); err != nil {
		return err
	}
	cb.dispatches = append(cb.dispatches, d)
	return nil
}

func (cb *CommandBuffer) addBinding(b binding) error {
	var bytes []byte
	if b.buffer == nil {
		cb.slots = append(cb.slots, slotUse{b, len(cb.addresses)})
	} else {
		var err error
		if bytes, err = b.buffer.span(b.offset, b.length); err != nil {
			return err
		}
		cb.keep = append(cb.keep, b.buffer)
	}
	cb.addresses = append(cb.addresses, pages.Address(bytes))
	cb.lengths = append(cb.lengths, uint64(len(bytes)))
	return nil
}

// place numbers the workgroups of a dispatch after those of its group so far.
func (cb *CommandBuffer) place(d *dispatch) error {
	n, err := workgroupCount(d.workgroups)
	if err != nil {
		return fmt.Errorf("kernel %q: %w", d.kernel.name, err)
	}
	if last := len(cb.dispatches); last > cb.groups[len(cb.groups)-1].dispatch {
		d.start = cb.dispatches[last-1].end
	}
	if d.end = d.start + n; d.end > maxWorkgroups {
		return fmt.Errorf("kernel %q: %d workgroups side by side: at most %d are supported", d.kernel.name, d.end, maxWorkgroups)
	}
	return nil
}

func workgroupCount(n [3]uint32) (int, error) {
	total := uint64(n[0]) * uint64(n[1])
	if n[2] > math.MaxUint16 || total > maxWorkgroups || total*uint64(n[2]) > maxWorkgroups {
		return 0, fmt.Errorf("%d × %d × %d workgroups: at most %d are supported", n[0], n[1], n[2], maxWorkgroups)
	}
	return int(total * uint64(n[2])), nil
}

// finalize ends the recording and lays out what kernels read.
func (cb *CommandBuffer) finalize(concurrency int) {
	cb.finalized = true
	cb.states = cb.states[:0]
	for i := range cb.dispatches {
		d := &cb.dispatches[i]
		cb.states = append(cb.states, dispatchState{
			sizeX: 1, sizeY: 1, sizeZ: 1,
			countX: d.workgroups[0], countY: d.workgroups[1], countZ: uint16(d.workgroups[2]),
			maxConcurrency: uint8(min(concurrency, math.MaxUint8)),
			constantCount:  uint16(d.kernel.constants), bindingCount: uint8(d.kernel.bindings),
			constants: elementAddress(cb.constants, d.constant),
			bindings:  elementAddress(cb.addresses, d.binding),
			lengths:   elementAddress(cb.lengths, d.binding),
		})
	}
}

// recycle returns an empty command buffer in the memory of this one, which is spent:
// recording the same commands for every call costs no allocation.
func (cb *CommandBuffer) recycle() *CommandBuffer {
	clear(cb.transfers)
	clear(cb.dispatches)
	clear(cb.slots)
	clear(cb.keep)
	empty := &CommandBuffer{
		groups: cb.groups[:0], transfers: cb.transfers[:0], dispatches: cb.dispatches[:0],
		constants: cb.constants[:0], addresses: cb.addresses[:0], lengths: cb.lengths[:0], states: cb.states[:0],
		slots: cb.slots[:0], keep: cb.keep[:0], someConstants: cb.someConstants[:0], someBindings: cb.someBindings[:0],
	}
	*cb = CommandBuffer{finalized: true, spent: true}
	return empty
}

// elementAddress is the address of an element that is on the heap, 0 past the end.
func elementAddress[T any](s []T, i int) uintptr {
	if i >= len(s) {
		return 0
	}
	return uintptr(unsafe.Pointer(&s[i]))
}

// bind fills in the bindings that the table decides.
func (cb *CommandBuffer) bind(table []Buffer) error {
	for i := range cb.slots {
		s := &cb.slots[i]
		bytes, err := s.read(table)
		if err != nil {
			return fmt.Errorf("kernel %q: %w", cb.kernelOf(s.at).name, err)
		}
		cb.addresses[s.at], cb.lengths[s.at] = pages.Address(bytes), uint64(len(bytes))
	}
	return nil
}

// renumber puts the constants of this replay in the place of the recorded ones.
func (cb *CommandBuffer) renumber(c *vm.Call) {
	for _, n := range cb.numbers {
		if v, ok := c.Number(n.symbol); ok {
			cb.constants[n.at] = uint32(v)
		}
	}
}

// kernelOf returns the kernel that takes a binding.
func (cb *CommandBuffer) kernelOf(at int) *kernel {
	k := cb.dispatches[0].kernel
	for i := range cb.dispatches {
		if cb.dispatches[i].binding <= at {
			k = cb.dispatches[i].kernel
		}
	}
	return k
}

// end returns where group i ends.
func (cb *CommandBuffer) end(i int) group {
	if i+1 < len(cb.groups) {
		return cb.groups[i+1]
	}
	return group{len(cb.transfers), len(cb.dispatches)}
}
