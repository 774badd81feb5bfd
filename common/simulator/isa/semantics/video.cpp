// SPDX-License-Identifier: MIT
// SIMD video instructions: two parts of 16 bits or four of 8, side by side in a register. The forms here take all parts
// in their order, as nvcc writes them. A form that selects or masks parts is refused.
#include "isa/families.h"
#include "isa/semantics/shapes.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

// ---- what happens to one part of a and one of b, both extended to 32 bits
// ------------------------------------------------

struct Add {
  static s32 of(s32 a, s32 b) { return a + b; }
};
struct Subtract {
  static s32 of(s32 a, s32 b) { return a - b; }
};
/// The average; halves are rounded away from zero above it, and down below it.
struct Average {
  static s32 of(s32 a, s32 b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
};
struct AbsoluteDifference {
  static s32 of(s32 a, s32 b) { return a < b ? b - a : a - b; }
};
struct Minimum {
  static s32 of(s32 a, s32 b) { return a < b ? a : b; }
};
struct Maximum {
  static s32 of(s32 a, s32 b) { return a < b ? b : a; }
};
struct Equal {
  static s32 of(s32 a, s32 b) { return a == b; }
};
struct NotEqual {
  static s32 of(s32 a, s32 b) { return a != b; }
};
struct Less {
  static s32 of(s32 a, s32 b) { return a < b; }
};
struct LessOrEqual {
  static s32 of(s32 a, s32 b) { return a <= b; }
};
struct Greater {
  static s32 of(s32 a, s32 b) { return a > b; }
};
struct GreaterOrEqual {
  static s32 of(s32 a, s32 b) { return a >= b; }
};

// ---- what becomes of the results
// ----------------------------------------------------------------------------------------

enum class Into : u8 { parts, parts_of_u32, parts_of_s32, sum };  // parts of: clamped to that type's (.sat); sum: .add

/// A part of that many bits, extended by its type.
template <unsigned bits, class T>
CUDASIM_INLINE s32 part(u32 word) {
  const u32 high = word << (32 - bits);
  return std::is_signed_v<T> ? static_cast<s32>(high) >> (32 - bits) : static_cast<s32>(high >> (32 - bits));
}

template <Into into, unsigned bits, class Op, class A, class B>
struct Parts {
  static u32 of(u32 a, u32 b, u32 c) {
    constexpr u32 kPart = (u32{1} << bits) - 1;
    constexpr s32 kLowest = into == Into::parts_of_s32 ? -(1 << (bits - 1)) : 0, kHighest = kLowest + s32{kPart};
    u32 result = into == Into::sum ? c : 0;
    for (unsigned shift = 0; shift < 32; shift += bits) {
      s32 value = Op::of(part<bits, A>(a >> shift), part<bits, B>(b >> shift));
      if constexpr (into == Into::sum) {
        result += static_cast<u32>(value);
        continue;
      }
      if (into != Into::parts) value = value < kLowest ? kLowest : value > kHighest ? kHighest : value;
      result |= (static_cast<u32>(value) & kPart) << shift;
    }
    return result;
  }
};

/// Groups `group` and group + 1 are the types of a and b.
template <unsigned group, Into into, unsigned bits, class Op>
Execute of_types(const Match& match) {
  constexpr Execute kTable[2][2] = {{slow_ternary<Parts<into, bits, Op, u32, u32>, u32, u32, u32, u32>,
                                     slow_ternary<Parts<into, bits, Op, u32, s32>, u32, u32, u32, u32>},
                                    {slow_ternary<Parts<into, bits, Op, s32, u32>, u32, u32, u32, u32>,
                                     slow_ternary<Parts<into, bits, Op, s32, s32>, u32, u32, u32, u32>}};
  return kTable[choice_of(match, group)][choice_of(match, group + 1)];
}
/// Types of d, a and b, and [.sat]. Without it, the type of d changes nothing.
template <unsigned bits, class Op>
Execute merged(const Match& match) {
  if (!present(match, 3)) return of_types<1, Into::parts, bits, Op>(match);
  return by_choice<0, of_types<1, Into::parts_of_u32, bits, Op>, of_types<1, Into::parts_of_s32, bits, Op>>(match);
}
/// Types of a and b, and the comparison.
template <Into into, unsigned bits>
constexpr auto compared = by_choice<2, of_types<0, into, bits, Equal>, of_types<0, into, bits, NotEqual>,
                                    of_types<0, into, bits, Less>, of_types<0, into, bits, LessOrEqual>,
                                    of_types<0, into, bits, Greater>, of_types<0, into, bits, GreaterOrEqual>>;

#define TYPE "<.u32|.s32>"
#define COMPARISON "<.eq|.ne|.lt|.le|.gt|.ge>"
#define OPERANDS "d:b32 a:b32 b:b32 c:b32"
#define SIMD_ROWS(name, Op)                                                                     \
  {name "2" TYPE TYPE TYPE "[.sat]", OPERANDS, merged<16, Op>, "9.7.18.2.1"},                   \
      {name "2" TYPE TYPE TYPE ".add", OPERANDS, of_types<1, Into::sum, 16, Op>, "9.7.18.2.1"}, \
      {name "4" TYPE TYPE TYPE "[.sat]", OPERANDS, merged<8, Op>, "9.7.18.2.3"}, {              \
    name "4" TYPE TYPE TYPE ".add", OPERANDS, of_types<1, Into::sum, 8, Op>, "9.7.18.2.3"       \
  }

}  // namespace

InstructionDefinitions video_rows() {
  static const InstructionDefinition rows[] = {
      SIMD_ROWS("vadd", Add),
      SIMD_ROWS("vsub", Subtract),
      SIMD_ROWS("vavrg", Average),
      SIMD_ROWS("vabsdiff", AbsoluteDifference),
      SIMD_ROWS("vmin", Minimum),
      SIMD_ROWS("vmax", Maximum),
      {"vset2" TYPE TYPE COMPARISON, OPERANDS, compared<Into::parts, 16>, "9.7.18.2.2"},
      {"vset2" TYPE TYPE COMPARISON ".add", OPERANDS, compared<Into::sum, 16>, "9.7.18.2.2"},
      {"vset4" TYPE TYPE COMPARISON, OPERANDS, compared<Into::parts, 8>, "9.7.18.2.4"},
      {"vset4" TYPE TYPE COMPARISON ".add", OPERANDS, compared<Into::sum, 8>, "9.7.18.2.4"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
