// SPDX-License-Identifier: MIT
// Modules, their kernels and variables, launches, and how many blocks fit. A kernel of the runtime
// (cudaGetFuncBySymbol) is one of the driver's, too.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "driver/driver.h"
#include "runtime/api/loaded_code.h"
#include "runtime/launch.h"
#include "runtime/occupancy.h"

using namespace cudasim;

namespace {

void write_log(const JitOptions& options, const std::string& message) {
  if (options.log == nullptr || options.log_bytes == 0) return;
  const std::size_t length = std::min(options.log_bytes - 1, message.size());
  std::memcpy(options.log, message.data(), length);
  options.log[length] = '\0';
}

/// `code` ends with a zero if it is text. `bytes`: its size, where that is known.
cudaError_t load(CUmodule* module, const void* code, std::size_t bytes, const JitOptions& options) {
  return enter("cuModuleLoad", Access::context, [&](Runtime& runtime) {
    if (module == nullptr || code == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    std::string message;
    ModuleRecord* record = load_code(runtime, code, bytes, error, message, options.most_registers);
    write_log(options, message);
    if (record != nullptr) *module = reinterpret_cast<CUmodule>(record);
    // Code that does not look like PTX at all is no image.
    if (error == cudaErrorInvalidPtx && std::strstr(static_cast<const char*>(code), ".version") == nullptr)
      return cudaErrorInvalidKernelImage;
    return error;
  });
}

constexpr std::size_t kUnknownSize = std::numeric_limits<std::size_t>::max();

cudaError_t launch(const char* name, CUfunction function, dim3 grid, dim3 block, unsigned shared_bytes, CUstream stream,
                   void** arguments, void** extra, bool cooperative) {
  return enter(name, Access::enqueued, [&](Runtime& runtime) {
    if (arguments != nullptr && extra != nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const KernelInfo* info = extra != nullptr ? runtime.kernel_info(function, error) : nullptr;
    std::vector<std::byte> parameters;
    std::vector<void*> addresses;
    if (info != nullptr) {
      error = take_buffer(*info, extra, parameters);
      if (error != cudaSuccess) return error;
      addresses = addresses_of(*info, parameters);
      arguments = addresses.data();
    }
    return launch_kernel(runtime, name, {function, grid, block, shared_bytes, cooperative}, arguments, {stream});
  });
}

cudaError_t attribute_of(CUfunction function, CUfunction_attribute attribute, int* value) {
  cudaFuncAttributes attributes{};
  if (value == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = cudaFuncGetAttributes(&attributes, function);
  if (error != cudaSuccess) return error;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = attributes.maxThreadsPerBlock;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(attributes.sharedSizeBytes);
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(attributes.constSizeBytes);
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(attributes.localSizeBytes);
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = attributes.numRegs;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = attributes.ptxVersion;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = attributes.binaryVersion;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = 0;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = attributes.maxDynamicSharedSizeBytes;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = attributes.preferredShmemCarveout;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      *value = 0;  // clusters are not simulated
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t best_block(int* grid, int* block, CUfunction function, CUoccupancyB2DSize bytes_of_block,
                       std::size_t shared_bytes, int most_threads) {
  if (grid == nullptr || block == nullptr) return cudaErrorInvalidValue;
  cudaFuncAttributes attributes{};
  cudaError_t error = cudaFuncGetAttributes(&attributes, function);
  int most_resident = 0;
  int threads = attributes.maxThreadsPerBlock;
  if (most_threads > 0) threads = std::min(threads, most_threads);
  for (; error == cudaSuccess && threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = 0;
    const std::size_t dynamic = bytes_of_block != nullptr ? bytes_of_block(threads) : shared_bytes;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, dynamic);
    if (error != cudaSuccess || blocks * threads <= most_resident) continue;
    most_resident = blocks * threads;
    *block = threads;
    *grid = blocks * static_cast<int>(Runtime::instance().settings().schedule.multiprocessors);
  }
  if (error == cudaSuccess && most_resident == 0) *grid = *block = 0;
  return error;
}

}  // namespace

JitOptions cudasim::read_options(unsigned count, const CUjit_option* options, void* const* values) {
  JitOptions read;
  for (unsigned i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values[i]));
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) read.log = static_cast<char*>(values[i]);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) read.log_bytes = number;
    if (options[i] == CU_JIT_MAX_REGISTERS) read.most_registers = number;
  }
  return read;
}

extern "C" CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return driver_call("cuModuleLoadData", Needs::context, [&] { return load(module, image, kUnknownSize, {}); });
}

static CUresult load_with_options(const char* name, Needs needs, CUmodule* module, const void* image, unsigned count,
                                  const CUjit_option* options, void** values) {
  return driver_call(name, needs, [&] {
    if (count != 0 && (options == nullptr || values == nullptr)) return cudaErrorInvalidValue;
    return load(module, image, kUnknownSize, read_options(count, options, values));
  });
}

extern "C" CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                                       void** values) {
  return load_with_options("cuModuleLoadDataEx", Needs::context, module, image, count, options, values);
}

