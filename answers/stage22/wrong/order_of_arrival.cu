// refused: wrong-result: the parts are added in the order in which they came, and the bits differ from call to call
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 --size 40x30x1000 --factors signed --calls 3
// hint: other-bits
// Each result is within the bound: two calls must be compared.
#define WRONG multiply_share<Small>
#include "answer/without_one_function.cuh"

__device__ int arrived[1024];  // how many parts of a tile, in all calls together

template <class Form>
__global__ void __launch_bounds__(Form::kThreads, Form::kBlocksAnSm)
    multiply_share(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c, Line line,
                   EdgeBlocks of_edges, float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Form>& tiles = *reinterpret_cast<Tiles<Form>*>(memory);
  __shared__ int arrival;
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
    Porter<Form> porter(a, b, has_vectors, tiles, corner, first * Form::kRound, rounds);
    float sums[Form::kRows][Form::kColumns] = {};
    add_rounds<Form>(sums, porter, rounds, place);
    workbook::Matrix target = c;
    bool as_vectors = is_whole(c, line, corner);
    const std::size_t before = tile * line.rounds / line.share;
    const std::size_t parts = ((tile + 1) * line.rounds - 1) / line.share - before + 1;
    if (threadIdx.x == 0) arrival = atomicAdd(&arrived[tile], 1) % static_cast<int>(parts);
    __syncthreads();
    if (rounds < line.rounds) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(line, before + arrival, tile), Form::kHeight, Form::kWidth, Form::kWidth};
      corner = {0, 0};
      as_vectors = true;
    }
    store_sums<Form>(target, as_vectors, corner, tiles, place, sums);
    at += rounds;
    __syncthreads();  // everybody has stored: the next tile's rounds may come
  }
}
