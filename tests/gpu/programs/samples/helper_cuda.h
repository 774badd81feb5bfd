// SPDX-License-Identifier: MIT
// What the sample programs of this folder share, in the manner of public samples. That is a macro around every CUDA
// call, and one line about the outcome. Like the programs, it knows nothing of the simulator.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define checkCudaErrors(call)                                                                                    \
  do {                                                                                                           \
    const cudaError_t status = (call);                                                                           \
    if (status != cudaSuccess) {                                                                                 \
      std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__, #call, cudaGetErrorString(status), \
                   cudaGetErrorName(status));                                                                    \
      std::exit(EXIT_FAILURE);                                                                                   \
    }                                                                                                            \
  } while (false)

/// What main returns.
inline int finish(const char* name, bool passed) {
  std::printf("%s: test %s\n", name, passed ? "PASSED" : "FAILED");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
