// SPDX-License-Identifier: MIT
// Stage 25: a transposed matrix times a vector. Nothing is transposed: lanes lie along the columns, as the matrix does
// in memory. Each lane adds up its own columns on the way down. The threads of a block share the rows. Where that is
// too little, several blocks share them, and the last of these adds up what all have.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "workbook/student/gemv.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kFewestLanes = 8;     // side by side, where there are columns enough: 128 bytes of a row
constexpr unsigned kLoads = 8;           // rows that a thread has under way at the same time
constexpr unsigned kMostThreads = 512;   // a block
constexpr unsigned kResidentBlocks = 1;  // that share an SM's registers: the fewer, the more a thread has
constexpr unsigned kBlocksAnSm = 1;      // wanted, where there are rows enough

__host__ __device__ constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// Reads what no thread of this SM will ask for again: it needs no place in its L1 cache.
__device__ float4 load_once(const float4* address) {
  float4 value;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "l"(address));
  return value;
}
__device__ float load_once(const float* address) { return __ldcs(address); }

// The columns of one thread, side by side: 4 (Vector is float4), or 1. At the end of a row some may not exist.
template <typename Vector>
struct Columns {
  static constexpr unsigned kWidth = sizeof(Vector) / sizeof(float);
  std::size_t first;
  unsigned count;  // of those that exist

  __device__ Columns(std::size_t vector, std::size_t all) : first(vector * kWidth) {
    count = static_cast<unsigned>(first < all ? min(all - first, std::size_t{kWidth}) : 0);
  }
  __device__ bool is_whole() const { return count == kWidth; }
};

__device__ void add_product(float4& sums, float4 a, float x) {
  sums.x += a.x * x;
  sums.y += a.y * x;
  sums.z += a.z * x;
  sums.w += a.w * x;
}
__device__ void add_product(float& sum, float a, float x) { sum += a * x; }

// The numbers of this thread's columns in a row, one by one, 0 where there are none.
__device__ float4 read_row(const float* row, const Columns<float4>& columns) {
  const float* const from = row + columns.first;
  return make_float4(columns.count > 0 ? from[0] : 0.0f, columns.count > 1 ? from[1] : 0.0f,
                     columns.count > 2 ? from[2] : 0.0f, columns.count > 3 ? from[3] : 0.0f);
}
__device__ float read_row(const float* row, const Columns<float>& columns) {
  return columns.is_whole() ? row[columns.first] : 0.0f;
}

// What this thread adds up of the rows of its block.
template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end) {
  const std::size_t first_row = begin + threadIdx.y;  // of this thread; the next is blockDim.y further on
  Vector sums{};
  if (!columns.is_whole()) {  // the end of a row, at most once a row
    for (std::size_t i = first_row; i < end && columns.count > 0; i += blockDim.y) {
      add_product(sums, read_row(a.data + i * a.pitch, columns), x[i]);
    }
    return sums;
  }
  // BEGIN SOLUTION: kLoads rows at a time, blockDim.y apart. First all loads into registers. Load a Vector
  //     of the matrix by load_once(), from columns.first on, and x plainly. Take zeros where the row is not less than
  //     end. Then add_product() of each.
  for (std::size_t first = first_row; first < end; first += kLoads * blockDim.y) {
    Vector of_row[kLoads];
    float of_x[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = first + k * blockDim.y;
      const auto* const from = reinterpret_cast<const Vector*>(a.data + i * a.pitch + columns.first);
      of_row[k] = i < end ? load_once(from) : Vector{};
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = first + k * blockDim.y;
      of_x[k] = i < end ? x[i] : 0.0f;
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      add_product(sums, of_row[k], of_x[k]);
    }
  }
  // END SOLUTION
  return sums;
}

// The first row of threads gets the sums over all threads with the same columns.
template <typename Vector>
__device__ Vector sums_of_block(Vector sums) {
  __shared__ Vector shared_sums[kMostThreads];
  Vector* const mine = shared_sums + threadIdx.y * blockDim.x + threadIdx.x;
  // BEGIN SOLUTION: each thread stores its sums. Then half of the rows of threads add to theirs those of the
  //     other half, half * blockDim.x places further on. Repeat that until one row is left, as in stage 04, with a
  //     barrier each time. To add, call add_product(sums, other, 1.0f).
  // UNTIL SOLVED: *mine = sums;  // replace
  *mine = sums;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) {
      add_product(sums, mine[half * blockDim.x], 1.0f);
      *mine = sums;
    }
  }
  // END SOLUTION
  return sums;
}

// Whether the block is the last of gridDim.y to store its partial sums. All threads of the block come here, after its
// sums are stored. In the last block every thread may then read what the others have stored.
__device__ bool is_last(unsigned* ticket) {
  __shared__ bool last;
  __syncthreads();  // all of the block's sums are stored
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
    last = tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 == gridDim.y;
    if (last) {
      tickets.store(0, cuda::memory_order_relaxed);  // for the next launch
    }
  }
  __syncthreads();
  return last;
}

