// SPDX-License-Identifier: MIT
// Compiled once for each level, see isa/: CUDASIM_LEVEL_NAMESPACE is the level's name. No standard library here. An
// inline function of it, compiled for AVX-512, could end up in code that runs on older machines.
#include "vector/lane_kernels.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t kVectorBytes = 32;
#else
constexpr std::size_t kVectorBytes = 16;
#endif

/// Copies bytes that do not overlap by vectors of this level. One __builtin_memcpy of all takes 16 bytes at a time. The
/// wide load of the next operation would then wait until they are stored.
template <std::size_t bytes>
inline void copy_wide(void* to, const void* from) {
  typedef std::uint64_t Vector __attribute__((vector_size(kVectorBytes)));
  static_assert(bytes % sizeof(Vector) == 0, "whole vectors");
  for (std::size_t at = 0; at < bytes; at += sizeof(Vector)) {
    Vector vector;
    __builtin_memcpy(&vector, static_cast<const unsigned char*>(from) + at, sizeof vector);
    __builtin_memcpy(static_cast<unsigned char*>(to) + at, &vector, sizeof vector);
  }
}

#if defined(__AVX512F__)

bool contiguous64(const std::uint64_t* addresses, std::uint64_t first, std::uint32_t step, Mask mask) {
  // The maskz forms: gcc 12 warns that the plain ones read something uninitialised.
  const __m512i one = _mm512_set1_epi64(step);
  const __m512i eight = _mm512_maskz_slli_epi64(0xff, one, 3);
  __m512i expected = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(first)),
                                      _mm512_maskz_mul_epu32(0xff, _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), one));
  Mask differs = 0;
  for (unsigned i = 0; i < 4; ++i) {
    differs |= Mask{_mm512_cmpneq_epu64_mask(_mm512_loadu_si512(addresses + 8 * i), expected)} << (8 * i);
    expected = _mm512_add_epi64(expected, eight);
  }
  return (differs & mask) == 0;
}

bool contiguous32(const std::uint32_t* addresses, std::uint32_t first, Mask mask) {
  const __m512i low = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)),
                                       _mm512_set_epi32(60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0));
  const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(64));
  const Mask differs = Mask{_mm512_cmpneq_epu32_mask(_mm512_loadu_si512(addresses), low)} |
                       Mask{_mm512_cmpneq_epu32_mask(_mm512_loadu_si512(addresses + 16), high)} << 16;
  return (differs & mask) == 0;
}

bool same_distances(const std::uint32_t* addresses, const std::uint32_t* offset) {
  const __m512i distance = _mm512_set1_epi32(static_cast<int>(addresses[0] - offset[0]));
  Mask differs = 0;
  for (unsigned i = 0; i < 2; ++i) {
    const __m512i expected = _mm512_add_epi32(distance, _mm512_loadu_si512(offset + 16 * i));
    differs |= Mask{_mm512_cmpneq_epu32_mask(_mm512_loadu_si512(addresses + 16 * i), expected)};
  }
  return differs == 0;
}

void copy32(void* to, const void* from, Mask mask) {
  for (unsigned i = 0; i < 2; ++i) {
    const auto lanes = static_cast<__mmask16>(mask >> (16 * i));
    _mm512_mask_storeu_epi32(static_cast<std::uint32_t*>(to) + 16 * i, lanes,
                             _mm512_maskz_loadu_epi32(lanes, static_cast<const std::uint32_t*>(from) + 16 * i));
  }
}

void copy64(void* to, const void* from, Mask mask) {
  for (unsigned i = 0; i < 4; ++i) {
    const auto lanes = static_cast<__mmask8>(mask >> (8 * i));
    _mm512_mask_storeu_epi64(static_cast<std::uint64_t*>(to) + 8 * i, lanes,
                             _mm512_maskz_loadu_epi64(lanes, static_cast<const std::uint64_t*>(from) + 8 * i));
  }
}

void fill32(void* to, std::uint64_t value, Mask mask) {
  const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
  for (unsigned i = 0; i < 2; ++i)
    _mm512_mask_storeu_epi32(static_cast<std::uint32_t*>(to) + 16 * i, static_cast<__mmask16>(mask >> (16 * i)), all);
}

void fill64(void* to, std::uint64_t value, Mask mask) {
  const __m512i all = _mm512_set1_epi64(static_cast<long long>(value));
  for (unsigned i = 0; i < 4; ++i)
    _mm512_mask_storeu_epi64(static_cast<std::uint64_t*>(to) + 8 * i, static_cast<__mmask8>(mask >> (8 * i)), all);
}

