// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 37: a matrix product on tensor cores. One instruction of a warp, mma, multiplies a piece of A, 16 x 8 numbers,
// by a piece of B, 8 x 8: 1,024 multiply-adds. Its factors have 11 bits (tf32), its sums are floats. The tiles, and the
// copies that bring them, are those of stage 21.
#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "fragments.cuh"
// UNTIL SOLVED: #include "plain_products.cuh"
#include "shape.cuh"
#include "tiles.cuh"
#include "workbook/student/matmul.h"
#include "workbook/student/shared_memory.h"

// Reads this lane's numbers of step `step` of the k-tile in `slot` of the ring.
//
// Of A: a piece is 16 rows from place.row + i * kPieceRows on, and 8 terms from `term` on. load_matrices() takes it as
// four matrices, and this is which lanes name the rows of each:
//
//                      term to term + 3    term + 4 to term + 7
//      row  0 to  7    lanes  0 to  7      lanes 16 to 23
//      row  8 to 15    lanes  8 to 15      lanes 24 to 31
//
// Of B: a lane has vectors of four numbers, one for each of four pieces, which have 32 columns together. Their rows are
// term + place.member for f.b[..][0], and 4 further on for f.b[..][1]. In the 32 columns a vector begins at:
//
//      place.group     0    1    2    3    4    5    6    7
//      column          0   16    4   20    8   24   12   28
template <class Tiles>
__device__ void load(Fragments& f, const Tiles& tiles, unsigned slot, unsigned step, const Place& place) {
  const unsigned lane = threadIdx.x % kWarp, term = step * kPieceTerms;
  // BEGIN SOLUTION: step 2. load_matrices() into f.a[i] for each piece of A. Then the two vectors (float4) of
  //     each four pieces of B. The warp's rows of tiles.a[slot] begin at place.row, and its columns of tiles.b[slot]
  //     at place.column.
  // UNTIL SOLVED: (void)f, (void)tiles, (void)slot, (void)place, (void)lane, (void)term;  // delete this line
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
    load_matrices(f.a[i], &tiles.a[slot][place.row + i * kPieceRows + lane % 16][term + lane / 16 * 4]);
  }
  const unsigned column = place.column + place.group % 2 * 16 + place.group / 2 * 4;
#pragma unroll
  for (unsigned j = 0; j < kPiecesAcross / kVector; ++j) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      *reinterpret_cast<float4*>(f.b[j][half]) =
          *reinterpret_cast<const float4*>(&tiles.b[slot][term + 4 * half + place.member][column + 32 * j]);
    }
  }
  // END SOLUTION
}

// Adds the products of a step: an mma for each piece of C.
__device__ void add_products(Sums& sums, const Fragments& f) {
  // BEGIN SOLUTION: step 2. For each piece of C, row i and column j of them, call multiply_add(). Give it the
  //     piece's sums, the four numbers of piece i of A, and two of piece j of B. The two are f.b[j / 4][0][j % 4] and
  //     f.b[j / 4][1][j % 4]. Each number is rounded before by to_tf32(), and no more often than it must be.
  // UNTIL SOLVED: (void)sums, (void)f;  // delete this line
  unsigned a[kPiecesDown][4];
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
#pragma unroll
    for (unsigned w = 0; w < 4; ++w) a[i][w] = to_tf32(f.a[i][w]);
  }
#pragma unroll
  for (unsigned j = 0; j < kPiecesAcross; ++j) {
    const unsigned b[2] = {to_tf32(f.b[j / kVector][0][j % kVector]), to_tf32(f.b[j / kVector][1][j % kVector])};
#pragma unroll
    for (unsigned i = 0; i < kPiecesDown; ++i) multiply_add(sums[i][j], a[i], b);
  }
  // END SOLUTION
}

// All steps of all k-tiles (CUTLASS: the mainloop). While one step is computed, the numbers of the next come from
// shared memory. Where that is the next k-tile's, they come behind the wait and the barrier, so that no warp stands
// idle behind them.
template <class Tiles, bool kWhole>
__device__ void add_k_tiles(Sums& sums, Tiles& tiles, TileLoader<Tiles, kWhole>& loader, unsigned k_tiles,
                            const Place& place) {
  constexpr unsigned kSteps = Tiles::kSteps;
  Fragments fragments[2];  // of this step, and of the next
#pragma unroll
  for (unsigned slot = 0; slot < kSlots - 1; ++slot) {
#pragma unroll
    for (unsigned part = 0; part < kSteps; ++part) loader.bring(tiles, slot, part);
  }
  __pipeline_wait_prior(kSlots - 2);
  __syncthreads();
  unsigned now = 0, free = kSlots - 1;
  loader.bring(tiles, free, 0);
  load(fragments[0], tiles, now, 0, place);
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (unsigned step = 0; step < kSteps; ++step) {
      // UNTIL SOLVED: add_plainly(sums, tiles, now, step, place);  // step 2: delete this line
      if (step == kSteps - 1) {
        __pipeline_wait_prior(kSlots - 2);  // this thread's copies of the next k-tile are there,
        __syncthreads();                    // and those of all threads; no thread reads this k-tile's any more
        free = now;
        now = now == kSlots - 1 ? 0 : now + 1;
      }
      load(fragments[(step + 1) % 2], tiles, now, (step + 1) % kSteps, place);
      loader.bring(tiles, free, (step + 1) % kSteps);
      add_products(sums, fragments[step % 2]);
    }
  }
}

