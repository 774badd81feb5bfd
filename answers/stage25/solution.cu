// SPDX-License-Identifier: MIT
// Stage 25: a transposed matrix times a vector. Nothing is transposed: lanes lie along the columns, as the matrix does
// in memory, and each adds up its own columns on the way down. The rows are shared by the threads of a block and by
// blocks, whose partial sums are added up in a tree: the last block of a group goes on with the group's sums.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "workbook/gemv.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kLoads = 4;           // rows that a thread has under way at the same time
constexpr unsigned kMostThreads = 256;   // a block
constexpr unsigned kResidentBlocks = 5;  // on an SM: with more, the compiler has no registers for kLoads vectors
constexpr unsigned kBlocksAnSm = 8;      // at least, where there are rows enough
constexpr unsigned kGroup = 32;          // blocks whose sums one of them adds up

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

// The numbers of this thread's columns in a row that begins anywhere, 0 where there are none. Also of a row that other
// blocks have written in this launch, where load_once() might find an old value.
__device__ float4 read_row(const float* row, const Columns<float4>& columns) {
  const float* const from = row + columns.first;
  return make_float4(columns.count > 0 ? from[0] : 0.0f, columns.count > 1 ? from[1] : 0.0f,
                     columns.count > 2 ? from[2] : 0.0f, columns.count > 3 ? from[3] : 0.0f);
}
__device__ float read_row(const float* row, const Columns<float>& columns) {
  return columns.is_whole() ? row[columns.first] : 0.0f;
}

// How a matrix is cut: into tiles of `lanes` threads side by side, a power of two, and these into `parts` of
// `rows_a_part` rows. A block has one of them, with blockDim.x / lanes rows at a time.
struct Cut {
  std::size_t rows_a_part;
  unsigned lanes;
  unsigned tiles;
  unsigned parts;
};

