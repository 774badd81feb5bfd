// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 38: single precision by tensor cores. Each number is split into two of 11 bits (fp16). Before that, its line
// (its row of A, or column of B) is scaled by a power of two. The largest number of the line is then near the largest
// of fp16. A product of two such sums has four products. Three of them are added on tensor cores. The large ones are
// added 16 terms at a time, and these sums in float. The small ones are added on the tensor core from the first term to
// the last. Blocks may share the terms of a tile. Numbers of a line can be so small beside its largest that their bits
// are lost. An element in which that shows is computed in float, and so is every element of infinities and NaN.
#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "parts.cuh"
#include "pieces.cuh"
#include "plan.cuh"
#include "scale.cuh"
#include "workbook/student/matmul_split.h"

// Splits two numbers: the nearest ones of 11 bits, and what these leave, times kShift.
__device__ void split(Pair& high, Pair& low, float first, float second) {
  // BEGIN SOLUTION: step 1. Let `high` be pair_of() the two numbers. What each number is more than its half of
  //     `high`, times kShift, goes into `low`. Use value_of_first() and value_of_second() of a pair, which are floats.
  // UNTIL SOLVED: high = low = 0;             // replace
  // UNTIL SOLVED: (void)first, (void)second;  // only keeps the compiler quiet: delete it
  high = pair_of(first, second);
  low = pair_of((first - value_of_first(high)) * kShift, (second - value_of_second(high)) * kShift);
  // END SOLUTION
}

// Whether a number that was scaled keeps its bits in two parts. No infinity does, and no NaN.
__device__ bool is_split(float number, float scaled) {
  // BEGIN SOLUTION: step 2. A `number` of 0 does. Any other one does if `scaled`, without its sign, is at least
  //     2^-13 (0x1p-13f) and below 2^15.
  // UNTIL SOLVED: return (void)number, (void)scaled, true;  // replace
  return number == 0.0f || (fabsf(scaled) >= 0x1p-13f && fabsf(scaled) < 0x1p15f);
  // END SOLUTION
}

// Scales all numbers and splits them. Launch: a warp for each piece, kThreads / kWarp of the same lines a block. There
// is a row of blocks for each 16 lines.
__global__ void __launch_bounds__(kThreads) split_all(Factor a, Factor b, BlocksOfFactors blocks) {
  const bool is_a = blocks.is_of_a();
  const Factor factor = is_a ? a : b;
  const unsigned lane = threadIdx.x % kWarp;
  const std::size_t piece = std::size_t{blocks.column()} * (kThreads / kWarp) + threadIdx.x / kWarp;
  if (piece >= std::size_t{factor.rounds} * kSteps) return;
  const std::size_t line = blocks.row() * std::size_t{kSide} + lane / 4, term = piece * kSide + lane % 4 * 2;
  float numbers[2][4];  // of two lines, of terms 0, 1, 8 and 9 from the lane's first
  load_numbers(numbers, factor, line, term);
  Fragment high, low;
#pragma unroll
  for (unsigned l = 0; l < 2; ++l) {
    const int power = power_of(factor.largest[line + l * 8]);
    const float half = two_to(power / 2), rest = two_to(power - power / 2);  // two factors: one may be above all floats
    bool is_wide = false;
#pragma unroll
    for (unsigned t = 0; t < 4; t += 2) {
      const float first = numbers[l][t] * half * rest, second = numbers[l][t + 1] * half * rest;
      // The order that mma wants. For A: both lines of the lower terms and then of the upper. For B: all terms of a
      // line together.
      const unsigned w = is_a ? l + t : 2 * l + t / 2;
      split(high.pairs[w], low.pairs[w], first, second);
      is_wide = is_wide || !is_split(numbers[l][t], first) || !is_split(numbers[l][t + 1], second);
    }
    if (is_wide) factor.is_wide[line + l * 8] = 1;
  }
  Piece* const round = factor.round_of_tile(blocks.row() / factor.down, static_cast<unsigned>(piece / kSteps));
  Piece& to = round[blocks.row() % factor.down * kSteps + piece % kSteps];
  to.high[lane] = high;
  to.low[lane] = low;
}

