// SPDX-License-Identifier: MIT
// Atomics that a warp puts together: one for all lanes that take part, and one for each key among them.
#include <cooperative_groups.h>

#include "gallery.h"

namespace cg = cooperative_groups;

__global__ void filter(const int* in, int n, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 2 == 0) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int begin = 0;
  if (active.thread_rank() == 0) begin = atomicAdd(count, static_cast<int>(active.size()));
  out[active.shfl(begin, 0) + active.thread_rank()] = in[i];
}

__global__ void count_keys(const int* in, int n, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned active = __ballot_sync(~0u, i < n);
  if (i >= n) return;
  const int key = in[i] % 10;
  const unsigned same = __match_any_sync(active, key);
  if (static_cast<int>(threadIdx.x % 32) == __ffs(same) - 1) atomicAdd(&counts[key], __popc(same));
}

bool program() {
  constexpr int n = 5003;
  std::vector<int> in(n), odd, counts(10, 0);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(scramble(i) % 100000);
    if (in[i] % 2 != 0) odd.push_back(in[i]);
    ++counts[in[i] % 10];
  }
  Buffer<int> d_in(in), out(std::vector<int>(n, 0)), count(std::vector<int>{0}), d_counts(std::vector<int>(10, 0));
  filter<<<blocks_for(n, 256), 256>>>(d_in, n, out, count);
  count_keys<<<blocks_for(n, 256), 256>>>(d_in, n, d_counts);
  std::vector<int> got = out.host();
  got.resize(count.host()[0]);
  std::sort(got.begin(), got.end());
  std::sort(odd.begin(), odd.end());
  return got == odd && d_counts.host() == counts;
}
