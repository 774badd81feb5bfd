// refused: wrong-result: each part of a tile is multiplied by alpha, and so is their sum
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x3000 --alpha 2
// hint: global-not-written
// Right for alpha 1 and beta 0.
#include "answer/without_multiply_share.cuh"

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
    bool as_vectors = is_whole(c, line, corner);
    Scale how = scale;
    if (rounds < line.rounds) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(line, blockIdx.x, tile), Form::kHeight, Form::kWidth, Form::kWidth};
      corner = {0, 0};
      as_vectors = true;
    }
    store_sums<Form>(target, how, as_vectors, corner, tiles, place, sums);
    at += rounds;
    __syncthreads();  // everybody has stored: the next tile's rounds may come
  }
}
