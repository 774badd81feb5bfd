// SPDX-License-Identifier: MIT
// The attributes of a kernel that a program can query and set.
#include "isa/instruction.h"
#include "runtime/occupancy.h"
#include "runtime/runtime.h"

using namespace cudasim;

/// Of all __constant__ variables of a module: they lie in one bank.
static std::size_t constant_bytes(const ptx::Module& module) {
  std::size_t bytes = 0;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == ptx::Space::constant && !variable.is_extern) bytes += variable.size_bytes;
  }
  return bytes;
}

extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return enter("cudaFuncGetAttributes", Access::context, [&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const KernelInfo* info = runtime.kernel_info(function, error);
    if (info == nullptr) return error;
    const KernelRecord& kernel = *runtime.find_kernel(function);
    *attributes = {};
    attributes->sharedSizeBytes = info->static_shared_bytes;
    attributes->constSizeBytes = constant_bytes(kernel.module->module->text());
    attributes->localSizeBytes = info->local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(info->max_threads);
    attributes->numRegs = static_cast<int>(registers_of(*info));
    attributes->ptxVersion = info->ptx_version;
    attributes->binaryVersion = static_cast<int>(runtime.settings().schedule.gpu->capability);
    attributes->maxDynamicSharedSizeBytes = max_dynamic_shared_bytes(*info, kernel);
    attributes->preferredShmemCarveout = kernel.shared_carveout;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return enter("cudaFuncSetAttribute", Access::context, [&](Runtime& runtime) {
    cudaError_t error = cudaSuccess;
    const KernelInfo* info = runtime.kernel_info(function, error);
    if (info == nullptr) return error;
    KernelRecord& kernel = *runtime.find_kernel(function);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      kernel.shared_carveout = value;
      return cudaSuccess;
    }
    switch (static_cast<int>(attribute)) {
      case cudaFuncAttributeNonPortableClusterSizeAllowed:  // allows more, and asks for nothing
      case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return cudaSuccess;
      case cudaFuncAttributeClusterDimMustBeSet:
      case cudaFuncAttributeRequiredClusterWidth:
      case cudaFuncAttributeRequiredClusterHeight:
      case cudaFuncAttributeRequiredClusterDepth:
        if (value <= 1) return cudaSuccess;
        return complain("cudaFuncSetAttribute", feature_of_call("Cluster"), cudaErrorNotSupported);
      default:
        break;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
      return complain("cudaFuncSetAttribute", "this attribute is not simulated", cudaErrorNotSupported);
    }
    const Gpu& gpu = *runtime.settings().schedule.gpu;
    const std::uint32_t most = gpu.shared_per_block_optin;
    if (value < 0 || static_cast<std::uint64_t>(value) + info->static_shared_bytes > most) {
      return complain("cudaFuncSetAttribute",
                      std::to_string(value) + " bytes of dynamic and " + std::to_string(info->static_shared_bytes) +
                          " of static shared memory, but a block has at most " + std::to_string(most) + " on the " +
                          gpu.product + " (CUDASIM_GPU=" + gpu.word + ")",
                      cudaErrorInvalidValue);
    }
    kernel.max_dynamic_shared = value;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache /*config*/) {
  return enter("cudaFuncSetCacheConfig", Access::context,
               [&](Runtime& runtime) { return runtime.find_kernel(function) != nullptr ? cudaSuccess : kNotAKernel; });
}

extern "C" cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig /*config*/) {
  return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

extern "C" cudaError_t cudaGetFuncBySymbol(cudaFunction_t* result, const void* symbol) {
  return enter("cudaGetFuncBySymbol", Access::context, [&](Runtime& runtime) {
    if (result == nullptr) return cudaErrorInvalidValue;
    if (runtime.find_kernel(symbol) == nullptr) return kNotAKernel;
    *result = static_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
  });
}

#if CUDART_VERSION >= 12010
extern "C" cudaError_t cudaGetKernel(cudaKernel_t* result, const void* function) {
  return enter("cudaGetKernel", Access::context, [&](Runtime& runtime) {
    if (result == nullptr) return cudaErrorInvalidValue;
    if (runtime.find_kernel(function) == nullptr) return kNotAKernel;
    *result = static_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
  });
}
#endif

// Newer than CUDA 12.0, whose headers do not declare them.
CUDASIM_EXPORT cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return enter("cudaFuncGetName", Access::context, [&](Runtime& runtime) {
    const KernelRecord* kernel = runtime.find_kernel(function);
    if (name == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return kNotAKernel;
    *name = kernel->name.c_str();
    return cudaSuccess;
  });
}

/// A program that asks for one parameter after the other ends with an index behind the last one. That is no failure of
/// the program.
CUDASIM_EXPORT cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                                std::size_t* size) {
  bool is_behind_the_last = false;
  const cudaError_t error = enter("cudaFuncGetParamInfo", Access::context, [&](Runtime& runtime) {
    cudaError_t unknown = cudaSuccess;
    const KernelInfo* info = runtime.kernel_info(function, unknown);
    if (info == nullptr) return unknown;
    if (offset == nullptr) return cudaErrorInvalidValue;
    is_behind_the_last = index >= info->parameters.size();
    if (is_behind_the_last) return cudaSuccess;
    *offset = info->parameters[index].offset_bytes;
    if (size != nullptr) *size = info->parameters[index].size_bytes;
    return cudaSuccess;
  });
  return is_behind_the_last ? remember(cudaErrorInvalidValue) : error;
}
