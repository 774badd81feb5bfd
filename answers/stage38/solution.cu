// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 38: single precision by tensor cores. Each number is split into three of 8 bits (bf16), which together are the
// number. Of the nine products of two such sums the six largest are added on tensor cores, the small ones first, 16
// terms at a time; and these sums are added in float. Where that is not finite, the element is computed in float:
// infinities and NaN are what they are there. No part is below 2^-133, so of numbers below 2^-110 less than 24 bits may
// be left.
#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "workbook/matmul.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kVector = 4;             // floats of a vector
constexpr unsigned kTerms = 16;             // of a round, and of an mma
constexpr unsigned kStages = 2;             // rounds of numbers in shared memory, on their way or there
constexpr unsigned kParts = 3;              // of a number, the largest first
constexpr unsigned kDown = 2, kAcross = 2;  // the warps of a block over its tile of C
constexpr unsigned kWarpSide = 64;          // a warp has 64 x 64 elements of C
constexpr unsigned kHeight = kDown * kWarpSide, kWidth = kAcross * kWarpSide;
constexpr unsigned kThreads = kDown * kAcross * kWarp;

// The pieces that one mma multiplies, 16 x 16 of A and 16 x 8 of B, and how many of C's a warp has.
constexpr unsigned kPieceRows = 16, kPieceColumns = 8;
constexpr unsigned kPiecesDown = kWarpSide / kPieceRows, kPiecesAcross = kWarpSide / kPieceColumns;
constexpr unsigned kPiecesAtOnce = 2;                        // of those side by side
constexpr unsigned kShares = kPiecesAcross / kPiecesAtOnce;  // of a round's work

// Two numbers of 8 bits in one word, the first in its lower half.
using Pair = unsigned;
constexpr unsigned kPairs = kTerms / 2;

// The numbers as they come, and their parts, of this round and the next. The four words behind each row of parts put
// eight of them into different banks.
struct Tiles {
  float a[kStages][kHeight][kTerms];
  float b[kStages][kTerms][kWidth];
  Pair parts_of_a[2][kParts][kHeight][kPairs + 4];
  Pair parts_of_b[2][kParts][kTerms][kWidth / 2 + 4];
};