// Adds the products of 16 terms, of pieces of A with one of B.
__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment& low_b) {
  // BEGIN SOLUTION: step 1. For each i and both halves: multiply_add() of high[i] and high_b into four
  //     sums that begin at 0. Then add these to large[i][half]. Also multiply_add() of low[i] and high_b, and of
  //     high[i] and low_b, into small[i][half]. Do one product after the other, each for all i and halves, so that an
  //     mma does not wait for the one just before.
  // UNTIL SOLVED: (void)large, (void)small, (void)high, (void)low, (void)high_b, (void)low_b;  // delete this line
  ColumnSums of_step = {};
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) multiply_add(of_step[i][half], high[i], high_b, half);
  }
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) multiply_add(small[i][half], low[i], high_b, half);
  }
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) multiply_add(small[i][half], high[i], low_b, half);
  }
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned s = 0; s < 8; ++s) large[i][s / 4][s % 4] += of_step[i][s / 4][s % 4];
  }
  // END SOLUTION
}

// The product of an element, from a lane's two sums of it: those of the large products, and those of the small ones.
__device__ float joined(float of_large, float of_small) {
  // BEGIN SOLUTION: step 1. The sum of both, where the small ones count less: see kShift.
  // UNTIL SOLVED: return (void)of_large, (void)of_small, 0.0f;  // replace
  return of_large + of_small / kShift;
  // END SOLUTION
}

// The element without the scales of its row and of its column: see power_of().
__device__ float unscaled(float sum, unsigned largest_of_row, unsigned largest_of_column) {
  // BEGIN SOLUTION: step 1. Both lines were multiplied by a power of two. ldexpf(number, exponent) is the number
  //     times 2^exponent.
  // UNTIL SOLVED: return (void)sum, (void)largest_of_row, (void)largest_of_column, 0.0f;  // replace
  return ldexpf(sum, -power_of(largest_of_row) - power_of(largest_of_column));
  // END SOLUTION
}

// Adds the products of a round to a warp's sums.
__device__ void add_round(Sums& large, Sums& small, const Tiles& tiles, unsigned down, unsigned across) {
  const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
  for (unsigned step = 0; step < kSteps; ++step) {
    Fragment high[kRows], low[kRows];
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
      const Piece& piece = tiles.a[down * kRows + i][step];
      high[i] = piece.high[lane];
      low[i] = piece.low[lane];
    }
#pragma unroll
    for (unsigned j = 0; j < kColumns; ++j) {
      const Piece& piece = tiles.b[across * kColumns + j][step];
      add_products(large[j], small[j], high, low, piece.high[lane], piece.low[lane]);
    }
  }
}

// Adds the products of the parts of numbers: scaled sums, to copy number blockIdx.y of C. Launch: a block of kThreads
// for each tile, in bands of eight rows of tiles. In y there is one for each part of its terms.
__global__ void __launch_bounds__(kThreads, kBlocksAnSm)
    multiply_parts(Factor a, Factor b, Plan plan, float* partials) {
  extern __shared__ float4 memory[];
  Tiles* const tiles = reinterpret_cast<Tiles*>(memory);
  constexpr unsigned kBand = 8;
  const unsigned band = blockIdx.x / (kBand * plan.tiles_across) * kBand;
  const unsigned height = min(kBand, plan.tiles_down - band);
  const unsigned number = blockIdx.x - band * plan.tiles_across;
  const std::size_t tile_row = band + number % height, tile_column = number / height;
  const unsigned first = blockIdx.y * plan.rounds_of_part();
  const unsigned end = min(first + plan.rounds_of_part(), plan.rounds);
  const unsigned warp = threadIdx.x / kWarp, down = warp / kAcross, across = warp % kAcross;

  const auto bring_round = [&](unsigned round) {
    if (round < end) {
      Tiles& to = tiles[round % kSlots];
      bring(to.a, a.round_of_tile(tile_row, round));
      bring(to.b, b.round_of_tile(tile_column, round));
    }
    __pipeline_commit();
  };
  for (unsigned slot = 0; slot < kSlots - 1; ++slot) bring_round(first + slot);
  Sums large = {}, small = {};
  for (unsigned round = first; round < end; ++round) {
    __pipeline_wait_prior(kSlots - 2);  // this thread's copies of the round are there
    __syncthreads();                    // all threads' are, and no thread reads the round before any more
    bring_round(round + kSlots - 1);
    add_round(large, small, tiles[round % kSlots], down, across);
  }

  const unsigned lane = threadIdx.x % kWarp;
  const std::size_t row = tile_row * kHeight + down * kRows * kSide + lane / 4;
  const std::size_t column = tile_column * kWidth + across * kColumns * kSide + lane % 4 * 2;
  float* const copy = partials + blockIdx.y * plan.size() + row * plan.pitch() + column;
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned j = 0; j < kColumns; ++j) {
#pragma unroll
      for (unsigned s = 0; s < 8; s += 2) {
        const float(&of_large)[4] = large[j][i][s / 4], (&of_small)[4] = small[j][i][s / 4];
        float* const at = copy + (i * kSide + s / 2 % 2 * 8) * plan.pitch() + j * kSide + s / 4 * 8;
        __stcg(reinterpret_cast<float2*>(at),  // past the L1 cache: another kernel reads it
               make_float2(joined(of_large[s % 4], of_small[s % 4]), joined(of_large[s % 4 + 1], of_small[s % 4 + 1])));
      }
    }
  }
}

