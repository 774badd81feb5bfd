// SPDX-License-Identifier: MIT
// What a plan of stages 22 and 23 consists of, and what its launch needs. A plan is a way to compute a product: a tile
// a block (data-parallel), or equal shares of all k-tiles (stream-K).
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/products/work_partition.h"

namespace workbook::products {

/// What a tile shape costs, measured on an H200, whose SMs do kPeak multiply-adds a cycle. Other GPUs may want other
/// numbers.
struct Cost {
  double speed;  ///< of the peak, while terms are added
  double fill;   ///< cycles a tile, until its first terms are there and after its last
};
constexpr double kPeak = 128;
constexpr double kAddingParts = 12'000;  ///< cycles: a second launch, and reading what the first has left

/// An extent may be a few rows or columns more than whole tiles. These are a thin edge (edges.h): another row of tiles
/// would be a waste for them.
constexpr std::size_t kThin = 4;

constexpr std::size_t kLeastShare = 4;  ///< k-tiles: the least share that is worth a block

struct Plan {
  WorkPartition work;
  double cycles;  ///< estimated
};

constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// How many blocks may share the k-tiles; 0: none, as `room`, the floats of the workspace, does not suffice. A part of
/// a tile takes as much of it as the tile has elements, and each new tile in the line may make one part more.
template <class Shape>
std::size_t most_sharing_blocks(const WorkPartition& work, std::size_t room, std::size_t multiprocessors) {
  const std::size_t parts = room / (Shape::kHeight * Shape::kWidth);
  const std::size_t blocks = multiprocessors * Shape::kBlocksAnSm;
  return parts <= work.tiles() ? 0 : blocks < parts - work.tiles() ? blocks : parts - work.tiles();
}

/// The SMs of the device.
inline std::size_t multiprocessors() {
  int device = 0, count = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<std::size_t>(count);
}

/// Call it before a launch with so many bytes of dynamic shared memory: a kernel that wants more than 48 KiB has to
/// ask.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::size_t bytes) {
  if (bytes > 48 << 10) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  }
}

}  // namespace workbook::products