// The two nearest numbers of 8 bits (bf16): these are the upper halves of floats.
__device__ Pair pair_of(float first, float second) {
  Pair pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
__device__ float value_of_first(Pair pair) { return __uint_as_float(pair << 16); }
__device__ float value_of_second(Pair pair) { return __uint_as_float(pair & 0xFFFF0000u); }

// Splits two numbers. Each part is the nearest number of 8 bits to what is left, and all three together are the number:
// of its 24 bits none is lost. The differences are exact.
__device__ void split(Pair (&parts)[kParts], float first, float second) {
  // BEGIN SOLUTION: each part is pair_of() the two numbers, and what each number is more than its half of the
  //     pair is left for the next part. value_of_first() and value_of_second() of a pair are floats.
  // UNTIL SOLVED: for (Pair& part : parts) part = pair_of(first, second);  // delete this line
#pragma unroll
  for (unsigned part = 0; part < kParts; ++part) {
    parts[part] = pair_of(first, second);
    first -= value_of_first(parts[part]);
    second -= value_of_second(parts[part]);
  }
  // END SOLUTION
}

// Brings what a thread has of each round, some vectors of A and of B, in kShares shares, and splits it when it is
// there. kWhole: all numbers exist, and vectors lie at multiples of 16 bytes; else each number is asked for, and a zero
// takes the place of one that does not exist.
template <bool kWhole>
class Porter {
 public:
  __device__ Porter(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, Tiles& tiles, std::size_t top,
                    std::size_t left)
      : tiles_(tiles),
        from_a_(a.data + (top + row_a()) * a.pitch + term_a()),
        from_b_(b.data + term_b() * b.pitch + left + column_b()),
        pitch_a_(a.pitch),
        pitch_b_(b.pitch),
        terms_left_(static_cast<unsigned>(a.columns)),
        rows_left_(static_cast<unsigned>(a.rows - top)),
        columns_left_(static_cast<unsigned>(b.columns - left)) {}

  // Starts one share of the copies of the next round into `stage`.
  __device__ void bring(unsigned stage, unsigned share) {
    if (terms_left_ > 0) {
#pragma unroll
      for (unsigned r = share * kRows; r < (share + 1) * kRows; r += kRowsAtATime) {
        bring_vector(&tiles_.a[stage][row_a() + r][term_a()], from_a_ + r * pitch_a_, row_a() + r < rows_left_,
                     term_a(), terms_left_);
      }
#pragma unroll
      for (unsigned k = share * kRowsOfB; k < (share + 1) * kRowsOfB; k += kTermsAtATime) {
        bring_vector(&tiles_.b[stage][term_b() + k][column_b()], from_b_ + k * pitch_b_, term_b() + k < terms_left_,
                     column_b(), columns_left_);
      }
    }
    if (share < kShares - 1) return;
    __pipeline_commit();  // what was started since the last commit is one round
    from_a_ += kTerms;
    from_b_ += kTerms * pitch_b_;
    terms_left_ -= min(terms_left_, kTerms);
  }

  // Splits one share of what this thread has brought into `stage`.
  __device__ void split_share(unsigned stage, unsigned to, unsigned share) {
#pragma unroll
    for (unsigned r = share * kRows; r < (share + 1) * kRows; r += kRowsAtATime) {
      split_vector(tiles_.a[stage][row_a() + r] + term_a(),
                   [&](unsigned part) { return &tiles_.parts_of_a[to][part][row_a() + r][term_a() / 2]; });
    }
#pragma unroll
    for (unsigned k = share * kRowsOfB; k < (share + 1) * kRowsOfB; k += kTermsAtATime) {
      split_vector(tiles_.b[stage][term_b() + k] + column_b(),
                   [&](unsigned part) { return &tiles_.parts_of_b[to][part][term_b() + k][column_b() / 2]; });
    }
  }

 private:
  static constexpr unsigned kRows = kHeight / kShares, kRowsOfB = kTerms / kShares;  // of a share
  static constexpr unsigned kRowsAtATime = kThreads * kVector / kTerms;
  static constexpr unsigned kTermsAtATime = kThreads * kVector / kWidth;
  static __device__ unsigned term_a() { return threadIdx.x * kVector % kTerms; }
  static __device__ unsigned row_a() { return threadIdx.x * kVector / kTerms; }
  static __device__ unsigned term_b() { return threadIdx.x * kVector / kWidth; }
  static __device__ unsigned column_b() { return threadIdx.x * kVector % kWidth; }

  // The last argument of a copy: how many of the bytes are not copied, but filled with zeros.
  static __device__ void bring_vector(float* to, const float* from, bool exists, unsigned at, unsigned end) {
    if constexpr (kWhole) {
      __pipeline_memcpy_async(to, from, sizeof(float4));
    } else {
#pragma unroll
      for (unsigned i = 0; i < kVector; ++i) {
        __pipeline_memcpy_async(to + i, from + i, sizeof(float), exists && at + i < end ? 0 : sizeof(float));
      }
    }
  }

  template <typename Target>
  static __device__ void split_vector(const float* from, Target target) {
    const float4 numbers = *reinterpret_cast<const float4*>(from);
    Pair first[kParts], second[kParts];
    split(first, numbers.x, numbers.y);
    split(second, numbers.z, numbers.w);
#pragma unroll
    for (unsigned part = 0; part < kParts; ++part) {
      *reinterpret_cast<uint2*>(target(part)) = make_uint2(first[part], second[part]);
    }
  }

  Tiles& tiles_;
  const float* from_a_;
  const float* from_b_;
  std::size_t pitch_a_, pitch_b_;
  unsigned terms_left_, rows_left_, columns_left_;
};

// Reads four matrices of 8 x 8 numbers. Lane l names row l % 8 of matrix l / 8, and gets pair l % 4 of row l / 4 of
// each.
__device__ void load_matrices(Pair (&pairs)[4], const Pair* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(pairs[0]), "=r"(pairs[1]), "=r"(pairs[2]), "=r"(pairs[3])
               : "r"(address));
}

// The same, each matrix transposed: a lane gets numbers 2 (l % 4) and 2 (l % 4) + 1 of column l / 4.
__device__ void load_transposed(Pair (&pairs)[4], const Pair* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(pairs[0]), "=r"(pairs[1]), "=r"(pairs[2]), "=r"(pairs[3])
               : "r"(address));
}

