// SPDX-License-Identifier: MIT
// The toolkit's declarations of the calls that this library exports.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
// Calls of cuda_profiler_api.h, which the packages of the toolkit do not have.
extern "C" cudaError_t cudaProfilerStart();
extern "C" cudaError_t cudaProfilerStop();
#pragma GCC visibility pop

#include "remote/client/connection.h"

/// For entry points that the toolkit's headers do not declare.
#define REMOTE_EXPORT extern "C" __attribute__((visibility("default")))
