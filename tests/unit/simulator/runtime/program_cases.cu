// SPDX-License-Identifier: MIT
// What a program does around its kernels: its end, the host's floating-point environment, fork(), limits of the device.
// program_cases NAME runs one case, and ends with 0 where all is as it should be.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <mma.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "program_ends.h"

namespace {

// ---- floating point ------------------------------------------------------------------------------------------------

__global__ void arithmetic(float* out, float a, float b) {
  out[0] = a / b;
  out[1] = __fadd_rn(a, 1e-8f);
  out[2] = 1e-39f * a;
  out[3] = __fsqrt_rn(b);
  out[4] = __fmaf_rn(a, b, 1e-9f);
  out[5] = __fadd_ru(a, 1e-8f);
}
std::vector<float> compute() {
  std::vector<float> values(6);
  float* data = nullptr;
  MUST(cudaMalloc(&data, values.size() * sizeof(float)) == cudaSuccess);
  arithmetic<<<1, 1>>>(data, 1.0f, 3.0f);
  MUST(cudaMemcpy(values.data(), data, values.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  MUST(cudaFree(data) == cudaSuccess);
  return values;
}

/// Kernels know nothing of how the host rounds, nor the host of how kernels do.
void rounding() {
  const std::vector<float> usual = compute();
  MUST(usual[1] == 1.0f && usual[2] != 0.0f && usual[5] > 1.0f);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    MUST(std::fesetround(mode) == 0);
    MUST(std::memcmp(compute().data(), usual.data(), usual.size() * sizeof(float)) == 0);
    MUST(std::fegetround() == mode);
  }
  std::fesetround(FE_TONEAREST);
#if defined(__x86_64__)
  const unsigned before = _mm_getcsr(), flushing = before | 0x8040;  // as -ffast-math
  _mm_setcsr(flushing);
  MUST(std::memcmp(compute().data(), usual.data(), usual.size() * sizeof(float)) == 0);
  MUST((_mm_getcsr() & 0x8040) == 0x8040);
  _mm_setcsr(before);
#endif
}

// ---- limits --------------------------------------------------------------------------------------------------------

__global__ void print_for_ever(volatile int* flag) {
  while (*flag == 0) printf("the flag is %d\n", *flag);
}
__global__ void print_and_count(volatile int* flag) {
  for (unsigned long long i = 0; *flag == 0; ++i) printf("round %llu\n", i);
}
template <void (*print)(volatile int*)>
void endless_text() {
  int* flag = nullptr;
  MUST(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096) == cudaSuccess);
  MUST(cudaMalloc(&flag, sizeof *flag) == cudaSuccess && cudaMemset(flag, 0, sizeof *flag) == cudaSuccess);
  print<<<1, 1>>>(flag);
  MUST(cudaDeviceSynchronize() != cudaSuccess);
}

void large_array() {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  MUST(cudaMallocArray(&array, &format, 1 << 20, 1 << 20) == cudaErrorMemoryAllocation);
  MUST(cudaMallocArray(&array, &format, std::size_t{1} << 40, std::size_t{1} << 40) == cudaErrorMemoryAllocation);
}

/// A matrix of halves, of which the second half is not there.
__global__ void load_matrix(const half* from, float* to) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> tile;
  load_matrix_sync(tile, from + 128, 16);
  to[threadIdx.x] = tile.x[0];
}
void elements() {
  half* from = nullptr;
  float* to = nullptr;
  MUST(cudaMalloc(&from, 512) == cudaSuccess && cudaMemset(from, 0, 512) == cudaSuccess);
  MUST(cudaMalloc(&to, 128) == cudaSuccess);
  load_matrix<<<1, 32>>>(from, to);
  MUST(cudaDeviceSynchronize() != cudaSuccess);
}

__global__ void fill_heap(int* count) {
  while (*count < 200 && malloc(100000) != nullptr) ++*count;
}
void heap_limit() {
  int *count = nullptr, blocks = 0;
  MUST(cudaMalloc(&count, sizeof *count) == cudaSuccess && cudaMemset(count, 0, sizeof *count) == cudaSuccess);
  fill_heap<<<1, 1>>>(count);
  MUST(cudaMemcpy(&blocks, count, sizeof blocks, cudaMemcpyDeviceToHost) == cudaSuccess);
  MUST(blocks == 83);  // in 8 MiB
}

