// SPDX-License-Identifier: MIT
// A statistic of numbers against CUB's function for it, for any form of stage. It is for .cu files, which define the
// stage's launches (a class `Stage`) and the peer (a class `Peers`):
//
// * Stage(n, block_size): its memory.
// * launch(T* numbers): its launches.
// * double result(): waits for them.
// * forget(): removes the result.
// * Peers::State: the type of the peer's sum. Peers::finish(state) is the result as a double.
// * Peers::reduce(storage, bytes, const T* numbers, State* result, int n): takes storage as CUB's functions do.
// * Peers::name(): "cub::DeviceReduce::Sum".
#pragma once

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {

/// The benchmark of a statistic against CUB.
template <typename T, class Stage, class Peers>
class NumbersBenchmark final : public Benchmark {
 public:
  using State = typename Peers::State;
  using Inputs = BenchInputs<T>;

  NumbersBenchmark(const Settings& settings, std::size_t buffers)
      : operation_(StatisticsProblem::choice(settings).operation),
        n_(size_for_peer(settings)),
        inputs_(period(settings, Inputs::total_size(settings.size(), buffers)), settings.size(), buffers),
        stage_(operation_, settings.size(), settings.block.x),
        peer_state_(1),
        storage_(storage_bytes()),
        peers_{{std::string(Peers::name()) + ", " + cub_version(), "", [this](std::size_t turn) { launch_peer(turn); },
                cub_tuned_for()}} {}

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override { stage_.launch(inputs_.input(turn)); }

  BenchCheck check(std::size_t turn) override {
    const Statistic reference = reference_of(turn);
    peer_state_.fill(0xFF);
    stage_.forget();
    launch_peer(turn);
    const Verdict peer = check_statistic(Peers::finish(read_back(peer_state_.data())), reference);
    launch(turn);
    return {check_statistic(stage_.result(), reference), {peer}, reference.unit};
  }

  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  // A product of repeated numbers does not stay near 1, unless all are -1.
  static std::vector<T> period(const Settings& settings, std::size_t total_size) {
    const StatisticsChoice choice = StatisticsProblem::choice(settings);
    if (choice.misalign > 0) {
      throw std::invalid_argument("--misalign is not for the benchmark, whose inputs begin at multiples of 256 bytes");
    }
    const std::size_t size = period_size(total_size);
    const bool overflows = choice.operation == Operation::product && settings.size() > size;
    return make_numbers<T>(overflows ? Numbers::constant : choice.numbers, choice.operation, size, settings.seed);
  }

  void launch_peer(std::size_t turn) {
    std::size_t bytes = storage_.size();
    CUDA_CHECK(Peers::reduce(storage_.data(), bytes, inputs_.input(turn), peer_state_.data(), n_));
  }

  std::size_t storage_bytes() {
    std::size_t bytes = 0;
    CUDA_CHECK(Peers::reduce(nullptr, bytes, inputs_.input(0), peer_state_.data(), n_));
    return bytes;
  }

  Statistic reference_of(std::size_t turn) const {
    std::vector<Piece<T>> pieces;
    inputs_.visit_pieces(turn, [&pieces](const T* numbers, std::size_t count, std::size_t times) {
      pieces.push_back({numbers, count, times});
    });
    return reference_statistic<T>(operation_, pieces);
  }

  Operation operation_;
  int n_;
  Inputs inputs_;
  Stage stage_;
  DeviceArray<State> peer_state_;
  DeviceArray<char> storage_;
  std::vector<Peer> peers_;
};

}  // namespace workbook
