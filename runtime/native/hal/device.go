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
		{Name: "allocator.select", Type: "0iiICrID_rI", Run: selectAllocator, Replay: vm.Once},
		{Name: "buffer.allocation.discard", Type: "0r_i", Run: discardAllocation, Replay: vm.Once},
		{Name: "buffer.allocation.is_terminal", Type: "0r_i", Run: discardAllocation, Replay: vm.Once},
		{Name: "buffer.allocation.preserve", Type: "0r_v", Run: ignore, Replay: vm.Once},
		{Name: "buffer.assert", Type: "0rrrIii_v", Run: assertBuffer, Replay: vm.Once},
		{Name: "buffer.length", Type: "0r_I", Run: bufferLength, Replay: vm.Once},
		{Name: "buffer.load", Type: "0rIi_i", Run: loadBuffer, Replay: vm.Again},
		{Name: "buffer.store", Type: "0irIi_v", Run: storeBuffer, Replay: vm.Again},
		{Name: "buffer.subspan", Type: "0rII_r", Run: subspan, Replay: vm.Once},
		{Name: "buffer_view.assert", Type: "0rriiCID_v", Run: assertView, Replay: vm.Once},
		{Name: "buffer_view.buffer", Type: "0r_r", Run: viewBuffer, Replay: vm.Once},
		{Name: "buffer_view.create", Type: "0rIIiiCID_r", Run: createView, Replay: vm.Once},
		{Name: "buffer_view.dim", Type: "0ri_I", Run: viewDimension, Replay: vm.Once},
		{Name: "buffer_view.element_type", Type: "0r_i", Run: viewElement, Replay: vm.Once},
		{Name: "buffer_view.encoding_type", Type: "0r_i", Run: viewEncoding, Replay: vm.Once},
		{Name: "buffer_view.rank", Type: "0r_i", Run: viewRank, Replay: vm.Once},
		{Name: "buffer_view.trace", Type: "0rCrD_v", Run: ignore, Replay: vm.Once},
		{Name: "command_buffer.advise_buffer", Type: "0rrIIIi_v", Run: ignore, Replay: vm.Once},
		{Name: "command_buffer.begin_debug_group", Type: "0rr_v", Run: ignore, Replay: vm.Once},
		{Name: "command_buffer.copy_buffer", Type: "0riirIrIII_v", Run: recordCopy, Replay: vm.Once},
		{Name: "command_buffer.create", Type: "0riiIi_r", Run: d.createCommandBuffer, Replay: vm.Once},
		{Name: "command_buffer.dispatch", Type: "0rrIiiiICiDCiirIID_v", Run: recordDispatch, Replay: vm.Once},
		{Name: "command_buffer.dispatch.indirect", Type: "0rrIirIICiDCiirIID_v", Run: recordIndirectDispatch, Replay: vm.Once},
		{Name: "command_buffer.end_debug_group", Type: "0r_v", Run: ignore, Replay: vm.Once},
		{Name: "command_buffer.execution_barrier", Type: "0riiI_v", Run: recordBarrier, Replay: vm.Once},
		{Name: "command_buffer.fill_buffer", Type: "0rrIIiIiI_v", Run: recordFill, Replay: vm.Once},
		{Name: "command_buffer.finalize", Type: "0r_v", Run: d.finalize, Replay: vm.Once},
		{Name: "command_buffer.update_buffer", Type: "0rrIrIIiI_v", Run: recordUpdate, Replay: vm.Once},
		{Name: "device.allocator", Type: "0r_r", Run: d.deviceAllocator, Replay: vm.Once},
		{Name: "device.query.i64", Type: "0rrr_iI", Run: d.query, Replay: vm.Once},
		{Name: "device.queue.alloca", Type: "0rIrrIiiII_r", Run: d.queueAlloca, Replay: vm.Memory},
		{Name: "device.queue.barrier", Type: "0rIrrI_v", Run: queueBarrier, Replay: vm.Once},
		{Name: "device.queue.copy", Type: "0rIrrrIrIII_v", Run: queueCopy, Replay: vm.Again},
		{Name: "device.queue.dealloca", Type: "0rIrrrI_v", Run: d.queueDealloca, Replay: vm.Memory},
		{Name: "device.queue.execute", Type: "0rIrrrI_v", Run: d.queueExecute, Replay: vm.Again},
		{Name: "device.queue.execute.indirect", Type: "0rIrrrICrIID_v", Run: d.queueExecuteIndirect, Replay: vm.Again},
		{Name: "device.queue.fill", Type: "0rIrrrIIIiI_v", Run: queueFill, Replay: vm.Again},
		{Name: "device.queue.flush", Type: "0rI_v", Run: ignore, Replay: vm.Once},
		{Name: "device.queue.read", Type: "0rIrrrIrIII_v", Run: queueRead, Replay: vm.Again},
		{Name: "device.queue.update", Type: "0rIrrrIrIII_v", Run: queueUpdate, Replay: vm.Again},
		{Name: "device.queue.write", Type: "0rIrrrIrIII_v", Run: queueWrite, Replay: vm.Again},
		{Name: "devices.count", Type: "0v_i", Run: deviceCount, Replay: vm.Once},
		{Name: "devices.get", Type: "0i_r", Run: d.getDevice, Replay: vm.Once},
		{Name: "ex.file.from_memory", Type: "0rIirIIi_r", Run: fileFromMemory},
		{Name: "executable.create", Type: "0rIrrr_r", Run: d.createExecutable},
		{Name: "executable.lookup.function", Type: "0rr_I", Run: lookupFunction, Replay: vm.Once},
		{Name: "fence.await", Type: "0iICrD_i", Run: awaitFences, Replay: vm.Once},
		{Name: "fence.create", Type: "0rI_r", Run: createFence, Replay: vm.Once},
		{Name: "fence.fail", Type: "0ri_v", Run: failFence},
		{Name: "fence.join", Type: "0ICrD_r", Run: joinFences, Replay: vm.Once},
		{Name: "fence.query", Type: "0r_i", Run: queryFence, Replay: vm.Once},
		{Name: "fence.signal", Type: "0r_v", Run: ignore, Replay: vm.Once},
	}}
}

// ignore is a function that has nothing to do here.
func ignore(*vm.Call) error { return nil }
