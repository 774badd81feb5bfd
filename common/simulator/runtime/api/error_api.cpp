// SPDX-License-Identifier: MIT
// Errors: their names and texts, the last one of each thread, and versions. It also has the result of every call that
// is not simulated: its name is printed once, and it fails.
#include "report/console.h"
#include "runtime/refusals.h"
#include "runtime/runtime.h"

using namespace cudasim;

namespace {

struct ErrorRow {
  int code;
  const char* name;
  const char* text;
};
constexpr ErrorRow kErrorTable[] = {
#include "runtime/api/error_table.inc"
};

const ErrorRow& row_of(cudaError_t error) {
  static constexpr ErrorRow kUnknown{-1, "unrecognized error code", "unrecognized error code"};
  for (const ErrorRow& row : kErrorTable) {
    if (row.code == static_cast<int>(error)) return row;
  }
  return kUnknown;
}

}  // namespace

extern "C" const char* cudaGetErrorName(cudaError_t error) { return row_of(error).name; }

extern "C" const char* cudaGetErrorString(cudaError_t error) { return row_of(error).text; }

/// The program queries its last error.
static cudaError_t asked(bool clear) {
  const cudaError_t error = last_error(clear);
  Runtime& runtime = Runtime::instance();
  if (runtime.process == Runtime::Process::lost) return error;
  const std::lock_guard<std::mutex> lock(runtime.mutex);
  runtime.host_range.unasked_launch = {};
  if (error != cudaSuccess) error_was_asked(runtime);
  return error;
}

extern "C" cudaError_t cudaGetLastError() { return asked(true); }

extern "C" cudaError_t cudaPeekAtLastError() { return asked(false); }

extern "C" cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

extern "C" cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

CUDASIM_EXPORT cudaError_t cudaProfilerStart() {
  return enter("cudaProfilerStart", Access::none, [](Runtime& runtime) {
    open_host_range(runtime);
    return cudaSuccess;
  });
}

CUDASIM_EXPORT cudaError_t cudaProfilerStop() {
  return enter("cudaProfilerStop", Access::none, [](Runtime& runtime) {
    close_host_range(runtime);
    return cudaSuccess;
  });
}

/// Called by the generated stubs of not_simulated.txt.
extern "C" int cudasim_not_simulated(const char* name) {
  return enter(name, Access::none, [&](Runtime& runtime) {
    if (runtime.told.insert(name).second) print_line(std::string(name) + " is not simulated");
    return cudaErrorNotSupported;
  });
}
