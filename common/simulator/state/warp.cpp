// SPDX-License-Identifier: MIT
#include "state/warp.h"

namespace cudasim {

void Warp::wait_for_lanes(WarpSplit& split, std::uint32_t counter, Mask mask) {
  if (mask != split.mask) {
    WarpSplit others = split;
    others.mask = split.mask & ~mask;
    part(counter, mask, others.mask);
    ++others.pc;
    splits.push_back(others);
    split.mask = mask;
  }
  split.state = WarpSplit::State::at_warp_operation;
  splits.push_back(split);
}

}  // namespace cudasim
