// SPDX-License-Identifier: MIT
// The loops over 32 lanes in vector/lane_kernels.h against their definitions, at every vector level.
#include "vector/lane_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../isa/isa_helpers.h"

namespace cudasim {
namespace {

constexpr int rounds = 20000;

bool in(Mask mask, unsigned lane) { return ((mask >> lane) & 1) != 0; }

class LaneKernelsTest : public ::testing::TestWithParam<Level> {
 protected:
  void SetUp() override {}
  /// Never empty; full, few, many or one lane.
  Mask mask() {
    const auto many = static_cast<Mask>(random_());
    const Mask masks[] = {~0u, many | 1u, (many & static_cast<Mask>(random_())) | 1u << 31, 1u << (many % 32)};
    return masks[random_() % 4];
  }
  std::mt19937_64 random_{11};
  const LaneKernels& kernels_ = lane_kernels(GetParam());
};

TEST_P(LaneKernelsTest, Contiguous) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    std::uint64_t wide[kWarpSize];
    std::uint32_t narrow[kWarpSize];
    const std::uint64_t first = random_();
    const std::uint32_t step = random_() % 2 == 0 ? 4 : 8;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      wide[lane] = first + lane * step;
      narrow[lane] = static_cast<std::uint32_t>(first) + 4 * lane;
    }
    const unsigned other = random_() % 32;
    const bool differs = random_() % 2 == 0;
    if (differs) {
      wide[other] ^= 1ull << (random_() % 64);
      narrow[other] ^= 1u << (random_() % 32);
    }
    ASSERT_EQ(kernels_.contiguous64(wide, first, step, m), !differs || !in(m, other));
    ASSERT_EQ(kernels_.contiguous32(narrow, static_cast<std::uint32_t>(first), m), !differs || !in(m, other));
  }
}

TEST_P(LaneKernelsTest, SameDistances) {
  for (int r = 0; r < rounds; ++r) {
    std::uint32_t offset[kWarpSize], address[kWarpSize];
    const auto begin = static_cast<std::uint32_t>(random_());
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      offset[lane] = static_cast<std::uint32_t>(random_());
      address[lane] = begin + offset[lane];
    }
    const bool differs = random_() % 2 == 0;
    if (differs) address[random_() % kWarpSize] ^= 1u << (random_() % 32);
    ASSERT_EQ(kernels_.same_distances(address, offset), !differs);
  }
}

TEST_P(LaneKernelsTest, Gather) {
  for (int r = 0; r < rounds; ++r) {
    // As long as it takes, and not a byte more: what is read behind it is found by a sanitizer.
    const std::size_t words = 1 + random_() % 100;
    std::vector<std::uint32_t> from(words);
    for (auto& word : from) word = static_cast<std::uint32_t>(random_());
    const Mask m = mask();
    std::uint32_t offset[kWarpSize], gathered[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      offset[lane] = in(m, lane) ? static_cast<std::uint32_t>(4 * (random_() % words)) : 0;
      gathered[lane] = lane;
    }
    kernels_.gather32(gathered, from.data(), 4 * words, offset, m);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      ASSERT_EQ(gathered[lane], in(m, lane) ? from[offset[lane] / 4] : lane) << words << " " << offset[lane];
  }
}

