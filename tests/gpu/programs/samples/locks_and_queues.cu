// SPDX-License-Identifier: MIT
// Threads that wait for each other through memory. Lanes of the same warp take a spin lock, and a hash table uses
// compare and swap. Blocks hand a value down a chain. One block has a producer and a consumer.
#include <vector>

#include "helper_cuda.h"

struct Mutex {
  int locked;
  __device__ void lock() {
    while (atomicCAS(&locked, 0, 1) != 0) __nanosleep(20);
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(&locked, 0);
  }
};

struct Account {
  Mutex mutex;
  volatile int balance;
  volatile int changes;
};

__global__ void pay(Account* accounts, int account_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Account& account = accounts[i % account_count];
  account.mutex.lock();
  account.balance = account.balance + i;
  account.changes = account.changes + 1;
  account.mutex.unlock();
}

constexpr unsigned empty_slot = ~0u;

__global__ void insert(const unsigned* keys, int n, unsigned* slots, unsigned* counts, unsigned capacity) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned slot = keys[i] * 2654435761u % capacity;
  while (true) {
    const unsigned before = atomicCAS(&slots[slot], empty_slot, keys[i]);
    if (before == empty_slot || before == keys[i]) {
      atomicAdd(&counts[slot], 1u);
      return;
    }
    slot = (slot + 1) % capacity;
  }
}

/// Inclusive prefix sums over blocks: block b waits for the sum of block b - 1. A ticket tells the blocks' order of
/// arrival.
__global__ void chain(const int* in, int* out, volatile int* sums, volatile int* ready, unsigned* ticket) {
  __shared__ unsigned order;
  __shared__ int before;
  if (threadIdx.x == 0) order = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned i = order * blockDim.x + threadIdx.x;
  int value = in[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, value, offset);
    if (threadIdx.x >= offset) value += other;
  }
  if (threadIdx.x == 31) {
    int sum = 0;
    if (order > 0) {
      while (ready[order - 1] == 0) {
      }
      __threadfence();
      sum = sums[order - 1];
    }
    sums[order] = sum + value;
    __threadfence();
    ready[order] = 1;
    before = sum;
  }
  __syncthreads();
  out[i] = before + value;
}

/// Warp 0 fills a ring of two buffers, warp 1 empties it; named barriers say what is full and what is empty.
__global__ void pipeline(const int* in, int* out, int rounds) {
  __shared__ int ring[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int round = 0; round < rounds; ++round) {
      const int full = 1 + round % 2, empty = 3 + round % 2;
      if (round >= 2) asm volatile("bar.sync %0, 64;" ::"r"(empty) : "memory");
      ring[round % 2][lane] = in[round * 32 + lane];
      __threadfence_block();
      asm volatile("bar.arrive %0, 64;" ::"r"(full) : "memory");
    }
  } else {
    for (int round = 0; round < rounds; ++round) {
      const int full = 1 + round % 2, empty = 3 + round % 2;
      asm volatile("bar.sync %0, 64;" ::"r"(full) : "memory");
      out[round * 32 + lane] = 2 * ring[round % 2][31 - lane];
      if (round + 2 < rounds) asm volatile("bar.arrive %0, 64;" ::"r"(empty) : "memory");
    }
  }
}

template <typename T>
T* managed(std::size_t count, int byte = 0) {
  T* p = nullptr;
  checkCudaErrors(cudaMallocManaged(&p, count * sizeof(T)));
  checkCudaErrors(cudaMemset(p, byte, count * sizeof(T)));
  checkCudaErrors(cudaDeviceSynchronize());
  return p;
}

void wait() {
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
}

bool accounts_test() {
  constexpr int count = 5, threads = 8 * 64;
  auto* accounts = managed<Account>(count);
  pay<<<8, 64>>>(accounts, count);
  wait();
  bool passed = true;
  for (int a = 0; a < count; ++a) {
    int balance = 0, changes = 0;
    for (int i = a; i < threads; i += count, ++changes) balance += i;
    passed = passed && accounts[a].balance == balance && accounts[a].changes == changes;
  }
  checkCudaErrors(cudaFree(accounts));
  return passed;
}

bool table_test() {
  constexpr int n = 2000, distinct = 500;
  constexpr unsigned capacity = 1024;
  auto* keys = managed<unsigned>(n);
  auto* slots = managed<unsigned>(capacity, 0xff);
  auto* counts = managed<unsigned>(capacity);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<unsigned>(i * 17 % distinct);
  insert<<<(n + 127) / 128, 128>>>(keys, n, slots, counts, capacity);
  wait();
  int found = 0;
  bool passed = true;
  for (unsigned slot = 0; slot < capacity; ++slot) {
    if (slots[slot] == empty_slot) continue;
    ++found;
    passed = passed && counts[slot] == n / distinct;
  }
  passed = passed && found == distinct;
  checkCudaErrors(cudaFree(keys));
  checkCudaErrors(cudaFree(slots));
  checkCudaErrors(cudaFree(counts));
  return passed;
}

bool chain_test() {
  constexpr int blocks = 40, n = blocks * 32;
  auto* in = managed<int>(n);
  auto* out = managed<int>(n);
  auto* sums = managed<int>(blocks);
  auto* ready = managed<int>(blocks);
  auto* ticket = managed<unsigned>(1);
  for (int i = 0; i < n; ++i) in[i] = i % 13 - 4;
  chain<<<blocks, 32>>>(in, out, sums, ready, ticket);
  wait();
  bool passed = true;
  int sum = 0;
  for (int i = 0; i < n; ++i) passed = passed && out[i] == (sum += in[i]);
  for (int* p : {in, out, sums, ready}) checkCudaErrors(cudaFree(p));
  checkCudaErrors(cudaFree(ticket));
  return passed;
}

bool pipeline_test() {
  constexpr int rounds = 9, n = rounds * 32;
  auto* in = managed<int>(n);
  auto* out = managed<int>(n);
  for (int i = 0; i < n; ++i) in[i] = i * i;
  pipeline<<<1, 64>>>(in, out, rounds);
  wait();
  bool passed = true;
  for (int i = 0; i < n; ++i) passed = passed && out[i] == 2 * in[i / 32 * 32 + 31 - i % 32];
  checkCudaErrors(cudaFree(in));
  checkCudaErrors(cudaFree(out));
  return passed;
}

int main() {
  const bool a = accounts_test(), b = table_test(), c = chain_test(), d = pipeline_test();
  std::printf("accounts %d, table %d, chain %d, pipeline %d\n", a, b, c, d);
  return finish("locks_and_queues", a && b && c && d);
}
