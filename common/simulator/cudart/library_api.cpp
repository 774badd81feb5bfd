// SPDX-License-Identifier: MIT
// Device code that a program brings at run time: PTX as text, or a fat binary. From CUDA 12.8 on.
#include "cudart/runtime.h"

#if CUDART_VERSION >= 12080

#include <cstring>

#include "cudart/fat_binary.h"

using namespace cudasim;

namespace {

/// The record behind a handle, or nullptr.
ModuleRecord* find_library(Runtime& runtime, cudaLibrary_t library) {
  for (ModuleRecord& record : runtime.modules) {
    if (reinterpret_cast<cudaLibrary_t>(&record) == library && record.is_library) return &record;
  }
  return nullptr;
}

/// Tells PTX, fat binary and machine code apart by how they begin.
void read_code(ModuleRecord& record, const void* code) {
  const auto* text = static_cast<const char*>(code);
  std::uint32_t magic = 0;  // no text of fewer than four characters is any of the others
  if (strnlen(text, sizeof magic) == sizeof magic) std::memcpy(&magic, text, sizeof magic);
  if (magic == fat_binary_wrapper_magic) {
    record.wrapper = code;
  } else if (magic == fat_binary_magic) {
    ChosenPtx chosen = choose_ptx({text, container_bytes({text, 16})}, device_arch);
    if (!chosen.text.empty()) return record.ptx.push_back(std::move(chosen.text));
    record.error = cudaErrorNoKernelImageForDevice;
    record.message = chosen.reason;
  } else if (std::strncmp(text, "\177ELF", 4) == 0) {
    record.error = cudaErrorNoKernelImageForDevice;
    record.message = "this is machine code (SASS), which cannot be simulated: load PTX";
  } else {
    record.ptx.emplace_back(text);
  }
}

/// The allocation of a variable of a library, or nullptr and an error.
const Allocation* find_global(Runtime& runtime, cudaLibrary_t library, const char* name, cudaError_t& error) {
  ModuleRecord* record = find_library(runtime, library);
  error = record == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorSymbolNotFound;
  if (record == nullptr || name == nullptr) return nullptr;
  Module* module = runtime.load(*record);
  const Allocation* allocation = module != nullptr ? module->variable(name) : nullptr;
  if (allocation != nullptr) error = cudaSuccess;
  return allocation;
}

}  // namespace

extern "C" cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* /*jit_options*/,
                                           void** /*jit_values*/, unsigned /*jit_count*/,
                                           cudaLibraryOption* /*options*/, void** /*values*/, unsigned /*count*/) {
  return enter("cudaLibraryLoadData", Access::context, [&](Runtime& runtime) {
    if (library == nullptr || code == nullptr) return cudaErrorInvalidValue;
    ModuleRecord& record = runtime.modules.emplace_back();
    record.is_library = true;
    try {
      read_code(record, code);
    } catch (const FatBinaryError& error) {
      record.error = cudaErrorInvalidKernelImage;
      record.message = error.what();
    }
    if (runtime.load(record) == nullptr) {
      const cudaError_t error = record.error;
      runtime.unregister(record);
      return error;
    }
    *library = reinterpret_cast<cudaLibrary_t>(&record);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return enter("cudaLibraryUnload", Access::context, [&](Runtime& runtime) {
    ModuleRecord* record = find_library(runtime, library);
    if (record == nullptr) return cudaErrorInvalidResourceHandle;
    runtime.unregister(*record);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return enter("cudaLibraryGetKernel", Access::context, [&](Runtime& runtime) {
    ModuleRecord* record = find_library(runtime, library);
    if (record == nullptr) return cudaErrorInvalidResourceHandle;
    if (kernel == nullptr || name == nullptr) return cudaErrorInvalidValue;
    Module* module = runtime.load(*record);
    if (module == nullptr || !module->has_kernel(name)) return cudaErrorSymbolNotFound;
    // The name, kept in the record for as long as the library lives, is the handle.
    const std::string& kept = *record->kernel_names.insert(name).first;
    KernelRecord entry;
    entry.module = record;
    entry.name = name;
    runtime.kernels.try_emplace(&kept, std::move(entry));
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<std::string*>(&kept));
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
