// SPDX-License-Identifier: MIT
// Stage 44: a step of heat, as fast as a copy. A block keeps a tile of the grid in shared memory, with the cells around
// it that its own need: the halo. So each cell comes from global memory once, and not five times. A thread goes down a
// column of the tile with three rows in registers: above, centre and below.
#include "workbook/student/heat.h"

using workbook::ConstMatrix;
using workbook::Matrix;

constexpr unsigned kWarp = 32;
constexpr unsigned kCells = 4;                      // side by side in a thread: a float4
constexpr unsigned kRows = 4;                       // of a thread, one below the other
constexpr unsigned kColumns = kWarp * kCells;       // of a tile
constexpr unsigned kPitch = kColumns + 2 * kCells;  // of a tile in shared memory, with what lies left and right of it

// The cell after a step.
__device__ float heated(float rate, float centre, float left, float right, float above, float below) {
  return centre + rate * (left + right + above + below - 4.0f * centre);
}

// The place of a tile in the grid: its first row and its first column. Its rows are kRows * blockDim.y.
struct Tile {
  std::size_t top;
  std::size_t left;
};

// Loads the tile and its halo. Row r of `cells` is row top - 1 + r of the grid. Column c of the tile is at
// kCells + c, so c = -1 and c = kColumns are the halo. What lies outside of the grid stays as it is.
__device__ void load_tile(ConstMatrix input, Tile tile, float* cells) {
  // BEGIN SOLUTION: step 1. Thread (x, y) takes rows y, y + blockDim.y, ... of all that the tile has,
  //     with its halo. In each it loads a float4, from column left + kCells * threadIdx.x on, if that is a column of
  //     the grid. Lane 0 also loads the cell before the tile, and the last lane the one behind it, where the grid
  //     has them. First all loads of a thread, into registers (a loop of kRows + 1 rounds with #pragma unroll), then
  //     all stores.
  // UNTIL SOLVED: (void)input, (void)tile, (void)cells;  // only keeps the compiler quiet: delete it
  const std::size_t column = tile.left + kCells * threadIdx.x;
  const bool is_first = threadIdx.x == 0 && tile.left > 0;
  const bool is_last = threadIdx.x == kWarp - 1 && tile.left + kColumns < input.columns;
  float4 vectors[kRows + 1];
  float sides[kRows + 1];
#pragma unroll
  for (unsigned i = 0; i <= kRows; ++i) {
    const unsigned r = threadIdx.y + i * blockDim.y;
    const std::size_t row = tile.top + r - 1;  // of the grid; before the first one it is a very large number
    const bool is_there = r < kRows * blockDim.y + 2 && row < input.rows;
    const float* const from = input.data + row * input.pitch;
    if (is_there && column < input.columns) vectors[i] = *reinterpret_cast<const float4*>(from + column);
    if (is_there && is_first) sides[i] = from[tile.left - 1];
    if (is_there && is_last) sides[i] = from[tile.left + kColumns];
  }
#pragma unroll
  for (unsigned i = 0; i <= kRows; ++i) {
    const unsigned r = threadIdx.y + i * blockDim.y;
    const std::size_t row = tile.top + r - 1;
    const bool is_there = r < kRows * blockDim.y + 2 && row < input.rows;
    float* const to = cells + r * kPitch + kCells;
    if (is_there && column < input.columns) *reinterpret_cast<float4*>(to + kCells * threadIdx.x) = vectors[i];
    if (is_there && is_first) to[-1] = sides[i];
    if (is_there && is_last) to[kColumns] = sides[i];
  }
  // END SOLUTION
}

// The four cells of this thread in row r of `cells`.
__device__ float4 load_row(const float* cells, unsigned r) {
  return *reinterpret_cast<const float4*>(cells + r * kPitch + kCells + kCells * threadIdx.x);
}

