// SPDX-License-Identifier: MIT
// What stage 28 promises beyond the lists of hits: its rounds may come to their end (stages/stage28/tiles.cuh).
#include <gtest/gtest.h>

#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/student/find.h"

namespace workbook {

TEST(FindAll, GoesOnBehindTheLastRound) {
  constexpr std::size_t kSize = 100'003;
  constexpr unsigned kX = 77, kLastRound = (1u << 30) - 1;
  std::vector<unsigned> host(kSize), expected;
  for (std::size_t i = 5; i < kSize; i += 1000) {
    host[i] = kX;
    expected.push_back(static_cast<unsigned>(i));
  }
  const DeviceArray<unsigned> keys(kSize), indices(expected.size()), count(1), numbers(find_all_numbers(kSize));
  CUDA_CHECK(cudaMemcpy(keys.data(), host.data(), keys.size_bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(numbers.data(), 0, numbers.size_bytes()));
  const unsigned board[2] = {0, kLastRound - 2};  // tiles drawn, and the round of the search before
  CUDA_CHECK(cudaMemcpy(numbers.data(), board, sizeof board, cudaMemcpyHostToDevice));
  for (int search = 0; search < 4; ++search) {
    CUDA_CHECK(cudaMemset(indices.data(), 0xFF, indices.size_bytes()));
    find_all_on_device(keys.data(), kSize, kX, {indices.data(), indices.size(), count.data()}, 64,
                       {numbers.data(), nullptr});
    EXPECT_EQ(read_back(count.data()), expected.size()) << "search " << search;
    EXPECT_EQ(read_back(indices.data(), expected.size(), nullptr), expected) << "search " << search;
  }
}

}  // namespace workbook
