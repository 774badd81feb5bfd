// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 23: GEMM, alpha * A B + beta * C. The product of stage 22, with factors that may be stored transposed: a loader
// for each of them goes along what lies side by side in memory. C is read where beta is not 0, A and B where alpha is
// not.
#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/gemm.h"

// Indices are int here: unsigned ones may wrap, which keeps the compiler from folding addresses.
constexpr int kWarp = 32;
constexpr int kVector = 4;  // floats of a vector

// How a block computes a tile of C. Warps lie kDown x kAcross over it, as often as there are slices: each slice has its
// own kTerms terms of a round, and its sums are added to those of the others at the end. A thread has kRows x kColumns
// sums, which go through shared memory to C, kRowsAtOnce of them at a time; 0: directly. The copies of a round are
// started in kParts parts.
template <int kHeight_, int kWidth_, int kDown_, int kAcross_, int kLanesDown_, int kSlices_, int kTerms_, int kParts_,
          int kStages_, int kBlocksAnSm_, int kRowsAtOnce_>
struct Form {
  static constexpr int kHeight = kHeight_, kWidth = kWidth_, kDown = kDown_, kAcross = kAcross_;
  static constexpr int kLanesDown = kLanesDown_, kLanesAcross = kWarp / kLanesDown_;
  static constexpr int kSlices = kSlices_, kTerms = kTerms_, kParts = kParts_, kStages = kStages_;
  static constexpr int kBlocksAnSm = kBlocksAnSm_, kRowsAtOnce = kRowsAtOnce_;
  static constexpr int kThreads = kDown * kAcross * kSlices * kWarp;
  static constexpr int kRows = kHeight / (kDown * kLanesDown), kColumns = kWidth / (kAcross * kLanesAcross);
  static constexpr int kRound = kTerms * kSlices;  // terms of a round
};
//                   tile      warps  lanes slices terms parts stages  blocks an SM  rows at once
using Large = Form<128, 256, 2, 4, 8, 1, 8, 8, 3, 1, 1>;
using Medium = Form<64, 128, 1, 4, 8, 1, 16, 4, 3, 3, 0>;
using MediumInSlices = Form<64, 128, 1, 4, 8, 2, 16, 2, 3, 1, 8>;
using Small = Form<32, 64, 1, 1, 4, 8, 8, 2, 3, 1, 8>;
using Tiny = Form<16, 32, 1, 1, 4, 4, 8, 2, 4, 4, 4>;

// The tiles of A and B that a round needs, for each stage of the pipeline: for each term, its element in every row of
// A, and in every column of B. What is added to the widths puts what a warp brings at a time into different banks,
// where A and B are stored as they are.
template <class Form>
struct Tiles {
  static constexpr int kWidthOfA = Form::kHeight + kVector, kWidthOfB = Form::kWidth + 8;
  float a[Form::kStages][Form::kRound][kWidthOfA];
  float b[Form::kStages][Form::kRound][kWidthOfB];
};

// The product as a line of rounds: `rounds` of them for each tile, tile after tile. A block has `share` of them.
struct Line {
  int tiles_down, tiles_across;
  std::size_t height, width;  // of the part of C that lies in tiles
  std::size_t rounds;
  std::size_t share;

  __host__ __device__ std::size_t tiles() const { return static_cast<std::size_t>(tiles_down) * tiles_across; }
  __host__ __device__ std::size_t length() const { return tiles() * rounds; }
  __host__ __device__ std::size_t blocks() const { return (length() + share - 1) / share; }
  __host__ __device__ bool is_cut() const { return share % rounds != 0; }
  // Elements of C that lie in no tile.
  __host__ __device__ std::size_t edges(const workbook::Matrix& c) const { return c.rows * c.columns - height * width; }
};

// Where a tile lies. Eight rows of tiles are one band, as in stage 21.
struct Corner {
  std::size_t top, left;
};
template <class Form>
__device__ Corner corner_of(const Line& line, int tile) {
  constexpr int kBand = 8;
  const int band = tile / (kBand * line.tiles_across) * kBand;
  const int height = min(kBand, line.tiles_down - band);
  const int place = tile - band * line.tiles_across;
  return {(band + place % height) * std::size_t{Form::kHeight}, place / height * std::size_t{Form::kWidth}};
}

