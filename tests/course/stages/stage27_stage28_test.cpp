// SPDX-License-Identifier: MIT
// What stages that find all hits promise beyond one search. They give the same list each time, search twice at once,
// and have indices of 32 bits without a sign.
#include <gtest/gtest.h>

#include <vector>

#include "workbook/case/device.h"
#include "workbook/case/device_memory.h"
#include "workbook/problem/searches/find/find_problem.h"

namespace workbook {

/// A search among keys on the device, with a workspace of its own.
class SearchForAll {
 public:
  SearchForAll(Places places, std::size_t n, std::uint32_t seed)
      : keys_(n), indices_(n), count_(1), numbers_(find_all_numbers(n)) {
    const std::vector<unsigned> keys = make_keys<unsigned>(places, kX, n, 0, seed);
    for (std::size_t i = 0; i < n; ++i) {
      if (keys[i] == kX) expected_.push_back(static_cast<unsigned>(i));
    }
    CUDA_CHECK(cudaMemcpy(keys_.data(), keys.data(), keys_.size_bytes(), cudaMemcpyHostToDevice));
    numbers_.fill(0);
    CUDA_CHECK(cudaDeviceSynchronize());  // streams of others do not wait for it
  }
  void launch(cudaStream_t stream) {
    indices_.fill(0xFF, stream);
    find_all_on_device(static_cast<const unsigned*>(keys_.data()), keys_.size(), kX,
                       {indices_.data(), indices_.size(), count_.data()}, 64, {numbers_.data(), stream});
  }
  bool is_right(cudaStream_t stream) const {
    return read_back(count_.data(), stream) == expected_.size() &&
           read_back(indices_.data(), expected_.size(), stream) == expected_;
  }

 private:
  static constexpr unsigned kX = 77;
  DeviceArray<unsigned> keys_, indices_, count_, numbers_;
  std::vector<unsigned> expected_;
};

TEST(FindAll, ManyRepeatsGiveOneList) {
  SearchForAll search(Places::sixteenth, 300'001, 1);
  const int repeats = current_device().is_simulated ? 30 : 1000;
  for (int i = 0; i < repeats; ++i) {
    search.launch(nullptr);
    ASSERT_TRUE(search.is_right(nullptr)) << "repeat " << i;
  }
}

TEST(FindAll, TwoStreamsAtOnceDoNotMeet) {
  SearchForAll searches[2] = {{Places::sixteenth, 200'003, 1}, {Places::runs, 150'001, 2}};
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 2; ++j) searches[j].launch(streams[j]);
    for (int j = 0; j < 2; ++j) EXPECT_TRUE(searches[j].is_right(streams[j])) << "round " << i << ", search " << j;
  }
  for (const cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
}

TEST(FindAll, IndicesPast31Bits) {
  constexpr std::size_t kSize = (std::size_t{1} << 31) + 70'001;
  const Device device = current_device();
  if (device.is_simulated) GTEST_SKIP() << "8 GiB of keys would take a simulator minutes";
  if (device.free_bytes < 10 * (kSize / 2)) GTEST_SKIP() << device.name << " has less than 10 GiB free";
  DeviceArray<unsigned> keys(kSize), indices(8), count(1), numbers(find_all_numbers(kSize));
  keys.fill(0);
  numbers.fill(0);
  const std::vector<unsigned> places{0, 12'345, 0x7FFFFFFF, 0x80000000, 0x80000001, 0x80000000 + 70'000};
  const unsigned x = 77;
  for (const unsigned place : places) {
    CUDA_CHECK(cudaMemcpy(keys.data() + place, &x, sizeof x, cudaMemcpyHostToDevice));
  }
  find_all_on_device(static_cast<const unsigned*>(keys.data()), kSize, x, {indices.data(), 8, count.data()}, 256,
                     {numbers.data(), nullptr});
  EXPECT_EQ(read_back(count.data()), places.size());
  EXPECT_EQ(read_back(indices.data(), places.size(), nullptr), places);
}

}  // namespace workbook
