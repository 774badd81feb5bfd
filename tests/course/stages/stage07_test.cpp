// SPDX-License-Identifier: MIT
// What stage 07 promises beyond its sums: the same bits each time, two reductions at once, and more numbers than 32
// bits count.
#include <gtest/gtest.h>

#include <cstring>

#include "workbook/case/device.h"
#include "workbook/case/device_memory.h"
#include "workbook/case/problem.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/sums/statistics/statistics_input.h"
#include "workbook/problem/sums/statistics/statistics_reference.h"
#include "workbook/student/reduction.h"

namespace workbook {
namespace {

std::uint32_t bits_of(const float* device_sum, cudaStream_t stream) {
  float sum = 0.0f;
  CUDA_CHECK(cudaMemcpyAsync(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits;
}

// What a reduction of n numbers in blocks of 32 or more works in.
class Memory {
 public:
  explicit Memory(std::size_t n, unsigned smallest_block = 32)
      : partial_sums_((n + smallest_block - 1) / smallest_block), next_partial_sums_(partial_sums_.size()) {}
  Workspace on(cudaStream_t stream) const {
    return {partial_sums_.data(), next_partial_sums_.data(), ticket_.data(), stream};
  }

 private:
  DeviceArray<float> partial_sums_;
  DeviceArray<float> next_partial_sums_;
  Ticket ticket_;
};

// Numbers on the device, and what one reduction needs.
struct NumbersOnDevice {
  NumbersOnDevice(Numbers numbers, std::size_t n, std::uint32_t seed)
      : host(make_numbers<float>(numbers, Operation::sum, n, seed)), device(n), memory(n) {
    CUDA_CHECK(cudaMemcpy(device.data(), host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  }
  const float* reduce(unsigned block_size, cudaStream_t stream) const {
    return reduce_on_device(device.data(), host.size(), block_size, memory.on(stream));
  }
  double sum() const { return reference_statistic<float>(Operation::sum, {{host.data(), host.size()}}).value; }

  std::vector<float> host;
  DeviceArray<float> device;
  Memory memory;
};

TEST(OnDevice, AThousandRepeatsGiveOneBitPattern) {
  const NumbersOnDevice numbers(Numbers::signed_uniform, 300'001, kDefaultSeed);
  const std::uint32_t first = bits_of(numbers.reduce(128, nullptr), nullptr);
  for (int i = 1; i < 1000; ++i) {
    ASSERT_EQ(bits_of(numbers.reduce(128, nullptr), nullptr), first) << "repeat " << i;
  }
}

TEST(OnDevice, TwoStreamsAtOnceDoNotMeet) {
  const NumbersOnDevice one(Numbers::exact, 200'003, 1);
  const NumbersOnDevice other(Numbers::exact, 150'001, 2);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 20; ++i) {
    const float* const one_sum = one.reduce(64, streams[0]);
    const float* const other_sum = other.reduce(64, streams[1]);
    float sums[2];
    const std::uint32_t bits[2] = {bits_of(one_sum, streams[0]), bits_of(other_sum, streams[1])};
    std::memcpy(sums, bits, sizeof sums);
    ASSERT_EQ(sums[0], one.sum()) << "round " << i;
    ASSERT_EQ(sums[1], other.sum()) << "round " << i;
  }
  for (const cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
}

// Zeros, but for a power of two at each place that an index of 31 or 32 bits, or a lost head or tail, would miss. The
// sum shows which are in it.
TEST(OnDevice, MoreNumbersThanAnIntCounts) {
  constexpr std::size_t kSize = (std::size_t{1} << 31) + 5;
  constexpr std::size_t kPlaces[] = {0, 3, kSize / 2, kSize - 7, kSize - 6, kSize - 5, kSize - 4, kSize - 1};
  constexpr unsigned kSmallestBlock = 128;
  const Device device = current_device();
  if (device.is_simulated) GTEST_SKIP() << "8 GiB of numbers would take a simulator minutes";
  if (device.free_bytes < 10 * (kSize / 2)) GTEST_SKIP() << device.name << " has less than 10 GiB free";
  DeviceArray<float> memory(kSize + 1);
  const Memory workspace(kSize, kSmallestBlock);
  for (const std::size_t misalign : {std::size_t{0}, std::size_t{1}}) {
    float* const numbers = memory.data() + misalign;
    CUDA_CHECK(cudaMemset(memory.data(), 0xFF, memory.size_bytes()));  // what lies around the numbers is NaN
    CUDA_CHECK(cudaMemset(numbers, 0, kSize * sizeof(float)));
    float sum = 0.0f, power = 1.0f;
    for (const std::size_t place : kPlaces) {
      CUDA_CHECK(cudaMemcpy(numbers + place, &power, sizeof power, cudaMemcpyHostToDevice));
      sum += power;
      power *= 2;
    }
    for (const unsigned block_size : {kSmallestBlock, 1024u}) {
      float got = 0.0f;
      const std::uint32_t bits = bits_of(reduce_on_device(numbers, kSize, block_size, workspace.on(nullptr)), nullptr);
      std::memcpy(&got, &bits, sizeof got);
      EXPECT_EQ(got, sum) << "misalign " << misalign << ", blocks of " << block_size;
    }
  }
}

}  // namespace
}  // namespace workbook