// Starts a copy to an address of shared memory, or fills its place with zeros: __pipeline_memcpy_async(), but with the
// question in the operand of the one instruction, where that function branches.
template <int kBytes>
__device__ void copy_or_zero(int to, const float* from, bool exists) {
  const int bytes = exists ? kBytes : 0;
  if constexpr (kBytes == sizeof(float4)) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  }
}
__device__ int shared_address(const void* pointer) { return static_cast<int>(__cvta_generic_to_shared(pointer)); }

// A factor as a loader sees it: lines, which are rows of A or columns of B, of terms. In memory either the terms of a
// line lie side by side, or the lines of a term.
struct Lines {
  const float* data;
  std::size_t lines, terms;
  std::size_t pitch;
  bool terms_adjoin;

  __host__ __device__ std::size_t from_line_to_line() const { return terms_adjoin ? pitch : 1; }
  __host__ __device__ std::size_t from_term_to_term() const { return terms_adjoin ? 1 : pitch; }

  // Whether the lines of a term are vectors.
  bool hold_vectors() const {
    return !terms_adjoin && pitch % kVector == 0 && lines >= kVector && lines % kVector == 0 &&
           reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0;
  }
};
Lines rows_of(const workbook::Operand& a) {
  return {a.stored.data, a.rows(), a.columns(), a.stored.pitch, !a.is_transposed};
}
Lines columns_of(const workbook::Operand& b) {
  return {b.stored.data, b.columns(), b.rows(), b.stored.pitch, b.is_transposed};
}

// What one thread brings of a factor in each round, for kSize lines, into a tile of rows of kWidth floats. kVectors:
// vectors of four lines, one after the other. Else single numbers, in squares of 8 lines and 8 terms: a warp brings one
// half of a square at a time, 8 numbers that lie side by side in each of 4 places, and then the other, 4 further.
template <class Form, int kSize, int kWidth, bool kVectors>
class Loader {
 public:
  // For the lines from `begin` on, and the terms from `first` on, into the tile of each stage. Lines that do not exist
  // are taken from the last one that does: they only come to sums that nobody stores.
  __device__ Loader(const Lines& lines, float (&tile)[Form::kStages][Form::kRound][kWidth], std::size_t begin,
                    std::size_t first) {
    const int worker = kVectors ? threadIdx.x : threadIdx.x / kWarp;
    int line = worker % kAcross * kLines, term = worker / kAcross * kTermsAtOnce;  // of this thread's first copy
    int half_line = 0, half_term = 0;
    if constexpr (!kVectors) {
      const int adjoining = threadIdx.x % kSide, other = threadIdx.x % kWarp / kSide;
      line += lines.terms_adjoin ? other : adjoining;
      term += lines.terms_adjoin ? adjoining : other;
      half_line = lines.terms_adjoin ? kSide / 2 : 0;
      half_term = lines.terms_adjoin ? 0 : kSide / 2;
    }
    to_ = shared_address(&tile[0][term][line]);
    half_to_ = (half_term * kWidth + half_line) * kFloat;
    terms_left_ = static_cast<int>(lines.terms - first) - term;
    terms_left_of_half_ = terms_left_ - half_term;
    // BEGIN SOLUTION: from_[i]: where copy i of the first round comes from. That is line begin + line
    //     + lines_to(i), or else the last one (of vectors, the last vector), and term first + term, where i is even;
    //     half_line and half_term further where it is odd. from_term_to_term_: how far it is in memory from there to
    //     the same line's next term.
    // UNTIL SOLVED: (void)begin, from_term_to_term_ = 0;  // replace
    from_term_to_term_ = lines.from_term_to_term();
#pragma unroll
    for (int i = 0; i < kPointers; ++i) {
      const std::size_t wanted = begin + line + lines_to(i) + i % 2 * half_line;
      const std::size_t existing = min(wanted, lines.lines - (kVectors ? kVector : 1));
      from_[i] =
          lines.data + existing * lines.from_line_to_line() + (first + term + i % 2 * half_term) * from_term_to_term_;
    }
    // END SOLUTION
  }

