// SPDX-License-Identifier: MIT
// The order of the launches.
#include "unseen.h"

const std::vector<void (*)()>& ordinary::groups() {
  static const std::vector<void (*)()> all = {unseen::elements, unseen::reductions, unseen::scans,   unseen::dense,
                                              unseen::sparse,   unseen::stencils,   unseen::images,  unseen::bits,
                                              unseen::texts,    unseen::gathers,    unseen::sorting, unseen::physics};
  return all;
}
