// SPDX-License-Identifier: MIT
// What stage 41 promises beyond its scans: its rounds may come to their end (stages/stage41/tiles.cuh).
#include <gtest/gtest.h>

#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/student/scan.h"

namespace workbook {

TEST(ScanInOnePass, GoesOnBehindTheLastRound) {
  constexpr std::size_t kSize = 20'003;
  constexpr unsigned kLastRound = (1u << 30) - 1;
  const std::vector<int> ones(kSize, 1);
  std::vector<int> expected(kSize);
  for (std::size_t i = 0; i < kSize; ++i) expected[i] = static_cast<int>(i + 1);
  const DeviceArray<int> input(kSize), output(kSize);
  const DeviceArray<unsigned long long> words(scan_words(kSize));
  CUDA_CHECK(cudaMemcpy(input.data(), ones.data(), input.size_bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(words.data(), 0, words.size_bytes()));
  const unsigned board[2] = {0, kLastRound - 2};  // tiles drawn, and the round of the scan before
  CUDA_CHECK(cudaMemcpy(words.data(), board, sizeof board, cudaMemcpyHostToDevice));
  for (int scan = 0; scan < 4; ++scan) {
    CUDA_CHECK(cudaMemset(output.data(), 0xFF, output.size_bytes()));
    scan_on_device<int>(Scan::inclusive, input.data(), output.data(), kSize, 64, {words.data(), nullptr});
    EXPECT_EQ(read_back(output.data(), kSize, nullptr), expected) << "scan " << scan;
  }
}

}  // namespace workbook
