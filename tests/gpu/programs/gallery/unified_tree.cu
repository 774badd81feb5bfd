// SPDX-License-Identifier: MIT
// A search tree that the host builds in managed memory: the same pointers are followed by kernels, which count visits
// in it.
#include <map>
#include <new>

#include "gallery.h"

struct Node {
  int key, visits;
  Node *left, *right;
};

__global__ void search(Node* root, const int* keys, bool* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Node* node = root;
  while (node != nullptr && node->key != keys[i]) node = keys[i] < node->key ? node->left : node->right;
  found[i] = node != nullptr;
  if (node != nullptr) atomicAdd(&node->visits, 1);
}

bool program() {
  constexpr int nodes = 300, n = 1000;
  Node* memory = nullptr;
  int* keys = nullptr;
  bool* found = nullptr;
  checkCudaErrors(cudaMallocManaged(&memory, nodes * sizeof(Node)));
  checkCudaErrors(cudaMallocManaged(&keys, n * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&found, n * sizeof(bool)));
  Node* root = nullptr;
  std::map<int, int> visits;
  for (int i = 0; i < nodes; ++i) {
    const int key = static_cast<int>(scramble(i) % 2000);
    Node** place = &root;
    while (*place != nullptr && (*place)->key != key) place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    if (*place == nullptr) *place = new (&memory[i]) Node{key, 0, nullptr, nullptr};
    visits[key] = 0;
  }
  for (int i = 0; i < n; ++i) keys[i] = static_cast<int>(scramble(i + 5000) % 2000);
  search<<<blocks_for(n, 128), 128>>>(root, keys, found, n);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < n; ++i) {
    const auto known = visits.find(keys[i]);
    right = right && found[i] == (known != visits.end());
    if (known != visits.end()) ++known->second;
  }
  for (const auto& [key, count] : visits) {
    const Node* node = root;
    while (node->key != key) node = key < node->key ? node->left : node->right;
    right = right && node->visits == count;
  }
  for (void* pointer : {static_cast<void*>(memory), static_cast<void*>(keys), static_cast<void*>(found)})
    checkCudaErrors(cudaFree(pointer));
  return right;
}
