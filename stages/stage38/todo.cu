// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 38 --todo`.
// As handed out: 1aa628aa1699. Leave this line: scripts/workbook sees by it whether you have begun.
// needs: compute_80
// Stage 38: single precision by tensor cores. Each number is split into two of 11 bits (fp16). Before that, its line
// (its row of A, or column of B) is scaled by a power of two. The largest number of the line is then near the largest
// of fp16. A product of two such sums has four products. Three of them are added on tensor cores. The large ones are
// added 16 terms at a time, and these sums in float. The small ones are added on the tensor core from the first term to
// the last. Blocks may share the terms of a tile. Numbers of a line can be so small beside its largest that their bits
// are lost. An element in which that shows is computed in float, and so is every element of infinities and NaN.
#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/student/matmul_split.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kSide = 16;               // lines, and terms, of a piece: what an mma takes of A
constexpr unsigned kSteps = 4;               // pieces of a round along its terms
constexpr unsigned kStages = 2;              // rounds in shared memory, on their way or there
constexpr unsigned kDown = 2, kAcross = 2;   // the warps of a block over its tile of C
constexpr unsigned kRows = 2, kColumns = 2;  // pieces of a warp's part of it: 32 x 32 elements
constexpr unsigned kPiecesOfA = kDown * kRows, kPiecesOfB = kAcross * kColumns;  // of a tile
constexpr unsigned kHeight = kPiecesOfA * kSide, kWidth = kPiecesOfB * kSide;
constexpr unsigned kThreads = kDown * kAcross * kWarp;
constexpr unsigned kBlocksAnSm = 3;
constexpr unsigned kLeastTerms = 256;  // that are worth a block of their own
constexpr unsigned kMostParts = 64;    // of a sum: they are added one after the other

// By what the low part of a number is multiplied: its exponents are then those of the high part.
constexpr float kShift = 0x1p11f;

// Two numbers of 11 bits (fp16) in one word, the first in its lower half.
using Pair = unsigned;

// What a lane has of a piece: pairs of neighbouring terms, as mma.m16n8k16 wants them. See split_all().
struct alignas(16) Fragment {
  Pair pairs[4];
};

// 16 lines x 16 terms of A or B in two parts. What a lane needs of one lies in 16 bytes, lane by lane.
struct Piece {
  Fragment high[kWarp], low[kWarp];
};

// A or B: its lines, rows of A or columns of B, and what becomes of them. The pieces of a tile's round lie together,
// round by round and tile by tile, in `down` lines of kSteps pieces. What they have beyond the matrix is zero.
struct Factor {
  const float* numbers;
  std::size_t to_next_line, to_next_term;
  std::size_t lines, terms;
  unsigned down, rounds;
  Piece* pieces;
  unsigned* largest;  // of each line: the bits of its largest absolute value
  unsigned* is_wide;  // of each line: whether it has numbers that lose bits

  __device__ Piece* round_of_tile(std::size_t tile, unsigned round) const {
    return pieces + (tile * rounds + round) * down * kSteps;
  }
};

// A power of two for a line, from the bits of the line's largest number. It brings that number to between 2^14 and
// 2^15, or less where the number is below 2^-126.
__device__ int power_of(unsigned largest) { return 141 - static_cast<int>(min(max(largest >> 23, 1u), 254u)); }
__device__ float two_to(int exponent) { return __uint_as_float(static_cast<unsigned>(exponent + 127) << 23); }

// How a kernel for all numbers of A and of B is launched: a rectangle of blocks for A, and behind these one for B.
struct BlocksOfFactors {
  unsigned across_a, blocks_of_a, across_b, blocks_of_b;

  __device__ bool is_of_a() const { return blockIdx.x < blocks_of_a; }
  __device__ unsigned row() const { return is_of_a() ? blockIdx.x / across_a : (blockIdx.x - blocks_of_a) / across_b; }
  __device__ unsigned column() const {
    return is_of_a() ? blockIdx.x % across_a : (blockIdx.x - blocks_of_a) % across_b;
  }
};

// Finds the largest number of each line. The bits of floats that are not negative have the same order as the floats,
// and a NaN is above all. Launch: a block for kRowsOfBlock rows of kColumnsOfBlock numbers, as they lie in memory. Rows
// of A are lines, and columns of B are.
constexpr unsigned kRowsAtOnce = 8, kRowsOfWarp = 32, kRowsOfBlock = kThreads / kWarp * kRowsOfWarp,
                   kColumnsOfBlock = 4 * kWarp;
