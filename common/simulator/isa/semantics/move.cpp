// SPDX-License-Identifier: MIT
// mov: registers, immediates, addresses and special registers (which the decoder turns into slots), and vectors packed
// into one register or unpacked from it.
#include "isa/families.h"
#include "isa/semantics/shapes.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

struct Copy {
  static u16 of(u16 a) { return a; }
};
template <class W>
void move_words(std::byte* frame, const MicroOp& op, Mask mask) {
  Word<W>* const d = slot<W>(frame, op.d);
  const Word<W>* const a = slot<W>(frame, op.a);
  if (mask != kAllLanes) return store_masked(d, a, mask);
  for_each_lane([=](unsigned i) { d[i] = a[i]; });
}
struct Move {
  template <class T>
  static constexpr Execute execute() {
    if constexpr (sizeof(T) == 2) {
      return unary<Copy, T, T>;  // cuts off what a wider register holds above 16 bits
    } else {
      return move_words<T>;
    }
  }
};
void move_predicate(std::byte* frame, const MicroOp& op, Mask mask) {
  write_predicate(frame, op.d, mask, *predicate(frame, op.a));
}

/// The first operand of a vector is the least significant part.
template <class Whole, class Part>
struct Pack {
  static Whole of(Part low, Part high) {
    return static_cast<Whole>((static_cast<Whole>(high) << (8 * sizeof(Part))) | static_cast<Whole>(low));
  }
  static Whole of(Part a, Part b, Part c, Part f) {
    constexpr unsigned kHalf = 16 * sizeof(Part);
    return static_cast<Whole>((static_cast<Whole>(of(c, f)) << kHalf) | static_cast<Whole>(of(a, b)));
  }
};
template <class Whole, class Part>
constexpr Execute pack_two = binary<Pack<Whole, Part>, Whole, Part, Part>;
template <class Whole, class Part>
constexpr Execute pack_four = quaternary<Pack<Whole, Part>, Whole, Part, Part, Part, Part>;

/// Copies the source first, because a destination may be the same slot.
template <class Whole, class Part, unsigned count>
void unpack(std::byte* frame, const MicroOp& op, Mask mask) {
  alignas(64) Word<Whole> whole[kWarpSize];
  const auto* const a = slot<Whole>(frame, op.a);
  for_each_lane([=, &whole](unsigned i) { whole[i] = a[i]; });
  const u32 destinations[4] = {op.d, op.e, op.c, op.f};
  for (unsigned part = 0; part < count; ++part) {
    const unsigned shift = static_cast<unsigned>(8 * sizeof(Part)) * part;
    write_lanes<Part>(frame, destinations[part], mask,
                      [&whole, shift](unsigned i) { return static_cast<Part>(whole[i] >> shift); });
  }
}

}  // namespace

InstructionDefinitions move_rows() {
  static const InstructionDefinition rows[] = {
      {"mov.pred", "d:pred a:pred", always<move_predicate>, "9.7.9.3"},
      {"mov<.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64>", "d:G0 a:G0",
       by_type<0, Move, u16, u32, u64, u16, u32, u64, u16, u32, u64, u32, u64>, "9.7.9.3"},
      {"mov.b16", "d:b16 {a,b}:b8", always<pack_two<u16, u8>>, "9.7.9.4"},
      {"mov.b32", "d:b32 {a,b}:b16", always<pack_two<u32, u16>>, "9.7.9.4"},
      {"mov.b32", "d:b32 {a,b,c,f}:b8", always<pack_four<u32, u8>>, "9.7.9.4"},
      {"mov.b64", "d:b64 {a,b}:b32", always<pack_two<u64, u32>>, "9.7.9.4"},
      {"mov.b64", "d:b64 {a,b,c,f}:b16", always<pack_four<u64, u16>>, "9.7.9.4"},
      {"mov.b16", "{d,e}:b8 a:b16", always<unpack<u16, u8, 2>>, "9.7.9.4"},
      {"mov.b32", "{d,e}:b16 a:b32", always<unpack<u32, u16, 2>>, "9.7.9.4"},
      {"mov.b32", "{d,e,c,f}:b8 a:b32", always<unpack<u32, u8, 4>>, "9.7.9.4"},
      {"mov.b64", "{d,e}:b32 a:b64", always<unpack<u64, u32, 2>>, "9.7.9.4"},
      {"mov.b64", "{d,e,c,f}:b16 a:b64", always<unpack<u64, u16, 4>>, "9.7.9.4"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
