// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 22 --todo`.
// As handed out: 45eca4208230. Leave this line: scripts/workbook sees by it whether you have begun.
// needs: compute_80
// Stage 22: a matrix product of every shape. It is the pipeline of stage 21, in several tile shapes. Where the tiles
// are too few for the device, several groups of warps, the slices, share the terms of a tile (sliced-K). Where even
// that leaves SMs without work, all k-tiles of all tiles are cut into equal shares, one a block (stream-K). A block
// leaves the partial sums of a cut tile in the workspace, and a second kernel adds up the parts. Thin edges, for which
// whole tiles would be a waste, have blocks of their own.
#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/student/gemm.h"

// Indices are int here: unsigned ones may wrap, which keeps the compiler from folding addresses.
constexpr int kWarp = 32;
constexpr int kVector = 4;  // floats of a vector

// TileShape: how a block computes its tile of C, the CTA tile of kHeight x kWidth (CUTLASS: GemmShape). kDown x kAcross
// warps lie over it, as often as there are slices. Each slice has its own kTerms terms of a k-tile, and its sums are
// added to those of the others at the end. The thread tile is kRows x kColumns sums. In the epilogue the sums go to C
// through shared memory, kRowsAtOnce rows at a time; 0: directly. The copies of a k-tile are started in kParts parts.
// kAnyRows: the rows of B need not hold vectors.
template <int kHeight_, int kWidth_, int kDown_, int kAcross_, int kLanesDown_, int kSlices_, int kTerms_, int kParts_,
          int kStages_, int kBlocksAnSm_, int kRowsAtOnce_, bool kAnyRows_>
struct TileShape {
  static constexpr int kHeight = kHeight_, kWidth = kWidth_, kDown = kDown_, kAcross = kAcross_;
  static constexpr int kLanesDown = kLanesDown_, kLanesAcross = kWarp / kLanesDown_;
  static constexpr int kSlices = kSlices_, kTerms = kTerms_, kParts = kParts_, kStages = kStages_;
  static constexpr int kBlocksAnSm = kBlocksAnSm_, kRowsAtOnce = kRowsAtOnce_;
  static constexpr bool kAnyRows = kAnyRows_;
  static constexpr int kThreads = kDown * kAcross * kSlices * kWarp;
  static constexpr int kRows = kHeight / (kDown * kLanesDown), kColumns = kWidth / (kAcross * kLanesAcross);
  static constexpr int kTileTerms = kTerms * kSlices;  // terms of a k-tile
};
//                  tile      warps  lanes slices terms parts stages  blocks an SM  rows at once  any rows
using Large = TileShape<128, 256, 2, 4, 8, 1, 8, 8, 3, 1, 2, false>;
using Medium = TileShape<64, 128, 1, 4, 8, 1, 16, 4, 3, 3, 0, false>;
using MediumInSlices = TileShape<64, 128, 1, 4, 8, 2, 8, 2, 4, 1, 4, true>;
using Small = TileShape<32, 64, 1, 1, 4, 8, 8, 2, 3, 1, 8, true>;
using Tiny = TileShape<16, 32, 1, 1, 4, 4, 8, 2, 4, 4, 4, false>;

// The tiles of A and B that a k-tile needs, A transposed, for each stage of the pipeline (CUTLASS: shared storage). The
// padding of the widths puts the columns of A that a warp brings at a time into different banks. It does the same for
// the rows of B.
template <class Shape>
struct Tiles {
  static constexpr int kWidthOfA = Shape::kHeight + kVector, kWidthOfB = Shape::kWidth + 8;
  float a[Shape::kStages][Shape::kTileTerms][kWidthOfA];
  float b[Shape::kStages][Shape::kTileTerms][kWidthOfB];
};