// What this thread adds up of the rows of its block.
template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end, unsigned lanes) {
  const unsigned rows_at_once = blockDim.x / lanes;
  const std::size_t first_row = begin + threadIdx.x / lanes;  // of this thread
  Vector sums{};
  if (!columns.is_whole()) {  // the end of a row, at most once a row
    for (std::size_t i = first_row; i < end && columns.count > 0; i += rows_at_once) {
      add_product(sums, read_row(a.data + i * a.pitch, columns), x[i]);
    }
    return sums;
  }
  // BEGIN SOLUTION: kLoads rows at a time, rows_at_once apart: first all loads into registers, of the matrix
  //     by load_once() of a Vector from columns.first on, of x plainly, zeros where the row is not less than end; then
  //     add_product() of each.
  for (std::size_t first = first_row; first < end; first += kLoads * rows_at_once) {
    Vector of_row[kLoads];
    float of_x[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = first + k * rows_at_once;
      const auto* const from = reinterpret_cast<const Vector*>(a.data + i * a.pitch + columns.first);
      of_row[k] = i < end ? load_once(from) : Vector{};
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = first + k * rows_at_once;
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

// The first `lanes` threads get the sums over all threads with the same columns.
template <typename Vector>
__device__ Vector sums_of_block(Vector sums, unsigned lanes) {
  __shared__ Vector shared_sums[kMostThreads];
  // BEGIN SOLUTION: each thread's sums into shared_sums; then half of the threads add to theirs those
  //     of the other half, which have the same columns, again and again until `lanes` threads are left: as in stage 04,
  //     with a barrier each time. add_product(sums, other, 1.0f) adds.
  shared_sums[threadIdx.x] = sums;
  for (unsigned half = blockDim.x / 2; half >= lanes; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      add_product(sums, shared_sums[threadIdx.x + half], 1.0f);
      shared_sums[threadIdx.x] = sums;
    }
  }
  // END SOLUTION
  return sums;
}

// Elements columns.first, ... of a row of numbers that begins anywhere.
__device__ void store_row(float* row, const Columns<float4>& columns, float4 value) {
  float* const to = row + columns.first;
  if (columns.count > 0) to[0] = value.x;
  if (columns.count > 1) to[1] = value.y;
  if (columns.count > 2) to[2] = value.z;
  if (columns.count > 3) to[3] = value.w;
}
__device__ void store_row(float* row, const Columns<float>& columns, float value) {
  if (columns.is_whole()) row[columns.first] = value;
}

// For a block that has stored its sums: whether it is the last of `blocks` to do so. Then every thread may read what
// the others have stored.
__device__ bool is_last(unsigned* ticket, unsigned blocks) {
  __shared__ bool last;
  __syncthreads();  // all of the block's sums are stored
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
    last = tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 == blocks;
    if (last) {
      tickets.store(0, cuda::memory_order_relaxed);  // for the next launch
    }
  }
  __syncthreads();
  return last;
}

// For a block with the sums of one of several parts of its tile: false where other blocks of the tile go on with them.
// In the last one, the first cut.lanes threads have the sums of all parts.
//   From level to level a group of partial sums, `step` parts apart, becomes one, in the place of its first.
template <typename Vector>
__device__ bool combine_parts(Vector& sums, const Columns<Vector>& columns, std::size_t all_columns, unsigned tile,
                              unsigned part, const Cut& cut, const workbook::GemvWorkspace& workspace) {
  unsigned level = 0;
  for (unsigned step = 1; step < cut.parts; step *= kGroup, ++level) {
    const unsigned first = part / (step * kGroup) * (step * kGroup);
    const unsigned members = min(kGroup, (cut.parts - first + step - 1) / step);
    // BEGIN SOLUTION: the first cut.lanes threads store_row() their sums into the block's own row of the
    //     partial sums, part / step * step; a row has all_columns numbers. Then is_last(), with the ticket number tile
    //     * cut.parts + first + level: who is not the last of the group's `members` is done. The last one's threads add
    //     up the group's rows, first, first + step, ..., by read_row(), each thread every (blockDim.x / cut.lanes)-th,
    //     and sums_of_block() the rest.
    // UNTIL SOLVED: if (members == 0) return false;  // replace
    if (threadIdx.x < cut.lanes) {
      store_row(workspace.partial_sums + std::size_t{part / step * step} * all_columns, columns, sums);
    }
    if (!is_last(workspace.tickets + std::size_t{tile} * cut.parts + first + level, members)) {
      return false;
    }
    sums = Vector{};
    for (unsigned member = threadIdx.x / cut.lanes; member < members; member += blockDim.x / cut.lanes) {
      const float* const row = workspace.partial_sums + std::size_t{first + member * step} * all_columns;
      add_product(sums, read_row(row, columns), 1.0f);
    }
    sums = sums_of_block(sums, cut.lanes);
    // END SOLUTION
  }
  return true;
}

// y = A^T x. Launch: cut.tiles * cut.parts blocks; all tiles of the first rows come first.
template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const unsigned tile = blockIdx.x % cut.tiles, part = blockIdx.x / cut.tiles;
  const Columns<Vector> columns(std::size_t{tile} * cut.lanes + threadIdx.x % cut.lanes, a.columns);
  const std::size_t begin = part * cut.rows_a_part, end = min(begin + cut.rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end, cut.lanes), cut.lanes);
  if (cut.parts > 1 && !combine_parts<Vector>(sums, columns, a.columns, tile, part, cut, workspace)) {
    return;
  }
  if (threadIdx.x < cut.lanes) {
    store_row(y, columns, sums);
  }
}

// Lanes: for all columns, at most a warp. Parts: as many as make enough blocks for the device, each with whole rounds
// of kLoads rows a thread, and with no fewer rows than there is room for partial sums.
template <typename Vector>
Cut cut_columns(const workbook::ConstMatrix& a, unsigned block_size) {
  const auto up = [](std::size_t dividend, std::size_t divisor) { return (dividend + divisor - 1) / divisor; };
  const std::size_t vectors = up(a.columns, Columns<Vector>::kWidth);
  Cut cut{a.rows, 1, 1, 1};
  while (cut.lanes < kWarp && cut.lanes < vectors) {
    cut.lanes *= 2;
  }
  cut.tiles = static_cast<unsigned>(up(vectors, cut.lanes));
  const std::size_t rows_a_round = std::max<std::size_t>(32, block_size / cut.lanes * kLoads);
  const std::size_t rounds = up(a.rows, rows_a_round);
  if (rounds > 1) {
    int device = 0, multiprocessors = 1;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const std::size_t wanted = up(kBlocksAnSm * static_cast<std::size_t>(multiprocessors), cut.tiles);
    cut.rows_a_part = up(rounds, wanted) * rows_a_round;
    cut.parts = static_cast<unsigned>(up(a.rows, cut.rows_a_part));
  }
  return cut;
}

template <typename Vector>
void launch_columns(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                    unsigned block_size, cudaStream_t stream) {
  const Cut cut = cut_columns<Vector>(a, block_size);
  multiply_columns<Vector><<<cut.tiles * cut.parts, block_size, 0, stream>>>(a, x, y, cut, workspace);
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
