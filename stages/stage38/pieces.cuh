// SPDX-License-Identifier: MIT
// The shape of the work of stage 38, and how the parts of A and B lie in memory: in the order of the fragments of an
// mma, so that a copy is a copy of neighbours (CUTLASS: an interleaved layout).
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

constexpr unsigned kWarp = 32;
constexpr unsigned kSide = 16;               ///< Lines, and terms, of a piece: what an mma takes of A.
constexpr unsigned kSteps = 4;               ///< Pieces of a round along its terms (CUTLASS: a k-tile).
constexpr unsigned kStages = 2;              ///< Rounds in shared memory, on their way or there.
constexpr unsigned kDown = 2, kAcross = 2;   ///< The warps of a block over its tile of C.
constexpr unsigned kRows = 2, kColumns = 2;  ///< Pieces of a warp's part of it: 32 x 32 elements.
constexpr unsigned kPiecesOfA = kDown * kRows, kPiecesOfB = kAcross * kColumns;  ///< Pieces of a tile, for each step.
constexpr unsigned kHeight = kPiecesOfA * kSide, kWidth = kPiecesOfB * kSide;    ///< Elements of a tile.
constexpr unsigned kThreads = kDown * kAcross * kWarp;
constexpr unsigned kBlocksAnSm = 3;

/// Two numbers of 11 bits (fp16) in one word, the first in its lower half.
using Pair = unsigned;

/// What a lane has of a piece: pairs of neighbouring terms, as mma.m16n8k16 wants them.
struct alignas(16) Fragment {
  Pair pairs[4];
};

/// 16 lines x 16 terms of A or B in two parts. What a lane needs of one part lies in 16 bytes, lane by lane.
struct Piece {
  Fragment high[kWarp], low[kWarp];
};

/// The pieces of a round, in shared memory.
struct Tiles {
  Piece a[kPiecesOfA][kSteps];
  Piece b[kPiecesOfB][kSteps];
};

/// A or B: its lines, which are rows of A or columns of B, and what becomes of them. The pieces of a tile's round lie
/// together, round by round and tile by tile, in `down` lines of kSteps pieces. What they have beyond the matrix is
/// zero.
struct Factor {
  const float* numbers;
  std::size_t to_next_line, to_next_term;
  std::size_t lines, terms;
  unsigned down, rounds;
  Piece* pieces;
  unsigned* largest;  ///< Of each line: the bits of its largest absolute value.
  unsigned* is_wide;  ///< Of each line: whether it has numbers that lose bits.

  __device__ Piece* round_of_tile(std::size_t tile, unsigned round) const {
    return pieces + (tile * rounds + round) * down * kSteps;
  }
};

/// How a kernel for all numbers of A and of B is launched: a rectangle of blocks for A, and behind these one for B.
struct BlocksOfFactors {
  unsigned across_a, blocks_of_a, across_b, blocks_of_b;

  __device__ bool is_of_a() const { return blockIdx.x < blocks_of_a; }
  __device__ unsigned row() const { return is_of_a() ? blockIdx.x / across_a : (blockIdx.x - blocks_of_a) / across_b; }
  __device__ unsigned column() const {
    return is_of_a() ? blockIdx.x % across_a : (blockIdx.x - blocks_of_a) % across_b;
  }
};

/// Loads what a lane splits: of two lines, `line` and the one 8 further on, the terms 0, 1, 8 and 9 from `term` on.
/// What lies beyond the matrix is 0.
__device__ inline void load_numbers(float (&numbers)[2][4], const Factor& factor, std::size_t line, std::size_t term) {
  const float* const from = factor.numbers + line * factor.to_next_line + term * factor.to_next_term;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned l = i / 4 * 8, t = i % 4 / 2 * 8 + i % 2;
    const bool exists = line + l < factor.lines && term + t < factor.terms;
    numbers[i / 4][i % 4] = exists ? from[l * factor.to_next_line + t * factor.to_next_term] : 0.0f;
  }
}

/// Starts a thread's share of the copies of a tile's round.
template <unsigned kLines>
__device__ void bring(Piece (&to)[kLines][kSteps], const Piece* from) {
  auto* const target = reinterpret_cast<Fragment*>(to) + threadIdx.x;
  const auto* const source = reinterpret_cast<const Fragment*>(from) + threadIdx.x;
#pragma unroll
  for (unsigned i = 0; i < sizeof(to) / sizeof(Fragment); i += kThreads) {
    __pipeline_memcpy_async(target + i, source + i, sizeof(Fragment));
  }
}
