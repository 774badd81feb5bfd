// SPDX-License-Identifier: MIT
// Statistics against cub::DeviceReduce::Reduce with the same operator. For sum, product, minimum and maximum, the peer
// reduces the numbers themselves. For mean and deviation, it reduces states that an iterator makes of them.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peer: the stage's launches have none
#include <thrust/iterator/transform_iterator.h>

#include <cmath>
#include <cub/device/device_reduce.cuh>
#include <limits>
#include <type_traits>

#include "workbook/case/ticket.h"
#include "workbook/problem/sums/statistics/bench/numbers_benchmark.h"

namespace workbook {
namespace {

// The arguments of the peer: its input iterator, its initial value, its operator, and its final step.

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

// A peer for the numbers as they lie in memory.
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
      return {count, a.mean + distance * weight, a.squares + b.squares + distance * (a.count * weight) * distance};
    }
  };
  static auto input(const T* numbers) { return thrust::make_transform_iterator(numbers, Of{}); }
  static State start() { return {0.0, 0.0, 0.0}; }
  static double finish(State state) { return std::sqrt(state.squares / state.count); }
};

// A call of CUB with such a peer.
template <typename T, class Peer>
struct CubReduce {
  using State = typename Peer::State;
  static const char* name() { return "cub::DeviceReduce::Reduce"; }
  static double finish(State state) { return Peer::finish(state); }
  static cudaError_t reduce(void* storage, std::size_t& bytes, const T* numbers, State* result, int n) {
    return cub::DeviceReduce::Reduce(storage, bytes, Peer::input(numbers), result, n, typename Peer::Combine{},
                                     Peer::start());
  }
};

template <typename T>
class StatisticStage {
 public:
  StatisticStage(Operation operation, std::size_t n, unsigned block_size)
      : operation_(operation), n_(n), block_size_(block_size), partials_(partials_bytes(n, block_size)), result_(1) {
    forget();
  }
  void launch(const T* numbers) {
    statistic_on_device<T>(operation_, numbers, n_, block_size_,
                           {partials_.data(), ticket_.data(), result_.data(), nullptr});
  }
  double result() const { return read_back(result_.data()); }
  void forget() { result_.fill(0xFF); }

 private:
  Operation operation_;
  std::size_t n_;
  unsigned block_size_;
  DeviceArray<unsigned char> partials_;
  Ticket ticket_;
  DeviceArray<double> result_;
};

template <typename T, class Peer>
std::unique_ptr<Benchmark> make_with(const Settings& settings, std::size_t buffers) {
  return std::make_unique<NumbersBenchmark<T, StatisticStage<T>, CubReduce<T, Peer>>>(settings, buffers);
}

template <typename T>
std::unique_ptr<Benchmark> make(const Settings& settings, std::size_t buffers) {
  switch (StatisticsProblem::choice(settings).operation) {
    case Operation::sum:
      return make_with<T, SumPeer<T>>(settings, buffers);
    case Operation::product:
      return make_with<T, ProductPeer<T>>(settings, buffers);
    case Operation::minimum:
      return make_with<T, MinimumPeer<T>>(settings, buffers);
    case Operation::maximum:
      return make_with<T, MaximumPeer<T>>(settings, buffers);
    case Operation::mean:
      return make_with<T, MeanPeer<T>>(settings, buffers);
    case Operation::deviation:
      break;
  }
  return make_with<T, DeviationPeer<T>>(settings, buffers);
}

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return with_type(StatisticsProblem::choice(settings).type,
                   [&](auto zero) { return make<decltype(zero)>(settings, buffers); });
}

}  // namespace workbook
