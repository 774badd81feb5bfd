// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 16 --todo`.
// As handed out: b78396a85bd1. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 16: a transpose at the copy's speed. An element in the tile of stage 15 is a square of 4 x 4 here. A thread
// loads four vectors of 16 bytes, turns its square in registers, and after the barrier stores four vectors. So each
// thread has four loads under way, and there are few instructions a byte. The tile uses XOR, as padding would break the
// 16-byte steps of the vectors.
#include <cstddef>
#include <cstdint>

#include "workbook/student/matrix.h"

constexpr unsigned kSide = 4;  // of a thread's square: rows, and columns, which are one float4

// Reads what no thread of this SM will ask for again: it needs no place in its L1 cache.
__device__ float4 load_once(const float4* address) {
  float4 value;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "l"(address));
  return value;
}

// Where the tile holds vector v of its row r: 4T rows of T vectors, T a multiple of 8. Eight lanes with vectors take as
// many banks as there are. Eight that are side by side in the input are four rows apart in the tile. So it is enough
// that they have eight different places mod 8.
__device__ unsigned place(unsigned r, unsigned v) { return r * blockDim.x + (v ^ (r / kSide % 8)); }

// At the edges, or where rows do not begin at multiples of 16 bytes: those of 4 numbers of a row that exist.
__device__ float4 load_some(const float* from, std::size_t columns) {
  return make_float4(columns > 0 ? from[0] : 0.0f, columns > 1 ? from[1] : 0.0f, columns > 2 ? from[2] : 0.0f,
                     columns > 3 ? from[3] : 0.0f);
}

__device__ void store_some(float* to, std::size_t columns, float4 value) {
  if (columns > 0) to[0] = value.x;
  if (columns > 1) to[1] = value.y;
  if (columns > 2) to[2] = value.z;
  if (columns > 3) to[3] = value.w;
}

// The tiles of the input, and which of them a block has: one column of tiles after the other. So what is under way at a
// time is stored into few whole rows of the output. The next column is the one beside it, or, where the rows of the
// input lie far apart, 31 columns further on. There it is slow to read 256 bytes of each row beside 256 others.
struct Tiles {
  unsigned side, down, across;
  unsigned step = 1;

  Tiles(workbook::ConstMatrix input, unsigned side_of_tile)
      : side(side_of_tile),
        down(static_cast<unsigned>((input.rows + side - 1) / side)),
        across(static_cast<unsigned>((input.columns + side - 1) / side)) {
    constexpr std::size_t kFar = 128 * 1024;  // bytes from a row to the next (measured on an H200)
    constexpr unsigned kStep = 31;            // a prime: unless it divides `across`, each column has its turn
    constexpr unsigned kMost = ~0u / kStep;   // left() multiplies in 32 bits
    if (input.pitch * sizeof(float) >= kFar && across % kStep != 0 && across <= kMost) {
      step = kStep;
    }
  }
  __device__ std::size_t top() const { return std::size_t{blockIdx.x % down} * side; }
  __device__ std::size_t left() const { return std::size_t{blockIdx.x / down * step % across} * side; }
};

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block of T x T threads, T 8, 16 or 32,
// for each tile of 4T x 4T elements, in one dimension. 4T * T vectors of dynamic shared memory. If `aligned`, each row
// of both matrices begins at a multiple of 16 bytes. Thread (x, y) loads rows 4y to 4y + 3 of the input's tile, of each
// vector x: its square. A row of the tile in shared memory is one of the output. The square goes, transposed, into rows
// 4x to 4x + 3 there, as vector y of each. After the barrier the thread stores rows 4y to 4y + 3 of the output's tile,
// of each vector x. So lanes side by side load and store 16 bytes each, side by side.
__global__ void __launch_bounds__(1024)
    transpose_squares(workbook::ConstMatrix input, workbook::Matrix output, Tiles tiles, bool aligned) {
  extern __shared__ float4 tile[];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = tiles.top();
  const std::size_t left = tiles.left();
  // The same for all threads.
  const bool whole = aligned && top + tiles.side <= input.rows && left + tiles.side <= input.columns;
  // TODO (roughly 24 lines): where the tile is `whole`: four load_once(), one for each row of the square. Four float4
  //     hold its columns; store them to tile[place(row of the output's tile, vector)]. Then a barrier. Then load four
  //     vectors from the tile, and store each with __stcs(). Else the same with load_some() and store_some(). Give
  //     these the number of columns from the vector's first on, and call them only for rows that exist. The barrier is
  //     for all threads.
}

// Whether every row begins at a multiple of 16 bytes.
bool holds_vectors(const float* data, std::size_t pitch) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0 && pitch % 4 == 0;
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  WORKBOOK_TODO("write transpose_squares, then delete this line");
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const Tiles tiles(input, kSide * block.x);
  const std::size_t tile_bytes = std::size_t{tiles.side} * tiles.side * sizeof(float);
  constexpr std::size_t kFreeBytes = 48 * 1024;  // of shared memory a block, without asking
  if (tile_bytes > kFreeBytes) {
    CUDA_CHECK(cudaFuncSetAttribute(transpose_squares, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(tile_bytes)));
  }
  const bool aligned = holds_vectors(input.data, input.pitch) && holds_vectors(output.data, output.pitch);
  transpose_squares<<<tiles.down * tiles.across, block, tile_bytes, stream>>>(input, output, tiles, aligned);
  CUDA_CHECK(cudaGetLastError());
}