// sums += a * b, by all lanes of the warp together.
__device__ void multiply_add(float (&sums)[4], const Pair (&a)[4], const Pair* b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where the numbers of a lane lie.
struct Place {
  unsigned row, column;    // of its warp's part of the tile
  unsigned group, member;  // lane / 4 and lane % 4
};

using Sums = float[kPiecesDown][kPiecesAcross][4];

// The sums of a round, of the pieces that are computed together.
using RoundSums = float[kPiecesDown][kPiecesAtOnce][4];

// Adds the products of one round: the six largest of the nine that each two numbers have, the smallest of them first.
__device__ void multiply_parts(RoundSums& sums, const Pair (&a)[kParts][kPiecesDown][4], const Pair (&b)[kParts][4]) {
  // BEGIN SOLUTION: the multiply_add()s of part 2 of A with 0 of B, 0 with 2, 1 with 1, 1 with 0, 0 with 1, and
  //     at last 0 with 0, of all pieces. Piece j of B has the words b[part] + 2 * j. One product after the other, and
  //     of each all pieces: so that an mma does not wait for the one just before.
  // UNTIL SOLVED: (void)sums, (void)a, (void)b;  // delete this line
  constexpr unsigned kProducts[][2] = {{2, 0}, {0, 2}, {1, 1}, {1, 0}, {0, 1}, {0, 0}};
#pragma unroll
  for (const auto& product : kProducts) {
#pragma unroll
    for (unsigned j = 0; j < kPiecesAtOnce; ++j) {
#pragma unroll
      for (unsigned i = 0; i < kPiecesDown; ++i) {
        multiply_add(sums[i][j], a[product[0]][i], b[product[1]] + 2 * j);
      }
    }
  }
  // END SOLUTION
}

// Adds the products of the round whose parts lie in `now`, two columns of pieces after the other. Behind each two the
// porter splits, and brings, a share of what comes later.
template <bool kWhole>
__device__ void add_round(Sums& sums, const Tiles& tiles, unsigned now, const Place& place, Porter<kWhole>& porter,
                          unsigned stage) {
  const unsigned lane = threadIdx.x % kWarp;
  Pair a[kParts][kPiecesDown][4];
#pragma unroll
  for (unsigned part = 0; part < kParts; ++part) {
#pragma unroll
    for (unsigned i = 0; i < kPiecesDown; ++i) {
      load_matrices(a[part][i], &tiles.parts_of_a[now][part][place.row + i * kPieceRows + lane % 16][lane / 16 * 4]);
    }
  }
#pragma unroll
  for (unsigned share = 0; share < kShares; ++share) {
    Pair b[kParts][4];
    const unsigned pair = (place.column + share * kPiecesAtOnce * kPieceColumns) / 2 + lane / 16 * 4;
#pragma unroll
    for (unsigned part = 0; part < kParts; ++part) {
      load_transposed(b[part], &tiles.parts_of_b[now][part][lane % 16][pair]);
    }
    // BEGIN SOLUTION: multiply_parts() of a and b into sums that begin at 0, which are then added to those of
    //     all rounds: sums[i][share * kPiecesAtOnce + j][s].
    // UNTIL SOLVED: (void)sums;  // delete this line
    RoundSums of_round = {};
    multiply_parts(of_round, a, b);
#pragma unroll
    for (unsigned i = 0; i < kPiecesDown; ++i) {
#pragma unroll
      for (unsigned j = 0; j < kPiecesAtOnce; ++j) {
#pragma unroll
        for (unsigned s = 0; s < 4; ++s) sums[i][share * kPiecesAtOnce + j][s] += of_round[i][j][s];
      }
    }
    // END SOLUTION
    porter.split_share(stage, 1 - now, share);
    porter.bring(stage, share);
  }
}

// All rounds. While the products of one are added, the numbers of the next are split, and those after it come.
template <bool kWhole>
__device__ void add_rounds(Sums& sums, Tiles& tiles, Porter<kWhole>& porter, unsigned rounds, const Place& place) {
#pragma unroll
  for (unsigned stage = 0; stage < kStages; ++stage) {
#pragma unroll
    for (unsigned share = 0; share < kShares; ++share) porter.bring(stage, share);
  }
  __pipeline_wait_prior(kStages - 1);
#pragma unroll
  for (unsigned share = 0; share < kShares; ++share) {
    porter.split_share(0, 0, share);
    porter.bring(0, share);
  }
  unsigned stage = 1 % kStages;
  for (unsigned round = 0; round < rounds; ++round) {
    __syncthreads();                     // everybody has split this round, and nobody reads the parts of the last one
    __pipeline_wait_prior(kStages - 1);  // this thread's numbers of the next round are there
    add_round(sums, tiles, round % 2, place, porter, stage);
    stage = stage == kStages - 1 ? 0 : stage + 1;
  }
}

// Computes again, in float, what is not finite of a lane's elements: a number that is infinite, or as good as that, has
// no parts, and the products of infinity with parts that are 0 are no numbers.
__device__ void repair(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c,
                       std::size_t first_row, std::size_t first_column) {
  for (unsigned e = 0; e < kPiecesDown * kPiecesAcross * 4; ++e) {
    const std::size_t i = first_row + e / (kPiecesAcross * 4) * kPieceRows + e / 2 % 2 * 8;
    const std::size_t j = first_column + e / 4 % kPiecesAcross * kPieceColumns + e % 2;
    if (i >= c.rows || j >= c.columns || isfinite(c.data[i * c.pitch + j])) continue;
    float sum = 0.0f;
    for (std::size_t k = 0; k < a.columns; ++k) sum += a.data[i * a.pitch + k] * b.data[k * b.pitch + j];
    c.data[i * c.pitch + j] = sum;
  }
}

// Computes c = a * b in single precision. Launch: a block of kThreads for each tile of C, in one dimension, in bands of
// eight rows of tiles. kWhole: see is_whole().
template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 256 / kThreads)
    multiply_split(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, unsigned tiles_down,
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
  Porter<kWhole> porter(a, b, tiles, top, left);
  const auto rounds = static_cast<unsigned>((a.columns + kTerms - 1) / kTerms);

  Sums sums = {};
  add_rounds(sums, tiles, porter, rounds, place);
  bool is_finite = true;
  const std::size_t first_row = top + place.row + place.group, first_column = left + place.column + place.member * 2;
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
#pragma unroll
    for (unsigned j = 0; j < kPiecesAcross; ++j) {
#pragma unroll
      for (unsigned s = 0; s < 4; s += 2) {
        const std::size_t row = first_row + i * kPieceRows + s / 2 * 8, column = first_column + j * kPieceColumns;
        const float2 two = make_float2(sums[i][j][s], sums[i][j][s + 1]);
        float* const to = c.data + row * c.pitch + column;
        is_finite = is_finite && isfinite(two.x) && isfinite(two.y);
        if constexpr (kWhole) {
          *reinterpret_cast<float2*>(to) = two;
        } else {
          if (row < c.rows && column < c.columns) to[0] = two.x;
          if (row < c.rows && column + 1 < c.columns) to[1] = two.y;
        }
      }
    }
  }
  if (!is_finite) repair(a, b, c, first_row, first_column);
}

// Whether nothing has to be asked: C is made of whole tiles, A and B of whole rounds, and all rows hold vectors.
bool is_whole(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c) {
  const auto has_vectors = [](const float* data, std::size_t pitch) {
    return pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0;
  };
  return c.rows % kHeight == 0 && c.columns % kWidth == 0 && a.columns % kTerms == 0 && has_vectors(a.data, a.pitch) &&
         has_vectors(b.data, b.pitch) && has_vectors(c.data, c.pitch);
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3,
                        cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write split, multiply_parts and the sums in add_round, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const auto tiles_across = static_cast<unsigned>((c.columns + kWidth - 1) / kWidth);
  const auto tiles_down = static_cast<unsigned>((c.rows + kHeight - 1) / kHeight);
  const auto kernel = is_whole(a, b, c) ? multiply_split<true> : multiply_split<false>;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tiles)));
  kernel<<<tiles_across * tiles_down, kThreads, sizeof(Tiles), stream>>>(a, b, c, tiles_down, tiles_across);
  CUDA_CHECK(cudaGetLastError());
}
