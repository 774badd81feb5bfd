// SPDX-License-Identifier: MIT
// The kernel of stage 41 for elements of one type, for wrong kernels that change what it calls. The other types have
// the answer's. The including file may define WRONG_TYPE, and DRAW_TILE, PUBLISH, LOOK_AT_WINDOW, LOOK_BACK or
// SCAN_TILES as the name of its own function, and ROUNDED as its own way to cut. Tiles have one row a warp: more
// kernels take longer to compile.
#ifndef WRONG_TYPE
#define WRONG_TYPE int
#endif
#ifndef DRAW_TILE
#define DRAW_TILE draw_tile
#endif
#ifndef PUBLISH
#define PUBLISH publish
#endif
#ifndef LOOK_AT_WINDOW
#define LOOK_AT_WINDOW look_at_window
#endif
#ifndef LOOK_BACK
#define LOOK_BACK look_back_by_wrong_parts

template <typename T>
__device__ T look_back_by_wrong_parts(State* tiles, Turn turn) {
  T before = identity<T>();
  for (unsigned end = turn.tile;; end -= blockDim.x) {
    const Window<T> window = LOOK_AT_WINDOW<T>(tiles, end, turn.round);
    before = combine(window.all, before);
    if (window.is_enough) {
      break;
    }
  }
  return before;
}
#endif
#ifndef TILE_IN_HAND
#define TILE_IN_HAND TileByWrongParts

template <typename T>
struct TileByWrongParts {
  using Tile = workbook::ScanTile<T, 1>;
  Turn turn;
  Tile tile;
  T own;

  __device__ void begin(Turn drawn, const T* input, std::size_t n, State* tiles) {
    turn = drawn;
    tile.load(input, turn.tile * Tile::size(blockDim.x), n);
    own = tile.scan();
    if (threadIdx.x == 0) {
      PUBLISH(tiles[turn.tile], state_of(turn.round, kOwnIsThere, own));
    }
  }
  __device__ void finish(Scan scan, T* output, std::size_t n, State* tiles) const {
    const T before = LOOK_BACK<T>(tiles, turn);
    if (threadIdx.x == 0) {
      PUBLISH(tiles[turn.tile], state_of(turn.round, kUpToIsThere, combine(before, own)));
    }
    tile.store(scan, before, output, turn.tile * Tile::size(blockDim.x), n);
  }
};
#endif
#ifndef SCAN_TILES
#define SCAN_TILES scan_tiles_by_wrong_parts

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    scan_tiles_by_wrong_parts(Scan scan, const T* input, T* output, std::size_t n, unsigned count, Board* board,
                              State* tiles) {
  const Turn first = DRAW_TILE(*board, count);
  if (first.tile >= count) {
    return;
  }
  TILE_IN_HAND<T> mine, next;
  mine.begin(first, input, n, tiles);
  for (bool is_last = gridDim.x == count;; mine = next) {
    if (!is_last) {
      const Turn turn = DRAW_TILE(*board, count);
      is_last = turn.tile >= count;
      if (!is_last) {
        next.begin(turn, input, n, tiles);
      }
    }
    mine.finish(scan, output, n, tiles);
    if (is_last) {
      return;
    }
  }
}
#endif

template <typename T>
void scan_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                    const workbook::ScanWorkspace& workspace) {
  if constexpr (std::is_same_v<T, WRONG_TYPE>) {
    const std::size_t tile = workbook::ScanTile<T, 1>::size(block_size);
#ifdef ROUNDED
    const auto count = static_cast<unsigned>(ROUNDED(n, tile));
#else
    const auto count = static_cast<unsigned>((n + tile - 1) / tile);
#endif
    if (n > 0) {
      const unsigned blocks = std::min(count, cut_elements(std::size_t{1} << 36, block_size).blocks);
      SCAN_TILES<<<blocks, block_size, 0, workspace.stream>>>(scan, input, output, n, count, workspace.words,
                                                              workspace.words + 1);
      CUDA_CHECK(cudaGetLastError());
    }
  } else {
    right::scan_on_device(scan, input, output, n, block_size, workspace);
  }
}

#undef WRONG_TYPE
#undef DRAW_TILE
#undef PUBLISH
#undef LOOK_AT_WINDOW
#undef LOOK_BACK
#undef SCAN_TILES
#undef ROUNDED
#undef TILE_IN_HAND
