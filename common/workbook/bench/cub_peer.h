// SPDX-License-Identifier: MIT
// What the benchmarks whose peer is CUB have in common. For .cu files, which include CUB's own headers themselves.
#pragma once

#include <cub/version.cuh>
#include <limits>
#include <stdexcept>
#include <string>

#include "workbook/case/problem.h"

namespace workbook {

/// "CUB 3.0.1"
inline std::string cub_version() {
  return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

/// The size as the peer is told it: in an int. With 64 bits it would be slower, and older versions take nothing else.
/// Throws std::invalid_argument.
inline int size_for_peer(const Settings& settings) {
  if (settings.size() > std::numeric_limits<int>::max()) {
    throw std::invalid_argument("--sizes " + std::to_string(settings.size()) +
                                " is more than the peer takes, 2147483647");
  }
  return static_cast<int>(settings.size());
}

}  // namespace workbook