// Stores four numbers of a row of C, from column j on: those that exist.
__device__ void store_four(const workbook::Matrix& c, std::size_t i, std::size_t j, bool whole, float4 numbers) {
  float* const to = c.data + i * c.pitch + j;
  if (whole) {
    *reinterpret_cast<float4*>(to) = numbers;
  } else if (i < c.rows) {
    if (j < c.columns) to[0] = numbers.x;
    if (j + 1 < c.columns) to[1] = numbers.y;
    if (j + 2 < c.columns) to[2] = numbers.z;
    if (j + 3 < c.columns) to[3] = numbers.w;
  }
}

// Stores what this lane has of the tile with the corner (top, left). A lane has four sums of each piece, number s = 0
// to 3. Those of four pieces side by side, j to j + 3, are neighbours in C. In the 16 rows and 32 columns of the four
// pieces:
//
//                              columns 4 * place.member to + 3    columns 16 + 4 * place.member to + 3
//      row place.group         s = 0, of pieces j to j + 3        s = 1, of pieces j to j + 3
//      row place.group + 8     s = 2                              s = 3
template <bool kWhole>
__device__ void store_sums(const workbook::Matrix& c, std::size_t top, std::size_t left, const Place& place,
                           const Sums& sums) {
  // BEGIN SOLUTION: step 1. For each four pieces that lie side by side, and each s, give the four sums number s
  //     to store_four(). The pieces of the warp begin at row top + place.row and column left + place.column of C.
  //     The last argument but one is kWhole.
  // UNTIL SOLVED: (void)c, (void)top, (void)left, (void)place, (void)sums;  // delete this line
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
#pragma unroll
    for (unsigned j = 0; j < kPiecesAcross; j += kVector) {
#pragma unroll
      for (unsigned s = 0; s < 4; ++s) {
        store_four(c, top + place.row + i * kPieceRows + place.group + s / 2 * 8,
                   left + place.column + j * kPieceColumns + s % 2 * 16 + place.member * 4, kWhole,
                   make_float4(sums[i][j][s], sums[i][j + 1][s], sums[i][j + 2][s], sums[i][j + 3][s]));
      }
    }
  }
  // END SOLUTION
}

// Computes c = a * b with factors of 11 bits. Launch: a block of kThreads for each tile of C, in one dimension, in
// bands of eight rows of tiles. kWhole: see is_whole().
template <class Tiles, bool kWhole>
__global__ void __launch_bounds__(kThreads, 256 / kThreads)
    multiply_on_tensor_cores(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, unsigned tiles_down,
                             unsigned tiles_across) {
  extern __shared__ float4 memory[];
  Tiles& tiles = *reinterpret_cast<Tiles*>(memory);
  constexpr unsigned kBand = 8;
  const unsigned band = blockIdx.x / (kBand * tiles_across) * kBand;
  const unsigned height = min(kBand, tiles_down - band);
  const unsigned number = blockIdx.x - band * tiles_across;
  const std::size_t top = std::size_t{band + number % height} * kHeight;
  const std::size_t left = std::size_t{number / height} * kWidth;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const Place place{warp / kAcross * kWarpSide, warp % kAcross * kWarpSide, lane / 4, lane % 4};
  TileLoader<Tiles, kWhole> loader(a, b, top, left);
  const auto k_tiles = static_cast<unsigned>((a.columns + Tiles::kTerms - 1) / Tiles::kTerms);

  Sums sums = {};
  add_k_tiles(sums, tiles, loader, k_tiles, place);
  store_sums<kWhole>(c, top, left, place, sums);
}

// Whether nothing has to be asked: C is made of whole tiles, A and B of whole k-tiles, and all rows hold vectors.
template <class Tiles>
bool is_whole(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c) {
  const auto has_vectors = [](const float* data, std::size_t pitch) {
    return pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0;
  };
  return c.rows % kHeight == 0 && c.columns % kWidth == 0 && a.columns % Tiles::kTerms == 0 &&
         has_vectors(a.data, a.pitch) && has_vectors(b.data, b.pitch) && has_vectors(c.data, c.pitch);
}

template <class Tiles>
void multiply_with(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, cudaStream_t stream) {
  const auto tiles_across = static_cast<unsigned>((c.columns + kWidth - 1) / kWidth);
  const auto tiles_down = static_cast<unsigned>((c.rows + kHeight - 1) / kHeight);
  const auto kernel =
      is_whole<Tiles>(a, b, c) ? multiply_on_tensor_cores<Tiles, true> : multiply_on_tensor_cores<Tiles, false>;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tiles)));
  kernel<<<tiles_across * tiles_down, kThreads, sizeof(Tiles), stream>>>(a, b, c, tiles_down, tiles_across);
  CUDA_CHECK(cudaGetLastError());
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3,
                        cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write store_sums, then delete this line");
  // UNTIL SOLVED: if (a.columns > 64) WORKBOOK_TODO("step 2: write load and add_products, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const bool has_room = sizeof(LargeTiles) <= workbook::most_shared_bytes();
  const auto multiply = has_room ? multiply_with<LargeTiles> : multiply_with<SmallTiles>;
  multiply(a, b, c, stream);
}
