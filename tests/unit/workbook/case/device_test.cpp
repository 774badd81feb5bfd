// SPDX-License-Identifier: MIT
// What the library knows of the device it runs on. Needs one, real or simulated.
#include "workbook/case/device.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>

#include "workbook/case/device_memory.h"
#include "workbook/student/cuda_check.h"

namespace workbook {
namespace {

TEST(Device, OnlyTheNamesBeginningTellsASimulatedDevice) {
  EXPECT_TRUE(is_simulated_name("Simulated GPU (cudasim)"));
  EXPECT_TRUE(is_simulated_name("Simulated"));
  EXPECT_FALSE(is_simulated_name("NVIDIA H200"));
  EXPECT_FALSE(is_simulated_name("A Simulated GPU"));
  EXPECT_FALSE(is_simulated_name(""));
}

TEST(Device, HasANameAndMemory) {
  const Device device = current_device();
  EXPECT_FALSE(device.name.empty());
  EXPECT_EQ(device.is_simulated, is_simulated_name(device.name));
  EXPECT_GT(device.free_bytes, 0u);
  EXPECT_LE(device.free_bytes, device.total_bytes);
}

TEST(Device, IsTooOldForWhatIsNotBuiltYet) {
  EXPECT_EQ(too_old_for(0), "");
  EXPECT_EQ(too_old_for(75), "");
  const std::string why = too_old_for(990);
  EXPECT_EQ(why.find(current_device().name), 0u) << why;
  EXPECT_NE(why.find("needs 99.0"), std::string::npos) << why;
  EXPECT_NE(why.find("--device simulator"), std::string::npos) << why;
}

TEST(Device, PoisonGivesAllMemoryBack) {
  const Device before = current_device();
  (void)poison_free_memory(before, 0);  // a driver may keep some memory for itself at the first calls
  const Device warm = current_device();
  for (int call = 0; call < 10; ++call) (void)poison_free_memory(before, 1'000'000);
  // On a GPU other programs may allocate meanwhile; what would not come back is 4.5 MB a call.
  EXPECT_GE(current_device().free_bytes + (std::size_t{1} << 22), warm.free_bytes);
}

TEST(Device, MemoryThatNobodyWroteHoldsNan) {
  const auto keeper = poison_free_memory(current_device(), 4096);
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, 4096 * sizeof(float)));
  float first = 0.0f;
  CUDA_CHECK(cudaMemcpy(&first, memory, sizeof first, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(memory));
  EXPECT_TRUE(std::isnan(first)) << first;
}

TEST(Device, AFailureThatNobodyCheckedIsReportedOnce) {
  EXPECT_NO_THROW(check_device_after_call());
  cudaSetDevice(1'000'000);
  try {
    check_device_after_call();
    ADD_FAILURE() << "the failed call was not noticed";
  } catch (const UncheckedFailure& error) {
    EXPECT_NE(std::string(error.what()).find("cudaErrorInvalidDevice"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(check_device_after_call());
}

TEST(CudaCheck, NamesFileLineCallAndCudasOwnWords) {
  EXPECT_NO_THROW(CUDA_CHECK(cudaSuccess));
  try {
    CUDA_CHECK(cudaSetDevice(1'000'000));
    FAIL() << "CUDA_CHECK did not throw";
  } catch (const CudaError& error) {
    EXPECT_EQ(error.code(), cudaErrorInvalidDevice);
    EXPECT_STREQ(error.call(), "cudaSetDevice(1'000'000)");
    EXPECT_EQ(error.line(), __LINE__ - 5);
    EXPECT_EQ(error.what(), std::string(error.file()) + ":" + std::to_string(error.line()) +
                                ": cudaSetDevice(1'000'000) failed: cudaErrorInvalidDevice (" +
                                cudaGetErrorString(cudaErrorInvalidDevice) + ")");
  }
  cudaGetLastError();  // the failure was wanted
}

TEST(CudaCheck, RemembersTheLastCall) {
  CUDA_CHECK(cudaGetLastError());
  EXPECT_EQ(last_call().line, __LINE__ - 1);
  EXPECT_STREQ(last_call().call, "cudaGetLastError()");
  EXPECT_STREQ(last_call().file, __FILE__);
}

TEST(CudaCheck, RemembersTheLastCallThatIsNotTheLibrarys) {
  CUDA_CHECK(cudaGetLastError());
  const int line = __LINE__ - 1;
  const DeviceArray<int> one(1);
  read_back(one.data());
  EXPECT_STREQ(last_call().call, "copying a result to the host");
  EXPECT_TRUE(is_library_file(last_call().file)) << last_call().file;
  EXPECT_EQ(last_call_of_stage().line, line);
  EXPECT_STREQ(last_call_of_stage().file, __FILE__);
}

}  // namespace
}  // namespace workbook
