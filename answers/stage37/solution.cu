// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 37: a matrix product on tensor cores. One instruction of a warp, mma, multiplies a piece of A, 16 x 8 numbers,
// by a piece of B, 8 x 8: 1,024 multiply-adds. Its factors have 11 bits (tf32), its sums are floats. The tiles, and the
// copies that bring them, are those of stage 21.
#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "workbook/student/matmul.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kVector = 4;             // floats of a vector
constexpr unsigned kTerms = 32;             // of a k-tile
constexpr unsigned kStages = 3;             // pairs of tiles in shared memory: one in use, two on their way
constexpr unsigned kDown = 2, kAcross = 4;  // the warps of a block over its tile of C
constexpr unsigned kWarpSide = 64;          // a warp has 64 x 64 elements of C
constexpr unsigned kHeight = kDown * kWarpSide, kWidth = kAcross * kWarpSide;
constexpr unsigned kThreads = kDown * kAcross * kWarp;

// The pieces that one mma multiplies, and how many of C's a warp has.
constexpr unsigned kPieceRows = 16, kPieceColumns = 8, kPieceTerms = 8;
constexpr unsigned kPiecesDown = kWarpSide / kPieceRows, kPiecesAcross = kWarpSide / kPieceColumns;
constexpr unsigned kSteps = kTerms / kPieceTerms;  // of a k-tile

// The vector behind each row puts eight rows of A, and four of B, into different banks.
constexpr unsigned padded(unsigned length) { return length + kVector; }

struct Tiles {
  float a[kStages][kHeight][padded(kTerms)];
  float b[kStages][kTerms][padded(kWidth)];
};

// TileLoader: what one thread brings of each k-tile (CUTLASS: the iterators over the tiles of A and B). It brings some
// vectors, or single numbers, of A and of B, in kSteps parts. If kWhole, all of them exist, and lie at multiples of 16
// bytes. Else a zero takes the place of a number that does not exist.
template <bool kWhole>
class TileLoader {
 public:
  __device__ TileLoader(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, std::size_t top,
                        std::size_t left)
      : from_a_(a.data + (top + row_a()) * a.pitch + term_a()),
        from_b_(b.data + term_b() * b.pitch + left + column_b()),
        pitch_a_(a.pitch),
        pitch_b_(b.pitch),
        terms_left_(static_cast<unsigned>(a.columns)),
        rows_left_(static_cast<unsigned>(a.rows - top)),
        columns_left_(static_cast<unsigned>(b.columns - left)) {}

  // Starts one part of the copies of the next k-tile into `stage`.
  __device__ void bring(Tiles& tiles, unsigned stage, unsigned part) {
    if (terms_left_ > 0) {
      constexpr unsigned kPartOfA = kHeight / kSteps, kPartOfB = kTerms / kSteps;
#pragma unroll
      for (unsigned i = 0; i < kPartOfA; i += kRowsAtATime) {
        const unsigned r = part * kPartOfA + i;
        bring_one(&tiles.a[stage][row_a() + r][term_a()], from_a_ + r * pitch_a_,
                  row_a() + r < rows_left_ && term_a() < terms_left_);
      }
#pragma unroll
      for (unsigned i = 0; i < kPartOfB; i += kTermsAtATime) {
        const unsigned k = part * kPartOfB + i;
        bring_one(&tiles.b[stage][term_b() + k][column_b()], from_b_ + k * pitch_b_,
                  term_b() + k < terms_left_ && column_b() < columns_left_);
      }
    }
    if (part < kSteps - 1) return;
    __pipeline_commit();  // what was started since the last commit is one k-tile
    from_a_ += kTerms;
    from_b_ += kTerms * pitch_b_;
    terms_left_ -= min(terms_left_, kTerms);
  }

 private:
  static constexpr unsigned kNumbers = kWhole ? kVector : 1;  // of a copy
  static constexpr unsigned kRowsAtATime = kThreads * kNumbers / kTerms;
  static constexpr unsigned kTermsAtATime = kThreads * kNumbers / kWidth;
  static __device__ unsigned term_a() { return threadIdx.x * kNumbers % kTerms; }
  static __device__ unsigned row_a() { return threadIdx.x * kNumbers / kTerms; }
  static __device__ unsigned term_b() { return threadIdx.x * kNumbers / kWidth; }
  static __device__ unsigned column_b() { return threadIdx.x * kNumbers % kWidth; }

  // The last argument: how many of the bytes are not copied, but filled with zeros.
  static __device__ void bring_one(float* to, const float* from, bool exists) {
    if constexpr (kWhole) {
      __pipeline_memcpy_async(to, from, sizeof(float4));
    } else {
      __pipeline_memcpy_async(to, from, sizeof(float), exists ? 0 : sizeof(float));
    }
  }

  const float* from_a_;
  const float* from_b_;
  std::size_t pitch_a_, pitch_b_;
  unsigned terms_left_, rows_left_, columns_left_;
};

// Rounds a number for mma, which leaves out the last 13 bits of a factor. Half of what bit 13 is worth is added, away
// from 0. So mma takes the result for the nearest number of 11 bits. (PTX has cvt.rna.tf32.f32 for it, which becomes
// four instructions on an H200; these are two.)
__device__ unsigned to_tf32(float number) {
  const float power = __uint_as_float(__float_as_uint(number) & 0xFF800000u);  // with the sign and exponent of number
  return __float_as_uint(fmaf(power, 0x1p-11f, number));
}

// Reads four matrices of 8 rows of 16 bytes. Lane l names row l % 8 of matrix l / 8, and gets word l % 4 of row l / 4
// of each.
__device__ void load_matrices(float (&words)[4], const float* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=f"(words[0]), "=f"(words[1]), "=f"(words[2]), "=f"(words[3])
               : "r"(address));
}

