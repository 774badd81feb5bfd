// SPDX-License-Identifier: MIT
// The runtime library as a program sees it: results, error codes and what stays after an error. Every expectation here
// must hold on the simulator and on a real GPU alike; the binary is the same. Its parts are one
// translation unit, as nvcc spends most of its time on headers.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "cudart_devices.h"
#include "cudart_kernels.h"
#include "cudart_launches.h"
#include "cudart_memory.h"

namespace {

// ---- streams and events --------------------------------------------------------------------------------------------

TEST_F(Cudart, OrdersWorkInStreams) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  unsigned flags = 0;
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(cudaStreamNonBlocking));
  bool called = false;
  EXPECT_EQ(cudaLaunchHostFunc(
                stream, [](void* p) { *static_cast<bool*>(p) = true; }, &called),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_TRUE(called);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
}

/// A stream of the tests, and one int of device memory that it works on.
struct StreamWithInt {
  explicit StreamWithInt(unsigned flags) : d(1) { EXPECT_EQ(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess); }
  ~StreamWithInt() { cudaStreamDestroy(stream); }
  cudaStream_t stream = nullptr;
  DeviceInts d;
};

TEST_F(Cudart, CopiesWhatPageableMemoryHoldsAtTheCall) {
  const StreamWithInt s(cudaStreamNonBlocking);
  int value = 1;
  EXPECT_EQ(cudaMemcpyAsync(s.d.p, &value, sizeof value, cudaMemcpyHostToDevice, s.stream), cudaSuccess);
  value = 100;
  add_one<<<1, 1, 0, s.stream>>>(s.d.p, 1);
  EXPECT_EQ(cudaMemcpyAsync(&value, s.d.p, sizeof value, cudaMemcpyDeviceToHost, s.stream), cudaSuccess);
  EXPECT_EQ(value, 2) << "to pageable memory the call waits";
}

