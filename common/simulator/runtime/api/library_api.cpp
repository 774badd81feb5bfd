// SPDX-License-Identifier: MIT
// Device code that a program loads at run time: PTX as text, or a fat binary. From CUDA 12.8 on.
#include <limits>

#include "report/console.h"
#include "runtime/api/loaded_code.h"

#if CUDART_VERSION >= 12080

using namespace cudasim;

namespace {

/// The allocation of a variable of a library, or nullptr and an error.
const Allocation* find_global(Runtime& runtime, cudaLibrary_t library, const char* name, cudaError_t& error) {
  ModuleRecord* record = find_loaded(runtime, library);
  error = record == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorSymbolNotFound;
  if (record == nullptr || name == nullptr) return nullptr;
  const Allocation* allocation = global_of(runtime, *record, name);
  if (allocation != nullptr) error = cudaSuccess;
  return allocation;
}

}  // namespace

extern "C" cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* /*jit_options*/,
                                           void** /*jit_values*/, unsigned /*jit_count*/,
                                           cudaLibraryOption* /*options*/, void** /*values*/, unsigned /*count*/) {
  const std::string caller = file_of(__builtin_return_address(0));
  return enter("cudaLibraryLoadData", Access::context, [&](Runtime& runtime) {
    if (library == nullptr || code == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    std::string message;
    ModuleRecord* record = load_code(runtime, code, std::numeric_limits<std::size_t>::max(), error, message);
    if (record != nullptr) *library = reinterpret_cast<cudaLibrary_t>(record);
    const std::string about = about_machine_code(caller);
    if (record == nullptr && !about.empty() && runtime.reported.insert(about).second) print_line(about);
    return error;
  });
}

extern "C" cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return enter("cudaLibraryUnload", Access::context, [&](Runtime& runtime) {
    ModuleRecord* record = find_loaded(runtime, library);
    if (record == nullptr) return cudaErrorInvalidResourceHandle;
    runtime.unregister(*record);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return enter("cudaLibraryGetKernel", Access::context, [&](Runtime& runtime) {
    ModuleRecord* record = find_loaded(runtime, library);
    if (record == nullptr) return cudaErrorInvalidResourceHandle;
    if (kernel == nullptr || name == nullptr) return cudaErrorInvalidValue;
    const void* found = kernel_of(runtime, *record, name);
    if (found == nullptr) return cudaErrorSymbolNotFound;
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(found));
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                            const char* name) {
  return enter("cudaLibraryGetGlobal", Access::context, [&](Runtime& runtime) {
    cudaError_t error = cudaSuccess;
    const Allocation* allocation = find_global(runtime, library, name, error);
    if (allocation == nullptr) return error;
    if (pointer != nullptr) *pointer = reinterpret_cast<void*>(allocation->address);
    if (bytes != nullptr) *bytes = allocation->size_bytes;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaLibraryGetManaged(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                             const char* name) {
  return enter("cudaLibraryGetManaged", Access::context, [&](Runtime& runtime) {
    cudaError_t error = cudaSuccess;
    const Allocation* allocation = find_global(runtime, library, name, error);
    if (allocation == nullptr) return error;
    if (allocation->origin != Origin::managed) return cudaErrorSymbolNotFound;
    if (pointer != nullptr) *pointer = reinterpret_cast<void*>(allocation->address);
    if (bytes != nullptr) *bytes = allocation->size_bytes;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                                       int device) {
  if (device != 0) return remember(cudaErrorInvalidDevice);
  return cudaFuncSetAttribute(kernel, attribute, value);
}

#endif
