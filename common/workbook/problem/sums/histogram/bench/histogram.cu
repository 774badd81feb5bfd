// SPDX-License-Identifier: MIT
// A histogram against cub::DeviceHistogram.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peer: the stage's launches have none
#include <cstring>
#include <cub/device/device_histogram.cuh>
#include <stdexcept>
#include <vector>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/sums/histogram/histogram_problem.h"

namespace workbook {
namespace {

// The inputs rotate as words, which have one sample or four.
template <typename T>
class HistogramBenchmark final : public Benchmark {
 public:
  HistogramBenchmark(const Settings& settings, std::size_t buffers)
      : on_device_(static_cast<const HistogramProblem&>(this_problem()).on_device<T>()),
        choice_(settings),
        n_(settings.size()),
        n_for_peer_(size_for_peer(settings)),
        block_size_(settings.block.x),
        period_(make_period(Inputs::total_size(words(), buffers), settings.seed)),
        inputs_(period_, words(), buffers),
        counts_(choice_.bins.count),
        storage_(storage_bytes()) {
    if (n_ == 0) throw std::invalid_argument("no samples are not for the benchmark");
    peers_ = {{"cub::DeviceHistogram::HistogramEven, " + cub_version(), "",
               [this](std::size_t turn) {
                 std::size_t bytes = storage_.size();
                 CUDA_CHECK(histogram_by_cub(storage_.data(), bytes, turn));
               },
               cub_tuned_for()}};
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override {
    on_device_(samples(turn), n_, choice_.bins, counts_.data(), block_size_, nullptr);
  }
  BenchCheck check(std::size_t turn) override {
    const std::vector<std::uint32_t> wanted = reference(turn);
    BenchCheck result;
    counts_.fill(0xFF);
    peers_[0].launch(turn);
    result.peers.push_back(judged(wanted));
    counts_.fill(0xFF);
    launch(turn);
    result.stage = judged(wanted);
    return result;
  }
  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  using Inputs = BenchInputs<std::uint32_t>;
  // The type of the bins' edges: that of floats, and one that can hold all edges of whole numbers.
  using Level = std::conditional_t<std::is_same_v<T, float>, float, int>;

  std::size_t words() const { return (n_ * sizeof(T) + 3) / 4; }
  const T* samples(std::size_t turn) const { return reinterpret_cast<const T*>(inputs_.input(turn)); }

  std::vector<std::uint32_t> make_period(std::size_t total, std::uint32_t seed) const {
    std::vector<std::uint32_t> period(period_size(total));
    const auto samples = make_samples<T>(choice_.samples, choice_.bins, period.size() * 4 / sizeof(T), seed);
    std::memcpy(period.data(), samples.data(), period.size() * 4);
    return period;
  }
  // The order of the samples does not count, so pieces of the period are enough.
  std::vector<std::uint32_t> reference(std::size_t turn) const {
    std::vector<std::uint32_t> counts(choice_.bins.count);
    const auto add = [&](const std::uint32_t* piece, std::size_t words, std::size_t times, std::size_t samples) {
      std::vector<T> values(words * 4 / sizeof(T));
      std::memcpy(values.data(), piece, words * 4);
      values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(samples));
      const std::vector<std::uint32_t> some = reference_histogram(values, choice_.bins);
      for (std::size_t b = 0; b < counts.size(); ++b) counts[b] += static_cast<std::uint32_t>(times) * some[b];
    };
    inputs_.visit_pieces(turn, [&](const std::uint32_t* piece, std::size_t words, std::size_t times) {
      add(piece, words, times, words * 4 / sizeof(T));
    });
    // With bytes, the last word may have some that are not of the input: 2^32 - 1 times they are taken away again.
    const std::size_t last = (turn * Inputs::stride(words()) + words() - 1) % period_.size();
    add(&period_[last], 1, ~std::uint32_t{0}, words() * 4 / sizeof(T) - n_);
    return counts;
  }
  Verdict judged(const std::vector<std::uint32_t>& wanted) const {
    const std::vector<unsigned> got = read_back(counts_.data(), wanted.size(), nullptr);
    return compare_words(words_of(got), words_of(wanted), {});
  }
  cudaError_t histogram_by_cub(void* storage, std::size_t& bytes, std::size_t turn) {
    const auto levels = static_cast<int>(choice_.bins.count) + 1;
    const bool is_float = std::is_same_v<T, float>;
    const Level lower = is_float ? static_cast<Level>(choice_.bins.lower) : Level{0};
    const Level upper = static_cast<Level>(is_float ? choice_.bins.upper : static_cast<float>(choice_.bins.count));
    return cub::DeviceHistogram::HistogramEven(storage, bytes, samples(turn), counts_.data(), levels, lower, upper,
                                               n_for_peer_);
  }
  std::size_t storage_bytes() {
    std::size_t bytes = 0;
    CUDA_CHECK(histogram_by_cub(nullptr, bytes, 0));
    return bytes;
  }

  HistogramOnDevice<T> on_device_;
  HistogramChoice choice_;
  std::size_t n_;
  int n_for_peer_;
  unsigned block_size_;
  std::vector<std::uint32_t> period_;
  Inputs inputs_;
  DeviceArray<unsigned> counts_;
  DeviceArray<char> storage_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return with_sample_type(HistogramChoice(settings).type, [&](auto sample) -> std::unique_ptr<Benchmark> {
    return std::make_unique<HistogramBenchmark<decltype(sample)>>(settings, buffers);
  });
}

}  // namespace workbook
