// SPDX-License-Identifier: MIT
// The device: there is one, number 0. The calls select it, give its limits and attributes, and end its context.
#include <cstring>

#include "runtime/api/device_properties.h"
#include "runtime/capture.h"
#include "runtime/limits.h"
#include "runtime/runtime.h"

using namespace cudasim;

namespace {

constexpr const char* kPciBusId = "0000:00:00.0";

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

}  // namespace

extern "C" cudaError_t cudaGetDeviceCount(int* count) {
  return enter("cudaGetDeviceCount", Access::none, [&](Runtime& /*runtime*/) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaSetDevice(int device) {
  return enter("cudaSetDevice", Access::context, [&](Runtime&) { return check_device(device); });
}

extern "C" cudaError_t cudaInitDevice(int device, unsigned /*device_flags*/, unsigned /*flags*/) {
  return cudaSetDevice(device);
}

extern "C" cudaError_t cudaSetValidDevices(int* devices, int count) {
  for (int i = 0; i < count; ++i) {
    if (devices == nullptr || devices[i] != 0) return remember(cudaErrorInvalidDevice);
  }
  return cudaSuccess;
}

extern "C" cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  if (device == nullptr || properties == nullptr) return remember(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return enter("cudaGetDeviceProperties", Access::none, [&](Runtime& runtime) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    fill_properties(*properties, runtime.device_name(), runtime.settings());
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return enter("cudaDeviceGetAttribute", Access::none, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    return attribute_value(attribute, runtime.settings().schedule, *value) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaDeviceSynchronize() {
  return enter("cudaDeviceSynchronize", Access::synchronous, [](Runtime& runtime) {
    const cudaError_t error = refuse_any_capture(runtime);
    if (error != cudaSuccess) return error;
    look_at_wait(runtime, "cudaDeviceSynchronize");
    return runtime.wait_for_all();
  });
}

/// Ends the context, and with it the error of a failed kernel. On a real device the error lasts until the program ends;
/// here a test can continue.
extern "C" cudaError_t cudaDeviceReset() {
  return enter("cudaDeviceReset", Access::none, [](Runtime& runtime) {
    runtime.reset();
    device_was_reset();
    last_error(true);
    return cudaSuccess;
  });
}

#if CUDART_VERSION < 13000
// The oldest names, which old lessons still use.
CUDASIM_ALIAS(cudaThreadSynchronize, cudaDeviceSynchronize);
CUDASIM_ALIAS(cudaThreadExit, cudaDeviceReset);
#endif

extern "C" cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return enter("cudaSetDeviceFlags", Access::context, [&](Runtime& runtime) {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0) return cudaErrorInvalidValue;
    runtime.device_flags = flags;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return enter("cudaGetDeviceFlags", Access::none, [&](Runtime& runtime) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = runtime.device_flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return enter("cudaDeviceGetLimit", Access::context, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!default_limit(limit, *value)) return cudaErrorUnsupportedLimit;
    *value = limit_of(runtime, limit);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return enter("cudaDeviceSetLimit", Access::context, [&](Runtime& runtime) {
    std::size_t before = 0;
    if (!default_limit(limit, before)) return cudaErrorUnsupportedLimit;
    runtime.limits[limit] = value;
    return cudaSuccess;
  });
}

// Caches are not simulated, and shared memory has one bank width. These calls only store their value.
extern "C" cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache /*config*/) { return cudaSuccess; }

extern "C" cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig /*config*/) { return cudaSuccess; }

extern "C" cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

extern "C" cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (text == nullptr || length <= static_cast<int>(std::strlen(kPciBusId))) return remember(cudaErrorInvalidValue);
  if (device != 0) return remember(cudaErrorInvalidDevice);
  std::strcpy(text, kPciBusId);
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr) return remember(cudaErrorInvalidValue);
  if (std::strcmp(text, kPciBusId) != 0) return remember(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  if (can_access == nullptr) return remember(cudaErrorInvalidValue);
  if (device != 0 || peer != 0) return remember(cudaErrorInvalidDevice);
  *can_access = 0;
  return cudaSuccess;
}

/// A single device has no peers. The errors are those of a machine with one H200.
static cudaError_t no_peer(const char* call, int peer, cudaError_t of_itself) {
  return remember(complain(call,
                           "there is one device, which has no peers: ask cudaDeviceCanAccessPeer, and copy through the "
                           "host where it says no",
                           peer == 0 ? of_itself : cudaErrorInvalidDevice));
}

extern "C" cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags != 0) return remember(cudaErrorInvalidValue);
  return no_peer("cudaDeviceEnablePeerAccess", peer, cudaErrorPeerAccessUnsupported);
}

extern "C" cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return no_peer("cudaDeviceDisablePeerAccess", peer, cudaErrorPeerAccessNotEnabled);
}

extern "C" cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr /*attribute*/, int /*device*/,
                                                 int /*peer*/) {
  return remember(value == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
}

/// Returns its result by value. So it cannot be a stub as the rest of the texture calls are.
extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