  // Starts a part of the copies of the next round into `stage`. Terms that do not exist are zeros.
  __device__ void bring(int stage, int part) {
    constexpr int kBytes = kVectors ? kVector * kFloat : kFloat;
    const int to = to_ + stage * (Form::kRound * kWidth * kFloat);
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      if (i % Form::kParts != part) continue;
      const bool is_half = !kVectors && i % 2 == 1;
      copy_or_zero<kBytes>((is_half ? to + half_to_ : to) + (terms_to(i) * kWidth + lines_to(i)) * kFloat,
                           from_[i % kPointers] + terms_to(i) * from_term_to_term_,
                           terms_to(i) < (is_half ? terms_left_of_half_ : terms_left_));
    }
  }
  __device__ void next_round() {
    terms_left_ -= Form::kRound;
    terms_left_of_half_ -= Form::kRound;
#pragma unroll
    for (int i = 0; i < kPointers; ++i) from_[i] += Form::kRound * from_term_to_term_;
  }

 private:
  static constexpr int kSide = 8;  // of a square
  static constexpr int kFloat = sizeof(float);
  static constexpr int kWorkers = kVectors ? Form::kThreads : Form::kThreads / kWarp;
  static constexpr int kLines = kVectors ? kVector : kSide, kTermsAtOnce = kVectors ? 1 : kSide;
  static constexpr int kAcross = kSize / kLines;  // vectors, or squares
  static constexpr int kCopies = kSize * Form::kRound / Form::kThreads / (kVectors ? kVector : 1);
  static_assert(kAcross % kWorkers == 0 || kWorkers % kAcross == 0);
  // Copies in the first terms: the others lie some terms behind one of them.
  static constexpr int kPointers = (kAcross > kWorkers ? kAcross / kWorkers : 1) * (kVectors ? 1 : 2);

  // How far copy i is from the first, or from the second where it is odd: those two are the halves of a square.
  static constexpr __device__ int piece(int i) { return (kVectors ? i : i / 2) * kWorkers; }
  static constexpr __device__ int lines_to(int i) { return piece(i) % kAcross * kLines; }
  static constexpr __device__ int terms_to(int i) { return piece(i) / kAcross * kTermsAtOnce; }

  const float* from_[kPointers];
  std::size_t from_term_to_term_;
  int terms_left_, terms_left_of_half_;  // from this thread's first copies on; less than none behind the last
  int to_, half_to_;
};

// Brings `rounds` rounds of both factors.
template <class Form, bool kVectorsOfA, bool kVectorsOfB>
struct Porter {
  Loader<Form, Form::kHeight, Tiles<Form>::kWidthOfA, kVectorsOfA> a;
  Loader<Form, Form::kWidth, Tiles<Form>::kWidthOfB, kVectorsOfB> b;
  int rounds_left;

  // Starts a part of the copies of the next round into `stage`.
  __device__ void bring(int stage, int part) {
    if (rounds_left > 0) {
      a.bring(stage, part);
      b.bring(stage, (part + Form::kParts / 2) % Form::kParts);
    }
  }
  __device__ void next_round() {
    __pipeline_commit();
    --rounds_left;
    a.next_round();
    b.next_round();
  }
};

// Which numbers of a tile a thread has: rows and columns in groups of up to four, and the terms of one slice.
template <class Form>
struct Place {
  static constexpr int kDownGroup = Form::kRows < kVector ? Form::kRows : kVector;
  static constexpr int kAcrossGroup = Form::kColumns < kVector ? Form::kColumns : kVector;
  int slice, lane_down, warp_down, first_row, first_column;
  const float* a;  // what it reads first of the tiles: for all else constants are added to the address
  const float* b;