TEST_P(LaneKernelsTest, MoveIfSameDistances) {
  for (int r = 0; r < rounds; ++r) {
    const unsigned count = 1u << (random_() % 3);
    const std::uint32_t bytes = 4 * count;
    // Side by side, near each other, or anywhere; and memory that ends with the last word.
    const std::uint64_t way = random_() % 3, places = way == 1 ? 1 + random_() % 16 : 1 + random_() % 200;
    std::uint32_t offset[kWarpSize], address[kWarpSize], slots[4][kWarpSize];
    std::uint32_t last = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      offset[lane] = bytes * (way == 0 ? lane : static_cast<std::uint32_t>(random_() % places));
      last = std::max(last, offset[lane]);
    }
    const auto begin = static_cast<std::uint32_t>(random_());
    for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = begin + offset[lane];
    const bool differs = random_() % 4 == 0;
    if (differs) address[random_() % kWarpSize] ^= 1u << (random_() % 32);
    std::vector<std::uint32_t> memory((last + bytes) / 4);
    for (auto& word : memory) word = static_cast<std::uint32_t>(random_());
    for (auto& slot : slots)
      for (auto& word : slot) word = static_cast<std::uint32_t>(random_());
    std::vector<std::uint32_t> expected_memory = memory;
    std::uint32_t expected_slots[4][kWarpSize];
    std::memcpy(expected_slots, slots, sizeof slots);
    WordMove move;
    move.memory = reinterpret_cast<std::byte*>(memory.data());
    move.offset = offset;
    move.bytes = last + bytes;
    move.count = count;
    move.is_store = random_() % 2 == 0;
    for (unsigned i = 0; i < count; ++i) move.slot[i] = reinterpret_cast<std::byte*>(slots[i]);
    for (unsigned lane = 0; lane < kWarpSize && !differs; ++lane) {
      for (unsigned i = 0; i < count; ++i) {
        std::uint32_t& word = expected_memory[offset[lane] / 4 + i];
        move.is_store ? word = slots[i][lane] : expected_slots[i][lane] = word;
      }
    }
    ASSERT_EQ(kernels_.move_if_same_distances(address, move), !differs);
    ASSERT_EQ(memory, expected_memory);
    ASSERT_EQ(std::memcmp(slots, expected_slots, sizeof slots), 0) << count << " " << way;
  }
}

TEST_P(LaneKernelsTest, MoveCoalesced) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    const bool wide_elements = random_() % 2 == 0, wide_addresses = wide_elements || random_() % 2 == 0;
    const std::size_t bytes = wide_elements ? 8 : 4;
    std::uint64_t wide[kWarpSize];
    std::uint32_t narrow[kWarpSize];
    const std::uint64_t first = random_();
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      wide[lane] = first + lane * bytes;
      narrow[lane] = static_cast<std::uint32_t>(first + lane * bytes);
    }
    const unsigned other = random_() % 32;
    const bool differs = random_() % 2 == 0;
    if (differs) {
      wide[other] += bytes;
      narrow[other] += 4;
    }
    std::vector<unsigned char> from(8 * kWarpSize), to(8 * kWarpSize), expected;
    for (auto& byte : from) byte = static_cast<unsigned char>(random_());
    for (auto& byte : to) byte = static_cast<unsigned char>(random_());
    expected = to;
    const bool moves = !differs || !in(m, other);
    for (unsigned lane = 0; lane < kWarpSize && moves; ++lane) {
      if (in(m, lane)) std::copy_n(&from[bytes * lane], bytes, &expected[bytes * lane]);
    }
    const auto move = wide_elements    ? kernels_.move_coalesced64_at_64
                      : wide_addresses ? kernels_.move_coalesced32_at_64
                                       : kernels_.move_coalesced32_at_32;
    const void* const addresses = wide_addresses ? static_cast<const void*>(wide) : narrow;
    ASSERT_EQ(move(addresses, first, to.data(), from.data(), m), moves);
    ASSERT_EQ(to, expected);
  }
}

