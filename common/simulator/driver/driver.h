// SPDX-License-Identifier: MIT
// The driver API over the machine of the runtime. Both APIs share one memory and one set of streams and modules. A call
// here checks that the driver is initialised and that the thread has a context. Then it is the runtime's call, or its
// equivalent. Contexts that a program creates share all of this with the primary one. When the last of them is
// destroyed, all of it is. The errors are those of an H200 (tests/gpu/programs/recorded/driver_errors_h200.txt).
#pragma once

#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

#include "runtime/runtime.h"

namespace cudasim {

/// A second name of an entry point, as CUDASIM_ALIAS, for names that cuda.h replaces by those of newer versions.
#define CUDASIM_DRIVER_ALIAS(alias_name, name) CUDASIM_DRIVER_ALIAS_OF(alias_name, name)
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CUDASIM_DRIVER_ALIAS_OF(alias_name, name) CUDASIM_EXPORT decltype(name) alias_name __attribute__((alias(#name)))

/// A call of the driver is running: messages have its name, and its errors are not errors of the runtime.
class DriverCall {
 public:
  explicit DriverCall(const char* name);
  ~DriverCall();
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

 private:
  const char* before_;
  cudaError_t last_error_;
};

enum class Needs {
  nothing,
  driver,   ///< cuInit
  context,  ///< a context that is current to the thread
};
/// Handles and addresses belong to a context, so that a call about one needs no current context. A default stream does.
inline Needs needs_of(CUstream stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= reinterpret_cast<std::uintptr_t>(CU_STREAM_PER_THREAD)
             ? Needs::context
             : Needs::driver;
}
/// cudaSuccess, or why a call with these arguments cannot continue.
cudaError_t check_needs(Needs needs);

/// The codes of runtime and driver are the same numbers, except for some that only the runtime has.
CUresult to_driver(cudaError_t error);

/// Every entry point: `body` makes calls of the runtime, or enters it itself, and returns their error.
template <class Body>
CUresult driver_call(const char* name, Needs needs, Body body) {
  const DriverCall call(name);
  const cudaError_t error = check_needs(needs);
  return to_driver(error != cudaSuccess ? error : body());
}

/// What a program asks of the compiler. Options about speed and debugging are left out.
struct JitOptions {
  char* log = nullptr;  ///< where to write why the code cannot be loaded
  std::size_t log_bytes = 0;
  std::uint32_t most_registers = 0;
};
JitOptions read_options(unsigned count, const CUjit_option* options, void* const* values);

/// The names of the program's kernels, streams and events: handles of runtime and driver are the same.
inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// The symbol of this library by which a call of that version is exported, or nullptr.
void* entry_point(const std::string& name, int version);

}  // namespace cudasim