  __device__ explicit Place(const Tiles<Form>& tiles) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    slice = warp / (Form::kDown * Form::kAcross);
    warp_down = warp / Form::kAcross % Form::kDown;
    lane_down = lane / Form::kLanesAcross;
    first_row = warp_down * (Form::kHeight / Form::kDown) + lane_down * kDownGroup;
    first_column = warp % Form::kAcross * (Form::kWidth / Form::kAcross) + lane % Form::kLanesAcross * kAcrossGroup;
    a = &tiles.a[0][slice * Form::kTerms][first_row];
    b = &tiles.b[0][slice * Form::kTerms][first_column];
  }
  __device__ int row(int r) const {
    return first_row + r / kDownGroup * (kDownGroup * Form::kLanesDown) + r % kDownGroup;
  }
  __device__ int column(int s) const {
    return first_column + s / kAcrossGroup * (kAcrossGroup * Form::kLanesAcross) + s % kAcrossGroup;
  }
};

template <int kFloats>
__device__ void read_group(float* to, const float* from) {
  if constexpr (kFloats == 4) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
  } else {
    for (int i = 0; i < kFloats; ++i) to[i] = from[i];
  }
}

// What a thread needs for term k of its slice.
template <class Form>
__device__ void read(float (&of_a)[Form::kRows], float (&of_b)[Form::kColumns], int stage, int k,
                     const Place<Form>& place) {
  const int term = stage * Form::kRound + k;
#pragma unroll
  for (int r = 0; r < Form::kRows; r += Place<Form>::kDownGroup) {
    read_group<Place<Form>::kDownGroup>(of_a + r,
                                        place.a + term * Tiles<Form>::kWidthOfA + place.row(r) - place.first_row);
  }
#pragma unroll
  for (int s = 0; s < Form::kColumns; s += Place<Form>::kAcrossGroup) {
    read_group<Place<Form>::kAcrossGroup>(
        of_b + s, place.b + term * Tiles<Form>::kWidthOfB + place.column(s) - place.first_column);
  }
}

template <int kRows, int kColumns>
__device__ void multiply_add(float (&sums)[kRows][kColumns], const float (&of_a)[kRows],
                             const float (&of_b)[kColumns]) {
#pragma unroll
  for (int column = 0; column < kColumns; ++column) {
#pragma unroll
    for (int step = 0; step < kRows; ++step) {
      const int row = column % 2 == 0 ? step : kRows - 1 - step;
      sums[row][column] += of_a[row] * of_b[column];
    }
  }
}

// The terms of `rounds` rounds, as in stage 21.
template <class Form, class Porter>
__device__ void add_rounds(float (&sums)[Form::kRows][Form::kColumns], Porter& porter, int rounds,
                           const Place<Form>& place) {
  constexpr int kStages = Form::kStages, kTerms = Form::kTerms, kTermsOfPart = kTerms / Form::kParts;
  float of_a[2][Form::kRows], of_b[2][Form::kColumns];
#pragma unroll
  for (int stage = 0; stage < kStages - 1; ++stage) {
#pragma unroll
    for (int part = 0; part < Form::kParts; ++part) porter.bring(stage, part);
    porter.next_round();
  }
  __pipeline_wait_prior(kStages - 2);
  __syncthreads();
  read<Form>(of_a[0], of_b[0], 0, 0, place);
  int now = 0, free = kStages - 1;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < kTerms; ++k) {
      if (k == kTerms - 1) {
        __pipeline_wait_prior(kStages - 3);
        __syncthreads();
        now = now == kStages - 1 ? 0 : now + 1;
      }
      read<Form>(of_a[(k + 1) % 2], of_b[(k + 1) % 2], now, (k + 1) % kTerms, place);
      multiply_add(sums, of_a[k % 2], of_b[k % 2]);
      if (k % kTermsOfPart == 0) porter.bring(free, k / kTermsOfPart);
    }
    porter.next_round();
    free = free == kStages - 1 ? 0 : free + 1;
  }
}

