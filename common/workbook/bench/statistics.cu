// SPDX-License-Identifier: MIT
// Statistics against cub::DeviceReduce::Reduce with the same operator: of the numbers themselves for sum, product,
// minimum and maximum; of states that an iterator makes of them for mean and deviation.
#define CCCL_DISABLE_NVTX  // no marks for a profiler in the peer's launches: the stage's have none
#include <thrust/iterator/transform_iterator.h>

#include <cmath>
#include <cub/device/device_reduce.cuh>
#include <limits>
#include <type_traits>

#include "workbook/bench.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/bench_inputs.h"
#include "workbook/statistics_problem.h"

namespace workbook {
namespace {

// What the peer is given: where its input comes from, what it starts with, how it combines, and what to make of it.

template <typename T>
using Modular = std::conditional_t<std::is_integral_v<T>, unsigned, T>;

struct Add {
  template <typename State>
  __host__ __device__ State operator()(State a, State b) const {
    return a + b;
  }
};
struct Multiply {
  template <typename State>
  __host__ __device__ State operator()(State a, State b) const {
    return a * b;
  }
};
struct Smaller {
  template <typename State>
  __host__ __device__ State operator()(State a, State b) const {
    return b < a || b != b ? b : a;
  }
};
struct Larger {
  template <typename State>
  __host__ __device__ State operator()(State a, State b) const {
    return b > a || b != b ? b : a;
  }
};

// Of the numbers as they lie in memory.
template <typename T, typename StateType, typename CombineType>
struct PlainPeer {
  using State = StateType;
  using Combine = CombineType;
  static const State* input(const T* numbers) { return reinterpret_cast<const State*>(numbers); }
  static double finish(State state) { return static_cast<double>(static_cast<T>(state)); }
};
template <typename T>
struct SumPeer : PlainPeer<T, Modular<T>, Add> {
  static Modular<T> start() { return 0; }
};
template <typename T>
struct ProductPeer : PlainPeer<T, Modular<T>, Multiply> {
  static Modular<T> start() { return 1; }
};
template <typename T>
struct MinimumPeer : PlainPeer<T, T, Smaller> {
  using Limits = std::numeric_limits<T>;
  static T start() { return Limits::has_infinity ? Limits::infinity() : Limits::max(); }
};
template <typename T>
struct MaximumPeer : PlainPeer<T, T, Larger> {
  using Limits = std::numeric_limits<T>;
  static T start() { return Limits::has_infinity ? -Limits::infinity() : Limits::lowest(); }
};

struct CountAndSum {
  double count;
  double sum;
};
template <typename T>
struct MeanPeer {
  using State = CountAndSum;
  struct Of {
    __host__ __device__ State operator()(T number) const { return {1.0, static_cast<double>(number)}; }
  };
  struct Combine {
    __host__ __device__ State operator()(State a, State b) const { return {a.count + b.count, a.sum + b.sum}; }
  };
  static auto input(const T* numbers) { return thrust::make_transform_iterator(numbers, Of{}); }
  static State start() { return {0.0, 0.0}; }
  static double finish(State state) { return state.sum / state.count; }
};

struct Moments {
  double count;
  double mean;
  double squares;
};
template <typename T>
struct DeviationPeer {
  using State = Moments;
  struct Of {
    __host__ __device__ State operator()(T number) const { return {1.0, static_cast<double>(number), 0.0}; }
  };
  struct Combine {
    __host__ __device__ State operator()(State a, State b) const {
      const double count = a.count + b.count;
      const double weight = count > 0.0 ? b.count / count : 0.0;
      const double distance = b.mean - a.mean;
      return {count, a.mean + distance * weight, a.squares + b.squares + distance * distance * a.count * weight};
    }
  };
  static auto input(const T* numbers) { return thrust::make_transform_iterator(numbers, Of{}); }
  static State start() { return {0.0, 0.0, 0.0}; }
  static double finish(State state) { return std::sqrt(state.squares / state.count); }
};

// A product of numbers that repeat does not stay near 1, unless they are all -1.
template <typename T>
std::vector<T> period(const Settings& settings, std::size_t total_size) {
  const StatisticsChoice choice = StatisticsProblem::choice(settings);
  const std::size_t size = period_size(total_size);
  const bool overflows = choice.operation == Operation::product && settings.size > size;
  return make_numbers<T>(overflows ? Numbers::constant : choice.numbers, choice.operation, size, settings.seed);
}

template <typename T, class Peer>
class StatisticsBenchmark final : public Benchmark {
 public:
  using State = typename Peer::State;
  using Inputs = BenchInputs<T>;