TEST_P(LaneKernelsTest, CopyAndFill) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    std::uint32_t from[kWarpSize], copied[kWarpSize], filled[kWarpSize];
    std::uint64_t from_wide[kWarpSize], copied_wide[kWarpSize], filled_wide[kWarpSize];
    const std::uint64_t value = random_();
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      from_wide[lane] = random_();
      from[lane] = static_cast<std::uint32_t>(random_());
      copied[lane] = filled[lane] = lane;
      copied_wide[lane] = filled_wide[lane] = lane;
    }
    kernels_.copy32(copied, from, m);
    kernels_.copy64(copied_wide, from_wide, m);
    kernels_.fill32(filled, value, m);
    kernels_.fill64(filled_wide, value, m);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      ASSERT_EQ(copied[lane], in(m, lane) ? from[lane] : lane);
      ASSERT_EQ(copied_wide[lane], in(m, lane) ? from_wide[lane] : lane);
      ASSERT_EQ(filled[lane], in(m, lane) ? static_cast<std::uint32_t>(value) : lane);
      ASSERT_EQ(filled_wide[lane], in(m, lane) ? value : lane);
    }
  }
}

TEST_P(LaneKernelsTest, SpanAndSectors) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    const std::uint64_t base = random_(), range = 1ull << (random_() % 45);
    std::uint64_t address[kWarpSize];
    for (auto& a : address) a = base + random_() % range;
    Span span;
    kernels_.span(address, m, span);
    std::set<std::uint64_t> addresses, sectors;
    std::uint64_t bits = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (!in(m, lane)) continue;
      addresses.insert(address[lane]);
      sectors.insert(address[lane] / 32);
      bits |= address[lane];
    }
    ASSERT_EQ(span.least, *addresses.begin());
    ASSERT_EQ(span.most, *addresses.rbegin());
    ASSERT_EQ(span.bits, bits);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      ASSERT_EQ(span.offset[lane], in(m, lane) ? static_cast<std::uint32_t>(address[lane] - span.least) : 0);
    if (span.most - span.least > ~32u) continue;
    ASSERT_EQ(kernels_.sectors(span.offset, span.least % 32, m), sectors.size());
  }
}

TEST_P(LaneKernelsTest, Distinct) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    const std::uint64_t range = r % 2 == 0 ? 1 + random_() % 64 : std::uint64_t{1} << 32;
    std::uint32_t words[kWarpSize];
    for (auto& word : words) word = static_cast<std::uint32_t>(random_() % range);
    ASSERT_EQ(kernels_.distinct(words, 0), 0u);
    const Mask distinct = kernels_.distinct(words, m);
    ASSERT_EQ(distinct & ~m, 0u);
    std::multiset<std::uint32_t> chosen;
    std::set<std::uint32_t> all;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (in(distinct, lane)) chosen.insert(words[lane]);
      if (in(m, lane)) all.insert(words[lane]);
    }
    ASSERT_TRUE(std::equal(chosen.begin(), chosen.end(), all.begin(), all.end()));
  }
}

TEST_P(LaneKernelsTest, Wavefronts) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    const std::uint32_t bytes = 1u << (random_() % 5);
    const unsigned lanes_per_part = bytes <= 4 ? 32 : 128 / bytes;
    const std::uint64_t stride = random_() % 40, range = 1 + random_() % 4096;
    std::uint64_t address[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      address[lane] = bytes * (random_() % 2 == 0 ? lane * stride : random_() % range);
    unsigned count = 0, least = 0;
    for (unsigned first = 0; first < kWarpSize; first += lanes_per_part) {
      std::set<std::uint64_t> words_of[32];
      std::size_t most = 0;
      for (unsigned lane = first; lane < first + lanes_per_part; ++lane) {
        for (std::uint64_t w = address[lane] / 4; in(m, lane) && w <= (address[lane] + bytes - 1) / 4; ++w) {
          words_of[w % 32].insert(w);
          most = std::max(most, words_of[w % 32].size());
        }
      }
      count += static_cast<unsigned>(most);
      least += most != 0;
    }
    const Wavefronts got = kernels_.wavefronts(address, bytes, m);
    ASSERT_EQ(got.count, count);
    ASSERT_EQ(got.least, least);
  }
}

