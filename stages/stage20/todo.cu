// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 20 --todo`.
// As handed out: 4e608ace0763. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 20: a matrix product with wide loads. What stage 19 reads and writes as eight numbers are here two vectors of
// 16 bytes. So the numbers of A that a thread wants lie side by side in shared memory: the tile of A is stored
// transposed.
#include <cstddef>
#include <cstdint>

#include "workbook/student/matmul.h"

constexpr unsigned kSide = 8;    // of a thread's square of C
constexpr unsigned kVector = 4;  // floats of a vector

// Whether every row begins at a multiple of 16 bytes.
template <typename AnyMatrix>
bool holds_vectors(const AnyMatrix& matrix) {
  return reinterpret_cast<std::uintptr_t>(matrix.data) % sizeof(float4) == 0 && matrix.pitch % kVector == 0;
}

// Elements (i, j) to (i, j + 3), 0 where there are none.
__device__ float4 load_vector(const workbook::ConstMatrix& matrix, std::size_t i, std::size_t j, bool aligned) {
  if (i >= matrix.rows || j >= matrix.columns) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  const float* const from = matrix.data + i * matrix.pitch + j;
  const std::size_t left = matrix.columns - j;
  if (aligned && left >= kVector) return *reinterpret_cast<const float4*>(from);
  return make_float4(from[0], left > 1 ? from[1] : 0.0f, left > 2 ? from[2] : 0.0f, left > 3 ? from[3] : 0.0f);
}

__device__ void store_vector(const workbook::Matrix& matrix, std::size_t i, std::size_t j, bool aligned, float4 value) {
  if (i >= matrix.rows || j >= matrix.columns) return;
  float* const to = matrix.data + i * matrix.pitch + j;
  const std::size_t left = matrix.columns - j;
  if (aligned && left >= kVector) {
    __stcs(reinterpret_cast<float4*>(to), value);  // not read again; nvcc takes some plain stores of vectors apart
    return;
  }
  to[0] = value.x;
  if (left > 1) to[1] = value.y;
  if (left > 2) to[2] = value.z;
  if (left > 3) to[3] = value.w;
}

// The tiles of one round of T / 2 terms. Each thread brings one vector of each. Row a[k] holds column from + k of A,
// rows top to top + 8T - 1. The four floats behind them keep a warp's stores apart. The two rows of the tile to which
// it stores at a time lie 16 banks apart. Row b[k] holds row from + k of B, columns left to left + 8T - 1.
template <unsigned T>
struct Tiles {
  static constexpr unsigned kTerms = T / 2, kSize = kSide * T;
  float a[kTerms][kSize + kVector];
  float b[kTerms][kSize];
};

template <unsigned T>
__device__ void bring_tiles(Tiles<T>& tiles, workbook::ConstMatrix a, workbook::ConstMatrix b, std::size_t top,
                            std::size_t left, std::size_t from, bool aligned) {
  constexpr unsigned kVectorsOfA = Tiles<T>::kTerms / kVector;  // in a row of what is brought
  constexpr unsigned kVectorsOfB = Tiles<T>::kSize / kVector;
  const unsigned t = threadIdx.y * T + threadIdx.x;
  const unsigned row_a = t / kVectorsOfA, column_a = t % kVectorsOfA * kVector;
  const unsigned row_b = t / kVectorsOfB, column_b = t % kVectorsOfB * kVector;
  // TODO (roughly 6 lines): one vector of A by load_vector(), and its four numbers into column row_a of tiles.a. One
  //     vector of B into row row_b of tiles.b, as a vector.
}

// Two vectors, 4T floats apart, into eight registers.
template <unsigned T>
__device__ void read_two(float (&numbers)[kSide], const float* row) {
  *reinterpret_cast<float4*>(numbers) = *reinterpret_cast<const float4*>(row);
  *reinterpret_cast<float4*>(numbers + kVector) = *reinterpret_cast<const float4*>(row + kVector * T);
}

// All terms of a round. The rows of a thread's square are 4y to 4y + 3 and 4T + 4y to 4T + 4y + 3 of the tile. Its
// columns are the same of x.
template <unsigned T>
__device__ void add_products(float (&sums)[kSide][kSide], const Tiles<T>& tiles) {
  // TODO (roughly 9 lines): for each of the terms: read_two<T>() of each tile, then all 64 products into the sums.
}

template <unsigned T>
__device__ void store_square(workbook::Matrix c, std::size_t top, std::size_t left, bool aligned,
                             const float (&sums)[kSide][kSide]) {
  // TODO (roughly 8 lines): each row of the square is two vectors of C, 4T columns apart.
}

// Computes c = a * b. Launch: a block of T x T threads for each tile of 8T x 8T elements of C, in one dimension. All
// tiles of the first rows come first, and tiles_across of them lie side by side. If `aligned`, the rows of all matrices
// begin at multiples of 16 bytes.
template <unsigned T>
__global__ void __launch_bounds__(T* T, 2) multiply_vectors(workbook::ConstMatrix a, workbook::ConstMatrix b,
                                                            workbook::Matrix c, unsigned tiles_across, bool aligned) {
  __shared__ __align__(sizeof(float4)) Tiles<T> tiles;
  const std::size_t top = std::size_t{blockIdx.x / tiles_across} * Tiles<T>::kSize;
  const std::size_t left = std::size_t{blockIdx.x % tiles_across} * Tiles<T>::kSize;
  float sums[kSide][kSide] = {};
  for (std::size_t from = 0; from < a.columns; from += Tiles<T>::kTerms) {
    bring_tiles<T>(tiles, a, b, top, left, from, aligned);
    __syncthreads();  // both tiles are whole
    add_products<T>(sums, tiles);
    __syncthreads();  // no thread reads them any more
  }
  store_square<T>(c, top, left, aligned, sums);
}

template <unsigned T>
void launch_vectors(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, cudaStream_t stream) {
  constexpr std::size_t kSize = Tiles<T>::kSize;
  const std::size_t tiles_across = (c.columns + kSize - 1) / kSize;
  const std::size_t tiles_down = (c.rows + kSize - 1) / kSize;
  multiply_vectors<T><<<static_cast<unsigned>(tiles_across * tiles_down), dim3(T, T), 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across), holds_vectors(a) && holds_vectors(b) && holds_vectors(c));
  CUDA_CHECK(cudaGetLastError());
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  WORKBOOK_TODO("write bring_tiles, add_products and store_square, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (block.x == 16) {
    launch_vectors<16>(a, b, c, stream);
  } else {
    launch_vectors<8>(a, b, c, stream);
  }
}
