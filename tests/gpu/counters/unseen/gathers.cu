// SPDX-License-Identifier: MIT
// Reads and writes at places that the data decides.
#include <algorithm>
#include <vector>

#include "unseen.h"
#include "workbook/student/cuda_check.h"

namespace unseen {
namespace {

/// All places below `n`, each once, in an order like a random one.
unsigned* permutation(unsigned n) {
  std::vector<unsigned> places(n);
  unsigned state = 12345;
  for (unsigned i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    const auto other = static_cast<unsigned>(static_cast<unsigned long long>(state) * (i + 1) >> 32);
    places[i] = places[other];
    places[other] = i;
  }
  unsigned* memory = zeros<unsigned>(n);
  CUDA_CHECK(cudaMemcpy(memory, places.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  return memory;
}

__global__ void permute(const float* in, const unsigned* places, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[places[i]];
}

__global__ void permute_double(const double* in, const unsigned* places, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[places[i]] = in[i];
}

/// Rows of 128 numbers, 16 bytes a thread.
__global__ void embedding(const float4* table, const unsigned* ids, float4* out) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  out[row * 32 + threadIdx.x] = table[ids[row] * 32 + threadIdx.x];
}

/// The sum of a bag of eight rows of 64 numbers.
__global__ void embedding_bag(const float* table, const unsigned* ids, float* out) {
  const int bag = blockIdx.x * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += table[ids[8 * bag + k] * 64 + threadIdx.x];
  out[bag * 64 + threadIdx.x] = sum;
}

/// Steps on a grid; the next place depends on what lies at this one.
__global__ void random_walk(const unsigned* grid, unsigned* out, int side, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i * 7 % side, y = i * 13 % side;
  unsigned seen = 0;
  for (int k = 0; k < steps; ++k) {
    const unsigned here = grid[y * side + x];
    seen += here;
    x = (x + here % 3 + side - 1) % side;
    y = (y + (here >> 4) % 3 + side - 1) % side;
  }
  out[i] = seen;
}

/// A decision tree of ten levels, whose nodes lie in order of breadth.
__global__ void decision_tree(const float* features, const unsigned* which, const float* limits, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned node = 0;
  for (int level = 0; level < 10; ++level) node = 2 * node + 1 + (features[16 * i + which[node]] > limits[node]);
  out[i] = node - 1023;
}

/// Linear probing; a place is taken by an exchange.
__global__ void hash_insert(const unsigned* keys, unsigned* table, unsigned mask, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i] + 1;
  unsigned place = key * 2654435761u & mask;
  while (true) {
    const unsigned old = atomicCAS(&table[place], 0u, key);
    if (old == 0 || old == key) return;
    place = (place + 1) & mask;
  }
}

/// The cell of each particle, and its place among those of the cell.
__global__ void particles_to_cells(const float* x, const float* y, unsigned* counts, unsigned* cells, unsigned* places,
                                   int n, int side) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned cell = static_cast<int>(y[i] * side) * side + static_cast<int>(x[i] * side);
  cells[i] = cell;
  places[i] = atomicAdd(&counts[cell], 1u);
}

/// What is below the pivot goes to the left end, the rest to the right end; places are reserved by block.
__global__ void partition(const unsigned* in, unsigned* out, unsigned* ends, unsigned pivot, int n) {
  __shared__ unsigned counts[2], firsts[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 2) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned value = i < n ? in[i] : 0;
  const int side = value >= pivot;
  const unsigned own = i < n ? atomicAdd(&counts[side], 1u) : 0;
  __syncthreads();
  if (threadIdx.x < 2) firsts[threadIdx.x] = atomicAdd(&ends[threadIdx.x], counts[threadIdx.x]);
  __syncthreads();
  if (i < n) out[side == 0 ? firsts[0] + own : n - 1 - firsts[1] - own] = value;
}

}  // namespace

void gathers() {
  const float* x = floats(pick(1 << 16, 1 << 24));
  float* y = zeros<float>(pick(1 << 16, 1 << 24));
  // The L2 of an H200 has 60 MB. All three arrays fit: 3 x 8 MB, or 3 x 4 MB.
  int n = pick(3000, 1 << 21, 1 << 20);
  const unsigned* near = permutation(n);
  launch("permute in the L2", [=] { permute<<<blocks_of(n), kBlock>>>(x, near, y, n); });
  // None fits: 3 x 64 MB.
  n = pick(3000, 1 << 24);
  const unsigned* far = permutation(n);
  launch("permute beyond the L2", [=] { permute<<<blocks_of(n), kBlock>>>(x, far, y, n); });
  // All three together do not quite fit: 2 x 32 MB of numbers, 16 MB of places.
  n = pick(3000, 1 << 22);
  const unsigned* middle = permutation(n);
  const double* d = doubles(n);
  double* e = zeros<double>(n);
  launch("permute double", [=] { permute_double<<<blocks_of(n), kBlock>>>(d, middle, e, n); });
  n = pick(4, 8000, 16000);
  const auto x4 = reinterpret_cast<const float4*>(x);
  const auto y4 = reinterpret_cast<float4*>(y);
  const unsigned* ids = words(8 * n, pick(500, 100000));
  launch("embedding", [=] { embedding<<<n, dim3(32, 8)>>>(x4, ids, y4); });
  n = pick(4, 10000);
  const unsigned* bags = words(32 * n, pick(500, 200000));
  launch("embedding bag", [=] { embedding_bag<<<n, dim3(64, 4)>>>(x, bags, y); });
  n = pick(4, 300);
  const int side = pick(40, 1000), steps = pick(10, 500);
  const unsigned* grid = words(side * side, 1 << 20);
  unsigned* out = zeros<unsigned>(pick(1 << 14, 1 << 22));
  launch("random walk", [=] { random_walk<<<n, 128>>>(grid, out, side, steps); });
  n = pick(900, 400000);
  const unsigned* which = words(1023, 16);
  launch("decision tree", [=] { decision_tree<<<blocks_of(n), kBlock>>>(x, which, x + 5000, out, n); });
  n = pick(500, 1000000, 1500000);
  const unsigned* keys = words(n, 1u << 30);
  const unsigned size = pick(1 << 10, 1 << 21);
  unsigned* table = zeros<unsigned>(size);
  launch(
      "hash insert", [=] { hash_insert<<<blocks_of(n), kBlock>>>(keys, table, size - 1, n); },
      [=] { CUDA_CHECK(cudaMemset(table, 0, size * sizeof(unsigned))); });
  n = pick(900, 1500000);
  const int half = pick(2000, 2000000), cells = pick(10, 128);
  unsigned* counts = zeros<unsigned>(cells * cells);
  launch("particles to cells",
         [=] { particles_to_cells<<<blocks_of(n), kBlock>>>(x, x + half, counts, out, out + half, n, cells); });
  n = pick(2000, 1 << 22);
  const unsigned* values = words(n, 1000);
  unsigned *parts = zeros<unsigned>(n), *ends = zeros<unsigned>(2);
  launch(
      "partition", [=] { partition<<<blocks_of(n, 512), 512>>>(values, parts, ends, 300, n); },
      [=] { CUDA_CHECK(cudaMemset(ends, 0, 2 * sizeof(unsigned))); });
}

}  // namespace unseen
