// SPDX-License-Identifier: MIT
// What the simulated device says of itself: the figures of an H200 (compute capability 9.0), but for what is not
// simulated (clusters, textures' own features, peer access, IPC), which it does not claim.
#pragma once

#include <cstdint>

#include "runtime/base/settings.h"
#include "runtime/cuda_api.h"

namespace cudasim {

/// False when there is no such attribute. cudaDevAttrMultiProcessorCount is a setting's.
bool attribute_value(cudaDeviceAttr attribute, int& value);

/// Every field of the toolkit's own struct.
void fill_properties(cudaDeviceProp& properties, const char* name, const Settings& settings);

}  // namespace cudasim
