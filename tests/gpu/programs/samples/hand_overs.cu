// SPDX-License-Identifier: MIT
// Data that one block hands to another, in each way in which it is right to acquire them. An order does it, or a fence
// after a relaxed or volatile read. A fence of other threads after a barrier does, and so does what libraries make of
// these.
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <new>

#include "helper_cuda.h"

namespace cg = cooperative_groups;

constexpr unsigned kBlocks = 4, kThreads = 64, kAll = kBlocks * kThreads;

/// The thread's place, and that of the same thread in the next block.
__device__ unsigned own() { return blockIdx.x * kThreads + threadIdx.x; }
__device__ unsigned next() { return (own() + kThreads) % kAll; }

__global__ void by_latch(int* data, int* out, cuda::latch<cuda::thread_scope_device>* latch) {
  data[own()] = 1;
  __syncthreads();
  if (threadIdx.x == 0) latch->arrive_and_wait();
  __syncthreads();
  out[own()] += data[next()];
}

__global__ void by_barrier(int* data, int* out, cuda::barrier<cuda::thread_scope_device>* barrier) {
  for (int round = 0; round < 3; ++round) {
    data[own()] = round;
    barrier->arrive_and_wait();
    out[own()] += data[next()];
    barrier->arrive_and_wait();
  }
}

__global__ void by_grid_sync(int* data, int* out) {
  const auto grid = cg::this_grid();
  for (int round = 0; round < 3; ++round) {
    data[own()] = round;
    grid.sync();
    out[own()] += data[next()];
    grid.sync();
  }
}

/// A barrier of the grid by hand: once with fences around relaxed accesses, once with orders.
__global__ void by_counter(int* data, int* out, unsigned* arrived) {
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*arrived);
  for (unsigned round = 0; round < 3; ++round) {
    data[own()] = static_cast<int>(round);
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (*const_cast<volatile unsigned*>(arrived) < (2 * round + 1) * kBlocks) {
      }
      __threadfence();
    }
    __syncthreads();
    out[own()] += data[next()];
    __syncthreads();
    if (threadIdx.x == 0) {
      counter.fetch_add(1, cuda::memory_order_release);
      while (counter.load(cuda::memory_order_acquire) < (2 * round + 2) * kBlocks) {
      }
    }
    __syncthreads();
  }
}

/// Blocks in turn: thread 0 acquires the lock, and a barrier hands that on to the others.
__global__ void by_semaphore(int* out, cuda::binary_semaphore<cuda::thread_scope_device>* semaphore) {
  if (threadIdx.x == 0) semaphore->acquire();
  __syncthreads();
  out[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0) semaphore->release();
}

/// The same in the order of the blocks, as libraries of matrix products do it.
__global__ void in_order(int* out, int* turn) {
  int now = -1;
  while (__syncthreads_and(now != static_cast<int>(blockIdx.x))) {
    if (threadIdx.x == 0) asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(now) : "l"(turn) : "memory");
  }
  out[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(turn), "r"(blockIdx.x + 1) : "memory");
}

/// The last block: all of its threads pass a fence after the barrier behind the ticket.
__global__ void by_ticket(int* data, int* out, unsigned* tickets) {
  __shared__ bool last;
  data[own()] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(tickets, 1u) == kBlocks - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (unsigned block = 0; block < kBlocks; ++block) out[threadIdx.x] += data[block * kThreads + threadIdx.x];
}

/// Block 0 releases, the others acquire: by the strongest order, then by fences of <cuda/atomic>.
__global__ void by_flag(int* data, int* out, int* flags) {
  const cuda::atomic_ref<int, cuda::thread_scope_system> first(flags[0]);
  const cuda::atomic_ref<int, cuda::thread_scope_device> second(flags[1]);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    first.store(1);
    data[1] = 2;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    second.store(1, cuda::memory_order_relaxed);
  } else {
    while (first.load() == 0) {
    }
    out[blockIdx.x] += data[0];
    while (second.load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    out[blockIdx.x] += data[1];
  }
}

