// SPDX-License-Identifier: MIT
// Stage 08: any operator. One kernel reduces numbers by the operator that it is given: sum.cuh says what an operator
// has. The pass is that of stage 07: loads under way, a tree in registers, shuffles, one barrier, a ticket.
#include <cstddef>
#include <cuda/atomic>
#include <cuda/std/limits>

#include "choose.cuh"
#include "sum.cuh"
#include "thread.cuh"
#include "workbook/student/statistics.h"

using workbook::Operation;
using workbook::StatisticsWorkspace;

template <typename T>
struct Product {
  using State = Modular<T>;
  // BEGIN SOLUTION: step 2. identity() and combine(), as Sum (sum.cuh) has them
  // UNTIL SOLVED: static __device__ State identity() { return 0; }
  // UNTIL SOLVED: static __device__ State combine(State a, State) { return a; }  // replace both
  static __device__ State identity() { return 1; }
  static __device__ State combine(State a, State b) { return a * b; }
  // END SOLUTION
  static __device__ State of(T number) { return static_cast<State>(number); }
  static __device__ double finish(State state) { return static_cast<T>(state); }
};

template <typename T>
struct Minimum {
  using State = T;
  using Limits = cuda::std::numeric_limits<T>;
  // BEGIN SOLUTION: step 2. identity() and combine(). The identity must be above every number there is: floats
  //     have an infinity (Limits::has_infinity, Limits::infinity()), ints only Limits::max(). A NaN must win against
  //     every number, on either side. A comparison with it is false, and only a NaN is not equal to itself
  // UNTIL SOLVED: static __device__ State identity() { return 0; }
  // UNTIL SOLVED: static __device__ State combine(State a, State) { return a; }  // replace both
  static __device__ State identity() { return Limits::has_infinity ? Limits::infinity() : Limits::max(); }
  static __device__ State combine(State a, State b) { return b < a || b != b ? b : a; }
  // END SOLUTION
  static __device__ State of(T number) { return number; }
  static __device__ double finish(State state) { return state; }
};

template <typename T>
struct Maximum {
  using State = T;
  using Limits = cuda::std::numeric_limits<T>;
  // BEGIN SOLUTION: step 2. The same the other way round. Mind Limits::min(): of floats it is the smallest
  //     number above 0; the lowest is Limits::lowest()
  // UNTIL SOLVED: static __device__ State identity() { return 0; }
  // UNTIL SOLVED: static __device__ State combine(State a, State) { return a; }  // replace both
  static __device__ State identity() { return Limits::has_infinity ? -Limits::infinity() : Limits::lowest(); }
  static __device__ State combine(State a, State b) { return b > a || b != b ? b : a; }
  // END SOLUTION
  static __device__ State of(T number) { return number; }
  static __device__ double finish(State state) { return state; }
};

// Two means do not have a mean: it takes the counts too.
template <typename T>
struct Mean {
  struct State {
    double count, sum;
  };
  static __device__ State identity() { return {0.0, 0.0}; }
  static __device__ State of(T number) { return {1.0, static_cast<double>(number)}; }
  // BEGIN SOLUTION: step 2. combine()
  // UNTIL SOLVED: static __device__ State combine(State a, State) { return a; }  // replace
  static __device__ State combine(State a, State b) { return {a.count + b.count, a.sum + b.sum}; }
  // END SOLUTION
  static __device__ double finish(State state) { return state.sum / state.count; }
};

// Numbers as their count, their mean, and the sum of their squared distances from it. Where the numbers are far from 0
// and close to each other, nothing here is large, so nothing cancels.
template <typename T>
struct Deviation {
  struct State {
    double count, mean, squares;
  };
  static __device__ State identity() { return {0.0, 0.0, 0.0}; }
  static __device__ State of(T number) { return {1.0, static_cast<double>(number), 0.0}; }
  // BEGIN SOLUTION: step 1. combine(). Let d = b.mean - a.mean and w = b.count / (a.count + b.count). The
  //     numbers together have the mean a.mean + d * w, and the squares a.squares + b.squares + d * (a.count * w) * d
  //     (Chan, Golub and LeVeque; d * d may be infinite where a.count is 0). Mind two states of no numbers: w would be
  //     0 / 0, and must be 0
  // UNTIL SOLVED: static __device__ State combine(State a, State) { return a; }  // replace
  static __device__ State combine(State a, State b) {
    const double count = a.count + b.count;
    const double weight = count > 0.0 ? b.count / count : 0.0;
    const double distance = b.mean - a.mean;
    return {count, a.mean + distance * weight, a.squares + b.squares + distance * (a.count * weight) * distance};
  }
  // END SOLUTION
  static __device__ double finish(State state) { return sqrt(state.squares / state.count); }
};

