// SPDX-License-Identifier: MIT
// The properties that the simulated device reports: the figures of an H200 (compute capability 9.0). Excepted are
// features that are not simulated: clusters, textures' own features, peer access, IPC. The device does not claim them.
#pragma once

#include <cstdint>

#include "runtime/base/settings.h"
#include "runtime/cuda_api.h"

namespace cudasim {

/// False when there is no such attribute. cudaDevAttrMultiProcessorCount comes from a setting.
bool attribute_value(cudaDeviceAttr attribute, int& value);

/// Every field of the toolkit's own struct.
void fill_properties(cudaDeviceProp& properties, const char* name, const Settings& settings);

}  // namespace cudasim
