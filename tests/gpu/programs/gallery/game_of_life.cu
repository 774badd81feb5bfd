// SPDX-License-Identifier: MIT
// Conway's game of life on a torus, one bit a cell: a thread counts the neighbours of 32 cells at once, by adding bits.
#include "gallery.h"

constexpr int words = 4, rows = 96;  // 128 x 96 cells

struct Sum {
  unsigned ones, twos, fours;
};
__device__ void add(Sum& sum, unsigned bits) {
  const unsigned carry = sum.ones & bits;
  sum.ones ^= bits;
  sum.fours |= sum.twos & carry;
  sum.twos ^= carry;
}

__global__ void generation(const unsigned* from, unsigned* to) {
  const int word = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  Sum sum{0, 0, 0};
  unsigned alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    const unsigned* line = from + (row + dy + rows) % rows * words;
    const unsigned here = line[word], left = line[(word + words - 1) % words], right = line[(word + 1) % words];
    add(sum, __funnelshift_l(left, here, 1));
    add(sum, __funnelshift_r(here, right, 1));
    if (dy != 0) add(sum, here);
    if (dy == 0) alive = here;
  }
  to[row * words + word] = sum.twos & ~sum.fours & (sum.ones | alive);
}

bool program() {
  constexpr int generations = 10, width = 32 * words;
  std::vector<unsigned> field(words * rows), expected(words * rows, 0);
  std::vector<int> cells(width * rows), next(width * rows);
  for (std::size_t i = 0; i < field.size(); ++i)
    field[i] = scramble(static_cast<unsigned>(i)) & scramble(static_cast<unsigned>(i) + 5000);
  for (int i = 0; i < width * rows; ++i) cells[i] = field[i / 32] >> i % 32 & 1;
  Buffer<unsigned> first(field), second(field.size());
  for (int g = 0; g < generations; ++g) {
    generation<<<rows / 16, dim3(words, 16)>>>(g % 2 ? second : first, g % 2 ? first : second);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < width; ++x) {
        int alive = -cells[y * width + x];
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) alive += cells[(y + dy + rows) % rows * width + (x + dx + width) % width];
        next[y * width + x] = alive == 3 || (alive == 2 && cells[y * width + x] != 0);
      }
    cells.swap(next);
  }
  for (int i = 0; i < width * rows; ++i) expected[i / 32] |= static_cast<unsigned>(cells[i]) << i % 32;
  return first.host() == expected;
}