  StatisticsBenchmark(const Settings& settings, std::size_t buffers)
      : on_device_(dynamic_cast<const StatisticsProblem&>(this_problem()).functions().template of<T>()),
        operation_(StatisticsProblem::choice(settings).operation),
        n_(size_for_peer(settings)),
        block_size_(settings.block_size),
        inputs_(period<T>(settings, Inputs::total_size(settings.size, buffers)), settings.size, buffers),
        memory_(settings.size, settings.block_size),
        workspace_(memory_.on(nullptr)),
        peer_state_(1),
        storage_(storage_bytes()) {}

  std::string peer() const override { return "cub::DeviceReduce::Reduce, " + cub_version(); }

  void launch(std::size_t turn) override {
    on_device_(operation_, inputs_.input(turn), static_cast<std::size_t>(n_), block_size_, workspace_);
  }

  void launch_peer(std::size_t turn) override {
    std::size_t bytes = storage_.size();
    CUDA_CHECK(reduce(storage_.data(), bytes, turn));
  }

  BenchCheck check(std::size_t turn) override {
    const Statistic reference = reference_of(turn);
    peer_state_.fill(0xFF);
    memory_.forget();
    launch_peer(turn);
    const Verdict peer = check_statistic(Peer::finish(read_back(peer_state_.data())), reference);
    launch(turn);
    return {check_statistic(read_back(workspace_.result), reference), peer, reference.unit};
  }

  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  cudaError_t reduce(void* storage, std::size_t& bytes, std::size_t turn) {
    return cub::DeviceReduce::Reduce(storage, bytes, Peer::input(inputs_.input(turn)), peer_state_.data(), n_,
                                     typename Peer::Combine{}, Peer::start());
  }

  std::size_t storage_bytes() {
    std::size_t bytes = 0;
    CUDA_CHECK(reduce(nullptr, bytes, 0));
    return bytes;
  }

  Statistic reference_of(std::size_t turn) const {
    std::vector<Piece<T>> pieces;
    inputs_.visit_pieces(turn, [&pieces](const T* numbers, std::size_t count, std::size_t times) {
      pieces.push_back({numbers, count, times});
    });
    return reference_statistic<T>(operation_, pieces);
  }

  StatisticOnDevice<T> on_device_;
  Operation operation_;
  int n_;
  unsigned block_size_;
  Inputs inputs_;
  StatisticsMemory memory_;
  StatisticsWorkspace workspace_;
  DeviceArray<State> peer_state_;
  DeviceArray<char> storage_;
};

template <typename T>
std::unique_ptr<Benchmark> make(const Settings& settings, std::size_t buffers) {
  switch (StatisticsProblem::choice(settings).operation) {
    case Operation::sum:
      return std::make_unique<StatisticsBenchmark<T, SumPeer<T>>>(settings, buffers);
    case Operation::product:
      return std::make_unique<StatisticsBenchmark<T, ProductPeer<T>>>(settings, buffers);
    case Operation::minimum:
      return std::make_unique<StatisticsBenchmark<T, MinimumPeer<T>>>(settings, buffers);
    case Operation::maximum:
      return std::make_unique<StatisticsBenchmark<T, MaximumPeer<T>>>(settings, buffers);
    case Operation::mean:
      return std::make_unique<StatisticsBenchmark<T, MeanPeer<T>>>(settings, buffers);
    case Operation::deviation:
      break;
  }
  return std::make_unique<StatisticsBenchmark<T, DeviationPeer<T>>>(settings, buffers);
}

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return with_type(StatisticsProblem::choice(settings).type,
                   [&](auto zero) { return make<decltype(zero)>(settings, buffers); });
}

}  // namespace workbook
