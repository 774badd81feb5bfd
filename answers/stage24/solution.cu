// SPDX-License-Identifier: MIT
// Stage 24: a matrix times a vector. The matrix is read once, and that takes nearly all of the time. So all of the
// device must read, whatever the shape. The number of rows decides how many lanes a row gets: a few, a warp, a block,
// or several blocks. Several blocks leave partial sums, which the last of them adds up.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "workbook/student/gemv.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kUnderWay = 8;        // vectors of the matrix that a lane has under way at the same time
constexpr unsigned kMostRows = 2;        // rows of a team; kUnderWay / kMostRows vectors of each, then
constexpr unsigned kMostThreads = 128;   // a block
constexpr unsigned kResidentBlocks = 8;  // that share an SM's registers: the fewer, the more a thread has
constexpr unsigned kBlocksAnSm = 16;     // wanted, where rows are long enough to be shared by blocks
constexpr unsigned kSectorBytes = 32;    // what the memory moves at a time

constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// Reads what no thread of this SM reads again. It needs no place in the L1 cache, which is left to x.
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

// What this thread adds up of rows i, i + 1, ...: its share of the block's part. The part is vectors blockIdx.y *
// vectors_a_part and on. In the last part come the numbers behind the last whole vector. A row that does not exist is
// the last one again: its sum is never stored.
template <typename Vector, unsigned kRows>
__device__ void sum_lane(float (&sums)[kRows], const workbook::ConstMatrix& a, const float* x, std::size_t i,
                         std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const std::size_t vectors = a.columns / kWidth;
  const std::size_t begin = blockIdx.y * vectors_a_part, end = min(begin + vectors_a_part, vectors);
  const float* rows[kRows];
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    rows[r] = a.data + min(i + r, a.rows - 1) * a.pitch;
    sums[r] = 0.0f;
  }
  // BEGIN SOLUTION: the lane's vectors are begin + threadIdx.x, and from there on blockDim.x apart. Take
  //     kUnderWay / kRows of them at a time. First all loads into registers: of each row by load_once(), of x plainly,
  //     once for all rows; a Vector{} from end on. Then add their product()s to the sum of each row. Where blockIdx.y
  //     is the last part, also add the numbers behind the last whole vector. They are fewer than kWidth, and perhaps
  //     more than blockDim.x.
  constexpr unsigned kLoads = kUnderWay / kRows;
  for (std::size_t first = begin + threadIdx.x; first < end; first += kLoads * blockDim.x) {
    Vector of_rows[kLoads][kRows], of_x[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t j = first + k * blockDim.x;
#pragma unroll
      for (unsigned r = 0; r < kRows; ++r) {
        of_rows[k][r] = j < end ? load_once(reinterpret_cast<const Vector*>(rows[r]) + j) : Vector{};
      }
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t j = first + k * blockDim.x;
      of_x[k] = j < end ? reinterpret_cast<const Vector*>(x)[j] : Vector{};
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
#pragma unroll
      for (unsigned r = 0; r < kRows; ++r) {
        sums[r] += product(of_rows[k][r], of_x[k]);
      }
    }
  }
  if (blockIdx.y + 1 == gridDim.y) {
    for (std::size_t j = vectors * kWidth + threadIdx.x; j < a.columns; j += blockDim.x) {
#pragma unroll
      for (unsigned r = 0; r < kRows; ++r) {
        sums[r] += rows[r][j] * x[j];
      }
    }
  }
  // END SOLUTION
}

// The first lane of each team gets the team's sums. All threads of the block come here.
template <unsigned kRows>
__device__ void sum_team(float (&sums)[kRows]) {
  const auto sum_warp = [&sums](unsigned lanes) {
    for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
#pragma unroll
      for (unsigned r = 0; r < kRows; ++r) {
        sums[r] += __shfl_down_sync(0xffffffffu, sums[r], offset);
      }
    }
  };
  sum_warp(min(blockDim.x, kWarp));
  if (blockDim.x <= kWarp) {
    return;
  }
  __shared__ float warp_sums[kRows][kMostThreads / kWarp];
  const unsigned warps = blockDim.x / kWarp;  // of a team
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    if (threadIdx.x % kWarp == 0) {
      warp_sums[r][threadIdx.y * warps + threadIdx.x / kWarp] = sums[r];
    }
  }
  __syncthreads();
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    sums[r] = threadIdx.x < warps ? warp_sums[r][threadIdx.y * warps + threadIdx.x] : 0.0f;
  }
  sum_warp(warps);
}

// Whether the block is the last of gridDim.y to store its partial sums. All threads of the block come here, after
// thread 0 has stored them. In the last block every thread may then read what the others have stored.
__device__ bool is_last(unsigned* ticket) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
    last = tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 == gridDim.y;
    if (last) {
      tickets.store(0, cuda::memory_order_relaxed);  // for the next launch
    }
  }
  __syncthreads();
  return last;
}

