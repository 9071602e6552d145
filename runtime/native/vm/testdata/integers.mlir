// call: int32 7 3 5 2
// call: int32 -7 3 5 33
// call: int32 -2147483648 2147483647 -1 31
// call: int32 123456789 -987 3 0
// call: int32 0 -1 1 -1
// call: int32 1 1 1 1
// call: int64 7 3 5 2
// call: int64 -7 3 5 65
// call: int64 -9223372036854775808 9223372036854775807 -1 63
// call: int64 1234567890123456789 -987 3 64
// call: int64 0 -1 1 -1
// call: int64 4294967296 4294967297 1 32
// call: conversions 511 -4294967297
// call: conversions -129 40000
// call: conversions 98304 5
// call: conversions -32769 -1
vm.module @m {
  vm.export @int32
  vm.func @int32(%a: i32, %b: i32, %c: i32, %n: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
    %add = vm.add.i32 %a, %b : i32
    %sub = vm.sub.i32 %a, %b : i32
    %mul = vm.mul.i32 %a, %b : i32
    %div_i_s = vm.div.i32.s %a, %b : i32
    %div_i_u = vm.div.i32.u %a, %b : i32
    %rem_i_s = vm.rem.i32.s %a, %b : i32
    %rem_i_u = vm.rem.i32.u %a, %b : i32
    %and = vm.and.i32 %a, %b : i32
    %or = vm.or.i32 %a, %b : i32
    %xor = vm.xor.i32 %a, %b : i32
    %min_i_s = vm.min.i32.s %a, %b : i32
    %min_i_u = vm.min.i32.u %a, %b : i32
    %max_i_s = vm.max.i32.s %a, %b : i32
    %max_i_u = vm.max.i32.u %a, %b : i32
    %shl_i32 = vm.shl.i32 %a, %n : i32
    %shr_i32_s = vm.shr.i32.s %a, %n : i32
    %shr_i32_u = vm.shr.i32.u %a, %n : i32
    %not = vm.not.i32 %a : i32
    %ctlz = vm.ctlz.i32 %a : i32
    %abs = vm.abs.i32 %a : i32
    %fma = vm.fma.i32 %a, %b, %c : i32
    %cmp_eq_i32 = vm.cmp.eq.i32 %a, %b : i32
    %cmp_ne_i32 = vm.cmp.ne.i32 %a, %b : i32
    %cmp_lt_i32_s = vm.cmp.lt.i32.s %a, %b : i32
    %cmp_lt_i32_u = vm.cmp.lt.i32.u %a, %b : i32
    %cmp_lte_i32_s = vm.cmp.lte.i32.s %a, %b : i32
    %cmp_gt_i32_u = vm.cmp.gt.i32.u %a, %b : i32
    %cmp_gte_i32_s = vm.cmp.gte.i32.s %a, %b : i32
    %nz = vm.cmp.nz.i32 %b : i32
    %sel = vm.select.i32 %n, %a, %b : i32
    %sw = vm.switch.i32 %n[%a, %b, %a] else %c : i32
    %k = vm.const.i32 -77
    %kk = vm.add.i32 %k, %a : i32
    vm.return %add, %sub, %mul, %div_i_s, %div_i_u, %rem_i_s, %rem_i_u, %and, %or, %xor, %min_i_s, %min_i_u, %max_i_s, %max_i_u, %shl_i32, %shr_i32_s, %shr_i32_u, %not, %ctlz, %abs, %fma, %cmp_eq_i32, %cmp_ne_i32, %cmp_lt_i32_s, %cmp_lt_i32_u, %cmp_lte_i32_s, %cmp_gt_i32_u, %cmp_gte_i32_s, %nz, %sel, %sw, %kk : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
  }
  vm.export @int64
  vm.func @int64(%a: i64, %b: i64, %c: i64, %n: i32) -> (i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i32, i32, i32, i32, i32, i32, i32, i32, i64, i64, i64) {
    %add = vm.add.i64 %a, %b : i64
    %sub = vm.sub.i64 %a, %b : i64
    %mul = vm.mul.i64 %a, %b : i64
    %div_i_s = vm.div.i64.s %a, %b : i64
    %div_i_u = vm.div.i64.u %a, %b : i64
    %rem_i_s = vm.rem.i64.s %a, %b : i64
    %rem_i_u = vm.rem.i64.u %a, %b : i64
    %and = vm.and.i64 %a, %b : i64
    %or = vm.or.i64 %a, %b : i64
    %xor = vm.xor.i64 %a, %b : i64
    %min_i_s = vm.min.i64.s %a, %b : i64
    %min_i_u = vm.min.i64.u %a, %b : i64
    %max_i_s = vm.max.i64.s %a, %b : i64
    %max_i_u = vm.max.i64.u %a, %b : i64
    %shl_i64 = vm.shl.i64 %a, %n : i64
    %shr_i64_s = vm.shr.i64.s %a, %n : i64
    %shr_i64_u = vm.shr.i64.u %a, %n : i64
    %not = vm.not.i64 %a : i64
    %ctlz = vm.ctlz.i64 %a : i64
    %abs = vm.abs.i64 %a : i64
    %fma = vm.fma.i64 %a, %b, %c : i64
    %cmp_eq_i64 = vm.cmp.eq.i64 %a, %b : i64
    %cmp_ne_i64 = vm.cmp.ne.i64 %a, %b : i64
    %cmp_lt_i64_s = vm.cmp.lt.i64.s %a, %b : i64
    %cmp_lt_i64_u = vm.cmp.lt.i64.u %a, %b : i64
    %cmp_lte_i64_s = vm.cmp.lte.i64.s %a, %b : i64
    %cmp_gt_i64_u = vm.cmp.gt.i64.u %a, %b : i64
    %cmp_gte_i64_s = vm.cmp.gte.i64.s %a, %b : i64
    %nz = vm.cmp.nz.i64 %b : i64
    %sel = vm.select.i64 %n, %a, %b : i64
    %sw = vm.switch.i64 %n[%a, %b, %a] else %c : i64
    %k = vm.const.i64 -77
    %kk = vm.add.i64 %k, %a : i64
    vm.return %add, %sub, %mul, %div_i_s, %div_i_u, %rem_i_s, %rem_i_u, %and, %or, %xor, %min_i_s, %min_i_u, %max_i_s, %max_i_u, %shl_i64, %shr_i64_s, %shr_i64_u, %not, %ctlz, %abs, %fma, %cmp_eq_i64, %cmp_ne_i64, %cmp_lt_i64_s, %cmp_lt_i64_u, %cmp_lte_i64_s, %cmp_gt_i64_u, %cmp_gte_i64_s, %nz, %sel, %sw, %kk : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i32, i32, i32, i32, i32, i32, i32, i32, i64, i64, i64
  }
  vm.export @conversions
  vm.func @conversions(%a: i32, %b: i64) -> (i32, i32, i32, i32, i32, i32, i32, i64, i64) {
    %0 = vm.trunc.i32.i8 %a : i32 -> i32
    %1 = vm.trunc.i32.i16 %a : i32 -> i32
    %2 = vm.trunc.i64.i32 %b : i64 -> i32
    %3 = vm.ext.i8.i32.s %a : i32 -> i32
    %4 = vm.ext.i8.i32.u %a : i32 -> i32
    %5 = vm.ext.i16.i32.s %a : i32 -> i32
    %6 = vm.ext.i16.i32.u %a : i32 -> i32
    %7 = vm.ext.i32.i64.s %a : i32 -> i64
    %8 = vm.ext.i32.i64.u %a : i32 -> i64
    vm.return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i32, i32, i32, i32, i32, i32, i32, i64, i64
  }
}
