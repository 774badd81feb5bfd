// SPDX-License-Identifier: MIT
// Video instructions: two parts of 16 bits or four of 8, side by side in a register (SIMD), or one number, which may be
// a part of a register (scalar). Their last operand is the number of ptx/video_selectors.h. Scalar forms are there
// where the manual and the machine code of ptxas 13.0 for sm_90 say the same. Others are refused: .min and .max of what
// is not clamped, and clamping to 32 bits without a sign.
#include "isa/families.h"
#include "isa/semantics/shapes.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

// ---- what happens to one part of a and one of b, both extended ----

struct Add {
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Subtract {
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
/// The average; halves are rounded away from zero above it, and down below it.
struct Average {
  template <class T>
  static T of(T a, T b) {
    return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
  }
};
struct AbsoluteDifference {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b - a : a - b;
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct ShiftLeft {
  static s64 of(s64 a, s64 count) { return a * (s64{1} << count); }
};
struct ShiftRight {
  static s64 of(s64 a, s64 count) { return a >> count; }
};
struct Equal {
  template <class T>
  static T of(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <class T>
  static T of(T a, T b) {
    return a != b;
  }
};
struct Less {
  template <class T>
  static T of(T a, T b) {
    return a < b;
  }
};
struct LessOrEqual {
  template <class T>
  static T of(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  static T of(T a, T b) {
    return a > b;
  }
};
struct GreaterOrEqual {
  template <class T>
  static T of(T a, T b) {
    return a >= b;
  }
};

// ---- what becomes of the results ----

enum class Into : u8 { parts, parts_of_u32, parts_of_s32, sum };  // parts of: clamped to that type's (.sat); sum: .add

/// A part of that many bits, extended by its type.
template <unsigned bits, class T>
CUDASIM_INLINE s32 part(u32 word) {
  const u32 high = word << (32 - bits);
  return std::is_signed_v<T> ? static_cast<s32>(high) >> (32 - bits) : static_cast<s32>(high >> (32 - bits));
}

template <Into into, unsigned bits, class Op, class A, class B>
struct Parts {
  static u32 of(u32 a, u32 b, u32 c, u32 selectors) {
    constexpr u32 kPart = (u32{1} << bits) - 1, kParts = 32 / bits;
    constexpr s32 kLowest = into == Into::parts_of_s32 ? -(1 << (bits - 1)) : 0, kHighest = kLowest + s32{kPart};
    constexpr unsigned kBitsOfSelector = 3, kFirstOfB = 12, kMask = 24;
    const u64 both = (u64{b} << 32) | a;
    const auto selected = [&](unsigned first, u32 i, u32 usual) {
      const u32 from = (selectors >> (first + kBitsOfSelector * i) & 7) ^ usual;
      return static_cast<u32>(both >> (bits * from));
    };
    u32 result = into == Into::sum ? c : 0;
    for (u32 i = 0; i < kParts; ++i) {
      const u32 shift = bits * i;
      if ((selectors >> (kMask + i) & 1) != 0) {
        if (into != Into::sum) result |= c & (kPart << shift);
        continue;
      }
      s32 value = Op::of(part<bits, A>(selected(0, i, i)), part<bits, B>(selected(kFirstOfB, i, i + kParts)));
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

// ---- scalar instructions ----

/// What a result meets: nothing, or the third source.
enum class Second : u8 { nothing, add, min, max };

/// The first bit of a part, and how many it has.
struct Selected {
  unsigned first, bits;
};
CUDASIM_INLINE Selected selected_part(u32 code) {
  if (code == 0) return {0, 32};
  return code < 5 ? Selected{8 * (code - 1), 8} : Selected{16 * (code - 5), 16};
}
template <class T>
CUDASIM_INLINE s64 selected_number(u32 word, u32 code) {
  const Selected part = selected_part(code);
  const u32 high = word >> part.first << (32 - part.bits);
  return std::is_signed_v<T> ? s64{static_cast<s32>(high) >> (32 - part.bits)} : s64{high >> (32 - part.bits)};
}

/// `D` is the type of a clamped result and of c; .sat where `clamps`.
template <class Op, class D, class A, class B, bool clamps, Second second>
struct Scalar {
  static u32 of(u32 a, u32 b, u32 c, u32 selectors) {
    s64 value = Op::of(selected_number<A>(a, selectors >> 3 & 7), selected_number<B>(b, selectors & 7));
    if (clamps) {
      constexpr s64 kLowest = std::is_signed_v<D> ? -(s64{1} << 31) : 0, kHighest = kLowest + 0xffffffff;
      value = value < kLowest ? kLowest : value > kHighest ? kHighest : value;
    }
    const s64 third = static_cast<D>(c);
    if (second == Second::add) value += third;
    if (second == Second::min) value = value < third ? value : third;
    if (second == Second::max) value = value > third ? value : third;
    const Selected to = selected_part(selectors >> 6);
    const u32 mask = ~u32{0} >> (32 - to.bits) << to.first;
    return ((static_cast<u32>(value) << to.first) & mask) | (c & ~mask);
  }
};

/// The count of a shift: with .clamp 32 at most, with .wrap its five lowest bits.
template <class Op, bool wraps>
struct Shift {
  static s64 of(s64 a, s64 b) { return Op::of(a, wraps ? b & 31 : b > 32 ? 32 : b); }
};

template <class Op>
constexpr Execute kOfWords = slow_quaternary<Op, u32, u32, u32, u32, u32>;

/// Groups `group` and group + 1 are the types of a and b.
template <unsigned group, template <class A, class B> class Op>
Execute of_types(const Match& match) {
  constexpr Execute kTable[2][2] = {{kOfWords<Op<u32, u32>>, kOfWords<Op<u32, s32>>},
                                    {kOfWords<Op<s32, u32>>, kOfWords<Op<s32, s32>>}};
  return kTable[choice_of(match, group)][choice_of(match, group + 1)];
}
template <Into into, unsigned bits, class Op>
struct Simd {
  template <class A, class B>
  using Of = Parts<into, bits, Op, A, B>;
};
template <class Op, class D, bool clamps, Second second>
struct OneNumber {
  template <class A, class B>
  using Of = Scalar<Op, D, A, B, clamps, second>;
};

/// Types of d, a and b, and [.sat]. Without it, the type of d changes nothing.
template <unsigned bits, class Op>
Execute merged(const Match& match) {
  if (!present(match, 3)) return of_types<1, Simd<Into::parts, bits, Op>::template Of>(match);
  return by_choice<0, of_types<1, Simd<Into::parts_of_u32, bits, Op>::template Of>,
                   of_types<1, Simd<Into::parts_of_s32, bits, Op>::template Of>>(match);
}
template <unsigned bits, class Op>
constexpr auto summed = of_types<1, Simd<Into::sum, bits, Op>::template Of>;
/// Types of a and b, and the comparison.
template <template <class Op> class Compared>
constexpr auto compared =
    by_choice<2, Compared<Equal>::select, Compared<NotEqual>::select, Compared<Less>::select,
              Compared<LessOrEqual>::select, Compared<Greater>::select, Compared<GreaterOrEqual>::select>;
template <Into into, unsigned bits>
struct CompareParts {
  template <class Op>
  struct By {
    static constexpr auto select = of_types<0, Simd<into, bits, Op>::template Of>;
  };
};
template <Second second>
struct CompareNumbers {
  template <class Op>
  struct By {
    static constexpr auto select = of_types<0, OneNumber<Op, u32, false, second>::template Of>;
  };
};
/// Types of d, a and b, and no .sat: the type of d changes nothing.
template <class Op, Second second>
constexpr auto unclamped = of_types<1, OneNumber<Op, u32, false, second>::template Of>;
/// Types of a and b, and what follows .sat.
template <class Op, class D>
Execute clamped(const Match& match) {
  if (!present(match, 2)) return of_types<0, OneNumber<Op, D, true, Second::nothing>::template Of>(match);
  return by_choice<2, of_types<0, OneNumber<Op, D, true, Second::add>::template Of>,
                   of_types<0, OneNumber<Op, D, true, Second::min>::template Of>,
                   of_types<0, OneNumber<Op, D, true, Second::max>::template Of>>(match);
}
/// Types of d and a, and the mode.
template <class Op, Second second>
Execute shifted(const Match& match) {
  constexpr Execute kTable[2][2] = {{kOfWords<Scalar<Shift<Op, false>, u32, u32, u32, false, second>>,
                                     kOfWords<Scalar<Shift<Op, true>, u32, u32, u32, false, second>>},
                                    {kOfWords<Scalar<Shift<Op, false>, u32, s32, u32, false, second>>,
                                     kOfWords<Scalar<Shift<Op, true>, u32, s32, u32, false, second>>}};
  return kTable[choice_of(match, 1)][choice_of(match, 2)];
}

#define TYPE "<.u32|.s32>"
#define COMPARISON "<.eq|.ne|.lt|.le|.gt|.ge>"
#define MODE "<.clamp|.wrap>"
#define OPERANDS "d:b32 a:b32 b:b32 c:b32 [f:b32]"
#define TWO_OR_THREE "d:b32 a:b32 b:b32 [c:b32] [f:b32]"
#define SIMD_ROWS(name, Op)                                                        \
  {name "2" TYPE TYPE TYPE "[.sat]", OPERANDS, merged<16, Op>, "9.7.18.2.1"},      \
      {name "2" TYPE TYPE TYPE ".add", OPERANDS, summed<16, Op>, "9.7.18.2.1"},    \
      {name "4" TYPE TYPE TYPE "[.sat]", OPERANDS, merged<8, Op>, "9.7.18.2.3"}, { \
    name "4" TYPE TYPE TYPE ".add", OPERANDS, summed<8, Op>, "9.7.18.2.3"          \
  }
// Clamped without a sign: with selectors for both sources.
#define SCALAR_ROWS(name, Op)                                                                           \
  {name TYPE TYPE TYPE, TWO_OR_THREE, unclamped<Op, Second::nothing>, "9.7.18.1.1"},                    \
      {name TYPE TYPE TYPE ".add", OPERANDS, unclamped<Op, Second::add>, "9.7.18.1.1"},                 \
      {name ".s32" TYPE TYPE ".sat", TWO_OR_THREE, clamped<Op, s32>, "9.7.18.1.1"},                     \
      {name ".s32" TYPE TYPE ".sat<.add|.min|.max>", OPERANDS, clamped<Op, s32>, "9.7.18.1.1"}, {       \
    name ".u32" TYPE TYPE ".sat[.add]", "d:b32 a:b32 b:b32 c:b32 f:b32", clamped<Op, u32>, "9.7.18.1.1" \
  }
#define SHIFT_ROWS(name, Op)                                                                \
  {name TYPE TYPE ".u32" MODE, TWO_OR_THREE, shifted<Op, Second::nothing>, "9.7.18.1.2"}, { \
    name TYPE TYPE ".u32" MODE ".add", OPERANDS, shifted<Op, Second::add>, "9.7.18.1.2"     \
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
      {"vset2" TYPE TYPE COMPARISON, OPERANDS, compared<CompareParts<Into::parts, 16>::By>, "9.7.18.2.2"},
      {"vset2" TYPE TYPE COMPARISON ".add", OPERANDS, compared<CompareParts<Into::sum, 16>::By>, "9.7.18.2.2"},
      {"vset4" TYPE TYPE COMPARISON, OPERANDS, compared<CompareParts<Into::parts, 8>::By>, "9.7.18.2.4"},
      {"vset4" TYPE TYPE COMPARISON ".add", OPERANDS, compared<CompareParts<Into::sum, 8>::By>, "9.7.18.2.4"},
      SCALAR_ROWS("vadd", Add),
      SCALAR_ROWS("vsub", Subtract),
      SCALAR_ROWS("vabsdiff", AbsoluteDifference),
      SCALAR_ROWS("vmin", Minimum),
      SCALAR_ROWS("vmax", Maximum),
      {"vset" TYPE TYPE COMPARISON, TWO_OR_THREE, compared<CompareNumbers<Second::nothing>::By>, "9.7.18.1.4"},
      {"vset" TYPE TYPE COMPARISON ".add", OPERANDS, compared<CompareNumbers<Second::add>::By>, "9.7.18.1.4"},
      SHIFT_ROWS("vshl", ShiftLeft),
      SHIFT_ROWS("vshr", ShiftRight),
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
