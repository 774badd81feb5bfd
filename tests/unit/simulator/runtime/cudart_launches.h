// SPDX-License-Identifier: MIT
// A part of cudart_test.cu: launches, their limits and attributes.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cudart_kernels.h"

namespace {

// ---- launches ------------------------------------------------------------------------------------------------------

TEST_F(Cudart, Launches) {
  std::vector<int> host(1000, 41);
  DeviceInts d(1000);
  cudaMemcpy(d.p, host.data(), 4000, cudaMemcpyHostToDevice);
  add_one<<<4, 256>>>(d.p, 1000);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  cudaMemcpy(host.data(), d.p, 4000, cudaMemcpyDeviceToHost);
  EXPECT_EQ(host, std::vector<int>(1000, 42));
}

// A simulator's random order is another one each time when the launch is repeated, and its adversarial one every second
// time. A GPU's is any.
TEST_F(Cudart, OrdersBlocksAnewButInPlainOrder) {
  constexpr int kBlocks = 20;
  DeviceInts order(kBlocks), tickets(1);
  std::vector<std::vector<int>> seen;
  for (int i = 0; i < 3; ++i) {
    cudaMemset(tickets.p, 0, sizeof(int));
    come_in_order<<<kBlocks, 1>>>(order.p, tickets.p);
    ASSERT_EQ(cudaMemcpy(seen.emplace_back(kBlocks).data(), order.p, kBlocks * sizeof(int), cudaMemcpyDeviceToHost),
              cudaSuccess);
  }
  const char* const schedule = std::getenv("CUDASIM_SCHEDULE");
  if (schedule == nullptr) return;
  const std::string order_of_blocks = schedule;
  EXPECT_EQ(seen[0] != seen[1], order_of_blocks != "plain");
  EXPECT_EQ(seen[0] != seen[2], order_of_blocks == "random");
}

// So a case of a program has the order that it has alone.
TEST_F(Cudart, OrdersBlocksAnewWhenAllMemoryIsFree) {
  const char* const schedule = std::getenv("CUDASIM_SCHEDULE");
  if (schedule == nullptr || std::string(schedule) != "adversarial") return;
  constexpr int kBlocks = 20;
  std::vector<std::vector<int>> seen;
  for (int i = 0; i < 3; ++i) {
    DeviceInts order(kBlocks), tickets(1);
    cudaMemset(tickets.p, 0, sizeof(int));
    come_in_order<<<kBlocks, 1>>>(order.p, tickets.p);
    ASSERT_EQ(cudaMemcpy(seen.emplace_back(kBlocks).data(), order.p, kBlocks * sizeof(int), cudaMemcpyDeviceToHost),
              cudaSuccess);
  }
  EXPECT_EQ(seen[1], seen[2]);
}

TEST_F(Cudart, PassesParametersOfEverySize) {
  float* f = nullptr;
  double* out = nullptr;
  ASSERT_EQ(cudaMallocManaged(&f, sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&out, sizeof(double)), cudaSuccess);
  *f = 0.5f;
  take_mixed<<<1, 1>>>(1, 20, Mixed{3, 1000.25}, f, out);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*out, 1 + 20 + 3 + 1000.25 + 0.5);
  cudaFree(f);
  cudaFree(out);
}

cudaError_t launch_add_one(dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
  int* data = nullptr;
  int n = 0;
  void* arguments[] = {&data, &n};
  const cudaError_t error =
      cudaLaunchKernel(reinterpret_cast<const void*>(add_one), grid, block, arguments, shared_bytes, nullptr);
  EXPECT_EQ(cudaGetLastError(), error) << "the last error is the launch's";
  return error;
}

// Measured: an H200 with CUDA 13.0 and driver 580.
constexpr cudaError_t impossible_size = CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
constexpr cudaError_t not_a_kernel =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;

