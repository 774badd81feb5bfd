// SPDX-License-Identifier: MIT
// Floyd and Warshall's shortest paths between all pairs, a launch for each node that paths may lead through.
#include "gallery.h"

__global__ void relax(int* distance, int n, int through) {
  const int to = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y;
  // Row and column `through` do not change in this launch, so nobody writes what others read.
  if (to >= n || to == through || from == through) return;
  const int detour = distance[from * n + through] + distance[through * n + to];
  if (detour < distance[from * n + to]) distance[from * n + to] = detour;
}

bool program() {
  constexpr int n = 60, far = 1 << 20;
  std::vector<int> distance(n * n);
  for (int i = 0; i < n * n; ++i)
    distance[i] = i % (n + 1) == 0 ? 0 : scramble(i) % 8 == 0 ? 1 + static_cast<int>(scramble(i + 99) % 100) : far;
  Buffer<int> d_distance(distance);
  for (int through = 0; through < n; ++through) {
    relax<<<dim3(blocks_for(n, 64), n), 64>>>(d_distance, n, through);
    for (int from = 0; from < n; ++from)
      for (int to = 0; to < n; ++to)
        distance[from * n + to] =
            std::min(distance[from * n + to], distance[from * n + through] + distance[through * n + to]);
  }
  return d_distance.host() == distance;
}
