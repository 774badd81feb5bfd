// SPDX-License-Identifier: MIT
// Bitwise logic and shifts, on registers and on predicates. A predicate is one bit a lane, so its logic is one
// operation on masks. A shift by the width or more behaves as a shift by the width.
#include <type_traits>

#include "isa/families.h"
#include "isa/semantics/shapes.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static T of(T a) {
    return a == 0 ? T{1} : T{0};
  }
};

struct Shl {
  template <class T>
  static T of(T a, u32 count) {
    constexpr u32 kWidth = 8 * sizeof(T);
    return count < kWidth ? static_cast<T>(a << (count & (kWidth - 1))) : T{0};
  }
};
struct Shr {
  template <class T>
  static T of(T a, u32 count) {
    constexpr u32 kWidth = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (count < kWidth ? count : kWidth - 1));
    return count < kWidth ? static_cast<T>(a >> (count & (kWidth - 1))) : T{0};
  }
};

/// Any function of three bits: bit (4a + 2b + c) of the immediate is the result. The immediate is the same in each
/// lane.
struct Lop3 {
  static u32 of(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const u32 term = ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
      result |= term & (0u - ((table >> i) & 1));
    }
    return result;
  }
};

template <class Op>
void binary_predicate(std::byte* frame, const MicroOp& op, Mask mask) {
  write_predicate(frame, op.d, mask, Op::of(*predicate(frame, op.a), *predicate(frame, op.b)));
}
template <class Op>
void unary_predicate(std::byte* frame, const MicroOp& op, Mask mask) {
  write_predicate(frame, op.d, mask, Op::of(*predicate(frame, op.a)));
}

}  // namespace

InstructionDefinitions logic_rows() {
  static const InstructionDefinition rows[] = {
      {"and.pred", "d:pred a:pred b:pred", always<binary_predicate<And>>, "9.7.8.1"},
      {"and<.b16|.b32|.b64>", "d:G0 a:G0 b:G0", by_type<0, Binary<And>, u16, u32, u64>, "9.7.8.1"},
      {"or.pred", "d:pred a:pred b:pred", always<binary_predicate<Or>>, "9.7.8.2"},
      {"or<.b16|.b32|.b64>", "d:G0 a:G0 b:G0", by_type<0, Binary<Or>, u16, u32, u64>, "9.7.8.2"},
      {"xor.pred", "d:pred a:pred b:pred", always<binary_predicate<Xor>>, "9.7.8.3"},
      {"xor<.b16|.b32|.b64>", "d:G0 a:G0 b:G0", by_type<0, Binary<Xor>, u16, u32, u64>, "9.7.8.3"},
      {"not.pred", "d:pred a:pred", always<unary_predicate<Not>>, "9.7.8.4"},
      {"not<.b16|.b32|.b64>", "d:G0 a:G0", by_type<0, Unary<Not>, u16, u32, u64>, "9.7.8.4"},
      {"cnot<.b16|.b32|.b64>", "d:G0 a:G0", by_type<0, Unary<Cnot>, u16, u32, u64>, "9.7.8.5"},
      {"lop3.b32", "d:b32 a:b32 b:b32 c:b32 f:u32", always<quaternary<Lop3, u32, u32, u32, u32, u32>>, "9.7.8.6"},
      {"shl<.b16|.b32|.b64>", "d:G0 a:G0 b:u32", by_type<0, BinaryWithCount<Shl>, u16, u32, u64>, "9.7.8.8"},
      {"shr<.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64>", "d:G0 a:G0 b:u32",
       by_type<0, BinaryWithCount<Shr>, u16, u32, u64, u16, u32, u64, s16, s32, s64>, "9.7.8.9"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