/// Pointers of before cudaDeviceReset() mean nothing after it, though the program allocates as much again.
void stale_pointer() {
  int *old = nullptr, *fresh = nullptr;
  MUST(cudaMalloc(&old, 32 * sizeof(int)) == cudaSuccess && cudaDeviceReset() == cudaSuccess);
  MUST(cudaMalloc(&fresh, 32 * sizeof(int)) == cudaSuccess && fresh != old);
  add_one<<<1, 32>>>(old);
  MUST(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

/// A lock that thread 0 takes for its block. `has_barrier`: all have written before it is given back.
template <bool has_barrier>
__global__ void add_under_lock(int* lock, volatile int* numbers) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  numbers[threadIdx.x] = numbers[threadIdx.x] + 1;
  __threadfence();
  if (has_barrier) __syncthreads();
  if (threadIdx.x == 0) atomicExch(lock, 0);
}
template <bool has_barrier>
void lock_of_blocks() {
  int* data = nullptr;
  MUST(cudaMalloc(&data, 129 * sizeof(int)) == cudaSuccess && cudaMemset(data, 0, 129 * sizeof(int)) == cudaSuccess);
  add_under_lock<has_barrier><<<20, 128>>>(data, data + 1);
  MUST(cudaDeviceSynchronize() == cudaSuccess);
}

/// The host gives 512 MiB of addresses, and never more than 16 MiB are in use.
void small_window() {
  const rlimit limit{512u << 20, 512u << 20};
  MUST(setrlimit(RLIMIT_AS, &limit) == 0);
  int* kept = nullptr;
  MUST(cudaMalloc(&kept, 32 * sizeof(int)) == cudaSuccess);
  MUST(cudaMemset(kept, 0, 32 * sizeof(int)) == cudaSuccess);
  for (int round = 0; round < 40; ++round) {
    int* data = nullptr;
    MUST(cudaMalloc(&data, 16 << 20) == cudaSuccess);
    MUST(cudaMemset(data, 0, 128) == cudaSuccess);
    add_one<<<1, 32>>>(data);
    add_one<<<1, 32>>>(kept);
    MUST(cudaFree(data) == cudaSuccess);
  }
  int value = 0;
  MUST(cudaMemcpy(&value, kept, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess && value == 40);
  MUST(cudaMalloc(&kept, 1u << 30) == cudaErrorMemoryAllocation);
}

__global__ void wait_for(long long cycles, int* out) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *out = 1;
}
__global__ void time_itself(long long* out) {
  for (int i = 0; i < 5000; ++i) {
    const long long begin = clock64();
    out[threadIdx.x] = clock64() - begin;
  }
}
void clock_loop() {
  int *done = nullptr, value = 0;
  long long *times = nullptr, time = 0;
  MUST(cudaMalloc(&done, sizeof *done) == cudaSuccess && cudaMalloc(&times, sizeof *times) == cudaSuccess);
  wait_for<<<1, 64>>>(1'000'000'000, done);
  MUST(cudaMemcpy(&value, done, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess && value == 1);
  time_itself<<<1, 1>>>(times);
  MUST(cudaMemcpy(&time, times, sizeof time, cudaMemcpyDeviceToHost) == cudaSuccess && time < 100);
}

// ---- a crash of the simulator --------------------------------------------------------------------------------------

/// The memory that stands for an array of the device is taken away: what the simulator then does is no fault of a
/// kernel. The array is known by its unusual size.
void crash_of_the_simulator() {
  const pid_t child = fork();
  if (child != 0) {
    int status = 0;
    MUST(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    return;
  }
  constexpr std::size_t bytes = 713 * 4096;
  int* data = nullptr;
  MUST(cudaMalloc(&data, bytes) == cudaSuccess && cudaMemset(data, 0, bytes) == cudaSuccess);
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  MUST(maps != nullptr);
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line, "%lx-%lx", &begin, &end) == 2 && end - begin == bytes)
      MUST(mprotect(reinterpret_cast<void*>(begin), bytes, PROT_NONE) == 0);
  }
  add_one<<<1, 32>>>(data);
  cudaDeviceSynchronize();
}

// ---- damaged device code -------------------------------------------------------------------------------------------

/// A container that says of itself that it is longer than the program.
struct Damaged {
  unsigned magic = 0xBA55ED50;
  unsigned short version = 1, header_bytes = 16;
  unsigned long long body_bytes = 1ull << 39;
  unsigned short kind = 1, unknown = 257;
  unsigned entry_header_bytes = 64;
  unsigned long long payload_bytes = 1ull << 38;
  char more[48] = {};
};
Damaged damaged;
struct {
  int magic = 0x466243b1, version = 1;
  const void *data = &damaged, *more = nullptr;
} wrapper;
char stub;

void damaged_container() {
  char name[] = "k";
  using Register = void** (*)(void*);
  using RegisterKernel = void (*)(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
  const auto take = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "__cudaRegisterFatBinary"));
  const auto take_kernel = reinterpret_cast<RegisterKernel>(dlsym(RTLD_DEFAULT, "__cudaRegisterFunction"));
  MUST(take != nullptr && take_kernel != nullptr);
  void** const handle = take(&wrapper);
  take_kernel(handle, &stub, name, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  cudaFuncAttributes attributes;
  MUST(cudaFuncGetAttributes(&attributes, &stub) == cudaErrorInvalidKernelImage);
}

// ---- calls that are refused, in words -----------------------------------------------------------------------------

void freed_by_another_call() {
  int *device, *pinned;
  void* variable;
  MUST(cudaMalloc(&device, 64) == cudaSuccess && cudaHostAlloc(&pinned, 64, 0) == cudaSuccess);
  MUST(cudaGetSymbolAddress(&variable, counter) == cudaSuccess);
  MUST(cudaFree(pinned) == cudaErrorInvalidValue && cudaFreeHost(device) == cudaErrorInvalidValue);
  MUST(cudaFree(variable) == cudaErrorInvalidValue);
}

void freed_after_reset() {
  int* device;
  MUST(cudaMalloc(&device, 64) == cudaSuccess && cudaDeviceReset() == cudaSuccess);
  MUST(cudaFree(device) == cudaErrorInvalidValue);
}

/// A cluster of one block is an ordinary block.
void clusters() {
  MUST(cudaFuncSetAttribute(add_one, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess);
  MUST(cudaFuncSetAttribute(add_one, cudaFuncAttributeRequiredClusterWidth, 1) == cudaSuccess);
  MUST(cudaFuncSetAttribute(add_one, cudaFuncAttributeRequiredClusterWidth, 2) == cudaErrorNotSupported);
}

using DriverCall = int (*)(void*, void*);
DriverCall driver_call(const char* name) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  MUST(driver != nullptr);
  return reinterpret_cast<DriverCall>(dlsym(driver, name));
}

/// NVIDIA's own libraries make this call, and no program: nothing is said.
void export_table() {
  void* table = nullptr;
  MUST(driver_call("cuGetExportTable")(&table, nullptr) == cudaErrorNotSupported && table == nullptr);
}

void tensor_map() { MUST(driver_call("cuTensorMapEncodeTiled")(nullptr, nullptr) == cudaErrorNotSupported); }

}  // namespace

