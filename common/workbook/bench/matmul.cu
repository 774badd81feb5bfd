// SPDX-License-Identifier: MIT
// A matrix product against cuBLAS's in float32 (Sgemm, its default math). 64 rows of each result are compared with a
// product in double that the device computes as well: all of 16384^3 would take the CPU an hour.
// links: cublas
#include <algorithm>
#include <climits>
#include <cmath>
#include <memory>

#include "workbook/bench.h"
#include "workbook/bench/cublas_peer.h"
#include "workbook/bench/product_benchmark.h"
#include "workbook/device.h"
#include "workbook/matmul_problem.h"

namespace workbook {
namespace {

constexpr std::size_t kCheckedRows = 64;

// Keeps the worst error of the elements in every `step`-th row of C. Launch: a thread an element, columns first.
__global__ void find_worst_error(ConstMatrix a, ConstMatrix b, const float* c, std::size_t step, unsigned* worst) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t i = at / b.columns * step, j = at % b.columns;
  if (i >= a.rows) return;
  double sum = 0.0, size = 0.0;
  for (std::size_t k = 0; k < a.columns; ++k) {
    const double product = static_cast<double>(a.data[i * a.pitch + k]) * static_cast<double>(b.data[k * b.pitch + j]);
    sum += product;
    size += fabs(product);
  }
  keep_worst_error(c[i * b.columns + j], sum, size, worst);
}

class MatmulBenchmark final : public Benchmark {
 public:
  MatmulBenchmark(const Settings& settings, std::size_t buffers)
      : m_(settings.sizes[0]),
        n_(settings.sizes[1]),
        k_(settings.sizes[2]),
        block_(settings.block),
        inputs_(product_period(settings, Inputs::total_size(input_size(settings), buffers)), input_size(settings),
                buffers),
        outputs_(output_stride() * buffers),
        worst_(1) {
    peers_.push_back(library_peer());
  }

  const std::vector<Peer>& peers() const override { return peers_; }

  void launch(std::size_t turn) override {
    multiply_on_device(a(turn), b(turn), {c(turn), m_, n_, n_}, block_, nullptr);
  }

  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    result.error_unit = 1.0;  // errors are in u * sum |a b| of their element already
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

  // A and B are one input, each of them at a multiple of 256 bytes.
  static std::size_t aligned(std::size_t size) { return input_stride_bytes(size * sizeof(float)) / sizeof(float); }
  static std::size_t input_size(const Settings& settings) {
    return aligned(settings.sizes[0] * settings.sizes[2]) + settings.sizes[2] * settings.sizes[1];
  }

  std::size_t output_stride() const { return aligned(m_ * n_); }
  ConstMatrix a(std::size_t turn) const { return {inputs_.input(turn), m_, k_, k_}; }
  ConstMatrix b(std::size_t turn) const { return {inputs_.input(turn) + aligned(m_ * k_), k_, n_, n_}; }
  float* c(std::size_t turn) const { return outputs_.data() + turn * output_stride(); }

  template <typename Launch>
  Verdict judged(Launch launch, std::size_t turn) {
    constexpr unsigned kThreads = 256;
    CUDA_CHECK(cudaMemset(c(turn), 0xFF, m_ * n_ * sizeof(float)));
    worst_.fill(0);
    launch();
    const std::size_t step = std::max<std::size_t>(1, m_ / kCheckedRows);
    const std::size_t elements = (m_ + step - 1) / step * n_;
    find_worst_error<<<static_cast<unsigned>((elements + kThreads - 1) / kThreads), kThreads>>>(
        a(turn), b(turn), c(turn), step, worst_.data());
    CUDA_CHECK(cudaGetLastError());
    return verdict_of_worst(read_back(worst_.data()), static_cast<double>(k_));
  }

  Peer library_peer() {
#ifdef WORKBOOK_HAS_CUBLAS
    if (current_device().is_simulated) return {"cublasSgemm", "cuBLAS needs a GPU", {}};
    if (std::max({m_, n_, k_}) > INT_MAX) return {"cublasSgemm", "it counts with 32 bits", {}};
    cublas_ = std::make_unique<Cublas>();
    return {cublas_->name("cublasSgemm"), "", [this](std::size_t turn) { multiply_by_cublas(turn); }};
  }

  void multiply_by_cublas(std::size_t turn) {
    const float one = 1.0f, zero = 0.0f;
    const int m = static_cast<int>(m_), n = static_cast<int>(n_), k = static_cast<int>(k_);
    check_cublas(cublasSgemm(cublas_->handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b(turn).data, n, a(turn).data,
                             k, &zero, c(turn), n),
                 "cublasSgemm");
  }

  std::unique_ptr<Cublas> cublas_;
#else
    return {"cublasSgemm", "this toolkit has no cuBLAS", {}};
  }
#endif

  std::size_t m_, n_, k_;
  dim3 block_;
  Inputs inputs_;
  DeviceArray<float> outputs_;
  DeviceArray<unsigned> worst_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<MatmulBenchmark>(settings, buffers);
}

}  // namespace workbook
