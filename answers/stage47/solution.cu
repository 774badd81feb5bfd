// SPDX-License-Identifier: MIT
// Stage 47: softmax of rows, in two reads. The formula reads a row three times: for the maximum, for the sum of
// exp(x - maximum), and for the result. The first two become one: the sum is kept for the largest number so far, and
// rescaled whenever a larger one comes.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>

#include "workbook/student/rows.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kMostWarps = 32;  // of a block
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kAtOnce = 4;  // numbers that a thread has under way at the same time

// What is known of some numbers of a row: the largest, and the sum of exp(x - max) over them.
struct RowState {
  float max;
  float sum;
};
// The state of no numbers. Its max is not -inf but the smallest float: so max - max is 0, and never NaN.
__device__ RowState nothing() { return {-FLT_MAX, 0.0f}; }

// The state of what `state` has and of kAtOnce more numbers.
__device__ RowState with(RowState state, const float (&numbers)[kAtOnce]) {
  // BEGIN SOLUTION: step 1. First the new maximum, the largest of state.max and all numbers: fmaxf().
  //     state.sum belongs to the old maximum. Multiplied by __expf(old - new) it belongs to the new one. Then add what
  //     each number counts for.
  // UNTIL SOLVED: return (void)numbers, state;  // replace
  float max = state.max;
  for (const float x : numbers) {
    max = fmaxf(max, x);
  }
  float sum = state.sum * __expf(state.max - max);
  for (const float x : numbers) {
    sum += __expf(x - max);
  }
  return {max, sum};
  // END SOLUTION
}

// The state of what `first` and `second` have together.
__device__ RowState combine(RowState first, RowState second) {
  // BEGIN SOLUTION: step 1. As with(): both sums are rescaled to the larger maximum.
  // UNTIL SOLVED: return (void)second, first;  // replace
  const float max = fmaxf(first.max, second.max);
  return {max, first.sum * __expf(first.max - max) + second.sum * __expf(second.max - max)};
  // END SOLUTION
}

// The state of all lanes of a warp together, for each of them. All lanes come here.
__device__ RowState state_of_warp(RowState state) {
  // BEGIN SOLUTION: step 1. Five rounds with distances 16, 8, 4, 2, 1. In each a lane combines its state with
  //     that of the lane whose number differs in one bit: __shfl_xor_sync(kAll, value, distance), once for max and once
  //     for sum.
  // UNTIL SOLVED: return (void)kAll, state;  // replace
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    const RowState other{__shfl_xor_sync(kAll, state.max, distance), __shfl_xor_sync(kAll, state.sum, distance)};
    state = combine(state, other);
  }
  return state;
  // END SOLUTION
}

// The state of all threads of a block together, for each of them. All threads come here, once for each row.
__device__ RowState state_of_block(RowState state) {
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  state = state_of_warp(state);
  // BEGIN SOLUTION: step 2. One lane of each warp leaves the warp's state in shared memory, __shared__ RowState
  //     of_warps[kMostWarps]. Behind a barrier each warp combines these states: lane i takes that of warp i, or
  //     nothing() where there is no warp i. The block may have a further row to do: which warp may still read when
  //     another one stores its state of that row?
  // UNTIL SOLVED: return (void)lane, (void)warp, (void)warps, state;  // replace
  __shared__ RowState of_warps[kMostWarps];
  if (lane == 0) {
    of_warps[warp] = state;
  }
  __syncthreads();
  state = state_of_warp(lane < warps ? of_warps[lane] : nothing());
  __syncthreads();  // all warps have read what the next row changes
  return state;
  // END SOLUTION
}

// Loads numbers first, first + blockDim.x, ... of a row, kAtOnce of them. A number that does not exist is -inf: its
// exponential is 0.
__device__ void load(float (&numbers)[kAtOnce], const float* row, unsigned first, unsigned columns) {
#pragma unroll
  for (unsigned k = 0; k < kAtOnce; ++k) {
    const unsigned j = first + k * blockDim.x;
    numbers[k] = j < columns ? row[j] : -INFINITY;
  }
}

// Softmax of each row. Launch: a grid of any size; block b does the rows b, b + gridDim.x, ...
__global__ void __launch_bounds__(kWarp* kMostWarps)
    softmax_rows(workbook::ConstMatrix input, workbook::Matrix output) {
  const auto columns = static_cast<unsigned>(input.columns);
  for (std::size_t row = blockIdx.x; row < input.rows; row += gridDim.x) {
    RowState state = nothing();
    float numbers[kAtOnce];
    // BEGIN SOLUTION: step 1. A row begins at data + row * pitch, in both matrices with their own pitch. In a
    //     round the block takes kAtOnce * blockDim.x numbers, and this thread those that load() gives it, with
    //     threadIdx.x as `first` of the first round. The first read puts all of them into `state`. state_of_block()
    //     makes of it the state of the row. The second read stores exp(x - max) / sum for each number that exists.
    // UNTIL SOLVED: load(numbers, input.data, 0, columns), state = state_of_block(with(state, numbers));  // delete it
    const float* from = input.data + row * input.pitch;
    float* to = output.data + row * output.pitch;
    for (unsigned first = threadIdx.x; first < columns; first += kAtOnce * blockDim.x) {
      load(numbers, from, first, columns);
      state = with(state, numbers);
    }
    state = state_of_block(state);
    const float scale = 1.0f / state.sum;
    for (unsigned first = threadIdx.x; first < columns; first += kAtOnce * blockDim.x) {
      load(numbers, from, first, columns);
      for (unsigned k = 0; k < kAtOnce; ++k) {
        const unsigned j = first + k * blockDim.x;
        if (j < columns) {
          to[j] = __expf(numbers[k] - state.max) * scale;
        }
      }
    }
    // END SOLUTION
  }
}

// As many blocks as run at the same time.
unsigned resident_blocks(unsigned block_size) {
  int device = 0, multiprocessors = 1, blocks = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, softmax_rows, static_cast<int>(block_size), 0));
  return static_cast<unsigned>(blocks * multiprocessors);
}

void softmax_rows_on_device(workbook::ConstMatrix input, workbook::Matrix output, unsigned block_size,
                            cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write all but state_of_block, then delete this line");
  // UNTIL SOLVED: if (input.columns > kWarp) WORKBOOK_TODO("step 2: write state_of_block, then delete this line");
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>(input.rows, resident_blocks(block_size)));
  softmax_rows<<<blocks, block_size, 0, stream>>>(input, output);
  CUDA_CHECK(cudaGetLastError());
}
