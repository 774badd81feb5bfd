// SPDX-License-Identifier: MIT
// A matrix product, or GEMM, against cuBLAS's in float32 (Sgemm, its default math). Where a stage rounds its factors to
// tf32, the peer is cuBLAS's product by tensor cores. The check compares 64 rows of each result with rows in double,
// which the device computes as well. All of 16384^3 would take the CPU an hour.
// links: cublas
#include <algorithm>
#include <climits>
#include <cmath>
#include <memory>
#include <utility>

#include "workbook/bench/benchmark.h"
#include "workbook/bench/cublas_peer.h"
#include "workbook/case/device.h"
#include "workbook/problem/products/matmul/matmul_problem.h"
#include "workbook/problem/products/product_benchmark.h"

namespace workbook {
namespace {

constexpr std::size_t kCheckedRows = 64;

constexpr unsigned kThreads = 256;

// The value of C before a computation with a beta that is not 0.
__host__ __device__ float before(std::size_t at) { return static_cast<float>(at % 1021) * 0x1p-10f; }

__global__ void fill_before(float* c, std::size_t n) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at < n) c[at] = before(at);
}

// Multiplies the rows of A, or the columns of B, by their scale, or divides them by it. Launch: a thread for each
// number.
__global__ void scale_lines(float* numbers, std::size_t size, std::size_t columns, bool by_row, bool away) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= size) return;
  const float scale = scale_of_line(by_row ? at / columns : at % columns);
  numbers[at] *= away ? 1.0f / scale : scale;
}

__device__ double element(const Operand& operand, std::size_t i, std::size_t j) {
  const std::size_t row = operand.is_transposed ? j : i, column = operand.is_transposed ? i : j;
  return static_cast<double>(operand.stored.data[row * operand.stored.pitch + column]);
}

// Keeps the worst error of the elements in every `step`-th row of C, in u * (|alpha| sum |a b| + |beta c|). Launch: a
// thread for each element, columns first.
__global__ void find_worst_error(Scaling scaling, Operand a, Operand b, const float* c, std::size_t step,
                                 unsigned* worst) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, columns = b.columns();
  const std::size_t i = at / columns * step, j = at % columns;
  if (i >= a.rows()) return;
  double sum = 0.0, size = 0.0;
  for (std::size_t k = 0; k < a.columns(); ++k) {
    const double product = element(a, i, k) * element(b, k, j);
    sum += product;
    size += fabs(product);
  }
  const double alpha = scaling.alpha, added = scaling.beta * static_cast<double>(before(i * columns + j));
  keep_worst_error(c[i * columns + j], alpha * sum + added, fabs(alpha) * size + fabs(added), worst);
}

const MatmulProblem& problem() { return static_cast<const MatmulProblem&>(this_problem()); }

class MatmulBenchmark final : public Benchmark {
 public:
  MatmulBenchmark(const Settings& settings, std::size_t buffers)
      : m_(settings.sizes[0]),
        n_(settings.sizes[1]),
        k_(settings.sizes[2]),
        choice_(settings),
        block_(settings.block),
        inputs_(period(settings, Inputs::total_size(input_size(settings), buffers)), input_size(settings), buffers),
        outputs_(output_stride() * buffers),
        worst_(1),
        workspace_(workspace_size(problem().function(), m_, n_, k_)),
        buffers_(buffers) {
    if (choice_.padding + choice_.output_padding + choice_.misalign_a + choice_.misalign_b + choice_.misalign_c > 0) {
      throw std::invalid_argument("the benchmark's matrices have no gaps, and begin at aligned addresses");
    }
    if (choice_.factors > Factors::halfway) {
      throw std::invalid_argument(std::string("--factors ") + name_of(choice_.factors) + " is not for the benchmark");
    }
    if (choice_.calls > 1 || choice_.scaling.alpha == 0.0f) {
      throw std::invalid_argument("--calls and --alpha 0 are not for the benchmark");
    }
    if (std::abs(choice_.scaling.beta) > 1.0f) {
      throw std::invalid_argument("--beta above 1 is not for the benchmark: C would grow from launch to launch");
    }
    if (problem().arithmetic() == Arithmetic::tf32) peers_.push_back(library_peer("cublasSgemm by TF32", true));
    peers_.push_back(library_peer("cublasSgemm", false));
    scale_all();
  }

  const std::vector<Peer>& peers() const override { return peers_; }

