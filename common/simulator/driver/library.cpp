// SPDX-License-Identifier: MIT
// Libraries and their kernels. A library is a module, and a kernel of one is a function: the handles are the same, and
// module.cpp loads both.
#include "driver/driver.h"
#include "runtime/api/loaded_code.h"

using namespace cudasim;

namespace {

CUmodule module_of(CUlibrary library) { return reinterpret_cast<CUmodule>(library); }
CUfunction function_of(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

/// A call about a kernel on a device.
template <class Body>
CUresult kernel_call(const char* name, CUdevice device, Body body) {
  return driver_call(name, Needs::context, [&] { return device != 0 ? cudaErrorInvalidDevice : body(); });
}

}  // namespace

extern "C" CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* /*jit_options*/,
                                          void** /*jit_values*/, unsigned /*jit_count*/, CUlibraryOption* /*options*/,
                                          void** /*values*/, unsigned /*count*/) {
  return cuModuleLoad(reinterpret_cast<CUmodule*>(library), path);
}

extern "C" CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload(module_of(library)); }

extern "C" CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
  return cuModuleGetGlobal(address, bytes, module_of(library), name);
}

extern "C" CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return driver_call("cuLibraryGetModule", Needs::context, [&] {
    return enter("cuLibraryGetModule", Access::context, [&](Runtime& runtime) {
      if (module == nullptr) return cudaErrorInvalidValue;
      if (find_loaded(runtime, library) == nullptr) return cudaErrorInvalidResourceHandle;
      *module = module_of(library);
      return cudaSuccess;
    });
  });
}

extern "C" CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return driver_call("cuKernelGetFunction", Needs::context, [&] {
    return enter("cuKernelGetFunction", Access::context, [&](Runtime& runtime) {
      if (function == nullptr) return cudaErrorInvalidValue;
      if (runtime.find_kernel(kernel) == nullptr) return cudaErrorInvalidResourceHandle;
      *function = function_of(kernel);
      return cudaSuccess;
    });
  });
}

extern "C" CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  return kernel_call("cuKernelGetAttribute", device, [&] {
    return static_cast<cudaError_t>(cuFuncGetAttribute(value, attribute, function_of(kernel)));
  });
}

extern "C" CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  return kernel_call("cuKernelSetAttribute", device, [&] {
    return static_cast<cudaError_t>(cuFuncSetAttribute(function_of(kernel), attribute, value));
  });
}

extern "C" CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return kernel_call("cuKernelSetCacheConfig", device,
                     [&] { return static_cast<cudaError_t>(cuFuncSetCacheConfig(function_of(kernel), config)); });
}

#if CUDA_VERSION >= 12030
extern "C" CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, function_of(kernel));
}
#endif
#if CUDA_VERSION >= 12040
extern "C" CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset, std::size_t* size) {
  return cuFuncGetParamInfo(function_of(kernel), index, offset, size);
}
#endif
