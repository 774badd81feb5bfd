// SPDX-License-Identifier: MIT
// The sum of n floats against cub::DeviceReduce::Sum, for stages that define reduce() and for those that define
// reduce_on_device() alone: it is the latter that is timed.
#define CCCL_DISABLE_NVTX  // no marks for a profiler in the peer's launches: the stage's have none
#include <cub/device/device_reduce.cuh>
#include <stdexcept>

#include "workbook/bench.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/bench_inputs.h"
#include "workbook/host_steps.h"
#include "workbook/input.h"
#include "workbook/reduction.h"
#include "workbook/reference.h"

namespace workbook {
namespace {

using Inputs = BenchInputs<float>;

int checked_size(const Settings& settings) {
  if (const auto misalign = settings.own.find("misalign"); misalign != settings.own.end() && misalign->second != "0") {
    throw std::invalid_argument("--misalign is not for the benchmark, whose inputs begin at multiples of 256 bytes");
  }
  return size_for_peer(settings);
}

class ReductionBenchmark final : public Benchmark {
 public:
  ReductionBenchmark(const Settings& settings, std::size_t buffers)
      : n_(checked_size(settings)),
        block_size_(settings.block_size),
        inputs_(make_input(distribution_named(settings.own.at("distribution")).value(),
                           period_size(Inputs::total_size(settings.size, buffers)), settings.seed),
                settings.size, buffers),
        workspace_memory_(settings.size, settings.block_size),
        workspace_(workspace_memory_.on(nullptr)),
        peer_sum_(1),
        storage_(storage_bytes()) {}

  std::string peer() const override { return "cub::DeviceReduce::Sum, " + cub_version(); }

  void launch(std::size_t turn) override {
    device_sum_ = reduce_on_device(inputs_.input(turn), static_cast<std::size_t>(n_), block_size_, workspace_);
  }

  void launch_peer(std::size_t turn) override {
    std::size_t bytes = storage_.size();
    CUDA_CHECK(cub::DeviceReduce::Sum(storage_.data(), bytes, inputs_.input(turn), peer_sum_.data(), n_));
  }

  BenchCheck check(std::size_t turn) override {
    const Reference reference = reference_of(turn);
    peer_sum_.fill(0xFF);
    workspace_memory_.forget();
    launch_peer(turn);
    const Verdict peer = check_sum(read_back(peer_sum_.data()), reference);
    launch(turn);
    return {check_sum(read_back(device_sum_), reference), peer, 0x1p-24 * reference.sum_of_magnitudes};
  }

  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  std::size_t storage_bytes() {
    std::size_t bytes = 0;
    CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, inputs_.input(0), peer_sum_.data(), n_));
    return bytes;
  }

  Reference reference_of(std::size_t turn) const {
    Reference whole;
    inputs_.visit_pieces(turn, [&whole](const float* numbers, std::size_t count, std::size_t times) {
      const Reference piece = reference_sum(numbers, count);
      whole.sum += static_cast<double>(times) * piece.sum;
      whole.sum_of_magnitudes += static_cast<double>(times) * piece.sum_of_magnitudes;
      whole.is_exact = whole.is_exact && piece.is_exact;
    });
    whole.size = static_cast<std::size_t>(n_);
    whole.is_exact = whole.is_exact && whole.sum_of_magnitudes <= 0x1p24;
    return whole;
  }

  int n_;
  unsigned block_size_;
  Inputs inputs_;
  WorkspaceMemory workspace_memory_;
  Workspace workspace_;
  DeviceArray<float> peer_sum_;
  DeviceArray<char> storage_;
  const float* device_sum_ = nullptr;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<ReductionBenchmark>(settings, buffers);
}

}  // namespace workbook
