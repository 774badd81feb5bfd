// SPDX-License-Identifier: MIT
// All places of a word in a text of bytes, also where they overlap, and the first of them.
#include <cstring>
#include <string>

#include "gallery.h"

__constant__ char word[16];

__global__ void search(const char* text, int n, int length, int* first, unsigned* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool equal = i + length <= n;
  for (int k = 0; equal && k < length; ++k) equal = text[i + k] == word[k];
  const unsigned lanes = __ballot_sync(~0u, equal);
  if (threadIdx.x % 32 == 0) found[i / 32] = lanes;
  if (equal) atomicMin(first, i);
}

bool program() {
  constexpr int n = 4096;
  const std::string wanted = "abab";
  std::string text(n, ' ');
  for (int i = 0; i < n; ++i) text[i] = "ab"[scramble(i) % 2];
  checkCudaErrors(cudaMemcpyToSymbol(word, wanted.data(), wanted.size()));
  Buffer<char> d_text(std::vector<char>(text.begin(), text.end()));
  Buffer<int> first(std::vector<int>{n});
  Buffer<unsigned> found(n / 32);
  search<<<n / 256, 256>>>(d_text, n, static_cast<int>(wanted.size()), first, found);
  std::vector<unsigned> expected(n / 32, 0);
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    expected[at / 32] |= 1u << at % 32;
  return found.host() == expected && first.host()[0] == static_cast<int>(text.find(wanted));
}
