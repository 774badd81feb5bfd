// SPDX-License-Identifier: MIT
// One pointer for host and device. The host builds linked lists and kernels walk them. Both change a managed array in
// turn, with prefetches and advice. There is a __managed__ counter, too.
#include <vector>

#include "helper_cuda.h"

struct Node {
  int value;
  Node* next;
};

/// An object whose memory is managed, so that it can be handed to a kernel by pointer.
class Managed {
 public:
  void* operator new(std::size_t bytes) {
    void* p = nullptr;
    checkCudaErrors(cudaMallocManaged(&p, bytes));
    return p;
  }
  void operator delete(void* p) { checkCudaErrors(cudaFree(p)); }
};

struct Histogram : Managed {
  unsigned long long sum = 0;
  unsigned bins[10] = {};
};

__managed__ unsigned visited = 0;

__global__ void walk(Node* const* lists, int list_count, Histogram* histogram) {
  const int list = blockIdx.x * blockDim.x + threadIdx.x;
  if (list >= list_count) return;
  unsigned long long sum = 0;
  for (const Node* node = lists[list]; node != nullptr; node = node->next) {
    sum += node->value;
    atomicAdd(&histogram->bins[node->value % 10], 1u);
    atomicAdd(&visited, 1u);
  }
  atomicAdd(&histogram->sum, sum);
}

__global__ void scale(double* data, int n, double factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

bool walk_lists() {
  constexpr int list_count = 100;
  Node** lists = nullptr;
  checkCudaErrors(cudaMallocManaged(&lists, list_count * sizeof(Node*)));
  unsigned long long expected_sum = 0;
  unsigned expected_nodes = 0, expected_bins[10] = {};
  for (int list = 0; list < list_count; ++list) {
    lists[list] = nullptr;
    for (int i = 0; i < list % 7; ++i) {
      Node* node = nullptr;
      checkCudaErrors(cudaMallocManaged(&node, sizeof(Node)));
      *node = {list * 31 + i, lists[list]};
      lists[list] = node;
      expected_sum += node->value;
      ++expected_bins[node->value % 10];
      ++expected_nodes;
    }
  }
  auto* histogram = new Histogram;
  walk<<<4, 32>>>(lists, list_count, histogram);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = histogram->sum == expected_sum && visited == expected_nodes;
  for (int bin = 0; bin < 10; ++bin) passed = passed && histogram->bins[bin] == expected_bins[bin];
  delete histogram;
  for (int list = 0; list < list_count; ++list) {
    while (lists[list] != nullptr) {
      Node* node = lists[list];
      lists[list] = node->next;
      checkCudaErrors(cudaFree(node));
    }
  }
  checkCudaErrors(cudaFree(lists));
  return passed;
}

/// Host and device take turns, with hints where the data will be needed.
bool take_turns() {
  constexpr int n = 50000;
  double* data = nullptr;
  checkCudaErrors(cudaMallocManaged(&data, n * sizeof(double)));
  for (int i = 0; i < n; ++i) data[i] = i;
  int device = 0, concurrent = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
  for (int turn = 0; turn < 3; ++turn) {
    if (concurrent != 0) {
#if CUDART_VERSION >= 13000
      const cudaMemLocation here{cudaMemLocationTypeDevice, device};
      checkCudaErrors(cudaMemAdvise(data, n * sizeof(double), cudaMemAdviseSetPreferredLocation, here));
      checkCudaErrors(cudaMemPrefetchAsync(data, n * sizeof(double), here, 0, nullptr));
#else
      checkCudaErrors(cudaMemAdvise(data, n * sizeof(double), cudaMemAdviseSetPreferredLocation, device));
      checkCudaErrors(cudaMemPrefetchAsync(data, n * sizeof(double), device, nullptr));
#endif
    }
    scale<<<(n + 255) / 256, 256>>>(data, n, 2.0);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) data[i] += 1;
  }
  bool passed = true;
  for (int i = 0; i < n; ++i) passed = passed && data[i] == 8.0 * i + 7;
  cudaPointerAttributes attributes{};
  checkCudaErrors(cudaPointerGetAttributes(&attributes, data));
  passed = passed && attributes.type == cudaMemoryTypeManaged;
  checkCudaErrors(cudaFree(data));
  return passed;
}

int main() {
  const bool lists = walk_lists();
  const bool turns = take_turns();
  return finish("managed_memory", lists && turns);
}
