// SPDX-License-Identifier: MIT
// Distinct words and sectors among the lanes of an access, and passes over the banks of shared memory.
#include "vector/lane_kernels.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

#if defined(__AVX512CD__)

Mask distinct_lanes(const std::uint32_t* words, Mask mask) {
  const auto low_lanes = static_cast<__mmask16>(mask), high_lanes = static_cast<__mmask16>(mask >> 16);
  const __m512i low = _mm512_loadu_si512(words);
  const __m512i high = _mm512_loadu_si512(words + 16);
  // The lane's bit stays where no lane before it has the same word. First each half is searched, then the low half for
  // the high one.
  const auto first_of_its_word = [](__m512i half, __mmask16 lanes) {
    return _mm512_mask_testn_epi32_mask(lanes, _mm512_conflict_epi32(half), _mm512_set1_epi32(lanes));
  };
  Mask distinct = first_of_its_word(low, low_lanes);
  if (high_lanes == 0) return distinct;
  const __mmask16 of_high = first_of_its_word(high, high_lanes);
  if (low_lanes == 0) return Mask{of_high} << 16;
  // All inactive lanes of the low half repeat an active one. The high half is compared with the low half in sixteen
  // turns.
  const __m512i some = _mm512_set1_epi32(static_cast<int>(words[__builtin_ctz(low_lanes)]));
  const __m512i met = _mm512_mask_blend_epi32(low_lanes, some, low);
  constexpr __mmask16 kAll = 0xffff;
  __m512i turn = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);  // modulo 16
  __m512i differs = _mm512_set1_epi32(-1);
  for (unsigned i = 0; i < 16; ++i) {
    const __m512i difference = _mm512_xor_si512(high, _mm512_maskz_permutexvar_epi32(kAll, turn, met));
    differs = _mm512_maskz_min_epu32(kAll, differs, difference);
    turn = _mm512_add_epi32(turn, _mm512_set1_epi32(1));
  }
  return distinct | Mask{_mm512_mask_test_epi32_mask(of_high, differs, differs)} << 16;
}

#elif defined(__AVX2__)

Mask distinct_lanes(const std::uint32_t* words, Mask mask) {
  if (mask == 0) return 0;
  constexpr unsigned kParts = 4, kLanes = 8;
  const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i bit = _mm256_sllv_epi32(_mm256_set1_epi32(1), lane);
  // All inactive lanes repeat the first active one, which is among the distinct ones in any case.
  const __m256i some = _mm256_set1_epi32(static_cast<int>(words[first]));
  __m256i part[kParts], turned[kParts], met[kParts];  // met: there is an earlier lane with the same word
  for (unsigned i = 0; i < kParts; ++i) {
    const __m256i active = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(mask >> kLanes * i)), bit);
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + kLanes * i));
    part[i] = turned[i] = _mm256_blendv_epi8(some, all, _mm256_cmpeq_epi32(active, bit));
    met[i] = _mm256_setzero_si256();
    for (unsigned before = 0; before < i; ++before)
      met[i] = _mm256_or_si256(met[i], _mm256_cmpeq_epi32(part[i], part[before]));
  }
  // Each part is compared with those before it, turned by 0 to 7 lanes. It is compared with itself as far as lanes lie
  // behind.
  const __m256i one_before = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
  for (unsigned turn = 1; turn < kLanes; ++turn) {
    const __m256i behind = _mm256_cmpgt_epi32(lane, _mm256_set1_epi32(static_cast<int>(turn) - 1));
    for (unsigned i = 0; i < kParts; ++i) {
      turned[i] = _mm256_permutevar8x32_epi32(turned[i], one_before);
      met[i] = _mm256_or_si256(met[i], _mm256_and_si256(behind, _mm256_cmpeq_epi32(part[i], turned[i])));
      for (unsigned later = i + 1; later < kParts; ++later)
        met[later] = _mm256_or_si256(met[later], _mm256_cmpeq_epi32(part[later], turned[i]));
    }
  }
  Mask repeated = 0;
  for (unsigned i = 0; i < kParts; ++i)
    repeated |= static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(met[i]))) << kLanes * i;
  return (mask & ~repeated) | Mask{1} << first;
}

#else

// A hash sends words to places of a table. In each round a place keeps one lane, and serves the lanes whose word is
// that lane's. Words that share a place need another round, so the table is much larger than a warp.
constexpr unsigned kPlaceBits = 10;
constexpr std::uint32_t kGoldenRatio = 0x9e3779b1;  // of 2^32: spreads arithmetic progressions evenly

Mask distinct_lanes(const std::uint32_t* words, Mask mask) {
  unsigned char owner[1u << kPlaceBits];  // written before it is read, in each round
  std::uint32_t place[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) place[lane] = words[lane] * kGoldenRatio >> (32 - kPlaceBits);
  Mask distinct = 0;
  for (Mask left = mask; left != 0;) {
    for (Mask m = left; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      owner[place[lane]] = static_cast<unsigned char>(lane);
    }
    Mask served = 0;
    for (Mask m = left; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      const unsigned kept = owner[place[lane]];
      distinct |= Mask{kept == lane} << lane;
      served |= Mask{words[kept] == words[lane]} << lane;
    }
    left &= ~served;
  }
  return distinct;
}

#endif

namespace {

/// For 4 bytes a lane: the most distinct words that one bank serves.
unsigned most_words_of_a_bank(const std::uint32_t* words, Mask mask) {
  unsigned char words_of_bank[32] = {};
  unsigned most = 0;
  for (Mask m = distinct_lanes(words, mask); m != 0; m &= m - 1) {
    const unsigned count = ++words_of_bank[words[__builtin_ctz(m)] % 32];
    most = count > most ? count : most;
  }
  return most;
}

/// 64-bit accesses are served a half warp, 128-bit ones a quarter warp at a time.
template <unsigned words_per_lane>
Wavefronts wavefronts_in_parts(const std::uint64_t* addresses, Mask mask) {
  constexpr unsigned kLanes = kWarpSize / words_per_lane;
  Wavefronts result{0, 0};
  for (unsigned first = 0; first < kWarpSize; first += kLanes) {
    std::uint32_t words[kWarpSize];
    Mask asked = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned word = 0; word < words_per_lane; ++word)
        words[lane * words_per_lane + word] = static_cast<std::uint32_t>(addresses[first + lane]) / 4 + word;
      asked |= (mask >> (first + lane) & 1) * ((1u << words_per_lane) - 1) << lane * words_per_lane;
    }
    if (asked == 0) continue;
    result.count += most_words_of_a_bank(words, asked);
    ++result.least;
  }
  return result;
}

}  // namespace

unsigned sectors(const std::uint32_t* offset, std::uint32_t phase, Mask mask) {
  std::uint32_t sector[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) sector[lane] = (phase + offset[lane]) / 32;
  return static_cast<unsigned>(__builtin_popcount(distinct_lanes(sector, mask)));
}

Wavefronts wavefronts(const std::uint64_t* addresses, std::uint32_t bytes, Mask mask) {
  if (bytes == 8) return wavefronts_in_parts<2>(addresses, mask);
  if (bytes == 16) return wavefronts_in_parts<4>(addresses, mask);
  std::uint32_t words[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) words[lane] = static_cast<std::uint32_t>(addresses[lane]) / 4;
  return {most_words_of_a_bank(words, mask), 1};
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
