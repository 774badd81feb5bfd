// SPDX-License-Identifier: MIT
// A product of a matrix or its transpose and a vector, against cuBLAS's (Sgemv). The check compares every element of
// each result with a product in double, which the device computes as well. It is for .cu files with a line `// links:
// cublas`, which add the stage's launches.
#pragma once

#include <climits>
#include <memory>

#include "workbook/bench/benchmark.h"
#include "workbook/bench/cublas_peer.h"
#include "workbook/case/device.h"
#include "workbook/problem/products/gemv/gemv_problem.h"
#include "workbook/problem/products/product_benchmark.h"

namespace workbook {

/// Keeps the worst error of y. Term k of output i is a[i * output_step + k * term_step] * x[k]. Launch: a warp for each
/// output.
__global__ void find_worst_error(const float* a, std::size_t output_step, std::size_t term_step, const float* x,
                                 std::size_t terms, const float* y, std::size_t outputs, unsigned* worst) {
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / warpSize;
  if (i >= outputs) return;
  double sum = 0.0, size = 0.0;
  for (std::size_t k = threadIdx.x % warpSize; k < terms; k += warpSize) {
    const double product = static_cast<double>(a[i * output_step + k * term_step]) * static_cast<double>(x[k]);
    sum += product;
    size += fabs(product);
  }
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
    size += __shfl_down_sync(0xffffffffu, size, offset);
  }
  if (threadIdx.x % warpSize == 0) keep_worst_error(y[i], sum, size, worst);
}

/// The benchmark of GEMV against cuBLAS.
class GemvBenchmark final : public Benchmark {
 public:
  GemvBenchmark(Side side, MultiplyVectorOnDevice on_device, const Settings& settings, std::size_t buffers)
      : side_(side),
        on_device_(on_device),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        block_size_(settings.block.x),
        inputs_(product_period(settings, Inputs::total_size(input_size(), buffers)), input_size(), buffers),
        ys_(y_stride() * buffers),
        partial_sums_(gemv_partial_sums(outputs(), terms())),
        tickets_(partial_sums_.size()),
        worst_(1) {
    tickets_.fill(0);
    peers_.push_back(library_peer());
  }

  const std::vector<Peer>& peers() const override { return peers_; }

  void launch(std::size_t turn) override {
    on_device_({a(turn), rows_, columns_, columns_}, x(turn), y(turn), {partial_sums_.data(), tickets_.data()},
               block_size_, nullptr);
  }

  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    result.error_unit = 1.0;  // errors are in u * sum |a x| of their element already
    for (const Peer& peer : peers_) {
      if (peer.missing.empty()) result.peers.push_back(judged([&] { peer.launch(turn); }, turn));
    }
    result.stage = judged([&] { launch(turn); }, turn);
    return result;
  }

  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  using Inputs = BenchInputs<float>;

  std::size_t outputs() const { return side_ == Side::rows ? rows_ : columns_; }
  std::size_t terms() const { return side_ == Side::rows ? columns_ : rows_; }

  // A and x are one input, each at a multiple of 256 bytes; so is each y.
  static std::size_t aligned(std::size_t size) { return input_stride_bytes(size * sizeof(float)) / sizeof(float); }
  std::size_t input_size() const { return aligned(rows_ * columns_) + terms(); }
  std::size_t y_stride() const { return aligned(outputs()); }
  const float* a(std::size_t turn) const { return inputs_.input(turn); }
  const float* x(std::size_t turn) const { return inputs_.input(turn) + aligned(rows_ * columns_); }
  float* y(std::size_t turn) const { return ys_.data() + turn * y_stride(); }

  template <typename Launch>
  Verdict judged(Launch launch, std::size_t turn) {
    constexpr unsigned kThreads = 256, kWarp = 32;
    CUDA_CHECK(cudaMemset(y(turn), 0xFF, outputs() * sizeof(float)));
    worst_.fill(0);
    launch();
    const std::size_t blocks = (outputs() * kWarp + kThreads - 1) / kThreads;
    find_worst_error<<<static_cast<unsigned>(blocks), kThreads>>>(a(turn), side_ == Side::rows ? columns_ : 1,
                                                                  side_ == Side::rows ? 1 : columns_, x(turn), terms(),
                                                                  y(turn), outputs(), worst_.data());
    CUDA_CHECK(cudaGetLastError());
    return verdict_of_worst(read_back(worst_.data()), 0x1p24 * bound_of_any_order(terms(), 0.0, 1.0));
  }

  Peer library_peer() {
#ifdef WORKBOOK_HAS_CUBLAS
    if (current_device().is_simulated) return {"cublasSgemv", "cuBLAS needs a GPU", {}};
    if (std::max(rows_, columns_) > INT_MAX) return {"cublasSgemv", "it counts with 32 bits", {}};
    cublas_ = std::make_unique<Cublas>();
    return {cublas_->name("cublasSgemv"), "", [this](std::size_t turn) { multiply_by_cublas(turn); }};
  }

  // cuBLAS is column-major: A x is its transposed product, and A^T x the plain one.
  void multiply_by_cublas(std::size_t turn) {
    const float one = 1.0f, zero = 0.0f;
    const int m = static_cast<int>(columns_), n = static_cast<int>(rows_);
    check_cublas(cublasSgemv(cublas_->handle(), side_ == Side::rows ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &one, a(turn), m,
                             x(turn), 1, &zero, y(turn), 1),
                 "cublasSgemv");
  }

  std::unique_ptr<Cublas> cublas_;
#else
    return {"cublasSgemv", "this toolkit has no cuBLAS", {}};
  }
#endif

  Side side_;
  MultiplyVectorOnDevice on_device_;
  std::size_t rows_, columns_;
  unsigned block_size_;
  Inputs inputs_;
  DeviceArray<float> ys_;
  DeviceArray<float> partial_sums_;
  DeviceArray<unsigned> tickets_;
  DeviceArray<unsigned> worst_;
  std::vector<Peer> peers_;
};

}  // namespace workbook
