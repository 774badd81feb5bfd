// SPDX-License-Identifier: MIT
// What stage 39 has made, for a block with more elements: a tile that lies in the registers of the block. It is given
// to the stages after it.
#pragma once

#include <cstddef>

#include "workbook/student/scan.h"

namespace workbook {

constexpr unsigned kWarp = 32;
constexpr unsigned kMostWarps = 32;   ///< Of a block.
constexpr unsigned kRow = 4 * kWarp;  ///< Elements of a row: four neighbours for each lane of a warp.

/// What lies before a lane or a warp, and what all of them have together.
template <typename T>
struct Scanned {
  T before;
  T all;
};

/// Scans what the lanes of a warp have (stage 39, step 2). All lanes come here.
template <typename T>
__device__ Scanned<T> scan_warp(T mine) {
  const unsigned lane = threadIdx.x % kWarp;
  T up_to = mine;
#pragma unroll
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T below = shuffle_up(up_to, distance);
    up_to = lane >= distance ? combine(below, up_to) : up_to;
  }
  const T below = shuffle_up(up_to, 1);
  return {lane > 0 ? below : identity<T>(), shuffle(up_to, kWarp - 1)};
}

/// A tile of a block, in its registers: kRows rows for each warp, one behind the other. The tiles of a block have
/// kRows * 4 * blockDim.x elements. All threads of the block call each function.
template <typename T, unsigned kRows>
class ScanTile {
 public:
  /// The elements of a tile for blocks of so many threads.
  __host__ __device__ static constexpr std::size_t size(unsigned threads) { return std::size_t{kRows} * 4 * threads; }

  /// Loads the tile that begins at `begin`, in vectors. Behind element n there is the identity.
  __device__ void load(const T* input, std::size_t begin, std::size_t n) {
#pragma unroll
    for (unsigned row = 0; row < kRows; ++row) {
      rows_[row] = load_four(input, place(begin, row), n);
    }
  }

  /// Scans the tile. Returns what all of it has together. It has two barriers: behind the second one, it may be called
  /// again.
  __device__ T scan() {
    __shared__ T sums_of_warps[kMostWarps];
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
    T all = identity<T>();
#pragma unroll
    for (unsigned row = 0; row < kRows; ++row) {
      const Four<T>& mine = rows_[row];
      const Scanned<T> lanes = scan_warp(combine(combine(mine.of[0], mine.of[1]), combine(mine.of[2], mine.of[3])));
      before_[row] = combine(all, lanes.before);
      all = combine(all, lanes.all);
    }
    if (lane == 0) {
      sums_of_warps[warp] = all;
    }
    __syncthreads();
    const Scanned<T> of_warps = scan_warp(lane < warps ? sums_of_warps[lane] : identity<T>());
    __syncthreads();
    const T before_warp = shuffle(of_warps.before, warp);
#pragma unroll
    for (unsigned row = 0; row < kRows; ++row) {
      before_[row] = combine(before_warp, before_[row]);
    }
    return of_warps.all;
  }

  /// Stores the scan, behind scan(). `before` is what all elements before the tile have together.
  __device__ void store(Scan scan, T before, T* output, std::size_t begin, std::size_t n) const {
#pragma unroll
    for (unsigned row = 0; row < kRows; ++row) {
      T before_mine = combine(before, before_[row]);
      Four<T> result;
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const T up_to = combine(before_mine, rows_[row].of[i]);
        result.of[i] = scan == Scan::inclusive ? up_to : before_mine;
        before_mine = up_to;
      }
      store_four(output, place(begin, row), n, result);
    }
  }

 private:
  __device__ static std::size_t place(std::size_t begin, unsigned row) {
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    return begin + (warp * kRows + row) * kRow + 4 * lane;
  }

  Four<T> rows_[kRows];
  T before_[kRows];  // what the tile has before this lane's four elements of a row
};

}  // namespace workbook
