// SPDX-License-Identifier: MIT
// The runtime library as a program sees it: results, error codes and what stays after an error. Every expectation here
// must hold on the simulator and on a real GPU alike; the binary is the same.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

__global__ void add_one(int* data, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] += 1;
}

__global__ void __launch_bounds__(64) at_most_64(int* data) { data[threadIdx.x] = 1; }

__global__ void use_shared(int* out) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[256];
  dynamic[threadIdx.x] = static_cast<int>(threadIdx.x);
  fixed[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = dynamic[1] + fixed[2];
}

struct Mixed {
  char c;
  double d;
};
__global__ void take_mixed(char a, short b, Mixed m, const float* f, double* out) { *out = a + b + m.c + m.d + *f; }

__global__ void come_in_order(int* order, int* tickets) { order[blockIdx.x] = atomicAdd(tickets, 1); }

__global__ void write_to(int* p) { *p = 1; }

__device__ int counter = 5;
__constant__ float coefficients[4] = {1, 2, 3, 4};
__managed__ int managed_value = 3;
__global__ void use_variables(float* out) {
  *out = static_cast<float>(atomicAdd(&counter, 10)) + coefficients[3];
  managed_value += 1;
}

/// Not a kernel.
void host_function() {}

class Cudart : public ::testing::Test {
 protected:
  void TearDown() override { cudaGetLastError(); }  // an error that one test left is not another's
};

struct DeviceInts {
  explicit DeviceInts(std::size_t n) { EXPECT_EQ(cudaMalloc(&p, n * sizeof(int)), cudaSuccess); }
  ~DeviceInts() { cudaFree(p); }
  int* p = nullptr;
};

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