/// Inside a block: warp 0 hands over to warp 1, and so on to a thread of another block.
__global__ void by_two_flags(int* data, int* out, int* flag) {
  __shared__ int inner;
  if (threadIdx.x == 0) inner = 0;
  __syncthreads();
  const cuda::atomic_ref<int, cuda::thread_scope_block> near(inner);
  const cuda::atomic_ref<int, cuda::thread_scope_device> far(*flag);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 5;
    near.store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    while (near.load(cuda::memory_order_acquire) == 0) {
    }
    far.store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (far.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = data[0];
  }
}

template <typename T>
T* managed(std::size_t count) {
  T* p = nullptr;
  checkCudaErrors(cudaMallocManaged(&p, count * sizeof(T)));
  checkCudaErrors(cudaMemset(p, 0, count * sizeof(T)));
  checkCudaErrors(cudaDeviceSynchronize());
  return p;
}

/// Whether the first `count` sums of `launch` are `expected`.
template <class Launch>
bool gives(const char* name, unsigned count, int expected, const Launch& launch) {
  int *data = nullptr, *out = nullptr;
  unsigned* word = nullptr;
  checkCudaErrors(cudaMalloc(&data, kAll * sizeof(int)));
  checkCudaErrors(cudaMalloc(&word, 2 * sizeof(unsigned)));
  checkCudaErrors(cudaMemset(word, 0, 2 * sizeof(unsigned)));
  out = managed<int>(kAll);
  launch(data, out, word);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = true;
  for (unsigned i = 0; i < count; ++i) passed = passed && out[i] == expected;
  if (!passed) std::printf("%s: wrong\n", name);
  checkCudaErrors(cudaFree(data));
  checkCudaErrors(cudaFree(word));
  checkCudaErrors(cudaFree(out));
  return passed;
}

int main() {
  using Latch = cuda::latch<cuda::thread_scope_device>;
  using Barrier = cuda::barrier<cuda::thread_scope_device>;
  using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;
  auto* const latch = new (managed<Latch>(1)) Latch(kBlocks);
  auto* const barrier = new (managed<Barrier>(1)) Barrier(kAll);
  auto* const semaphore = new (managed<Semaphore>(1)) Semaphore(1);
  const auto as_int = [](unsigned* word) { return reinterpret_cast<int*>(word); };
  bool passed = true;
  passed &= gives("latch", kAll, 1,
                  [=](int* data, int* out, unsigned*) { by_latch<<<kBlocks, kThreads>>>(data, out, latch); });
  passed &= gives("barrier", kAll, 3,
                  [=](int* data, int* out, unsigned*) { by_barrier<<<kBlocks, kThreads>>>(data, out, barrier); });
  passed &= gives("grid sync", kAll, 3, [](int* data, int* out, unsigned*) {
    void* arguments[] = {&data, &out};
    checkCudaErrors(cudaLaunchCooperativeKernel(by_grid_sync, kBlocks, kThreads, arguments));
  });
  passed &= gives("counter", kAll, 3,
                  [](int* data, int* out, unsigned* word) { by_counter<<<kBlocks, kThreads>>>(data, out, word); });
  passed &= gives("semaphore", kThreads, kBlocks,
                  [=](int*, int* out, unsigned*) { by_semaphore<<<kBlocks, kThreads>>>(out, semaphore); });
  passed &= gives("in order", kThreads, kBlocks,
                  [=](int*, int* out, unsigned* word) { in_order<<<kBlocks, kThreads>>>(out, as_int(word)); });
  passed &= gives("ticket", kThreads, kBlocks,
                  [](int* data, int* out, unsigned* word) { by_ticket<<<kBlocks, kThreads>>>(data, out, word); });
  passed &= gives("flag", 1, 0, [=](int* data, int* out, unsigned* word) {
    by_flag<<<2, kThreads>>>(data, out, as_int(word));
    checkCudaErrors(cudaDeviceSynchronize());
    out[0] = out[1] - 3;
  });
  passed &= gives("two flags", 1, 5,
                  [=](int* data, int* out, unsigned* word) { by_two_flags<<<2, kThreads>>>(data, out, as_int(word)); });
  checkCudaErrors(cudaFree(latch));
  checkCudaErrors(cudaFree(barrier));
  checkCudaErrors(cudaFree(semaphore));
  return finish("hand_overs", passed);
}
