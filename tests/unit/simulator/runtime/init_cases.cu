// SPDX-License-Identifier: MIT
// Programs for the check of undefined values, CUDASIM_CHECK=init. Without an argument: correct code that looks
// suspicious (padding, tails of tiles, lanes that are switched off). The check must be silent on it; the results are
// compared too. With the name of a case: a mistake that only the runtime's calls can show. Planted bugs in kernels are
// in tests/checkers.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#define MUST(condition)                                                   \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

namespace {

struct Padded {
  char key;  // seven bytes of padding behind it
  double value;
};

template <typename T>
T* unwritten(std::size_t count) {
  T* data = nullptr;
  MUST(cudaMalloc(&data, count * sizeof(T)) == cudaSuccess);
  return data;
}
template <typename T>
std::vector<T> to_host(const T* data, std::size_t count) {
  std::vector<T> values(count);
  MUST(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  return values;
}

// ---- silent --------------------------------------------------------------------------------------------------------

__global__ void fill_padded(Padded* out) {
  out[threadIdx.x].key = static_cast<char>(threadIdx.x);
  out[threadIdx.x].value = threadIdx.x;
}
__global__ void copy_padded(const Padded* in, Padded* out) {
  __shared__ Padded pairs[100];
  pairs[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = pairs[99 - threadIdx.x];
}
void padding() {
  auto *a = unwritten<Padded>(100), *b = unwritten<Padded>(100), *c = unwritten<Padded>(100);
  fill_padded<<<1, 100>>>(a);
  copy_padded<<<1, 100>>>(a, b);
  MUST(cudaMemcpy(c, b, 100 * sizeof(Padded), cudaMemcpyDeviceToDevice) == cudaSuccess);
  MUST(to_host(c, 100)[3].value == 96);
}

/// Structs with padding as large as a word, once and twice in each.
struct Sample {
  double value;
  float weight;
};
struct Pair {
  double first;
  float weight;
  double second;
  double third;
  float other_weight;
};
__global__ void fill_samples(Sample* samples, Pair* pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  samples[i].value = i;
  samples[i].weight = 0.5f;
  pairs[i].first = pairs[i].second = pairs[i].third = i;
  pairs[i].weight = pairs[i].other_weight = 0.5f;
}
void padding_of_a_word() {
  auto* samples = unwritten<Sample>(256);
  auto* pairs = unwritten<Pair>(256);
  fill_samples<<<4, 64>>>(samples, pairs);
  MUST(to_host(samples, 256)[200].value == 200);
  MUST(to_host(pairs, 256)[200].third == 200);
}

/// A whole tile is copied, of which the last part was never written, and only the first part is used.
__global__ void tile(const int* in, int* out, int n) {
  __shared__ int values[128];
  __shared__ int4 four[32];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  if (t < 32) four[t] = reinterpret_cast<const int4*>(values)[t];
  __syncthreads();
  const int value = reinterpret_cast<const int*>(four)[t];
  const int kept = t < n ? value : 0;
  out[t] = (t < n) & (value > 10) ? kept + 1 : kept;
}
void tail_of_a_tile() {
  int *in = unwritten<int>(128), *copied = unwritten<int>(128), *out = unwritten<int>(128);
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 0);
  MUST(cudaMemcpy(in, numbers.data(), 400, cudaMemcpyHostToDevice) == cudaSuccess);
  MUST(cudaMemcpy(copied, in, 512, cudaMemcpyDeviceToDevice) == cudaSuccess);
  tile<<<1, 128>>>(copied, out, 100);
  const auto result = to_host(out, 128);
  MUST(result[10] == 10 && result[99] == 100 && result[120] == 0);
}

/// Only x, y and z of each point are written, and read.
__global__ void points(float4* points, float* out) {
  const int t = threadIdx.x;
  points[t].x = 1;
  points[t].y = 2;
  points[t].z = static_cast<float>(t);
  const float4 p = points[t];
  out[t] = p.x + p.y + p.z;
}
void part_of_a_vector() {
  auto* p = unwritten<float4>(64);
  auto* out = unwritten<float>(64);
  points<<<1, 64>>>(p, out);
  MUST(to_host(out, 64)[5] == 8);
}

/// Ten lanes add up; what they read from beyond is added to sums that nobody looks at.
__global__ void first_lanes(const int* in, int* out) {
  if (threadIdx.x >= 10) return;
  int sum = in[threadIdx.x];
  const unsigned mask = __activemask();
  for (int offset = 8; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(mask, sum, offset);
    if (threadIdx.x + offset < 10) sum += other;
  }
  if (threadIdx.x == 0) *out = sum;
}
void part_of_a_warp() {
  int *in = unwritten<int>(32), *out = unwritten<int>(1);
  MUST(cudaMemset(in, 0, 40) == cudaSuccess);
  first_lanes<<<1, 32>>>(in, out);
  MUST(to_host(out, 1)[0] == 0);
}

struct Options {
  int used;
  int unused[3];
};
__device__ __noinline__ int twice(Options options) { return options.used * 2; }
__device__ int counter;
__global__ void odds_and_ends(int* out, int n) {
  Options options;  // the other members are never set
  options.used = n;
  auto* heap = static_cast<int*>(malloc(8));
  heap[0] = twice(options);
  out[0] = heap[0] + atomicAdd(&counter, 1);
  free(heap);
}
void calls_heap_variables() {
  int* out = unwritten<int>(1);
  odds_and_ends<<<1, 1>>>(out, 21);
  MUST(to_host(out, 1)[0] == 42);
  int one = 0;
  MUST(cudaMemcpyFromSymbol(&one, counter, sizeof one) == cudaSuccess);
  MUST(one == 1);
}

__global__ void add_one(int* out, std::size_t pitch, int width) {
  if (static_cast<int>(threadIdx.x) < width) ++out[blockIdx.x * pitch / sizeof(int) + threadIdx.x];
}
void rows() {
  void* data = nullptr;
  std::size_t pitch = 0;
  MUST(cudaMallocPitch(&data, &pitch, 40, 8) == cudaSuccess);
  MUST(cudaMemset2D(data, pitch, 0, 40, 8) == cudaSuccess);
  add_one<<<8, 32>>>(static_cast<int*>(data), pitch, 10);
  std::vector<int> values(80);
  MUST(cudaMemcpy2D(values.data(), 40, data, pitch, 40, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  MUST(std::accumulate(values.begin(), values.end(), 0) == 80);
}

// ---- not silent ----------------------------------------------------------------------------------------------------

__global__ void all_but_the_last(int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n - 1) out[i] = i;
}
void missing_element() {
  int* out = unwritten<int>(1024);
  all_but_the_last<<<4, 256>>>(out, 1024);
  to_host(out, 1024);
}

__global__ void all_but_the_last_of_each_block(int* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (threadIdx.x < blockDim.x - 1) out[i] = i;
}
void missing_elements() {
  int* out = unwritten<int>(1024);
  all_but_the_last_of_each_block<<<4, 256>>>(out);
  to_host(out, 1024);
}

__global__ void count_positive(const int* in, int* out) {
  if (in[threadIdx.x] > 0) atomicAdd(out, 1);
}
void copied_on_the_device() {
  int *in = unwritten<int>(32), *copied = unwritten<int>(32), *out = unwritten<int>(1);
  MUST(cudaMemset(copied, 0, 128) == cudaSuccess && cudaMemset(out, 0, 4) == cudaSuccess);
  MUST(cudaMemcpy(copied, in, 128, cudaMemcpyDeviceToDevice) == cudaSuccess);
  count_positive<<<1, 32>>>(copied, out);
}

__global__ void print(const int* in) { printf("%d\n", in[5]); }
void printed() {
  print<<<1, 1>>>(unwritten<int>(32));
  MUST(cudaDeviceSynchronize() == cudaSuccess);
}

__global__ void heap() {
  auto* values = static_cast<volatile int*>(malloc(64));
  if (values[3] > 0) values[4] = 1;
}
void kernel_heap() {
  heap<<<1, 1>>>();
  MUST(cudaDeviceSynchronize() == cudaSuccess);
}

/// Each thread copies a word of 4, 8 or 16 bytes into shared memory, of which only the first was never written.
template <class Word>
__global__ void copy_asynchronously(const Word* in, int* out) {
  __shared__ alignas(16) Word words[32];
  __pipeline_memcpy_async(&words[threadIdx.x], &in[threadIdx.x], sizeof(Word));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (*reinterpret_cast<const volatile int*>(&words[threadIdx.x]) > 0) out[threadIdx.x] = 1;
}
template <class Word>
void copied_asynchronously();  // below

__global__ void turn(const int* in, int* out) {
  __shared__ int words[32];
  __pipeline_memcpy_async(&words[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __syncthreads();  // and no wait
  out[threadIdx.x] = words[31 - threadIdx.x];
}

/// What an asynchronous copy is to bring is not unwritten beside that: with the check of races there is one finding.
void read_before_wait() {
  int *in, *out, values[32] = {};
  MUST(cudaMalloc(&in, sizeof values) == cudaSuccess && cudaMalloc(&out, sizeof values) == cudaSuccess);
  MUST(cudaMemset(in, 0, sizeof values) == cudaSuccess);
  turn<<<1, 32>>>(in, out);
  MUST(cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess);
  cudaFree(in);
  cudaFree(out);
}

template <typename Word>
void copied_asynchronously() {
  Word* in = unwritten<Word>(32);
  int* out = unwritten<int>(32);
  MUST(cudaMemset(out, 0, 128) == cudaSuccess);
  if (sizeof(Word) > 4)
    MUST(cudaMemset2D(reinterpret_cast<char*>(in) + 4, sizeof(Word), 0, sizeof(Word) - 4, 32) == cudaSuccess);
  copy_asynchronously<<<1, 32>>>(in, out);
  MUST(cudaDeviceSynchronize() == cudaSuccess);
}

/// All of a large array is computed from one element that nothing wrote. That one is reported, and not the first of
/// these.
__global__ void compute_in_shared_memory(float* out) {
  __shared__ volatile float computed[8192];
  __shared__ volatile float unwritten[8];
  for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) computed[i] = unwritten[5] + 1.0f;
  __syncthreads();
  out[threadIdx.x] = computed[threadIdx.x];
}
void computed_in_shared_memory() {
  auto* out = unwritten<float>(32);
  float result[32];
  compute_in_shared_memory<<<1, 32>>>(out);
  MUST(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost) == cudaSuccess);
}

struct Case {
  const char* name;
  void (*run)();
};
const Case cases[] = {{"missing-element", missing_element},
                      {"missing-elements", missing_elements},
                      {"copied-on-the-device", copied_on_the_device},
                      {"printed", printed},
                      {"kernel-heap", kernel_heap},
                      {"computed-in-shared-memory", computed_in_shared_memory},
                      {"read-before-wait", read_before_wait},
                      {"copied-asynchronously-4", copied_asynchronously<int>},
                      {"copied-asynchronously-8", copied_asynchronously<int2>},
                      {"copied-asynchronously-16", copied_asynchronously<int4>}};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    for (auto* run :
         {padding, padding_of_a_word, tail_of_a_tile, part_of_a_vector, part_of_a_warp, calls_heap_variables, rows})
      run();
    return 0;
  }
  for (const Case& c : cases) {
    if (std::strcmp(c.name, argv[1]) != 0) continue;
    c.run();
    return 0;
  }
  return 2;
}
