// SPDX-License-Identifier: MIT
// The common parts of benchmarks whose peer is CUB. It is for .cu files, which include CUB's own headers themselves.
#pragma once

#include <cub/util_device.cuh>
#include <cub/version.cuh>
#include <limits>
#include <stdexcept>
#include <string>

#include "workbook/case/problem.h"

namespace workbook {

/// Example: "CUB 3.0.1".
inline std::string cub_version() {
  return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

/// The compute capability for which CUB and Thrust choose their tiles in this file, 90 for 9.0: the newest for which it
/// was compiled and which the device is not older than. 0 where CUB does not know.
inline int cub_tuned_for() {
  int version = 0;
  return cub::PtxVersion(version) == cudaSuccess ? version / 10 : 0;
}

/// The size for the peer, as an int. A 64-bit size would be slower, and older versions take only an int. Throws
/// std::invalid_argument.
inline int size_for_peer(const Settings& settings) {
  if (settings.size() > std::numeric_limits<int>::max()) {
    throw std::invalid_argument("--sizes " + std::to_string(settings.size()) +
                                " is more than the peer takes, 2147483647");
  }
  return static_cast<int>(settings.size());
}

}  // namespace workbook
