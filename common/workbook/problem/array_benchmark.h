// SPDX-License-Identifier: MIT
// The benchmark of an ArrayProblem, without peers. It is for .cu files.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/array_problem.h"

namespace workbook {

/// The benchmark of an ArrayProblem.
class ArrayBenchmark : public Benchmark {
 public:
  ArrayBenchmark(const ArrayProblem& problem, const Settings& settings, std::size_t buffers)
      : task_(problem.task()),
        n_(settings.size()),
        block_size_(settings.block.x),
        period_(task_.input(period_size(Inputs::total_size(n_, buffers)), settings.seed)),
        inputs_(period_, n_, buffers),
        output_(n_) {
    if (n_ == 0 || settings.options.at("misalign") > 0.0 || settings.options.at("output-misalign") > 0.0) {
      throw std::invalid_argument("no elements, --misalign and --output-misalign are not for the benchmark");
    }
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override {
    task_.on_device(inputs_.input(turn), output_.data(), n_, block_size_, nullptr);
  }
  BenchCheck check(std::size_t turn) override {
    std::vector<std::uint32_t> input(n_);
    for (std::size_t i = 0; i < n_; ++i) input[i] = period_[(turn * Inputs::stride(n_) + i) % period_.size()];
    launch(turn);
    const std::vector<std::uint32_t> got = read_back(output_.data(), n_, nullptr), wanted = task_.reference(input);
    if (!task_.bounds) return {compare_words(words_of(got), words_of(wanted), {}), {}, 0.0};
    const std::vector<float> bounds = task_.bounds(input);
    return {compare_floats(words_of(got), words_of(wanted), bounds, {}), {}, bounds[0]};
  }
  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  using Inputs = BenchInputs<std::uint32_t>;

  const ArrayTask<std::uint32_t>& task_;
  std::size_t n_;
  unsigned block_size_;
  std::vector<std::uint32_t> period_;
  Inputs inputs_;
  DeviceArray<std::uint32_t> output_;
  std::vector<Peer> peers_;
};

inline std::unique_ptr<Benchmark> make_array_benchmark(const ArrayProblem& problem, const Settings& settings,
                                                       std::size_t buffers) {
  return std::make_unique<ArrayBenchmark>(problem, settings, buffers);
}

}  // namespace workbook
