// SPDX-License-Identifier: MIT
// Who stored an undefined value: compared with a map that keeps the last store of each element.
#include "checkers/init/stored_values.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "state/grid.h"

namespace cudasim {
namespace {

constexpr std::uint64_t kBegin = 0x700000000000;

TEST(StoredValues, TheLastStoreOfAnElementIsKnown) {
  std::mt19937 random(12345);
  StoredValues stored;
  EXPECT_TRUE(stored.empty());
  struct Known {
    std::uint32_t store;
    std::array<std::uint32_t, 3> block, thread;
  };
  std::map<std::uint64_t, Known> model;
  for (std::uint32_t store = 0; store < 4000; ++store) {
    const std::uint64_t line = kBegin + random() % 64 * StoredValues::kLineBytes;
    const std::array<std::uint32_t, 3> block{store, 1, 2};
    if (random() % 2 == 0) {
      const std::uint32_t element = random() % 2 == 0 ? 4 : 8, lane_bytes = element * (random() % 2 == 0 ? 1 : 2);
      const std::uint32_t warp = random() % 8;
      const Dim3 block_size{16, 8, 2};
      stored.put_lines(store, line, {block, block_size, warp, lane_bytes, element});
      for (std::uint32_t byte = 0; byte < 32 * lane_bytes; byte += 4) {
        if (byte % element == 0) {
          model[line + byte] = {store, block, thread_index(block_size, warp, byte / lane_bytes)};
        } else {
          model.erase(line + byte);
        }
      }
    } else {
      std::uint64_t addresses[32];
      StoredValues::Thread threads[32];
      const unsigned count = 1 + random() % 32;
      for (unsigned i = 0; i < count; ++i) {
        addresses[i] = line + i * 4;
        threads[i] = {block, {i, store, 0}};
        model[addresses[i]] = {store, block, threads[i].thread};
      }
      stored.put(store, addresses, threads, count);
    }
  }
  EXPECT_FALSE(stored.empty());
  unsigned looked_at = 0;
  for (const auto& [address, known] : model) {
    const auto found = stored.find(address);
    ASSERT_TRUE(found) << address;
    EXPECT_EQ(found->store, known.store);
    EXPECT_EQ(found->thread.block, known.block);
    EXPECT_EQ(found->thread.thread, known.thread);
    ++looked_at;
  }
  EXPECT_GT(looked_at, 1000u);
  EXPECT_FALSE(stored.find(kBegin - 4));
  EXPECT_FALSE(stored.find(kBegin + 4096 * StoredValues::kLineBytes));
}

TEST(StoredValues, TheMiddleOfAnElementIsNoElement) {
  StoredValues stored;
  stored.put_lines(7, kBegin, {{}, Dim3{32, 1, 1}, 0, 8, 8});
  EXPECT_TRUE(stored.find(kBegin + 8));
  EXPECT_FALSE(stored.find(kBegin + 4));
  EXPECT_EQ(stored.find(kBegin + StoredValues::kLineBytes)->thread.thread[0], 16u);
}

}  // namespace
}  // namespace cudasim
