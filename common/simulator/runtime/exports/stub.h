// SPDX-License-Identifier: MIT
// An exported call that is not simulated. CMake writes one row for each name in not_simulated.txt.
#pragma once

extern "C" int cudasim_not_simulated(const char* name);

/// Weak, so that a name which some CUDA versions have simulated keeps its real definition. No parameters: the caller
/// passes what it likes, and nothing is read. Everything that returns no cudaError_t must be defined elsewhere.
#define CUDASIM_STUB(name)                                            \
  extern "C" __attribute__((weak, visibility("default"))) int name(); \
  extern "C" int name() { return cudasim_not_simulated(#name); }
