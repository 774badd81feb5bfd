// SPDX-License-Identifier: MIT
// Stage 48: one read. A row stays in the registers of the threads that have read it, until all of them know what the
// whole row has. How many threads that are depends on the row: a warp, a block, or several blocks, which hand their
// states on through global memory while they run.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <cuda/atomic>

#include "cut.cuh"
#include "launch.cuh"
#include "row_state.cuh"

using workbook::ConstMatrix;
using workbook::Matrix;
using workbook::RowOperation;

struct Softmax {
  // Stands for a number that does not exist.
  static __device__ float no_number() { return -INFINITY; }

  // The state of a thread's numbers. Each x becomes exp(x - max), with the max of this state.
  template <unsigned kCount>
  static __device__ RowState take(float (&numbers)[kCount]) {
    RowState state = nothing();
    // BEGIN SOLUTION: step 1. The maximum of all numbers first. Then each number becomes __expf(x - max), and
    //     counts for the sum.
    for (const float x : numbers) {
      state.max = fmaxf(state.max, x);
    }
    for (float& x : numbers) {
      x = __expf(x - state.max);
      state.sum += x;
    }
    // END SOLUTION
    return state;
  }
  // What the thread's numbers are multiplied by. `own` is what take() gave, `row` is the state of the row.
  static __device__ float factor(RowState own, RowState row, float columns) {
    // BEGIN SOLUTION: step 1. The numbers are exp(x - own.max). What makes them exp(x - row.max) / row.sum?
    // UNTIL SOLVED: return (void)own, (void)row, (void)columns, 1.0f;  // replace
    (void)columns;
    return __expf(own.max - row.max) / row.sum;
    // END SOLUTION
  }
};

struct RmsNorm {
  static __device__ float no_number() { return 0.0f; }

  // The state of a thread's numbers: max is 0, and sum is that of their squares.
  template <unsigned kCount>
  static __device__ RowState take(const float (&numbers)[kCount]) {
    RowState state{0.0f, 0.0f};
    // BEGIN SOLUTION: step 2.
    for (const float x : numbers) {
      state.sum += x * x;
    }
    // END SOLUTION
    return state;
  }
  static __device__ float factor(RowState own, RowState row, float columns) {
    // BEGIN SOLUTION: step 2. x / sqrt(mean + workbook::kRmsEpsilon), where mean is that of the squares.
    // UNTIL SOLVED: return (void)own, (void)row, (void)columns, 1.0f;  // replace
    (void)own;
    return rsqrtf(row.sum / columns + workbook::kRmsEpsilon);
    // END SOLUTION
  }
};

// Loads this thread's numbers of a row. A Vector has 4 numbers (float4), or 1.
template <typename Operation, typename Vector, unsigned kCount>
__device__ void load(float (&numbers)[kCount], const Vector* row, Part part) {
  constexpr unsigned kWidth = sizeof(Vector) / sizeof(float);
  // BEGIN SOLUTION: step 1. Vectors 0 to kCount / kWidth - 1 of this thread, by load_once(), into
  //     numbers[k * kWidth] and on; memcpy() does it. For a vector that does not exist take no_number() of the
  //     Operation. Write #pragma unroll above the loop: registers have no index, so each k must be a constant. Then all
  //     loads are under way at the same time.
  // UNTIL SOLVED: for (float& x : numbers) x = ((void)row, (void)part, kWidth * Operation::no_number());  // replace
#pragma unroll
  for (unsigned k = 0; k < kCount / kWidth; ++k) {
    if (place_of(part, k) < part.end) {
      const Vector vector = load_once(row + place_of(part, k));
      memcpy(&numbers[k * kWidth], &vector, sizeof vector);
    } else {
      for (unsigned i = 0; i < kWidth; ++i) {
        numbers[k * kWidth + i] = Operation::no_number();
      }
    }
  }
  // END SOLUTION
}

// The state of all threads of the block together, for each of them. All threads come here.
__device__ RowState state_of_block(RowState state) {
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  state = state_of_warp(state);
  // BEGIN SOLUTION: step 3. As in stage 47, in __shared__ RowState of_warps[kMostThreads / kWarp].
  // UNTIL SOLVED: return (void)lane, (void)warp, (void)warps, state;  // replace
  __shared__ RowState of_warps[kMostThreads / kWarp];
  if (lane == 0) {
    of_warps[warp] = state;
  }
  __syncthreads();
  return state_of_warp(lane < warps ? of_warps[lane] : nothing());
  // END SOLUTION
}

