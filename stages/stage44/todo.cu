// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 44 --todo`.
// As handed out: 89e5d3f542b3. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 44: a step of heat, nearly as fast as a copy. A warp has a tile of the grid in its registers: 4 rows of 128
// cells, with the cells around them that they need, the halo. So each cell comes from global memory once, and not five
// times, but for the halo. Neighbours in a row come from other lanes, by shuffles.
#include "workbook/student/grids/heat.h"

using workbook::ConstMatrix;
using workbook::Matrix;

constexpr unsigned kWarp = 32;
constexpr unsigned kCells = 4;                 // side by side in a thread: a float4
constexpr unsigned kRows = 4;                  // of a thread, one below the other
constexpr unsigned kColumns = kWarp * kCells;  // of a tile

// The cell after a step.
__device__ float heated(float rate, float centre, float left, float right, float above, float below) {
  return centre + rate * (left + right + above + below - 4.0f * centre);
}

// What one thread has of a tile. Row r of the tile is row[r + 1]. The first and the last of them are the halo.
struct Cells {
  float4 row[kRows + 2];
  float side[kRows];  // in lane 0 the cell left of each row of the tile, and in the last lane the one right of it
};

// Loads the cells of this thread: columns `column` to `column` + 3 of rows `top` - 1 to `top` + kRows. Only places of
// the grid are loaded.
__device__ Cells load_cells(ConstMatrix input, std::size_t top, std::size_t column) {
  Cells cells{};
  // TODO (roughly 11 lines): Two loops with #pragma unroll, so that all loads are under way together. The first
  //     loads a float4 for each of the kRows + 2 rows, if the grid has this row and this column. The row before the
  //     first one is a very large number, as std::size_t has no numbers below 0. The second loads the sides of the
  //     kRows rows: lane 0 the cell at column - 1, and the last lane the one at column + kCells, where the grid has
  //     them.
  (void)input, (void)top, (void)column;  // only keeps the compiler quiet: delete it
  return cells;
}

// The four cells of row r of the tile after a step. All lanes of the warp come here.
__device__ float4 heated_cells(float rate, const Cells& cells, unsigned r) {
  const float4 above = cells.row[r], centre = cells.row[r + 1], below = cells.row[r + 2];
  // TODO (roughly 4 lines): The left neighbour of centre.x is centre.w of the lane before. So all lanes give their
  //     centre.w: __shfl_up_sync(0xffffffffu, centre.w, 1). The right neighbour of centre.w is centre.x of the next
  //     lane, by __shfl_down_sync(). Lane 0 and the last lane have none there: they have it in `side`. No `if` stands
  //     around a shuffle.
  const float left = 0.0f, right = 0.0f;  // replace
  return {heated(rate, centre.x, left, centre.y, above.x, below.x),
          heated(rate, centre.y, centre.x, centre.z, above.y, below.y),
          heated(rate, centre.z, centre.y, centre.w, above.z, below.z),
          heated(rate, centre.w, centre.z, right, above.w, below.w)};
}

// Stores four cells of a row, from `column` on, as far as the grid has them. Those that are held keep their value
// `before`.
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

// One step of the grid. Launch: a block of 32 x N threads for N tiles, one below the other. The bound is the largest
// block that we launch. Without it ptxas writes the loads in another order, and an H200 takes up to 16 % longer.
__global__ void __launch_bounds__(512) step_tiles(ConstMatrix input, Matrix output, float rate) {
  const std::size_t top = (std::size_t{blockIdx.y} * blockDim.y + threadIdx.y) * kRows;
  const std::size_t column = std::size_t{blockIdx.x} * kColumns + kCells * threadIdx.x;
  const Cells cells = load_cells(input, top, column);
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    store_cells(output, top + r, column, cells.row[r + 1], heated_cells(rate, cells, r));
  }
}

void heat_step_on_device(ConstMatrix input, Matrix output, float rate, dim3 block, cudaStream_t stream) {
  WORKBOOK_TODO("write load_cells and heated_cells, then delete this line");
  if (input.rows == 0 || input.columns == 0) return;
  const std::size_t rows = std::size_t{kRows} * block.y;
  const dim3 grid(static_cast<unsigned>((input.columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>((input.rows + rows - 1) / rows));
  step_tiles<<<grid, block, 0, stream>>>(input, output, rate);
  CUDA_CHECK(cudaGetLastError());
}
