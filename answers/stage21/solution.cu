// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 21: a matrix product as a software pipeline. While the warps compute with one pair of tiles, the next pairs are
// on their way into shared memory. Asynchronous copies (cp.async) bring them, without registers. One barrier a k-tile
// is enough. A thread has 8 x 16 sums (the thread tile).
#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "workbook/student/matmul.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kVector = 4;  // floats of a vector
constexpr unsigned kTerms = 8;   // of a k-tile
constexpr unsigned kStages = 3;  // pairs of tiles in shared memory: one in use, two on their way
constexpr unsigned kRows = 8;    // of a thread's sums
constexpr unsigned kColumns = 16;
constexpr unsigned kLanesDown = 8, kLanesAcross = 4;  // a warp's lanes over its part of C: 64 x 64 elements
constexpr unsigned kWarpSide = kRows * kLanesDown;    // which is kColumns * kLanesAcross

// A tile of C (the CTA tile) for kDown x kAcross warps, and the two tiles of A and B that a k-tile needs. A is stored
// transposed: its elements of one column, which a thread wants together, lie side by side. The four floats behind them
// put the eight columns that a warp brings at a time into different banks.
template <unsigned kDown, unsigned kAcross>
struct Tiles {
  static constexpr unsigned kHeight = kDown * kWarpSide, kWidth = kAcross * kWarpSide;
  static constexpr unsigned kThreads = kDown * kAcross * kWarp;
  float a[kStages][kTerms][kHeight + kVector];
  float b[kStages][kTerms][kWidth];
};

// Starts the copy of one number, or of a zero where there is none. The last argument: how many of the bytes are not
// copied, but filled with zeros.
template <bool kWhole>
__device__ void bring_one(float* to, const float* from, bool exists) {
  __pipeline_memcpy_async(to, from, sizeof(float), kWhole || exists ? 0 : sizeof(float));
}

// TileLoader: what one thread brings of each k-tile (CUTLASS: the iterators over the tiles of A and B). It brings one
// number in each of several rows of A, and several vectors of B. A copy returns at once. kWhole: everything exists, and
// the rows of B begin at multiples of 16 bytes. Else the loader asks for each number whether it exists, and stores a
// zero where it does not.
template <class Tile, bool kWhole>
class TileLoader {
 public:
  __device__ TileLoader(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, std::size_t top,
                        std::size_t left)
      : from_a_(a.data + (top + row_a()) * a.pitch + term_a()),
        from_b_(b.data + term_b() * b.pitch + left + column_b()),
        pitch_a_(a.pitch),
        pitch_b_(b.pitch),
        terms_left_(a.columns),
        rows_left_(a.rows - top),  // there is a tile, so there is a first row, and a first column
        columns_left_(b.columns - left) {}

  // Starts a part of the copies of the next k-tile into `stage`. There are kTerms parts: a few copies between many
  // multiply-adds never wait for one another.
  __device__ void bring(Tile& tile, unsigned stage, unsigned part) {
    // BEGIN SOLUTION: nothing where no terms are left. From A come term term_a(), and rows row_a() + r for r
    //     = 0, kRowsAtATime, ... . From B come terms term_b() + k for k = 0, kTermsAtATime, ..., four numbers from
    //     column column_b() on. Copy number i of all these belongs to part i % kTerms. Where kWhole, use
    //     __pipeline_memcpy_async(to, from, bytes), for B with vectors. Else copy each number with bring_one<kWhole>().
    //     Its last argument is whether the number exists, which terms_left_, rows_left_ and columns_left_ decide.
    unsigned copy = 0;
#pragma unroll
    for (unsigned r = 0; r < Tile::kHeight; r += kRowsAtATime) {
      if (copy++ % kTerms != part || terms_left_ == 0) continue;
      bring_one<kWhole>(&tile.a[stage][term_a()][row_a() + r], from_a_ + r * pitch_a_,
                        row_a() + r < rows_left_ && term_a() < terms_left_);
    }
#pragma unroll
    for (unsigned k = 0; k < kTerms; k += kTermsAtATime) {
      if (copy++ % kTerms != part || terms_left_ == 0) continue;
      float* const to = &tile.b[stage][term_b() + k][column_b()];
      const float* const from = from_b_ + k * pitch_b_;
      if constexpr (kWhole) {
        __pipeline_memcpy_async(to, from, sizeof(float4));
      } else {
        for (unsigned i = 0; i < kVector; ++i) {
          bring_one<kWhole>(to + i, from + i, term_b() + k < terms_left_ && column_b() + i < columns_left_);
        }
      }
    }
    // END SOLUTION
    if (part < kTerms - 1) return;
    __pipeline_commit();  // what was started since the last commit is one stage
    from_a_ += kTerms;
    from_b_ += kTerms * pitch_b_;
    terms_left_ -= terms_left_ < kTerms ? terms_left_ : kTerms;
  }

