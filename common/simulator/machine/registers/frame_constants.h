// SPDX-License-Identifier: MIT
// The values that registers begin with: constants, thread and block indices, parameters of the launch.
#pragma once

#include "machine/units/worker.h"

namespace cudasim {

class FrameConstants : Unit {
 public:
  explicit FrameConstants(Worker& worker) : Unit(worker) {}

  /// Fills the registers of the lanes in `mask`, in an activation whose registers begin at `frame` and whose local
  /// memory begins at `local`.
  void write(const Block& block, Warp& warp, const FrameConstant& constant, std::uint32_t frame, std::uint32_t local,
             Mask mask) const;

 private:
  std::uint64_t value(const Block& block, const Warp& warp, const FrameConstant& constant, unsigned lane,
                      std::uint32_t local) const;
};

}  // namespace cudasim