// WorkPartition: which k-tiles each block computes (CUTLASS: the stream-K tile scheduler). All k-tiles stand in one
// line, `k_tiles` for each tile, tile after tile. A block has `share` of them, its stream-K share.
struct WorkPartition {
  int tile_height, tile_width;
  int tiles_down, tiles_across;
  std::size_t height, width;  // of the part of C that lies in tiles
  std::size_t k_tiles;
  std::size_t share;
  unsigned blocks;  // of tiles: behind them come those of the edges

  __host__ __device__ std::size_t tiles() const { return static_cast<std::size_t>(tiles_down) * tiles_across; }
  __host__ __device__ std::size_t length() const { return tiles() * k_tiles; }
  void cut_into(std::size_t share_of_block) {
    share = share_of_block;
    blocks = static_cast<unsigned>((length() + share - 1) / share);
  }
  bool is_cut() const { return share % k_tiles != 0; }
};

// The corner of a tile (CUTLASS: threadblock offset). Eight rows of tiles are one band, as in stage 21.
struct Corner {
  std::size_t top, left;
};
__device__ Corner corner_of(const WorkPartition& work, int tile) {
  constexpr int kBand = 8;
  const int band = tile / (kBand * work.tiles_across) * kBand;
  const int height = min(kBand, work.tiles_down - band);
  const int place = tile - band * work.tiles_across;
  return {static_cast<std::size_t>(band + place % height) * work.tile_height,
          static_cast<std::size_t>(place / height) * work.tile_width};
}

// Starts a copy to an address of shared memory, or fills its place with zeros. It does what __pipeline_memcpy_async()
// does. That function branches; here an operand of the one instruction says whether the element exists.
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

// TileLoader: what one thread brings of each k-tile (CUTLASS: the iterators over the tiles of A and B). Rows of A and
// columns of B that do not exist are taken from the last one that does. They only come to sums that are never stored.
// Terms that do not exist are zeros. Rows of B come as vectors where they hold vectors, else as single numbers.
template <class Shape>
class TileLoader {
 public:
  // For `k_tiles` k-tiles of k, of which the first begins with term `first`.
  __device__ TileLoader(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, bool has_vectors,
                        Tiles<Shape>& tiles, Corner corner, std::size_t first, int k_tiles)
      : has_vectors_(!Shape::kAnyRows || has_vectors),
        pitch_b_(b.pitch),
        to_a_(shared_address(&tiles.a[0][term_a()][row_a()])),
        terms_left_(static_cast<int>(a.columns - first)),
        k_tiles_left_(k_tiles) {
#pragma unroll
    for (int i = 0; i < kCopiesOfA; ++i) {
      const std::size_t row = min(corner.top + row_a() + i * kRowsAtATime, a.rows - 1);
      from_a_[i] = a.data + row * a.pitch + first + term_a();
    }
    const int floats = has_vectors_ ? kVector : 1;  // of a copy of B
    term_b_ = threadIdx.x * floats / Shape::kWidth;
    const int column = threadIdx.x * floats % Shape::kWidth;
    to_b_ = shared_address(&tiles.b[0][term_b_][column]);
    from_b_ = b.data + (first + term_b_) * b.pitch + min(corner.left + column, b.columns - floats);
  }

  // Starts a part of the copies of the next k-tile into `stage`.
  __device__ void bring(int stage, int part) {
    if (k_tiles_left_ > 0) {
      bring_a(stage, part);
      if (has_vectors_) {
        bring_b<kVector>(stage, part);
      } else {
        bring_b<1>(stage, part);
      }
    }
  }
  __device__ void next_k_tile() {
    __pipeline_commit();
    --k_tiles_left_;
    terms_left_ -= static_cast<int>(Shape::kTileTerms);
#pragma unroll
    for (int i = 0; i < kCopiesOfA; ++i) from_a_[i] += Shape::kTileTerms;
    from_b_ += Shape::kTileTerms * pitch_b_;
  }

