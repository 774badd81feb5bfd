// SPDX-License-Identifier: MIT
// Breadth-first search, level by level: a queue of nodes, of which each is put in by who claims it with a
// compare-and-swap.
#include <queue>

#include "gallery.h"

__global__ void visit(const int* starts, const int* ends, const int* queue, int queued, int level, int* distance,
                      int* next_queue, int* next_queued) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queued) return;
  const int node = queue[i];
  for (int edge = starts[node]; edge < starts[node + 1]; ++edge) {
    const int neighbour = ends[edge];
    if (atomicCAS(&distance[neighbour], -1, level + 1) == -1) next_queue[atomicAdd(next_queued, 1)] = neighbour;
  }
}

bool program() {
  constexpr int nodes = 3000;
  std::vector<int> starts{0}, ends;
  for (int node = 0; node < nodes; ++node) {
    for (unsigned e = 0; e < 1 + scramble(node) % 3; ++e)
      ends.push_back(static_cast<int>((node + 1 + scramble(node * 8 + e) % 60) % nodes));
    starts.push_back(static_cast<int>(ends.size()));
  }
  std::vector<int> expected(nodes, -1);
  std::queue<int> waiting({0});
  expected[0] = 0;
  for (; !waiting.empty(); waiting.pop()) {
    const int node = waiting.front();
    for (int edge = starts[node]; edge < starts[node + 1]; ++edge) {
      if (expected[ends[edge]] >= 0) continue;
      expected[ends[edge]] = expected[node] + 1;
      waiting.push(ends[edge]);
    }
  }

  std::vector<int> distance(nodes, -1);
  distance[0] = 0;
  Buffer<int> d_starts(starts), d_ends(ends), d_distance(distance), first(std::vector<int>(nodes, 0)), second(nodes);
  Buffer<int> next_queued(1);
  int *queue = first, *next_queue = second, queued = 1;
  for (int level = 0; queued > 0; ++level) {
    next_queued.clear();
    visit<<<blocks_for(queued, 128), 128>>>(d_starts, d_ends, queue, queued, level, d_distance, next_queue,
                                            next_queued);
    queued = next_queued.host()[0];
    std::swap(queue, next_queue);
  }
  return d_distance.host() == expected;
}
