// SPDX-License-Identifier: MIT
// ldmatrix and stmatrix: rows of 16 bytes at several distances, and wmma's loads and stores, which the compiler makes
// of them.
#include <cuda_fp16.h>
#include <mma.h>

#include "micro_kernels.h"

namespace micro {
namespace {

using namespace nvcuda;

constexpr unsigned row_bytes = 16, matrix_bytes = 16384;

/// Each lane's row begins at `row(lane)` times 16 bytes.
struct Every {
  unsigned stride;
  __device__ unsigned operator()(unsigned lane) const { return lane * stride; }
};
struct SameForEach {  ///< matrix
  unsigned stride;
  __device__ unsigned operator()(unsigned lane) const { return lane % 8 * stride; }
};
struct SideBySide {  ///< matrices in one line of a tile
  unsigned stride;
  __device__ unsigned operator()(unsigned lane) const { return lane % 8 * stride + lane / 8; }
};
struct Swizzled {
  __device__ unsigned operator()(unsigned lane) const { return lane % 16 * 8 + (lane / 16 ^ lane % 8); }
};

template <class Row>
__device__ unsigned shared_row(unsigned char* memory, Row row) {
  for (unsigned i = threadIdx.x; i < matrix_bytes; i += blockDim.x) memory[i] = 0;
  __syncthreads();
  return static_cast<unsigned>(__cvta_generic_to_shared(memory)) + row(lane_of(threadIdx.x)) * row_bytes;
}

template <int matrices, bool transposed, class Row>
__global__ void load_rows(unsigned* out, Row row) {
  __shared__ __align__(128) unsigned char memory[matrix_bytes];
  const unsigned address = shared_row(memory, row);
  unsigned r[4] = {};
  if constexpr (matrices == 1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
  if constexpr (matrices == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(address));
  if constexpr (matrices == 2 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address));
  if constexpr (matrices == 4 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
  if constexpr (matrices == 4 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
  out[thread_index()] = r[0] + r[1] + r[2] + r[3];
}

template <int matrices, class Row>
__global__ void store_rows(unsigned* out, Row row) {
  __shared__ __align__(128) unsigned char memory[matrix_bytes];
  const unsigned address = shared_row(memory, row), value = threadIdx.x;
  if constexpr (matrices == 1)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1], {%0};" ::"r"(value), "r"(address));
  if constexpr (matrices == 2)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%1], {%0, %0};" ::"r"(value), "r"(address));
  if constexpr (matrices == 4)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%1], {%0, %0, %0, %0};" ::"r"(value), "r"(address));
  __syncthreads();
  out[thread_index()] = memory[threadIdx.x];
}

template <class Row>
void rows(const std::string& name, Row row) {
  auto* const out = static_cast<unsigned*>(output());
  load_rows<4, false><<<1, 64>>>(out, row);
  launched("ldmatrix x4, " + name);
  load_rows<4, true><<<1, 64>>>(out, row);
  launched("ldmatrix x4 trans, " + name);
  load_rows<2, false><<<1, 64>>>(out, row);
  launched("ldmatrix x2, " + name);
  load_rows<1, false><<<1, 64>>>(out, row);
  launched("ldmatrix x1, " + name);
  store_rows<4><<<1, 64>>>(out, row);
  launched("stmatrix x4, " + name);
  store_rows<2><<<1, 64>>>(out, row);
  launched("stmatrix x2 trans, " + name);
  store_rows<1><<<1, 64>>>(out, row);
  launched("stmatrix x1, " + name);
}

template <class Fragment, class Element>
__global__ void load_fragment(float* out, unsigned stride) {
  __shared__ __align__(128) Element memory[32 * 40];
  for (unsigned i = threadIdx.x; i < 32 * 40; i += blockDim.x) memory[i] = Element{};
  __syncthreads();
  Fragment fragment;
  wmma::load_matrix_sync(fragment, memory, stride);
  float sum = 0;
  for (int i = 0; i < fragment.num_elements; ++i) sum += static_cast<float>(fragment.x[i]);
  out[threadIdx.x] = sum;
}

template <class Fragment, class Element>
__global__ void store_fragment(float* out, unsigned stride) {
  __shared__ __align__(128) Element memory[32 * 40];
  Fragment fragment;
  wmma::fill_fragment(fragment, Element{});
  wmma::store_matrix_sync(memory, fragment, stride, wmma::mem_row_major);
  __syncwarp();
  out[threadIdx.x] = static_cast<float>(memory[threadIdx.x]);
}

template <class Use, class Order>
using Halves = wmma::fragment<Use, 16, 16, 16, __half, Order>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

void fragments(unsigned stride) {
  auto* const out = static_cast<float*>(output());
  const std::string at = ", stride " + std::to_string(stride);
  load_fragment<Halves<wmma::matrix_a, wmma::row_major>, __half><<<1, 32>>>(out, stride);
  launched("wmma load, A half by rows" + at);
  load_fragment<Halves<wmma::matrix_a, wmma::col_major>, __half><<<1, 32>>>(out, stride);
  launched("wmma load, A half by columns" + at);
  load_fragment<Halves<wmma::matrix_b, wmma::row_major>, __half><<<1, 32>>>(out, stride);
  launched("wmma load, B half by rows" + at);
  store_fragment<Sums, float><<<1, 32>>>(out, stride);
  launched("wmma store, float by rows" + at);
}

}  // namespace

void matrix_cases() {
  rows("rows side by side", Every{1});
  rows("stride 32 bytes", Every{2});
  rows("stride 64 bytes", Every{4});
  rows("stride 80 bytes", Every{5});
  rows("stride 128 bytes", Every{8});
  rows("stride 144 bytes", Every{9});
  rows("one row for all", Every{0});
  rows("the same rows for each matrix, stride 128 bytes", SameForEach{8});
  rows("matrices side by side, stride 64 bytes", SideBySide{4});
  rows("matrices side by side, stride 128 bytes", SideBySide{8});
  rows("swizzled", Swizzled{});
  fragments(16);
  fragments(24);
  fragments(40);
}

}  // namespace micro
