// call: sum 10
// call: sum 0
// call: swap 3 4 5
// call: calls 9 4
// call: debug 5
// call: wide 4000000000000 7
// call: table 0 11 22
// call: table 1 11 22
// call: table 2 11 22
// call: table -1 11 22
// call: fails 0
// call: fails 3
// call: many 1 2 3
vm.module @m {
  // A loop whose block arguments are of both widths.
  vm.export @sum
  vm.func @sum(%n: i32) -> (i32, i64) {
    %zero = vm.const.i32 0
    %wide = vm.const.i64 0
    vm.br ^head(%zero, %wide : i32, i64)
  ^head(%i: i32, %s: i64):
    %more = vm.cmp.lt.i32.s %i, %n : i32
    vm.cond_br %more, ^body, ^done
  ^body:
    %one = vm.const.i32 1
    %next = vm.add.i32 %i, %one : i32
    %term = vm.ext.i32.i64.s %next : i32 -> i64
    %sum = vm.add.i64 %s, %term : i64
    vm.br ^head(%next, %sum : i32, i64)
  ^done:
    vm.return %i, %s : i32, i64
  }
  // Values that change places at each turn.
  vm.export @swap
  vm.func @swap(%n: i32, %a: i64, %b: i64) -> (i64, i64) {
    %zero = vm.const.i32 0
    vm.br ^head(%zero, %a, %b : i32, i64, i64)
  ^head(%i: i32, %x: i64, %y: i64):
    %one = vm.const.i32 1
    %next = vm.add.i32 %i, %one : i32
    %more = vm.cmp.lt.i32.s %next, %n : i32
    vm.cond_br %more, ^head(%next, %y, %x : i32, i64, i64), ^done(%y, %x : i64, i64)
  ^done(%p: i64, %q: i64):
    vm.return %p, %q : i64, i64
  }
  // A call that stays a call: arguments and results of the narrow bank.
  vm.export @calls
  vm.func @calls(%a: i32, %b: i32) -> (i32, i32) {
    %0:2 = vm.call @both(%a, %b) : (i32, i32) -> (i32, i32)
    %1:2 = vm.call @both(%0#1, %0#0) : (i32, i32) -> (i32, i32)
    vm.return %1#0, %1#1 : i32, i32
  }
  vm.func private @both(%a: i32, %b: i32) -> (i32, i32) attributes {inlining_policy = #util.inline.never} {
    %0 = vm.sub.i32 %a, %b : i32
    %1 = vm.mul.i32 %a, %b : i32
    vm.return %0, %1 : i32, i32
  }
  vm.export @debug
  vm.func @debug(%a: i32) -> (i32, i32) {
    %0 = vm.import.resolved @other.thing : i32
    vm.trace "event"(%a) : i32
    vm.print "message"(%a) : i32
    vm.break ^more(%a : i32)
  ^more(%m: i32):
    vm.return %0, %m : i32, i32
  }
  vm.import private optional @other.thing(%a : i32) -> i32
  vm.export @wide
  vm.func @wide(%a: i64, %b: i32) -> i64 {
    %0 = vm.ext.i32.i64.s %b : i32 -> i64
    %1 = vm.mul.i64 %a, %0 : i64
    vm.return %1 : i64
  }
  vm.export @table
  vm.func @table(%n: i32, %a: i32, %b: i32) -> i32 {
    vm.br_table %n {
      default: ^other(%n : i32),
      0: ^case(%a : i32),
      1: ^case(%b : i32)
    }
  ^case(%x: i32):
    %ten = vm.const.i32 10
    %y = vm.mul.i32 %x, %ten : i32
    vm.return %y : i32
  ^other(%z: i32):
    vm.return %z : i32
  }
  vm.export @fails
  vm.func @fails(%code: i32) -> i32 {
    vm.cond_fail %code, %code, "told to fail"
    vm.return %code : i32
  }
  // More registers than a few.
  vm.export @many
  vm.func @many(%a: i32, %b: i32, %c: i32) -> (i32, i32, i32, i32, i32, i32) {
    %0 = vm.add.i32 %a, %b : i32
    %1 = vm.add.i32 %b, %c : i32
    %2 = vm.add.i32 %a, %c : i32
    %3 = vm.mul.i32 %0, %1 : i32
    %4 = vm.mul.i32 %1, %2 : i32
    %5 = vm.mul.i32 %2, %0 : i32
    vm.return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
  }
}
