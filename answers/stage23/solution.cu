// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 23: GEMM, alpha * A B + beta * C. The product of stage 22, with factors that may be stored transposed: a loader
// for each of them goes along what lies side by side in memory. C is read where beta is not 0, A and B where alpha is
// not.
#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/student/gemm.h"

// Indices are int here: unsigned ones may wrap, which keeps the compiler from folding addresses.
constexpr int kWarp = 32;
constexpr int kVector = 4;  // floats of a vector

// How a block computes a tile of C. Warps lie kDown x kAcross over it, as often as there are slices: each slice has its
// own kTerms terms of a round, and its sums are added to those of the others at the end. A thread has kRows x kColumns
// sums, which go through shared memory to C, kRowsAtOnce of them at a time; 0: directly. The copies of a round are
// started in kParts parts. kAnyFactors: they may be stored in any way, else only in the usual one.
template <int kHeight_, int kWidth_, int kDown_, int kAcross_, int kLanesDown_, int kSlices_, int kTerms_, int kParts_,
          int kStages_, int kBlocksAnSm_, int kRowsAtOnce_, bool kAnyFactors_>
struct Form {
  static constexpr int kHeight = kHeight_, kWidth = kWidth_, kDown = kDown_, kAcross = kAcross_;
  static constexpr int kLanesDown = kLanesDown_, kLanesAcross = kWarp / kLanesDown_;
  static constexpr int kSlices = kSlices_, kTerms = kTerms_, kParts = kParts_, kStages = kStages_;
  static constexpr int kBlocksAnSm = kBlocksAnSm_, kRowsAtOnce = kRowsAtOnce_;
  static constexpr bool kAnyFactors = kAnyFactors_;
  static constexpr int kThreads = kDown * kAcross * kSlices * kWarp;
  static constexpr int kRows = kHeight / (kDown * kLanesDown), kColumns = kWidth / (kAcross * kLanesAcross);
  static constexpr int kRound = kTerms * kSlices;  // terms of a round
};
//             tile      warps  lanes slices terms parts stages  blocks an SM  rows at once  any factors
using Large = Form<128, 256, 2, 4, 8, 1, 8, 8, 3, 1, 1, false>;
using Medium = Form<64, 128, 1, 4, 8, 1, 16, 4, 3, 3, 0, false>;
using MediumInSlices = Form<64, 128, 1, 4, 8, 2, 16, 2, 3, 1, 8, true>;
using Small = Form<32, 64, 1, 1, 4, 8, 8, 2, 3, 1, 8, true>;
using Tiny = Form<16, 32, 1, 1, 4, 4, 8, 2, 4, 4, 4, false>;

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
  int tile_height, tile_width;
  int tiles_down, tiles_across;
  std::size_t height, width;  // of the part of C that lies in tiles
  std::size_t rounds;
  std::size_t share;
  unsigned blocks;  // of tiles: behind them come those of the edges

  __host__ __device__ std::size_t tiles() const { return static_cast<std::size_t>(tiles_down) * tiles_across; }
  __host__ __device__ std::size_t length() const { return tiles() * rounds; }
  void cut_into(std::size_t share_of_block) {
    share = share_of_block;
    blocks = static_cast<unsigned>((length() + share - 1) / share);
  }
  bool is_cut() const { return share % rounds != 0; }
};

