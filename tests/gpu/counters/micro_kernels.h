// SPDX-License-Identifier: MIT
// Tiny kernels whose loads and stores can be counted by hand, and the launches that give each a name. A kernel does one
// access that matters, at `index(thread)`; where the index is `idle` the lane takes no part. The address is not known
// before the kernel runs and the value is stored, so ptxas can neither merge, nor split, nor remove the access.
#pragma once

#include <cstddef>
#include <string>

namespace micro {

constexpr int idle = -1;
constexpr unsigned shared_elements = 1152;  ///< a multiple of the block, and enough for a column of [32][33]
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

/// Zeroed memory of `buffer_bytes` to read from, and as much to write to.
void* input();
void* output();
/// Waits for the launch before it, stops the program if that failed, and prints `name`: launch n is line n.
void launched(const std::string& name);

struct Shape {
  unsigned blocks = 2;
  unsigned threads = 128;
};

/// A lane's place in its warp, and its global index.
__device__ inline unsigned lane_of(unsigned t) { return t % 32; }
__device__ inline unsigned thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Any index below `range`, the same in every run; one of `of` lanes takes part, chosen in the same way.
struct Scattered {
  unsigned seed, range, of;
  __device__ int operator()(unsigned t) const {
    unsigned h = (t + 1) * 2654435761u + seed * 40503u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    h ^= h >> 16;
    return h % of != 0 ? idle : static_cast<int>((h >> 4) % range);
  }
};

template <class T, class Index>
__global__ void global_load(const T* in, T* out, Index index) {
  const unsigned t = thread_index();
  const int i = index(t);
  if (i != idle) out[t] = in[i];
}

template <class T, class Index>
__global__ void global_store(T* out, T value, Index index) {
  const int i = index(thread_index());
  if (i != idle) out[i] = value;
}

template <class T>
__device__ void fill(T* array, T value) {
  for (unsigned i = threadIdx.x; i < shared_elements; i += blockDim.x) array[i] = value;
  __syncthreads();
}

template <class T, class Index>
__global__ void shared_load(T* out, T value, Index index) {
  __shared__ T array[shared_elements];
  fill(array, value);
  const int i = index(threadIdx.x);
  if (i != idle) out[thread_index()] = array[i];
}

template <class T, class Index>
__global__ void shared_store(T* out, T before, T value, Index index) {
  __shared__ T array[shared_elements];
  fill(array, before);
  const int i = index(threadIdx.x);
  if (i != idle) array[i] = value;
  __syncthreads();
  out[thread_index()] = array[threadIdx.x];
}

/// One load and one store of global memory at the same places.
template <class T, class Index>
void global(const std::string& name, Index index, Shape shape = {}) {
  global_load<<<shape.blocks, shape.threads>>>(static_cast<const T*>(input()), static_cast<T*>(output()), index);
  launched("global load " + name);
  global_store<<<shape.blocks, shape.threads>>>(static_cast<T*>(output()), T{}, index);
  launched("global store " + name);
}

/// The same for shared memory. One block; `index` sees the thread's place in it.
template <class T, class Index>
void shared(const std::string& name, Index index, Shape shape = {1, 128}) {
  shared_load<<<shape.blocks, shape.threads>>>(static_cast<T*>(output()), T{}, index);
  launched("shared load " + name);
  shared_store<<<shape.blocks, shape.threads>>>(static_cast<T*>(output()), T{}, T{}, index);
  launched("shared store " + name);
}

void global_cases();
void shared_cases();
void other_cases();
void matrix_cases();

}  // namespace micro