__global__ void __launch_bounds__(kThreads) find_largest(Factor a, Factor b, BlocksOfFactors blocks) {
  const bool by_row = blocks.is_of_a();
  const Factor factor = by_row ? a : b;
  const std::size_t rows = by_row ? factor.lines : factor.terms, columns = by_row ? factor.terms : factor.lines;
  const std::size_t pitch = by_row ? factor.to_next_line : factor.to_next_term;
  const unsigned lane = threadIdx.x % kWarp;
  const std::size_t column = std::size_t{blocks.column()} * kColumnsOfBlock + lane;
  const std::size_t top = std::size_t{blocks.row()} * kRowsOfBlock + threadIdx.x / kWarp * kRowsOfWarp;
  unsigned most[4] = {};  // of four columns; of rows most[0], and lane l has row l
  for (unsigned first = 0; first < kRowsOfWarp; first += kRowsAtOnce) {
    unsigned here[kRowsAtOnce][4];
#pragma unroll
    for (unsigned r = 0; r < kRowsAtOnce; ++r) {
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const std::size_t row = top + first + r, at = column + i * kWarp;
        here[r][i] = row < rows && at < columns ? __float_as_uint(fabsf(factor.numbers[row * pitch + at])) : 0;
      }
    }
#pragma unroll
    for (unsigned r = 0; r < kRowsAtOnce; ++r) {
      if (by_row) {
        const unsigned of_row = __reduce_max_sync(~0u, max(max(here[r][0], here[r][1]), max(here[r][2], here[r][3])));
        if (lane == first + r) most[0] = of_row;
      } else {
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) most[i] = max(most[i], here[r][i]);
      }
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const std::size_t line = by_row ? top + lane : column + i * kWarp;
    if (most[i] > 0) atomicMax(factor.largest + line, most[i]);  // of lines that do not exist it is 0
  }
}

// The two nearest numbers of 11 bits.
__device__ Pair pair_of(float first, float second) {
  Pair pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
__device__ float value_of_first(Pair pair) {
  float value;
  asm("{.reg .b16 first, second; mov.b32 {first, second}, %1; cvt.f32.f16 %0, first;}" : "=f"(value) : "r"(pair));
  return value;
}
__device__ float value_of_second(Pair pair) { return value_of_first(pair >> 16); }

// Splits two numbers: the nearest ones of 11 bits, and what these leave, times kShift.
__device__ void split(Pair& high, Pair& low, float first, float second) {
  // TODO (roughly 2 lines): let `high` be pair_of() the two numbers. What each number is more than its half of
  //     `high`, times kShift, goes into `low`. Use value_of_first() and value_of_second() of a pair, which are floats.
  high = low = pair_of(first, second);  // delete this line
}

// Whether a number that was scaled keeps its bits in two parts. No infinity does, and no NaN.
__device__ bool is_split(float number, float scaled) {
  return number == 0.0f || (fabsf(scaled) >= 0x1p-13f && fabsf(scaled) < 0x1p15f);
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
  const float* const from = factor.numbers + line * factor.to_next_line + term * factor.to_next_term;
  float numbers[2][4];  // of two lines, of terms 0, 1, 8 and 9 from the lane's first
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned l = i / 4 * 8, t = i % 4 / 2 * 8 + i % 2;
    const bool exists = line + l < factor.lines && term + t < factor.terms;
    numbers[i / 4][i % 4] = exists ? from[l * factor.to_next_line + t * factor.to_next_term] : 0.0f;
  }
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

// The pieces of a round.
struct Tiles {
  Piece a[kPiecesOfA][kSteps];
  Piece b[kPiecesOfB][kSteps];
};

// Starts a thread's share of the copies of a tile's round.
template <unsigned kLines>
__device__ void bring(Piece (&to)[kLines][kSteps], const Piece* from) {
  auto* const target = reinterpret_cast<Fragment*>(to) + threadIdx.x;
  const auto* const source = reinterpret_cast<const Fragment*>(from) + threadIdx.x;
#pragma unroll
  for (unsigned i = 0; i < sizeof(to) / sizeof(Fragment); i += kThreads) {
    __pipeline_memcpy_async(target + i, source + i, sizeof(Fragment));
  }
}

// sums += a * b, by all lanes of the warp together: 16 rows, and of the 16 columns of b those of one half.
__device__ void multiply_add(float (&sums)[4], const Fragment& a, const Fragment& b, unsigned half) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a.pairs[0]), "r"(a.pairs[1]), "r"(a.pairs[2]), "r"(a.pairs[3]), "r"(b.pairs[2 * half]),
        "r"(b.pairs[2 * half + 1]));
}

