// SPDX-License-Identifier: MIT
// The counts of an estimate as JSON: the object `timing` of a launch (FORMAT.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace cudasim {

struct LaunchTiming;

nlohmann::ordered_json json_of(const LaunchTiming& timing);

}  // namespace cudasim
