// SPDX-License-Identifier: MIT
// The trapezoidal rule against the implementation of thrust::transform_reduce: CUB's reduction of an iterator that
// computes each term. Thrust itself allocates storage in each call, copies the sum to the host and waits for it. So the
// benchmark calls CUB directly. Its storage is allocated before, and its sum stays on the device, as the stage's does.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peer: the stage's launches have none
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <cub/device/device_reduce.cuh>
#include <limits>
#include <optional>

#include "workbook/bench/benchmark.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/case/device_memory.h"
#include "workbook/problem/sums/integration/integration_problem.h"

namespace workbook {
namespace {

// One interval's term, with the formula of the stages.
struct Term {
  Integrand f;
  double a = 0.0;
  double b = 0.0;
  double h = 0.0;

  __host__ __device__ double operator()(std::size_t i) const {
    return h * (i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h));
  }
};

Term term_of(const Settings& settings) {
  const auto [function, a, b] = IntegrationProblem::choice(settings);
  return {Integrand{function}, a, b, (b - a) / static_cast<double>(settings.size())};
}

class IntegrationBenchmark final : public Benchmark {
 public:
  explicit IntegrationBenchmark(const Settings& settings)
      : n_(settings.size()),
        block_size_(settings.block.x),
        term_(term_of(settings)),
        integral_(1),
        peer_integral_(1),
        storage_(storage_bytes()),
        peers_{{"thrust::transform_reduce as cub::DeviceReduce::Sum, " + cub_version(), "",
                [this](std::size_t) { launch_peer(); }, cub_tuned_for()}} {}

  const std::vector<Peer>& peers() const override { return peers_; }

  void launch(std::size_t) override {
    integrate_on_device(term_.f, term_.a, term_.b, n_, block_size_, integral_.data(), nullptr);
  }

  BenchCheck check(std::size_t) override {
    const Function function = term_.f.function;
    // For many intervals this takes seconds, and the program checks before and after the timing.
    if (!reference_) reference_ = trapezoidal_sum(function, term_.a, term_.b, n_);
    const double bound = error_bound(*reference_, function, term_.a, term_.b, n_);
    integral_.fill(0xFF);
    peer_integral_.fill(0xFF);
    launch_peer();
    const Verdict peer = check_integral(read_back(peer_integral_.data()), reference_->integral, bound);
    launch(0);
    return {check_integral(read_back(integral_.data()), reference_->integral, bound),
            {peer},
            0x1p-53 * reference_->magnitude};
  }

  bool is_changed(std::size_t) override { return false; }  // there is no input
  void restore() override {}

 private:
  void launch_peer() {
    std::size_t bytes = storage_.size();
    reduce_by_peer(storage_.data(), bytes);
  }

  // Counts with 32 bits where these are enough, which is faster. Thrust does the same.
  void reduce_by_peer(void* storage, std::size_t& bytes) {
    const auto terms = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0), term_);
    if (n_ <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      CUDA_CHECK(cub::DeviceReduce::Sum(storage, bytes, terms, peer_integral_.data(), static_cast<int>(n_)));
    } else {
      CUDA_CHECK(cub::DeviceReduce::Sum(storage, bytes, terms, peer_integral_.data(), static_cast<std::int64_t>(n_)));
    }
  }

  std::size_t storage_bytes() {
    std::size_t bytes = 0;
    reduce_by_peer(nullptr, bytes);
    return bytes;
  }

  std::size_t n_;
  unsigned block_size_;
  Term term_;
  DeviceArray<double> integral_;
  DeviceArray<double> peer_integral_;
  DeviceArray<char> storage_;
  std::vector<Peer> peers_;
  std::optional<TrapezoidalSum> reference_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t) {
  return std::make_unique<IntegrationBenchmark>(settings);
}

}  // namespace workbook
