// refused: wrong-result: what is published as the sum up to a tile leaves out the tile itself
// SPDX-License-Identifier: MIT
// shown by: --size 20011 --elements ones
// hint: sum-before
#include "answer/right.cuh"

using namespace right;

template <typename T>
struct WrongTile {
  using Tile = workbook::ScanTile<T, 1>;
  Turn turn;
  Tile tile;
  T own;

  __device__ void begin(Turn drawn, const T* input, std::size_t n, State* tiles) {
    turn = drawn;
    tile.load(input, turn.tile * Tile::size(blockDim.x), n);
    own = tile.scan();
    if (threadIdx.x == 0) {
      publish(tiles[turn.tile], state_of(turn.round, kOwnIsThere, own));
    }
  }
  __device__ void finish(Scan scan, T* output, std::size_t n, State* tiles) const {
    const T before = look_back<T>(tiles, turn);
    if (threadIdx.x == 0) {
      publish(tiles[turn.tile], state_of(turn.round, kUpToIsThere, before));
    }
    tile.store(scan, before, output, turn.tile * Tile::size(blockDim.x), n);
  }
};

#define TILE_IN_HAND WrongTile
#include "answer/kernel.cuh"
