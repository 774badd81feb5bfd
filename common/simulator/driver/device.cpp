// SPDX-License-Identifier: MIT
// Queries of the device, versions, the names of errors, and the addresses of the calls.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "driver/driver.h"
#include "report/console.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/loaded_code.h"
#include "runtime/refusals.h"

using namespace cudasim;

namespace {

struct ErrorName {
  int code;
  const char* name;
};
constexpr ErrorName kErrorNames[] = {
#include "driver/error_names.inc"
};

/// nullptr: there is no such error.
const char* name_of(CUresult error) {
  for (const ErrorName& row : kErrorNames) {
    if (row.code == static_cast<int>(error)) return row.name;
  }
  return nullptr;
}

/// A program that asks for the name of an error has seen the error.
void error_was_seen(CUresult error) {
  if (error == CUDA_SUCCESS) return;
  Runtime& runtime = Runtime::instance();
  const std::lock_guard<std::mutex> lock(runtime.mutex);
  error_was_asked(runtime);
}

/// This library, under any name.
void* own_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&own_library), &info) == 0) return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

bool ends_in_a_version(const std::string& name) {
  const std::size_t at = name.rfind("_v");
  return (at != std::string::npos && name.find_first_not_of("0123456789", at + 2) == std::string::npos) ||
         name.find("_pt") != std::string::npos;
}

/// Calls with a new form since some version of CUDA (cudaTypedefs.h). A program that asks for an older version gets the
/// form before.
struct ChangedCall {
  const char* name;
  int version;
  const char* suffix_before;
};
constexpr ChangedCall kChangedCalls[] = {
    {"cuCtxCreate", 13000, "_v2"},
    {"cuCtxGetDevice", 13000, ""},
    {"cuCtxSynchronize", 13000, ""},
    {"cuEventElapsedTime", 12080, ""},
    {"cuGraphAddDependencies", 12030, ""},
    {"cuGraphAddNode", 12030, ""},
    {"cuGraphExecUpdate", 12000, ""},
    {"cuGraphGetEdges", 12030, ""},
    {"cuGraphNodeGetDependencies", 12030, ""},
    {"cuGraphNodeGetDependentNodes", 12030, ""},
    {"cuGraphRemoveDependencies", 12030, ""},
    {"cuMemAdvise", 12020, ""},
    {"cuMemPrefetchAsync", 12020, ""},
    {"cuStreamGetCaptureInfo", 12030, "_v2"},
    {"cuStreamGetCtx", 12050, ""},
    {"cuStreamUpdateCaptureDependencies", 12030, ""},
};

/// What the name of the newest form ends in at most.
std::string newest_suffix(const std::string& name, int version) {
  const auto* const changed = std::find_if(std::begin(kChangedCalls), std::end(kChangedCalls),
                                           [&name](const ChangedCall& call) { return call.name == name; });
  return changed != std::end(kChangedCalls) && version < changed->version ? changed->suffix_before : "_v9";
}

/// What to do about a program or library that a runtime is linked into.
std::string about_linked_runtime(const std::string& file) {
  if (std::string about = about_machine_code(file); !about.empty()) return about;
  return "the CUDA runtime is linked into " + file +
         " (nvcc's default), and the simulator has not taken its place: start the program with scripts/simulate and do "
         "not strip " +
         file + ", or link it with nvcc -cudart shared";
}

}  // namespace

void* cudasim::entry_point(const std::string& name, int version) {
  void* const library = own_library();
  if (library == nullptr || ends_in_a_version(name)) return nullptr;
  void* found = nullptr;
  if (name == "cuGraphInstantiate" && version >= 12000) return entry_point("cuGraphInstantiateWithFlags", version);
  const std::string newest = newest_suffix(name, version);
  for (const char* suffix : {"_v4", "_v3", "_v2", ""}) {
    if (found == nullptr && suffix <= newest) found = dlsym(library, (name + suffix).c_str());
  }
  dlclose(library);
  return found;
}

/// A program does not call it. NVIDIA's libraries ask for such tables: libnvrtc goes on without them, and a library of
/// machine code, as cuFFT, does not. Only a CUDA runtime asks for the table below. A runtime is in the process only
/// where the simulator has not taken its place.
constexpr unsigned char kTableOfTheRuntime[] = {0x6B, 0xD5, 0xFB, 0x6C, 0x5B, 0xF4, 0xE7, 0x4A,
                                                0x89, 0x87, 0xD9, 0x39, 0x12, 0xFD, 0x9D, 0xF9};

extern "C" CUresult cuGetExportTable(const void** table, const CUuuid* id) {
  if (table != nullptr) *table = nullptr;
  const std::string file = file_of(__builtin_return_address(0));
  const bool is_runtime = id != nullptr && std::memcmp(id->bytes, kTableOfTheRuntime, sizeof kTableOfTheRuntime) == 0;
  if (!is_runtime && about_machine_code(file).empty()) return CUDA_ERROR_NOT_SUPPORTED;
  const std::string about = about_linked_runtime(file);
  enter("cuGetExportTable", Access::none, [&](Runtime& runtime) {
    if (runtime.reported.insert(about).second) print_line(about);
    return cudaSuccess;
  });
  return CUDA_ERROR_NOT_SUPPORTED;
}

