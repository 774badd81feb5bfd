// SPDX-License-Identifier: MIT
// Stage 24: a matrix times a vector. The matrix is read once, and nothing else takes time: what counts is that all of
// the device reads, whatever the shape. So the rows decide how many lanes a row gets: a few, a warp, a block, or
// several blocks, whose partial sums the last of them adds up.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "workbook/gemv.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kLoads = 8;           // vectors of a row that a lane has under way at the same time
constexpr unsigned kMostThreads = 128;   // a block
constexpr unsigned kResidentBlocks = 6;  // on an SM: with more, the compiler has no registers for kLoads vectors
constexpr unsigned kBlocksAnSm = 32;     // at least, where rows are long enough to be shared by blocks
constexpr unsigned kSectorBytes = 32;    // what the memory moves at a time

constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// Reads what no thread of this SM will ask for again: it needs no place in its L1 cache, which is left to x.
__device__ float4 load_once(const float4* address) {
  float4 value;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "l"(address));
  return value;
}
__device__ float load_once(const float* address) { return __ldcs(address); }

__device__ float product(float4 a, float4 x) { return a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w; }
__device__ float product(float a, float x) { return a * x; }

// What this thread adds up of a row: its share of the block's part, which are vectors blockIdx.y * vectors_a_part and
// on, and in the last part the numbers behind the last whole vector.
template <typename Vector>
__device__ float sum_of_lane(const float* row, const float* x, std::size_t columns, std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const auto* const vectors_of_row = reinterpret_cast<const Vector*>(row);
  const auto* const vectors_of_x = reinterpret_cast<const Vector*>(x);
  const std::size_t vectors = columns / kWidth;
  const std::size_t begin = blockIdx.y * vectors_a_part, end = min(begin + vectors_a_part, vectors);
  // BEGIN SOLUTION: the lane's vectors are begin + threadIdx.x, and from there on blockDim.x apart. kLoads of
  //     them at a time: first all loads into registers, of the row by load_once(), of x plainly, as it is read again by
  //     every row; a Vector{} from end on. Then the sum of their product()s. Where blockIdx.y is the last part, also
  //     the numbers behind the last whole vector: they are fewer than kWidth, and may be more than blockDim.x.
  // UNTIL SOLVED: return 0.0f;  // replace
  float sum = 0.0f;
  for (std::size_t first = begin + threadIdx.x; first < end; first += kLoads * blockDim.x) {
    Vector of_row[kLoads], of_x[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t j = first + k * blockDim.x;
      of_row[k] = j < end ? load_once(vectors_of_row + j) : Vector{};
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t j = first + k * blockDim.x;
      of_x[k] = j < end ? vectors_of_x[j] : Vector{};
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      sum += product(of_row[k], of_x[k]);
    }
  }
  if (blockIdx.y + 1 == gridDim.y) {
    for (std::size_t j = vectors * kWidth + threadIdx.x; j < columns; j += blockDim.x) {
      sum += row[j] * x[j];
    }
  }
  return sum;
  // END SOLUTION
}

// The first lane of each team gets the team's sum. All threads of the block come here.
__device__ float sum_of_team(float sum) {
  for (unsigned offset = min(blockDim.x, kWarp) / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (blockDim.x <= kWarp) {
    return sum;
  }
  __shared__ float warp_sums[kMostThreads / kWarp];
  const unsigned warps = blockDim.x / kWarp;  // of a team
  float* const sums = warp_sums + threadIdx.y * warps;
  if (threadIdx.x % kWarp == 0) {
    sums[threadIdx.x / kWarp] = sum;
  }
  __syncthreads();
  sum = threadIdx.x < warps ? sums[threadIdx.x] : 0.0f;
  for (unsigned offset = warps / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  return sum;
}

// For a block whose thread 0 has the sum of its part: leaves it in partial_sums, and tells whether it is the last of
// the row's blocks to do so. Then every thread may read what the others have left.
__device__ bool is_last(float sum, float* partial_sums, unsigned* ticket) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial_sums[blockIdx.y] = sum;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
    last = tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 == gridDim.y;
    if (last) {
      tickets.store(0, cuda::memory_order_relaxed);  // for the next launch
    }
  }
  __syncthreads();
  return last;
}

