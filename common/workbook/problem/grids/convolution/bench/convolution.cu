// SPDX-License-Identifier: MIT
// A convolution against a copy, which no filter can beat: the larger filters are limited by arithmetic. The check
// compares every pixel with a sum in double, which the device computes as well.
#include <cstring>
#include <stdexcept>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/problem/grids/convolution/convolution_problem.h"
#include "workbook/problem/grids/pitched.h"

namespace workbook {
namespace {

constexpr unsigned kThreads = 256;

// Keeps the largest |got - wanted| of the pixels in u * sum |products|, as the bits of a float. `square` has size *
// size weights. Launch: a thread for each pixel.
__global__ void find_worst(ConstMatrix input, const double* square, unsigned size, const float* got, unsigned* worst) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= input.rows * input.columns) return;
  const auto y = static_cast<long long>(at / input.columns), x = static_cast<long long>(at % input.columns);
  const auto rows = static_cast<long long>(input.rows), columns = static_cast<long long>(input.columns);
  const long long reach = size / 2;
  double sum = 0.0, terms = 0.0;
  for (long long i = 0; i < size; ++i) {
    const float* const row = input.data + min(max(y + i - reach, 0ll), rows - 1) * input.pitch;
    for (long long j = 0; j < size; ++j) {
      const double product = square[i * size + j] * static_cast<double>(row[min(max(x + j - reach, 0ll), columns - 1)]);
      sum += product;
      terms += fabs(product);
    }
  }
  const double error = fabs(static_cast<double>(got[y * input.pitch + x]) - sum);
  const double units = error == 0.0 ? 0.0 : error / (0x1p-24 * terms);
  atomicMax(worst, __float_as_uint(units < 1e30 ? static_cast<float>(units) : INFINITY));
}

// Pixels and weights are uniform, whatever --numbers says.
class ConvolutionBenchmark final : public Benchmark {
 public:
  ConvolutionBenchmark(const Settings& settings, std::size_t buffers)
      : problem_(static_cast<const ConvolutionProblem&>(this_problem())),
        choice_(uniform(settings)),
        block_(settings.block),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        pitch_(pitch_of(columns_)),
        n_(rows_ * pitch_),
        inputs_(make_pixels(PixelNumbers::uniform, period_size(Inputs::total_size(n_, buffers)), settings.seed), n_,
                buffers),
        output_(n_),
        square_(std::size_t{choice_.size} * choice_.size),
        weights_(make_weights(choice_, settings.seed)),
        device_weights_(weights_.size()),
        worst_(1),
        peers_{{"cudaMemcpyAsync", "", [this](std::size_t turn) {
                  CUDA_CHECK(cudaMemcpyAsync(output_.data(), inputs_.input(turn), n_ * sizeof(float),
                                             cudaMemcpyDeviceToDevice));
                }}} {
    if (n_ == 0) throw std::invalid_argument("an image without pixels is not for the benchmark");
    if (settings.options.at("padding") != 0.0) throw std::invalid_argument("--padding is not for the benchmark");
    CUDA_CHECK(
        cudaMemcpy(device_weights_.data(), weights_.data(), device_weights_.size_bytes(), cudaMemcpyHostToDevice));
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override {
    problem_.on_device()({inputs_.input(turn), rows_, columns_, pitch_}, {output_.data(), rows_, columns_, pitch_},
                         {choice_.size, choice_.is_separable, device_weights_.data()}, block_, nullptr);
  }
  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    result.error_unit = 1.0;  // errors are in units of their pixel already
    output_.fill(0xFF);
    peers_[0].launch(turn);
    result.peers.push_back(judged(turn, 1, {1.0}, 0.0));
    output_.fill(0xFF);
    launch(turn);
    const auto k = static_cast<double>(roundings_of(choice_));
    result.stage = judged(turn, choice_.size, square_of(choice_, weights_), k / (1.0 - k * 0x1p-24) + 1.0);
    return result;
  }
  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  using Inputs = BenchInputs<float>;

  static ConvolutionChoice uniform(const Settings& settings) {
    ConvolutionChoice choice(settings);
    choice.numbers = PixelNumbers::uniform;
    return choice;
  }

  Verdict judged(std::size_t turn, unsigned size, const std::vector<double>& square, double allowed) {
    CUDA_CHECK(cudaMemcpy(square_.data(), square.data(), square.size() * sizeof(double), cudaMemcpyHostToDevice));
    worst_.fill(0);
    const auto blocks = static_cast<unsigned>((rows_ * columns_ + kThreads - 1) / kThreads);
    find_worst<<<blocks, kThreads>>>({inputs_.input(turn), rows_, columns_, pitch_}, square_.data(), size,
                                     output_.data(), worst_.data());
    CUDA_CHECK(cudaGetLastError());
    const unsigned bits = read_back(worst_.data());
    float worst = 0.0f;
    std::memcpy(&worst, &bits, sizeof worst);
    Verdict verdict;
    verdict.error = static_cast<double>(worst);
    verdict.bound = allowed;
    verdict.matches = verdict.error <= verdict.bound;
    if (!verdict.matches) {
      verdict.reason = "the worst error is " + std::to_string(verdict.error) + " times u * sum |products|, and " +
                       std::to_string(verdict.bound) + " are allowed";
    }
    return verdict;
  }

  const ConvolutionProblem& problem_;
  ConvolutionChoice choice_;
  dim3 block_;
  std::size_t rows_, columns_, pitch_;
  std::size_t n_;  // with what lies behind each row
  Inputs inputs_;
  DeviceArray<float> output_;
  DeviceArray<double> square_;
  std::vector<float> weights_;
  DeviceArray<float> device_weights_;
  DeviceArray<unsigned> worst_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<ConvolutionBenchmark>(settings, buffers);
}

}  // namespace workbook
