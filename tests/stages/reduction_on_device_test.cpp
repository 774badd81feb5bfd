// SPDX-License-Identifier: MIT
// What only a reduction of numbers that are on the device already can show: misaligned numbers, the same bits each
// time, two reductions at once, and more numbers than 32 bits count.
#include <gtest/gtest.h>

#include <cstring>

#include "stage_test.h"
#include "workbook/reduction_problem.h"

namespace workbook {
namespace {

const ReductionProblem& problem() { return dynamic_cast<const ReductionProblem&>(this_problem()); }

TEST(OnDevice, MisalignedNumbersLoseNoHeadAndNoTail) {
  for (const std::size_t misalign : ReductionProblem::test_misalignments) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}, std::size_t{4095},
                                   std::size_t{4096}, std::size_t{4097}, std::size_t{100'003}}) {
      for (const Distribution distribution : {Distribution::exact, Distribution::uniform}) {
        Settings settings = ReductionProblem::settings(distribution, size, kDefaultSeed);
        settings.own["misalign"] = std::to_string(misalign);
        if (!matches_with_block_sizes(problem(), settings, ReductionProblem::test_block_sizes)) return;
      }
    }
  }
}

std::uint32_t bits_of(const float* device_sum, cudaStream_t stream) {
  float sum = 0.0f;
  CUDA_CHECK(cudaMemcpyAsync(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits;
}

// Numbers on the device, and what one reduction needs.
struct Numbers {
  Numbers(Distribution distribution, std::size_t n, std::uint32_t seed)
      : host(make_input(distribution, n, seed)), device(n), workspace(n, 32) {
    CUDA_CHECK(cudaMemcpy(device.data(), host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  }
  const float* reduce(unsigned block_size, cudaStream_t stream) const {
    return reduce_on_device(device.data(), host.size(), block_size, workspace.on(stream));
  }

  std::vector<float> host;
  DeviceArray<float> device;
  WorkspaceMemory workspace;
};

TEST(OnDevice, AThousandRepeatsGiveOneBitPattern) {
  const Numbers numbers(Distribution::signed_uniform, 300'001, kDefaultSeed);
  const std::uint32_t first = bits_of(numbers.reduce(128, nullptr), nullptr);
  for (int i = 1; i < 1000; ++i) {
    ASSERT_EQ(bits_of(numbers.reduce(128, nullptr), nullptr), first) << "repeat " << i;
  }
}

TEST(OnDevice, TwoStreamsAtOnceDoNotMeet) {
  const Numbers one(Distribution::exact, 200'003, 1);
  const Numbers other(Distribution::exact, 150'001, 2);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 20; ++i) {
    const float* const one_sum = one.reduce(64, streams[0]);
    const float* const other_sum = other.reduce(64, streams[1]);
    float sums[2];
    const std::uint32_t bits[2] = {bits_of(one_sum, streams[0]), bits_of(other_sum, streams[1])};
    std::memcpy(sums, bits, sizeof sums);
    ASSERT_EQ(sums[0], reference_sum(one.host.data(), one.host.size()).sum) << "round " << i;
    ASSERT_EQ(sums[1], reference_sum(other.host.data(), other.host.size()).sum) << "round " << i;
  }
  for (const cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
}

}  // namespace
}  // namespace workbook
