// SPDX-License-Identifier: MIT
// The order of the launches.
#include "ordinary.h"

namespace ordinary {

const std::vector<void (*)()>& groups() {
  static const std::vector<void (*)()> all = {matrices, sums,        searches, sorts, stencils, images,
                                              layouts,  local_array, numerics, later, wasteful, exercises};
  return all;
}

}  // namespace ordinary
