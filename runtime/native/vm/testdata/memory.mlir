// call: buffers 5 -3
// call: copies 1234567
// call: clones 7
// call: hashes 3
// call: fills 9 -123456789012
// call: constants 2
// call: globals 41 -5000000000
// call: indirect 17 -6000000000
// call: floats 1.5 -2.25
// call: lists 3 -4
// call: list_floats 1.5 -2.25
// call: list_refs 1
// call: nulls 0
// call: refs 0
// call: refs 1
// call: outside 4
// call: outside 3
vm.module @m {
  vm.rodata private @text dense<[72, 101, 108, 108, 111, 33, 10, 255]> : tensor<8xui8>
  vm.global.i32 private mutable @g32 = 4 : i32
  vm.global.i64 private mutable @g64 = 6 : i64
  vm.global.f32 private mutable @gf32 = 8.0 : f32
  vm.global.f64 private mutable @gf64 = 9.0 : f64
  vm.global.ref private mutable @gref : !vm.buffer

  // Every width, signed and unsigned; offsets count elements.
  vm.export @buffers
  vm.func @buffers(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32, i64, i64) {
    %size = vm.const.i64 64
    %align = vm.const.i32 16
    %buf = vm.buffer.alloc %size, %align : !vm.buffer
    %c1 = vm.const.i64 1
    %c2 = vm.const.i64 2
    %c3 = vm.const.i64 3
    %c5 = vm.const.i64 5
    vm.buffer.store.i8 %b, %buf[%c1] : i32 -> !vm.buffer
    vm.buffer.store.i16 %b, %buf[%c2] : i32 -> !vm.buffer
    vm.buffer.store.i32 %a, %buf[%c3] : i32 -> !vm.buffer
    %wide = vm.ext.i32.i64.s %b : i32 -> i64
    vm.buffer.store.i64 %wide, %buf[%c5] : i64 -> !vm.buffer
    %0 = vm.buffer.load.i8.u %buf[%c1] : !vm.buffer -> i32
    %1 = vm.buffer.load.i8.s %buf[%c1] : !vm.buffer -> i32
    %2 = vm.buffer.load.i16.u %buf[%c2] : !vm.buffer -> i32
    %3 = vm.buffer.load.i16.s %buf[%c2] : !vm.buffer -> i32
    %4 = vm.buffer.load.i32 %buf[%c3] : !vm.buffer -> i32
    %5 = vm.buffer.load.i64 %buf[%c5] : !vm.buffer -> i64
    %6 = vm.buffer.length %buf : !vm.buffer -> i64
    vm.return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i64, i64
  }
  vm.export @copies
  vm.func @copies(%a: i32) -> (i32, i32, i32) {
    %size = vm.const.i64 32
    %align = vm.const.i32 16
    %x = vm.buffer.alloc %size, %align : !vm.buffer
    %y = vm.buffer.alloc %size, %align : !vm.buffer
    %c0 = vm.const.i64 0
    %c1 = vm.const.i64 1
    %c2 = vm.const.i64 2
    %c4 = vm.const.i64 4
    %c8 = vm.const.i64 8
    vm.buffer.store.i32 %a, %x[%c1] : i32 -> !vm.buffer
    vm.buffer.copy %x, %c4, %y, %c8, %c8 : !vm.buffer -> !vm.buffer
    %0 = vm.buffer.load.i32 %y[%c2] : !vm.buffer -> i32
    %1 = vm.buffer.compare %x, %c4, %y, %c8, %c4 : !vm.buffer, !vm.buffer
    %2 = vm.buffer.compare %x, %c0, %y, %c8, %c4 : !vm.buffer, !vm.buffer
    vm.return %0, %1, %2 : i32, i32, i32
  }
  vm.export @clones
  vm.func @clones(%a: i32) -> (i32, i32, i64) {
    %text = vm.const.ref.rodata @text : !vm.buffer
    %c0 = vm.const.i64 0
    %c1 = vm.const.i64 1
    %c5 = vm.const.i64 5
    %align = vm.const.i32 16
    %copy = vm.buffer.clone %text, %c1, %c5, %align : !vm.buffer -> !vm.buffer
    vm.buffer.store.i8 %a, %copy[%c0] : i32 -> !vm.buffer
    %0 = vm.buffer.load.i8.u %copy[%c0] : !vm.buffer -> i32
    %1 = vm.buffer.load.i8.u %text[%c1] : !vm.buffer -> i32
    %2 = vm.buffer.length %copy : !vm.buffer -> i64
    vm.return %0, %1, %2 : i32, i32, i64
  }
  vm.export @hashes
  vm.func @hashes(%a: i32) -> (i64, i64, i64) {
    %text = vm.const.ref.rodata @text : !vm.buffer
    %c0 = vm.const.i64 0
    %c1 = vm.const.i64 1
    %c5 = vm.const.i64 5
    %c8 = vm.const.i64 8
    %0 = vm.buffer.hash %text, %c0, %c8 : !vm.buffer -> i64
    %1 = vm.buffer.hash %text, %c1, %c5 : !vm.buffer -> i64
    %2 = vm.buffer.hash %text, %c0, %c0 : !vm.buffer -> i64
    vm.return %0, %1, %2 : i64, i64, i64
  }
  vm.export @fills
  vm.func @fills(%a: i32, %w: i64) -> (i32, i32, i64, i64, i32) {
    %size = vm.const.i64 48
    %align = vm.const.i32 16
    %x = vm.buffer.alloc %size, %align : !vm.buffer
    %c0 = vm.const.i64 0
    %c1 = vm.const.i64 1
    %c2 = vm.const.i64 2
    %c3 = vm.const.i64 3
    %c4 = vm.const.i64 4
    %c5 = vm.const.i64 5
    vm.buffer.fill.i8 %x, %c1, %c3, %a : i32 -> !vm.buffer
    vm.buffer.fill.i16 %x, %c2, %c2, %a : i32 -> !vm.buffer
    vm.buffer.fill.i32 %x, %c2, %c2, %a : i32 -> !vm.buffer
    vm.buffer.fill.i64 %x, %c2, %c3, %w : i64 -> !vm.buffer
    %0 = vm.buffer.load.i32 %x[%c0] : !vm.buffer -> i32
    %1 = vm.buffer.load.i32 %x[%c1] : !vm.buffer -> i32
    %2 = vm.buffer.load.i64 %x[%c1] : !vm.buffer -> i64
    %3 = vm.buffer.load.i64 %x[%c4] : !vm.buffer -> i64
    %4 = vm.buffer.load.i32 %x[%c5] : !vm.buffer -> i32
    vm.return %0, %1, %2, %3, %4 : i32, i32, i64, i64, i32
  }
  vm.export @constants
  vm.func @constants(%a: i32) -> (i32, i64, i32) {
    %text = vm.const.ref.rodata @text : !vm.buffer
    %null = vm.const.ref.zero : !vm.buffer
    %i = vm.ext.i32.i64.s %a : i32 -> i64
    %0 = vm.buffer.load.i8.u %text[%i] : !vm.buffer -> i32
    %1 = vm.buffer.length %text : !vm.buffer -> i64
    %2 = vm.cmp.nz.ref %null : !vm.buffer
    vm.return %0, %1, %2 : i32, i64, i32
  }
  vm.export @globals
  vm.func @globals(%a: i32, %b: i64) -> (i32, i64, i32, i64) {
    %0 = vm.global.load.i32 @g32 : i32
    %1 = vm.global.load.i64 @g64 : i64
    vm.global.store.i32 %a, @g32 : i32
    vm.global.store.i64 %b, @g64 : i64
    vm.call @touch() : () -> ()
    %2 = vm.global.load.i32 @g32 : i32
    %3 = vm.global.load.i64 @g64 : i64
    vm.return %0, %1, %2, %3 : i32, i64, i32, i64
  }
  vm.func private @touch() attributes {inlining_policy = #util.inline.never} {
    %one = vm.const.i32 1
    %0 = vm.global.load.i32 @g32 : i32
    %1 = vm.add.i32 %0, %one : i32
    vm.global.store.i32 %1, @g32 : i32
    vm.return
  }
  vm.export @indirect
  vm.func @indirect(%a: i32, %b: i64) -> (i32, i64, i64) {
    %p32 = vm.global.address @g32 : !util.ptr<i32>
    %p64 = vm.global.address @g64 : !util.ptr<i64>
    %pref = vm.global.address @gref : !util.ptr<!vm.buffer>
    vm.global.store.indirect.i32 %a, %p32 : i32 -> !util.ptr<i32>
    vm.global.store.indirect.i64 %b, %p64 : i64 -> !util.ptr<i64>
    %text = vm.const.ref.rodata @text : !vm.buffer
    vm.global.store.indirect.ref %text, %pref : !vm.buffer -> !util.ptr<!vm.buffer>
    %0 = vm.global.load.indirect.i32 %p32 : !util.ptr<i32> -> i32
    %1 = vm.global.load.indirect.i64 %p64 : !util.ptr<i64> -> i64
    %2 = vm.global.load.indirect.ref %pref : !util.ptr<!vm.buffer> -> !vm.buffer
    %3 = vm.buffer.length %2 : !vm.buffer -> i64
    vm.return %0, %1, %3 : i32, i64, i64
  }
  vm.export @floats
  vm.func @floats(%a: f32, %b: f64) -> (f32, f64, f32, f64, f32, f64) {
    %0 = vm.global.load.f32 @gf32 : f32
    %1 = vm.global.load.f64 @gf64 : f64
    vm.global.store.f32 %a, @gf32 : f32
    vm.global.store.f64 %b, @gf64 : f64
    vm.call @touch() : () -> ()
    %2 = vm.global.load.f32 @gf32 : f32
    %3 = vm.global.load.f64 @gf64 : f64
    %size = vm.const.i64 64
    %align = vm.const.i32 16
    %x = vm.buffer.alloc %size, %align : !vm.buffer
    %c0 = vm.const.i64 0
    %c2 = vm.const.i64 2
    %c4 = vm.const.i64 4
    vm.buffer.fill.f32 %x, %c0, %c2, %a : f32 -> !vm.buffer
    vm.buffer.fill.f64 %x, %c2, %c2, %b : f64 -> !vm.buffer
    vm.buffer.store.f32 %a, %x[%c4] : f32 -> !vm.buffer
    vm.buffer.store.f64 %b, %x[%c4] : f64 -> !vm.buffer
    %c1 = vm.const.i64 1
    %4 = vm.buffer.load.f32 %x[%c1] : !vm.buffer -> f32
    %5 = vm.buffer.load.f64 %x[%c4] : !vm.buffer -> f64
    vm.return %0, %1, %2, %3, %4, %5 : f32, f64, f32, f64, f32, f64
  }
  // Elements convert between the widths of integers.
  vm.export @lists
  vm.func @lists(%a: i32, %b: i64) -> (i32, i32, i64, i64, i32) {
    %c0 = vm.const.i32 0
    %c1 = vm.const.i32 1
    %c2 = vm.const.i32 2
    %c8 = vm.const.i32 8
    %l = vm.list.alloc %c2 : (i32) -> !vm.list<?>
    vm.list.reserve %l, %c8 : (!vm.list<?>, i32)
    vm.list.resize %l, %c2 : (!vm.list<?>, i32)
    %0 = vm.list.size %l : (!vm.list<?>) -> i32
    vm.list.set.i32 %l, %c0, %a : (!vm.list<?>, i32, i32)
    vm.list.set.i64 %l, %c1, %b : (!vm.list<?>, i32, i64)
    %1 = vm.list.get.i32 %l, %c1 : (!vm.list<?>, i32) -> i32
    %2 = vm.list.get.i64 %l, %c1 : (!vm.list<?>, i32) -> i64
    %3 = vm.list.get.i64 %l, %c0 : (!vm.list<?>, i32) -> i64
    %4 = vm.list.get.i32 %l, %c0 : (!vm.list<?>, i32) -> i32
    vm.return %0, %1, %2, %3, %4 : i32, i32, i64, i64, i32
  }
  vm.export @list_floats
  vm.func @list_floats(%a: f32, %b: f64) -> (f32, f64, f32, f64, i32) {
    %c0 = vm.const.i32 0
    %c1 = vm.const.i32 1
    %c2 = vm.const.i32 2
    %l = vm.list.alloc %c2 : (i32) -> !vm.list<?>
    vm.list.resize %l, %c2 : (!vm.list<?>, i32)
    vm.list.set.f32 %l, %c0, %a : (!vm.list<?>, i32, f32)
    vm.list.set.f64 %l, %c1, %b : (!vm.list<?>, i32, f64)
    %0 = vm.list.get.f32 %l, %c0 : (!vm.list<?>, i32) -> f32
    %1 = vm.list.get.f64 %l, %c0 : (!vm.list<?>, i32) -> f64
    %2 = vm.list.get.f32 %l, %c1 : (!vm.list<?>, i32) -> f32
    %3 = vm.list.get.f64 %l, %c1 : (!vm.list<?>, i32) -> f64
    %4 = vm.list.get.i32 %l, %c1 : (!vm.list<?>, i32) -> i32
    vm.return %0, %1, %2, %3, %4 : f32, f64, f32, f64, i32
  }
  vm.export @list_refs
  vm.func @list_refs(%a: i32) -> (i64, i32) {
    %c2 = vm.const.i32 2
    %c0 = vm.const.i32 0
    %l = vm.list.alloc %c2 : (i32) -> !vm.list<?>
    vm.list.resize %l, %c2 : (!vm.list<?>, i32)
    %text = vm.const.ref.rodata @text : !vm.buffer
    vm.list.set.ref %l, %a, %text : (!vm.list<?>, i32, !vm.buffer)
    %0 = vm.list.get.ref %l, %a : (!vm.list<?>, i32) -> !vm.buffer
    %1 = vm.buffer.length %0 : !vm.buffer -> i64
    %2 = vm.list.get.ref %l, %c0 : (!vm.list<?>, i32) -> !vm.buffer
    %3 = vm.cmp.nz.ref %2 : !vm.buffer
    vm.return %1, %3 : i64, i32
  }
  vm.export @nulls
  vm.func @nulls(%a: i32) -> (i32, i32) {
    %x = vm.const.ref.zero : !vm.buffer
    %text = vm.const.ref.rodata @text : !vm.buffer
    %s = vm.select.ref %a, %text, %x : !vm.buffer
    vm.call @keep(%x) : (!vm.buffer) -> ()
    %0 = vm.cmp.nz.ref %s : !vm.buffer
    %kept = vm.global.load.ref @gref : !vm.buffer
    %1 = vm.cmp.eq.ref %kept, %x : !vm.buffer
    vm.return %0, %1 : i32, i32
  }
  vm.func private @keep(%x: !vm.buffer) attributes {inlining_policy = #util.inline.never} {
    vm.global.store.ref %x, @gref : !vm.buffer
    vm.return
  }
  vm.export @refs
  vm.func @refs(%a: i32) -> (i64, i32, i32, i64) {
    %size = vm.const.i64 24
    %align = vm.const.i32 16
    %x = vm.buffer.alloc %size, %align : !vm.buffer
    %text = vm.const.ref.rodata @text : !vm.buffer
    %s = vm.select.ref %a, %x, %text : !vm.buffer
    %0 = vm.buffer.length %s : !vm.buffer -> i64
    %1 = vm.cmp.eq.ref %s, %x : !vm.buffer
    %2 = vm.cmp.ne.ref %s, %x : !vm.buffer
    %w = vm.switch.ref %a[%text, %x] else %s : !vm.buffer
    %any = vm.cast.ref.any %w : !vm.buffer -> !vm.ref<?>
    %back = vm.cast.any.ref %any : !vm.ref<?> -> !vm.buffer
    %3 = vm.buffer.length %back : !vm.buffer -> i64
    vm.return %0, %1, %2, %3 : i64, i32, i32, i64
  }
  // An index out of range fails.
  vm.export @outside
  vm.func @outside(%a: i32) -> i32 {
    %c4 = vm.const.i32 4
    %l = vm.list.alloc %c4 : (i32) -> !vm.list<?>
    vm.list.resize %l, %c4 : (!vm.list<?>, i32)
    vm.list.set.i32 %l, %a, %c4 : (!vm.list<?>, i32, i32)
    %0 = vm.list.get.i32 %l, %a : (!vm.list<?>, i32) -> i32
    vm.return %0 : i32
  }
}
