// SPDX-License-Identifier: MIT
// Copies from global to shared memory that run while the threads compute. They use the pipeline primitives (two stages,
// a sum over a sliding tile), cooperative groups, and arrive-wait barriers that the copies arrive at.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <utility>
#include <vector>

#include "helper_cuda.h"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int threads = 128;

/// out[i] = the sum over tiles of in[tile][i] * in[tile][its mirror image]; the next tile is copied meanwhile.
__global__ void two_stages(const float4* in, float4* out, int tiles) {
  __shared__ float4 stage[2][threads];
  const int i = threadIdx.x, mirrored = threads - 1 - i;
  float4 sum = make_float4(0, 0, 0, 0);
  __pipeline_memcpy_async(&stage[0][i], &in[i], sizeof(float4));
  __pipeline_commit();
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      __pipeline_memcpy_async(&stage[(tile + 1) % 2][i], &in[(tile + 1) * threads + i], sizeof(float4));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 a = stage[tile % 2][i], b = stage[tile % 2][mirrored];
    sum.x += a.x * b.x;
    sum.y += a.y * b.y;
    sum.z += a.z * b.z;
    sum.w += a.w * b.w;
    __syncthreads();
  }
  out[i] = sum;
}

/// Copies of 4, 8 and 16 bytes of which the last `zeros` bytes are zeros instead.
__global__ void fill_with_zeros(const int4* in, int4* out, int zeros) {
  __shared__ int4 tile[3][threads];
  const int i = threadIdx.x;
  tile[0][i] = tile[1][i] = make_int4(-1, -1, -1, -1);
  __syncthreads();
  __pipeline_memcpy_async(&tile[0][i].x, &in[i].x, 4, 3);
  __pipeline_memcpy_async(reinterpret_cast<int2*>(&tile[1][i]), reinterpret_cast<const int2*>(&in[i]), 8, 4);
  __pipeline_memcpy_async(&tile[2][i], &in[i], 16, i % 2 == 0 ? zeros : 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int k = 0; k < 3; ++k) out[k * threads + i] = tile[k][i];
}

__global__ void reverse_by_group(const int* in, int* out) {
  extern __shared__ int tile[];
  const auto block = cg::this_thread_block();
  for (int first = 0; first < 4 * threads; first += threads) {
    cg::memcpy_async(block, tile, in + first, sizeof(int) * threads);
    cg::wait(block);
    out[first + threadIdx.x] = tile[threads - 1 - threadIdx.x];
    block.sync();
  }
}

__global__ void reverse_with_barrier(const int* in, int* out, int rounds) {
  __shared__ Barrier full;
  __shared__ int tile[threads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&full, block.size());
  block.sync();
  for (int round = 0; round < rounds; ++round) {
    cuda::memcpy_async(block, tile, in + round * threads, sizeof(int) * threads, full);
    full.arrive_and_wait();
    out[round * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x];
    block.sync();
  }
}

/// Warp 0 produces, the others consume: two barriers for each of two buffers, of all threads, each used again and
/// again.
__global__ void produce_and_consume(const int* in, int* sums, int rounds) {
  __shared__ int buffer[2][32];
  __shared__ Barrier ready[2], filled[2];
  if (threadIdx.x < 2) {
    init(&ready[threadIdx.x], blockDim.x);
    init(&filled[threadIdx.x], blockDim.x);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int round = 0; round < rounds; ++round) {
      ready[round % 2].arrive_and_wait();
      buffer[round % 2][threadIdx.x] = in[round * 32 + threadIdx.x];
      const auto token = filled[round % 2].arrive();
      (void)token;
    }
  } else {
    int sum = 0;
    auto first = ready[0].arrive(), second = ready[1].arrive();
    (void)first;
    (void)second;
    for (int round = 0; round < rounds; ++round) {
      filled[round % 2].arrive_and_wait();
      for (int i = 0; i < 32; ++i) sum += buffer[round % 2][i];
      const auto token = ready[round % 2].arrive();
      (void)token;
    }
    sums[threadIdx.x - 32] = sum;
  }
}

template <typename T>
T* managed(int count) {
  T* p = nullptr;
  checkCudaErrors(cudaMallocManaged(&p, count * sizeof(T)));
  return p;
}

