// refused: wrong-result: a block that has some rounds of two tiles puts both parts into one place
// SPDX-License-Identifier: MIT
// shown by: --size 150x140x3000
// hint: wrong-elements
// Right while each share lies in one tile.
#include "workbook/gemm.h"

struct Line;
__global__ void add_parts(workbook::Matrix c, Line line, const float* partials, int sharers);

#define add_parts(...) right_add_parts(__VA_ARGS__)  // the answer's definition, and not its call
#include "../stage22_but_multiply_share.cuh"
#undef add_parts

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
    Porter<Form> porter(a, b, has_vectors, tiles, corner, first * Form::kRound, rounds);
    float sums[Form::kRows][Form::kColumns] = {};
    add_rounds<Form>(sums, porter, rounds, place);
    workbook::Matrix target = c;
    bool as_vectors = is_whole(c, line, corner);
    if (rounds < line.rounds) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(line, blockIdx.x, 0), Form::kHeight, Form::kWidth, Form::kWidth};
      corner = {0, 0};
      as_vectors = true;
    }
    store_sums<Form>(target, as_vectors, corner, tiles, place, sums);
    at += rounds;
    __syncthreads();  // everybody has stored: the next tile's rounds may come
  }
}

__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(workbook::Matrix c, Line line, const float* partials, int sharers) {
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
    const auto* const from = reinterpret_cast<const float4*>(partials + place_of_part(line, block, 0) + place);
    add(sum, __ldcg(from));
  }
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of(line, static_cast<int>(tile));
  store_four(c, is_whole(c, line, corner), corner.top + place / line.tile_width, corner.left + place % line.tile_width,
             sum);
}
