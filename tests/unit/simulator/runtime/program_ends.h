// SPDX-License-Identifier: MIT
// Cases of program_cases.cu: the end of a program, fork() and what is asked after it.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

// Also where static objects are destroyed already.
#define MUST(condition)                                                            \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      _exit(1);                                                                    \
    }                                                                              \
  } while (0)

namespace {

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }
__device__ int counter;
__global__ void count_bits(int* data) { data[threadIdx.x] = __popc(data[threadIdx.x]); }

// ---- the end of the program ----------------------------------------------------------------------------------------

/// A global object that holds device memory, and works with it once more in its destructor.
struct Holder {
  int* data = nullptr;
  bool by_thread = false;
  void use() {
    add_one<<<1, 32>>>(data);
    count_bits<<<1, 32>>>(data);  // for the first time
    int values[32];
    MUST(cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (const int value : values) MUST(value == 1);  // of 2
    MUST(cudaFree(data) == cudaSuccess);
  }
  ~Holder() {
    if (data == nullptr) return;
    if (by_thread) {
      std::thread([this] { use(); }).join();
    } else {
      use();
    }
  }
};
Holder holder;

void destructor() {
  MUST(cudaMalloc(&holder.data, 32 * sizeof(int)) == cudaSuccess);
  MUST(cudaMemset(holder.data, 0, 32 * sizeof(int)) == cudaSuccess);
  add_one<<<1, 32>>>(holder.data);
  MUST(cudaDeviceSynchronize() == cudaSuccess);
}

void destructor_of_a_thread() {
  holder.by_thread = true;
  destructor();
}

int* freed_at_exit = nullptr;
void handler() {
  std::atexit([] { MUST(cudaFree(freed_at_exit) == cudaSuccess); });
  MUST(cudaMalloc(&freed_at_exit, 64) == cudaSuccess);
  add_one<<<1, 16>>>(freed_at_exit);
}

__global__ void multiply(const half* a, float* c) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, a, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

/// Nobody waits for the kernel: in adversarial order it runs at the very end.
void late_matrices() {
  half* a = nullptr;
  float* c = nullptr;
  cudaStream_t stream = nullptr;
  MUST(cudaMalloc(&a, 512) == cudaSuccess && cudaMalloc(&c, 1024) == cudaSuccess);
  MUST(cudaMemset(a, 0, 512) == cudaSuccess && cudaStreamCreate(&stream) == cudaSuccess);
  multiply<<<1, 32, 0, stream>>>(a, c);
}

/// Threads that still allocate when the program ends, and what was never freed is looked for.
void threads_at_the_end() {
  for (int i = 0; i < 5000; ++i) {
    int* never_freed = nullptr;
    MUST(cudaMalloc(&never_freed, 64) == cudaSuccess);
  }
  for (int t = 0; t < 4; ++t) {
    std::thread([] {
      std::vector<int*> blocks(200);
      for (;;) {
        for (int*& block : blocks) {
          if (cudaMalloc(&block, 64) == cudaErrorCudartUnloading) return;
        }
        for (int* block : blocks) cudaFree(block);
      }
    }).detach();
  }
  usleep(50000);
}

// ---- fork ----------------------------------------------------------------------------------------------------------

int status_of(pid_t child) {
  int status = 0;
  MUST(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/// The memory is never freed, and only the parent is to say so.
void fork_after_use() {
  int* data = nullptr;
  MUST(cudaMalloc(&data, 128) == cudaSuccess);
  const pid_t child = fork();
  if (child == 0) {
    MUST(cudaMalloc(&data, 128) == cudaErrorInitializationError);
    std::exit(0);
  }
  MUST(status_of(child) == 0);
}

void fork_before_use() {
  const pid_t child = fork();
  int* data = nullptr;
  MUST(cudaMalloc(&data, 32 * sizeof(int)) == cudaSuccess);
  MUST(cudaMemset(data, 0, 32 * sizeof(int)) == cudaSuccess);
  add_one<<<1, 32>>>(data);
  MUST(cudaDeviceSynchronize() == cudaSuccess && cudaFree(data) == cudaSuccess);
  if (child == 0) std::exit(0);
  MUST(status_of(child) == 0);
}

/// Nothing is left that a child could not have.
void fork_after_reset() {
  int* data = nullptr;
  MUST(cudaMalloc(&data, 128) == cudaSuccess && cudaFree(data) == cudaSuccess);
  MUST(cudaDeviceReset() == cudaSuccess);
  fork_before_use();
}

/// A program that asks for an error has handled it.
void refused_and_asked() {
  int* data = nullptr;
  const int values[64] = {};
  MUST(cudaMalloc(&data, 128) == cudaSuccess);
  MUST(cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  MUST(cudaGetLastError() == cudaErrorInvalidValue && cudaFree(data) == cudaSuccess);
  std::exit(0);
}

}  // namespace
