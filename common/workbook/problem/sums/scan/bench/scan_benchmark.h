// SPDX-License-Identifier: MIT
// A scan of elements against CUB, for both forms of stage. It is for .cu files, which define the peer.
#pragma once

#include <stdexcept>
#include <vector>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/sums/scan/scan_problem.h"

namespace workbook {

/// combine() as a function object, for CUB.
struct Combine {
  template <typename T>
  __host__ __device__ T operator()(T first, T second) const {
    return combine(first, second);
  }
};

/// The base class of benchmarks of a scan. It has the stage's launches; a derived class adds the peer.
template <typename T>
class ScanBenchmark : public Benchmark {
 public:
  ScanBenchmark(const Settings& settings, std::size_t buffers)
      : problem_(static_cast<const ScanProblem&>(this_problem())),
        choice_(settings),
        n_(settings.size()),
        n_for_peer_(size_for_peer(settings)),
        block_size_(settings.block.x),
        period_(make_elements<T>(choice_.elements, period_size(Inputs::total_size(n_, buffers)), settings.seed)),
        inputs_(period_, n_, buffers),
        output_(n_),
        words_(scan_words(n_)) {
    if (n_ == 0 || choice_.calls > 1)
      throw std::invalid_argument("no elements, and --calls, are not for the benchmark");
    words_.fill(0);
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override {
    problem_.launch(choice_.scan, static_cast<const T*>(inputs_.input(turn)), output_.data(), n_, block_size_,
                    {words_.data(), nullptr});
  }
  BenchCheck check(std::size_t turn) override {
    std::vector<T> input(n_);
    for (std::size_t i = 0; i < n_; ++i) input[i] = period_[(turn * Inputs::stride(n_) + i) % period_.size()];
    const ScanReference<T> wanted = reference_scan(choice_.scan, input, problem_.tile(dim3(block_size_)));
    BenchCheck result;
    output_.fill(0xFF);
    peers_[0].launch(turn);
    result.peers.push_back(judged(wanted));
    output_.fill(0xFF);
    launch(turn);
    result.stage = judged(wanted);
    return result;
  }
  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 protected:
  void set_peer(const std::string& name, std::function<void(std::size_t turn)> launch) {
    peers_ = {{name + ", " + cub_version(), "", std::move(launch), cub_tuned_for()}};
  }
  Scan scan() const { return choice_.scan; }
  int n() const { return n_for_peer_; }
  unsigned block_size() const { return block_size_; }
  const T* input(std::size_t turn) const { return inputs_.input(turn); }
  T* output() const { return output_.data(); }

 private:
  using Inputs = BenchInputs<T>;

  Verdict judged(const ScanReference<T>& wanted) const {
    const std::vector<T> got = read_back(output_.data(), n_, nullptr);
    return wanted.bounds.empty() ? compare_words(words_of(got), words_of(wanted.output), {})
                                 : compare_floats(words_of(got), words_of(wanted.output), wanted.bounds, {});
  }

  const ScanProblem& problem_;
  ScanChoice choice_;
  std::size_t n_;
  int n_for_peer_;
  unsigned block_size_;
  std::vector<T> period_;
  Inputs inputs_;
  DeviceArray<T> output_;
  DeviceArray<unsigned long long> words_;
  std::vector<Peer> peers_;
};

}  // namespace workbook
