// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 21 --todo`.
// As handed out: 5755db0c6e4c. Leave this line: scripts/workbook sees by it whether you have begun.
// needs: compute_80
// Stage 21: a matrix product as a software pipeline. While the warps compute with one pair of tiles, the next pairs are
// on their way into shared memory. Asynchronous copies (cp.async) bring them, without registers. One barrier a k-tile
// is enough. A thread has 8 x 16 sums (the thread tile).
#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "workbook/student/matmul.h"
#include "workbook/student/products/pipeline.h"

using namespace workbook::pipeline;
using workbook::ConstMatrix, workbook::Matrix;

// Starts the copy of one number, or of a zero where there is none. kWhole: everything exists.
template <bool kWhole>
__device__ void bring_one(float* to, const float* from, bool exists) {
  // TODO (1 line): step 1. __pipeline_memcpy_async(to, from, bytes, zeros). The last argument is 0 where the
  //     number exists: it is how many of these bytes are *not* copied, but filled with zeros.
  (void)to, (void)from, (void)exists;  // delete this line
}

// Starts a part of this thread's copies of the loader's k-tile into `slot`. There are kTerms parts: a few copies
// between many multiply-adds never wait for one another. A copy returns at once. kWhole: everything exists, and the
// rows of B begin at multiples of 16 bytes.
template <bool kWhole, class Tile>
__device__ void bring(TileLoader<Tile>& loader, Tile& tile, unsigned slot, unsigned part) {
  constexpr unsigned kRowsAtATime = TileLoader<Tile>::kRowsAtATime, kTermsAtATime = TileLoader<Tile>::kTermsAtATime;
  const unsigned term_a = loader.term_a(), row_a = loader.row_a();
  const unsigned term_b = loader.term_b(), column_b = loader.column_b();
  unsigned copy = 0;  // its number, first of A and then of B
#pragma unroll
  for (unsigned r = 0; r < Tile::kHeight; r += kRowsAtATime) {
    // TODO (roughly 3 lines): step 1. The number in row row_a + r of A, by bring_one<kWhole>() into tile.a[slot].
    //     Skip a copy that is of another part (a copy is of part `copy % kTerms`; count all of them, B's four numbers
    //     as one), and all where no terms are left.
    (void)tile, (void)slot, (void)copy, (void)r;
    (void)term_a, (void)row_a;  // delete both lines
  }
#pragma unroll
  for (unsigned k = 0; k < kTerms; k += kTermsAtATime) {
    // TODO (roughly 8 lines): step 1. Four numbers of term term_b + k of B, into tile.b[slot], under the same
    //     conditions. Where kWhole, one copy of sizeof(float4) bytes brings them. Else bring_one<kWhole>() brings each.
    (void)k, (void)term_b, (void)column_b;  // delete this line
  }
  if (part == kTerms - 1) loader.next_k_tile();
}

// All terms of all k-tiles (CUTLASS: the mainloop), for this thread's rows and columns, which begin at `row` and
// `column` of the tile.
template <bool kWhole, class Tile>
__device__ void add_k_tiles(float (&sums)[kRows][kColumns], Tile& tile, TileLoader<Tile>& loader, unsigned k_tiles,
                            unsigned row, unsigned column) {
  // TODO (roughly 20 lines): the ring, in the place of these lines. Step 2: first bring kSlots - 1 k-tiles, all
  //     parts, wait for the first one, and a barrier. Then, in each k-tile, one part of the k-tile kSlots - 1 further
  //     on goes behind each term. It goes into the slot of the k-tile before, which no thread reads any more. Once a
  //     k-tile, before anything is read of the next one, wait for that one, then a barrier.
  //     Step 3: two of each array of registers. While multiply_add() computes a term, the next one is read into the
  //     others; behind the last term that is term 0 of the next k-tile. So the wait moves before that read(). There
  //     one group fewer is under way, as the last part is not yet brought. Unroll the loop over terms: then the
  //     compiler knows which array of registers each term has.
  float of_a[kRows], of_b[kColumns];
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {  // one slot: nothing computes meanwhile
    for (unsigned part = 0; part < kTerms; ++part) bring<kWhole>(loader, tile, 0, part);
    __pipeline_wait_prior(0);
    __syncthreads();
    for (unsigned k = 0; k < kTerms; ++k) {
      read(of_a, of_b, tile, 0, k, row, column);
      multiply_add(sums, of_a, of_b);
    }
    __syncthreads();
  }
}

// Computes c = a * b. Launch: a block of kDown * kAcross warps for each tile of C, in one dimension. Eight rows of
// tiles are one band, and a band is taken column by column (CUTLASS: threadblock swizzle). Blocks that run at the same
// time share rows of A and columns of B, which then come from the L2. kWhole: see is_whole().
template <unsigned kDown, unsigned kAcross, bool kWhole>
__global__ void __launch_bounds__(kDown* kAcross* kWarp, 1)
    multiply_pipelined(ConstMatrix a, ConstMatrix b, Matrix c, unsigned tiles_down, unsigned tiles_across) {
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
  TileLoader<Tile> loader(a, b, top, left);
  const auto k_tiles = static_cast<unsigned>((a.columns + kTerms - 1) / kTerms);

  float sums[kRows][kColumns] = {};
  add_k_tiles<kWhole>(sums, tile, loader, k_tiles, row, column);
  store_sums<kWhole>(c, top, left, tile, row, column, sums);
}

// Whether all elements exist: C is made of whole tiles, A and B of whole k-tiles, and the rows of B hold vectors.
template <class Tile>
bool is_whole(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c) {
  return c.rows % Tile::kHeight == 0 && c.columns % Tile::kWidth == 0 && a.columns % kTerms == 0 &&
         b.pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(b.data) % sizeof(float4) == 0;
}

template <unsigned kDown, unsigned kAcross>
void launch_pipelined(ConstMatrix a, ConstMatrix b, Matrix c, cudaStream_t stream) {
  using Tile = Tiles<kDown, kAcross>;
  const std::size_t tiles_across = (c.columns + Tile::kWidth - 1) / Tile::kWidth;
  const std::size_t tiles_down = (c.rows + Tile::kHeight - 1) / Tile::kHeight;
  const auto kernel =
      is_whole<Tile>(a, b, c) ? multiply_pipelined<kDown, kAcross, true> : multiply_pipelined<kDown, kAcross, false>;
  kernel<<<static_cast<unsigned>(tiles_across * tiles_down), Tile::kThreads, 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_down), static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}

void multiply_on_device(ConstMatrix a, ConstMatrix b, Matrix c, dim3 block, cudaStream_t stream) {
  WORKBOOK_TODO("step 1: write bring_one and bring, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (block.x == 256) {
    launch_pipelined<2, 4>(a, b, c, stream);
  } else {
    launch_pipelined<2, 2>(a, b, c, stream);
  }
}
