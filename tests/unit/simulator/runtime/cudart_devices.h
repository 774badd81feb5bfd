// SPDX-License-Identifier: MIT
// A part of cudart_test.cu: devices, versions and errors.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "cudart_kernels.h"

namespace {

// ---- devices and versions ------------------------------------------------------------------------------------------

TEST_F(Cudart, KnowsItsDevice) {
  int count = 0, device = -1;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_GE(count, 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
}

TEST_F(Cudart, FindsItsDeviceByTheBus) {
  char place[64];
  ASSERT_EQ(cudaDeviceGetPCIBusId(place, sizeof place, 0), cudaSuccess);
  int device = -1;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, place), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(nullptr, place), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, nullptr), cudaErrorInvalidValue);
}

TEST_F(Cudart, PropertiesAndAttributesAgree) {
  // Guard bytes: a property struct of another size than the header's would be written past its end.
  struct {
    cudaDeviceProp properties;
    unsigned char guard[64];
  } box;
  std::memset(&box, 0xAB, sizeof box);
  ASSERT_EQ(cudaGetDeviceProperties(&box.properties, 0), cudaSuccess);
  for (const unsigned char byte : box.guard) EXPECT_EQ(byte, 0xAB);
  const cudaDeviceProp& p = box.properties;
  EXPECT_NE(p.name[0], 0);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.maxThreadsPerBlock, 1024);
  EXPECT_GT(p.totalGlobalMem, 0u);
  const std::pair<cudaDeviceAttr, long long> pairs[] = {
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(p.sharedMemPerBlock)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<long long>(p.sharedMemPerBlockOptin)},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
  };
  for (const auto& [attribute, expected] : pairs) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, attribute, 0), cudaSuccess) << attribute;
    EXPECT_EQ(value, expected) << attribute;
  }
  const char* const asked_for = std::getenv("CUDASIM_MULTIPROCESSORS");
  if (asked_for != nullptr) EXPECT_EQ(p.multiProcessorCount, std::atoi(asked_for));
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99), cudaErrorInvalidDevice);
}

// The figures of the CUDA C++ Programming Guide for 7.5 and of a T4, where the setting asks for one.
TEST_F(Cudart, HasTheLimitsOfTheGpuThatIsAskedFor) {
  const char* const gpu = std::getenv("CUDASIM_GPU");
  if (gpu == nullptr || std::string(gpu) != "t4") return;
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "Simulated Tesla T4 (cudasim)");
  EXPECT_EQ(p.major * 10 + p.minor, 75);
  EXPECT_EQ(p.multiProcessorCount, 40);
  EXPECT_EQ(p.l2CacheSize, 4 << 20);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 64u << 10);
  EXPECT_EQ(p.reservedSharedMemPerBlock, 0u);
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 32, 0), cudaSuccess);
  EXPECT_EQ(blocks, 16) << "blocks a multiprocessor";
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 4) << "1024 threads a multiprocessor";
  constexpr auto kShared = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(cudaFuncSetAttribute(add_one, kShared, 64 << 10), cudaSuccess);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 32, 32 << 10), cudaSuccess);
  EXPECT_EQ(blocks, 2) << "64 KiB of shared memory a multiprocessor, none of it reserved";
  EXPECT_EQ(cudaFuncSetAttribute(add_one, kShared, (64 << 10) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(add_one, kShared, 48 << 10), cudaSuccess);
  cudaGetLastError();
}

TEST_F(Cudart, VersionsAreThoseOfTheToolkit) {
  int runtime = 0, driver = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  EXPECT_EQ(runtime / 1000, CUDART_VERSION / 1000);
  EXPECT_GE(driver, 12000);
}

// ---- errors --------------------------------------------------------------------------------------------------------

TEST_F(Cudart, NamesErrors) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST_F(Cudart, RemembersTheLastErrorOnce) {
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "such an error is no fault of the device";
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Cudart, RemembersErrorsByThread) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaGetLastError(); }).join();
  EXPECT_EQ(other, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

}  // namespace