// What becomes of C: alpha * a sum + beta * what is there.
struct Scale {
  float alpha, beta;
};
__device__ float scaled(Scale scale, float sum, const float* c) {
  // BEGIN SOLUTION: without reading c where beta is 0: it may hold NaN, and 0 times that is NaN.
  // UNTIL SOLVED: (void)scale, (void)sum, (void)c;
  // UNTIL SOLVED: return 0.0f;  // replace
  const float product = scale.alpha * sum;
  return scale.beta == 0.0f ? product : product + scale.beta * *c;
  // END SOLUTION
}

// Stores what becomes of four neighbouring elements of c, as far as they exist.
__device__ void store_four(const workbook::Matrix& c, Scale scale, std::size_t i, std::size_t j, float4 sums) {
  float* const to = c.data + i * c.pitch + j;
  if (i >= c.rows) return;
  if (j + kVector <= c.columns && reinterpret_cast<std::uintptr_t>(to) % sizeof(float4) == 0) {
    float4 was{};
    if (scale.beta != 0.0f) was = *reinterpret_cast<const float4*>(to);
    *reinterpret_cast<float4*>(to) = make_float4(scaled(scale, sums.x, &was.x), scaled(scale, sums.y, &was.y),
                                                 scaled(scale, sums.z, &was.z), scaled(scale, sums.w, &was.w));
    return;
  }
  const float numbers[kVector] = {sums.x, sums.y, sums.z, sums.w};
  for (int n = 0; n < kVector; ++n) {
    if (j + n < c.columns) to[n] = scaled(scale, numbers[n], to + n);
  }
}

// Four sums as a vector. A vector is stored from four registers side by side. Adding 0 gives it registers of its own:
// else the sums themselves lie so all the time, in the same banks as the numbers of A and B that they are added to, and
// every other multiply-add waits for a register.
__device__ float4 vector_of(const float* sums) {
  return make_float4(sums[0] + 0.0f, sums[1] + 0.0f, sums[2] + 0.0f, sums[3] + 0.0f);
}

__device__ void add(float4& sum, float4 part) {
  sum.x += part.x;
  sum.y += part.y;
  sum.z += part.z;
  sum.w += part.w;
}

// Stores a tile into c, whose element (top, left) is the tile's first. Directly, or through the tiles' shared memory,
// where the slices add up what they have.
template <class Form>
__device__ void store_sums(const workbook::Matrix& c, Scale scale, Corner corner, Tiles<Form>& tiles,
                           const Place<Form>& place, const float (&sums)[Form::kRows][Form::kColumns]) {
  if constexpr (Form::kRowsAtOnce == 0) {
#pragma unroll
    for (int r = 0; r < Form::kRows; ++r) {
#pragma unroll
      for (int s = 0; s < Form::kColumns; s += kVector) {
        store_four(c, scale, corner.top + place.row(r), corner.left + place.column(s), vector_of(&sums[r][s]));
      }
    }
  } else {
    constexpr int kPadding = Form::kLanesAcross * kVector % kWarp;
    using Row = float[Form::kWidth + kPadding];
    constexpr int kAtOnce = Form::kRowsAtOnce, kGroup = Place<Form>::kDownGroup;
    constexpr int kRowsOfSlice = Form::kDown * Form::kLanesDown * kAtOnce;
    static_assert(Form::kSlices * kRowsOfSlice * (Form::kWidth + kPadding) * sizeof(float) <= sizeof(Tiles<Form>));
    Row* const rows = reinterpret_cast<Row*>(&tiles);
    const int own = (place.warp_down * Form::kLanesDown + place.lane_down) * kAtOnce;
#pragma unroll
    for (int first = 0; first < Form::kRows; first += kAtOnce) {
      __syncthreads();
#pragma unroll
      for (int r = 0; r < kAtOnce; ++r) {
        Row& row = rows[place.slice * kRowsOfSlice + own + r];
        const auto& numbers = sums[first + r];
#pragma unroll
        for (int s = 0; s < Form::kColumns; s += kVector) {
          *reinterpret_cast<float4*>(&row[place.column(s)]) = vector_of(&numbers[s]);
        }
      }
      __syncthreads();
#pragma unroll 4
      for (int e = threadIdx.x * kVector; e < kRowsOfSlice * Form::kWidth; e += Form::kThreads * kVector) {
        const int from = e / Form::kWidth, column = e % Form::kWidth;
        float4 sum = *reinterpret_cast<const float4*>(&rows[from][column]);
#pragma unroll
        for (int slice = 1; slice < Form::kSlices; ++slice) {
          add(sum, *reinterpret_cast<const float4*>(&rows[slice * kRowsOfSlice + from][column]));
        }
        const int thread = from / kAtOnce, r = first + from % kAtOnce;  // whose row of sums that is
        const int row = thread / Form::kLanesDown * (Form::kHeight / Form::kDown) + thread % Form::kLanesDown * kGroup +
                        r / kGroup * (kGroup * Form::kLanesDown) + r % kGroup;
        store_four(c, scale, corner.top + row, corner.left + column, sum);
      }
    }
  }
}

