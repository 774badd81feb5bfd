// SPDX-License-Identifier: MIT
// Sparse matrices and graphs.
#include <vector>

#include "unseen.h"
#include "workbook/student/cuda_check.h"

namespace unseen {
namespace {

/// ELL: `width` places a row, stored by columns.
__global__ void spmv_ell(const unsigned* columns, const float* values, const float* x, float* y, int rows, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) sum += values[k * rows + row] * x[columns[k * rows + row]];
  y[row] = sum;
}

/// CSR, eight lanes a row.
__global__ void spmv_eight(const unsigned* starts, const unsigned* columns, const double* values, const double* x,
                           double* y, int rows) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 8, lane = thread % 8;
  double sum = 0.0;
  if (row < rows)
    for (unsigned k = starts[row] + lane; k < starts[row + 1]; k += 8) sum += values[k] * x[columns[k]];
  for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, 8);
  if (row < rows && lane == 0) y[row] = sum;
}

__global__ void spmv_coo(const unsigned* rows, const unsigned* columns, const float* values, const float* x, float* y,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}

/// Five diagonals.
__global__ void spmv_diagonals(const float* values, const float* x, float* y, int n, int side) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, offsets[5] = {-side, -1, 0, 1, side};
  if (row >= n) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    const int column = row + offsets[k];
    if (column >= 0 && column < n) sum += values[k * n + row] * x[column];
  }
  y[row] = sum;
}

/// Thomas: a system a thread; the systems lie beside each other.
__global__ void tridiagonal(const float* below, const float* above, const float* right, float* c, float* x, int systems,
                            int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= systems) return;
  float last_c = 0.0f, last_d = 0.0f;
  for (int k = 0; k < n; ++k) {
    const int at = k * systems + i;
    const float m = 1.0f / (4.0f - below[at] * last_c);
    last_d = (right[at] - below[at] * last_d) * m;
    last_c = above[at] * m;
    c[at] = last_c;
    x[at] = last_d;
  }
  for (int k = n - 2; k >= 0; --k) x[k * systems + i] = last_d = x[k * systems + i] - c[k * systems + i] * last_d;
}

/// All nodes look whether they are of this level, and give their neighbours the next one.
__global__ void bfs_step(const unsigned* starts, const unsigned* targets, int* levels, int* changed, int nodes,
                         int level) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || atomicAdd(&levels[node], 0) != level) return;
  for (unsigned k = starts[node]; k < starts[node + 1]; ++k)
    if (atomicCAS(&levels[targets[k]], -1, level + 1) == -1) atomicExch(changed, 1);
}

__global__ void page_rank(const unsigned* starts, const unsigned* sources, const float* ranks, float* out, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  float sum = 0.0f;
  for (unsigned k = starts[node]; k < starts[node + 1]; ++k) {
    const unsigned source = sources[k];
    sum += ranks[source] / (starts[source + 1] - starts[source]);
  }
  out[node] = 0.15f / nodes + 0.85f * sum;
}

/// Bellman-Ford: an edge a thread.
__global__ void relax_edges(const unsigned* from, const unsigned* to, const unsigned* weights, const unsigned* old,
                            unsigned* now, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMin(&now[to[i]], old[from[i]] + weights[i]);
}

__global__ void jump_pointers(const unsigned* parent, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = parent[parent[i]];
}

/// Neighbours that two nodes share, as rows of bits: a pair a warp.
__global__ void shared_neighbours(const unsigned* rows, const unsigned* pairs, unsigned* out, int words_a_row) {
  const int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const unsigned *a = rows + pairs[2 * pair] * words_a_row, *b = rows + pairs[2 * pair + 1] * words_a_row;
  unsigned count = 0;
  for (int k = lane; k < words_a_row; k += 32) count += __popc(a[k] & b[k]);
  for (int offset = 16; offset > 0; offset /= 2) count += __shfl_xor_sync(0xffffffffu, count, offset);
  if (lane == 0) out[pair] = count;
}

}  // namespace

void sparse() {
  int n = pick(500, 200000, 500000), width = 16;
  const float* x = floats(pick(1 << 15, 1 << 23));
  float* y = zeros<float>(pick(1 << 15, 1 << 23));
  const unsigned* columns = words(width * n, n);
  launch("spmv ell", [=] { spmv_ell<<<blocks_of(n), kBlock>>>(columns, x, x, y, n, width); });
  n = pick(500, 400000);
  const unsigned *starts = sorted(n + 1), *targets = words(7 * (n + 1), n);
  const double* d = doubles(7 * (n + 1));
  double* e = zeros<double>(n);
  launch("spmv eight", [=] { spmv_eight<<<blocks_of(8 * n), kBlock>>>(starts, targets, d, d, e, n); });
  launch("page rank", [=] { page_rank<<<blocks_of(n), kBlock>>>(starts, targets, x, y, n); });
  int *levels = zeros<int>(n), *changed = zeros<int>(1);
  const unsigned* begun = words(n, 8);
  const int nodes = n;
  // An eighth of the nodes is at level 0, the others are not reached.
  std::vector<int> first(n);
  for (int i = 0; i < n; ++i) first[i] = i % 8 == 3 ? 0 : -1;
  launch(
      "bfs step", [=] { bfs_step<<<blocks_of(nodes), kBlock>>>(starts, targets, levels, changed, nodes, 0); },
      [=] { CUDA_CHECK(cudaMemcpy(levels, first.data(), nodes * sizeof(int), cudaMemcpyHostToDevice)); });
  n = pick(3000, 2000000);
  const unsigned *rows = words(n, pick(400, 100000)), *more = words(n + 17, pick(400, 100000)) + 17;
  launch("spmv coo", [=] { spmv_coo<<<blocks_of(n), kBlock>>>(rows, more, x, x, y, n); });
  unsigned* distances = words(pick(400, 100000), 1 << 20);
  launch("relax edges", [=] { relax_edges<<<blocks_of(n), kBlock>>>(more, rows, rows, begun, distances, n); });
  n = pick(3000, 1500000);
  const int side = pick(50, 1224);
  launch("spmv diagonals", [=] { spmv_diagonals<<<blocks_of(n), kBlock>>>(x, x, y, n, side); });
  n = pick(60, 20000);
  const int length = pick(20, 64), half = n * length;
  float* c = zeros<float>(half);
  launch("tridiagonal", [=] { tridiagonal<<<blocks_of(n, 64), 64>>>(x, x + half, x + 2 * half, c, y, n, length); });
  n = pick(3000, 3000000);
  const unsigned* parents = words(n, n);
  unsigned* out = zeros<unsigned>(n);
  launch("jump pointers", [=] { jump_pointers<<<blocks_of(n), kBlock>>>(parents, out, n); });
  n = pick(8, 1 << 15);
  const int rows_of_bits = pick(20, 4096);
  const unsigned *adjacency = words(128 * rows_of_bits, ~0u), *pairs = words(2 * n, rows_of_bits);
  launch("shared neighbours", [=] { shared_neighbours<<<blocks_of(32 * n), kBlock>>>(adjacency, pairs, out, 128); });
}

}  // namespace unseen
