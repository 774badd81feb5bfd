// SPDX-License-Identifier: MIT
// An exported call that is not simulated. CMake writes one row for each name in not_simulated.txt.
#pragma once

extern "C" int cudasim_not_simulated(const char* name);

/// Weak, so that a name which some CUDA versions have simulated keeps its real definition. It has no parameters: the
/// caller passes any, and the stub reads none. A call with another return type than cudaError_t must be defined
/// elsewhere.
#define CUDASIM_STUB(name)                                            \
  extern "C" __attribute__((weak, visibility("default"))) int name(); \
  extern "C" int name() { return cudasim_not_simulated(#name); }