extern "C" CUresult cuDriverGetVersion(int* version) {
  return driver_call("cuDriverGetVersion", Needs::nothing, [&] { return cudaDriverGetVersion(version); });
}

extern "C" CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  error_was_seen(error);
  *name = name_of(error);
  return *name != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

extern "C" CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  error_was_seen(error);
  *text = name_of(error) != nullptr ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
  return *text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult get_proc_address(const char* name, void** function, int version,
                                 CUdriverProcAddressQueryResult* status) {
  return driver_call("cuGetProcAddress", Needs::nothing, [&] {
    if (name == nullptr || function == nullptr) return cudaErrorInvalidValue;
    *function = entry_point(name, version);
    const bool is_too_old = *function != nullptr && version < 2000;
    if (is_too_old) *function = nullptr;
    if (status != nullptr)
      *status = is_too_old             ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                : *function == nullptr ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
                                       : CU_GET_PROC_ADDRESS_SUCCESS;
    return cudaSuccess;
  });
}

extern "C" CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t /*flags*/,
                                     CUdriverProcAddressQueryResult* status) {
  return get_proc_address(name, function, version, status);
}

static cudaError_t driver_entry_point(const char* name, void** function, unsigned version, unsigned long long flags,
                                      cudaDriverEntryPointQueryResult* result) {
  if (flags > cudaEnablePerThreadDefaultStream) return remember(cudaErrorInvalidValue);
  CUdriverProcAddressQueryResult status{};
  const CUresult error = get_proc_address(name, function, static_cast<int>(version), &status);
  if (result != nullptr) *result = static_cast<cudaDriverEntryPointQueryResult>(status);
  return remember(static_cast<cudaError_t>(error));
}

#if CUDART_VERSION < 13000
extern "C" cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                               cudaDriverEntryPointQueryResult* result) {
  return driver_entry_point(name, function, CUDART_VERSION, flags, result);
}
CUDASIM_ALIAS(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
#endif
#if CUDART_VERSION >= 12050
extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                                        unsigned long long flags,
                                                        cudaDriverEntryPointQueryResult* result) {
  return driver_entry_point(name, function, version, flags, result);
}
CUDASIM_ALIAS(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
#endif

extern "C" CUresult cuDeviceGetCount(int* count) {
  return driver_call("cuDeviceGetCount", Needs::driver, [&] { return cudaGetDeviceCount(count); });
}

extern "C" CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver_call("cuDeviceGet", Needs::driver, [&] {
    if (device == nullptr) return cudaErrorInvalidValue;
    if (ordinal != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

extern "C" CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver_call("cuDeviceGetName", Needs::driver, [&] {
    if (name == nullptr || length <= 0) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    std::strncpy(name, Runtime::instance().device_name().c_str(), static_cast<std::size_t>(length) - 1);
    name[length - 1] = '\0';
    return cudaSuccess;
  });
}

extern "C" CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return driver_call("cuDeviceGetUuid", Needs::driver, [&] {
    if (uuid == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    cudaDeviceProp properties;
    fill_properties(properties, Runtime::instance().device_name(), Runtime::instance().settings());
    std::memcpy(uuid, &properties.uuid, sizeof *uuid);
    return cudaSuccess;
  });
}

extern "C" CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return driver_call("cuDeviceTotalMem", Needs::driver, [&] {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *bytes = Runtime::instance().settings().memory_bytes;
    return cudaSuccess;
  });
}

/// Attributes of the driver alone say what a GPU has beside that, as mapping of virtual memory. The simulator has it
/// not.
static bool is_of_driver_alone(CUdevice_attribute attribute) {
  const bool is_of_textures = attribute == CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER;
  return is_of_textures ||
         (attribute >= CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED && attribute < CU_DEVICE_ATTRIBUTE_MAX);
}

extern "C" CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return driver_call("cuDeviceGetAttribute", Needs::driver, [&] {
    const cudaError_t error = cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
    if (error != cudaErrorInvalidValue || value == nullptr || !is_of_driver_alone(attribute)) return error;
    *value = 0;
    return cudaSuccess;
  });
}

extern "C" CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return driver_call("cuDeviceComputeCapability", Needs::driver, [&] {
    const cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
    return error != cudaSuccess ? error : cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device);
  });
}

extern "C" CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return driver_call("cuDeviceGetPCIBusId", Needs::driver, [&] { return cudaDeviceGetPCIBusId(text, length, device); });
}

extern "C" CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return driver_call("cuDeviceGetByPCIBusId", Needs::driver, [&] { return cudaDeviceGetByPCIBusId(device, text); });
}

extern "C" CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return driver_call("cuDeviceCanAccessPeer", Needs::driver,
                     [&] { return cudaDeviceCanAccessPeer(can_access, device, peer); });
}
