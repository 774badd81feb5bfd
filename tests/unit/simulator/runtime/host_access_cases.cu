// SPDX-License-Identifier: MIT
// What the host does before it has waited: accesses to memory that a launch or a copy still uses, and times of events.
// host_access_cases NAME runs a case. Only the simulator reports.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int size = 64;

__global__ void fill(int* data) { data[threadIdx.x] = 7; }
__global__ void count(int* data) { atomicAdd(data, 1); }
__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void fill_and_tell(int* data, volatile int* flag) {
  data[threadIdx.x] = 7;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

void must(bool is_so) {
  if (is_so) return;
  std::fprintf(stderr, "not so\n");
  std::exit(1);
}
void must(cudaError_t error) { must(error == cudaSuccess); }

int* managed() {
  int* data = nullptr;
  must(cudaMallocManaged(&data, size * sizeof(int)));
  std::memset(data, 0, size * sizeof(int));
  return data;
}
int* pinned() {
  int* data = nullptr;
  must(cudaHostAlloc(&data, size * sizeof(int), cudaHostAllocMapped));
  std::memset(data, 0, size * sizeof(int));
  return data;
}

// ---- mistakes ------------------------------------------------------------------------------------------------------

void reads_managed() {
  int* const data = managed();
  fill<<<1, size>>>(data);
  const int last = data[size - 1];
  must(cudaFree(data));
  std::printf("%d\n", last);
}

}  // namespace

/// A template that other files may share has a section of its own in the program, and lines of its own.
template <typename T>
void reads_a_count() {
  T* const data = pinned();
  count<<<1, size>>>(data);
  const T now = data[0];
  must(cudaFreeHost(data));
  std::printf("%d\n", now);
}

namespace {

void writes_the_input() {
  int *const in = managed(), *const out = managed();
  copy<<<1, size>>>(in, out);
  in[0] = 1;
  must(cudaFree(in));
  must(cudaFree(out));
}

void reads_the_copy() {
  int *const data = pinned(), *device = nullptr;
  cudaStream_t stream = nullptr;
  must(cudaStreamCreate(&stream));
  must(cudaMalloc(&device, size * sizeof(int)));
  must(cudaMemset(device, 0, size * sizeof(int)));
  must(cudaMemcpyAsync(data, device, size * sizeof(int), cudaMemcpyDeviceToHost, stream));
  const int last = data[size - 1];
  must(cudaStreamSynchronize(stream));
  must(cudaFree(device));
  must(cudaFreeHost(data));
  must(cudaStreamDestroy(stream));
  std::printf("%d\n", last);
}

/// `waits`: for the later event. Both are complete at the end.
void times_a_launch(bool waits) {
  int* const data = managed();
  cudaEvent_t begin = nullptr, end = nullptr;
  float time_ms = 0;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  must(cudaEventRecord(begin));
  fill<<<1, size>>>(data);
  must(cudaEventRecord(end));
  if (waits) must(cudaEventSynchronize(end));
  const cudaError_t first = cudaEventElapsedTime(&time_ms, begin, end);
  std::printf("%s\n", cudaGetErrorName(first));
  must(cudaDeviceSynchronize());
  must(cudaEventElapsedTime(&time_ms, begin, end));
  must(cudaEventDestroy(begin));
  must(cudaEventDestroy(end));
  must(cudaFree(data));
}

// ---- no mistakes ---------------------------------------------------------------------------------------------------

void after_a_wait(cudaError_t (*wait)(int* data)) {
  int* const data = managed();
  for (int round = 0; round < 3; ++round) {
    fill<<<1, size>>>(data);
    must(wait(data));
    must(data[size - 1] == 7);
    data[size - 1] = 0;
  }
  must(cudaFree(data));
}

void by_an_event() {
  int* const data = managed();
  cudaEvent_t event = nullptr;
  must(cudaEventCreate(&event));
  fill<<<1, size>>>(data);
  must(cudaEventRecord(event));
  count<<<1, 1>>>(managed());  // other memory
  must(cudaEventSynchronize(event));
  must(data[size - 1] == 7);
  must(cudaEventDestroy(event));
}

/// The host reads what the launch only reads, and writes other bytes of the page that it writes.
void other_bytes() {
  int *const in = managed(), *data = nullptr;
  must(cudaMallocManaged(&data, 2 * size * sizeof(int)));
  copy<<<1, size>>>(in, data);
  data[size] = in[0];
  must(data[size] == 0);
  must(cudaDeviceSynchronize());
}

/// The stream orders a host function after the launch.
void by_a_host_function() {
  int* const data = managed();
  fill<<<1, size>>>(data);
  must(cudaLaunchHostFunc(
      nullptr, [](void* of_managed) { must(static_cast<int*>(of_managed)[0] == 7); }, data));
  must(cudaDeviceSynchronize());
}

/// The launch tells the host that its values are there. In random order it would be late, and the host would wait for
/// ever.
void by_a_flag() {
  int *const data = managed(), *const flag = pinned();
  fill_and_tell<<<1, size>>>(data, flag);
  while (*static_cast<volatile int*>(flag) == 0) {
  }
  must(data[size - 1] == 7);
  must(cudaDeviceSynchronize());
}

void right() {
  after_a_wait([](int*) { return cudaDeviceSynchronize(); });
  after_a_wait([](int*) { return cudaStreamSynchronize(nullptr); });
  after_a_wait([](int*) {
    while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
    }
    return cudaSuccess;
  });
  after_a_wait([](int* data) {
    int value = 0;
    return cudaMemcpy(&value, data, sizeof value, cudaMemcpyDefault);
  });
  by_an_event();
  other_bytes();
  by_a_host_function();
  times_a_launch(true);
}

}  // namespace

int main(int words, char** word) {
  const auto is = [&](const char* name) { return words == 2 && std::strcmp(word[1], name) == 0; };
  if (is("reads-managed")) reads_managed();
  if (is("reads-a-count")) reads_a_count<int>();
  if (is("writes-the-input")) writes_the_input();
  if (is("reads-the-copy")) reads_the_copy();
  if (is("early-event")) times_a_launch(false);
  if (is("right")) right();
  if (is("by-a-flag")) by_a_flag();
}
