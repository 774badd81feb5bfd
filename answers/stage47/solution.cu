// SPDX-License-Identifier: MIT
// Stage 47: softmax of rows, in two reads. The formula reads a row three times: for the maximum, for the sum of
// exp(x - maximum), and for the result. The first two become one: the sum is kept for the largest number so far, and
// rescaled whenever a larger one comes.
#include <algorithm>
#include <cfloat>
#include <cstddef>

#include "workbook/student/rows.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kMostWarps = 32;  // of a block
constexpr unsigned kAll = 0xffffffffu;

// What is known of some numbers of a row: the largest, and the sum of exp(x - max) over them.
struct RowState {
  float max;
  float sum;
};
// The state of no numbers. Its max is not -inf but the smallest float: so max - max is 0, and never NaN.
__device__ RowState nothing() { return {-FLT_MAX, 0.0f}; }

// The state of what `state` has and of one more number.
__device__ RowState with(RowState state, float x) {
  // BEGIN SOLUTION: step 1. The new maximum comes first; fmaxf(). `sum` belongs to the old maximum. Multiplied
  //     by __expf(old - new) it belongs to the new one. Then add what x counts for.
  // UNTIL SOLVED: return (void)x, state;  // replace
  const float max = fmaxf(state.max, x);
  return {max, state.sum * __expf(state.max - max) + __expf(x - max)};
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

// Softmax of each row. Launch: a grid of any size; block b does the rows b, b + gridDim.x, ...
__global__ void __launch_bounds__(kWarp* kMostWarps)
    softmax_rows(workbook::ConstMatrix input, workbook::Matrix output) {
  for (std::size_t row = blockIdx.x; row < input.rows; row += gridDim.x) {
    RowState state = nothing();
    // BEGIN SOLUTION: step 1. A row begins at data + row * pitch, in both matrices with their own pitch.
    //     Numbers threadIdx.x, threadIdx.x + blockDim.x, ... of it are this thread's. The first read puts each of them
    //     into `state`. state_of_block() makes of it the state of the row. The second read stores exp(x - max) / sum.
    // UNTIL SOLVED: state = state_of_block(with(state, 0.0f));  // only keeps the compiler quiet: delete it
    const float* from = input.data + row * input.pitch;
    float* to = output.data + row * output.pitch;
    for (std::size_t j = threadIdx.x; j < input.columns; j += blockDim.x) {
      state = with(state, from[j]);
    }
    state = state_of_block(state);
    const float scale = 1.0f / state.sum;
    for (std::size_t j = threadIdx.x; j < input.columns; j += blockDim.x) {
      to[j] = __expf(from[j] - state.max) * scale;
    }
    // END SOLUTION
  }
}

// As many blocks as run at the same time.
unsigned resident_blocks(unsigned block_size) {
  constexpr unsigned kThreadsAnSm = 1024;  // on every GPU
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return kThreadsAnSm / block_size * static_cast<unsigned>(multiprocessors);
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
