// SPDX-License-Identifier: MIT
// What stage 08 promises beyond its statistics: one bit pattern from many runs, and no overflow beside the identity.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "workbook/case/device_memory.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {
namespace {

// The bits of a statistic of numbers that stay on the device, call after call.
template <typename T>
std::set<std::uint64_t> bits_of_calls(Operation operation, std::size_t n, unsigned block_size, int calls) {
  const std::vector<T> host = make_numbers<T>(Numbers::shifted, operation, n, kDefaultSeed);
  const DeviceArray<T> numbers(n);
  CUDA_CHECK(cudaMemcpy(numbers.data(), host.data(), numbers.size_bytes(), cudaMemcpyHostToDevice));
  const DeviceArray<unsigned char> partials(partials_bytes(n, block_size));
  const DeviceArray<double> result(1);
  const Ticket ticket;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < calls; ++i) {
    statistic_on_device<T>(operation, numbers.data(), n, block_size,
                           {partials.data(), ticket.data(), result.data(), nullptr});
    std::uint64_t bits = 0;
    CUDA_CHECK(cudaMemcpy(&bits, result.data(), sizeof bits, cudaMemcpyDeviceToHost));
    seen.insert(bits);
  }
  return seen;
}

TEST(OnDevice, TwoHundredCallsGiveOneBitPattern) {
  for (const Operation operation : StatisticsProblem::operations) {
    EXPECT_EQ(bits_of_calls<float>(operation, 10'007, 128, 200).size(), 1u) << name_of(operation);
    EXPECT_EQ(bits_of_calls<double>(operation, 10'007, 128, 200).size(), 1u) << name_of(operation);
  }
}

// The square of such a number is infinite, and their deviation is 0.
TEST(OnDevice, LargeDoublesThatAreEqualHaveNoDeviation) {
  for (const double number : {1e153, 1e154, 1e300}) {
    const std::vector<double> host(1000, number);
    const DeviceArray<double> numbers(host.size()), result(1);
    CUDA_CHECK(cudaMemcpy(numbers.data(), host.data(), numbers.size_bytes(), cudaMemcpyHostToDevice));
    const DeviceArray<unsigned char> partials(partials_bytes(host.size(), 128));
    const Ticket ticket;
    statistic_on_device<double>(Operation::deviation, numbers.data(), host.size(), 128,
                                {partials.data(), ticket.data(), result.data(), nullptr});
    EXPECT_EQ(read_back(result.data()), 0.0) << number;
  }
}

}  // namespace
}  // namespace workbook