// Where a tile lies. Eight rows of tiles are one band, as in stage 21.
struct Corner {
  std::size_t top, left;
};
__device__ Corner corner_of(const Line& line, int tile) {
  constexpr int kBand = 8;
  const int band = tile / (kBand * line.tiles_across) * kBand;
  const int height = min(kBand, line.tiles_down - band);
  const int place = tile - band * line.tiles_across;
  return {static_cast<std::size_t>(band + place % height) * line.tile_height,
          static_cast<std::size_t>(place / height) * line.tile_width};
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

// How a factor is brought: along what lies side by side in memory.
enum class Way {
  kTerms,    // the terms of a line lie side by side: by a warp, 8 terms of each of 4 lines
  kLines,    // the lines of a term do
  kVectors,  // they do, and are brought four at a time
  kAny       // one of these, of which the kernel learns when it runs
};

// A factor as a loader sees it: lines, which are rows of A or columns of B, of terms.
struct Lines {
  const float* data;
  std::size_t lines, terms;
  std::size_t pitch;
  Way way;

  __host__ __device__ std::size_t from_line_to_line() const { return way == Way::kTerms ? pitch : 1; }
  __host__ __device__ std::size_t from_term_to_term() const { return way == Way::kTerms ? 1 : pitch; }
};
Lines lines_of(const workbook::ConstMatrix& stored, std::size_t lines, std::size_t terms, bool terms_adjoin) {
  const bool has_vectors = stored.pitch % kVector == 0 && lines >= kVector && lines % kVector == 0 &&
                           reinterpret_cast<std::uintptr_t>(stored.data) % sizeof(float4) == 0;
  const Way way = terms_adjoin ? Way::kTerms : has_vectors ? Way::kVectors : Way::kLines;
  return {stored.data, lines, terms, stored.pitch, way};
}
Lines rows_of(const workbook::Operand& a) { return lines_of(a.stored, a.rows(), a.columns(), !a.is_transposed); }
Lines columns_of(const workbook::Operand& b) { return lines_of(b.stored, b.columns(), b.rows(), b.is_transposed); }

// What one thread brings of a factor in each round, for kSize lines, into a tile of rows of kWidth floats.
template <class Form, int kSize, int kWidth, Way kWay>
class Loader {
 public:
  // For the lines from `begin` on, and the terms from `first` on, into the tile of each stage. Lines that do not exist
  // are taken from the last one that does: they only come to sums that nobody stores.
  __device__ Loader(const Lines& lines, float (&tile)[Form::kStages][Form::kRound][kWidth], std::size_t begin,
                    std::size_t first)
      : way_(kWay == Way::kAny ? lines.way : kWay) {
    const int floats = way_ == Way::kVectors ? kVector : 1;  // of a copy
    const int number = threadIdx.x * floats;
    const int line = way_ == Way::kTerms ? threadIdx.x / kTermsOfWarp : number % kSize;  // of this thread's first copy
    const int term = way_ == Way::kTerms ? threadIdx.x % kTermsOfWarp : number / kSize;
    to_ = shared_address(&tile[0][term][line]);
    terms_left_ = static_cast<int>(lines.terms - first) - term;
    // BEGIN SOLUTION: from_[i]: where the copies of the first round come from. That is line begin + line
    //     + i * kLinesAtOnce, or else the last one (the last four, where a copy has four), and term first + term.
    //     from_term_to_term_: how far it is in memory from there to the same line's next term.
    // UNTIL SOLVED: (void)begin, from_term_to_term_ = 0;  // replace
    from_term_to_term_ = lines.from_term_to_term();
#pragma unroll
    for (int i = 0; i < kPointers; ++i) {
      const std::size_t existing = min(begin + line + i * kLinesAtOnce, lines.lines - floats);
      from_[i] = lines.data + existing * lines.from_line_to_line() + (first + term) * from_term_to_term_;
    }
    // END SOLUTION
  }

  // Starts a part of the copies of the next round into `stage`. Terms that do not exist are zeros.
  __device__ void bring(int stage, int part) {
    if (part >= kParts) return;
    switch (way_) {
      case Way::kTerms:
        return bring_by<1, kLinesAtOnce, kTermsOfWarp>(stage, part, 1);
      case Way::kVectors:
        return bring_by<kVector, kSize, Form::kThreads * kVector / kSize>(stage, part, from_term_to_term_);
      default:
        return bring_by<1, kSize, Form::kThreads / kSize>(stage, part, from_term_to_term_);
    }
  }
  __device__ void next_round() {
    terms_left_ -= Form::kRound;
#pragma unroll
    for (int i = 0; i < kPointers; ++i) from_[i] += Form::kRound * (kWay == Way::kTerms ? 1 : from_term_to_term_);
  }

 private:
  static constexpr int kTermsOfWarp = 8, kLinesAtOnce = Form::kThreads / kTermsOfWarp;  // where terms lie side by side
  static constexpr int kPointers = kWay == Way::kVectors ? 1 : kSize / kLinesAtOnce;
  static_assert(Form::kThreads % kSize == 0 && kSize % kLinesAtOnce == 0);

  // Asking costs more than it brings to have parts.
  static constexpr int kParts = kWay == Way::kAny ? 1 : Form::kParts;

  // kLines, kTerms: how many of them all threads bring at a time.
  template <int kFloats, int kLines, int kTerms>
  __device__ void bring_by(int stage, int part, std::size_t from_term_to_term) {
    int copy = 0;
#pragma unroll
    for (int term = 0; term < Form::kRound; term += kTerms) {
#pragma unroll
      for (int line = 0; line < kSize; line += kLines) {
        if (copy++ % kParts != part) continue;
        copy_or_zero<kFloats * sizeof(float)>(to_ + ((stage * Form::kRound + term) * kWidth + line) * sizeof(float),
                                              from_[line / kLines] + term * from_term_to_term, term < terms_left_);
      }
    }
  }

  Way way_;
  const float* from_[kPointers];
  std::size_t from_term_to_term_;
  int to_;          // in the first stage
  int terms_left_;  // from this thread's first copy on; less than none behind the last
};

// Brings `rounds` rounds of both factors. Usual is A by its terms, and B by vectors.
template <class Form>
struct Porter {
  // The rounds that begin are unrolled, or, where each copy has a question, a loop: unrolled, it is more to compile.
  static constexpr int kUnrolled = Form::kAnyFactors ? 1 : Form::kStages;
  Loader<Form, Form::kHeight, Tiles<Form>::kWidthOfA, Form::kAnyFactors ? Way::kAny : Way::kTerms> a;
  Loader<Form, Form::kWidth, Tiles<Form>::kWidthOfB, Form::kAnyFactors ? Way::kAny : Way::kVectors> b;
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
#pragma unroll(Porter::kUnrolled)
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

// Stores what becomes of four neighbouring elements of c: as a vector, or else as far as they exist.
__device__ void store_four(const workbook::Matrix& c, Scale scale, bool as_vector, std::size_t i, std::size_t j,
                           float4 sums) {
  float* const to = c.data + i * c.pitch + j;
  if (as_vector) {
    float4 was{};
    if (scale.beta != 0.0f) was = *reinterpret_cast<const float4*>(to);
    const float4 values = make_float4(scaled(scale, sums.x, &was.x), scaled(scale, sums.y, &was.y),
                                      scaled(scale, sums.z, &was.z), scaled(scale, sums.w, &was.w));
    *reinterpret_cast<float4*>(to) = values;
    return;
  }
  if (i >= c.rows) return;
  const float numbers[kVector] = {sums.x, sums.y, sums.z, sums.w};
  for (int n = 0; n < kVector; ++n) {
    if (j + n < c.columns) to[n] = scaled(scale, numbers[n], to + n);
  }
}

// Whether all elements of the tile at `corner` exist, and each four of them are a vector.
__device__ bool is_whole(const workbook::Matrix& c, const Line& line, Corner corner) {
  return corner.top + line.tile_height <= c.rows && corner.left + line.tile_width <= c.columns &&
         c.pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(c.data) % sizeof(float4) == 0;
}

// Four sums as a vector. A vector is stored from four registers side by side. Adding 0 gives it registers of its own:
// else the sums themselves may lie so all the time, in the same banks as the numbers of A and B, and many multiply-adds
// wait for a register.
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
__device__ void store_sums(const workbook::Matrix& c, Scale scale, bool as_vectors, Corner corner, Tiles<Form>& tiles,
                           const Place<Form>& place, const float (&sums)[Form::kRows][Form::kColumns]) {
  if constexpr (Form::kRowsAtOnce == 0) {
#pragma unroll
    for (int r = 0; r < Form::kRows; ++r) {
#pragma unroll
      for (int s = 0; s < Form::kColumns; s += kVector) {
        store_four(c, scale, as_vectors, corner.top + place.row(r), corner.left + place.column(s),
                   make_float4(sums[r][s], sums[r][s + 1], sums[r][s + 2], sums[r][s + 3]));
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
      // How far this is unrolled decides, for Large, in which registers the loop over the terms has its numbers.
#pragma unroll(Form::kSlices == 1 ? 1 : 2)
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
        store_four(c, scale, as_vectors, corner.top + row, corner.left + column, sum);
      }
    }
  }
}

// Where in the workspace block `block` leaves its part of a tile: from cut to cut, and from tile to tile, one further.
__device__ std::size_t place_of_part(const Line& line, std::size_t block, std::size_t tile) {
  return (block + tile) * line.tile_height * line.tile_width;
}

// An edge of C, a row below the tiles or a column beside them, is the product of one line of terms, of A or of B, with
// many of the other. A block has kLinesOfEdge of these a thread.
constexpr int kLinesOfEdge = 8;

// How many blocks there are for an edge, below or beside.
struct EdgeBlocks {
  int below, beside;
};
EdgeBlocks blocks_of_edges(const Lines& a, const Lines& b, const Line& line, int threads) {
  const auto blocks = [threads](const Lines& many, std::size_t lines) {
    const int at_once = (many.way == Way::kTerms ? threads / kWarp : kWarp) * kLinesOfEdge;
    return static_cast<int>((lines + at_once - 1) / at_once);
  };
  return {blocks(b, line.width), blocks(a, a.lines)};
}

// Computes a part of an edge. The lanes of a warp go along what lies side by side in memory: along the lines, and the
// warps share the terms; or along the terms, and each warp has lines of its own. `memory`: shared memory.
__device__ __noinline__ void multiply_edge(Lines a, Lines b, workbook::Matrix c, Scale scale, Line line,
                                           EdgeBlocks blocks, float* memory) {
  int block = blockIdx.x - line.blocks;
  const int blocks_below = static_cast<int>(a.lines - line.height) * blocks.below;
  const bool is_below = block < blocks_below;
  if (!is_below) block -= blocks_below;
  const int of_edge = is_below ? blocks.below : blocks.beside;
  const std::size_t edge = (is_below ? line.height : line.width) + block / of_edge;
  const std::size_t lines = is_below ? line.width : a.lines;
  const Lines single = is_below ? a : b, many = is_below ? b : a;
  const float* const one = single.data + edge * single.from_line_to_line();
  const std::size_t step_of_one = single.from_term_to_term(), step_of_many = many.from_term_to_term();

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const bool along_lines = many.way != Way::kTerms;
  const int own = along_lines ? lane : warp, at_once = along_lines ? kWarp : warps;  // lines
  const int sharer = along_lines ? warp : lane, sharers = along_lines ? warps : kWarp;
  const std::size_t first = std::size_t{kLinesOfEdge} * at_once * (block % of_edge);
  const float* from[kLinesOfEdge];
  float sums[kLinesOfEdge] = {};
#pragma unroll
  for (int n = 0; n < kLinesOfEdge; ++n) {
    from[n] = many.data + min(first + n * at_once + own, lines - 1) * many.from_line_to_line();
  }
  constexpr std::size_t kTermsAtOnce = 2048;
  for (std::size_t begin = 0; begin < a.terms; begin += kTermsAtOnce) {
    const int terms = static_cast<int>(min(kTermsAtOnce, a.terms - begin));
    for (int k = threadIdx.x; k < terms; k += blockDim.x) memory[k] = one[(begin + k) * step_of_one];
    __syncthreads();
#pragma unroll 8
    for (int k = sharer; k < terms; k += sharers) {
#pragma unroll
      for (int n = 0; n < kLinesOfEdge; ++n) sums[n] += memory[k] * from[n][(begin + k) * step_of_many];
    }
    __syncthreads();
  }
#pragma unroll
  for (int n = 0; n < kLinesOfEdge; ++n) memory[(n * at_once + own) * (sharers + 1) + sharer] = sums[n];
  __syncthreads();
  for (int n = threadIdx.x; n < kLinesOfEdge * at_once && first + n < lines; n += blockDim.x) {
    float sum = 0.0f;
    for (int part = 0; part < sharers; ++part) sum += memory[n * (sharers + 1) + part];
    float* const to = c.data + (is_below ? edge * c.pitch + first + n : (first + n) * c.pitch + edge);
    *to = scaled(scale, sum, to);
  }
}

// Computes c = alpha * a * b + beta * c, but for the tiles that are cut. Launch: line.blocks blocks in one dimension,
// and behind them those of the edges.
template <class Form>
__global__ void __launch_bounds__(Form::kThreads, Form::kBlocksAnSm)
    multiply_share(Lines a, Lines b, workbook::Matrix c, Scale scale, Line line, EdgeBlocks of_edges, float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Form>& tiles = *reinterpret_cast<Tiles<Form>*>(memory);
  if (blockIdx.x >= line.blocks) {
    return multiply_edge(a, b, c, scale, line, of_edges, reinterpret_cast<float*>(memory));
  }
  const Place<Form> place(tiles);
  std::size_t at = blockIdx.x * line.share;
  const std::size_t end = min(at + line.share, line.length());
  while (at < end) {
    const std::size_t tile = at / line.rounds, first = at % line.rounds;
    const auto rounds = static_cast<int>(min(end - at, line.rounds - first));
    Corner corner = corner_of(line, static_cast<int>(tile));
    const std::size_t first_term = first * Form::kRound;
    Porter<Form> porter{{a, tiles.a, corner.top, first_term}, {b, tiles.b, corner.left, first_term}, rounds};
    float sums[Form::kRows][Form::kColumns] = {};
    add_rounds<Form>(sums, porter, rounds, place);
    workbook::Matrix target = c;
    Scale how = scale;
    bool as_vectors = is_whole(c, line, corner);
    if (rounds < line.rounds) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(line, blockIdx.x, tile), Form::kHeight, Form::kWidth, Form::kWidth};
      corner = {0, 0};
      how = {1.0f, 0.0f};
      as_vectors = true;
    }
    store_sums<Form>(target, how, as_vectors, corner, tiles, place, sums);
    at += rounds;
    __syncthreads();  // everybody has stored: the next tile's rounds may come
  }
}

