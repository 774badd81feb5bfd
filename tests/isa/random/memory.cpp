// SPDX-License-Identifier: MIT
// Loads, stores and atomics of one lane. Every cell that is read was written by the same lane before, or is constant
// for the whole launch. Atomics on shared cells give no value back and commute.
#include <string>

#include "statements.h"

namespace random_kernels {
namespace {

// %t0 becomes an offset that fits the size of the access.
const char* const constant_forms[] = {
    "and.b32 %t0, $v, 0xfc; cvt.u64.u32 %u0, %t0; mov.u64 %u1, table; add.u64 %u0, %u0, %u1; ld.const.<u32|s32> $R, "
    "[%u0]",
    "and.b32 %t0, $v, 0xfc; cvt.u64.u32 %u0, %t0; mov.u64 %u1, numbers; add.u64 %u0, %u0, %u1; ld.global.u32 $R, [%u0]",
    "and.b32 %t0, $v, 0xff; cvt.u64.u32 %u0, %t0; cvta.global.u64 %u1, numbers; add.u64 %u0, %u0, %u1; "
    "ld.<u8|s8> $R, [%u0]",
    "and.b32 %t0, $v, 0xf8; cvt.u64.u32 %u0, %t0; mov.u64 %u1, numbers; add.u64 %u0, %u0, %u1; ld.global.u64 $D, [%u0]",
};

const char* const input_forms[] = {
    "and.b32 %t0, $v, 0xffc; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; ld.global<|.nc|.ca|.cg>.u32 $R, [%u0]",
    "and.b32 %t0, $v, 0xfff; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; ld.global<|.nc>.<u8|s8> $R, [%u0+<0|5|11>]",
    "and.b32 %t0, $v, 0xffe; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; ld.global.<u16|s16> $R, [%u0+<0|6|62>]",
    "and.b32 %t0, $v, 0xffe; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; ld.global.b16 $H, [%u0]",
    "and.b32 %t0, $v, 0xff8; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; ld.global<|.nc>.b64 $D, [%u0+<0|8|56>]",
    "and.b32 %t0, $v, 0xff8; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; ld.global.v2.u32 {%t1, %t2}, [%u0]; "
    "<and|xor|or>.b32 $R, %t1, %t2",
    "and.b32 %t0, $v, 0xff0; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; "
    "ld.global<|.nc>.v4.u32 {%t1, %t2, %t3, %t0}, [%u0+<0|16>]; lop3.b32 %t1, %t1, %t2, %t3, $L; xor.b32 $R, %t1, %t0",
    "and.b32 %t0, $v, 0xff0; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %in; ld.global.v2.u64 {%u1, %u2}, [%u0]; "
    "xor.b64 $D, %u1, %u2",
    "ld.global.u32 $R, [%input_of_thread+<0|4|512|1024>]",
    "ld.param.u32 $R, [word]",
    "ld.param.u64 $D, [wide]",
    "ld.param.<u8|s8|u8> $R, [wide+<0|1|3|7>]",
    "ld.param.<u16|s16> $R, [word+<0|2>]",
};

const char* const local_forms[] = {
    "and.b32 %t0, $v, 0x3c; add.u32 %t0, %t0, %local; st.local.<u32|b32> [%t0], $v",
    "and.b32 %t0, $v, 0x3f; add.u32 %t0, %t0, %local; st.local.u8 [%t0], $v",
    "and.b32 %t0, $v, 0x3e; add.u32 %t0, %t0, %local; st.local.u16 [%t0], $k",
    "and.b32 %t0, $v, 0x38; add.u32 %t0, %t0, %local; st.local.u64 [%t0], $w",
    "and.b32 %t0, $v, 0x38; add.u32 %t0, %t0, %local; st.local.v2.u32 [%t0], {$v, $v}",
    "and.b32 %t0, $v, 0x30; add.u32 %t0, %t0, %local; st.local.v4.u32 [%t0], {$v, $v, $v, $v}",
    "and.b32 %t0, $v, 0x3c; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %generic_local; st.u32 [%u0], $v",
    "and.b32 %t0, $v, 0x3c; add.u32 %t0, %t0, %local; ld.local.<u32|b32> $R, [%t0]",
    "and.b32 %t0, $v, 0x3f; add.u32 %t0, %t0, %local; ld.local.<u8|s8> $R, [%t0]",
    "and.b32 %t0, $v, 0x3e; add.u32 %t0, %t0, %local; ld.local.<u16|s16> $R, [%t0]",
    "and.b32 %t0, $v, 0x38; add.u32 %t0, %t0, %local; ld.local.u64 $D, [%t0]",
    ("and.b32 %t0, $v, 0x30; add.u32 %t0, %t0, %local; ld.local.v4.u32 {%t1, %t2, %t3, %t0}, [%t0]; "
     "prmt.b32 %t1, %t1, %t2, %t3; sub.u32 $R, %t1, %t0"),
    "and.b32 %t0, $v, 0x3c; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %generic_local; ld.u32 $R, [%u0]",
};

// %own: 16 words of the output that no other thread touches.
const char* const private_forms[] = {
    "st.global<|.cg>.u32 [%own+<0|4|12|60>], $v",
    "st.global.u8 [%own+<0|3|9>], $v",
    "st.global.u16 [%own+<2|34>], $k",
    "st.global.u64 [%own+<8|24>], $w",
    "st.global.v2.u32 [%own+<8|40>], {$v, $v}",
    "st.global.v4.u32 [%own+<16|32|48>], {$v, $v, $v, $v}",
    "and.b32 %t0, $v, 0x3c; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %own; st.global.u32 [%u0], $v",
    "and.b32 %t0, $v, 0x3c; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %own; ld.global.u32 $R, [%u0]",
    "ld.global.v4.u32 {%t0, %t1, %t2, %t3}, [%own+<0|16|32|48>]; dp4a.u32.s32 %t0, %t1, %t2, %t0; xor.b32 $R, %t0, %t3",
    "ld.global.u64 $D, [%own+<0|16|56>]",
    "atom<|.relaxed.gpu|.acq_rel.cta>.global.<add|exch|min|max|and|or|xor|inc|dec>.? $R, [%own+<4|20|44>], $v",
    "atom<|.global>.cas.b32 $R, [%own+<8|28>], $v, $v",
    "atom.global.<add.u64|exch.b64|min.s64|max.u64|and.b64|xor.b64> $D, [%own+<16|40>], $w",
    "atom.global.cas.b64 $D, [%own+<24|48>], $w, $w",
};

struct Counter {
  const char* operation;
  unsigned group;  // the first of its eight cells
  bool is_wide;
};
// One operation a cell: then the order of the threads does not show.
const Counter counters[] = {{"add.u32", 0, false},  {"min.s32", 8, false}, {"max.u32", 16, false},
                            {"and.b32", 24, false}, {"or.b32", 32, false}, {"xor.b32", 40, false},
                            {"add.u64", 48, true},  {"max.s64", 56, true}};

std::string counter_form(Random& random) {
  const Counter& counter = counters[random.below(8)];
  const std::string offset = std::to_string(8 * counter.group);
  const std::string value = counter.is_wide ? "$w" : "$v";
  const std::string address =
      "and.b32 %t0, $v, 7; shl.b32 %t0, %t0, 3; cvt.u64.u32 %u0, %t0; add.u64 %u0, %u0, %counters; ";
  switch (random.below(3)) {
    case 0:
      return address + "red<|.relaxed.gpu>.global." + counter.operation + " [%u0+" + offset + "], " + value;
    case 1:
      return address + "atom.global." + counter.operation + (counter.is_wide ? " %u1" : " %t1") + ", [%u0+" + offset +
             "], " + value;
    default:  // one cell for all lanes
      return "red.global." + std::string(counter.operation) + " [%counters+" + offset + "], " + value;
  }
}

template <std::size_t n>
std::string any(Random& random, const char* const (&forms)[n]) {
  return forms[random.below(static_cast<unsigned>(n))];
}

/// The type that goes with the operation of an atomic: "add.?" and the like.
std::string with_type(std::string text) {
  const std::size_t question = text.find(".?");
  if (question == std::string::npos) return text;
  const std::size_t dot = text.rfind('.', question - 1);
  const std::string operation = text.substr(dot + 1, question - dot - 1);
  const bool bits = operation == "exch" || operation == "and" || operation == "or" || operation == "xor";
  const bool is_signed = operation == "min" || operation == "max";
  return text.replace(question, 2, bits ? ".b32" : is_signed ? ".s32" : ".u32");
}

}  // namespace

void write_memory_access(Writer& writer, const Setting& setting) {
  const unsigned kind = setting.is_kernel ? writer.random.below(10) : writer.random.below(5);
  std::string form;
  if (kind == 0) {
    form = any(writer.random, constant_forms);
  } else if (kind < 5) {
    form = any(writer.random, local_forms);
  } else if (kind < 7) {
    form = any(writer.random, input_forms);
  } else if (kind < 9) {
    form = any(writer.random, private_forms);
  } else {
    form = counter_form(writer.random);
  }
  writer.statement(with_type(writer.expand(form)));
}

}  // namespace random_kernels
