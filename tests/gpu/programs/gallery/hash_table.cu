// SPDX-License-Identifier: MIT
// A hash table with open addressing: keys are claimed with a compare-and-swap, values count how often a key came.
#include <map>

#include "gallery.h"

constexpr unsigned capacity = 4096, empty = ~0u;

__device__ unsigned first_place(unsigned key) { return scramble(key) % capacity; }

__global__ void insert(const unsigned* in, int n, unsigned* keys, unsigned* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (unsigned at = first_place(in[i]);; at = (at + 1) % capacity) {
    const unsigned found = atomicCAS(&keys[at], empty, in[i]);
    if (found == empty || found == in[i]) {
      atomicAdd(&counts[at], 1);
      return;
    }
  }
}

__global__ void look_up(const unsigned* wanted, int n, const unsigned* keys, const unsigned* counts, unsigned* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = first_place(wanted[i]);
  while (keys[at] != empty && keys[at] != wanted[i]) at = (at + 1) % capacity;
  found[i] = keys[at] == wanted[i] ? counts[at] : 0;
}

bool program() {
  constexpr int n = 6000, queries = 5000;
  std::vector<unsigned> in(n), wanted(queries), expected(queries);
  std::map<unsigned, unsigned> counts;
  for (int i = 0; i < n; ++i) ++counts[in[i] = scramble(i) % 3000];
  for (int i = 0; i < queries; ++i) {
    wanted[i] = i;
    expected[i] = counts.count(i) != 0 ? counts[i] : 0;
  }
  Buffer<unsigned> d_in(in), d_wanted(wanted), keys(std::vector<unsigned>(capacity, empty)), d_counts(capacity),
      found(queries);
  d_counts.clear();
  insert<<<blocks_for(n, 128), 128>>>(d_in, n, keys, d_counts);
  look_up<<<blocks_for(queries, 128), 128>>>(d_wanted, queries, keys, d_counts, found);
  return found.host() == expected;
}
