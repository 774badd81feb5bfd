// SPDX-License-Identifier: MIT
// Compiled once for each level, see isa/: CUDASIM_LEVEL_NAMESPACE is the level's name. No standard library here: an
// inline function of it, compiled for AVX-512, could end up in code that runs on older machines.
#include "machine/lane_kernels.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

#if defined(__AVX512F__)

bool contiguous64(const std::uint64_t* addresses, std::uint64_t first, std::uint32_t step, Mask mask) {
  // The maskz forms: gcc 12 takes the plain ones for reads of something uninitialised.
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
    for (unsigned lane = 0; lane < warp_size; ++lane) differs |= addresses[lane] ^ (first + lane * step);
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
    for (unsigned lane = 0; lane < warp_size; ++lane) differs |= addresses[lane] ^ (first + lane * 4);
    return differs == 0;
  }
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    if (addresses[lane] != first + lane * 4) return false;
  }
  return true;
}

template <class T>
void copy_lanes(void* to, const void* from, Mask mask) {
  auto* d = static_cast<unsigned char*>(to);
  const auto* s = static_cast<const unsigned char*>(from);
  if (mask == ~0u) {
    __builtin_memcpy(d, s, sizeof(T) * warp_size);
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
  T all[warp_size];
  for (T& lane : all) lane = static_cast<T>(value);
  copy_lanes<T>(to, all, mask);
}
void fill32(void* to, std::uint64_t value, Mask mask) { fill_lanes<std::uint32_t>(to, value, mask); }
void fill64(void* to, std::uint64_t value, Mask mask) { fill_lanes<std::uint64_t>(to, value, mask); }

#endif

unsigned wavefronts32(const std::uint32_t* addresses, Mask mask) {
  // Lanes of the same bank are chained; a lane that asks for a word its bank is asked for already costs nothing.
  int head[32], previous[warp_size];
  unsigned char words[32];
  __builtin_memset(head, -1, sizeof head);
  __builtin_memset(words, 0, sizeof words);
  unsigned most = 1;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint32_t word = addresses[lane] / 4;
    const unsigned bank = word % 32;
    int other = head[bank];
    while (other >= 0 && addresses[other] / 4 != word) other = previous[other];
    if (other >= 0) continue;
    previous[lane] = head[bank];
    head[bank] = static_cast<int>(lane);
    words[bank] = static_cast<unsigned char>(words[bank] + 1);
    if (words[bank] > most) most = words[bank];
  }
  return most;
}

}  // namespace

extern const LaneKernels lane_kernels_table;
const LaneKernels lane_kernels_table = {contiguous64, contiguous32, copy32, copy64, fill32, fill64, wavefronts32};

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
