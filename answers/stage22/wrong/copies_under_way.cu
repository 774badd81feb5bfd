// refused: async-copy: the porter goes on behind the last round, into memory that holds sums by then
// SPDX-License-Identifier: MIT
// shown by: --size 32x150x1300
// hint: copy-under-way
#define WRONG multiply_share<Small>
#include "answer/without_one_function.cuh"

template <class Form>
__global__ void __launch_bounds__(Form::kThreads, Form::kBlocksAnSm)
    multiply_share(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c, Line line,
                   EdgeBlocks of_edges, float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Form>& tiles = *reinterpret_cast<Tiles<Form>*>(memory);
  if (blockIdx.x >= line.blocks) {
    return multiply_edge(a, b, c, line, of_edges, reinterpret_cast<float*>(memory));
  }
  const Place<Form> place(tiles);
  std::size_t at = blockIdx.x * line.share;
  const std::size_t end = min(at + line.share, line.length());
  while (at < end) {
    const std::size_t tile = at / line.rounds, first = at % line.rounds;
    const auto rounds = static_cast<int>(min(end - at, line.rounds - first));
    Corner corner = corner_of(line, static_cast<int>(tile));
    Porter<Form> porter(a, b, has_vectors, tiles, corner, first * Form::kRound, rounds + 1000);
    float sums[Form::kRows][Form::kColumns] = {};
    add_rounds<Form>(sums, porter, rounds, place);
    workbook::Matrix target = c;
    bool as_vectors = is_whole(c, line, corner);
    if (rounds < line.rounds) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(line, blockIdx.x, tile), Form::kHeight, Form::kWidth, Form::kWidth};
      corner = {0, 0};
      as_vectors = true;
    }
    store_sums<Form>(target, as_vectors, corner, tiles, place, sums);
    at += rounds;
    __syncthreads();
  }
}