// For a block with a part of row i: false where other blocks of the row are still at work. In the last one, thread 0
// has the sum of all parts.
__device__ bool combine_parts(float& sum, std::size_t i, const workbook::GemvWorkspace& workspace) {
  // BEGIN SOLUTION: is_last() with the row's own gridDim.y partial sums and its own ticket; the last block's
  //     threads add up the partial sums, all together and always in the same order, by sum_of_team().
  // UNTIL SOLVED: return true;  // replace
  float* const partial_sums = workspace.partial_sums + i * gridDim.y;
  if (!is_last(sum, partial_sums, workspace.tickets + i)) {
    return false;
  }
  sum = 0.0f;
  for (unsigned part = threadIdx.x; part < gridDim.y; part += blockDim.x) {
    sum += partial_sums[part];
  }
  sum = sum_of_team(sum);
  return true;
  // END SOLUTION
}

// y = A x. Launch: a block has blockDim.y teams of blockDim.x lanes, a power of two; a team works on a row. gridDim.x
// blocks are for all rows, and gridDim.y blocks share each row, in parts of vectors_a_part vectors. Where these are
// several, a block has one team.
template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  // BEGIN SOLUTION: row i of this thread's team. The team's sum by sum_of_lane() and sum_of_team(): all
  //     threads of the block come to the second, also where there is no row i. Where there are several parts,
  //     combine_parts(). The team's first lane stores y[i].
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y;
  float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, vectors_a_part) : 0.0f;
  sum = sum_of_team(sum);
  if (gridDim.y > 1 && !combine_parts(sum, i, workspace)) {
    return;  // another block of the row stores its sum
  }
  if (i < a.rows && threadIdx.x == 0) {
    y[i] = sum;
  }
  // END SOLUTION
}

struct Cut {
  unsigned lanes;  // a team
  unsigned parts;  // of a row
  std::size_t vectors_a_part;
};

// Lanes: up to a sector one for each vector; from there on as many as have kLoads vectors each, at most a block. And
// where these are too few blocks for the device, several blocks a row, each with whole rounds of kLoads vectors a lane.
template <typename Vector>
Cut cut_rows(const workbook::ConstMatrix& a, unsigned block_size) {
  const std::size_t vectors = a.columns * sizeof(float) / sizeof(Vector);
  unsigned lanes = 1;
  const auto vectors_at_once = [&] { return lanes * (lanes * sizeof(Vector) < kSectorBytes ? 1 : kLoads); };
  // BEGIN SOLUTION: twice as many lanes, while they are fewer than the block has and the vectors that they have
  //     under way at once are fewer than those of a row.
  // UNTIL SOLVED: lanes = block_size;  // replace: right, and a waste where rows are short
  while (lanes < block_size && vectors_at_once() < vectors) {
    lanes *= 2;
  }
  // END SOLUTION
  const std::size_t rounds = std::max<std::size_t>(1, divide_up(vectors, vectors_at_once()));
  std::size_t rounds_a_part = rounds;
  if (rounds > 1) {
    int device = 0, multiprocessors = 1;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const std::size_t wanted = divide_up(kBlocksAnSm * static_cast<std::size_t>(multiprocessors), a.rows);
    rounds_a_part = divide_up(rounds, wanted);
  }
  return {lanes, static_cast<unsigned>(divide_up(rounds, rounds_a_part)), rounds_a_part * vectors_at_once()};
}

template <typename Vector>
void launch_rows(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                 unsigned block_size, cudaStream_t stream) {
  const Cut cut = cut_rows<Vector>(a, block_size);
  const dim3 block(cut.lanes, block_size / cut.lanes);
  const dim3 grid(static_cast<unsigned>(divide_up(a.rows, block.y)), cut.parts);
  multiply_rows<Vector><<<grid, block, 0, stream>>>(a, x, y, cut.vectors_a_part, workspace);
  CUDA_CHECK(cudaGetLastError());
}

bool is_aligned(const float* data) { return reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0; }

void multiply_vector_on_device(workbook::ConstMatrix a, const float* x, float* y,
                               const workbook::GemvWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write what is missing in the four places above, then delete this line");
  if (a.rows == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (is_aligned(a.data) && a.pitch % 4 == 0 && is_aligned(x)) {
    launch_rows<float4>(a, x, y, workspace, block_size, stream);
  } else {
    launch_rows<float>(a, x, y, workspace, block_size, stream);
  }
}