TEST_F(Cudart, AcceptsHintsOfStreams) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  cudaStreamAttrValue value{};
  value.priority = 0;
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value), cudaSuccess);
  value.syncPolicy = cudaSyncPolicyYield;
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(Cudart, CopiesPinnedMemoryInTheOrderOfTheStream) {
  const StreamWithInt s(cudaStreamNonBlocking);
  int* values = nullptr;
  ASSERT_EQ(cudaMallocHost(&values, 2 * sizeof(int)), cudaSuccess);
  values[0] = 1;
  write_to<<<1, 1, 0, s.stream>>>(s.d.p);
  EXPECT_EQ(cudaMemsetAsync(s.d.p, 0, sizeof(int), s.stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(s.d.p, values, sizeof(int), cudaMemcpyHostToDevice, s.stream), cudaSuccess);
  add_one<<<1, 1, 0, s.stream>>>(s.d.p, 1);
  EXPECT_EQ(cudaMemcpy2DAsync(values + 1, 4, s.d.p, 4, 4, 1, cudaMemcpyDeviceToHost, s.stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(s.stream), cudaSuccess);
  EXPECT_EQ(values[1], 2);
  EXPECT_EQ(cudaFreeHost(values), cudaSuccess);
}

TEST_F(Cudart, CopiesWithinTheHostBeforeTheCallReturns) {
  const StreamWithInt s(cudaStreamNonBlocking);
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, sizeof(int)), cudaSuccess);
  *pinned = 0;
  const int value = 9;
  EXPECT_EQ(cudaMemcpyAsync(pinned, &value, sizeof value, cudaMemcpyHostToHost, s.stream), cudaSuccess);
  EXPECT_EQ(*pinned, 9);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(Cudart, OrdersManagedMemoryWithTheKernelsOfAStream) {
  const StreamWithInt s(cudaStreamNonBlocking);
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, sizeof(int)), cudaSuccess);
  *managed = 7;
  add_one<<<1, 1, 0, s.stream>>>(managed, 1);
  EXPECT_EQ(cudaMemcpyAsync(s.d.p, managed, sizeof(int), cudaMemcpyDefault, s.stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(managed, 0, sizeof(int), s.stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(s.stream), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, s.d.p, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 8);
  EXPECT_EQ(*managed, 0);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST_F(Cudart, OrdersTheDefaultStreamWithBlockingStreams) {
  const StreamWithInt s(cudaStreamDefault);
  EXPECT_EQ(cudaMemset(s.d.p, 0, sizeof(int)), cudaSuccess);
  add_one<<<1, 1, 0, s.stream>>>(s.d.p, 1);
  add_one<<<1, 1>>>(s.d.p, 1);
  add_one<<<1, 1, 0, s.stream>>>(s.d.p, 1);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, s.d.p, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 3);
}

TEST_F(Cudart, OrdersStreamsByEvents) {
  const StreamWithInt first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(first.d.p, 0, sizeof(int), first.stream), cudaSuccess);
  add_one<<<1, 1, 0, first.stream>>>(first.d.p, 1);
  EXPECT_EQ(cudaEventRecord(event, first.stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(second.stream, event, 0), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess) << "which does not forget who waits for it";
  add_one<<<1, 1, 0, second.stream>>>(first.d.p, 1);
  int value = 0;
  EXPECT_EQ(cudaMemcpyAsync(&value, first.d.p, sizeof value, cudaMemcpyDeviceToHost, second.stream), cudaSuccess);
  EXPECT_EQ(value, 2);
}

TEST_F(Cudart, CallsAHostFunctionWhenTheStreamComesToIt) {
  const StreamWithInt s(cudaStreamNonBlocking);
  int* value = nullptr;
  ASSERT_EQ(cudaMallocHost(&value, 2 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(s.d.p, 0, sizeof(int), s.stream), cudaSuccess);
  add_one<<<1, 1, 0, s.stream>>>(s.d.p, 1);
  EXPECT_EQ(cudaMemcpyAsync(value, s.d.p, sizeof(int), cudaMemcpyDeviceToHost, s.stream), cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(
                s.stream, [](void* p) { static_cast<int*>(p)[1] = static_cast<int*>(p)[0] + 1; }, value),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(s.stream), cudaSuccess);
  EXPECT_EQ(value[1], 2);
  EXPECT_EQ(cudaFreeHost(value), cudaSuccess);
}

TEST_F(Cudart, FreesAfterWhatTheStreamStillHasToDo) {
  const StreamWithInt s(cudaStreamNonBlocking);
  int* p = nullptr;
  ASSERT_EQ(cudaMallocAsync(&p, sizeof(int), s.stream), cudaSuccess);
  write_to<<<1, 1, 0, s.stream>>>(p);
  EXPECT_EQ(cudaMemcpyAsync(s.d.p, p, sizeof(int), cudaMemcpyDeviceToDevice, s.stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, s.stream), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpyAsync(&value, s.d.p, sizeof value, cudaMemcpyDeviceToHost, s.stream), cudaSuccess);
  EXPECT_EQ(value, 1);
}

TEST_F(Cudart, TimesWithEvents) {
  cudaEvent_t start = nullptr, stop = nullptr, untimed = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&stop), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle) << "not recorded yet";
  cudaGetLastError();
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(launch_add_one(100, 256), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(stop), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(stop), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
  EXPECT_GE(ms, 0);
  EXPECT_LT(ms, 60000);
  EXPECT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, untimed, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(stop), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(untimed), cudaSuccess);
}