TEST_P(LaneKernelsTest, Uniform) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    std::uint32_t words[kWarpSize];
    const auto one = static_cast<std::uint32_t>(random_());
    for (auto& word : words) word = one;
    const unsigned other = random_() % 32;
    words[other] ^= 1u << (random_() % 32);
    ASSERT_EQ(kernels_.uniform32(words, m), !in(m, other) || m == 1u << other);
  }
}

/// The text of the manual, "shfl.sync", lane by lane; `d` may be one of the others.
Mask shuffle(ShuffleMode mode, std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
             Mask mask) {
  std::uint32_t result[kWarpSize];
  Mask valid = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned bval = b[lane] & 0x1f, cval = c[lane] & 0x1f, segment = (c[lane] >> 8) & 0x1f;
    const unsigned max_lane = (lane & segment) | (cval & ~segment), min_lane = lane & segment;
    int j = 0;
    bool p = false;
    switch (mode) {
      case ShuffleMode::up:
        j = static_cast<int>(lane - bval);
        p = j >= static_cast<int>(max_lane);
        break;
      case ShuffleMode::down:
        j = static_cast<int>(lane + bval);
        p = j <= static_cast<int>(max_lane);
        break;
      case ShuffleMode::butterfly:
        j = static_cast<int>(lane ^ bval);
        p = j <= static_cast<int>(max_lane);
        break;
      case ShuffleMode::index:
        j = static_cast<int>(min_lane | (bval & ~segment));
        p = j <= static_cast<int>(max_lane);
        break;
    }
    if (!p) j = static_cast<int>(lane);
    if (!in(mask, static_cast<unsigned>(j))) j = static_cast<int>(lane);
    result[lane] = a[j];
    valid |= Mask{p} << lane;
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (in(mask, lane)) d[lane] = result[lane];
  }
  return valid;
}

TEST_P(LaneKernelsTest, Shuffle) {
  for (int r = 0; r < rounds; ++r) {
    const Mask m = mask();
    std::uint32_t want[4][kWarpSize], got[4][kWarpSize];
    const bool by_lane = random_() % 2 == 0;
    const auto b = static_cast<std::uint32_t>(random_()), c = static_cast<std::uint32_t>(random_());
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      want[0][lane] = static_cast<std::uint32_t>(random_());
      want[1][lane] = static_cast<std::uint32_t>(random_());
      want[2][lane] = by_lane ? static_cast<std::uint32_t>(random_()) : b;
      want[3][lane] = by_lane ? static_cast<std::uint32_t>(random_()) : c;
    }
    std::memcpy(got, want, sizeof got);
    const auto mode = static_cast<ShuffleMode>(random_() % 4);
    const auto d = random_() % 4;  // one of the sources three times in four
    const Mask valid = shuffle(mode, want[d], want[1], want[2], want[3], m);
    ASSERT_EQ(kernels_.shuffle(mode, got[d], got[1], got[2], got[3], m) & m, valid & m);
    ASSERT_EQ(std::memcmp(got, want, sizeof got), 0);
  }
}

TEST_P(LaneKernelsTest, AMatrixProductWritesItsRowsAlone) {
  constexpr unsigned size = 8, one = 0x3c00;  // 1 as f16
  std::vector<std::uint32_t> a(size * size, one), b(size * size, one), c(size * size, 0), d(2 * size * size, 7);
  kernels_.multiply_matrices({a.data(), b.data(), c.data(), d.data(), size, size, size, size, MatrixElement::f16,
                              MatrixElement::f16, MatrixElement::f32, MatrixElement::f32, false});
  EXPECT_EQ(std::count(d.begin(), d.begin() + size * size, 0x41000000u), size * size) << "8 as float";
  EXPECT_EQ(std::count(d.begin() + size * size, d.end(), 7u), size * size);
}

INSTANTIATE_TEST_SUITE_P(All, LaneKernelsTest, ::testing::ValuesIn(levels_to_test()),
                         [](const auto& info) { return level_name(info.param); });

}  // namespace
}  // namespace cudasim
