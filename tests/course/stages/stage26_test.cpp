// SPDX-License-Identifier: MIT
// What stage 26 promises beyond one search: the first of many hits each time, two searches at once, and more keys than
// 32 bits count.
#include <gtest/gtest.h>

#include "workbook/case/device.h"
#include "workbook/case/device_memory.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/searches/find/find_problem.h"

namespace workbook {
namespace {

class Search {
 public:
  Search() : first_(1), result_(1) { first_.fill(0xFF); }
  void launch(const unsigned* keys, std::size_t n, unsigned x, unsigned block_size, cudaStream_t stream) const {
    find_on_device(keys, n, x, block_size, {first_.data(), ticket_.data(), result_.data(), stream});
  }
  unsigned long long result(cudaStream_t stream) const { return read_back(result_.data(), stream); }

 private:
  DeviceArray<unsigned long long> first_, result_;
  Ticket ticket_;
};

struct KeysOnDevice {
  KeysOnDevice(Places places, std::size_t n, std::size_t at, std::uint32_t seed) : n(n), keys(n) {
    CUDA_CHECK(cudaMemcpy(keys.data(), make_keys<unsigned>(places, kX, n, at, seed).data(), keys.size_bytes(),
                          cudaMemcpyHostToDevice));
  }
  static constexpr unsigned kX = 77;
  std::size_t n;
  DeviceArray<unsigned> keys;
};

TEST(Find, AThousandRepeatsGiveTheFirst) {
  const KeysOnDevice keys(Places::ends, 300'001, 123'456, 1);
  const Search search;
  const int repeats = current_device().is_simulated ? 100 : 1000;
  for (int i = 0; i < repeats; ++i) {
    search.launch(keys.keys.data(), keys.n, KeysOnDevice::kX, 64, nullptr);
    ASSERT_EQ(search.result(nullptr), 123'456u) << "repeat " << i;
  }
}

TEST(Find, TwoStreamsAtOnceDoNotMeet) {
  const KeysOnDevice keys[2] = {{Places::ends, 200'003, 150'000, 1}, {Places::none, 150'001, 0, 2}};
  const Search searches[2];
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 2; ++j) searches[j].launch(keys[j].keys.data(), keys[j].n, KeysOnDevice::kX, 64, streams[j]);
    EXPECT_EQ(searches[0].result(streams[0]), 150'000u) << "round " << i;
    EXPECT_EQ(searches[1].result(streams[1]), 150'001u) << "round " << i;
  }
  for (const cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
}

TEST(Find, MoreKeysThan32BitsCount) {
  constexpr std::size_t kSize = (std::size_t{1} << 32) + 5;
  const Device device = current_device();
  if (device.is_simulated) GTEST_SKIP() << "16 GiB of keys would take a simulator minutes";
  if (device.free_bytes < 9 * (kSize / 2)) GTEST_SKIP() << device.name << " has less than 18 GiB free";
  DeviceArray<unsigned> keys(kSize);
  keys.fill(0);
  const Search search;
  const auto found = [&](std::size_t n) {
    search.launch(keys.data(), n, KeysOnDevice::kX, 256, nullptr);
    return search.result(nullptr);
  };
  EXPECT_EQ(found(kSize), kSize);
  const unsigned x = KeysOnDevice::kX;
  for (const std::size_t at : {kSize - 1, kSize - 2, (std::size_t{1} << 32) - 1, (std::size_t{1} << 31) + 3}) {
    CUDA_CHECK(cudaMemcpy(keys.data() + at, &x, sizeof x, cudaMemcpyHostToDevice));
    EXPECT_EQ(found(kSize), at);
  }
}

}  // namespace
}  // namespace workbook