// Where in the workspace block `block` leaves its part of a tile: from cut to cut, and from tile to tile, one further.
template <class Form>
__host__ __device__ std::size_t place_of_part(std::size_t block, std::size_t tile) {
  return (block + tile) * Form::kHeight * Form::kWidth;
}

// Computes c = alpha * a * b + beta * c, but for the tiles that are cut. Launch: line.blocks() blocks in one dimension.
template <class Form, bool kVectorsOfA, bool kVectorsOfB>
__global__ void __launch_bounds__(Form::kThreads, Form::kBlocksAnSm)
    multiply_share(Lines a, Lines b, workbook::Matrix c, Scale scale, Line line, float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Form>& tiles = *reinterpret_cast<Tiles<Form>*>(memory);
  const Place<Form> place(tiles);
  std::size_t at = blockIdx.x * line.share;
  const std::size_t end = min(at + line.share, line.length());
  while (at < end) {
    const std::size_t tile = at / line.rounds, first = at % line.rounds;
    const auto rounds = static_cast<int>(min(end - at, line.rounds - first));
    Corner corner = corner_of<Form>(line, static_cast<int>(tile));
    const std::size_t first_term = first * Form::kRound;
    Porter<Form, kVectorsOfA, kVectorsOfB> porter{
        {a, tiles.a, corner.top, first_term}, {b, tiles.b, corner.left, first_term}, rounds};
    float sums[Form::kRows][Form::kColumns] = {};
    add_rounds<Form>(sums, porter, rounds, place);
    workbook::Matrix target = c;
    Scale how = scale;
    if (rounds < line.rounds) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part<Form>(blockIdx.x, tile), Form::kHeight, Form::kWidth, Form::kWidth};
      corner = {0, 0};
      how = {1.0f, 0.0f};
    }
    store_sums<Form>(target, how, corner, tiles, place, sums);
    at += rounds;
    __syncthreads();  // everybody has stored: the next tile's rounds may come
  }
}

constexpr int kAddingWarps = 8;

// Adds up the parts of the tiles that are cut, in the order of their terms. Launch: blocks of kAddingWarps warps. A
// warp has 128 neighbouring numbers of a tile, a vector a lane; or, where a tile has many parts, all warps of a block
// have the same numbers, and `sharers` of them have different parts.
template <class Form>
__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(workbook::Matrix c, Scale scale, Line line, const float* partials, int sharers) {
  __shared__ float4 of_warp[kAddingWarps][kWarp];
  constexpr int kNumbers = kWarp * kVector;
  constexpr int kGroupsOfTile = Form::kHeight * Form::kWidth / kNumbers;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const std::size_t group = std::size_t{blockIdx.x} * (kAddingWarps / sharers) + warp / sharers;
  const std::size_t tile = group / kGroupsOfTile;
  const int place = group % kGroupsOfTile * kNumbers + lane * kVector;
  const std::size_t first = tile * line.rounds / line.share;
  const std::size_t parts = ((tile + 1) * line.rounds - 1) / line.share - first + 1;
  if (tile >= line.tiles() || parts == 1) return;  // the same for all warps that share: nobody waits for them

  const int sharer = warp % sharers;
  float4 sum{};
  const std::size_t end = first + parts * (sharer + 1) / sharers;
#pragma unroll 8
  for (std::size_t block = first + parts * sharer / sharers; block < end; ++block) {
    const auto* const from = reinterpret_cast<const float4*>(partials + place_of_part<Form>(block, tile) + place);
    add(sum, __ldcg(from));
  }
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of<Form>(line, static_cast<int>(tile));
  store_four(c, scale, corner.top + place / Form::kWidth, corner.left + place % Form::kWidth, sum);
}

