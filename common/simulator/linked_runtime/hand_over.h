// SPDX-License-Identifier: MIT
// Programs and libraries with the CUDA runtime linked into them (nvcc's default). At the beginning of each function of
// such a runtime stands a jump to the simulator's function, once its calls are handed over. From then on the program is
// like one that is linked with the shared runtime.
#pragma once

namespace cudasim {

/// Hands over the calls of all that has been loaded since the last time. A runtime of another major version is left
/// alone, as is one without symbols. The driver's library then reports what to do (driver/device.cpp).
void hand_over_loaded();

/// The simulator's runtime. Its loading comes back to hand_over_loaded(), by dlopen.
void* simulator();

}  // namespace cudasim
