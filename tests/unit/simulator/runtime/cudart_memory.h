// SPDX-License-Identifier: MIT
// A part of cudart_test.cu: memory, copies and variables.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "cudart_kernels.h"

namespace {

// ---- memory --------------------------------------------------------------------------------------------------------

TEST_F(Cudart, AllocatesAndFrees) {
  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 100), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue) << "freed twice";
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(nullptr, 100), cudaErrorInvalidValue);
  p = &p;
  EXPECT_EQ(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaMalloc(&p, std::size_t{1} << 50), cudaErrorMemoryAllocation);
  int on_the_stack = 0;
  EXPECT_EQ(cudaFree(&on_the_stack), cudaErrorInvalidValue);
}

TEST_F(Cudart, TellsHowMuchMemoryThereIs) {
  std::size_t free_bytes = 0, total_bytes = 0, later_bytes = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
  EXPECT_LE(free_bytes, total_bytes);
  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 64 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&later_bytes, &total_bytes), cudaSuccess);
  EXPECT_LE(later_bytes + (64 << 20), free_bytes);
  cudaFree(p);
}

TEST_F(Cudart, CopiesBothWaysAndWithin) {
  std::vector<int> in(1000), out(1000, -1);
  std::iota(in.begin(), in.end(), 0);
  DeviceInts a(1000), b(1000);
  const std::size_t bytes = 1000 * sizeof(int);
  EXPECT_EQ(cudaMemcpy(a.p, in.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(b.p, a.p, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(out.data(), b.p, bytes, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(in, out);
  EXPECT_EQ(cudaMemset(a.p, 0x01, bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(out.data(), a.p, bytes, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out[999], 0x01010101);
}

TEST_F(Cudart, RefusesCopiesOutOfBounds) {
  std::vector<int> host(16);
  DeviceInts d(16);
  const std::size_t huge = std::size_t{1} << 44;  // no neighbouring allocation can reach so far
  EXPECT_EQ(cudaMemset(d.p, 0, huge), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(d.p, d.p, huge, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(d.p, host.data(), 4, static_cast<cudaMemcpyKind>(77)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), nullptr, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(d.p, host.data(), 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Cudart, CopiesRows) {
  const std::size_t width = 5 * sizeof(int), height = 3;
  void* p = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&p, &pitch, width, height), cudaSuccess);
  EXPECT_GE(pitch, width);
  EXPECT_EQ(pitch % 4, 0u);
  std::vector<int> in(15), out(15, -1);
  std::iota(in.begin(), in.end(), 100);
  EXPECT_EQ(cudaMemcpy2D(p, pitch, in.data(), width, width, height, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(out.data(), width, p, pitch, width, height, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(in, out);
  EXPECT_EQ(cudaMemset2D(p, pitch, 0, sizeof(int), height), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(out.data(), width, p, pitch, width, height, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[5], 0);
  EXPECT_EQ(out[6], in[6]);
  EXPECT_EQ(cudaMemcpy2D(p, 4, in.data(), width, width, height, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  cudaFree(p);
}

TEST_F(Cudart, CopiesBoxes) {
  const cudaExtent all = make_cudaExtent(5 * sizeof(int), 4, 3), part = make_cudaExtent(2 * sizeof(int), 2, 2);
  cudaPitchedPtr device{};
  ASSERT_EQ(cudaMalloc3D(&device, all), cudaSuccess);
  EXPECT_EQ(cudaMemset3D(device, 0, all), cudaSuccess);
  std::vector<int> in(60), out(60, -1);
  std::iota(in.begin(), in.end(), 100);
  cudaMemcpy3DParms to{};
  to.srcPtr = make_cudaPitchedPtr(in.data(), 5 * sizeof(int), 5, 4);
  to.srcPos = make_cudaPos(sizeof(int), 1, 1);
  to.dstPtr = device;
  to.dstPos = make_cudaPos(3 * sizeof(int), 2, 0);
  to.extent = part;
  to.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&to), cudaSuccess);
  cudaMemcpy3DParms back{};
  back.srcPtr = device;
  back.dstPtr = make_cudaPitchedPtr(out.data(), 5 * sizeof(int), 5, 4);
  back.extent = all;
  back.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3DAsync(&back, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 60; ++i) {
    const int x = i % 5 - 3, y = i / 5 % 4 - 2, z = i / 20;
    const bool inside = x >= 0 && y >= 0 && z < 2;
    EXPECT_EQ(out[i], inside ? in[(z + 1) * 20 + (y + 1) * 5 + x + 1] : 0) << i;
  }
  EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
  back.extent.depth = 0;
  EXPECT_EQ(cudaMemcpy3D(&back), cudaSuccess);
  cudaFree(device.ptr);
}

TEST_F(Cudart, SharesPinnedAndManagedMemory) {
  int *pinned = nullptr, *managed = nullptr, *mapped = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 64 * sizeof(int), cudaHostAllocMapped), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaHostGetDevicePointer(&mapped, pinned, 0), cudaSuccess);
  for (int i = 0; i < 64; ++i) pinned[i] = managed[i] = i;
  add_one<<<1, 64>>>(mapped, 64);
  add_one<<<1, 64>>>(managed, 64);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(pinned[63], 64);
  EXPECT_EQ(managed[63], 64);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&managed, 0), cudaSuccess);
  EXPECT_EQ(managed, nullptr);
}

TEST_F(Cudart, TakesAdviceOnManagedMemoryAlone) {
  DeviceInts d(64);
#if CUDART_VERSION >= 13000
  const cudaMemLocation here{cudaMemLocationTypeDevice, 0};
#else
  const int here = 0;
#endif
  EXPECT_EQ(cudaMemAdvise(d.p, 256, cudaMemAdviseSetPreferredLocation, here), cudaErrorInvalidValue);
}

TEST_F(Cudart, KnowsWhatATextureReads) {
  DeviceInts d(64);
  cudaResourceDesc resource{}, same{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d.p;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 256;
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  ASSERT_EQ(cudaGetTextureObjectResourceDesc(&same, texture), cudaSuccess);
  EXPECT_EQ(same.res.linear.devPtr, d.p);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
}

TEST_F(Cudart, RegistersHostMemory) {
  std::vector<int> host(4096, 1);
  ASSERT_EQ(cudaHostRegister(host.data(), host.size() * sizeof(int), cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(host.data(), 64, 0), cudaErrorHostMemoryAlreadyRegistered);
  cudaGetLastError();
  int* mapped = nullptr;
  ASSERT_EQ(cudaHostGetDevicePointer(&mapped, host.data(), 0), cudaSuccess);
  add_one<<<16, 256>>>(mapped, 4096);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(host[4095], 2);
  EXPECT_EQ(cudaHostUnregister(host.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
}

TEST_F(Cudart, TellsWhatAPointerIs) {
  DeviceInts d(4);
  int on_the_stack = 0, *pinned = nullptr, *managed = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 4), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 4), cudaSuccess);
  const std::pair<void*, cudaMemoryType> pairs[] = {{d.p, cudaMemoryTypeDevice},
                                                    {d.p + 1, cudaMemoryTypeDevice},
                                                    {pinned, cudaMemoryTypeHost},
                                                    {managed, cudaMemoryTypeManaged},
                                                    {&on_the_stack, cudaMemoryTypeUnregistered}};
  for (const auto& [pointer, type] : pairs) {
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    EXPECT_EQ(attributes.type, type);
    if (type != cudaMemoryTypeUnregistered) {
      EXPECT_EQ(attributes.device, 0);
    }
    if (type == cudaMemoryTypeDevice) {
      EXPECT_EQ(attributes.devicePointer, pointer);
    }
  }
  cudaFreeHost(pinned);
  cudaFree(managed);
}

TEST_F(Cudart, AllocatesInStreamOrder) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  cudaMemPool_t pool = nullptr;
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  std::uint64_t threshold = 1 << 20, read = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read), cudaSuccess);
  EXPECT_EQ(read, threshold);
  int* p = nullptr;
  int value = 0;
  EXPECT_EQ(cudaMallocAsync(&p, sizeof(int), stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(p, 0, sizeof(int), stream), cudaSuccess);
  add_one<<<1, 1, 0, stream>>>(p, 1);
  EXPECT_EQ(cudaMemcpyAsync(&value, p, sizeof(int), cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(value, 1);
  cudaStreamDestroy(stream);
}

/// An instantiated graph that allocates an int, increments it and keeps it.
struct AllocatingGraph {
  explicit AllocatingGraph(cudaStream_t stream, unsigned long long flags) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaMallocAsync(&memory, sizeof(int), stream), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(memory, 0, sizeof(int), stream), cudaSuccess);
    add_one<<<1, 1, 0, stream>>>(memory, 1);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, flags), cudaSuccess);
  }
  ~AllocatingGraph() {
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
  int* memory = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
};

std::uint64_t graph_memory(cudaGraphMemAttributeType attribute) {
  std::uint64_t bytes = ~0ull;
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes), cudaSuccess);
  return bytes;
}

TEST_F(Cudart, MemoryOfGraphsIsCounted) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  std::uint64_t zero = 0;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero), cudaSuccess);
  int* kept = nullptr;
  {
    const AllocatingGraph made(stream, 0);
    kept = made.memory;
    EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), 0u) << "before a launch";
    EXPECT_EQ(graph_memory(cudaGraphMemAttrReservedMemCurrent), sizeof(int));
    EXPECT_EQ(cudaGraphLaunch(made.exec, stream), cudaSuccess);
  }
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), sizeof(int)) << "it outlives the graph";
  EXPECT_EQ(cudaFree(kept), cudaSuccess);
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), sizeof(int)) << "until it is trimmed";
  EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemHigh), sizeof(int));
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero), cudaSuccess);
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemHigh), 0u);
}