 private:
  // A warp takes 4 rows of 8 numbers of A, and 128 numbers of a row of B.
  static constexpr unsigned kRowsAtATime = Tile::kThreads / kTerms;
  static constexpr unsigned kVectorsARow = Tile::kWidth / kVector;
  static constexpr unsigned kTermsAtATime = Tile::kThreads / kVectorsARow;
  static __device__ unsigned term_a() { return threadIdx.x % kTerms; }
  static __device__ unsigned row_a() { return threadIdx.x / kTerms; }
  static __device__ unsigned term_b() { return threadIdx.x / kVectorsARow; }
  static __device__ unsigned column_b() { return threadIdx.x % kVectorsARow * kVector; }

  const float* from_a_;
  const float* from_b_;
  std::size_t pitch_a_, pitch_b_;
  std::size_t terms_left_, rows_left_, columns_left_;
};

// What a thread needs for one term: a float4 of each group of rows and of columns that it has.
template <class Tile>
__device__ void read(float (&of_a)[kRows], float (&of_b)[kColumns], const Tile& tile, unsigned stage, unsigned k,
                     unsigned row, unsigned column) {
#pragma unroll
  for (unsigned r = 0; r < kRows; r += kVector) {
    *reinterpret_cast<float4*>(of_a + r) = *reinterpret_cast<const float4*>(&tile.a[stage][k][row + r * kLanesDown]);
  }
#pragma unroll
  for (unsigned c = 0; c < kColumns; c += kVector) {
    *reinterpret_cast<float4*>(of_b + c) =
        *reinterpret_cast<const float4*>(&tile.b[stage][k][column + c * kLanesAcross]);
  }
}

// 128 multiply-adds, column by column, up one and down the next. Two in a row share two of their three operands, so the
// GPU reads these from its registers once.
__device__ void multiply_add(float (&sums)[kRows][kColumns], const float (&of_a)[kRows],
                             const float (&of_b)[kColumns]) {
#pragma unroll
  for (unsigned column = 0; column < kColumns; ++column) {
#pragma unroll
    for (unsigned step = 0; step < kRows; ++step) {
      const unsigned row = column % 2 == 0 ? step : kRows - 1 - step;
      sums[row][column] += of_a[row] * of_b[column];
    }
  }
}

// All terms of all k-tiles (CUTLASS: the mainloop), for this thread's rows and columns, which begin at `row` and
// `column` of the tile.
template <class Tile, bool kWhole>
__device__ void add_k_tiles(float (&sums)[kRows][kColumns], Tile& tile, TileLoader<Tile, kWhole>& loader,
                            unsigned k_tiles, unsigned row, unsigned column) {
  float of_a[2][kRows], of_b[2][kColumns];  // of this term, and of the next
  // BEGIN SOLUTION: the loader brings the first kStages - 1 k-tiles, all parts. Wait for the first, then a
  //     barrier, then read<Tile>() its term 0. Then do the following for each k-tile and each of its terms. First
  //     read<Tile>() the next term into the other registers. Where that term belongs to the next k-tile, wait for it
  //     before, and a barrier. Then multiply_add(). Then the loader brings one part of the k-tile kStages - 1 further
  //     on. It goes into the stage of the k-tile before, which no thread reads any more.
#pragma unroll
  for (unsigned stage = 0; stage < kStages - 1; ++stage) {
#pragma unroll
    for (unsigned part = 0; part < kTerms; ++part) loader.bring(tile, stage, part);
  }
  __pipeline_wait_prior(kStages - 2);
  __syncthreads();
  read<Tile>(of_a[0], of_b[0], tile, 0, 0, row, column);
  unsigned now = 0, free = kStages - 1;
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (unsigned k = 0; k < kTerms; ++k) {
      if (k == kTerms - 1) {
        __pipeline_wait_prior(kStages - 3);  // this thread's copies of the next k-tile are there,
        __syncthreads();                     // and those of all threads
        now = now == kStages - 1 ? 0 : now + 1;
      }
      read<Tile>(of_a[(k + 1) % 2], of_b[(k + 1) % 2], tile, now, (k + 1) % kTerms, row, column);
      multiply_add(sums, of_a[k % 2], of_b[k % 2]);
      loader.bring(tile, free, k);
    }
    free = free == kStages - 1 ? 0 : free + 1;
  }
  // END SOLUTION
}