// The state of values[0] ... values[kCount-1], kCount a power of two.
template <class Operator, unsigned kCount, typename T>
__device__ typename Operator::State combine_values(const T* values) {
  // BEGIN SOLUTION: step 1. One value: of() it. Else the combination of its first half with its second, by two
  //     calls of this function: a tree in registers. The compiler knows how many numbers each state in it has, so that
  //     for the deviation no division is left. Use `if constexpr`: with an ordinary `if` there would also be a function
  //     for no values, which calls itself
  // UNTIL SOLVED: return Operator::of(values[0]);  // replace
  if constexpr (kCount == 1) {
    return Operator::of(values[0]);
  } else {
    return Operator::combine(combine_values<Operator, kCount / 2>(values),
                             combine_values<Operator, kCount / 2>(values + kCount / 2));
  }
  // END SOLUTION
}

// Lane 0 gets the state of the warp.
template <class Operator>
__device__ typename Operator::State combine_warp(typename Operator::State state) {
  // BEGIN SOLUTION: step 1. The shuffles of stage 06, with from_lane_above() and Operator::combine()
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    state = Operator::combine(state, from_lane_above(state, offset));
  }
  // END SOLUTION
  return state;
}

// Thread 0 gets the state of the block, whose size is a multiple of 32. All threads of the block come here, once.
template <class Operator>
__device__ typename Operator::State combine_block(typename Operator::State state) {
  __shared__ typename Operator::State warp_states[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  state = combine_warp<Operator>(state);
  if (lane == 0) warp_states[warp] = state;
  __syncthreads();
  // BEGIN SOLUTION: step 1. The first warp combines what the others left; lanes without a warp have no numbers
  // UNTIL SOLVED: return warp_states[0];  // replace
  if (warp > 0) {
    return state;  // no thread reads it
  }
  return combine_warp<Operator>(lane < blockDim.x / 32 ? warp_states[lane] : Operator::identity());
  // END SOLUTION
}

// Stores the statistic of n numbers in *result: see combine_numbers(). Launch: at most as many blocks as `partials` has
// room for. A block has a power of two of threads, from 32 to 1024.
//   partials  gridDim.x states. Block b's goes to partials[b].
//   ticket    One number, 0 before and after the launch: how many blocks have stored their state.
template <class Operator, typename T>
__global__ void __launch_bounds__(1024)
    reduce_in_one_pass(const T* numbers, std::size_t n, typename Operator::State* partials, unsigned* ticket,
                       double* result) {
  using State = typename Operator::State;
  const unsigned tid = threadIdx.x;
  const State state = combine_block<Operator>(combine_numbers<Operator>(numbers, n));
  if (tid >= 32) return;  // the rest is for the first warp
  // BEGIN SOLUTION: step 1. Your ticket of stage 07, with `partials` for the partial sums. The last block's
  //     first warp combines partials[0] to partials[gridDim.x - 1]. Each lane combines those that are 32 apart,
  //     beginning with no numbers; then the warp combines its lanes. Thread 0 stores what finish() makes of it in
  //     *result, also where there is one block alone. It also puts the ticket back to 0.
  // UNTIL SOLVED: (void)partials, (void)ticket, (void)result;  // only keeps the compiler quiet: delete it
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  unsigned tickets_before = 0;
  if (tid == 0) {
    partials[blockIdx.x] = state;
    tickets_before = tickets.fetch_add(1, cuda::memory_order_acq_rel);
  }
  __syncwarp();  // what thread 0 has acquired holds for all lanes from here on
  if (__shfl_sync(0xffffffffu, tickets_before, 0) + 1 < gridDim.x) {
    return;  // other blocks are still at work
  }
  State total = Operator::identity();
  for (unsigned block = tid; block < gridDim.x; block += 32) {
    total = Operator::combine(total, partials[block]);
  }
  total = combine_warp<Operator>(total);
  if (tid == 0) {
    *result = Operator::finish(total);
    tickets.store(0, cuda::memory_order_relaxed);
  }
  // END SOLUTION
}

template <class Operator, typename T>
void launch(const T* numbers, std::size_t n, unsigned block_size, const StatisticsWorkspace& workspace) {
  reduce_in_one_pass<Operator><<<choose_blocks<T>(n, block_size), block_size, 0, workspace.stream>>>(
      numbers, n, static_cast<typename Operator::State*>(workspace.partials), workspace.ticket, workspace.result);
  CUDA_CHECK(cudaGetLastError());
}

template <typename T>
void statistic_on_device(Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const StatisticsWorkspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write all that is of step 1, then delete this line");
  // UNTIL SOLVED: const bool is_later = operation != Operation::sum && operation != Operation::deviation;
  // UNTIL SOLVED: if (is_later) WORKBOOK_TODO("step 2: write the other operators, then delete both lines");
  with_operator<Sum<T>, Product<T>, Minimum<T>, Maximum<T>, Mean<T>, Deviation<T>>(
      operation, [&](auto chosen) { launch<decltype(chosen)>(numbers, n, block_size, workspace); });
}

template void statistic_on_device(Operation, const float*, std::size_t, unsigned, const StatisticsWorkspace&);
template void statistic_on_device(Operation, const double*, std::size_t, unsigned, const StatisticsWorkspace&);
template void statistic_on_device(Operation, const int*, std::size_t, unsigned, const StatisticsWorkspace&);