void wait() {
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
}

bool stages_test() {
  constexpr int tiles = 7;
  auto* in = managed<float4>(tiles * threads);
  auto* out = managed<float4>(threads);
  const auto value = [](int i, int part) { return static_cast<float>((i * 4 + part) % 29 - 14); };
  for (int i = 0; i < tiles * threads; ++i) in[i] = make_float4(value(i, 0), value(i, 1), value(i, 2), value(i, 3));
  two_stages<<<1, threads>>>(in, out, tiles);
  wait();
  bool passed = true;
  for (int i = 0; i < threads; ++i) {
    float sums[4] = {};
    for (int tile = 0; tile < tiles; ++tile) {
      for (int part = 0; part < 4; ++part) {
        sums[part] += value(tile * threads + i, part) * value(tile * threads + threads - 1 - i, part);
      }
    }
    passed = passed && out[i].x == sums[0] && out[i].y == sums[1] && out[i].z == sums[2] && out[i].w == sums[3];
  }
  checkCudaErrors(cudaFree(in));
  checkCudaErrors(cudaFree(out));
  return passed;
}

bool zeros_test() {
  auto* in = managed<int4>(threads);
  auto* out = managed<int4>(3 * threads);
  bool passed = true;
  for (int i = 0; i < threads; ++i) in[i] = make_int4(0x01020304 + i, 5 * i, ~i, 0x7f7f7f7f);
  for (const int zeros : {0, 4, 6, 8, 15, 16}) {
    fill_with_zeros<<<1, threads>>>(in, out, zeros);
    wait();
    for (int i = 0; i < threads; ++i) {
      int expected[4] = {}, last[4] = {};
      const int whole[4] = {in[i].x, in[i].y, in[i].z, in[i].w};
      const int kept = i % 2 == 0 ? 16 - zeros : 0;
      for (int byte = 0; byte < kept; ++byte) expected[byte / 4] |= whole[byte / 4] & 0xff << byte % 4 * 8;
      const int4 got = out[2 * threads + i];
      last[0] = got.x, last[1] = got.y, last[2] = got.z, last[3] = got.w;
      for (int k = 0; k < 4; ++k) passed = passed && last[k] == expected[k];
      passed = passed && out[i].x == (in[i].x & 0xff) && out[i].y == -1 && out[threads + i].x == in[i].x &&
               out[threads + i].y == 0 && out[threads + i].z == -1;
    }
  }
  checkCudaErrors(cudaFree(in));
  checkCudaErrors(cudaFree(out));
  return passed;
}

bool reverse_test() {
  constexpr int rounds = 4, n = rounds * threads;
  auto* in = managed<int>(n);
  auto* out = managed<int>(n);
  bool passed = true;
  for (int way = 0; way < 2; ++way) {
    for (int i = 0; i < n; ++i) in[i] = i * i + way, out[i] = -1;
    if (way == 0) {
      reverse_by_group<<<1, threads, threads * sizeof(int)>>>(in, out);
    } else {
      reverse_with_barrier<<<1, threads>>>(in, out, rounds);
    }
    wait();
    for (int i = 0; i < n; ++i) passed = passed && out[i] == in[i / threads * threads + threads - 1 - i % threads];
  }
  checkCudaErrors(cudaFree(in));
  checkCudaErrors(cudaFree(out));
  return passed;
}

bool consumers_test() {
  constexpr int rounds = 11;
  auto* in = managed<int>(rounds * 32);
  auto* sums = managed<int>(threads - 32);
  int expected = 0;
  for (int i = 0; i < rounds * 32; ++i) expected += in[i] = 3 * i - 100;
  produce_and_consume<<<1, threads>>>(in, sums, rounds);
  wait();
  bool passed = true;
  for (int i = 0; i < threads - 32; ++i) passed = passed && sums[i] == expected;
  checkCudaErrors(cudaFree(in));
  checkCudaErrors(cudaFree(sums));
  return passed;
}

int main() {
  const bool a = stages_test(), b = zeros_test(), c = reverse_test(), d = consumers_test();
  std::printf("stages %d, zeros %d, reversed %d, consumers %d\n", a, b, c, d);
  return finish("async_copies", a && b && c && d);
}
