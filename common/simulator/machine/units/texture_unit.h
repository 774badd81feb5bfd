// SPDX-License-Identifier: MIT
// Texture fetches of a warp.
#pragma once

#include "machine/units/worker.h"

namespace cudasim {

class TextureUnit : Unit {
 public:
  explicit TextureUnit(Worker& worker) : Unit(worker) {}
  /// Looks up each lane's texture object, and then its texels. False: it is a fault.
  bool fetch(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask);
};

}  // namespace cudasim
