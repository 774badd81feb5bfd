// SPDX-License-Identifier: MIT
// Lanes of a slot: reads, writes under a mask, and lane results as predicate masks and back. Only this file names
// vector instructions. Everything else is a plain loop over 32 lanes that the compiler vectorises for the level being
// compiled. A level's functions live in that level's namespace. The linker can then never put wide instructions into a
// program for a narrow CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/instruction.h"

#ifndef CUDASIM_LEVEL_NAMESPACE
#error "compile with -DCUDASIM_LEVEL_NAMESPACE=baseline, avx2 or avx512"
#endif

// CUDASIM_PLAIN_LANES switches the intrinsics off, to test the plain loops on any machine.
#if defined(__SSE2__) && !defined(CUDASIM_PLAIN_LANES)
#include <immintrin.h>
#define CUDASIM_LANES_SSE2 1
#if defined(__AVX2__)
#define CUDASIM_LANES_AVX2 1
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define CUDASIM_LANES_AVX512 1
#endif
#endif

// Clang warns of each loop that it was allowed to vectorise and did not; some meanings are not worth it.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#define CUDASIM_INLINE [[gnu::always_inline]] inline

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;

constexpr Mask kAllLanes = ~Mask{0};

// How a lane is stored. The words may alias, because a slot is read as f32 by one instruction and as u32 by another.
typedef u32 Word32 __attribute__((may_alias));
typedef u64 Word64 __attribute__((may_alias));
template <std::size_t size_bytes>
struct WordOf {
  typedef Word32 type;
};
template <>
struct WordOf<8> {
  typedef Word64 type;
};
template <class T>
using Word = typename WordOf<sizeof(T)>::type;

template <std::size_t size_bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = u8;
};
template <>
struct UnsignedOf<2> {
  using type = u16;
};
template <>
struct UnsignedOf<4> {
  using type = u32;
};
template <>
struct UnsignedOf<8> {
  using type = u64;
};
/// The unsigned integer of the width of T.
template <class T>
using Bits = typename UnsignedOf<sizeof(T)>::type;

/// Reinterprets the bits of a value; both types have the same size.
template <class To, class From>
CUDASIM_INLINE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits_as keeps the size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

/// A lane's word as a value of type T (the low bits of the word), and back (zero-extended).
template <class T>
CUDASIM_INLINE T decode(Word<T> word) {
  return bits_as<T>(static_cast<Bits<T>>(word));
}
template <class T>
CUDASIM_INLINE Word<T> encode(T value) {
  return bits_as<Bits<T>>(value);
}

/// The 32 lanes of the slot at `offset`.
template <class T>
CUDASIM_INLINE Word<T>* slot(std::byte* frame, u32 offset) {
  return static_cast<Word<T>*>(__builtin_assume_aligned(frame + offset, 64));
}
CUDASIM_INLINE Mask* predicate(std::byte* frame, u32 offset) {
  return static_cast<Mask*>(static_cast<void*>(frame + offset));
}

/// Calls body(lane) for every lane. The pragmas declare that lanes do not depend on each other. This holds because a
/// destination and a source are the same slot or do not overlap.
template <class Body>
CUDASIM_INLINE void for_each_lane(Body body) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (unsigned lane = 0; lane < kWarpSize; ++lane) body(lane);
}

/// Calls body(lane) for the lanes in `mask` only: for meanings too dear to compute and throw away.
template <class Body>
CUDASIM_INLINE void for_each_active_lane(Mask mask, Body body) {
  for (Mask rest = mask; rest != 0; rest &= rest - 1) body(static_cast<unsigned>(__builtin_ctz(rest)));
}

// lane_bit: the lane's bit of a mask, as a table, so that testing it vectorises without variable shifts.
#define CUDASIM_BITS_8(b) 1u << (b), 2u << (b), 4u << (b), 8u << (b), 16u << (b), 32u << (b), 64u << (b), 128u << (b)
alignas(64) static const u32 lane_bits_32[kWarpSize] = {CUDASIM_BITS_8(0), CUDASIM_BITS_8(8), CUDASIM_BITS_8(16),
                                                        CUDASIM_BITS_8(24)};
alignas(64) static const u64 lane_bits_64[kWarpSize] = {CUDASIM_BITS_8(0), CUDASIM_BITS_8(8), CUDASIM_BITS_8(16),
                                                        CUDASIM_BITS_8(24)};
#undef CUDASIM_BITS_8
template <class T>
CUDASIM_INLINE bool in_mask(Mask mask, unsigned lane) {
  if constexpr (sizeof(T) == 8) {
    return (u64{mask} & lane_bits_64[lane]) != 0;
  } else {
    return (mask & lane_bits_32[lane]) != 0;
  }
}

