// SPDX-License-Identifier: MIT
// Connected components: labels fall along edges by atomicMin until a launch changes none. Who reads a label while it
// falls reads it by an atomic, too.
#include <numeric>

#include "gallery.h"

__global__ void spread(const int2* edges, int n, int* labels, int* changed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int a = atomicAdd(&labels[edges[i].x], 0), b = atomicAdd(&labels[edges[i].y], 0);
  if (a == b) return;
  const int lower = min(a, b);
  const bool fell = atomicMin(&labels[edges[i].x], lower) > lower,
             other_fell = atomicMin(&labels[edges[i].y], lower) > lower;
  if (fell || other_fell) atomicExch(changed, 1);
}

int root(std::vector<int>& parents, int i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

bool program() {
  constexpr int nodes = 1500, n = 1200;
  std::vector<int> labels(nodes), parents(nodes), expected(nodes);
  std::iota(labels.begin(), labels.end(), 0);
  parents = labels;
  std::vector<int2> edges(n);
  for (int i = 0; i < n; ++i) {
    edges[i] = make_int2(scramble(2 * i) % nodes, scramble(2 * i + 1) % nodes);
    const int a = root(parents, edges[i].x), b = root(parents, edges[i].y);
    parents[std::max(a, b)] = std::min(a, b);
  }
  for (int i = 0; i < nodes; ++i) expected[i] = root(parents, i);
  Buffer<int2> d_edges(edges);
  Buffer<int> d_labels(labels), changed(1);
  int launches = 0;
  do {
    changed.clear();
    spread<<<blocks_for(n, 128), 128>>>(d_edges, n, d_labels, changed);
  } while (changed.host()[0] != 0 && ++launches < nodes);
  return d_labels.host() == expected;
}
