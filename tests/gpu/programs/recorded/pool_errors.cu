// SPDX-License-Identifier: MIT
// What the calls of memory pools and of peer access return, above all where they are used wrongly.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "recorded.h"

namespace {

void pools() {
  cudaMemPool_t own = nullptr, pool = nullptr, other = nullptr;
  void *a = nullptr, *b = nullptr;
  cudaMemPoolProps props{};
  SHOW(cudaDeviceGetDefaultMemPool(&own, 0));
  SHOW(cudaDeviceGetDefaultMemPool(&own, 1));
  SHOW(cudaDeviceGetDefaultMemPool(nullptr, 0));
  SHOW(cudaMemPoolCreate(&pool, nullptr));
  SHOW(cudaMemPoolCreate(&pool, &props));
  props.allocType = cudaMemAllocationTypePinned;
  SHOW(cudaMemPoolCreate(&pool, &props));
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 3;
  SHOW(cudaMemPoolCreate(&pool, &props));
  props.location.id = 0;
  SHOW(cudaMemPoolCreate(nullptr, &props));
  SHOW(cudaMemPoolCreate(&pool, &props));
  VALUE(pool != nullptr && pool != own);
  std::uint64_t value = 99;
  for (int attribute = 0; attribute < 10; ++attribute) {
    value = 0;
    std::printf("attribute %d\n", attribute);
    SHOW(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), &value));
    VALUE(value);
    value = 0;
    SHOW(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), &value));
    value = 1;
    SHOW(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), &value));
  }
  SHOW(cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold, &value));
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, nullptr));
  SHOW(cudaMallocFromPoolAsync(&a, 1000, pool, nullptr));
  SHOW(cudaMallocFromPoolAsync(&b, 0, pool, nullptr));
  VALUE(b == nullptr);
  SHOW(cudaMallocFromPoolAsync(&b, 1000, nullptr, nullptr));
  VALUE(b == nullptr);
  SHOW(cudaMallocFromPoolAsync(nullptr, 1000, pool, nullptr));
  SHOW(cudaMallocAsync(nullptr, 1000, nullptr));
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  VALUE(value);
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  VALUE(value);
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
  VALUE(value >= 1000);
  SHOW(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &value));
  VALUE(value);
  SHOW(cudaFreeAsync(a, nullptr));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  VALUE(value);
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  VALUE(value);
  value = 0;
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  VALUE(value);
  SHOW(cudaMemPoolTrimTo(pool, 0));
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
  VALUE(value);
  SHOW(cudaDeviceGetMemPool(&other, 0));
  VALUE(other == own);
  SHOW(cudaDeviceSetMemPool(0, pool));
  SHOW(cudaDeviceGetMemPool(&other, 0));
  VALUE(other == pool);
  SHOW(cudaDeviceSetMemPool(0, nullptr));
  SHOW(cudaDeviceSetMemPool(1, pool));
  SHOW(cudaMallocAsync(&a, 64, nullptr));
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  VALUE(value > 0);
  SHOW(cudaMemPoolDestroy(pool));
  SHOW(cudaDeviceGetMemPool(&other, 0));
  VALUE(other == own);
  SHOW(cudaMemset(a, 0, 64));
  SHOW(cudaFree(a));
  SHOW(cudaMemPoolDestroy(own));
  SHOW(cudaMemPoolCreate(&pool, &props));
  cudaMemAccessFlags flags{};
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  SHOW(cudaMemPoolGetAccess(&flags, pool, &location));
  VALUE(flags);
  cudaMemAccessDesc access{};
  access.location = location;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  SHOW(cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  SHOW(cudaMemPoolSetAccess(pool, &access, 1));
  access.location.id = 2;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  SHOW(cudaMemPoolSetAccess(pool, &access, 1));
  location.id = 2;
  SHOW(cudaMemPoolGetAccess(&flags, pool, &location));
  props.maxSize = 1 << 20;
  SHOW(cudaMemPoolCreate(&other, &props));
  SHOW(cudaMallocFromPoolAsync(&a, std::size_t{64} << 20, other, nullptr));
  SHOW(cudaGetLastError());
}

void freeing() {
  void *a = nullptr, *b = nullptr;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  SHOW(cudaMallocAsync(&a, 64, stream));
  SHOW(cudaMallocAsync(&b, 0, stream));
  VALUE(b == nullptr);
  SHOW(cudaFreeAsync(nullptr, stream));
  SHOW(cudaFreeAsync(a, stream));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaMalloc(&b, 64));
  SHOW(cudaFreeAsync(b, stream));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaMallocAsync(&a, std::size_t{1} << 50, stream));
  SHOW(cudaGetLastError());
}

void peers() {
  int can = -1, value = -1;
  void* pointer = nullptr;
  cudaMalloc(&pointer, 64);
  SHOW(cudaDeviceCanAccessPeer(&can, 0, 0));
  VALUE(can);
  SHOW(cudaDeviceCanAccessPeer(&can, 0, 1));
  SHOW(cudaDeviceCanAccessPeer(&can, 1, 0));
  SHOW(cudaDeviceCanAccessPeer(&can, -1, 0));
  SHOW(cudaDeviceCanAccessPeer(nullptr, 0, 0));
  SHOW(cudaDeviceEnablePeerAccess(0, 0));
  SHOW(cudaDeviceEnablePeerAccess(1, 0));
  SHOW(cudaDeviceEnablePeerAccess(0, 1));
  SHOW(cudaDeviceDisablePeerAccess(0));
  SHOW(cudaDeviceDisablePeerAccess(1));
  SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  SHOW(cudaMemcpyPeer(pointer, 0, pointer, 0, 16));
  SHOW(cudaMemcpyPeer(pointer, 1, pointer, 0, 16));
  SHOW(cudaMemcpyPeerAsync(pointer, 0, pointer, 1, 16, nullptr));
}

const Case cases[] = {{"pools", pools}, {"freeing", freeing}, {"peers", peers}};

}  // namespace

int main(int argc, char** argv) { return run_case(cases, argc, argv); }