  void launch(std::size_t turn) override {
    call_product(problem().function(), choice_, a(turn).stored, b(turn).stored, {c(turn), m_, n_, n_},
                 workspace_.data(), block_, nullptr);
  }

  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    result.error_unit = 1.0;  // errors are in units of their element already
    // The library cuts factors to tf32 and does not round them. It may lose 2^-10 of each, twice the loss of a
    // rounding.
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      const Arithmetic arithmetic = i + 1 == peers_.size() ? Arithmetic::float32 : Arithmetic::tf32;
      const double cut = arithmetic == Arithmetic::tf32 ? 0x1p14 : 0.0;
      if (peers_[i].missing.empty()) {
        result.peers.push_back(judged([&] { peers_[i].launch(turn); }, turn, allowed(arithmetic) + cut));
      }
    }
    result.stage = judged([&] { launch(turn); }, turn, allowed(problem().arithmetic()));
    return result;
  }

  bool is_changed(std::size_t turn) override {
    scale(turn, true);
    const bool is_changed = inputs_.is_changed(turn);
    scale(turn, false);
    return is_changed;
  }
  void restore() override {
    inputs_.restore();
    scale_all();
  }

 private:
  using Inputs = BenchInputs<float>;

  // A and B are one input, each at a multiple of 256 bytes.
  static std::size_t aligned(std::size_t size) { return input_stride_bytes(size * sizeof(float)) / sizeof(float); }
  static std::size_t input_size(const Settings& settings) {
    return aligned(settings.sizes[0] * settings.sizes[2]) + settings.sizes[2] * settings.sizes[1];
  }
  // The other options do not change the numbers.
  static std::vector<float> period(Settings settings, std::size_t total_size) {
    settings.options = {{"factors", settings.options.at("factors")}};
    return product_period(settings, total_size);
  }

  std::size_t output_stride() const { return aligned(m_ * n_); }
  static Operand operand(const float* data, std::size_t rows, std::size_t columns, bool is_transposed) {
    if (is_transposed) std::swap(rows, columns);
    return {{data, rows, columns, columns}, is_transposed};
  }
  Operand a(std::size_t turn) const { return operand(inputs_.input(turn), m_, k_, choice_.a_is_transposed); }
  Operand b(std::size_t turn) const {
    return operand(inputs_.input(turn) + aligned(m_ * k_), k_, n_, choice_.b_is_transposed);
  }
  float* c(std::size_t turn) const { return outputs_.data() + turn * output_stride(); }

  static unsigned blocks(std::size_t threads) { return static_cast<unsigned>((threads + kThreads - 1) / kThreads); }

  // Factors::scaled has a scale for each line, which the period cannot hold. The scales are powers of two, so nothing
  // is rounded.
  void scale(std::size_t turn, bool away) {
    if (choice_.factors != Factors::scaled) return;
    float* const input = inputs_.input(turn);
    scale_lines<<<blocks(m_ * k_), kThreads>>>(input, m_ * k_, choice_.a_is_transposed ? m_ : k_,
                                               !choice_.a_is_transposed, away);
    scale_lines<<<blocks(k_ * n_), kThreads>>>(input + aligned(m_ * k_), k_ * n_, choice_.b_is_transposed ? k_ : n_,
                                               choice_.b_is_transposed, away);
    CUDA_CHECK(cudaGetLastError());
  }
  void scale_all() {
    for (std::size_t turn = 0; turn < buffers_; ++turn) scale(turn, false);
  }

  // The allowed error in u * size, by product.h.
  double allowed(Arithmetic arithmetic) const {
    return bound_of_product(arithmetic, choice_.scaling.roundings(k_), 0.0, 1.0, kMostLostToTf32) * 0x1p24;
  }

  template <typename Launch>
  Verdict judged(Launch launch, std::size_t turn, double allowed) {
    if (choice_.scaling.beta == 0.0f) {
      CUDA_CHECK(cudaMemset(c(turn), 0xFF, m_ * n_ * sizeof(float)));
    } else {
      fill_before<<<blocks(m_ * n_), kThreads>>>(c(turn), m_ * n_);
      CUDA_CHECK(cudaGetLastError());
    }
    worst_.fill(0);
    launch();
    const std::size_t step = std::max<std::size_t>(1, m_ / kCheckedRows);
    find_worst_error<<<blocks((m_ + step - 1) / step * n_), kThreads>>>(choice_.scaling, a(turn), b(turn), c(turn),
                                                                        step, worst_.data());
    CUDA_CHECK(cudaGetLastError());
    return verdict_of_worst(read_back(worst_.data()), allowed);
  }

  Peer library_peer(const std::string& name, bool by_tf32) {
#ifdef WORKBOOK_HAS_CUBLAS
    if (current_device().is_simulated) return {name, "cuBLAS needs a GPU", {}};
    if (std::max({m_, n_, k_}) > INT_MAX) return {name, "it counts with 32 bits", {}};
    if (!cublas_) cublas_ = std::make_unique<Cublas>();
    return {cublas_->name(name), "", [this, by_tf32](std::size_t turn) { multiply_by_cublas(turn, by_tf32); }};
  }

  void multiply_by_cublas(std::size_t turn, bool by_tf32) {
    check_cublas(cublasSetMathMode(cublas_->handle(), by_tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH),
                 "cublasSetMathMode");
    const Operand left = b(turn), right = a(turn);  // cuBLAS is column-major: it computes the transposed product
    const auto operation = [](const Operand& operand) { return operand.is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    const auto pitch = [](const Operand& operand) { return static_cast<int>(operand.stored.pitch); };
    const int m = static_cast<int>(m_), n = static_cast<int>(n_), k = static_cast<int>(k_);
    check_cublas(
        cublasSgemm(cublas_->handle(), operation(left), operation(right), n, m, k, &choice_.scaling.alpha,
                    left.stored.data, pitch(left), right.stored.data, pitch(right), &choice_.scaling.beta, c(turn), n),
        "cublasSgemm");
  }

  std::unique_ptr<Cublas> cublas_;
#else
    return {name, "this toolkit has no cuBLAS", {}};
  }
#endif

  std::size_t m_, n_, k_;
  ProductChoice choice_;
  dim3 block_;
  Inputs inputs_;
  DeviceArray<float> outputs_;
  DeviceArray<unsigned> worst_;
  DeviceArray<float> workspace_;
  std::size_t buffers_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<MatmulBenchmark>(settings, buffers);
}

}  // namespace workbook