 private:
  // A warp brings 4 rows of 8 numbers of A at a time.
  static constexpr int kEight = 8, kRowsAtATime = Shape::kThreads / kEight;
  static constexpr int kCopiesOfA = Shape::kHeight / kRowsAtATime;
  static_assert(Shape::kThreads % Shape::kWidth == 0 && Shape::kHeight % kRowsAtATime == 0);
  static __device__ int term_a() { return threadIdx.x % kEight; }
  static __device__ int row_a() { return threadIdx.x / kEight; }

  __device__ void bring_a(int stage, int part) {
    int copy = 0;
#pragma unroll
    for (int k = 0; k < Shape::kTileTerms; k += kEight) {
#pragma unroll
      for (int i = 0; i < kCopiesOfA; ++i) {
        if (copy++ % Shape::kParts != part) continue;
        const int place = (stage * Shape::kTileTerms + k) * Tiles<Shape>::kWidthOfA + i * kRowsAtATime;
        copy_or_zero<sizeof(float)>(to_a_ + place * sizeof(float), from_a_[i] + k, k + term_a() < terms_left_);
      }
    }
  }
  template <int kFloats>
  __device__ void bring_b(int stage, int part) {
    constexpr int kTermsAtATime = Shape::kThreads * kFloats / Shape::kWidth;
    int copy = 0;
#pragma unroll
    for (int k = 0; k < Shape::kTileTerms; k += kTermsAtATime) {
      if ((copy++ + Shape::kParts / 2) % Shape::kParts != part) continue;
      const int place = (stage * Shape::kTileTerms + k) * Tiles<Shape>::kWidthOfB;
      copy_or_zero<sizeof(float) * kFloats>(to_b_ + place * sizeof(float), from_b_ + k * pitch_b_,
                                            k + term_b_ < terms_left_);
    }
  }

  bool has_vectors_;  // B
  const float* from_a_[kCopiesOfA];
  const float* from_b_;
  std::size_t pitch_b_;
  int to_a_, to_b_;  // in the first stage
  int term_b_;
  int terms_left_;  // of k, and less than none behind them
  int k_tiles_left_;
};

// ThreadTile: which elements of the CTA tile a thread has. These are rows and columns in groups of up to four, and the
// terms of one slice.
template <class Shape>
struct ThreadTile {
  static constexpr int kDownGroup = Shape::kRows < kVector ? Shape::kRows : kVector;
  static constexpr int kAcrossGroup = Shape::kColumns < kVector ? Shape::kColumns : kVector;
  int slice, lane_down, warp_down, first_row, first_column;
  const float* a;  // what it reads first of the tiles: for all else constants are added to the address
  const float* b;

