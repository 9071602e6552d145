// Package hal is the device side of IREE's runtime for llvm-cpu: buffers, kernel
// executables, command buffers and queues, as the functions that modules import
// under the name "hal" (version 7, of IREE 3.13).
//
// Queues are synchronous: an operation is finished when its call returns, so every
// wait is over at once and every fence is signalled.
//
// Trust: kernels are machine code that runs in this process with all its rights. A
// module is to be trusted like a program. What is checked is what guards against
// damage and mistakes: the file's structure, the number of constants and bindings
// of every kernel, the range of every binding.
package hal

import (
	"errors"

	"github.com/mlxc/mlxc/runtime/native/cpu"
	"github.com/mlxc/mlxc/runtime/native/vm"
)

// Version of the imports.
const Version = 7

// Device is the one device that a module sees.
type Device struct {
	executor  *Executor
	allocator *Allocator
	processor cpu.Set
	table     []Buffer       // scratch of execute.indirect
	spare     *CommandBuffer // for the next recording
}

// NewDevice makes a device on an executor and an allocator, which devices may share.
func NewDevice(e *Executor, a *Allocator) *Device {
	return &Device{executor: e, allocator: a, processor: cpu.Host()}
}

// TypeName is "!hal.device".
func (*Device) TypeName() string { return "!hal.device" }

// Fence marks a point in a queue's work.
type Fence struct{ failure uint32 } // a status code, 0 if all is well

// TypeName is "!hal.fence".
func (*Fence) TypeName() string { return "!hal.fence" }

// File is constant memory that queues read from.
type File struct{ contents *Buffer }

// TypeName is "!hal.file".
func (*File) TypeName() string { return "!hal.file" }

var errUnsupportedFormat = errors.New("executable format isn't supported: this runtime runs llvm-cpu modules for x86-64 only")

// Library is what modules import.
func (d *Device) Library() vm.Library {
	return vm.Library{Name: "hal", Version: Version, Functions: []vm.Function{
		{Name: "allocator.allocate", Type: "0rIiiI_r", Run: d.allocate},
		{Name: "allocator.import", Type: "0riIiirII_r", Run: importBuffer},
		{Name: "allocator.select", Type: "0iiICrID_rI", Run: selectAllocator},
		{Name: "buffer.allocation.discard", Type: "0r_i", Run: discardAllocation},
		{Name: "buffer.allocation.is_terminal", Type: "0r_i", Run: discardAllocation},
		{Name: "buffer.allocation.preserve", Type: "0r_v", Run: ignore},
		{Name: "buffer.assert", Type: "0rrrIii_v", Run: assertBuffer},
		{Name: "buffer.length", Type: "0r_I", Run: bufferLength},
		{Name: "buffer.load", Type: "0rIi_i", Run: loadBuffer},
		{Name: "buffer.store", Type: "0irIi_v", Run: storeBuffer},
		{Name: "buffer.subspan", Type: "0rII_r", Run: subspan},
		{Name: "buffer_view.assert", Type: "0rriiCID_v", Run: assertView},
		{Name: "buffer_view.buffer", Type: "0r_r", Run: viewBuffer},
		{Name: "buffer_view.create", Type: "0rIIiiCID_r", Run: createView},
		{Name: "buffer_view.dim", Type: "0ri_I", Run: viewDimension},
		{Name: "buffer_view.element_type", Type: "0r_i", Run: viewElement},
		{Name: "buffer_view.encoding_type", Type: "0r_i", Run: viewEncoding},
		{Name: "buffer_view.rank", Type: "0r_i", Run: viewRank},
		{Name: "buffer_view.trace", Type: "0rCrD_v", Run: ignore},
		{Name: "command_buffer.advise_buffer", Type: "0rrIIIi_v", Run: ignore},
		{Name: "command_buffer.begin_debug_group", Type: "0rr_v", Run: ignore},
		{Name: "command_buffer.copy_buffer", Type: "0riirIrIII_v", Run: recordCopy},
		{Name: "command_buffer.create", Type: "0riiIi_r", Run: d.createCommandBuffer},
		{Name: "command_buffer.dispatch", Type: "0rrIiiiICiDCiirIID_v", Run: recordDispatch},
		{Name: "command_buffer.dispatch.indirect", Type: "0rrIirIICiDCiirIID_v", Run: recordIndirectDispatch},
		{Name: "command_buffer.end_debug_group", Type: "0r_v", Run: ignore},
		{Name: "command_buffer.execution_barrier", Type: "0riiI_v", Run: recordBarrier},
		{Name: "command_buffer.fill_buffer", Type: "0rrIIiIiI_v", Run: recordFill},
		{Name: "command_buffer.finalize", Type: "0r_v", Run: d.finalize},
		{Name: "command_buffer.update_buffer", Type: "0rrIrIIiI_v", Run: recordUpdate},
		{Name: "device.allocator", Type: "0r_r", Run: d.deviceAllocator},
		{Name: "device.query.i64", Type: "0rrr_iI", Run: d.query},
		{Name: "device.queue.alloca", Type: "0rIrrIiiII_r", Run: d.queueAlloca},
		{Name: "device.queue.barrier", Type: "0rIrrI_v", Run: queueBarrier},
		{Name: "device.queue.copy", Type: "0rIrrrIrIII_v", Run: queueCopy},
		{Name: "device.queue.dealloca", Type: "0rIrrrI_v", Run: d.queueDealloca},
		{Name: "device.queue.execute", Type: "0rIrrrI_v", Run: d.queueExecute},
		{Name: "device.queue.execute.indirect", Type: "0rIrrrICrIID_v", Run: d.queueExecuteIndirect},
		{Name: "device.queue.fill", Type: "0rIrrrIIIiI_v", Run: queueFill},
		{Name: "device.queue.flush", Type: "0rI_v", Run: ignore},
		{Name: "device.queue.read", Type: "0rIrrrIrIII_v", Run: queueRead},
		{Name: "device.queue.update", Type: "0rIrrrIrIII_v", Run: queueUpdate},
		{Name: "device.queue.write", Type: "0rIrrrIrIII_v", Run: queueWrite},
		{Name: "devices.count", Type: "0v_i", Run: deviceCount},
		{Name: "devices.get", Type: "0i_r", Run: d.getDevice},
		{Name: "ex.file.from_memory", Type: "0rIirIIi_r", Run: fileFromMemory},
		{Name: "executable.create", Type: "0rIrrr_r", Run: d.createExecutable},
		{Name: "executable.lookup.function", Type: "0rr_I", Run: lookupFunction},
		{Name: "fence.await", Type: "0iICrD_i", Run: awaitFences},
		{Name: "fence.create", Type: "0rI_r", Run: createFence},
		{Name: "fence.fail", Type: "0ri_v", Run: failFence},
		{Name: "fence.join", Type: "0ICrD_r", Run: joinFences},
		{Name: "fence.query", Type: "0r_i", Run: queryFence},
		{Name: "fence.signal", Type: "0r_v", Run: ignore},
	}}
}

// ignore is a function that has nothing to do here.
func ignore(*vm.Call) error { return nil }
