// SPDX-License-Identifier: MIT
// Atomics and reductions, local memory, constant memory, and loads by another road: read-only, volatile, generic.
#include "micro_kernels.h"

namespace micro {
namespace {

template <class T, class Index>
__global__ void atomic_with_result(T* counts, T* out, T value, Index index) {
  const unsigned t = thread_index();
  const int i = index(t);
  if (i != idle) out[t] = atomicAdd(&counts[i], value);
}

template <class T, class Index>
__global__ void atomic_without_result(T* counts, T value, Index index) {
  const int i = index(thread_index());
  if (i != idle) atomicAdd(&counts[i], value);
}

template <class Index>
__global__ void exchange(unsigned* words, unsigned* out, Index index) {
  const unsigned t = thread_index();
  out[t] = atomicCAS(&words[index(t)], 0u, t);
}

template <class T, class Index>
__global__ void shared_atomic_with_result(T* out, T value, Index index) {
  __shared__ T array[shared_elements];
  fill(array, value);
  out[thread_index()] = atomicAdd(&array[index(threadIdx.x)], value);
}

template <class T, class Index>
__global__ void shared_atomic_without_result(T* out, T value, Index index) {
  __shared__ T array[shared_elements];
  fill(array, value);
  atomicAdd(&array[index(threadIdx.x)], value);
  __syncthreads();
  out[thread_index()] = array[threadIdx.x];
}

/// volatile: each store and each load stays one instruction.
template <class T, class Index>
__global__ void local_array(T* out, T value, Index index) {
  volatile T array[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) array[i] = value;
  const unsigned t = thread_index();
  const int i = index(t);
  if (i != idle) out[t] = array[i];
}

__constant__ float constant_table[256];

template <class Index>
__global__ void constant(float* out, Index index) {
  const unsigned t = thread_index();
  out[t] = constant_table[index(t)];
}

__global__ void read_only(const float* in, float* out) {
  const unsigned t = thread_index();
  out[t] = __ldg(&in[2 * t]);
}

__global__ void volatile_load(const volatile float* in, float* out) {
  const unsigned t = thread_index();
  out[t] = in[2 * t];
}

/// Where the address leads is known only when the kernel runs.
__global__ void generic(float* in, float* out, bool is_shared) {
  __shared__ float array[shared_elements];
  fill(array, 1.0f);
  float* words = is_shared ? array : in;
  const unsigned t = threadIdx.x;
  out[thread_index()] = words[4 * t];
  words[2 * t] = 2.0f;
  __syncthreads();
  if (array[t] == 5.0f) out[0] = 1.0f;
}

/// Both roads at once: even lanes read shared, odd lanes global memory.
__global__ void generic_mixed(float* in, float* out) {
  __shared__ float array[shared_elements];
  fill(array, 1.0f);
  const unsigned t = threadIdx.x;
  float* words = t % 2 == 0 ? array : in;
  out[thread_index()] = words[4 * t];
}

/// Two ways of one branch, each with a load of its own.
__global__ void two_ways(const float* in, float* out) {
  const unsigned t = thread_index();
  for (unsigned i = 0; i < t % 4; ++i) out[t] = in[32 * i + t] + out[t];
}

template <class T, class Index>
void atomics(const std::string& name, Index index) {
  auto* counts = static_cast<T*>(output());
  auto* out = static_cast<T*>(output()) + buffer_bytes / sizeof(T) / 2;
  atomic_with_result<<<2, 128>>>(counts, out, T(3), index);
  launched("global atomic " + name);
  atomic_without_result<<<2, 128>>>(counts, T(3), index);
  launched("global reduction " + name);
}

void global_atomics() {
  atomics<int>("int, neighbours", [] __device__(unsigned t) { return int(t); });
  atomics<int>("int, one for all", [] __device__(unsigned) { return 5; });
  atomics<int>("int, one a warp", [] __device__(unsigned t) { return int(t / 32 * 64); });
  atomics<int>("int, stride 8", [] __device__(unsigned t) { return int(8 * t); });
  atomics<int>("int, each one twice", [] __device__(unsigned t) { return int(t / 2); });
  atomics<int>("int, tail of 40", [] __device__(unsigned t) { return t < 40 ? int(t) : idle; });
  atomics<int>("int, scattered 1", Scattered{1, 64, 1});
  atomics<unsigned long long>("64-bit, scattered 1, some lanes", Scattered{1, 64, 2});
  atomics<float>("float, one for all", [] __device__(unsigned) { return 5; });
  exchange<<<2, 128>>>(static_cast<unsigned*>(input()), static_cast<unsigned*>(output()),
                       [] __device__(unsigned t) { return int(t / 2); });
  launched("global atomic compare and swap");
}

template <class T, class Index>
void shared_atomics(const std::string& name, Index index) {
  auto* out = static_cast<T*>(output());
  shared_atomic_with_result<<<1, 128>>>(out, T(3), index);
  launched("shared atomic " + name);
  shared_atomic_without_result<<<1, 128>>>(out, T(3), index);
  launched("shared reduction " + name);
}

void shared_atomics() {
  shared_atomics<int>("int, neighbours", [] __device__(unsigned t) { return int(lane_of(t)); });
  shared_atomics<int>("int, one for all", [] __device__(unsigned) { return 5; });
  shared_atomics<int>("int, each one twice", [] __device__(unsigned t) { return int(lane_of(t) / 2); });
  shared_atomics<int>("int, stride 2", [] __device__(unsigned t) { return int(2 * lane_of(t)); });
  shared_atomics<int>("int, stride 32", [] __device__(unsigned t) { return int(32 * lane_of(t)); });
  shared_atomics<unsigned long long>("64-bit, each one twice",
                                     [] __device__(unsigned t) { return int(lane_of(t) / 2); });
}

template <class T, class Index>
void local(const std::string& name, Index index) {
  local_array<<<2, 128>>>(static_cast<T*>(output()), T(1), index);
  launched("local " + name);
}

void local_memory() {
  local<int>("int, same element", [] __device__(unsigned) { return int(blockDim.x % 16 + 3); });
  local<double>("double, same element", [] __device__(unsigned) { return int(blockDim.x % 16 + 3); });
  local<double>("double, each lane its own", [] __device__(unsigned t) { return int(t % 16); });
  local<double>("double, lane 0", [] __device__(unsigned t) { return t % 32 == 0 ? int(t / 64) : idle; });
  local<char>("char, each lane its own", [] __device__(unsigned t) { return int(t % 16); });
  local<char>("char, pairs alike", [] __device__(unsigned t) { return int(t / 2 % 16); });
}

}  // namespace

void other_cases() {
  auto* in = static_cast<float*>(input());
  auto* out = static_cast<float*>(output());
  global_atomics();
  shared_atomics();
  local_memory();
  constant<<<2, 128>>>(out, [] __device__(unsigned t) { return int(t * 7 % 256); });
  launched("constant, each lane its own");
  read_only<<<2, 128>>>(in, out);
  launched("read-only load, float, stride 2");
  volatile_load<<<2, 128>>>(in, out);
  launched("volatile load, float, stride 2");
  generic<<<1, 128>>>(in, out, false);
  launched("generic, global memory");
  generic<<<1, 128>>>(in, out, true);
  launched("generic, shared memory");
  generic_mixed<<<1, 128>>>(in, out);
  launched("generic, both");
  two_ways<<<2, 128>>>(in, out);
  launched("divergent loop");
}

}  // namespace micro
