// SPDX-License-Identifier: MIT
// Softmax or RMS norm of rows against a copy: it moves the same bytes, and computes nothing. The check compares every
// element with a reference in double, which the device computes as well. It is for .cu files.
#pragma once

#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/problem/sums/rows/rows_problem.h"

namespace workbook {

constexpr unsigned kCheckThreads = 256;

/// The sum over a block, for all its threads; the largest instead where `is_max`.
__device__ inline double of_all_threads(double mine, bool is_max) {
  __shared__ double of_threads[kCheckThreads];
  __syncthreads();
  of_threads[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = kCheckThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      double& own = of_threads[threadIdx.x];
      own = is_max ? fmax(own, of_threads[threadIdx.x + half]) : own + of_threads[threadIdx.x + half];
    }
    __syncthreads();
  }
  return of_threads[0];
}

/// Keeps the worst relative error, in units of 2^-24. For softmax an element with a difference d from the maximum has 4
/// |d| units free: these are not of the sum. Launch: a block of kCheckThreads for each row.
__global__ void find_worst_row(RowOperation operation, const float* input, const float* output, std::size_t columns,
                               unsigned* worst) {
  const float* const x = input + blockIdx.x * columns;
  const float* const y = output + blockIdx.x * columns;
  const bool is_softmax = operation == RowOperation::softmax;
  double max = -INFINITY, sum = 0.0;
  for (std::size_t j = threadIdx.x; j < columns; j += kCheckThreads) max = fmax(max, static_cast<double>(x[j]));
  max = of_all_threads(max, true);
  for (std::size_t j = threadIdx.x; j < columns; j += kCheckThreads) {
    const auto number = static_cast<double>(x[j]);
    sum += is_softmax ? exp(number - max) : number * number;
  }
  sum = of_all_threads(sum, false);
  const double factor = 1.0 / sqrt(sum / static_cast<double>(columns) + static_cast<double>(kRmsEpsilon));
  for (std::size_t j = threadIdx.x; j < columns; j += kCheckThreads) {
    const auto number = static_cast<double>(x[j]);
    const double wanted = is_softmax ? exp(number - max) / sum : number * factor;
    const double error = fabs(static_cast<double>(y[j]) - wanted), free = is_softmax ? 4.0 * (max - number) : 0.0;
    const double units = error == 0.0 ? 0.0 : fmax(0.0, error / (0x1p-24 * fabs(wanted)) - free);
    atomicMax(worst, __float_as_uint(units < 1e30 ? static_cast<float>(units) : INFINITY));
  }
}

/// The benchmark of rows.
class RowsBenchmark final : public Benchmark {
 public:
  RowsBenchmark(const Settings& settings, std::size_t buffers)
      : problem_(static_cast<const RowsProblem&>(this_problem())),
        operation_(problem_.operation(settings)),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        block_size_(settings.block.x),
        inputs_(numbers(settings, period_size(Inputs::total_size(rows_ * columns_, buffers))), rows_ * columns_,
                buffers),
        output_(rows_ * columns_),
        words_(row_words(rows_, columns_)),
        worst_(1),
        peers_{{"cudaMemcpyAsync", "", [this](std::size_t turn) {
                  CUDA_CHECK(cudaMemcpyAsync(output_.data(), inputs_.input(turn), rows_ * columns_ * sizeof(float),
                                             cudaMemcpyDeviceToDevice));
                }}} {}

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override {
    problem_.launch(operation_, {inputs_.input(turn), rows_, columns_, columns_},
                    {output_.data(), rows_, columns_, columns_}, block_size_, {words_.data(), nullptr});
  }
  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    result.error_unit = 1.0;  // errors are in units of their element already
    result.peers.push_back(matching());
    CUDA_CHECK(cudaMemset(output_.data(), 0xFF, output_.size_bytes()));
    worst_.fill(0);
    launch(turn);
    find_worst_row<<<static_cast<unsigned>(rows_), kCheckThreads>>>(operation_, inputs_.input(turn), output_.data(),
                                                                    columns_, worst_.data());
    CUDA_CHECK(cudaGetLastError());
    const unsigned worst = read_back(worst_.data());
    float error = 0.0f;
    std::memcpy(&error, &worst, sizeof error);
    result.stage.error = static_cast<double>(error);
    result.stage.bound = 2.0 * row_error_units(columns_) + 64.0;  // the numbers are within 16 of the maximum
    result.stage.matches = result.stage.error <= result.stage.bound;
    if (!result.stage.matches) {
      result.stage.reason = "the worst error is " + std::to_string(result.stage.error) +
                            " units of 2^-24 of its element, and " + std::to_string(result.stage.bound) +
                            " are allowed";
    }
    return result;
  }
  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  using Inputs = BenchInputs<float>;

  static std::vector<float> numbers(const Settings& settings, std::size_t count) {
    for (const auto& [name, value] : settings.options) {
      if (name != "operation" && value != 0.0) {
        throw std::invalid_argument("--" + name + " is not for the benchmark, whose rows are random and have no gaps");
      }
    }
    if (settings.sizes[0] * settings.sizes[1] == 0) {
      throw std::invalid_argument("a matrix without numbers is not for the benchmark");
    }
    return make_rows(RowValues::random, RowOperation::softmax, 1, count, settings.seed);
  }
  // The copy, which is no softmax.
  static Verdict matching() {
    Verdict verdict;
    verdict.matches = true;
    return verdict;
  }

  const RowsProblem& problem_;
  RowOperation operation_;
  std::size_t rows_, columns_;
  unsigned block_size_;
  Inputs inputs_;
  DeviceArray<float> output_;
  DeviceArray<unsigned long long> words_;
  DeviceArray<unsigned> worst_;
  std::vector<Peer> peers_;
};

}  // namespace workbook