#else

bool contiguous64(const std::uint64_t* addresses, std::uint64_t first, std::uint32_t step, Mask mask) {
  if (mask == ~0u) {
    std::uint64_t differs = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= addresses[lane] ^ (first + lane * step);
    return differs == 0;
  }
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    if (addresses[lane] != first + lane * step) return false;
  }
  return true;
}

bool contiguous32(const std::uint32_t* addresses, std::uint32_t first, Mask mask) {
  if (mask == ~0u) {
    std::uint32_t differs = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= addresses[lane] ^ (first + lane * 4);
    return differs == 0;
  }
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    if (addresses[lane] != first + lane * 4) return false;
  }
  return true;
}

bool same_distances(const std::uint32_t* addresses, const std::uint32_t* offset) {
  const std::uint32_t distance = addresses[0] - offset[0];
  std::uint32_t differs = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= addresses[lane] ^ (distance + offset[lane]);
  return differs == 0;
}

template <class T>
void copy_lanes(void* to, const void* from, Mask mask) {
  auto* d = static_cast<unsigned char*>(to);
  const auto* s = static_cast<const unsigned char*>(from);
  if (mask == ~0u) {
    copy_wide<sizeof(T) * kWarpSize>(d, s);
    return;
  }
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    __builtin_memcpy(d + sizeof(T) * lane, s + sizeof(T) * lane, sizeof(T));
  }
}
void copy32(void* to, const void* from, Mask mask) { copy_lanes<std::uint32_t>(to, from, mask); }
void copy64(void* to, const void* from, Mask mask) { copy_lanes<std::uint64_t>(to, from, mask); }

template <class T>
void fill_lanes(void* to, std::uint64_t value, Mask mask) {
  T all[kWarpSize];
  for (T& lane : all) lane = static_cast<T>(value);
  copy_lanes<T>(to, all, mask);
}
void fill32(void* to, std::uint64_t value, Mask mask) { fill_lanes<std::uint32_t>(to, value, mask); }
void fill64(void* to, std::uint64_t value, Mask mask) { fill_lanes<std::uint64_t>(to, value, mask); }

#endif

void copy_all(void* to, const void* from, bool is_wide) {
  constexpr std::size_t kBytes = 4 * kWarpSize;
  is_wide ? copy_wide<2 * kBytes>(to, from) : copy_wide<kBytes>(to, from);
}

template <class T>
void shift_lanes(std::byte* slot, std::size_t stride, std::size_t count, std::uint64_t by) {
  for (; count != 0; --count, slot += stride) {
    auto* const lanes = static_cast<T*>(__builtin_assume_aligned(slot, 64));
    for (unsigned lane = 0; lane < kWarpSize; ++lane) lanes[lane] += static_cast<T>(by);
  }
}

void gather32(void* to, const void* from, std::uint64_t bytes, const std::uint32_t* offset, Mask mask) {
#if defined(__AVX512F__)
  // Words that lie near are taken from registers, by two for 32 words: a sixth of the time of single words. The mask
  // forms for the reason above.
  constexpr unsigned kMostTables = 2;
  if (bytes <= kMostTables * 128) {
    constexpr __mmask16 kAll = 0xffff;
    const std::uint64_t words = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(bytes / 4));  // a bit each
    const auto sixteen = [&](unsigned i) {
      return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(words >> 16 * i),
                                      static_cast<const std::uint32_t*>(from) + 16 * i);
    };
    const bool two = bytes > 128;
    const __m512i first = sixteen(0), second = sixteen(1);
    const __m512i third = two ? sixteen(2) : first, fourth = two ? sixteen(3) : first;
    for (unsigned i = 0; i < 2; ++i) {
      const __m512i index = _mm512_maskz_srli_epi32(kAll, _mm512_maskz_loadu_epi32(kAll, offset + 16 * i), 2);
      __m512i result = _mm512_maskz_permutex2var_epi32(kAll, first, index, second);
      if (two) {
        const __mmask16 behind = _mm512_cmpge_epu32_mask(index, _mm512_set1_epi32(32));
        result = _mm512_mask_blend_epi32(behind, result, _mm512_maskz_permutex2var_epi32(kAll, third, index, fourth));
      }
      _mm512_mask_storeu_epi32(static_cast<std::uint32_t*>(to) + 16 * i, static_cast<__mmask16>(mask >> 16 * i),
                               result);
    }
    return;
  }
#else
  (void)bytes;
