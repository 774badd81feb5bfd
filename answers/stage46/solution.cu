// SPDX-License-Identifier: MIT
// Stage 46: the convolution of an image with any filter up to 31 x 31. The weights lie in constant memory, which gives
// all lanes of a warp the same weight at once. A thread computes 4 rows of 8 pixels. So a pixel of the tile that it has
// read serves up to 16 multiply-adds, and a weight 8. A separable filter goes over the tile twice, along the rows and
// then down the columns: 2 K multiply-adds a pixel, and not K * K.
#include <utility>

#include "tile.cuh"
#include "workbook/student/grids/convolution.h"

using workbook::ConstMatrix;
using workbook::Filter;
using workbook::kFilterPitch;
using workbook::kMostFilterSize;
using workbook::Matrix;

// The weights of the present filter. Each row ends with zeros.
__constant__ float4 weights[kMostFilterSize][kFilterPitch / 4];

// The sums of one thread: kRows rows of kVectors vectors.
struct Sums {
  float of[kRows][kVectors][4] = {};
};

__device__ void copy_vector(const float* from, float (&to)[8], unsigned at) {
  const float4 vector = *reinterpret_cast<const float4*>(from);
  to[at] = vector.x, to[at + 1] = vector.y, to[at + 2] = vector.z, to[at + 3] = vector.w;
}

// Adds to 4 pixels what 4 weights make of 7 pixels: pixel c gets the sum of weight i times pixels[c + i].
__device__ void multiply_add(float (&sums)[4], const float4& row, const float (&pixels)[8]) {
  const float weight[] = {row.x, row.y, row.z, row.w};
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
#pragma unroll
    for (unsigned c = 0; c < 4; ++c) sums[c] += weight[i] * pixels[c + i];
  }
}

// Row j of the tile that a thread sees meets row j - r of the filter in row r of its output. `kIsWhole`: it meets one
// in each of them. kRounds: how often four columns of the filter are taken. As a constant it lets the compiler unroll
// the loop, so that no pixel moves from register to register.
template <bool kIsWhole, unsigned kRounds>
__device__ void add_row(Sums& sums, const float* row, unsigned j, unsigned size) {
  // BEGIN SOLUTION: step 1. Take 4 columns of the filter at a time, kRounds times, in a loop with
  //     #pragma unroll. For them, each vector of the output needs 8 pixels of this row, from 4 * threadIdx.x on (the
  //     second vector: kApart further on). Load four of them in each round, and keep the other four of the round
  //     before. Then for each row r of the output: if the filter has row j - r, take its 4 weights, and
  //     multiply_add().
  // UNTIL SOLVED: (void)sums, (void)row, (void)j, (void)size;  // only keeps the compiler quiet: delete it
  float pixels[kVectors][8];
#pragma unroll
  for (unsigned v = 0; v < kVectors; ++v) copy_vector(row + v * kApart + 4 * threadIdx.x, pixels[v], 0);
#pragma unroll
  for (unsigned i = 0; i < 4 * kRounds; i += 4) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) copy_vector(row + v * kApart + 4 * threadIdx.x + i + 4, pixels[v], 4);
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
      if (kIsWhole || j - r < size) {
        const float4 of_row = weights[j - r][i / 4];
#pragma unroll
        for (unsigned v = 0; v < kVectors; ++v) multiply_add(sums.of[r][v], of_row, pixels[v]);
      }
    }
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
#pragma unroll
      for (unsigned c = 0; c < 4; ++c) pixels[v][c] = pixels[v][c + 4];
    }
  }
  // END SOLUTION
}

// Stores the sums of a thread, whose first row is y.
__device__ void store_sums(Matrix output, std::size_t y, const Sums& sums) {
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      store_pixels(output, y + r, blockIdx.x * kColumns + v * kApart + 4 * threadIdx.x, sums.of[r][v]);
    }
  }
}

// Any filter. Launch: a block of kThreadsAcross x N threads for kColumns x kRows * N pixels.
template <unsigned kRounds>
__global__ void __launch_bounds__(256) convolve(ConstMatrix input, Matrix output, unsigned size) {
  extern __shared__ float4 memory[];
  float* const tile = reinterpret_cast<float*>(memory);
  const unsigned rows = kRows * blockDim.y, reach = size / 2;
  load_tile(input, static_cast<int>(blockIdx.y * rows) - static_cast<int>(reach),
            static_cast<int>(blockIdx.x * kColumns) - static_cast<int>(reach), rows + size - 1, kColumns + 4 * kRounds,
            tile);
  __syncthreads();
  Sums sums;
  const unsigned first = kRows * threadIdx.y;
  for (unsigned j = 0; j < size + kRows - 1; ++j) {
    if (j >= kRows - 1 && j < size) {
      add_row<true, kRounds>(sums, row_of(tile, first + j), j, size);
    } else {
      add_row<false, kRounds>(sums, row_of(tile, first + j), j, size);
    }
  }
  store_sums(output, std::size_t{blockIdx.y} * rows + first, sums);
}