// sums += a * b, by all lanes of the warp together.
__device__ void multiply_add(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// What a lane has of the factors of one step (the fragments of mma). It has four numbers of each piece of A, and two
// vectors of each four pieces of B.
struct Fragments {
  float a[kPiecesDown][4];
  float b[kPiecesAcross / kVector][2][kVector];
};

// Where a lane's numbers lie. The columns of four pieces of B are dealt out in turn. So a lane finds its four numbers
// of a term side by side. The same holds for C's. Column p of piece j is column 16 (p % 2) + 4 (p / 2) + j % 4. That
// counts in the 32 columns that pieces j / 4 * 4 and the next three have.
struct Place {
  unsigned row, column;    // of the warp's part of the tile
  unsigned group, member;  // lane / 4 and lane % 4
};

// Reads this lane's numbers of step `step` of the k-tile in `stage`.
__device__ void load(Fragments& f, const Tiles& tiles, unsigned stage, unsigned step, const Place& place) {
  const unsigned lane = threadIdx.x % kWarp, term = step * kPieceTerms;
  // BEGIN SOLUTION: load_matrices() for each piece of A. It has 16 rows from place.row + i * kPieceRows, as
  //     two and two matrices. The first two are terms `term` to term + 3 of rows 0 to 7, and of rows 8 to 15. The other
  //     two are terms term + 4 to term + 7 of these. Lane `lane` names row lane % 16, and its term is 0 or 4 further
  //     on. Load two vectors for each four pieces of B. They are of term place.member, and of the one four further on,
  //     at column 16 (p % 2) + 4 (p / 2) with p = place.group.
  // UNTIL SOLVED: (void)f, (void)tiles, (void)stage, (void)place, (void)lane, (void)term;  // delete this line
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
    load_matrices(f.a[i], &tiles.a[stage][place.row + i * kPieceRows + lane % 16][term + lane / 16 * 4]);
  }
  const unsigned column = place.column + place.group % 2 * 16 + place.group / 2 * 4;
#pragma unroll
  for (unsigned j = 0; j < kPiecesAcross / kVector; ++j) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      *reinterpret_cast<float4*>(f.b[j][half]) =
          *reinterpret_cast<const float4*>(&tiles.b[stage][term + 4 * half + place.member][column + 32 * j]);
    }
  }
  // END SOLUTION
}

using Sums = float[kPiecesDown][kPiecesAcross][4];

// Adds the products of a step: an mma for each piece of C.
__device__ void add_products(Sums& sums, const Fragments& f) {
  // BEGIN SOLUTION: for each piece of C, row i and column j of them, call multiply_add(). Give it the
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
template <bool kWhole>
__device__ void add_k_tiles(Sums& sums, Tiles& tiles, TileLoader<kWhole>& loader, unsigned k_tiles,
                            const Place& place) {
  Fragments fragments[2];  // of this step, and of the next
#pragma unroll
  for (unsigned stage = 0; stage < kStages - 1; ++stage) {
#pragma unroll
    for (unsigned part = 0; part < kSteps; ++part) loader.bring(tiles, stage, part);
  }
  __pipeline_wait_prior(kStages - 2);
  __syncthreads();
  unsigned now = 0, free = kStages - 1;
  loader.bring(tiles, free, 0);
  load(fragments[0], tiles, now, 0, place);
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (unsigned step = 0; step < kSteps; ++step) {
      if (step == kSteps - 1) {
        __pipeline_wait_prior(kStages - 2);  // this thread's copies of the next k-tile are there,
        __syncthreads();                     // and those of all threads; no thread reads this k-tile's any more
        free = now;
        now = now == kStages - 1 ? 0 : now + 1;
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

// Stores what this lane has of the tile with the corner (top, left).
template <bool kWhole>
__device__ void store_sums(const workbook::Matrix& c, std::size_t top, std::size_t left, const Place& place,
                           const Sums& sums) {
  // BEGIN SOLUTION: take each four pieces that lie side by side, and each s. Their four sums number s go to
  //     store_four(). Sums 0 and 1 are of row place.group of the piece, 2 and 3 of the row 8 below. In a piece, 0 and 2
  //     belong to column p = 2 place.member, 1 and 3 to the next. Where that column lies is in the comment of Place.
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
template <bool kWhole>
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
  TileLoader<kWhole> loader(a, b, top, left);
  const auto k_tiles = static_cast<unsigned>((a.columns + kTerms - 1) / kTerms);

  Sums sums = {};
  add_k_tiles(sums, tiles, loader, k_tiles, place);
  store_sums<kWhole>(c, top, left, place, sums);
}

// Whether nothing has to be asked: C is made of whole tiles, A and B of whole k-tiles, and all rows hold vectors.
bool is_whole(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c) {
  const auto has_vectors = [](const float* data, std::size_t pitch) {
    return pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0;
  };
  return c.rows % kHeight == 0 && c.columns % kWidth == 0 && a.columns % kTerms == 0 && has_vectors(a.data, a.pitch) &&
         has_vectors(b.data, b.pitch) && has_vectors(c.data, c.pitch);
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3,
                        cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write load, add_products and store_sums, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const auto tiles_across = static_cast<unsigned>((c.columns + kWidth - 1) / kWidth);
  const auto tiles_down = static_cast<unsigned>((c.rows + kHeight - 1) / kHeight);
  const auto kernel = is_whole(a, b, c) ? multiply_on_tensor_cores<true> : multiply_on_tensor_cores<false>;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tiles)));
  kernel<<<tiles_across * tiles_down, kThreads, sizeof(Tiles), stream>>>(a, b, c, tiles_down, tiles_across);
  CUDA_CHECK(cudaGetLastError());
}