#endif
  const auto* place = static_cast<const unsigned char*>(from);
  auto* words = static_cast<unsigned char*>(to);
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) __builtin_memcpy(words + 4 * lane, place + offset[lane], 4);
  } else {
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      __builtin_memcpy(words + 4 * lane, place + offset[lane], 4);
    }
  }
}

#if defined(__AVX512F__)

/// The words of four slots: 16 bytes of each lane, transposed.
void load_quadruples(const WordMove& move) {
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint32_t* offset = move.offset + 16 * half;
    __m512i lanes[4];  // [k]: of the lanes 4 * i + k
    for (unsigned k = 0; k < 4; ++k) {
      const auto quadruple = [&](unsigned i) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(move.memory + offset[4 * i + k]));
      };
      __m512i all = _mm512_zextsi128_si512(quadruple(0));
      all = _mm512_inserti32x4(all, quadruple(1), 1);
      all = _mm512_inserti32x4(all, quadruple(2), 2);
      lanes[k] = _mm512_inserti32x4(all, quadruple(3), 3);
    }
    constexpr __mmask16 kAll = 0xffff;
    const __m512i low01 = _mm512_maskz_unpacklo_epi32(kAll, lanes[0], lanes[1]);
    const __m512i low23 = _mm512_maskz_unpacklo_epi32(kAll, lanes[2], lanes[3]);
    const __m512i high01 = _mm512_maskz_unpackhi_epi32(kAll, lanes[0], lanes[1]);
    const __m512i high23 = _mm512_maskz_unpackhi_epi32(kAll, lanes[2], lanes[3]);
    _mm512_storeu_si512(move.slot[0] + 64 * half, _mm512_maskz_unpacklo_epi64(0xff, low01, low23));
    _mm512_storeu_si512(move.slot[1] + 64 * half, _mm512_maskz_unpackhi_epi64(0xff, low01, low23));
    _mm512_storeu_si512(move.slot[2] + 64 * half, _mm512_maskz_unpacklo_epi64(0xff, high01, high23));
    _mm512_storeu_si512(move.slot[3] + 64 * half, _mm512_maskz_unpackhi_epi64(0xff, high01, high23));
  }
}

bool are_side_by_side(const std::uint32_t* offset) { return contiguous32(offset, 0, ~Mask{0}); }

#else

bool are_side_by_side(const std::uint32_t* offset) {
  std::uint32_t differs = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= offset[lane] ^ 4 * lane;
  return differs == 0;
}

#endif

// Aligned because its loops are most of a tiled product. They take a fifth longer where a line of instructions ends in
// them.
[[gnu::aligned(64)]] bool move_if_same_distances(const std::uint32_t* addresses, const WordMove& move) {
  if (!same_distances(addresses, move.offset)) return false;
  constexpr std::size_t kWhole = 4 * kWarpSize;
  if (move.bytes == kWhole && move.count == 1 && are_side_by_side(move.offset)) {
    move.is_store ? copy_wide<kWhole>(move.memory, move.slot[0]) : copy_wide<kWhole>(move.slot[0], move.memory);
    return true;
  }
  if (move.is_store) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      for (unsigned i = 0; i < move.count; ++i)
        __builtin_memcpy(move.memory + move.offset[lane] + 4 * i, move.slot[i] + 4 * lane, 4);
    }
    return true;
  }
#if defined(__AVX512F__)
  if (move.count == 4 && move.bytes > 128) {
    load_quadruples(move);
    return true;
  }
#endif
  for (unsigned i = 0; i < move.count; ++i)
    gather32(move.slot[i], move.memory + 4 * i, move.bytes - 4 * i, move.offset, ~Mask{0});
  return true;
}

template <class Element, class Address>
bool move_coalesced(const void* addresses, std::uint64_t first, void* to, const void* from, Mask mask) {
  const auto* words = static_cast<const Address*>(addresses);
  if constexpr (sizeof(Address) == 8) {
    if (!contiguous64(words, first, sizeof(Element), mask)) return false;
  } else {
    if (!contiguous32(words, static_cast<std::uint32_t>(first), mask)) return false;
  }
  if (mask == ~0u) {  // to load what was stored under a mask takes longer
    copy_wide<sizeof(Element) * kWarpSize>(to, from);
  } else {
    sizeof(Element) == 4 ? copy32(to, from, mask) : copy64(to, from, mask);
  }
  return true;
}

void add64(std::uint64_t* __restrict to, const void* __restrict base, std::uint64_t displacement) {
  const auto* const lanes = static_cast<const std::uint64_t*>(base);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) to[lane] = lanes[lane] + displacement;
}