  __device__ explicit ThreadTile(const Tiles<Shape>& tiles) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    slice = warp / (Shape::kDown * Shape::kAcross);
    warp_down = warp / Shape::kAcross % Shape::kDown;
    lane_down = lane / Shape::kLanesAcross;
    first_row = warp_down * (Shape::kHeight / Shape::kDown) + lane_down * kDownGroup;
    first_column = warp % Shape::kAcross * (Shape::kWidth / Shape::kAcross) + lane % Shape::kLanesAcross * kAcrossGroup;
    a = &tiles.a[0][slice * Shape::kTerms][first_row];
    b = &tiles.b[0][slice * Shape::kTerms][first_column];
  }
  __device__ int row(int r) const {
    return first_row + r / kDownGroup * (kDownGroup * Shape::kLanesDown) + r % kDownGroup;
  }
  __device__ int column(int s) const {
    return first_column + s / kAcrossGroup * (kAcrossGroup * Shape::kLanesAcross) + s % kAcrossGroup;
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
template <class Shape>
__device__ void read(float (&of_a)[Shape::kRows], float (&of_b)[Shape::kColumns], int stage, int k,
                     const ThreadTile<Shape>& own_tile) {
  const int term = stage * Shape::kTileTerms + k;
#pragma unroll
  for (int r = 0; r < Shape::kRows; r += ThreadTile<Shape>::kDownGroup) {
    read_group<ThreadTile<Shape>::kDownGroup>(
        of_a + r, own_tile.a + term * Tiles<Shape>::kWidthOfA + own_tile.row(r) - own_tile.first_row);
  }
#pragma unroll
  for (int s = 0; s < Shape::kColumns; s += ThreadTile<Shape>::kAcrossGroup) {
    read_group<ThreadTile<Shape>::kAcrossGroup>(
        of_b + s, own_tile.b + term * Tiles<Shape>::kWidthOfB + own_tile.column(s) - own_tile.first_column);
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

// The terms of `k_tiles` k-tiles, as in stage 21 (CUTLASS: the mainloop).
template <class Shape, class TileLoader>
__device__ void add_k_tiles(float (&sums)[Shape::kRows][Shape::kColumns], TileLoader& loader, int k_tiles,
                            const ThreadTile<Shape>& own_tile) {
  constexpr int kStages = Shape::kStages, kTerms = Shape::kTerms, kTermsOfPart = kTerms / Shape::kParts;
  float of_a[2][Shape::kRows], of_b[2][Shape::kColumns];
#pragma unroll
  for (int stage = 0; stage < kStages - 1; ++stage) {
#pragma unroll
    for (int part = 0; part < Shape::kParts; ++part) loader.bring(stage, part);
    loader.next_k_tile();
  }
  __pipeline_wait_prior(kStages - 2);
  __syncthreads();
  read<Shape>(of_a[0], of_b[0], 0, 0, own_tile);
  int now = 0, free = kStages - 1;
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (int k = 0; k < kTerms; ++k) {
      if (k == kTerms - 1) {
        __pipeline_wait_prior(kStages - 3);
        __syncthreads();
        now = now == kStages - 1 ? 0 : now + 1;
      }
      read<Shape>(of_a[(k + 1) % 2], of_b[(k + 1) % 2], now, (k + 1) % kTerms, own_tile);
      multiply_add(sums, of_a[k % 2], of_b[k % 2]);
      if (k % kTermsOfPart == 0) loader.bring(free, k / kTermsOfPart);
    }
    loader.next_k_tile();
    free = free == kStages - 1 ? 0 : free + 1;
  }
}

// Stores four neighbouring elements of c: as a vector, or else as far as they exist.
__device__ void store_four(const workbook::Matrix& c, bool as_vector, std::size_t i, std::size_t j, float4 values) {
  float* const to = c.data + i * c.pitch + j;
  if (as_vector) {
    *reinterpret_cast<float4*>(to) = values;
    return;
  }
  if (i >= c.rows) return;
  const float numbers[kVector] = {values.x, values.y, values.z, values.w};
  for (int n = 0; n < kVector; ++n) {
    if (j + n < c.columns) to[n] = numbers[n];
  }
}

// Whether all elements of the tile at `corner` exist, and each four of them are a vector.
__device__ bool is_whole(const workbook::Matrix& c, const WorkPartition& work, Corner corner) {
  return corner.top + work.tile_height <= c.rows && corner.left + work.tile_width <= c.columns &&
         c.pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(c.data) % sizeof(float4) == 0;
}

// Four sums as a vector. A vector is stored from four registers side by side. Adding 0 gives it registers of its own.
// Else the sums themselves may lie so all the time, in the same banks as the numbers of A and B. Then many
// multiply-adds wait for a register.
__device__ float4 vector_of(const float* sums) {
  return make_float4(sums[0] + 0.0f, sums[1] + 0.0f, sums[2] + 0.0f, sums[3] + 0.0f);
}

__device__ void add(float4& sum, float4 part) {
  sum.x += part.x;
  sum.y += part.y;
  sum.z += part.z;
  sum.w += part.w;
}

// The epilogue: stores a tile into c, whose element (top, left) is the tile's first. The tile goes directly, or through
// the tiles' shared memory, where the slices add up their sums.
template <class Shape>
__device__ void store_sums(const workbook::Matrix& c, bool as_vectors, Corner corner, Tiles<Shape>& tiles,
                           const ThreadTile<Shape>& own_tile, const float (&sums)[Shape::kRows][Shape::kColumns]) {
  if constexpr (Shape::kRowsAtOnce == 0) {
#pragma unroll
    for (int r = 0; r < Shape::kRows; ++r) {
#pragma unroll
      for (int s = 0; s < Shape::kColumns; s += kVector) {
        store_four(c, as_vectors, corner.top + own_tile.row(r), corner.left + own_tile.column(s),
                   vector_of(&sums[r][s]));
      }
    }
  } else {
    constexpr int kPadding = Shape::kLanesAcross * kVector % kWarp;
    using Row = float[Shape::kWidth + kPadding];
    constexpr int kAtOnce = Shape::kRowsAtOnce, kGroup = ThreadTile<Shape>::kDownGroup;
    constexpr int kRowsOfSlice = Shape::kDown * Shape::kLanesDown * kAtOnce;
    static_assert(Shape::kSlices * kRowsOfSlice * (Shape::kWidth + kPadding) * sizeof(float) <= sizeof(Tiles<Shape>));
    Row* const rows = reinterpret_cast<Row*>(&tiles);
    const int own = (own_tile.warp_down * Shape::kLanesDown + own_tile.lane_down) * kAtOnce;
#pragma unroll
    for (int first = 0; first < Shape::kRows; first += kAtOnce) {
      __syncthreads();
#pragma unroll
      for (int r = 0; r < kAtOnce; ++r) {
        Row& row = rows[own_tile.slice * kRowsOfSlice + own + r];
        const auto& numbers = sums[first + r];
#pragma unroll
        for (int s = 0; s < Shape::kColumns; s += kVector) {
          *reinterpret_cast<float4*>(&row[own_tile.column(s)]) = vector_of(&numbers[s]);
        }
      }
      __syncthreads();
      // How far this is unrolled decides, for Large, in which registers the loop over the terms has its numbers.
#pragma unroll(Shape::kSlices == 1 ? 2 : 1)
      for (int e = threadIdx.x * kVector; e < kRowsOfSlice * Shape::kWidth; e += Shape::kThreads * kVector) {
        const int from = e / Shape::kWidth, column = e % Shape::kWidth;
        float4 sum = *reinterpret_cast<const float4*>(&rows[from][column]);
#pragma unroll
        for (int slice = 1; slice < Shape::kSlices; ++slice) {
          add(sum, *reinterpret_cast<const float4*>(&rows[slice * kRowsOfSlice + from][column]));
        }
        const int thread = from / kAtOnce, r = first + from % kAtOnce;  // the thread that has this row of sums
        const int row = thread / Shape::kLanesDown * (Shape::kHeight / Shape::kDown) +
                        thread % Shape::kLanesDown * kGroup + r / kGroup * (kGroup * Shape::kLanesDown) + r % kGroup;
        store_four(c, as_vectors, corner.top + row, corner.left + column, sum);
      }
    }
  }
}

// Where in the workspace `block` leaves its part of `tile`. Each cut, and each new tile, moves the place one tile
// further.
__device__ std::size_t place_of_part(const WorkPartition& work, std::size_t block, std::size_t tile) {
  return (block + tile) * work.tile_height * work.tile_width;
}

// An edge of C is a row below the tiles or a column beside them. It is the product of one row of A with many columns of
// B, or of one column of B with many rows of A. The many are called lines. A block has kLinesOfEdge lines a thread.
constexpr int kLinesOfEdge = 8;

// How many blocks there are for an edge, below or beside.
struct EdgeBlocks {
  int below, beside;
};
EdgeBlocks blocks_of_edges(const workbook::Matrix& c, const WorkPartition& work, int threads) {
  const auto up = [](std::size_t lines, int at_once) { return static_cast<int>((lines + at_once - 1) / at_once); };
  return {up(work.width, kWarp * kLinesOfEdge), up(c.rows, threads / kWarp * kLinesOfEdge)};
}

// Computes a part of an edge. The lanes of a warp go along what lies side by side in memory. Below the tiles they go
// along the columns of B, and the warps share the terms. Beside the tiles they go along the terms of A, and each warp
// has rows of its own. `memory`: shared memory.
__device__ __noinline__ void multiply_edge(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                           WorkPartition work, EdgeBlocks blocks, float* memory) {
  int block = blockIdx.x - work.blocks;
  const int blocks_below = static_cast<int>(c.rows - work.height) * blocks.below;
  const bool is_below = block < blocks_below;
  if (!is_below) block -= blocks_below;
  const int of_edge = is_below ? blocks.below : blocks.beside;
  const std::size_t edge = (is_below ? work.height : work.width) + block / of_edge;
  const std::size_t lines = is_below ? work.width : c.rows;
  const float* const one = is_below ? a.data + edge * a.pitch : b.data + edge;
  const std::size_t step_of_one = is_below ? 1 : b.pitch, step_of_many = is_below ? b.pitch : 1;

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const int own = is_below ? lane : warp, at_once = is_below ? kWarp : warps;  // lines
  const int sharer = is_below ? warp : lane, sharers = is_below ? warps : kWarp;
  const std::size_t first = std::size_t{kLinesOfEdge} * at_once * (block % of_edge);
  const float* from[kLinesOfEdge];
  float sums[kLinesOfEdge] = {};
#pragma unroll
  for (int n = 0; n < kLinesOfEdge; ++n) {
    const std::size_t of_many = min(first + n * at_once + own, lines - 1);
    from[n] = is_below ? b.data + of_many : a.data + of_many * a.pitch;
  }
  constexpr std::size_t kTermsAtOnce = 2048;
  for (std::size_t begin = 0; begin < a.columns; begin += kTermsAtOnce) {
    const int terms = static_cast<int>(min(kTermsAtOnce, a.columns - begin));
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
    c.data[is_below ? edge * c.pitch + first + n : (first + n) * c.pitch + edge] = sum;
  }
}

// Computes c = a * b, except for tiles that are cut. Launch: work.blocks blocks in one dimension, and behind them those
// of the edges. has_vectors: whether the rows of B hold vectors.
template <class Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocksAnSm)
    multiply_share(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c,
                   WorkPartition work, EdgeBlocks of_edges, float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Shape>& tiles = *reinterpret_cast<Tiles<Shape>*>(memory);
  if (blockIdx.x >= work.blocks) {
    return multiply_edge(a, b, c, work, of_edges, reinterpret_cast<float*>(memory));
  }
  const ThreadTile<Shape> own_tile(tiles);
  // TODO (roughly 18 lines): this block's share is the k-tiles from blockIdx.x * work.share on. It has work.share
  //     k-tiles, or as many as are left. Go through them tile by tile: of each tile, take the k-tiles that belong to
  //     the share. As in stage 21, use a TileLoader, sums that begin at 0, add_k_tiles<Shape>() and
  //     store_sums<Shape>(). Where these are not all k-tiles of the tile, the sums are a part. Store a part as a matrix
  //     of kHeight x kWidth, at place_of_part() of partials. Then a barrier.
  (void)a, (void)b, (void)c, (void)work;
  (void)partials, (void)tiles, (void)own_tile;  // delete both lines
}

constexpr int kAddingWarps = 8;

// Adds up the parts of the tiles that are cut, in the order of their terms. Launch: blocks of kAddingWarps warps. A
// warp has 128 neighbouring numbers of a tile, a vector a lane. Where a tile has many parts, all warps of a block have
// the same numbers, and `sharers` warps have different parts.
__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(workbook::Matrix c, WorkPartition work, const float* partials, int sharers) {
  __shared__ float4 of_warp[kAddingWarps][kWarp];
  constexpr int kNumbers = kWarp * kVector;
  const int groups_of_tile = work.tile_height * work.tile_width / kNumbers;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int group = static_cast<int>(blockIdx.x) * (kAddingWarps / sharers) + warp / sharers;
  const std::size_t tile = group / groups_of_tile;
  const int place = group % groups_of_tile * kNumbers + lane * kVector;
  const std::size_t first = tile * work.k_tiles / work.share;
  const std::size_t parts = ((tile + 1) * work.k_tiles - 1) / work.share - first + 1;
  if (tile >= work.tiles() || parts == 1) return;  // the same for all warps that share: no warp waits for them

  const int sharer = warp % sharers;
  float4 sum{};
  // TODO (roughly 5 lines): add() to it the vectors at `place` of the parts, in the order of their blocks. The parts
  //     are those of blocks first to first + parts - 1. Begin with block first + parts * sharer / sharers, and stop
  //     where the next sharer begins.
  (void)partials, (void)first, (void)sharer;  // delete this line
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of(work, static_cast<int>(tile));
  store_four(c, is_whole(c, work, corner), corner.top + place / work.tile_width, corner.left + place % work.tile_width,
             sum);
}

// What a tile shape costs, measured on an H200, whose SMs do 128 multiply-adds a cycle. Other GPUs may want other
// numbers.
struct Cost {
  double speed;  // of these 128, while terms are added
  double fill;   // cycles a tile, until its first terms are there and after its last
};
template <class Shape>
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

// One way to compute a product: a tile a block (data-parallel), or equal shares (stream-K).
struct Plan {
  WorkPartition work;
  double cycles;
};

// A few rows or columns more than whole tiles have are a thin edge. Another row of tiles would be a waste for them.
constexpr std::size_t kThin = 4;

template <class Shape>
WorkPartition make_partition(const workbook::Matrix& c, std::size_t terms) {
  const auto up = [](std::size_t dividend, std::size_t divisor) { return (dividend + divisor - 1) / divisor; };
  const auto in_tiles = [](std::size_t extent, std::size_t tile) {
    return extent > tile && extent % tile <= kThin ? extent / tile * tile : extent;
  };
  WorkPartition work{};
  work.tile_height = Shape::kHeight;
  work.tile_width = Shape::kWidth;
  work.height = in_tiles(c.rows, Shape::kHeight);
  work.width = in_tiles(c.columns, Shape::kWidth);
  work.tiles_down = static_cast<int>(up(work.height, Shape::kHeight));
  work.tiles_across = static_cast<int>(up(work.width, Shape::kWidth));
  work.k_tiles = up(terms, Shape::kTileTerms);
  work.cut_into(work.k_tiles);
  return work;
}

template <class Shape>
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors) {
  Plan plan{make_partition<Shape>(c, terms), 0.0};
  WorkPartition& work = plan.work;
  const double of_k_tile = Shape::kHeight * Shape::kWidth * Shape::kTileTerms / (128 * kCost<Shape>.speed);
  const double of_tile = of_k_tile * static_cast<double>(work.k_tiles) + kCost<Shape>.fill;
  plan.cycles = static_cast<double>((work.tiles() + multiprocessors - 1) / multiprocessors) * of_tile;

  constexpr std::size_t kLeastShare = 4;  // k-tiles
  const std::size_t room_for = room / (Shape::kHeight * Shape::kWidth);
  if (room_for <= work.tiles()) return plan;
  const std::size_t blocks = std::min(multiprocessors * Shape::kBlocksAnSm, room_for - work.tiles());
  const std::size_t share = std::max((work.length() + blocks - 1) / blocks, kLeastShare);
  const double in_shares =
      static_cast<double>(work.length()) * of_k_tile / multiprocessors + 2 * kCost<Shape>.fill + kAddingParts;
  if (share != work.k_tiles && in_shares < 0.9 * plan.cycles) {
    work.cut_into(share);
    plan.cycles = in_shares;
  }
  return plan;
}