// Whether the element of a wide line may have lost too much: its scaled sum is less than `least`, with either sign.
__device__ bool is_lost(float sum, float least) {
  // BEGIN SOLUTION: step 2. The sum may be NaN, too, which is lost, and no comparison with NaN is true.
  // UNTIL SOLVED: return (void)sum, (void)least, false;  // replace
  return !(fabsf(sum) >= least);
  // END SOLUTION
}

// Adds the copies, in their order, and takes the scales away. What has lost too much is computed again in float.
// Launch: a thread for kRowsOfThread elements of a column, blocks in one dimension, along rows first.
constexpr unsigned kRowsOfThread = 8;
__global__ void __launch_bounds__(kThreads)
    finish(Factor a, Factor b, workbook::Matrix c, Plan plan, const float* partials) {
  const unsigned down = divided_up(c.rows, kRowsOfThread);
  const std::size_t top = std::size_t{blockIdx.x % down} * kRowsOfThread;
  const std::size_t j = std::size_t{blockIdx.x / down} * kThreads + threadIdx.x;
  if (j >= c.columns) return;
  const float* const first = partials + top * plan.pitch() + j;  // of this thread's elements in the first copy
  float sums[kRowsOfThread] = {};
  // BEGIN SOLUTION: step 2. Add this thread's elements of all copies, one copy after the other: the same order
  //     gives the same bits. There are plan.parts copies, and from one to the next it is plan.size() numbers. From one
  //     of the elements to the next it is plan.pitch().
  // UNTIL SOLVED: for (unsigned r = 0; r < kRowsOfThread; ++r) sums[r] = first[r * plan.pitch()];  // replace
#pragma unroll 4
  for (unsigned part = 0; part < plan.parts; ++part) {
    const float* const copy = first + part * plan.size();
#pragma unroll
    for (unsigned r = 0; r < kRowsOfThread; ++r) sums[r] += copy[r * plan.pitch()];
  }
  // END SOLUTION
  const float least = 32.0f * static_cast<float>(a.terms);
  const unsigned is_wide = b.is_wide[j], largest = b.largest[j];
#pragma unroll
  for (unsigned r = 0; r < kRowsOfThread; ++r) {
    const std::size_t i = top + r;
    if (i >= c.rows) break;
    const bool again = (is_wide != 0 || a.is_wide[i] != 0) && is_lost(sums[r], least);
    c.data[i * c.pitch + j] = again ? in_float(a.numbers + i * a.to_next_line, b.numbers + j, b.to_next_term, a.terms)
                                    : unscaled(sums[r], a.largest[i], largest);
  }
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, void* workspace, dim3,
                        cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write split, add_products, joined and unscaled, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const Product product = lay_out(a, b, workspace);
  const Plan& plan = product.plan;
  // UNTIL SOLVED: if (plan.parts > 1) WORKBOOK_TODO("step 2: write is_split, is_lost and finish; delete this line");
  CUDA_CHECK(cudaMemsetAsync(product.a.largest, 0, 2 * product.lines() * sizeof(unsigned), stream));
  if (a.columns > 0) {
    const BlocksOfFactors to_look = product.blocks_to_look(), to_split = product.blocks_to_split();
    find_largest<<<to_look.blocks_of_a + to_look.blocks_of_b, kThreads, 0, stream>>>(product.a, product.b, to_look);
    CUDA_CHECK(cudaGetLastError());
    split_all<<<to_split.blocks_of_a + to_split.blocks_of_b, kThreads, 0, stream>>>(product.a, product.b, to_split);
    CUDA_CHECK(cudaGetLastError());
  }
  constexpr std::size_t kBytes = kSlots * sizeof(Tiles);
  CUDA_CHECK(cudaFuncSetAttribute(multiply_parts, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  multiply_parts<<<dim3(plan.tiles_down * plan.tiles_across, plan.parts), kThreads, kBytes, stream>>>(
      product.a, product.b, plan, product.partials);
  CUDA_CHECK(cudaGetLastError());
  finish<<<divided_up(c.rows, kRowsOfThread) * divided_up(c.columns, kThreads), kThreads, 0, stream>>>(
      product.a, product.b, c, plan, product.partials);
  CUDA_CHECK(cudaGetLastError());
}
