// SPDX-License-Identifier: MIT
// CUB's sorts of the whole device against std::stable_sort. Radix sort of keys and of pairs, upwards and downwards, for
// keys of 32 and 64 bits and floats. Merge sort with a comparison.
#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <numeric>

#include "cub_helper.h"

std::vector<float> floats(int n) {
  std::vector<float> values(n);
  const std::vector<int> random = random_values(n, -1000000, 1000000);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(random[i]) / 64;
  return values;
}

bool radix_keys(int n) {
  std::vector<int> keys = random_values(n, -1000000000, 1000000000);
  DeviceVector<int> d_keys(keys), d_sorted(n);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, d_keys.data, d_sorted.data, n);
  });
  std::sort(keys.begin(), keys.end());
  return d_sorted.host() == keys;
}

bool radix_floats_down(int n) {
  std::vector<float> keys = floats(n);
  DeviceVector<float> d_keys(keys), d_sorted(n);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, d_keys.data, d_sorted.data, n);
  });
  std::sort(keys.begin(), keys.end(), std::greater<float>());
  return d_sorted.host() == keys;
}

/// Few distinct keys: equal ones must keep their order.
bool radix_pairs(int n) {
  const std::vector<int> random = random_values(n, 0, 999);
  std::vector<unsigned long long> keys(n), expected_keys(n);
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<unsigned long long>(random[i]) << 40 | random[n - 1 - i] % 3;
  std::iota(values.begin(), values.end(), 0);
  DeviceVector<unsigned long long> d_keys(keys), d_sorted(n);
  DeviceVector<int> d_values(values), d_order(n);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, d_keys.data, d_sorted.data, d_values.data, d_order.data, n);
  });
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  for (int i = 0; i < n; ++i) expected_keys[i] = keys[values[i]];
  return d_sorted.host() == expected_keys && d_order.host() == values;
}

struct ByLastDigits {
  __host__ __device__ bool operator()(int a, int b) const { return a % 1000 < b % 1000; }
};

bool merge(int n) {
  std::vector<int> keys = random_values(n, 0, 1000000);
  DeviceVector<int> d_keys(keys);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeys(storage, bytes, d_keys.data, n, ByLastDigits{});
  });
  std::stable_sort(keys.begin(), keys.end(), ByLastDigits{});
  return d_keys.host() == keys;
}

int main(int argc, char** argv) {
  bool passed = true;
  for (const int n : sizes(argc, argv)) {
    passed &= check("radix sort of keys", n, radix_keys(n));
    passed &= check("radix sort of floats", n, radix_floats_down(n));
    passed &= check("radix sort of pairs", n, radix_pairs(n));
    passed &= check("merge sort", n, merge(n));
  }
  return finish("cub_sort", passed);
}
