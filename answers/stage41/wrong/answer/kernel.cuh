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
__device__ T look_back_by_wrong_parts(State* tiles, Turn turn, T own) {
  const unsigned lane = threadIdx.x % kWarp;
  State& mine = tiles[turn.tile];
  if (lane == 0) {
    PUBLISH(mine, state_of(turn.round, kOwnIsThere, own));
  }
  T before = identity<T>();
  for (unsigned end = turn.tile;; end -= kWarp) {
    const Window<T> window = LOOK_AT_WINDOW<T>(tiles, end, turn.round);
    before = combine(window.all, before);
    if (window.is_enough) {
      break;
    }
  }
  if (lane == 0) {
    PUBLISH(mine, state_of(turn.round, kUpToIsThere, combine(before, own)));
  }
  return before;
}
#endif
#ifndef SCAN_TILES
#define SCAN_TILES scan_tiles_by_wrong_parts

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    scan_tiles_by_wrong_parts(Scan scan, const T* input, T* output, std::size_t n, Board* board, State* tiles) {
  __shared__ T before_tile;
  const Turn turn = DRAW_TILE(*board, gridDim.x);
  const std::size_t begin = turn.tile * workbook::ScanTile<T, 1>::size(blockDim.x);
  workbook::ScanTile<T, 1> tile;
  tile.load(input, begin, n);
  const T own = tile.scan();
  if (threadIdx.x < kWarp) {
    const T before = LOOK_BACK(tiles, turn, own);
    if (threadIdx.x == 0) {
      before_tile = before;
    }
  }
  __syncthreads();
  tile.store(scan, before_tile, output, begin, n);
}
#endif

template <typename T>
void scan_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                    const workbook::ScanWorkspace& workspace) {
  if constexpr (std::is_same_v<T, WRONG_TYPE>) {
    const std::size_t tile = workbook::ScanTile<T, 1>::size(block_size);
#ifdef ROUNDED
    const auto tiles = static_cast<unsigned>(ROUNDED(n, tile));
#else
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
#endif
    if (n > 0) {
      SCAN_TILES<<<tiles, block_size, 0, workspace.stream>>>(
          scan, input, output, n, reinterpret_cast<Board*>(workspace.words), workspace.words + 1);
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