TEST_F(Cudart, RefusesImpossibleSizes) {
  EXPECT_EQ(launch_add_one(1, 1024), cudaSuccess);
  EXPECT_EQ(launch_add_one(0, 1), impossible_size);
  EXPECT_EQ(launch_add_one(1, 0), impossible_size);
  EXPECT_EQ(launch_add_one(dim3(1, 1, 0), 1), impossible_size);
  EXPECT_EQ(launch_add_one(1, 1025), impossible_size);
  EXPECT_EQ(launch_add_one(1, dim3(32, 33)), impossible_size);
  EXPECT_EQ(launch_add_one(1, dim3(1, 1, 65)), impossible_size);
  EXPECT_EQ(launch_add_one(dim3(1, 65536), 1), impossible_size);
  EXPECT_EQ(launch_add_one(1u << 31, 1), impossible_size);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the context is whole";
}

TEST_F(Cudart, RefusesMoreThreadsThanTheLaunchBounds) {
  DeviceInts d(64);
  at_most_64<<<1, 64>>>(d.p);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  at_most_64<<<1, 65>>>(d.p);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(Cudart, LimitsSharedMemory) {
  DeviceInts d(1);
  use_shared<<<1, 32, 49152 - 1024>>>(d.p);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  use_shared<<<1, 32, 49152>>>(d.p);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue) << "static and dynamic together are above 48 KiB";
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(cudaFuncSetAttribute(use_shared, attribute, most), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(use_shared, attribute, most - 1024), cudaSuccess);
  cudaGetLastError();
  use_shared<<<1, 32, static_cast<std::size_t>(most) - 1024>>>(d.p);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, d.p, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 2);
}

TEST_F(Cudart, RefusesWhatIsNoKernel) {
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void*>(host_function), 1, 1, nullptr, 0, nullptr), not_a_kernel);
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(host_function)), not_a_kernel);
}

TEST_F(Cudart, LaunchesCooperatively) {
  int n = 0, blocks = 0, processors = 0;
  int* data = nullptr;
  void* arguments[] = {&data, &n};
  const auto* kernel = reinterpret_cast<const void*>(add_one);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 1024, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  const auto most = static_cast<unsigned>(blocks * processors);
  EXPECT_EQ(cudaLaunchCooperativeKernel(kernel, most, 1024, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(kernel, most + 1, 1024, arguments, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Cudart, LaunchesWithAttributes) {
  DeviceInts d(32);
  cudaMemset(d.p, 0, 32 * sizeof(int));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelEx(&config, add_one, d.p, 32), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, d.p + 31, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 1);
}

TEST_F(Cudart, DescribesKernels) {
  cudaFuncAttributes a{};
  ASSERT_EQ(cudaFuncGetAttributes(&a, use_shared), cudaSuccess);
  EXPECT_EQ(a.sharedSizeBytes, 1024u);
  EXPECT_EQ(a.maxThreadsPerBlock, 1024);
  EXPECT_GT(a.numRegs, 0);
  EXPECT_LE(a.numRegs, 255);
  EXPECT_GE(a.ptxVersion, 75);
  ASSERT_EQ(cudaFuncGetAttributes(&a, at_most_64), cudaSuccess);
  EXPECT_EQ(a.maxThreadsPerBlock, 64);
  ASSERT_EQ(cudaFuncGetAttributes(&a, add_one), cudaSuccess);
  EXPECT_EQ(a.maxDynamicSharedSizeBytes, 49152);
}

TEST_F(Cudart, OffersNoMoreSharedMemoryThanALaunchMayHave) {
  std::size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add_one, 1, 128), cudaSuccess);
  EXPECT_EQ(bytes, 48u << 10);
  EXPECT_EQ(cudaFuncSetAttribute(add_one, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 << 10), cudaSuccess);
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add_one, 1, 128), cudaSuccess);
  EXPECT_EQ(bytes, 60u << 10);
}

TEST_F(Cudart, ComputesOccupancy) {
  int processors_threads = 0, blocks = 0, least_grid = 0, block = 0;
  cudaDeviceGetAttribute(&processors_threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, processors_threads / 256) << "a kernel this small fills the multiprocessor";
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 32, 40000), cudaSuccess);
  int shared = 0;
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  EXPECT_EQ(blocks, shared / (40000 + 1024));
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, add_one, 0, 0), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_GT(least_grid, 0);
}

}  // namespace
