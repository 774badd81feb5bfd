// SPDX-License-Identifier: MIT
// The calls that nvcc's code makes before main: they register modules, kernels and variables. Nothing is parsed or
// allocated yet. The errors of a module are reported when it is first used.
#include "runtime/runtime.h"

using namespace cudasim;

namespace {

ModuleRecord* record_of(void** handle) { return reinterpret_cast<ModuleRecord*>(handle); }

void add_variable(void** handle, const void* symbol, const char* name, std::size_t size_bytes, void** managed_pointer) {
  enter("variable registration", Access::none, [&](Runtime& runtime) {
    VariableRecord variable;
    variable.module = record_of(handle);
    variable.name = name;
    variable.size_bytes = size_bytes;
    variable.managed_pointer = managed_pointer;
    runtime.variables[symbol] = std::move(variable);
    return cudaSuccess;
  });
}

}  // namespace

CUDASIM_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  void** handle = nullptr;
  enter("__cudaRegisterFatBinary", Access::none, [&](Runtime& runtime) {
    ModuleRecord& record = runtime.modules.emplace_back();
    record.wrapper = wrapper;
    handle = reinterpret_cast<void**>(&record);
    return cudaSuccess;
  });
  return handle;
}

CUDASIM_EXPORT void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}

CUDASIM_EXPORT void __cudaUnregisterFatBinary(void** handle) {
  enter("__cudaUnregisterFatBinary", Access::none, [&](Runtime& runtime) {
    if (handle != nullptr) runtime.unregister(*record_of(handle));
    return cudaSuccess;
  });
}

CUDASIM_EXPORT void __cudaRegisterFunction(void** handle, const char* host_function, char* /*device_function*/,
                                           const char* device_name, int /*thread_limit*/, uint3* /*thread*/,
                                           uint3* /*block*/, dim3* /*block_size*/, dim3* /*grid_size*/,
                                           int* /*kWarpSize*/) {
  enter("__cudaRegisterFunction", Access::none, [&](Runtime& runtime) {
    KernelRecord kernel;
    kernel.module = record_of(handle);
    kernel.name = device_name;
    runtime.kernels[host_function] = std::move(kernel);
    return cudaSuccess;
  });
}

CUDASIM_EXPORT void __cudaRegisterVar(void** handle, char* host_variable, char* /*device_address*/,
                                      const char* device_name, int /*is_extern*/, std::size_t size, int /*is_constant*/,
                                      int /*is_global*/) {
  add_variable(handle, host_variable, device_name, size, nullptr);
}

CUDASIM_EXPORT void __cudaRegisterManagedVar(void** handle, void** host_pointer, char* device_address,
                                             const char* device_name, int /*is_extern*/, std::size_t /*size*/,
                                             int /*is_constant*/, int /*is_global*/) {
  // Programs name the variable by either address.
  add_variable(handle, host_pointer, device_name, sizeof(void*), host_pointer);
  if (device_address != nullptr) add_variable(handle, device_address, device_name, 0, host_pointer);
}

CUDASIM_EXPORT void __cudaRegisterHostVar(void** /*handle*/, const char* /*device_name*/, char* /*host_variable*/,
                                          std::size_t /*size*/) {}

CUDASIM_EXPORT void __cudaRegisterUnifiedTable(void** /*handle*/, void* /*table*/) {}

/// Called before the host touches a __managed__ variable for the first time.
CUDASIM_EXPORT char __cudaInitModule(void** handle) {
  const cudaError_t error = enter("__cudaInitModule", Access::context, [&](Runtime& runtime) {
    return runtime.load(*record_of(handle)) != nullptr ? cudaSuccess : record_of(handle)->error;
  });
  return error == cudaSuccess;
}