// The sums that a lane has. First those of the pieces of a warp that lie above each other, then those of all its
// pieces. Last, the sums that belong to them.
using ColumnSums = float[kRows][2][4];
using Sums = ColumnSums[kColumns];

// Adds the products of 16 terms, of pieces of A with one of B.
__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment& low_b) {
  // TODO (roughly 17 lines): for each i and both halves: multiply_add() of high[i] and high_b into four sums that
  //     begin at 0. Then add these to large[i][half]. Also multiply_add() of low[i] and high_b, and of high[i] and
  //     low_b, into small[i][half]. Do one product after the other, each for all i and halves, so that an mma does not
  //     wait for the one just before.
  (void)large, (void)small, (void)high, (void)low, (void)high_b, (void)low_b;  // delete this line
}

// What a lane's two sums of an element come to.
__device__ float joined(float of_large, float of_small) {
  // TODO (1 line): the sum of both, each counted as it is meant.
  return of_large + of_small * kShift;  // delete this line
}

// Takes the scales of its row and its column away from an element: see power_of().
__device__ float unscaled(float sum, unsigned largest_of_row, unsigned largest_of_column) {
  // TODO (1 line): ldexpf(number, exponent) is the number times 2^exponent.
  return (void)largest_of_row, (void)largest_of_column, sum;  // delete this line
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

// An element in float: 16 terms, and then these sums. That is no further from the exact one than what tensor cores
// give.
__device__ __noinline__ float in_float(const float* row, const float* column, std::size_t to_next, std::size_t terms) {
  float sum = 0.0f;
  for (std::size_t first = 0; first < terms; first += kSide) {
    float of_some = 0.0f;
    for (std::size_t k = first; k < min(first + kSide, terms); ++k) of_some += row[k] * column[k * to_next];
    sum += of_some;
  }
  return sum;
}

// The product as tiles, and their terms as rounds: blocks share those of a tile in `parts` parts.
struct Plan {
  unsigned tiles_down, tiles_across, rounds, parts;

  __host__ __device__ unsigned rounds_of_part() const { return (rounds + parts - 1) / parts; }
  __host__ __device__ std::size_t pitch() const { return std::size_t{tiles_across} * kWidth; }
  __host__ __device__ std::size_t size() const { return tiles_down * kHeight * pitch(); }  // of a copy of C
};

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
      Tiles& to = tiles[round % kStages];
      bring(to.a, a.round_of_tile(tile_row, round));
      bring(to.b, b.round_of_tile(tile_column, round));
    }
    __pipeline_commit();
  };
  for (unsigned stage = 0; stage < kStages - 1; ++stage) bring_round(first + stage);
  Sums large = {}, small = {};
  for (unsigned round = first; round < end; ++round) {
    __pipeline_wait_prior(kStages - 2);  // this thread's copies of the round are there
    __syncthreads();                     // all threads' are, and no thread reads the round before any more
    bring_round(round + kStages - 1);
    add_round(large, small, tiles[round % kStages], down, across);
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

// Adds the copies, in their order, and takes the scales away. What has lost too much is computed again in float.
// Launch: a thread for kRowsOfThread elements of a column, blockIdx.x along rows, blockIdx.y along columns.
constexpr unsigned kRowsOfThread = 8;
__global__ void __launch_bounds__(kThreads)
    finish(Factor a, Factor b, workbook::Matrix c, Plan plan, const float* partials) {
  const std::size_t top = std::size_t{blockIdx.x} * kRowsOfThread, j = std::size_t{blockIdx.y} * kThreads + threadIdx.x;
  if (j >= c.columns) return;
  float sums[kRowsOfThread] = {};
#pragma unroll 4
  for (unsigned part = 0; part < plan.parts; ++part) {
    const float* const copy = partials + part * plan.size() + top * plan.pitch() + j;
#pragma unroll
    for (unsigned r = 0; r < kRowsOfThread; ++r) sums[r] += copy[r * plan.pitch()];
  }
  const float least = 32.0f * static_cast<float>(a.terms);
  const unsigned is_wide = b.is_wide[j], largest = b.largest[j];
#pragma unroll
  for (unsigned r = 0; r < kRowsOfThread; ++r) {
    const std::size_t i = top + r;
    if (i >= c.rows) break;
    const bool is_lost = (is_wide != 0 || a.is_wide[i] != 0) && !(fabsf(sums[r]) >= least);  // a NaN is, too
    c.data[i * c.pitch + j] = is_lost ? in_float(a.numbers + i * a.to_next_line, b.numbers + j, b.to_next_term, a.terms)
                                      : unscaled(sums[r], a.largest[i], largest);
  }
}

unsigned multiprocessors() {
  int device = 0, count = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
}

unsigned divided_up(std::size_t number, std::size_t by) { return static_cast<unsigned>((number + by - 1) / by); }

BlocksOfFactors blocks(unsigned down_a, unsigned across_a, unsigned down_b, unsigned across_b) {
  return {across_a, down_a * across_a, across_b, down_b * across_b};
}

// Hands out a workspace, one array after the other.
class Workspace {
 public:
  explicit Workspace(void* memory) : next_(static_cast<unsigned char*>(memory)) {}
  template <typename T>
  T* take(std::size_t count) {
    T* const taken = reinterpret_cast<T*>(next_);
    next_ += count * sizeof(T);
    return taken;
  }

 private:
  unsigned char* next_;
};

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, void* workspace, dim3,
                        cudaStream_t stream) {
  WORKBOOK_TODO("write split, add_products, joined and unscaled, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t k = a.columns;
  Plan plan{divided_up(c.rows, kHeight), divided_up(c.columns, kWidth), divided_up(k, kSteps * kSide), 1};
  const unsigned tiles = plan.tiles_down * plan.tiles_across;
  const auto most_parts = static_cast<unsigned>(k / kLeastTerms);
  plan.parts = std::max(1u, std::min({kBlocksAnSm * multiprocessors() / tiles, most_parts, kMostParts}));

  Workspace memory(workspace);
  Factor of_a{a.data, a.pitch, 1, a.rows, k, kPiecesOfA, plan.rounds, {}, {}, {}};
  Factor of_b{b.data, 1, b.pitch, b.columns, k, kPiecesOfB, plan.rounds, {}, {}, {}};
  const unsigned pieces_down_a = plan.tiles_down * kPiecesOfA, pieces_down_b = plan.tiles_across * kPiecesOfB;
  const unsigned term_pieces = plan.rounds * kSteps;
  of_a.pieces = memory.take<Piece>(std::size_t{pieces_down_a} * term_pieces);
  of_b.pieces = memory.take<Piece>(std::size_t{pieces_down_b} * term_pieces);
  float* const partials = memory.take<float>(plan.parts * plan.size());
  const std::size_t lines = (std::size_t{pieces_down_a} + pieces_down_b) * kSide;
  of_a.largest = memory.take<unsigned>(lines);
  of_a.is_wide = memory.take<unsigned>(lines);
  of_b.largest = of_a.largest + pieces_down_a * kSide;
  of_b.is_wide = of_a.is_wide + pieces_down_a * kSide;
  CUDA_CHECK(cudaMemsetAsync(of_a.largest, 0, 2 * lines * sizeof(unsigned), stream));
  if (k > 0) {
    const BlocksOfFactors to_look = blocks(divided_up(c.rows, kRowsOfBlock), divided_up(k, kColumnsOfBlock),
                                           divided_up(k, kRowsOfBlock), divided_up(c.columns, kColumnsOfBlock));
    find_largest<<<to_look.blocks_of_a + to_look.blocks_of_b, kThreads, 0, stream>>>(of_a, of_b, to_look);
    CUDA_CHECK(cudaGetLastError());
    const unsigned across = divided_up(term_pieces, kThreads / kWarp);
    const BlocksOfFactors to_split = blocks(pieces_down_a, across, pieces_down_b, across);
    split_all<<<to_split.blocks_of_a + to_split.blocks_of_b, kThreads, 0, stream>>>(of_a, of_b, to_split);
    CUDA_CHECK(cudaGetLastError());
  }
  constexpr std::size_t kBytes = kStages * sizeof(Tiles);
  CUDA_CHECK(cudaFuncSetAttribute(multiply_parts, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  multiply_parts<<<dim3(tiles, plan.parts), kThreads, kBytes, stream>>>(of_a, of_b, plan, partials);
  CUDA_CHECK(cudaGetLastError());
  finish<<<dim3(divided_up(c.rows, kRowsOfThread), divided_up(c.columns, kThreads)), kThreads, 0, stream>>>(
      of_a, of_b, c, plan, partials);
  CUDA_CHECK(cudaGetLastError());
}