template <class Shape>
void launch(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c,
            const WorkPartition& work, float* partials, cudaStream_t stream) {
  const auto kernel = multiply_share<Shape>;
  constexpr std::size_t kUsual = 48 << 10;  // bytes of shared memory: a kernel that wants more has to ask for it
  if (sizeof(Tiles<Shape>) > kUsual) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tiles<Shape>)));
  }
  const EdgeBlocks of_edges = blocks_of_edges(c, work, Shape::kThreads);
  const unsigned edge_blocks =
      static_cast<unsigned>((c.rows - work.height) * of_edges.below + (c.columns - work.width) * of_edges.beside);
  kernel<<<work.blocks + edge_blocks, Shape::kThreads, sizeof(Tiles<Shape>), stream>>>(a, b, has_vectors, c, work,
                                                                                       of_edges, partials);
  CUDA_CHECK(cudaGetLastError());
  if (!work.is_cut()) return;
  constexpr std::size_t kManyParts = 16, kGroupsOfTile = Shape::kHeight * Shape::kWidth / (kWarp * kVector);
  const int sharers = work.k_tiles / work.share >= kManyParts ? kAddingWarps : 1;
  const std::size_t groups_a_block = kAddingWarps / sharers;
  const std::size_t blocks = (work.tiles() * kGroupsOfTile + groups_a_block - 1) / groups_a_block;
  add_parts<<<static_cast<unsigned>(blocks), kAddingWarps * kWarp, 0, stream>>>(c, work, partials, sharers);
  CUDA_CHECK(cudaGetLastError());
}

