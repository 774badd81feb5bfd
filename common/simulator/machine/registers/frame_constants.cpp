// SPDX-License-Identifier: MIT
#include "machine/registers/frame_constants.h"

#include <cstring>

namespace cudasim {
namespace {

bool differs_by_lane(FrameConstant::Source source) {
  using S = FrameConstant::Source;
  switch (source) {
    case S::tid_x:
    case S::tid_y:
    case S::tid_z:
    case S::laneid:
    case S::lanemask_eq:
    case S::lanemask_le:
    case S::lanemask_lt:
    case S::lanemask_ge:
    case S::lanemask_gt:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::uint64_t FrameConstants::value(const Block& block, const Warp& warp, const FrameConstant& constant, unsigned lane,
                                    std::uint32_t local) const {
  using S = FrameConstant::Source;
  const auto& dim = grid_.launch.block;
  const auto& grid = grid_.launch.grid;
  const std::uint32_t thread = warp.index * kWarpSize + lane;
  switch (constant.source) {
    case S::bits:
      return constant.bits;
    case S::frame_address:
      return local + constant.bits;
    case S::tid_x:
      return thread % dim.x;
    case S::tid_y:
      return thread / dim.x % dim.y;
    case S::tid_z:
      return thread / dim.x / dim.y;
    case S::ntid_x:
      return dim.x;
    case S::ntid_y:
      return dim.y;
    case S::ntid_z:
      return dim.z;
    case S::ctaid_x:
      return block.index[0];
    case S::ctaid_y:
      return block.index[1];
    case S::ctaid_z:
      return block.index[2];
    case S::nctaid_x:
      return grid.x;
    case S::nctaid_y:
      return grid.y;
    case S::nctaid_z:
      return grid.z;
    case S::laneid:
      return lane;
    case S::warpid:
      return warp.index;
    case S::nwarpid:
      return grid_.warps_per_block;
    case S::smid:
      return block.linear % grid_.schedule.multiprocessors;
    case S::nsmid:
      return grid_.schedule.multiprocessors;
    case S::gridid:
      return 1;
    case S::lanemask_eq:
      return 1u << lane;
    case S::lanemask_le:
      return ~0u >> (31 - lane);
    case S::lanemask_lt:
      return (1u << lane) - 1;
    case S::lanemask_ge:
      return ~0u << lane;
    case S::lanemask_gt:
      return ~0u << lane << 1;
    case S::dynamic_smem_size:
      return grid_.launch.dynamic_shared_bytes;
    case S::total_smem_size:
      return program_.static_shared_bytes + grid_.launch.dynamic_shared_bytes;
    case S::envreg1:
      return grid_.grid_barrier_address >> 32;
    case S::envreg2:
      return grid_.grid_barrier_address & 0xffffffffu;
    case S::zero:
      return 0;
    case S::poison:
      return 0x0101010101010101u * static_cast<std::uint64_t>(worker_.poison);
  }
  return 0;
}

void FrameConstants::write(const Block& block, Warp& warp, const FrameConstant& constant, std::uint32_t frame,
                           std::uint32_t local, Mask mask) const {
  std::byte* slot = warp.frames + frame + constant.slot;
  if (constant.width == FrameConstant::Width::predicate) {
    Mask now;
    std::memcpy(&now, slot, sizeof now);
    now = (now & ~mask) | (static_cast<Mask>(constant.bits) & mask);
    std::memcpy(slot, &now, sizeof now);
    return;
  }
  if (!differs_by_lane(constant.source)) {
    const std::uint64_t bits = this->value(block, warp, constant, 0, local);
    (constant.width == FrameConstant::Width::wide ? kernels_.fill64 : kernels_.fill32)(slot, bits, mask);
    return;
  }
  const auto& dim = grid_.launch.block;
  if (constant.source == FrameConstant::Source::tid_x && constant.width == FrameConstant::Width::narrow &&
      dim.y * dim.z == 1) {  // no divisions, as nearly every kernel needs it
    std::uint32_t threads[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) threads[lane] = warp.index * kWarpSize + lane;
    return kernels_.copy32(slot, threads, mask);
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const std::uint64_t bits = this->value(block, warp, constant, lane, local);
    if (constant.width == FrameConstant::Width::wide) {
      std::memcpy(slot + 8 * lane, &bits, 8);
    } else {
      std::memcpy(slot + 4 * lane, &bits, 4);
    }
  }
}

}  // namespace cudasim
