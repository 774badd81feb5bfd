// SPDX-License-Identifier: MIT
// Heat in a plane or a volume, against copies: a copy of the grid for each step. The check compares every cell with
// steps in double, which the device computes as well.
#include <cstring>
#include <stdexcept>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/problem/grids/heat/heat_problem.h"

namespace workbook {
namespace {

constexpr unsigned kThreads = 256;

// One step in double, and from float in the first. Launch: a thread for each cell and each place behind a row.
template <typename From>
__global__ void step_in_double(GridExtents extents, std::size_t pitch, double rate, const From* from, double* to) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= extents.planes * extents.rows * pitch) return;
  const std::size_t x = at % pitch, y = at / pitch % extents.rows, z = at / pitch / extents.rows;
  const auto cell = [&](std::size_t place) { return static_cast<double>(from[place]); };
  const bool is_held = x == 0 || x + 1 >= extents.columns || y == 0 || y + 1 == extents.rows ||
                       (!extents.is_plane && (z == 0 || z + 1 == extents.planes));
  double sum = 0.0;
  if (!is_held) {
    sum = cell(at - 1) + cell(at + 1) + cell(at - pitch) + cell(at + pitch) - 4.0 * cell(at);
    const std::size_t plane = extents.rows * pitch;
    if (!extents.is_plane) sum += cell(at - plane) + cell(at + plane) - 2.0 * cell(at);
  }
  to[at] = cell(at) + rate * sum;
}

// Keeps the largest |got - wanted| of the cells in u, as the bits of a float. Launch: as above.
template <typename Wanted>
__global__ void find_worst(GridExtents extents, std::size_t pitch, const float* got, const Wanted* wanted,
                           unsigned* worst) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= extents.planes * extents.rows * pitch || at % pitch >= extents.columns) return;
  const double error = 0x1p24 * fabs(static_cast<double>(got[at]) - static_cast<double>(wanted[at]));
  atomicMax(worst, __float_as_uint(error < 1e30 ? static_cast<float>(error) : INFINITY));
}

// The cells are uniform, whatever --temperatures says.
class HeatBenchmark final : public Benchmark {
 public:
  HeatBenchmark(const Settings& settings, std::size_t buffers)
      : problem_(static_cast<const HeatProblem&>(this_problem())),
        settings_(settings),
        extents_(problem_.grid(settings)),
        steps_(HeatProblem::steps(settings)),
        n_(extents_.planes * extents_.rows * extents_.pitch()),
        inputs_(make_temperatures(Temperatures::uniform, period_size(Inputs::total_size(n_, buffers)), steps_,
                                  settings.seed),
                n_, buffers),
        output_(n_),
        scratch_(n_),
        worst_(1),
        peers_{{steps_ == 1 ? "cudaMemcpyAsync" : "cudaMemcpyAsync, one a step", "",
                [this](std::size_t turn) { copy(turn); }}} {
    if (n_ == 0) throw std::invalid_argument("a grid without cells is not for the benchmark");
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override {
    problem_.launch(settings_, settings_.block, inputs_.input(turn), output_.data(), scratch_.data(), nullptr);
  }
  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    result.error_unit = 1.0;
    output_.fill(0xFF);
    scratch_.fill(0xFF);
    copy(turn);
    result.peers.push_back(judged(steps_ % 2 == 1 ? output_.data() : scratch_.data(), inputs_.input(turn), 0.0));
    output_.fill(0xFF);
    scratch_.fill(0xFF);
    launch(turn);
    const double bound = bound_of_heat(Temperatures::uniform, settings_.options.at("rate"), steps_);
    DeviceArray<double> from(n_), to(n_);
    step_in_double<<<blocks(), kThreads>>>(extents_, extents_.pitch(), rate(), inputs_.input(turn), from.data());
    CUDA_CHECK(cudaGetLastError());
    double *last = from.data(), *next = to.data();
    for (unsigned step = 1; step < steps_; ++step, std::swap(last, next)) {
      step_in_double<<<blocks(), kThreads>>>(extents_, extents_.pitch(), rate(), last, next);
      CUDA_CHECK(cudaGetLastError());
    }
    result.stage = judged(output_.data(), last, 0x1p24 * bound);
    return result;
  }
  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  using Inputs = BenchInputs<float>;

  double rate() const { return static_cast<double>(HeatProblem::rate(settings_)); }
  unsigned blocks() const { return static_cast<unsigned>((n_ + kThreads - 1) / kThreads); }

  void copy(std::size_t turn) {
    const float* from = inputs_.input(turn);
    float* to = output_.data();
    for (unsigned step = 0; step < steps_; ++step) {
      CUDA_CHECK(cudaMemcpyAsync(to, from, n_ * sizeof(float), cudaMemcpyDeviceToDevice));
      from = to;
      to = to == output_.data() ? scratch_.data() : output_.data();
    }
  }

  template <typename Wanted>
  Verdict judged(const float* got, const Wanted* wanted, double allowed) {
    worst_.fill(0);
    find_worst<<<blocks(), kThreads>>>(extents_, extents_.pitch(), got, wanted, worst_.data());
    CUDA_CHECK(cudaGetLastError());
    const unsigned bits = read_back(worst_.data());
    float worst = 0.0f;
    std::memcpy(&worst, &bits, sizeof worst);
    Verdict verdict;
    verdict.error = static_cast<double>(worst);
    verdict.bound = allowed;
    verdict.matches = verdict.error <= verdict.bound;
    if (!verdict.matches)
      verdict.reason = "the worst error is " + std::to_string(verdict.error) + " u, and " +
                       std::to_string(verdict.bound) + " are allowed";
    return verdict;
  }

  const HeatProblem& problem_;
  Settings settings_;
  GridExtents extents_;
  unsigned steps_;
  std::size_t n_;  // with what lies behind each row
  Inputs inputs_;
  DeviceArray<float> output_;
  DeviceArray<float> scratch_;
  DeviceArray<unsigned> worst_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<HeatBenchmark>(settings, buffers);
}

}  // namespace workbook