constexpr int kEdgeWarps = 4;

// Computes the elements of C that lie in no tile, a warp each, its lanes along the terms. Launch: blocks of kEdgeWarps
// warps.
__global__ void __launch_bounds__(kEdgeWarps* kWarp)
    multiply_edges(Lines a, Lines b, workbook::Matrix c, Scale scale, Line line) {
  const std::size_t edge = std::size_t{blockIdx.x} * kEdgeWarps + threadIdx.x / kWarp;
  if (edge >= line.edges(c)) return;
  const std::size_t below = (c.rows - line.height) * c.columns;  // the others lie beside the tiles
  const std::size_t across = edge < below ? c.columns : c.columns - line.width;
  const std::size_t i = edge < below ? line.height + edge / across : (edge - below) / across;
  const std::size_t j = edge < below ? edge % across : line.width + (edge - below) % across;
  const float* const from_a = a.data + i * a.from_line_to_line();
  const float* const from_b = b.data + j * b.from_line_to_line();
  float sum = 0.0f;
#pragma unroll 8
  for (std::size_t k = threadIdx.x % kWarp; k < a.terms; k += kWarp) {
    sum += from_a[k * a.from_term_to_term()] * from_b[k * b.from_term_to_term()];
  }
  for (int offset = kWarp / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
  float* const to = c.data + i * c.pitch + j;
  if (threadIdx.x % kWarp == 0) *to = scaled(scale, sum, to);
}

// What a form costs: measured on an H200, whose SMs do 128 multiply-adds a cycle. Another GPU may want others.
struct Cost {
  double speed;  // of these 128, while terms are added
  double fill;   // cycles a tile, until its first terms are there and after its last
};
template <class Form>
constexpr Cost kCost{};
template <>
constexpr Cost kCost<Large>{0.82, 20'000};
template <>
constexpr Cost kCost<Medium>{0.72, 1'200};
template <>
constexpr Cost kCost<Small>{0.58, 3'000};
template <>
constexpr Cost kCost<Tiny>{0.35, 2'000};
constexpr double kAddingParts = 12'000;  // cycles: a second launch, and reading what the first has left

// One way to compute a product: a tile a block, or the line in equal shares.
struct Plan {
  Line line;
  double cycles;
};

// One more row, or a few, than whole tiles have is a thin edge: for another row of tiles it would be too little.
constexpr std::size_t kThin = 4;

template <class Form>
Line line_of(const workbook::Matrix& c, std::size_t terms) {
  const auto up = [](std::size_t dividend, std::size_t divisor) { return (dividend + divisor - 1) / divisor; };
  const auto in_tiles = [](std::size_t extent, std::size_t tile) {
    return extent > tile && extent % tile <= kThin ? extent / tile * tile : extent;
  };
  Line line{};
  line.height = in_tiles(c.rows, Form::kHeight);
  line.width = in_tiles(c.columns, Form::kWidth);
  line.tiles_down = static_cast<int>(up(line.height, Form::kHeight));
  line.tiles_across = static_cast<int>(up(line.width, Form::kWidth));
  line.share = line.rounds = std::max<std::size_t>(1, up(terms, Form::kRound));
  return line;
}

template <class Form>
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors) {
  Plan plan{line_of<Form>(c, terms), 0.0};
  Line& line = plan.line;
  const double of_round = Form::kHeight * Form::kWidth * Form::kRound / (128 * kCost<Form>.speed);
  const double of_tile = of_round * static_cast<double>(line.rounds) + kCost<Form>.fill;
  plan.cycles = static_cast<double>((line.tiles() + multiprocessors - 1) / multiprocessors) * of_tile;

  constexpr std::size_t kLeastShare = 4;  // rounds
  const std::size_t room_for = room / (Form::kHeight * Form::kWidth);
  if (room_for <= line.tiles()) return plan;
  const std::size_t blocks = std::min(multiprocessors * Form::kBlocksAnSm, room_for - line.tiles());
  const std::size_t share = std::max((line.length() + blocks - 1) / blocks, kLeastShare);
  const double in_shares =
      static_cast<double>(line.length()) * of_round / multiprocessors + 2 * kCost<Form>.fill + kAddingParts;
  if (share != line.rounds && in_shares < 0.9 * plan.cycles) {
    line.share = share;
    plan.cycles = in_shares;
  }
  return plan;
}

template <class Form>
void launch(const Lines& a, const Lines& b, workbook::Matrix c, Scale scale, const Line& line, float* partials,
            cudaStream_t stream) {
  const auto kernel = !b.hold_vectors()  ? multiply_share<Form, false, false>
                      : a.hold_vectors() ? multiply_share<Form, true, true>
                                         : multiply_share<Form, false, true>;
  constexpr std::size_t kUsual = 48 << 10;  // bytes of shared memory: a kernel that wants more has to ask for it
  if (sizeof(Tiles<Form>) > kUsual) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tiles<Form>)));
  }
  kernel<<<static_cast<unsigned>(line.blocks()), Form::kThreads, sizeof(Tiles<Form>), stream>>>(a, b, c, scale, line,
                                                                                                partials);
  CUDA_CHECK(cudaGetLastError());
  if (line.edges(c) > 0) {
    const std::size_t blocks = (line.edges(c) + kEdgeWarps - 1) / kEdgeWarps;
    multiply_edges<<<static_cast<unsigned>(blocks), kEdgeWarps * kWarp, 0, stream>>>(a, b, c, scale, line);
    CUDA_CHECK(cudaGetLastError());
  }
  if (!line.is_cut()) return;
  constexpr std::size_t kManyParts = 16, kGroupsOfTile = Form::kHeight * Form::kWidth / (kWarp * kVector);
  const int sharers = line.rounds / line.share >= kManyParts ? kAddingWarps : 1;
  const std::size_t groups_a_block = kAddingWarps / sharers;
  const std::size_t blocks = (line.tiles() * kGroupsOfTile + groups_a_block - 1) / groups_a_block;
  add_parts<Form>
      <<<static_cast<unsigned>(blocks), kAddingWarps * kWarp, 0, stream>>>(c, scale, line, partials, sharers);
  CUDA_CHECK(cudaGetLastError());
}

