// SPDX-License-Identifier: MIT
// Statements of one lane without memory. They use only what PTX defines to the bit. Rounding is always written (without
// it mul and add may become fma), and divisors are not zero. A NaN gives its place, but not its bits, to integers.
// Operands with a ^ are hidden from ptxas, which is wrong about them otherwise (README.md).
#include "statements.h"

namespace random_kernels {
namespace {

#define COMPARISONS "<eq|ne|lt|le|gt|ge>"
#define FLOAT_COMPARISONS "<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan>"
#define ROUNDING "<rn|rz|rm|rp>"
#define BOOLEAN "<and|or|xor>"

const char* const integer_forms[] = {
    "<add|sub|mul.lo|min|max>.<u32|s32> $R, $r, $r",
    "<and|or|xor>.b32 $R, $r, $r",
    "mul.hi.<u32|s32> $R, $r, $r",
    "<mad.lo|mad.hi|sad>.<u32|s32> $R, $r, $r, $r",
    "<mul24.lo|mul24.hi>.<u32|s32> $R, $r, $r",
    "<mad24.lo|mad24.hi>.<u32|s32> $R, $v, $v, $r",
    "<add.sat|sub.sat>.s32 $R, ^$r, $r",
    "<mad.hi.sat|mad24.hi.sat>.s32 $R, $v, $r, $v",
    "<abs|neg>.s32 $R, $v",
    "<not|cnot|brev|popc|clz>.b32 $R, $v",
    "<bfind|bfind.shiftamt>.<u32|s32> $R, $v",
    "shl.b32 $R, $v, $c",
    "shr.<b32|u32|s32> $R, $v, $c",
    "shf.<l|r>.<wrap|clamp>.b32 $R, $v, $r, $c",
    "lop3.b32 $R, $v, $v, $v, $L",
    "prmt.b32 $R, $v, $v, $r",
    "prmt.b32.<f4e|b4e|rc8|ecl|ecr|rc16> $R, $v, $v, $v",
    "bfe.<u32|s32> $R, $v, <$v|$v|$i>, $c",
    "bfi.b32 $R, $v, $v, $R, $R",
    "bmsk.<wrap|clamp>.b32 $R, $c, $c",
    "szext.<wrap|clamp>.<u32|s32> $R, $v, $c",
    "<dp4a|dp2a.lo|dp2a.hi>.<u32|s32>.<u32|s32> $R, $v, $v, $r",
    "or.b32 %t0, $v, 1; <div|rem>.u32 $R, $r, %t0",
    "and.b32 %t0, $v, 0x7fff; or.b32 %t0, %t0, 1; <div|rem>.s32 $R, $r, %t0",
    "add.cc.u32 $R, $v, $r; addc.cc.u32 $R, $v, $v; addc.u32 $R, $v, 0",
    "sub.cc.u32 $R, $v, $v; subc.cc.u32 $R, $r, $v; subc.u32 $R, $v, $v",
    "mad.lo.cc.u32 $R, $v, $v, $v; madc.hi.cc.u32 $R, $v, $r, $v; addc.u32 $R, $v, $v",
    "selp.b32 $R, $r, $r, $p",
    "slct.<b32|s32>.s32 $R, $r, $r, $v",
    "set." COMPARISONS ".<u32|s32>.<u32|s32> $R, $v, $r",
    "set." COMPARISONS "." BOOLEAN ".u32.<u32|s32> $R, $v, $r, $n",
    "mov.b32 $R, <%lane|%tid.x|%tid.y|%ctaid.x|%ntid.x|%nctaid.x|%thread|%laneid|%lanemask_lt|%lanemask_ge>",
};

const char* const wide_integer_forms[] = {
    "<add|sub|mul.lo|mul.hi|min|max>.<u64|s64> $D, $w, $d",
    "<and|or|xor>.b64 $D, $w, $d",
    "<mad.lo|mad.hi|sad>.<u64|s64> $D, $w, $d, $w",
    "mul.wide.<u32|s32> $D, $v, $r",
    "mad.wide.<u32|s32> $D, $v, $r, $w",
    "<abs|neg>.s64 $D, $w",
    "<not|cnot|brev>.b64 $D, $w",
    "<popc|clz>.b64 $R, $w",
    "<bfind|bfind.shiftamt>.<u64|s64> $R, $w",
    "shl.b64 $D, $w, $c",
    "shr.<b64|u64|s64> $D, $w, $c",
    "bfe.<u64|s64> $D, $w, <$v|$v|$i>, $c",
    "bfi.b64 $D, $w, $w, $R, $R",
    "or.b64 %u0, $w, 1; <div|rem>.u64 $D, $w, %u0",
    "and.b64 %u0, $w, 0xfffffff; or.b64 %u0, %u0, 1; <div|rem>.s64 $D, $d, %u0",
    "add.cc.u64 $D, $w, $w; addc.u64 $D, $w, $w",
    "sub.cc.u64 $D, $w, $d; subc.cc.u64 $D, $w, $w; subc.u32 $R, $v, $v",
    "selp.b64 $D, $w, $d, $p",
    "slct.b64.s32 $D, $w, $d, $v",
    "mov.b64 $D, {$v, $v}",
    "mov.b64 {$R, %t0}, $w",
    "mov.b64 {%t0, $R}, $w",
    "cvt<|.sat>.<u8|s8|u16|s16>.<u32|s32> %t0, ^$v; cvt.<u64.u32|s64.s32> $D, %t0",
    "cvt.<u32|s32>.<u64|s64> $R, $w",
    "cvt.sat.<u32.u64|u32.s64|s32.s64|u32.s64> $R, ^$w",
    "<add|sub|mul.lo|min|max>.<u16|s16> $H, $k, $h",
    "<mad.lo|sad>.<u16|s16> $H, $k, $k, $h",
    "mul.hi.<u16|s16> $H, $k, $h",
    "mul.wide.<u16|s16> $R, $k, $h",
    "<and|or|xor>.b16 $H, $k, $h",
    "shr.<u16|s16> $H, $k, ^$c",
    "shl.b16 $H, $k, $c",
    "or.b16 %i0, $k, 1; <div|rem>.u16 $H, $k, %i0",
    "mov.b32 $R, {$k, $k}",
    "mov.b32 {$H, %i0}, $v",
    "cvt.<u32.u16|s32.s16> $R, $k",
    "cvt<|.sat>.<u16.u32|s16.s32|u16.s32> $H, ^$v",
};

const char* const predicate_forms[] = {
    "setp." COMPARISONS ".<u32|s32> $P, $v, $r",
    "setp.<lo|ls|hi|hs>.u32 $P|%q0, $v, $r",
    "setp." COMPARISONS "." BOOLEAN ".<u32|s32> $P, $v, $r, $n",
    "setp." COMPARISONS "." BOOLEAN ".s32 $P|%q0, $v, $v, $n",
    "setp." COMPARISONS ".<u64|s64> $P, $w, $d",
    "setp." COMPARISONS ".<u16|s16> $P, $k, $h",
    "setp." FLOAT_COMPARISONS "<|.ftz>.f32 $P, $e, $f",
    "setp." FLOAT_COMPARISONS "." BOOLEAN ".f32 $P, $e, $f, $n",
    "setp." FLOAT_COMPARISONS ".f64 $P, $y, $g",
    "setp." FLOAT_COMPARISONS ".f16 $P, $k, $k",
    "testp.<finite|infinite|number|notanumber|normal|subnormal>.f32 $P, $e",
    "testp.<finite|infinite|number|notanumber|normal|subnormal>.f64 $P, $y",
    "<and|or|xor>.pred $P, $p, $p",
    "not.pred $P, $p",
    "and.b32 %t0, $v, 7; setp.lt.u32 $P, %t0, 3",
    "and.b32 %t0, %lane, $i; setp.ne.u32 $P, %t0, 0",
};

const char* const float_forms[] = {
    "<add|sub|mul>." ROUNDING "<|.ftz><|.sat>.f32 $F, $e, $f",
    "<add|sub|mul>.rn.f32 $F, $e, $f",
    "fma." ROUNDING "<|.ftz><|.sat>.f32 $F, $e, $e, $f",
    "fma.rn.f32 $F, $e, $f, $e",
    "<min|max><|.ftz>.f32 $F, $e, $f",
    "<abs|neg><|.ftz>.f32 $F, $e",
    "div.<rn|rn|rz|rp>.f32 $F, $e, $f",
    "<rcp|sqrt>." ROUNDING "<|.ftz>.f32 $F, $e",
    "mov.b32 %x0, $v; copysign.f32 $F, %x0, $e",
    "selp.f32 $F, $e, $f, $p",
    "slct.f32.s32 $F, $e, $f, $v",
    "cvt.<rni|rzi|rmi|rpi>.f32.f32 $F, $e",
    "cvt." ROUNDING ".f32.<u32|s32> $F, $v",
    "cvt." ROUNDING ".f32.<u64|s64> $F, $w",
    "cvt.rn.f32.<u16|s16> $F, $k",
    "cvt." ROUNDING "<|.ftz><|.sat>.f32.f64 $F, $y",
    "cvt.f32.f16 $F, $k",
    "cvt.<rni|rzi|rmi|rpi><|.ftz>.<u32|s32>.f32 $R, $e",
    "cvt.<rni|rzi|rmi|rpi>.<u64|s64>.f32 $D, $e",
    "cvt.<rn|rz>.f16.f32 $H, $e",
    "set." FLOAT_COMPARISONS ".u32.f32 $R, $e, $f",
    // A number of middling size from any bits, so that not all values end as infinities.
    "and.b32 %t0, $v, 0x83ffffff; or.b32 %t0, %t0, 0x3c000000; mov.b32 $F, %t0",
    "mov.b32 $F, $v",
    "mov.b32 %x0, $v; setp.nan.f32 %q0, %x0, %x0; selp.f32 $F, $e, %x0, %q0",
    "mov.f32 %x0, $e; setp.nan.f32 %q0, %x0, %x0; mov.b32 %t0, %x0; selp.b32 $R, 0x7fc00000, %t0, %q0",
    "<add|sub|mul>.rn<|.ftz><|.sat>.f16 $H, $k, $k",
    "fma.rn<|.ftz><|.sat>.f16 $H, $k, $k, $k",
    "<add|sub|mul>.rn<|.ftz><|.sat>.f16x2 $R, $v, $v",
    "fma.rn<|.ftz>.f16x2 $R, $v, $v, $v",
};

const char* const wide_float_forms[] = {
    "<add|sub|mul>." ROUNDING ".f64 $G, $y, $g",
    "fma." ROUNDING ".f64 $G, $y, $g, $y",
    "<min|max>.f64 $G, $y, $g",
    "<abs|neg>.f64 $G, $y",
    "div.<rn|rz>.f64 $G, $y, $g",
    "<rcp|sqrt>.<rn|rm>.f64 $G, $y",
    "selp.f64 $G, $y, $g, $p",
    "cvt.<rni|rzi|rmi|rpi>.f64.f64 $G, $y",
    "cvt.<rn|rz>.f64.<u64|s64> $G, $w",
    "cvt.rn.f64.<u32|s32> $G, $v",
    "cvt.f64.f32 $G, $e",
    "cvt.<rni|rzi|rmi|rpi>.<u32|s32>.f64 $R, $y",
    "cvt.<rni|rzi|rmi|rpi>.<u64|s64>.f64 $D, $y",
    "mov.b64 $G, $w",
    "mov.f64 %z0, $y; setp.nan.f64 %q0, %z0, %z0; mov.b64 %u0, %z0; selp.b64 $D, 0x7ff8000000000000, %u0, %q0",
    "and.b64 %u0, $w, 0x803fffffffffffff; or.b64 %u0, %u0, 0x3fc0000000000000; mov.b64 $G, %u0",
};

/// What ptxas makes a routine of. In a device function it crashes on them where no lane can come (README.md).
bool is_routine(const std::string& form) {
  for (const char* name : {"div", "rem", "rcp", "sqrt"}) {
    if (form.find(name) != std::string::npos) return true;
  }
  return false;
}

template <std::size_t n>
void write_one(Writer& writer, const char* const (&forms)[n]) {
  std::string form;
  do {
    form = forms[writer.random.below(static_cast<unsigned>(n))];
  } while (writer.in_function && is_routine(form));
  writer.statement(form);
}

}  // namespace

void write_arithmetic(Writer& writer) {
  const unsigned kind = writer.random.below(16);
  if (kind < 6) return write_one(writer, integer_forms);
  if (kind < 9) return write_one(writer, wide_integer_forms);
  if (kind < 11) return write_one(writer, predicate_forms);
  if (kind < 14) return write_one(writer, float_forms);
  write_one(writer, wide_float_forms);
}

}  // namespace random_kernels
