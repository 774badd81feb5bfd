// SPDX-License-Identifier: MIT
// Memory pools: the runtime's own. The structures of the two APIs have the same layout.
#include "driver/driver.h"

using namespace cudasim;

extern "C" CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_call("cuDeviceGetDefaultMemPool", Needs::driver,
                     [&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}

extern "C" CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_call("cuDeviceGetMemPool", Needs::driver, [&] { return cudaDeviceGetMemPool(pool, device); });
}

extern "C" CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return driver_call("cuDeviceSetMemPool", Needs::driver, [&] { return cudaDeviceSetMemPool(device, pool); });
}

extern "C" CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
  return driver_call("cuMemPoolCreate", Needs::driver,
                     [&] { return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(properties)); });
}

extern "C" CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_call("cuMemPoolDestroy", Needs::driver, [&] { return cudaMemPoolDestroy(pool); });
}

extern "C" CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return driver_call("cuMemPoolSetAttribute", Needs::driver,
                     [&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}

extern "C" CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return driver_call("cuMemPoolGetAttribute", Needs::driver,
                     [&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}

extern "C" CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t bytes_to_keep) {
  return driver_call("cuMemPoolTrimTo", Needs::driver, [&] { return cudaMemPoolTrimTo(pool, bytes_to_keep); });
}

extern "C" CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* list, std::size_t count) {
  static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
  return driver_call("cuMemPoolSetAccess", Needs::driver, [&] {
    return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(list), count);
  });
}

extern "C" CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return driver_call("cuMemPoolGetAccess", Needs::driver, [&] {
    return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool,
                                reinterpret_cast<cudaMemLocation*>(location));
  });
}

extern "C" CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, std::size_t bytes, CUmemoryPool pool,
                                            CUstream stream) {
  return driver_call("cuMemAllocFromPoolAsync", needs_of(stream),
                     [&] { return cudaMallocFromPoolAsync(reinterpret_cast<void**>(address), bytes, pool, stream); });
}
CUDASIM_DRIVER_ALIAS(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync);