constexpr int kAddingWarps = 8;

// Adds up the parts of the tiles that are cut, in the order of their terms. Launch: blocks of kAddingWarps warps. A
// warp has 128 neighbouring numbers of a tile, a vector a lane; or, where a tile has many parts, all warps of a block
// have the same numbers, and `sharers` of them have different parts.
__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(workbook::Matrix c, Scale scale, Line line, const float* partials, int sharers) {
  __shared__ float4 of_warp[kAddingWarps][kWarp];
  constexpr int kNumbers = kWarp * kVector;
  const int groups_of_tile = line.tile_height * line.tile_width / kNumbers;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int group = static_cast<int>(blockIdx.x) * (kAddingWarps / sharers) + warp / sharers;
  const std::size_t tile = group / groups_of_tile;
  const int place = group % groups_of_tile * kNumbers + lane * kVector;
  const std::size_t first = tile * line.rounds / line.share;
  const std::size_t parts = ((tile + 1) * line.rounds - 1) / line.share - first + 1;
  if (tile >= line.tiles() || parts == 1) return;  // the same for all warps that share: nobody waits for them

  const int sharer = warp % sharers;
  float4 sum{};
  const std::size_t end = first + parts * (sharer + 1) / sharers;
#pragma unroll 8
  for (std::size_t block = first + parts * sharer / sharers; block < end; ++block) {
    const auto* const from = reinterpret_cast<const float4*>(partials + place_of_part(line, block, tile) + place);
    add(sum, __ldcg(from));
  }
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of(line, static_cast<int>(tile));
  store_four(c, scale, is_whole(c, line, corner), corner.top + place / line.tile_width,
             corner.left + place % line.tile_width, sum);
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
constexpr Cost kCost<MediumInSlices> = kCost<Medium>;
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
  line.tile_height = Form::kHeight;
  line.tile_width = Form::kWidth;
  line.height = in_tiles(c.rows, Form::kHeight);
  line.width = in_tiles(c.columns, Form::kWidth);
  line.tiles_down = static_cast<int>(up(line.height, Form::kHeight));
  line.tiles_across = static_cast<int>(up(line.width, Form::kWidth));
  line.rounds = std::max<std::size_t>(1, up(terms, Form::kRound));
  line.cut_into(line.rounds);
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
    line.cut_into(share);
    plan.cycles = in_shares;
  }
  return plan;
}