TEST_F(Cudart, TakesCallsFromSeveralThreads) {
  std::vector<std::thread> threads;
  int failures[4] = {};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &failures] {
      for (int i = 0; i < 25; ++i) {
        int* p = nullptr;
        int value = 0;
        bool good = cudaMalloc(&p, 256 * sizeof(int)) == cudaSuccess;
        good = good && cudaMemset(p, 0, 256 * sizeof(int)) == cudaSuccess;
        add_one<<<1, 256>>>(p, 256);
        good = good && cudaMemcpy(&value, p + 255, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess && value == 1;
        good = cudaFree(p) == cudaSuccess && good;
        failures[t] += good ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int failed : failures) EXPECT_EQ(failed, 0);
}

// ---- code that is loaded at run time -------------------------------------------------------------------------------

#if CUDART_VERSION >= 12080
constexpr const char* loaded_ptx = R"(.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 offset = 7;
.visible .entry store_index(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [offset];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

TEST_F(Cudart, LoadsPtx) {
  cudaLibrary_t library = nullptr;
  ASSERT_EQ(cudaLibraryLoadData(&library, loaded_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0), cudaSuccess);
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "store_index"), cudaSuccess);
  cudaKernel_t none = nullptr;
  EXPECT_EQ(cudaLibraryGetKernel(&none, library, "no_such_kernel"), cudaErrorSymbolNotFound);
  void* address = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(cudaLibraryGetGlobal(&address, &bytes, library, "offset"), cudaSuccess);
  EXPECT_EQ(bytes, 4u);
  const int hundred = 100;
  EXPECT_EQ(cudaMemcpy(address, &hundred, 4, cudaMemcpyHostToDevice), cudaSuccess);
  DeviceInts d(32);
  void* arguments[] = {&d.p};
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, 32, arguments, 0, nullptr), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, d.p + 31, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 131);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
}
#endif

// ---- faults: each in a process of its own, since the error stays ---------------------------------------------------

class CudartDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { ::testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

#define EXPECT_IN_CHILD(condition)                      \
  do {                                                  \
    if (!(condition)) {                                 \
      std::fprintf(stderr, "not so: %s\n", #condition); \
      std::_Exit(1);                                    \
    }                                                   \
  } while (false)

void write_out_of_bounds() {
  write_to<<<1, 1>>>(reinterpret_cast<int*>(std::uintptr_t{1} << 46));
  EXPECT_IN_CHILD(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT_IN_CHILD(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT_IN_CHILD(cudaGetLastError() == cudaSuccess);  // given out once; what stays is the error of every further call
  void* p = nullptr;
  EXPECT_IN_CHILD(cudaMalloc(&p, 4) == cudaErrorIllegalAddress);
  EXPECT_IN_CHILD(cudaStreamSynchronize(nullptr) == cudaErrorIllegalAddress);
  EXPECT_IN_CHILD(launch_add_one(1, 1) == cudaErrorIllegalAddress);
  int count = 0;
  EXPECT_IN_CHILD(cudaGetDeviceCount(&count) == cudaSuccess);
  std::_Exit(0);
}

void write_misaligned() {
  char* p = nullptr;
  EXPECT_IN_CHILD(cudaMalloc(&p, 64) == cudaSuccess);
  write_to<<<1, 1>>>(reinterpret_cast<int*>(p + 1));
  EXPECT_IN_CHILD(cudaMemcpy(&p, p, 4, cudaMemcpyDeviceToHost) == cudaErrorMisalignedAddress);
  EXPECT_IN_CHILD(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
  std::_Exit(0);
}

void write_out_of_bounds_in_a_stream() {
  cudaStream_t stream = nullptr;
  EXPECT_IN_CHILD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  write_to<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(std::uintptr_t{1} << 46));
  EXPECT_IN_CHILD(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  EXPECT_IN_CHILD(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  std::_Exit(0);
}

TEST_F(CudartDeathTest, AnIllegalAccessInAStreamIsSeenByWhoWaitsForIt) {
  EXPECT_EXIT(write_out_of_bounds_in_a_stream(), ::testing::ExitedWithCode(0), "");
}

TEST_F(CudartDeathTest, AnIllegalAccessStays) { EXPECT_EXIT(write_out_of_bounds(), ::testing::ExitedWithCode(0), ""); }

TEST_F(CudartDeathTest, AMisalignedAccessIsToldApart) {
  EXPECT_EXIT(write_misaligned(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
