// SPDX-License-Identifier: MIT
#include "state/warp.h"

namespace cudasim {

void Warp::wait_for_lanes(Fragment& fragment, std::uint32_t counter, Mask mask) {
  if (mask != fragment.mask) {
    Fragment others = fragment;
    others.mask = fragment.mask & ~mask;
    part(counter, mask, others.mask);
    ++others.pc;
    fragments.push_back(others);
    fragment.mask = mask;
  }
  fragment.state = Fragment::State::at_warp_operation;
  fragments.push_back(fragment);
}

}  // namespace cudasim