// chosen_lanes: all ones in those lanes of the vector that begins at lane `first` which are in the mask.
#if defined(CUDASIM_LANES_AVX2)
using Vector = __m256i;
CUDASIM_INLINE Vector load(const void* from) { return _mm256_load_si256(static_cast<const Vector*>(from)); }
CUDASIM_INLINE void store(void* to, Vector value) { _mm256_store_si256(static_cast<Vector*>(to), value); }
CUDASIM_INLINE Vector blend(Vector chosen, Vector a, Vector b) { return _mm256_blendv_epi8(b, a, chosen); }
CUDASIM_INLINE Vector chosen_lanes(Mask mask, unsigned first, const Word32*) {
  const Vector bit = load(lane_bits_32 + first);
  return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(mask)), bit), bit);
}
CUDASIM_INLINE Vector chosen_lanes(Mask mask, unsigned first, const Word64*) {
  const Vector bit = load(lane_bits_64 + first);
  return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(static_cast<s64>(u64{mask})), bit), bit);
}
#elif defined(CUDASIM_LANES_SSE2)
using Vector = __m128i;
CUDASIM_INLINE Vector load(const void* from) { return _mm_load_si128(static_cast<const Vector*>(from)); }
CUDASIM_INLINE void store(void* to, Vector value) { _mm_store_si128(static_cast<Vector*>(to), value); }
CUDASIM_INLINE Vector blend(Vector chosen, Vector a, Vector b) {
  return _mm_or_si128(_mm_and_si128(chosen, a), _mm_andnot_si128(chosen, b));
}
CUDASIM_INLINE Vector chosen_lanes(Mask mask, unsigned first, const Word32*) {
  const Vector bit = load(lane_bits_32 + first);
  return _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(mask)), bit), bit);
}
CUDASIM_INLINE Vector chosen_lanes(Mask mask, unsigned first, const Word64*) {
  const Vector bit = _mm_loadl_epi64(reinterpret_cast<const Vector*>(lane_bits_32 + first));
  const Vector twice = _mm_unpacklo_epi32(bit, bit);  // SSE2 compares no 64-bit lanes
  return _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(mask)), twice), twice);
}
#endif

/// Copies the lanes in `mask` from `values` to `destination`.
template <class W>
CUDASIM_INLINE void store_masked(W* destination, const W* values, Mask mask) {
#if defined(CUDASIM_LANES_AVX512)
  constexpr unsigned kStep = 64 / sizeof(W);
  for (unsigned i = 0; i < kWarpSize; i += kStep) {
    const __m512i from = _mm512_load_si512(values + i);
    if constexpr (sizeof(W) == 4) {
      _mm512_mask_store_epi32(destination + i, static_cast<__mmask16>(mask >> i), from);
    } else {
      _mm512_mask_store_epi64(destination + i, static_cast<__mmask8>(mask >> i), from);
    }
  }
#elif defined(CUDASIM_LANES_SSE2)
  constexpr unsigned kStep = sizeof(Vector) / sizeof(W);
  for (unsigned i = 0; i < kWarpSize; i += kStep) {
    W* const to = destination + i;
    store(to, blend(chosen_lanes(mask, i, to), load(values + i), load(to)));
  }
#else
  for_each_lane([=](unsigned i) { destination[i] = in_mask<W>(mask, i) ? values[i] : destination[i]; });
#endif
}

/// destination = chosen ? a : b, lane by lane, for the lanes in `mask`.
template <class W>
CUDASIM_INLINE void select_lanes(W* destination, const W* a, const W* b, Mask chosen, Mask mask) {
#if defined(CUDASIM_LANES_AVX512)
  constexpr unsigned kStep = 64 / sizeof(W);
  for (unsigned i = 0; i < kWarpSize; i += kStep) {
    const __m512i from_a = _mm512_load_si512(a + i);
    const __m512i from_b = _mm512_load_si512(b + i);
    if constexpr (sizeof(W) == 4) {
      const __m512i value = _mm512_mask_blend_epi32(static_cast<__mmask16>(chosen >> i), from_b, from_a);
      _mm512_mask_store_epi32(destination + i, static_cast<__mmask16>(mask >> i), value);
    } else {
      const __m512i value = _mm512_mask_blend_epi64(static_cast<__mmask8>(chosen >> i), from_b, from_a);
      _mm512_mask_store_epi64(destination + i, static_cast<__mmask8>(mask >> i), value);
    }
  }
#elif defined(CUDASIM_LANES_SSE2)
  constexpr unsigned kStep = sizeof(Vector) / sizeof(W);
  for (unsigned i = 0; i < kWarpSize; i += kStep) {
    W* const to = destination + i;
    const Vector value = blend(chosen_lanes(chosen, i, to), load(a + i), load(b + i));
    store(to, blend(chosen_lanes(mask, i, to), value, load(to)));
  }
#else
  for_each_lane([=](unsigned i) {
    const W value = in_mask<W>(chosen, i) ? a[i] : b[i];
    destination[i] = in_mask<W>(mask, i) ? value : destination[i];
  });
#endif
}