/// A library belongs to no context.
extern "C" CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jit_options,
                                      void** jit_values, unsigned jit_count, CUlibraryOption* /*options*/,
                                      void** /*values*/, unsigned /*count*/) {
  return load_with_options("cuLibraryLoadData", Needs::driver, reinterpret_cast<CUmodule*>(library), code, jit_count,
                           jit_options, jit_values);
}

extern "C" CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return driver_call("cuModuleLoadFatBinary", Needs::context, [&] { return load(module, image, kUnknownSize, {}); });
}

extern "C" CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return driver_call("cuModuleLoad", Needs::context, [&] {
    if (module == nullptr || path == nullptr) return cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    const std::string code(std::istreambuf_iterator<char>(file), {});
    if (!file) return complain("cuModuleLoad", std::string(path) + " cannot be read", cudaErrorFileNotFound);
    return load(module, code.c_str(), code.size(), {});
  });
}

extern "C" CUresult cuModuleUnload(CUmodule module) {
  return driver_call("cuModuleUnload", Needs::driver, [&] {
    return enter("cuModuleUnload", Access::context, [&](Runtime& runtime) {
      ModuleRecord* record = find_loaded(runtime, module);
      if (record == nullptr) return cudaErrorInvalidResourceHandle;
      runtime.unregister(*record);
      return cudaSuccess;
    });
  });
}

static CUresult get_kernel(const char* call, Needs needs, CUfunction* function, CUmodule module, const char* name) {
  return driver_call(call, needs, [&] {
    return enter(call, Access::context, [&](Runtime& runtime) {
      if (function == nullptr || name == nullptr) return cudaErrorInvalidValue;
      ModuleRecord* record = find_loaded(runtime, module);
      if (record == nullptr) return cudaErrorInvalidResourceHandle;
      const void* found = kernel_of(runtime, *record, name);
      if (found == nullptr)
        return complain(call,
                        "the module has no kernel '" + std::string(name) +
                            "': is it declared extern \"C\", or its mangled name asked for?",
                        cudaErrorSymbolNotFound);
      *function = static_cast<CUfunction>(const_cast<void*>(found));
      return cudaSuccess;
    });
  });
}

extern "C" CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return get_kernel("cuModuleGetFunction", Needs::context, function, module, name);
}

extern "C" CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return get_kernel("cuLibraryGetKernel", Needs::driver, reinterpret_cast<CUfunction*>(kernel),
                    reinterpret_cast<CUmodule>(library), name);
}

#if CUDA_VERSION >= 12040
/// All kernels. `wanted` handles are written to `list`; nullptr: only their number is asked for.
static CUresult list_kernels(const char* call, CUmodule module, unsigned* count, CUfunction* list, unsigned wanted) {
  return driver_call(call, Needs::driver, [&] {
    return enter(call, Access::context, [&](Runtime& runtime) {
      ModuleRecord* record = find_loaded(runtime, module);
      if (record == nullptr) return cudaErrorInvalidResourceHandle;
      if (count == nullptr && list == nullptr) return cudaErrorInvalidValue;
      unsigned found = 0;
      for (const ptx::Function& function : runtime.load(*record)->text().functions) {
        if (!function.is_entry || function.is_declaration) continue;
        if (found < wanted)
          list[found] = static_cast<CUfunction>(const_cast<void*>(kernel_of(runtime, *record, function.name.c_str())));
        ++found;
      }
      if (count != nullptr) *count = found;
      return cudaSuccess;
    });
  });
}

extern "C" CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return list_kernels("cuModuleGetFunctionCount", module, count, nullptr, 0);
}

extern "C" CUresult cuModuleEnumerateFunctions(CUfunction* list, unsigned count, CUmodule module) {
  return list_kernels("cuModuleEnumerateFunctions", module, nullptr, list, count);
}

extern "C" CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return list_kernels("cuLibraryGetKernelCount", reinterpret_cast<CUmodule>(library), count, nullptr, 0);
}

extern "C" CUresult cuLibraryEnumerateKernels(CUkernel* list, unsigned count, CUlibrary library) {
  return list_kernels("cuLibraryEnumerateKernels", reinterpret_cast<CUmodule>(library), nullptr,
                      reinterpret_cast<CUfunction*>(list), count);
}
#endif

extern "C" CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  return driver_call("cuModuleGetGlobal", Needs::context, [&] {
    return enter("cuModuleGetGlobal", Access::context, [&](Runtime& runtime) {
      if (name == nullptr || (address == nullptr && bytes == nullptr)) return cudaErrorInvalidValue;
      ModuleRecord* record = find_loaded(runtime, module);
      if (record == nullptr) return cudaErrorInvalidResourceHandle;
      const Allocation* found = global_of(runtime, *record, name);
      if (found == nullptr) return record->module->has_kernel(name) ? cudaErrorInvalidValue : cudaErrorSymbolNotFound;
      if (address != nullptr) *address = found->address;
      if (bytes != nullptr) *bytes = found->size_bytes;
      return cudaSuccess;
    });
  });
}