template <class Form>
void launch(const Lines& a, const Lines& b, workbook::Matrix c, Scale scale, const Line& line, float* partials,
            cudaStream_t stream) {
  const auto kernel = multiply_share<Form>;
  constexpr std::size_t kUnasked = 48 << 10;  // bytes of shared memory: a kernel that wants more has to ask for it
  if (sizeof(Tiles<Form>) > kUnasked) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tiles<Form>)));
  }
  const EdgeBlocks of_edges = blocks_of_edges(a, b, line, Form::kThreads);
  const unsigned edge_blocks =
      static_cast<unsigned>((c.rows - line.height) * of_edges.below + (c.columns - line.width) * of_edges.beside);
  kernel<<<line.blocks + edge_blocks, Form::kThreads, sizeof(Tiles<Form>), stream>>>(a, b, c, scale, line, of_edges,
                                                                                     partials);
  CUDA_CHECK(cudaGetLastError());
  if (!line.is_cut()) return;
  constexpr std::size_t kManyParts = 16, kGroupsOfTile = Form::kHeight * Form::kWidth / (kWarp * kVector);
  const int sharers = line.rounds / line.share >= kManyParts ? kAddingWarps : 1;
  const std::size_t groups_a_block = kAddingWarps / sharers;
  const std::size_t blocks = (line.tiles() * kGroupsOfTile + groups_a_block - 1) / groups_a_block;
  add_parts<<<static_cast<unsigned>(blocks), kAddingWarps * kWarp, 0, stream>>>(c, scale, line, partials, sharers);
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
  const Plan medium = plan_for<Medium>(c, terms, room, sms), small = plan_for<Small>(c, terms, room, sms);
  // A block of Medium that has the SM to itself has few warps with its four: two slices make them eight.
  const bool few = !medium.line.is_cut() && medium.line.tiles() <= sms;
  if (of_a.way != Way::kTerms || of_b.way != Way::kVectors) {
    const Plan sliced = plan_for<MediumInSlices>(c, terms, room, sms);
    if (small.cycles < sliced.cycles) {
      launch<Small>(of_a, of_b, c, scale, small.line, partials, stream);
    } else {
      launch<MediumInSlices>(of_a, of_b, c, scale, sliced.line, partials, stream);
    }
    return;
  }
  const Plan large = plan_for<Large>(c, terms, room, sms), tiny = plan_for<Tiny>(c, terms, room, sms);
  const double least = std::min({large.cycles, medium.cycles, small.cycles, tiny.cycles});
  if (least == large.cycles) {
    launch<Large>(of_a, of_b, c, scale, large.line, partials, stream);
  } else if (least == medium.cycles && few) {
    launch<MediumInSlices>(of_a, of_b, c, scale, line_of<MediumInSlices>(c, terms), partials, stream);
  } else if (least == medium.cycles) {
    launch<Medium>(of_a, of_b, c, scale, medium.line, partials, stream);
  } else if (least == small.cycles) {
    launch<Small>(of_a, of_b, c, scale, small.line, partials, stream);
  } else {
    launch<Tiny>(of_a, of_b, c, scale, tiny.line, partials, stream);
  }
}