int main(int count, char** arguments) {
  struct Case {
    const char* name;
    void (*run)();
  };
  const Case cases[] = {
      {"destructor", destructor},
      {"destructor-of-a-thread", destructor_of_a_thread},
      {"handler", handler},
      {"late-matrices", late_matrices},
      {"threads-at-the-end", threads_at_the_end},
      {"fork-after-use", fork_after_use},
      {"fork-before-use", fork_before_use},
      {"fork-after-reset", fork_after_reset},
      {"refused-and-asked", refused_and_asked},
      {"rounding", rounding},
      {"endless-text", endless_text<print_for_ever>},
      {"text-without-end", endless_text<print_and_count>},
      {"large-array", large_array},
      {"elements", elements},
      {"heap-limit", heap_limit},
      {"small-window", small_window},
      {"lock-with-barrier", lock_of_blocks<true>},
      {"lock-without-barrier", lock_of_blocks<false>},
      {"stale-pointer", stale_pointer},
      {"clock-loop", clock_loop},
      {"freed-by-another-call", freed_by_another_call},
      {"freed-after-reset", freed_after_reset},
      {"clusters", clusters},
      {"export-table", export_table},
      {"tensor-map", tensor_map},
      {"crash-of-the-simulator", crash_of_the_simulator},
      {"damaged-container", damaged_container},
  };
  for (const Case& each : cases) {
    if (count != 2 || std::strcmp(arguments[1], each.name) != 0) continue;
    each.run();
    return 0;
  }
  return 2;
}