extern "C" CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return driver_call("cuModuleGetLoadingMode", Needs::driver, [&] {
    if (mode == nullptr) return cudaErrorInvalidValue;
    *mode = CU_MODULE_LAZY_LOADING;
    return cudaSuccess;
  });
}

extern "C" CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void** arguments, void** extra) {
  return driver_call("cuLaunchKernel", Needs::context, [&] {
    return launch("cuLaunchKernel", function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes,
                  stream, arguments, extra, false);
  });
}
CUDASIM_DRIVER_ALIAS(cuLaunchKernel_ptsz, cuLaunchKernel);

extern "C" CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                              unsigned block_x, unsigned block_y, unsigned block_z,
                                              unsigned shared_bytes, CUstream stream, void** arguments) {
  return driver_call("cuLaunchCooperativeKernel", Needs::context, [&] {
    return launch("cuLaunchCooperativeKernel", function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                  shared_bytes, stream, arguments, nullptr, true);
  });
}
CUDASIM_DRIVER_ALIAS(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);

extern "C" CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                                     void** extra) {
  return driver_call("cuLaunchKernelEx", Needs::context, [&] {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) return cudaErrorInvalidValue;
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const CUlaunchAttribute& attribute = config->attrs[i];
      if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) cooperative = attribute.value.cooperative != 0;
      const auto& size = attribute.value.clusterDim;
      if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && (size.x > 1 || size.y > 1 || size.z > 1))
        return complain("cuLaunchKernelEx", "thread block clusters are not simulated", cudaErrorNotSupported);
    }
    return launch("cuLaunchKernelEx", function, {config->gridDimX, config->gridDimY, config->gridDimZ},
                  {config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes, config->hStream,
                  arguments, extra, cooperative);
  });
}
CUDASIM_DRIVER_ALIAS(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);

extern "C" CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return driver_call("cuFuncGetAttribute", Needs::context, [&] { return attribute_of(function, attribute, value); });
}

extern "C" CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driver_call("cuFuncSetAttribute", Needs::context, [&] {
    if (attribute < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return cudaErrorInvalidValue;
    return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value);
  });
}

extern "C" CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache /*config*/) {
  return driver_call("cuFuncSetCacheConfig", Needs::context,
                     [&] { return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone); });
}

/// Deprecated: for launches that name no block, which are not simulated. Any other launch ignores it. PyCUDA calls it
/// before each of its launches.
extern "C" CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  int most = 0;
  return driver_call("cuFuncSetBlockShape", Needs::context, [&] {
    const cudaError_t error = attribute_of(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most);
    if (error != cudaSuccess) return error;
    const bool is_a_block = x > 0 && y > 0 && z > 0 && z <= 64 && x <= most && y <= most && 1L * x * y * z <= most;
    return is_a_block ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return driver_call("cuFuncGetModule", Needs::context, [&] {
    return enter("cuFuncGetModule", Access::context, [&](Runtime& runtime) {
      const KernelRecord* kernel = runtime.find_kernel(function);
      if (module == nullptr) return cudaErrorInvalidValue;
      if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
      *module = reinterpret_cast<CUmodule>(kernel->module);
      return cudaSuccess;
    });
  });
}

#if CUDA_VERSION >= 12030
CUDASIM_EXPORT cudaError_t cudaFuncGetName(const char** name, const void* function);
CUDASIM_EXPORT cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                                std::size_t* size);

extern "C" CUresult cuFuncGetName(const char** name, CUfunction function) {
  return driver_call("cuFuncGetName", Needs::context,
                     [&] { return function != nullptr ? cudaFuncGetName(name, function) : cudaErrorInvalidValue; });
}

extern "C" CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* size) {
  return driver_call("cuFuncGetParamInfo", Needs::context,
                     [&] { return cudaFuncGetParamInfo(function, index, offset, size); });
}
#endif

extern "C" CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                                std::size_t shared_bytes) {
  return driver_call("cuOccupancyMaxActiveBlocksPerMultiprocessor", Needs::context, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
  });
}

extern "C" CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                                         std::size_t shared_bytes, unsigned flags) {
  return driver_call("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", Needs::context, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, flags);
  });
}

extern "C" CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int blocks,
                                                            int threads) {
  return driver_call("cuOccupancyAvailableDynamicSMemPerBlock", Needs::context,
                     [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads); });
}

extern "C" CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                                     CUoccupancyB2DSize bytes_of_block, std::size_t shared_bytes,
                                                     int most_threads) {
  return driver_call("cuOccupancyMaxPotentialBlockSize", Needs::context,
                     [&] { return best_block(grid, block, function, bytes_of_block, shared_bytes, most_threads); });
}

extern "C" CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                              CUoccupancyB2DSize bytes_of_block,
                                                              std::size_t shared_bytes, int most_threads,
                                                              unsigned /*flags*/) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, bytes_of_block, shared_bytes, most_threads);
}
