// SPDX-License-Identifier: MIT
// The properties that the simulated device reports: the figures of the GPU that CUDASIM_GPU names. Excepted are
// features that are not simulated: clusters, textures' own features, peer access, IPC. The device does not claim them.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/base/settings.h"
#include "runtime/cuda_api.h"

namespace cudasim {

/// False when there is no such attribute.
bool attribute_value(cudaDeviceAttr attribute, const Schedule& schedule, int& value);

/// Every field of the toolkit's own struct.
void fill_properties(cudaDeviceProp& properties, const std::string& name, const Settings& settings);

}  // namespace cudasim
