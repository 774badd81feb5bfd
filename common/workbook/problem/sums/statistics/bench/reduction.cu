// SPDX-License-Identifier: MIT
// The sum of n floats against cub::DeviceReduce::Sum. It is for stages that define reduce(), and for those that define
// reduce_on_device() alone. Only reduce_on_device() is timed.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peer: the stage's launches have none
#include <cub/device/device_reduce.cuh>

#include "workbook/case/ticket.h"
#include "workbook/problem/sums/statistics/bench/numbers_benchmark.h"

namespace workbook {
namespace {

class ReductionStage {
 public:
  ReductionStage(Operation, std::size_t n, unsigned block_size)
      : n_(n),
        block_size_(block_size),
        partial_sums_((n + block_size - 1) / block_size),
        next_partial_sums_(partial_sums_.size()) {}

  void launch(float* numbers) {
    sum_ = reduce_on_device(numbers, n_, block_size_,
                            {partial_sums_.data(), next_partial_sums_.data(), ticket_.data(), nullptr});
  }
  double result() const { return static_cast<double>(read_back(sum_)); }
  void forget() {
    partial_sums_.fill(0xFF);
    next_partial_sums_.fill(0xFF);
  }

 private:
  std::size_t n_;
  unsigned block_size_;
  DeviceArray<float> partial_sums_;
  DeviceArray<float> next_partial_sums_;
  Ticket ticket_;
  const float* sum_ = nullptr;
};

struct CubSum {
  using State = float;
  static const char* name() { return "cub::DeviceReduce::Sum"; }
  static double finish(float sum) { return static_cast<double>(sum); }
  static cudaError_t reduce(void* storage, std::size_t& bytes, const float* numbers, float* sum, int n) {
    return cub::DeviceReduce::Sum(storage, bytes, numbers, sum, n);
  }
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<NumbersBenchmark<float, ReductionStage, CubSum>>(settings, buffers);
}

}  // namespace workbook