// A word that one block stores while others load it.
using Shared = cuda::atomic_ref<Word, cuda::thread_scope_device>;

// Tells all blocks that part `number` of a row has this state. `words` are those of the row: one for each part, all
// kNotThere before. All threads of the block come here.
__device__ void publish(RowState state, Word* words, unsigned number) {
  // BEGIN SOLUTION: step 4. One thread stores word_of(state), by a Shared, with
  //     cuda::memory_order_relaxed: the word has all that is handed on, so no other memory need be ordered.
  // UNTIL SOLVED: (void)state, (void)words, (void)number;  // only keeps the compiler quiet: delete it
  if (threadIdx.x == 0) {
    Shared(words[number]).store(word_of(state), cuda::memory_order_relaxed);
  }
  // END SOLUTION
}

// The state of all `parts` parts of a row together, for each thread of the block. All of them come here.
__device__ RowState state_of_row(Word* words, unsigned parts) {
  // BEGIN SOLUTION: step 4. The lanes of the first warp load the words of all parts, 32 at a time, each
  //     again and again until it is there: relaxed, by a Shared. They combine the states (state_in), and one lane
  //     leaves the result in a __shared__ RowState. Behind a barrier all threads take it.
  // UNTIL SOLVED: return (void)words, (void)parts, nothing();  // replace
  __shared__ RowState of_row;
  if (threadIdx.x < kWarp) {
    RowState found = nothing();
    for (unsigned i = threadIdx.x; i < parts; i += kWarp) {
      Word word = kNotThere;
      while (word == kNotThere) {
        word = Shared(words[i]).load(cuda::memory_order_relaxed);
      }
      found = combine(found, state_in(word));
    }
    found = state_of_warp(found);
    if (threadIdx.x == 0) {
      of_row = found;
    }
  }
  __syncthreads();
  return of_row;
  // END SOLUTION
}

// Rows that a block has room for. Launch: a block of Cut::block threads for each Cut::block.y rows.
template <typename Operation, typename Vector>
__global__ void __launch_bounds__(kMostThreads) normalize_rows(ConstMatrix input, Matrix output) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (row >= input.rows) {
    return;  // a whole warp: only blocks of warps that need no barrier have several rows
  }
  const Part part{0, static_cast<unsigned>(input.columns / (sizeof(Vector) / sizeof(float)))};
  float numbers[kNumbers];
  load<Operation>(numbers, reinterpret_cast<const Vector*>(input.data + row * input.pitch), part);
  const RowState own = Operation::take(numbers);
  const RowState of_row = blockDim.x == kWarp ? state_of_warp(own) : state_of_block(own);
  const float factor = Operation::factor(own, of_row, static_cast<float>(input.columns));
  store(numbers, factor, reinterpret_cast<Vector*>(output.data + row * output.pitch), part);
}

#include "in_parts.cuh"   // normalize_parts(), from the functions above
#include "two_reads.cuh"  // normalize_in_two_reads(), from the functions above

template <typename Operation, typename Vector>
void launch(ConstMatrix input, Matrix output, unsigned block_size, const workbook::RowWorkspace& workspace) {
  launch_rows(normalize_rows<Operation, Vector>, normalize_parts<Operation, Vector>,
              normalize_in_two_reads<Operation, Vector>, input, output, block_size, workspace);
}

void normalize_rows_on_device(RowOperation operation, ConstMatrix input, Matrix output, unsigned block_size,
                              const workbook::RowWorkspace& workspace) {
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write Softmax and load, then delete this line");
  // UNTIL SOLVED: if (operation == RowOperation::rms_norm) WORKBOOK_TODO("step 2: write RmsNorm, delete this line");
  // UNTIL SOLVED: [[maybe_unused]] const Cut cut = cut_rows(input.columns, block_size);
  // UNTIL SOLVED: if (cut.block.x > kWarp) WORKBOOK_TODO("step 3: write state_of_block, then delete this line");
  // UNTIL SOLVED: if (cut.parts > 1) WORKBOOK_TODO("step 4: write publish and state_of_row, then delete this line");
  const bool has_vectors =
      holds_vectors(input.data, input.columns, input.pitch) && holds_vectors(output.data, output.columns, output.pitch);
  if (operation == RowOperation::softmax) {
    (has_vectors ? launch<Softmax, float4> : launch<Softmax, float>)(input, output, block_size, workspace);
  } else {
    (has_vectors ? launch<RmsNorm, float4> : launch<RmsNorm, float>)(input, output, block_size, workspace);
  }
}