// A separable filter: row 0 of the weights goes down, row 1 goes across. Launch: as above.
template <unsigned kRounds>
__global__ void __launch_bounds__(256) convolve_separably(ConstMatrix input, Matrix output, unsigned size) {
  extern __shared__ float4 memory[];
  float* const tile = reinterpret_cast<float*>(memory);
  const unsigned rows = kRows * blockDim.y, reach = size / 2;
  load_tile(input, static_cast<int>(blockIdx.y * rows) - static_cast<int>(reach),
            static_cast<int>(blockIdx.x * kColumns) - static_cast<int>(reach), rows + size - 1, kColumns + 4 * kRounds,
            tile);
  __syncthreads();
  // BEGIN SOLUTION: step 2. First along the rows: threads with threadIdx.y = y take rows y, y +
  //     blockDim.y, ... of the tile. The kThreadsAcross threads of a row put its sums where the row was, so all of
  //     them must have read before one stores: __syncwarp(), with the mask of these lanes. Then down the columns,
  //     from rows that all threads have stored.
  // UNTIL SOLVED: (void)output;  // only keeps the compiler quiet: delete it
  const unsigned of_row = 0xffffu << threadIdx.y % 2 * kThreadsAcross;  // the lanes
  for (unsigned y = threadIdx.y; y < rows + size - 1; y += blockDim.y) {
    float* const row = row_of(tile, y) + 4 * threadIdx.x;
    float sums[kVectors][4] = {};
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      float pixels[8];
      copy_vector(row + v * kApart, pixels, 0);
#pragma unroll
      for (unsigned i = 0; i < 4 * kRounds; i += 4) {
        copy_vector(row + v * kApart + i + 4, pixels, 4);
        multiply_add(sums[v], weights[1][i / 4], pixels);
#pragma unroll
        for (unsigned c = 0; c < 4; ++c) pixels[c] = pixels[c + 4];
      }
    }
    __syncwarp(of_row);
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      *reinterpret_cast<float4*>(row + v * kApart) = float4{sums[v][0], sums[v][1], sums[v][2], sums[v][3]};
    }
  }
  __syncthreads();
  Sums sums;
  const unsigned first = kRows * threadIdx.y;
  const float* const down = reinterpret_cast<const float*>(weights[0]);
  for (unsigned j = 0; j < size + kRows - 1; ++j) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      const float4 cells = *reinterpret_cast<const float4*>(row_of(tile, first + j) + v * kApart + 4 * threadIdx.x);
#pragma unroll
      for (unsigned r = 0; r < kRows; ++r) {
        const float weight = j - r < size ? down[j - r] : 0.0f;
        sums.of[r][v][0] += weight * cells.x;
        sums.of[r][v][1] += weight * cells.y;
        sums.of[r][v][2] += weight * cells.z;
        sums.of[r][v][3] += weight * cells.w;
      }
    }
  }
  store_sums(output, std::size_t{blockIdx.y} * rows + first, sums);
  // END SOLUTION
}

using Kernel = void (*)(ConstMatrix, Matrix, unsigned);

// The kernel for this filter: each number of rounds has its own.
template <unsigned... kRounds>
Kernel find_kernel(const Filter& filter, std::integer_sequence<unsigned, kRounds...>) {
  static constexpr Kernel kFull[] = {convolve<kRounds + 1>...};
  static constexpr Kernel kSeparable[] = {convolve_separably<kRounds + 1>...};
  return (filter.is_separable ? kSeparable : kFull)[(filter.size - 1) / 4];
}

void convolve_on_device(ConstMatrix input, Matrix output, const Filter& filter, dim3 block, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write add_row and the copy of the weights, then delete this line");
  if (input.rows == 0 || input.columns == 0) return;
  // UNTIL SOLVED: if (filter.is_separable) WORKBOOK_TODO("step 2: write convolve_separably, then delete this line");
  // BEGIN SOLUTION: step 1. Copy filter.rows() rows of the weights into constant memory, in the stream:
  //     cudaMemcpyToSymbolAsync(), from device memory.
  CUDA_CHECK(cudaMemcpyToSymbolAsync(weights, filter.weights, filter.rows() * kFilterPitch * sizeof(float), 0,
                                     cudaMemcpyDeviceToDevice, stream));
  // END SOLUTION
  const Kernel kernel = find_kernel(filter, std::make_integer_sequence<unsigned, kFilterPitch / 4>());
  const std::size_t rows = std::size_t{kRows} * block.y;
  const std::size_t bytes = (rows + filter.size - 1) * kTilePitch * sizeof(float);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  const dim3 grid(static_cast<unsigned>((input.columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>((input.rows + rows - 1) / rows));
  kernel<<<grid, block, bytes, stream>>>(input, output, filter.size);
  CUDA_CHECK(cudaGetLastError());
}
