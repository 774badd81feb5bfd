// SPDX-License-Identifier: MIT
// Calls between device functions, through an explicit stack. The host never recurses: a barrier inside a function must
// be able to suspend it.
#pragma once

#include "machine/control/divergence.h"
#include "machine/registers/frame_constants.h"

namespace cudasim {

class ActivationStack : Unit {
 public:
  ActivationStack(Worker& worker, Divergence& divergence, const FrameConstants& constants)
      : Unit(worker), divergence_(divergence), constants_(constants) {}

  /// False: it is a fault.
  bool call(Block& block, Warp& warp, WarpSplit& split, const MicroOp& op, Mask mask);
  void leave(Warp& warp, WarpSplit& split);

 private:
  bool find_callee(Block& block, Warp& warp, WarpSplit& split, const MicroOp& op, Mask mask, std::uint32_t& function);
  bool enter(Block& block, Warp& warp, WarpSplit& split, std::uint32_t function, std::uint32_t call);
  std::uint32_t free_frame(const Warp& warp, std::uint32_t frame, std::uint32_t function) const;

  Divergence& divergence_;
  const FrameConstants& constants_;
};

}  // namespace cudasim
