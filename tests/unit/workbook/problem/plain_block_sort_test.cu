// SPDX-License-Identifier: MIT
// The sort that takes the place of stage 32's steps where the course has no answers: nothing else runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/student/plain_block_sort.h"

namespace workbook {
namespace {

constexpr unsigned kThreads = 64, kElements = 8, kPlaces = kThreads * kElements;

enum class Which : std::uint8_t { sort, finish, own };

template <typename Element>
__global__ void sort_with(Which which, Element* all) {
  extern __shared__ std::uint32_t words[];
  Element elements[kElements];
  for (unsigned r = 0; r < kElements; ++r) elements[r] = all[r * kThreads + threadIdx.x];
  if (which == Which::sort) sort_block<kThreads>(elements, words);
  if (which == Which::finish) finish_block<kThreads>(elements, words);
  if (which == Which::own) merge_own<true>(elements);
  for (unsigned r = 0; r < kElements; ++r) all[r * kThreads + threadIdx.x] = elements[r];
}

template <typename Element>
std::vector<Element> sorted_with(Which which, const std::vector<Element>& elements) {
  DeviceArray<Element> all(kPlaces);
  CUDA_CHECK(cudaMemcpy(all.data(), elements.data(), all.size_bytes(), cudaMemcpyHostToDevice));
  sort_with<<<1, kThreads, sort_block_bytes<Element>(kPlaces)>>>(which, all.data());
  CUDA_CHECK(cudaGetLastError());
  return read_back(all.data(), kPlaces, nullptr);
}

template <typename Element>
void check_sorts() {
  std::mt19937_64 generator(1);
  std::vector<Element> elements(kPlaces);
  for (Element& element : elements) element = static_cast<Element>(generator() >> (64 - 8 * sizeof(Element)));
  elements[7] = elements[300] = elements[301];
  std::vector<Element> wanted = elements, own = elements;
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(sorted_with(Which::sort, elements), wanted);
  EXPECT_EQ(sorted_with(Which::finish, elements), wanted);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    std::vector<Element> of_thread;
    for (unsigned r = 0; r < kElements; ++r) of_thread.push_back(elements[r * kThreads + thread]);
    std::sort(of_thread.begin(), of_thread.end());
    for (unsigned r = 0; r < kElements; ++r) own[r * kThreads + thread] = of_thread[r];
  }
  EXPECT_EQ(sorted_with(Which::own, elements), own);
}

TEST(PlainBlockSort, SortsKeysAndPairs) {
  check_sorts<std::uint32_t>();
  check_sorts<unsigned long long>();
}

}  // namespace
}  // namespace workbook
