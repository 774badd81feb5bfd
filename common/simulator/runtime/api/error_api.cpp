// SPDX-License-Identifier: MIT
// Errors: their names and texts, the last one of each thread, and versions. It also has the result of every call that
// is not simulated: its name is printed once, and it fails.
#include "isa/instruction.h"
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

/// The program has seen an error.
static cudaError_t asked(cudaError_t error) {
  Runtime& runtime = Runtime::instance();
  if (runtime.process == Runtime::Process::lost) return error;
  const std::lock_guard<std::mutex> lock(runtime.mutex);
  runtime.host_range.unasked_launch = {};
  if (error != cudaSuccess) error_was_asked(runtime);
  return error;
}

extern "C" const char* cudaGetErrorName(cudaError_t error) { return row_of(asked(error)).name; }

extern "C" const char* cudaGetErrorString(cudaError_t error) { return row_of(asked(error)).text; }

extern "C" cudaError_t cudaGetLastError() { return asked(last_error(true)); }

extern "C" cudaError_t cudaPeekAtLastError() { return asked(last_error(false)); }

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
    const std::string feature = feature_of_call(name);
    if (runtime.reported.insert(name).second)
      print_line(std::string(name) + (feature.empty() ? " is not simulated" : ": " + feature));
    return cudaErrorNotSupported;
  });
}