// Stores the sums in whole rows. The lanes of a warp have single numbers of eight rows, and would touch each sector
// four times. So the sums go through the tiles' shared memory, one of each thread's rows at a time (the epilogue).
template <class Tile, bool kWhole>
__device__ void store_sums(const workbook::Matrix& c, std::size_t top, std::size_t left, Tile& tile, unsigned row,
                           unsigned column, const float (&sums)[kRows][kColumns]) {
  using Row = float[Tile::kWidth + 1];
  constexpr unsigned kRowsAtATime = Tile::kHeight / kRows;
  static_assert(kRowsAtATime * sizeof(Row) <= sizeof(Tile));
  Row* const rows = reinterpret_cast<Row*>(&tile);
  const unsigned own = row / kWarpSide * kLanesDown + row % kWarpSide / kVector;
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    __syncthreads();  // all threads have read the last terms, or stored the rows before
#pragma unroll
    for (unsigned s = 0; s < kColumns; ++s) {
      rows[own][column + s / kVector * (kVector * kLanesAcross) + s % kVector] = sums[r][s];
    }
    __syncthreads();
#pragma unroll 4
    for (unsigned e = threadIdx.x; e < kRowsAtATime * Tile::kWidth; e += Tile::kThreads) {
      const unsigned from = e / Tile::kWidth;
      const std::size_t i = top + from / kLanesDown * kWarpSide + from % kLanesDown * kVector +
                            r / kVector * (kVector * kLanesDown) + r % kVector;
      const std::size_t j = left + e % Tile::kWidth;
      if (kWhole || (i < c.rows && j < c.columns)) c.data[i * c.pitch + j] = rows[from][e % Tile::kWidth];
    }
  }
}

// Computes c = a * b. Launch: a block of kDown * kAcross warps for each tile of C, in one dimension. Eight rows of
// tiles are one band, and a band is taken column by column (CUTLASS: threadblock swizzle). Blocks that run at the same
// time share rows of A and columns of B, which then come from the L2. kWhole: see is_whole().
template <unsigned kDown, unsigned kAcross, bool kWhole>
__global__ void __launch_bounds__(kDown* kAcross* kWarp, 1)
    multiply_pipelined(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, unsigned tiles_down,
                       unsigned tiles_across) {
  using Tile = Tiles<kDown, kAcross>;
  constexpr unsigned kBand = 8;
  __shared__ __align__(sizeof(float4)) Tile tile;
  const unsigned band = blockIdx.x / (kBand * tiles_across) * kBand;
  const unsigned height = min(kBand, tiles_down - band);
  const unsigned place = blockIdx.x - band * tiles_across;
  const std::size_t top = std::size_t{band + place % height} * Tile::kHeight;
  const std::size_t left = std::size_t{place / height} * Tile::kWidth;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const unsigned row = warp / kAcross * kWarpSide + lane / kLanesAcross * kVector;     // the first of this thread's
  const unsigned column = warp % kAcross * kWarpSide + lane % kLanesAcross * kVector;  // rows and columns in the tile
  TileLoader<Tile, kWhole> loader(a, b, top, left);
  const auto k_tiles = static_cast<unsigned>((a.columns + kTerms - 1) / kTerms);

  float sums[kRows][kColumns] = {};
  add_k_tiles<Tile, kWhole>(sums, tile, loader, k_tiles, row, column);
  store_sums<Tile, kWhole>(c, top, left, tile, row, column, sums);
}

// Whether all elements exist: C is made of whole tiles, A and B of whole k-tiles, and the rows of B hold vectors.
template <class Tile>
bool is_whole(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c) {
  return c.rows % Tile::kHeight == 0 && c.columns % Tile::kWidth == 0 && a.columns % kTerms == 0 &&
         b.pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(b.data) % sizeof(float4) == 0;
}

template <unsigned kDown, unsigned kAcross>
void launch_pipelined(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, cudaStream_t stream) {
  using Tile = Tiles<kDown, kAcross>;
  const std::size_t tiles_across = (c.columns + Tile::kWidth - 1) / Tile::kWidth;
  const std::size_t tiles_down = (c.rows + Tile::kHeight - 1) / Tile::kHeight;
  const auto kernel =
      is_whole<Tile>(a, b, c) ? multiply_pipelined<kDown, kAcross, true> : multiply_pipelined<kDown, kAcross, false>;
  kernel<<<static_cast<unsigned>(tiles_across * tiles_down), Tile::kThreads, 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_down), static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write TileLoader::bring() and add_k_tiles, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (block.x == 256) {
    launch_pipelined<2, 4>(a, b, c, stream);
  } else {
    launch_pipelined<2, 2>(a, b, c, stream);
  }
}