std::size_t multiprocessors() {
  int device = 0, count = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<std::size_t>(count);
}

// The block is the plan's to choose.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, float* partials, dim3,
                        cudaStream_t stream) {
  WORKBOOK_TODO("write multiply_share and add_parts, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (a.columns == 0) {  // all bytes of the number 0 are 0
    CUDA_CHECK(cudaMemset2DAsync(c.data, c.pitch * sizeof(float), 0, c.columns * sizeof(float), c.rows, stream));
    return;
  }
  const std::size_t sms = multiprocessors();
  const std::size_t room = workbook::partials_size(c.rows, c.columns, a.columns);
  const Plan medium = plan_for<Medium>(c, a.columns, room, sms), small = plan_for<Small>(c, a.columns, room, sms);
  // A block of Medium that has the SM to itself has few warps with its four: two slices make them eight.
  const bool few = !medium.work.is_cut() && medium.work.tiles() <= sms;
  const bool has_vectors = b.pitch % kVector == 0 && b.columns >= kVector && b.columns % kVector == 0 &&
                           reinterpret_cast<std::uintptr_t>(b.data) % sizeof(float4) == 0;
  if (!has_vectors) {
    const Plan sliced = plan_for<MediumInSlices>(c, a.columns, room, sms);
    if (small.cycles < sliced.cycles) {
      launch<Small>(a, b, has_vectors, c, small.work, partials, stream);
    } else {
      launch<MediumInSlices>(a, b, has_vectors, c, sliced.work, partials, stream);
    }
    return;
  }
  const Plan large = plan_for<Large>(c, a.columns, room, sms), tiny = plan_for<Tiny>(c, a.columns, room, sms);
  const double least = std::min({large.cycles, medium.cycles, small.cycles, tiny.cycles});
  if (least == large.cycles) {
    launch<Large>(a, b, has_vectors, c, large.work, partials, stream);
  } else if (least == medium.cycles && few) {
    launch<MediumInSlices>(a, b, has_vectors, c, make_partition<MediumInSlices>(c, a.columns), partials, stream);
  } else if (least == medium.cycles) {
    launch<Medium>(a, b, has_vectors, c, medium.work, partials, stream);
  } else if (least == small.cycles) {
    launch<Small>(a, b, has_vectors, c, small.work, partials, stream);
  } else {
    launch<Tiny>(a, b, has_vectors, c, tiny.work, partials, stream);
  }
}
