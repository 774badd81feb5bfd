// SPDX-License-Identifier: MIT
// PageRank: nodes pull from those that link to them; what nodes without links would give is added up first.
#include "gallery.h"

constexpr double damping = 0.85;

__global__ void loose_ends(const double* rank, const int* degree, int n, double* sum) {
  double mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += degree[i] == 0 ? rank[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(~0u, mine, offset);
  if (threadIdx.x == 0) *sum = mine;
}

__global__ void pull(const int* starts, const int* sources, const int* degree, const double* from, const double* loose,
                     double* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = *loose / n;
  for (int k = starts[i]; k < starts[i + 1]; ++k) sum += from[sources[k]] / degree[sources[k]];
  to[i] = (1 - damping) / n + damping * sum;
}

bool program() {
  constexpr int n = 600, rounds = 12;
  std::vector<int> starts{0}, sources, degree(n, 0);
  for (int i = 0; i < n; ++i) {
    for (unsigned k = 0; k < scramble(i) % 5; ++k) {
      const int source = static_cast<int>(scramble(9 * i + k) % (n - 50));
      sources.push_back(source);
      ++degree[source];
    }
    starts.push_back(static_cast<int>(sources.size()));
  }
  std::vector<double> rank(n, 1.0 / n), next(n);
  Buffer<int> d_starts(starts), d_sources(sources), d_degree(degree);
  Buffer<double> first(rank), second(n), loose(1);
  for (int round = 0; round < rounds; ++round) {
    double *from = round % 2 ? second : first, *to = round % 2 ? first : second;
    loose_ends<<<1, 32>>>(from, d_degree, n, loose);
    pull<<<blocks_for(n, 128), 128>>>(d_starts, d_sources, d_degree, from, loose, to, n);
    double sum_of_loose = 0;
    for (int i = 0; i < n; ++i) sum_of_loose += degree[i] == 0 ? rank[i] : 0;
    for (int i = 0; i < n; ++i) {
      double sum = sum_of_loose / n;
      for (int k = starts[i]; k < starts[i + 1]; ++k) sum += rank[sources[k]] / degree[sources[k]];
      next[i] = (1 - damping) / n + damping * sum;
    }
    rank.swap(next);
  }
  return all_close(first.host(), rank, 1e-12);
}