/// Packs 32 results of comparisons, each all ones or all zeros, into a mask.
CUDASIM_INLINE Mask pack(const Word32* flags) {
  Mask mask = 0;
#if defined(CUDASIM_LANES_AVX512)
  for (unsigned i = 0; i < kWarpSize; i += 16) {
    mask |= Mask{_mm512_movepi32_mask(_mm512_load_si512(flags + i))} << i;
  }
#elif defined(CUDASIM_LANES_AVX2)
  for (unsigned i = 0; i < kWarpSize; i += 8) {
    const __m256i eight = _mm256_load_si256(reinterpret_cast<const __m256i*>(flags + i));
    mask |= static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(eight))) << i;
  }
#elif defined(CUDASIM_LANES_SSE2)
  for (unsigned i = 0; i < kWarpSize; i += 4) {
    const __m128i four = _mm_load_si128(reinterpret_cast<const __m128i*>(flags + i));
    mask |= static_cast<Mask>(_mm_movemask_ps(_mm_castsi128_ps(four))) << i;
  }
#else
  for (unsigned i = 0; i < kWarpSize; ++i) mask |= flags[i] & lane_bits_32[i];
#endif
  return mask;
}

CUDASIM_INLINE Mask pack(const Word64* flags) {
  Mask mask = 0;
#if defined(CUDASIM_LANES_AVX512)
  for (unsigned i = 0; i < kWarpSize; i += 8) {
    mask |= Mask{_mm512_movepi64_mask(_mm512_load_si512(flags + i))} << i;
  }
#elif defined(CUDASIM_LANES_AVX2)
  for (unsigned i = 0; i < kWarpSize; i += 4) {
    const __m256i four = _mm256_load_si256(reinterpret_cast<const __m256i*>(flags + i));
    mask |= static_cast<Mask>(_mm256_movemask_pd(_mm256_castsi256_pd(four))) << i;
  }
#elif defined(CUDASIM_LANES_SSE2)
  for (unsigned i = 0; i < kWarpSize; i += 2) {
    const __m128i two = _mm_load_si128(reinterpret_cast<const __m128i*>(flags + i));
    mask |= static_cast<Mask>(_mm_movemask_pd(_mm_castsi128_pd(two))) << i;
  }
#else
  for (unsigned i = 0; i < kWarpSize; ++i) mask |= static_cast<Mask>(flags[i] & lane_bits_64[i]);
#endif
  return mask;
}

/// Writes value_of(lane), a T, to the lanes in `mask` of the slot at `offset`. value_of runs for every lane, so it must
/// not trap. With a full mask it writes straight into the slot.
template <class T, class ValueOf>
CUDASIM_INLINE void write_lanes(std::byte* frame, u32 offset, Mask mask, ValueOf value_of) {
  Word<T>* const destination = slot<T>(frame, offset);
  if (mask == kAllLanes) {
    for_each_lane([=](unsigned lane) { destination[lane] = encode<T>(value_of(lane)); });
    return;
  }
  alignas(64) Word<T> values[kWarpSize];
  for_each_lane([=, &values](unsigned lane) { values[lane] = encode<T>(value_of(lane)); });
  store_masked(destination, values, mask);
}

/// The same for the lanes in `mask` only, one after the other.
template <class T, class ValueOf>
CUDASIM_INLINE void write_active_lanes(std::byte* frame, u32 offset, Mask mask, ValueOf value_of) {
  Word<T>* const destination = slot<T>(frame, offset);
  for_each_active_lane(mask, [=](unsigned lane) { destination[lane] = encode<T>(value_of(lane)); });
}

/// The mask of the lanes for which holds(lane) is true; T is the type compared, which sets the width of the loop.
template <class T, class Holds>
CUDASIM_INLINE Mask mask_of_lanes(Holds holds) {
  alignas(64) Word<T> flags[kWarpSize];
  for_each_lane([=, &flags](unsigned lane) { flags[lane] = holds(lane) ? ~Word<T>{0} : Word<T>{0}; });
  return pack(flags);
}

CUDASIM_INLINE void write_predicate(std::byte* frame, u32 offset, Mask mask, Mask value) {
  Mask* const destination = predicate(frame, offset);
  *destination = (*destination & ~mask) | (value & mask);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