// For a block with a part of rows i, i + 1, ... . False where other blocks of these rows are still at work. In the last
// one, thread 0 has the sums of all parts.
template <unsigned kRows>
__device__ bool combine_parts(float (&sums)[kRows], std::size_t rows, std::size_t i,
                              const workbook::GemvWorkspace& workspace) {
  // BEGIN SOLUTION: thread 0 stores the sums as partial sums, where there are such rows. Row 0 has the first
  //     gridDim.y of them, row 1 the next ones, and so on. Then is_last(), with a ticket that only these rows have,
  //     that of row i. The last block's threads add up the partial sums of each row, all together and always in the
  //     same order, by sum_team().
  // UNTIL SOLVED: return true;  // replace
  float* const partial_sums = workspace.partial_sums + i * gridDim.y;
  for (unsigned r = 0; threadIdx.x == 0 && r < kRows && i + r < rows; ++r) {
    partial_sums[r * gridDim.y + blockIdx.y] = sums[r];
  }
  if (!is_last(workspace.tickets + i)) {
    return false;
  }
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    sums[r] = 0.0f;
    for (unsigned part = threadIdx.x; part < gridDim.y && i + r < rows; part += blockDim.x) {
      sums[r] += partial_sums[r * gridDim.y + part];
    }
  }
  sum_team(sums);
  return true;
  // END SOLUTION
}

// y = A x. Launch: a block has blockDim.y teams of blockDim.x lanes, a power of two. A team works on kRows rows.
// gridDim.x blocks are for all rows. gridDim.y blocks share the same rows, in parts of vectors_a_part vectors. Where
// gridDim.y is more than 1, a block has one team.
template <typename Vector, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.y + threadIdx.y) * kRows;
  float sums[kRows];
  sum_lane<Vector>(sums, a, x, i, vectors_a_part);
  sum_team(sums);
  if (gridDim.y > 1 && !combine_parts(sums, a.rows, i, workspace)) {
    return;  // another block of these rows stores their sums
  }
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
      if (i + r < a.rows) {
        y[i + r] = sums[r];
      }
    }
  }
}

struct Cut {
  unsigned rows;   // a team has
  unsigned lanes;  // a team has
  unsigned parts;  // a row has
  std::size_t vectors_a_part;
};

// Lanes: up to a sector, one for each vector. From there on as many as have kUnderWay vectors each, of all rows
// together, at most a block. Where these are too few blocks for the device, several blocks a row, each with whole loops
// of vectors. `rows`: of a team; 1 where more would leave too few blocks.
template <typename Vector>
Cut cut_rows(const workbook::ConstMatrix& a, unsigned block_size, std::size_t wanted_blocks, unsigned rows) {
  const std::size_t vectors = a.columns * sizeof(float) / sizeof(Vector);
  unsigned lanes = 1;
  const auto vectors_at_once = [&] { return lanes * (lanes * sizeof(Vector) < kSectorBytes ? 1 : kUnderWay / rows); };
  // BEGIN SOLUTION: double the lanes while they are fewer than block_size, and while vectors_at_once() is
  //     less than `vectors`, those of a row.
  // UNTIL SOLVED: lanes = block_size;  // replace: right, and a waste where rows are short
  while (lanes < block_size && vectors_at_once() < vectors) {
    lanes *= 2;
  }
  // END SOLUTION
  const std::size_t rounds = std::max<std::size_t>(1, divide_up(vectors, vectors_at_once()));
  const std::size_t blocks_down = divide_up(a.rows, block_size / lanes * rows);
  if (rows > 1 && blocks_down * rounds < wanted_blocks) {
    return cut_rows<Vector>(a, block_size, wanted_blocks, 1);
  }
  const std::size_t rounds_a_part = divide_up(rounds, std::max<std::size_t>(1, wanted_blocks / blocks_down));
  return {rows, lanes, static_cast<unsigned>(divide_up(rounds, rounds_a_part)), rounds_a_part * vectors_at_once()};
}

template <typename Vector>
void launch_rows(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                 unsigned block_size, cudaStream_t stream) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const Cut cut = cut_rows<Vector>(a, block_size, kBlocksAnSm * static_cast<std::size_t>(multiprocessors), kMostRows);
  const dim3 block(cut.lanes, block_size / cut.lanes);
  const dim3 grid(static_cast<unsigned>(divide_up(a.rows, std::size_t{block.y} * cut.rows)), cut.parts);
  const auto kernel = cut.rows > 1 ? multiply_rows<Vector, kMostRows> : multiply_rows<Vector, 1>;
  kernel<<<grid, block, 0, stream>>>(a, x, y, cut.vectors_a_part, workspace);
  CUDA_CHECK(cudaGetLastError());
}

bool is_aligned(const float* data) { return reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0; }

void multiply_vector_on_device(workbook::ConstMatrix a, const float* x, float* y,
                               const workbook::GemvWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write sum_lane, combine_parts and the lanes of cut_rows, then delete this line");
  if (a.rows == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (is_aligned(a.data) && a.pitch % 4 == 0 && is_aligned(x)) {
    launch_rows<float4>(a, x, y, workspace, block_size, stream);
  } else {
    launch_rows<float>(a, x, y, workspace, block_size, stream);
  }
}
