// SPDX-License-Identifier: MIT
// A function of NVIDIA's library that a stand-in lacks. CMake writes one row for each name in not_simulated.txt. A
// program that links with the function then starts, as CuPy does, and only a call of it fails.
#pragma once

#include "libraries/library_call.h"

/// Weak, so that scripts/simulate knows it from a function that the stand-in has. The status is
/// CUBLAS_STATUS_NOT_SUPPORTED or CURAND_STATUS_INTERNAL_ERROR.
#define CUDASIM_LACKS(name, status)                                      \
  extern "C" __attribute__((weak, visibility("default"))) int name();    \
  extern "C" int name() {                                                \
    cudasim_explain(#name, "the simulator does not have this function"); \
    return status;                                                       \
  }