TEST_F(Cudart, MemoryOfAGraphIsAllocatedByALaunch) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int* kept = nullptr;
  int value = 0;
  {
    const AllocatingGraph made(stream, 0);
    kept = made.memory;
    EXPECT_EQ(cudaFreeAsync(kept, stream), cudaErrorInvalidValue) << "before a launch";
    EXPECT_EQ(cudaGraphLaunch(made.exec, stream), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(made.exec, stream), cudaErrorInvalidValue) << "it was not freed";
    EXPECT_EQ(cudaFreeAsync(kept, stream), cudaSuccess);
    EXPECT_EQ(cudaFree(kept), cudaErrorInvalidValue) << "freed before";
    EXPECT_EQ(cudaGraphLaunch(made.exec, stream), cudaSuccess);
  }
  EXPECT_EQ(cudaMemcpy(&value, kept, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess) << "it outlives the graph";
  EXPECT_EQ(value, 1);
  EXPECT_EQ(cudaFree(kept), cudaSuccess);
  const AllocatingGraph again(stream, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int launch = 0; launch < 2; ++launch) EXPECT_EQ(cudaGraphLaunch(again.exec, stream), cudaSuccess);
  EXPECT_EQ(cudaFree(again.memory), cudaSuccess);
}

// ---- symbols -------------------------------------------------------------------------------------------------------

TEST_F(Cudart, ReachesVariables) {
  int value = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, counter, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 5);
  const float four = 40;
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, &four, sizeof four, 3 * sizeof(float)), cudaSuccess);
  float* out = nullptr;
  ASSERT_EQ(cudaMalloc(&out, sizeof(float)), cudaSuccess);
  EXPECT_EQ(managed_value, 3);
  use_variables<<<1, 1>>>(out);
  float result = 0;
  EXPECT_EQ(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(result, 45);
  EXPECT_EQ(managed_value, 4);
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, counter, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 15);
  std::size_t size = 0;
  void* address = nullptr;
  EXPECT_EQ(cudaGetSymbolSize(&size, coefficients), cudaSuccess);
  EXPECT_EQ(size, sizeof coefficients);
  EXPECT_EQ(cudaGetSymbolAddress(&address, counter), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 15);
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, &four, sizeof four, sizeof coefficients), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetSymbolAddress(&address, size), cudaErrorInvalidSymbol);
  cudaFree(out);
}

}  // namespace