// The four cells after a step. All lanes of the warp come here: what lies left and right of four cells are cells of the
// neighbours. Outside of the tile they are in row r of `cells`.
__device__ float4 heated_cells(float rate, const float* cells, unsigned r, float4 above, float4 centre, float4 below) {
  // BEGIN SOLUTION: step 2. The left neighbour of centre.x is centre.w of the lane below;
  //     __shfl_up_sync() brings it. The right neighbour of centre.w is centre.x of the lane above. Lane 0 and lane
  //     31 have none there: they read the halo, at columns -1 and kColumns of the tile.
  // UNTIL SOLVED: (void)cells, (void)r;
  // UNTIL SOLVED: const float left = 0.0f, right = 0.0f;  // replace
  float left = __shfl_up_sync(0xffffffffu, centre.w, 1);
  float right = __shfl_down_sync(0xffffffffu, centre.x, 1);
  const float* const row = cells + r * kPitch + kCells;
  if (threadIdx.x == 0) left = row[-1];
  if (threadIdx.x == kWarp - 1) right = row[kColumns];
  // END SOLUTION
  return {heated(rate, centre.x, left, centre.y, above.x, below.x),
          heated(rate, centre.y, centre.x, centre.z, above.y, below.y),
          heated(rate, centre.z, centre.y, centre.w, above.z, below.z),
          heated(rate, centre.w, centre.z, right, above.w, below.w)};
}

// Stores four cells of a row, from `column` on. Those that are held keep their value `before`.
__device__ void store_cells(Matrix output, std::size_t row, std::size_t column, float4 before, float4 after) {
  if (row >= output.rows || column >= output.columns) return;
  float* const to = output.data + row * output.pitch + column;
  const std::size_t last = output.columns - 1;
  if (row == 0 || row + 1 == output.rows) after = before;
  if (column == 0 || column == last) after.x = before.x;
  if (column + 1 == last) after.y = before.y;
  if (column + 2 == last) after.z = before.z;
  if (column + 3 == last) after.w = before.w;
  if (column + 3 <= last) {
    __stcs(reinterpret_cast<float4*>(to), after);
    return;
  }
  const float cells[] = {after.x, after.y, after.z};
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    if (column + i <= last) to[i] = cells[i];
  }
}

// One step of the grid. Launch: a block of 32 x N threads for each tile of kColumns x kRows * N cells.
__global__ void step_tiles(ConstMatrix input, Matrix output, float rate) {
  extern __shared__ float4 memory[];
  float* const cells = reinterpret_cast<float*>(memory);
  const Tile tile{std::size_t{blockIdx.y} * kRows * blockDim.y, std::size_t{blockIdx.x} * kColumns};
  load_tile(input, tile, cells);
  // BEGIN SOLUTION: step 2. Wait until the whole tile is there. Then go down kRows rows, from row kRows
  //     * threadIdx.y of the tile on (that is one more in `cells`). Keep three rows in registers: each row is loaded
  //     once, is `below` first, then `centre`, then `above`.
  // UNTIL SOLVED: (void)output, (void)rate;  // only keeps the compiler quiet: delete it
  __syncthreads();
  const unsigned first = kRows * threadIdx.y;
  float4 above = load_row(cells, first), centre = load_row(cells, first + 1);
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
    const unsigned r = first + 1 + i;
    const float4 below = load_row(cells, r + 1);
    const float4 after = heated_cells(rate, cells, r, above, centre, below);
    store_cells(output, tile.top + first + i, tile.left + kCells * threadIdx.x, centre, after);
    above = centre;
    centre = below;
  }
  // END SOLUTION
}

void heat_step_on_device(ConstMatrix input, Matrix output, float rate, dim3 block, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write load_tile, heated_cells and step_tiles, then delete this line");
  if (input.rows == 0 || input.columns == 0) return;
  const std::size_t rows = std::size_t{kRows} * block.y;
  const dim3 grid(static_cast<unsigned>((input.columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>((input.rows + rows - 1) / rows));
  const std::size_t bytes = (rows + 2) * kPitch * sizeof(float);
  step_tiles<<<grid, block, bytes, stream>>>(input, output, rate);
  CUDA_CHECK(cudaGetLastError());
}
