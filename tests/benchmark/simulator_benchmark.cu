// SPDX-License-Identifier: MIT
// How fast the simulator is, on kernels of known kinds. Never a test: machines differ. benchmark.py runs it and makes
// the table; `simulator_benchmark [KERNEL|all [PERCENT]]` prints a kernel's times, with PERCENT of its usual work. On a
// GPU the same program runs too, and its times are then the GPU's.
//
//   tree       shared-memory tree reduction of 16,777,216 floats in 65,536 blocks of 256, the workbook's own yardstick
//   integer, floating   arithmetic in registers, no memory
//   memory     loads and stores of neighbouring words
//   gather     loads and stores of words in any order, the lanes of a warp in different lines
//   shared     shared memory at a stride that conflicts in pairs
//   shuffle    sums over a warp
//   atomic     additions to 256 cells of global memory
//   matmul     a product of matrices of 1024 x 1024 through shared tiles of 16 x 16, an element a thread
//   registers  the same with 8 x 8 elements a thread and wide loads
//   launch     a hundred launches of 64 blocks of 256 threads that do little
//   empty      a hundred launches of one warp that does nothing
//   grid_sync  ten barriers of 528 blocks, only where it is asked for by name
#include <cooperative_groups.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "workbook/student/cuda_check.h"

namespace {

constexpr unsigned block_size = 256;
constexpr unsigned most_percent = 200;
constexpr std::size_t elements = std::size_t{1} << 24;  // of the tree at 100 percent
constexpr int repeats = 5;

__global__ void tree(const float* in, float* partial_sums) {
  __shared__ float values[block_size];
  const unsigned tid = threadIdx.x;
  values[tid] = in[std::size_t{blockIdx.x} * blockDim.x + tid];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) values[tid] += values[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partial_sums[blockIdx.x] = values[0];
}

__global__ void integer(unsigned* out, unsigned rounds) {
  unsigned a = threadIdx.x, b = blockIdx.x;
#pragma unroll 8
  for (unsigned i = 0; i < rounds; ++i) {
    a = a * 5 + b;
    b = (b ^ a) + (a >> 3);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

__global__ void floating(float* out, unsigned rounds) {
  float a = static_cast<float>(threadIdx.x), b = 1.0f;
#pragma unroll 8
  for (unsigned i = 0; i < rounds; ++i) {
    a = a * 0.5f + b;
    b = b * a + 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

__global__ void memory(const float* in, float* out, unsigned rounds) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (unsigned r = 0; r < rounds; ++r, i += stride) out[i] = in[i] + 1.0f;
}

__global__ void gather(const float* in, float* out, unsigned rounds) {
  constexpr unsigned words = 1u << 14;  // of a block: each is written once, as an odd factor only permutes them
  out += std::size_t{blockIdx.x} * words;
  for (unsigned r = 0; r < rounds; ++r) {
    const unsigned i = (r * blockDim.x + threadIdx.x) * 40503u % words;
    out[i] = in[i] + 1.0f;
  }
}

// `first` and `second` are 0 and 1; the compiler does not know, so it keeps no cell in a register.
__global__ void shared(float* out, unsigned rounds, unsigned first, unsigned second) {
  __shared__ float values[2 * block_size];
  const unsigned tid = threadIdx.x;
  values[2 * tid] = static_cast<float>(tid);
  values[2 * tid + 1] = 1.0f;
  __syncthreads();
#pragma unroll 4
  for (unsigned r = 0; r < rounds; ++r) {
    values[2 * tid + first] += values[2 * tid + second];
    values[2 * tid + second] *= 0.5f;
  }
  out[blockIdx.x * blockDim.x + tid] = values[2 * tid];
}

__global__ void shuffle(int* out, unsigned rounds) {
  int value = static_cast<int>(threadIdx.x);
  for (unsigned r = 0; r < rounds; ++r) {
    for (unsigned offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void atomic(unsigned* cells, unsigned rounds) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned r = 0; r < rounds; ++r) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(&cells[(i >> 16) % 256], 1u);
  }
}

constexpr unsigned side = 1024;  // of the matrices

__global__ void matmul(const float* a, const float* b, float* c) {
  constexpr unsigned tile = 16;
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const unsigned x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (unsigned t = 0; t < side; t += tile) {
    a_tile[threadIdx.y][threadIdx.x] = a[y * side + t + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * side + x];
    __syncthreads();
    for (unsigned k = 0; k < tile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[y * side + x] = sum;
}

// A block of 256 threads makes 128 x 128 elements; tiles are 8 deep, that of `a` transposed.
__global__ void registers(const float* a, const float* b, float* c) {
  constexpr unsigned square = 128, depth = 8, each = 8;
  __shared__ float4 a_tile[depth][square / 4], b_tile[depth][square / 4];
  const unsigned tid = threadIdx.x, x = tid % 16 * each, y = tid / 16 * each;
  a += blockIdx.y * square * side;
  b += blockIdx.x * square;
  float sum[each][each] = {};
  for (unsigned t = 0; t < side; t += depth) {
    const unsigned row = tid / 2, column = tid % 2 * 4;
    const float4 left = *reinterpret_cast<const float4*>(&a[row * side + t + column]);
    float* const to = reinterpret_cast<float*>(a_tile);
    to[(column + 0) * square + row] = left.x;
    to[(column + 1) * square + row] = left.y;
    to[(column + 2) * square + row] = left.z;
    to[(column + 3) * square + row] = left.w;
    b_tile[tid / 32][tid % 32] = *reinterpret_cast<const float4*>(&b[(t + tid / 32) * side + tid % 32 * 4]);
    __syncthreads();
    for (unsigned k = 0; k < depth; ++k) {
      const float4 a0 = a_tile[k][y / 4], a1 = a_tile[k][y / 4 + 1], b0 = b_tile[k][x / 4], b1 = b_tile[k][x / 4 + 1];
      const float left_of[each] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float right_of[each] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      for (unsigned i = 0; i < each; ++i)
        for (unsigned j = 0; j < each; ++j) sum[i][j] += left_of[i] * right_of[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < each; ++i)
    for (unsigned j = 0; j < each; ++j)
      c[(blockIdx.y * square + y + i) * side + blockIdx.x * square + x + j] = sum[i][j];
}

__global__ void little(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }

__global__ void nothing() {}

__global__ void grid_sync(unsigned* out) {
  for (unsigned i = 0; i < 10; ++i) cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

struct Times {
  float median_ms = 0, least_ms = 0, most_ms = 0;
  double cpu_ms = 0;  // median of this process's processor time: less disturbed by whatever else runs
};

/// The best of `repeats` runs, after one that warms up.
template <class Run>
Times time(Run run) {
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  std::vector<double> cpu_times;
  for (int r = 0; r <= repeats; ++r) {
    const std::clock_t cpu_begin = std::clock();
    CUDA_CHECK(cudaEventRecord(begin));
    run();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    float time_ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
    if (r == 0) continue;
    times.push_back(time_ms);
    cpu_times.push_back(1e3 * static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC);
  }
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  std::sort(cpu_times.begin(), cpu_times.end());
  return {times[times.size() / 2], times.front(), times.back(), cpu_times[cpu_times.size() / 2]};
}

}  // namespace

int main(int argc, char** argv) {
  const char* wanted = argc > 1 ? argv[1] : "all";
  const unsigned percent = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 100;
  if (percent == 0 || percent > most_percent) return 2;
  const std::size_t bytes = elements * percent / 100 * sizeof(float);
  float *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&in, bytes));
  CUDA_CHECK(cudaMalloc(&out, bytes));
  CUDA_CHECK(cudaMemset(in, 0, bytes));
  CUDA_CHECK(cudaMemset(out, 0, bytes));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("device: %s, median, least, most and processor time of %d runs in ms\n", properties.name, repeats);
  auto measure = [&](const char* name, auto run) {
    if (std::strcmp(wanted, "all") != 0 && std::strcmp(wanted, name) != 0) return;
    const Times times = time(run);
    std::printf("%-10s %10.2f %10.2f %10.2f %10.2f\n", name, times.median_ms, times.least_ms, times.most_ms,
                times.cpu_ms);
  };
  const auto blocks = [percent](unsigned usual) { return usual * percent / 100; };
  measure("tree", [&] { tree<<<blocks(elements / block_size), block_size>>>(in, out); });
  measure("integer", [&] { integer<<<blocks(64), block_size>>>(reinterpret_cast<unsigned*>(out), 4000); });
  measure("floating", [&] { floating<<<blocks(64), block_size>>>(out, 4000); });
  measure("memory", [&] { memory<<<blocks(1024), block_size>>>(in, out, 64); });
  measure("gather", [&] { gather<<<blocks(512), block_size>>>(in, out, 64); });
  measure("shared", [&] { shared<<<blocks(64), block_size>>>(out, 1000, 0, 1); });
  measure("shuffle", [&] { shuffle<<<blocks(64), block_size>>>(reinterpret_cast<int*>(out), 500); });
  measure("atomic", [&] { atomic<<<blocks(64), block_size>>>(reinterpret_cast<unsigned*>(out), 500); });
  measure("matmul", [&] { matmul<<<dim3(side / 16, blocks(side / 16)), dim3(16, 16)>>>(in, out, out + side * side); });
  measure("registers", [&] { registers<<<dim3(side / 128, blocks(side / 128)), 256>>>(in, out, out + side * side); });
  measure("launch", [&] {
    for (unsigned i = 0; i < blocks(100); ++i) little<<<64, block_size>>>(out);
  });
  measure("empty", [&] {
    for (unsigned i = 0; i < blocks(100); ++i) nothing<<<1, 32>>>();
  });
  if (std::strcmp(wanted, "grid_sync") == 0) {
    void* arguments[] = {&out};
    measure("grid_sync", [&] {
      CUDA_CHECK(
          cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sync), blocks(528), block_size, arguments, 0));
    });
  }
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