std::size_t multiprocessors() {
  int device = 0, count = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<std::size_t>(count);
}

// The block is the plan's to choose.
void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the addresses of Loader, and scaled(), then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;  // neither of them is read
  const std::size_t terms = of_a.terms;
  const Scale scale{alpha, beta};
  const std::size_t sms = multiprocessors();
  const std::size_t room = workbook::partials_size(c.rows, c.columns, terms);
  const Plan large = plan_for<Large>(c, terms, room, sms), medium = plan_for<Medium>(c, terms, room, sms),
             small = plan_for<Small>(c, terms, room, sms), tiny = plan_for<Tiny>(c, terms, room, sms);
  const double least = std::min({large.cycles, medium.cycles, small.cycles, tiny.cycles});
  if (least == large.cycles) {
    launch<Large>(of_a, of_b, c, scale, large.line, partials, stream);
  } else if (least == medium.cycles && !medium.line.is_cut() && medium.line.tiles() <= sms) {
    // A block has the SM to itself, and four warps are few: two slices make them eight.
    launch<MediumInSlices>(of_a, of_b, c, scale, line_of<MediumInSlices>(c, terms), partials, stream);
  } else if (least == medium.cycles) {
    launch<Medium>(of_a, of_b, c, scale, medium.line, partials, stream);
  } else if (least == small.cycles) {
    launch<Small>(of_a, of_b, c, scale, small.line, partials, stream);
  } else {
    launch<Tiny>(of_a, of_b, c, scale, tiny.line, partials, stream);
  }
}