void add32(std::uint64_t* __restrict to, const void* __restrict base, std::uint32_t displacement) {
  const auto* const lanes = static_cast<const std::uint32_t*>(base);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) to[lane] = lanes[lane] + displacement;
}

void span(const std::uint64_t* addresses, Mask mask, Span& span) {
  const std::uint64_t any = addresses[__builtin_ctz(mask)];
  std::uint64_t active[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) active[lane] = ((mask >> lane) & 1) != 0 ? addresses[lane] : any;
  std::uint64_t least = any, most = any, bits = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    least = active[lane] < least ? active[lane] : least;
    most = active[lane] > most ? active[lane] : most;
    bits |= active[lane];
  }
  span.least = least;
  span.most = most;
  span.bits = bits;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    span.offset[lane] = ((mask >> lane) & 1) != 0 ? static_cast<std::uint32_t>(active[lane] - least) : 0;
}

bool uniform32(const std::uint32_t* words, Mask mask) {
  const std::uint32_t one = words[__builtin_ctz(mask)];
  Mask differs = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= Mask{words[lane] != one} << lane;
  return (differs & mask) == 0;
}

/// The lane that `lane` reads from, and whether it is in its segment (PTX ISA, "shfl.sync").
template <ShuffleMode mode>
int shuffle_source(int lane, int b, int c, bool& in_range) {
  const int offset = b & 31, clamp = c & 31, segment = (c >> 8) & 31;
  const int most = (lane & segment) | (clamp & ~segment);
  const int source = mode == ShuffleMode::up          ? lane - offset
                     : mode == ShuffleMode::down      ? lane + offset
                     : mode == ShuffleMode::butterfly ? lane ^ offset
                                                      : (lane & segment) | (offset & ~segment);
  in_range = mode == ShuffleMode::up ? source >= most : source <= most;
  return in_range ? source : lane;
}

template <ShuffleMode mode>
Mask shuffle_in_mode(void* to, const void* a, const void* b, const void* c, Mask mask) {
  std::int32_t offsets[kWarpSize], segments[kWarpSize], source[kWarpSize];
  std::uint32_t values[kWarpSize], result[kWarpSize];
  copy_wide<sizeof values>(values, a);
  copy_wide<sizeof offsets>(offsets, b);
  copy_wide<sizeof segments>(segments, c);
  Mask in_range = 0;
  for (int lane = 0; lane < static_cast<int>(kWarpSize); ++lane) {
    bool inside = false;
    const int from = shuffle_source<mode>(lane, offsets[lane], segments[lane], inside);
    source[lane] = ((mask >> from) & 1) != 0 ? from : lane;
    in_range |= Mask{inside} << lane;
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) result[lane] = values[source[lane]];
  copy32(to, result, mask);
  return in_range;
}

Mask shuffle(ShuffleMode mode, void* to, const void* a, const void* b, const void* c, Mask mask) {
  switch (mode) {
    case ShuffleMode::up:
      return shuffle_in_mode<ShuffleMode::up>(to, a, b, c, mask);
    case ShuffleMode::down:
      return shuffle_in_mode<ShuffleMode::down>(to, a, b, c, mask);
    case ShuffleMode::butterfly:
      return shuffle_in_mode<ShuffleMode::butterfly>(to, a, b, c, mask);
    case ShuffleMode::index:
      break;
  }
  return shuffle_in_mode<ShuffleMode::index>(to, a, b, c, mask);
}

}  // namespace

// In the other files of this level.
void multiply_matrices(const MatrixProduct& product);
Mask distinct_lanes(const std::uint32_t* words, Mask mask);
unsigned sectors(const std::uint32_t* offset, std::uint32_t phase, Mask mask);
Wavefronts wavefronts(const std::uint64_t* addresses, std::uint32_t bytes, Mask mask);

extern const LaneKernels kLaneKernelsTable;
const LaneKernels kLaneKernelsTable = {contiguous64,
                                       contiguous32,
                                       same_distances,
                                       move_if_same_distances,
                                       move_coalesced<std::uint32_t, std::uint32_t>,
                                       move_coalesced<std::uint32_t, std::uint64_t>,
                                       move_coalesced<std::uint64_t, std::uint64_t>,
                                       gather32,
                                       copy32,
                                       copy64,
                                       copy_all,
                                       fill32,
                                       fill64,
                                       shift_lanes<std::uint32_t>,
                                       shift_lanes<std::uint64_t>,
                                       add64,
                                       add32,
                                       span,
                                       sectors,
                                       distinct_lanes,
                                       uniform32,
                                       shuffle,
                                       wavefronts,
                                       multiply_matrices};

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
