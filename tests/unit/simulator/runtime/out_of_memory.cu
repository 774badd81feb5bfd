// SPDX-License-Identifier: MIT
// A launch for which the host has no memory fails with cudaErrorMemoryAllocation, and the reason is printed. The next
// launch works; unless the first one ended midway, and left memory as no kernel leaves it. For the simulator: a GPU has
// its own memory.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

__global__ void small(int* out) { out[threadIdx.x] = 1; }

__device__ __noinline__ int count_down(int n, int* out) { return n <= 0 ? out[0] : count_down(n - 1, out) + n; }
__global__ void recurse(int* out) { out[threadIdx.x] = count_down(static_cast<int>(threadIdx.x), out); }
/// Block 0 waits for block 1, which needs stacks of its own.
__global__ void wait_for_the_next(volatile int* out) {
  if (blockIdx.x != 0) out[0] = 1;
  while (blockIdx.x == 0 && out[0] != 1) {
  }
  out[threadIdx.x] = count_down(static_cast<int>(threadIdx.x), const_cast<int*>(out));
}

namespace {

/// Address space for this process beyond what it has.
void allow_more(rlim_t bytes) {
  unsigned long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%lu", &pages) != 1) std::perror("/proc/self/statm");
  if (file != nullptr) std::fclose(file);
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
  setrlimit(RLIMIT_AS, &limit);
}

bool is(cudaError_t wanted, cudaError_t error, const char* what) {
  if (error != wanted) std::printf("%s: %s, not %s\n", what, cudaGetErrorName(error), cudaGetErrorName(wanted));
  return error == wanted;
}

}  // namespace

int main() {
  int* out = nullptr;
  bool good = is(cudaSuccess, cudaMalloc(&out, 4096), "cudaMalloc");
  small<<<1, 32>>>(out);
  good &= is(cudaSuccess, cudaGetLastError(), "a launch with memory");
  allow_more(32 << 20);
  recurse<<<4, 1024>>>(out);  // its stacks take three times as much, a block
  good &= is(cudaErrorMemoryAllocation, cudaGetLastError(), "a launch without memory");
  allow_more(RLIM_INFINITY);
  small<<<1, 32>>>(out);
  good &= is(cudaSuccess, cudaGetLastError(), "the next launch");
  good &= is(cudaSuccess, cudaMemset(out, 0, 4096), "cudaMemset");
  allow_more(32 << 20);  // for the stacks of one block
  wait_for_the_next<<<2, 256>>>(out);
  good &= is(cudaErrorMemoryAllocation, cudaGetLastError(), "a launch that ends midway");
  allow_more(RLIM_INFINITY);
  good &= is(cudaErrorMemoryAllocation, cudaDeviceSynchronize(), "what comes after it");
  if (good) std::puts("as expected");
  return good ? 0 : 1;
}
