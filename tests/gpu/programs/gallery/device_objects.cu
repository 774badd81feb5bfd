// SPDX-License-Identifier: MIT
// new and delete in kernels: lists that one kernel builds, another changes and a third takes down.
#include "gallery.h"

struct Node {
  __device__ Node(int value_of_node, Node* next_node) : value(value_of_node), next(next_node) {}
  __device__ virtual ~Node() { value = -1; }
  __device__ virtual int weight() const { return value; }
  int value;
  Node* next;
};
struct HeavyNode : Node {
  using Node::Node;
  __device__ int weight() const override { return 10 * value; }
};

__global__ void build(Node** lists, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  Node* list = nullptr;
  for (int i = 0; i < t % 5; ++i) list = i % 2 == 0 ? new Node(t + i, list) : new HeavyNode(t + i, list);
  lists[t] = list;
}

__global__ void weigh(Node* const* lists, int n, int* weights) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  int sum = 0;
  for (const Node* node = lists[t]; node != nullptr; node = node->next) sum += node->weight();
  weights[t] = sum;
}

__global__ void take_down(Node** lists, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  while (lists[t] != nullptr) {
    Node* const first = lists[t];
    lists[t] = first->next;
    delete first;
  }
}

bool program() {
  constexpr int n = 100;
  Buffer<Node*> lists(n);
  Buffer<int> weights(n);
  build<<<2, 64>>>(lists, n);
  weigh<<<2, 64>>>(lists, n, weights);
  take_down<<<2, 64>>>(lists, n);
  std::vector<int> expected(n, 0);
  for (int t = 0; t < n; ++t)
    for (int i = 0; i < t % 5; ++i) expected[t] += (t + i) * (i % 2 == 0 ? 1 : 10);
  return weights.host() == expected && lists.host() == std::vector<Node*>(n, nullptr);
}
