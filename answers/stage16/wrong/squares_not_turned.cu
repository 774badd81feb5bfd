// refused: wrong-result: the squares have changed places, and what is in them has not
// SPDX-License-Identifier: MIT
// shown by: --size 130x72 --block-size 16x16
// hint: exchanged
#include "answer/without_kernel.cuh"

__global__ void transpose_squares(workbook::ConstMatrix input, workbook::Matrix output, Tiles tiles, bool aligned) {
  extern __shared__ float4 tile[];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = tiles.top();
  const std::size_t left = tiles.left();
  const bool whole = aligned && top + tiles.side <= input.rows && left + tiles.side <= input.columns;
  float4 rows[kSide] = {};
  const std::size_t from_column = left + kSide * x;
  for (unsigned k = 0; k < kSide; ++k) {
    const std::size_t i = top + kSide * y + k;
    const float* from = input.data + i * input.pitch + from_column;
    if (whole) {
      rows[k] = load_once(reinterpret_cast<const float4*>(from));
    } else if (i < input.rows && from_column < input.columns) {
      rows[k] = load_some(from, input.columns - from_column);
    }
  }
  tile[place(kSide * x + 0, y)] = rows[0];
  tile[place(kSide * x + 1, y)] = rows[1];
  tile[place(kSide * x + 2, y)] = rows[2];
  tile[place(kSide * x + 3, y)] = rows[3];
  __syncthreads();
  const std::size_t to_column = top + kSide * x;
  for (unsigned k = 0; k < kSide; ++k) {
    const unsigned r = kSide * y + k;
    float* to = output.data + (left + r) * output.pitch + to_column;
    if (whole) {
      __stcs(reinterpret_cast<float4*>(to), tile[place(r, x)]);
    } else if (left + r < output.rows && to_column < output.columns) {
      store_some(to, output.columns - to_column, tile[place(r, x)]);
    }
  }
}
