// call: arithmetic32 1.5 -2.25 0.5 0
// call: arithmetic32 2.5 0.75 -3 1
// call: arithmetic32 -0.5 -0.5 7 2
// call: arithmetic32 -2.75 4 1 -1
// call: arithmetic32 3.5 1e10 1 0
// call: functions32 0.5 2.0
// call: functions32 -1.25 0.125
// call: casts32 2.5 -3 -5
// call: casts32 1000.5 2000000000 4000000000
// call: casts32 0.49 -1 -1
// call: arithmetic64 1.5 -2.25 0.5 0
// call: arithmetic64 2.5 0.75 -3 1
// call: arithmetic64 -0.5 -0.5 7 2
// call: arithmetic64 -2.75 4 1 -1
// call: arithmetic64 3.5 1e10 1 0
// call: functions64 0.5 2.0
// call: functions64 -1.25 0.125
// call: casts64 2.5 -3 -5
// call: casts64 1000.5 2000000000 4000000000
// call: casts64 0.49 -1 -1
// call: widths 0.1 0.1
// call: zeros 1
vm.module @m {
  vm.export @arithmetic32
  vm.func @arithmetic32(%a: f32, %b: f32, %c: f32, %n: i32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, i32, f32) {
    %add = vm.add.f32 %a, %b : f32
    %sub = vm.sub.f32 %a, %b : f32
    %mul = vm.mul.f32 %a, %b : f32
    %div = vm.div.f32 %a, %b : f32
    %rem = vm.rem.f32 %a, %b : f32
    %min = vm.min.f32 %a, %b : f32
    %max = vm.max.f32 %a, %b : f32
    %abs = vm.abs.f32 %a : f32
    %neg = vm.neg.f32 %a : f32
    %ceil = vm.ceil.f32 %a : f32
    %floor = vm.floor.f32 %a : f32
    %round = vm.round.f32 %a : f32
    %sqrt = vm.sqrt.f32 %a : f32
    %even = vm.round.f32.even %a : f32
    %fma = vm.fma.f32 %a, %b, %c : f32
    %cmp_eq_o = vm.cmp.eq.f32.o %a, %b : f32
    %cmp_eq_u = vm.cmp.eq.f32.u %a, %b : f32
    %cmp_ne_o = vm.cmp.ne.f32.o %a, %b : f32
    %cmp_ne_u = vm.cmp.ne.f32.u %a, %b : f32
    %cmp_lt_o = vm.cmp.lt.f32.o %a, %b : f32
    %cmp_lt_u = vm.cmp.lt.f32.u %a, %b : f32
    %cmp_lte_o = vm.cmp.lte.f32.o %a, %b : f32
    %cmp_lte_u = vm.cmp.lte.f32.u %a, %b : f32
    %cmp_gt_o = vm.cmp.gt.f32.o %a, %b : f32
    %cmp_gt_u = vm.cmp.gt.f32.u %a, %b : f32
    %cmp_gte_o = vm.cmp.gte.f32.o %a, %b : f32
    %cmp_gte_u = vm.cmp.gte.f32.u %a, %b : f32
    %nan = vm.cmp.nan.f32 %a : f32
    %sel = vm.select.f32 %n, %a, %b : f32
    %sw = vm.switch.f32 %n[%a, %b] else %c : f32
    %k = vm.const.f32 0.75
    %kk = vm.add.f32 %k, %a : f32
    %bits = vm.bitcast.f32.i32 %a : f32 -> i32
    %back = vm.bitcast.i32.f32 %bits : i32 -> f32
    vm.return %add, %sub, %mul, %div, %rem, %min, %max, %abs, %neg, %ceil, %floor, %round, %sqrt, %even, %fma, %cmp_eq_o, %cmp_eq_u, %cmp_ne_o, %cmp_ne_u, %cmp_lt_o, %cmp_lt_u, %cmp_lte_o, %cmp_lte_u, %cmp_gt_o, %cmp_gt_u, %cmp_gte_o, %cmp_gte_u, %nan, %sel, %sw, %kk, %bits, %back : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, i32, f32
  }
  vm.export @functions32
  vm.func @functions32(%a: f32, %b: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
    %atan = vm.atan.f32 %a : f32
    %cos = vm.cos.f32 %a : f32
    %sin = vm.sin.f32 %a : f32
    %exp = vm.exp.f32 %a : f32
    %exp2 = vm.exp2.f32 %a : f32
    %expm1 = vm.expm1.f32 %a : f32
    %tanh = vm.tanh.f32 %a : f32
    %erf = vm.erf.f32 %a : f32
    %log = vm.log.f32 %b : f32
    %log10 = vm.log10.f32 %b : f32
    %log1p = vm.log1p.f32 %b : f32
    %log2 = vm.log2.f32 %b : f32
    %rsqrt = vm.rsqrt.f32 %b : f32
    %sqrt = vm.sqrt.f32 %b : f32
    %atan2 = vm.atan2.f32 %b, %a : f32
    %pow = vm.pow.f32 %b, %a : f32
    vm.return %atan, %cos, %sin, %exp, %exp2, %expm1, %tanh, %erf, %log, %log10, %log1p, %log2, %rsqrt, %sqrt, %atan2, %pow : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
  }
  vm.export @casts32
  vm.func @casts32(%a: f32, %n: i32, %m: i64) -> (i32, f32, i32, f32, i64, f32, i64, f32) {
    %to_si32 = vm.cast.f32.si32 %a : f32 -> i32
    %from_si32 = vm.cast.si32.f32 %n : i32 -> f32
    %to_ui32 = vm.cast.f32.ui32 %a : f32 -> i32
    %from_ui32 = vm.cast.ui32.f32 %n : i32 -> f32
    %to_si64 = vm.cast.f32.si64 %a : f32 -> i64
    %from_si64 = vm.cast.si64.f32 %m : i64 -> f32
    %to_ui64 = vm.cast.f32.ui64 %a : f32 -> i64
    %from_ui64 = vm.cast.ui64.f32 %m : i64 -> f32
    vm.return %to_si32, %from_si32, %to_ui32, %from_ui32, %to_si64, %from_si64, %to_ui64, %from_ui64 : i32, f32, i32, f32, i64, f32, i64, f32
  }
  vm.export @arithmetic64
  vm.func @arithmetic64(%a: f64, %b: f64, %c: f64, %n: i32) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, f64, f64, f64, i64, f64) {
    %add = vm.add.f64 %a, %b : f64
    %sub = vm.sub.f64 %a, %b : f64
    %mul = vm.mul.f64 %a, %b : f64
    %div = vm.div.f64 %a, %b : f64
    %rem = vm.rem.f64 %a, %b : f64
    %min = vm.min.f64 %a, %b : f64
    %max = vm.max.f64 %a, %b : f64
    %abs = vm.abs.f64 %a : f64
    %neg = vm.neg.f64 %a : f64
    %ceil = vm.ceil.f64 %a : f64
    %floor = vm.floor.f64 %a : f64
    %round = vm.round.f64 %a : f64
    %sqrt = vm.sqrt.f64 %a : f64
    %even = vm.round.f64.even %a : f64
    %fma = vm.fma.f64 %a, %b, %c : f64
    %cmp_eq_o = vm.cmp.eq.f64.o %a, %b : f64
    %cmp_eq_u = vm.cmp.eq.f64.u %a, %b : f64
    %cmp_ne_o = vm.cmp.ne.f64.o %a, %b : f64
    %cmp_ne_u = vm.cmp.ne.f64.u %a, %b : f64
    %cmp_lt_o = vm.cmp.lt.f64.o %a, %b : f64
    %cmp_lt_u = vm.cmp.lt.f64.u %a, %b : f64
    %cmp_lte_o = vm.cmp.lte.f64.o %a, %b : f64
    %cmp_lte_u = vm.cmp.lte.f64.u %a, %b : f64
    %cmp_gt_o = vm.cmp.gt.f64.o %a, %b : f64
    %cmp_gt_u = vm.cmp.gt.f64.u %a, %b : f64
    %cmp_gte_o = vm.cmp.gte.f64.o %a, %b : f64
    %cmp_gte_u = vm.cmp.gte.f64.u %a, %b : f64
    %nan = vm.cmp.nan.f64 %a : f64
    %sel = vm.select.f64 %n, %a, %b : f64
    %sw = vm.switch.f64 %n[%a, %b] else %c : f64
    %k = vm.const.f64 0.75
    %kk = vm.add.f64 %k, %a : f64
    %bits = vm.bitcast.f64.i64 %a : f64 -> i64
    %back = vm.bitcast.i64.f64 %bits : i64 -> f64
    vm.return %add, %sub, %mul, %div, %rem, %min, %max, %abs, %neg, %ceil, %floor, %round, %sqrt, %even, %fma, %cmp_eq_o, %cmp_eq_u, %cmp_ne_o, %cmp_ne_u, %cmp_lt_o, %cmp_lt_u, %cmp_lte_o, %cmp_lte_u, %cmp_gt_o, %cmp_gt_u, %cmp_gte_o, %cmp_gte_u, %nan, %sel, %sw, %kk, %bits, %back : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, f64, f64, f64, i64, f64
  }
  vm.export @functions64
  vm.func @functions64(%a: f64, %b: f64) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) {
    %atan = vm.atan.f64 %a : f64
    %cos = vm.cos.f64 %a : f64
    %sin = vm.sin.f64 %a : f64
    %exp = vm.exp.f64 %a : f64
    %exp2 = vm.exp2.f64 %a : f64
    %expm1 = vm.expm1.f64 %a : f64
    %tanh = vm.tanh.f64 %a : f64
    %erf = vm.erf.f64 %a : f64
    %log = vm.log.f64 %b : f64
    %log10 = vm.log10.f64 %b : f64
    %log1p = vm.log1p.f64 %b : f64
    %log2 = vm.log2.f64 %b : f64
    %rsqrt = vm.rsqrt.f64 %b : f64
    %sqrt = vm.sqrt.f64 %b : f64
    %atan2 = vm.atan2.f64 %b, %a : f64
    %pow = vm.pow.f64 %b, %a : f64
    vm.return %atan, %cos, %sin, %exp, %exp2, %expm1, %tanh, %erf, %log, %log10, %log1p, %log2, %rsqrt, %sqrt, %atan2, %pow : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  }
  vm.export @casts64
  vm.func @casts64(%a: f64, %n: i32, %m: i64) -> (i64, f64, i64, f64) {
    %to_si64 = vm.cast.f64.si64 %a : f64 -> i64
    %from_si64 = vm.cast.si64.f64 %m : i64 -> f64
    %to_ui64 = vm.cast.f64.ui64 %a : f64 -> i64
    %from_ui64 = vm.cast.ui64.f64 %m : i64 -> f64
    vm.return %to_si64, %from_si64, %to_ui64, %from_ui64 : i64, f64, i64, f64
  }
  vm.export @widths
  vm.func @widths(%a: f32, %b: f64) -> (f64, f32) {
    %0 = vm.ext.f32.f64 %a : f32 -> f64
    %1 = vm.trunc.f64.f32 %b : f64 -> f32
    vm.return %0, %1 : f64, f32
  }
  vm.export @zeros
  vm.func @zeros(%a: i32) -> (f32, f64, i32, i64) {
    %0 = vm.const.f32.zero
    %1 = vm.const.f64.zero
    %2 = vm.const.i32.zero
    %3 = vm.const.i64.zero
    vm.return %0, %1, %2, %3 : f32, f64, i32, i64
  }
}