// For a block with the sums of one of several parts of its tile. False where other blocks of the tile are still at
// work. In the last one, the first row of threads has the sums of all parts. all_vectors: those of a row.
template <typename Vector>
__device__ bool combine_parts(Vector& sums, const Columns<Vector>& columns, std::size_t all_vectors,
                              const workbook::GemvWorkspace& workspace) {
  // BEGIN SOLUTION: the partial sums are gridDim.y rows of all_vectors Vectors. The first row of threads
  //     stores its sums in row blockIdx.y, where there are such columns. Then is_last(), with a ticket that only this
  //     tile has. The last block's threads add up the rows, those of threadIdx.y every blockDim.y-th, and
  //     sums_of_block() the rest. Not by load_once(): other blocks have written in this launch what it reads.
  // UNTIL SOLVED: return true;  // replace
  auto* const partial_sums = reinterpret_cast<Vector*>(workspace.partial_sums) + columns.first / columns.kWidth;
  if (threadIdx.y == 0 && columns.count > 0) {
    partial_sums[blockIdx.y * all_vectors] = sums;
  }
  if (!is_last(workspace.tickets + blockIdx.x)) {
    return false;
  }
  sums = Vector{};
  for (unsigned part = threadIdx.y; part < gridDim.y && columns.count > 0; part += blockDim.y) {
    add_product(sums, partial_sums[part * all_vectors], 1.0f);
  }
  sums = sums_of_block(sums);
  return true;
  // END SOLUTION
}

// Into y, which may begin anywhere.
__device__ void store_sums(float* y, const Columns<float4>& columns, float4 value) {
  float* const to = y + columns.first;
  if (columns.count > 0) to[0] = value.x;
  if (columns.count > 1) to[1] = value.y;
  if (columns.count > 2) to[2] = value.z;
  if (columns.count > 3) to[3] = value.w;
}
__device__ void store_sums(float* y, const Columns<float>& columns, float value) {
  if (columns.is_whole()) y[columns.first] = value;
}

// y = A^T x. Launch: gridDim.x tiles of columns. A block has blockDim.x threads side by side, a power of two. It has
// blockDim.y below each other, on as many rows at a time. The gridDim.y blocks of a tile share it, in parts of
// rows_a_part rows.
template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, std::size_t rows_a_part,
                     workbook::GemvWorkspace workspace) {
  const Columns<Vector> columns(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, a.columns);
  const std::size_t begin = blockIdx.y * rows_a_part, end = min(begin + rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end));
  const std::size_t all_vectors = divide_up(a.columns, Columns<Vector>::kWidth);
  if (gridDim.y > 1 && !combine_parts<Vector>(sums, columns, all_vectors, workspace)) {
    return;
  }
  if (threadIdx.y == 0) {
    store_sums(y, columns, sums);
  }
}

struct Cut {
  unsigned lanes;  // side by side
  unsigned tiles;  // of lanes vectors
  unsigned parts;  // of a tile
  std::size_t rows_a_part;
};

// Lanes: for all columns, at most a warp, and fewer where that makes a tile for every SM. Parts: as many as make the
// wanted number of blocks. Each part has whole rounds of kLoads rows a thread. There are no more parts than there is
// room for partial sums.
template <typename Vector>
Cut cut_columns(const workbook::ConstMatrix& a, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto sms = static_cast<std::size_t>(multiprocessors);
  const std::size_t vectors = divide_up(a.columns, Columns<Vector>::kWidth);
  unsigned lanes = 1;
  while (lanes < kWarp && lanes < vectors) {
    lanes *= 2;
  }
  while (lanes > kFewestLanes && divide_up(vectors, lanes) < sms) {
    lanes /= 2;
  }
  const std::size_t tiles = divide_up(vectors, lanes);
  const std::size_t rows_a_round = std::max<std::size_t>(32, block_size / lanes * kLoads);
  const std::size_t rounds = std::max<std::size_t>(1, divide_up(a.rows, rows_a_round));
  const std::size_t rounds_a_part = divide_up(rounds, std::max<std::size_t>(1, kBlocksAnSm * sms / tiles));
  const std::size_t parts = divide_up(rounds, rounds_a_part);
  return {lanes, static_cast<unsigned>(tiles), static_cast<unsigned>(parts), rounds_a_part * rows_a_round};
}

template <typename Vector>
void launch_columns(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                    unsigned block_size, cudaStream_t stream) {
  const Cut cut = cut_columns<Vector>(a, block_size);
  const dim3 grid(cut.tiles, cut.parts), block(cut.lanes, block_size / cut.lanes);
  multiply_columns<Vector><<<grid, block, 0, stream>>>(a, x, y, cut.rows_a_part, workspace);
  CUDA_CHECK(cudaGetLastError());
}

// Whether every row begins at a multiple of 16 bytes.
bool holds_vectors(const workbook::ConstMatrix& matrix) {
  return reinterpret_cast<std::uintptr_t>(matrix.data) % sizeof(float4) == 0 && matrix.pitch % 4 == 0;
}

void multiply_vector_transposed_on_device(workbook::ConstMatrix a, const float* x, float* y,
                                          const workbook::GemvWorkspace& workspace, unsigned block_size,
                                          cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write sums_of_thread, sums_of_block and combine_parts, then delete this line");
  if (a.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (holds_vectors(a)) {
    launch_columns<float4>(a, x, y, workspace, block_size, stream);
  } else {
    launch_columns<float>(a, x, y, workspace, block_size, stream);
  }
}
