// SPDX-License-Identifier: MIT
// CUB's device-wide algorithms, as its documentation shows them, against the standard library on the host. They are
// reductions, scans, selections, histograms and segmented reductions, for sizes around those of warps, blocks and
// tiles.
#include <algorithm>
#include <climits>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <numeric>

#include "cub_helper.h"

struct Widest {
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const {
    const T x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    return x < y ? y : x;
  }
};
struct IsMultipleOf3 {
  __host__ __device__ bool operator()(int x) const { return x % 3 == 0; }
};

bool reductions(int n) {
  const std::vector<int> in = random_values(n, -1000, 1000);
  DeviceVector<int> d_in(in), d_out(1);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, d_in.data, d_out.data, n);
  });
  bool passed = d_out.host()[0] == std::accumulate(in.begin(), in.end(), 0);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Min(storage, bytes, d_in.data, d_out.data, n);
  });
  passed = passed && d_out.host()[0] == (n == 0 ? INT_MAX : *std::min_element(in.begin(), in.end()));
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(storage, bytes, d_in.data, d_out.data, n, Widest{}, 7);
  });
  passed = passed && d_out.host()[0] == std::accumulate(in.begin(), in.end(), 7, Widest{});
  if (n > 0) {
    DeviceVector<cub::KeyValuePair<int, int>> d_least(1);
    with_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::ArgMin(storage, bytes, d_in.data, d_least.data, n);
    });
    const auto least = std::min_element(in.begin(), in.end());
    const cub::KeyValuePair<int, int> got = d_least.host()[0];
    passed = passed && got.value == *least && got.key == least - in.begin();
  }
  // Quarters: exact in any order.
  std::vector<float> quarters(in.begin(), in.end());
  for (float& x : quarters) x /= 4;
  DeviceVector<float> d_quarters(quarters), d_sum(1);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, d_quarters.data, d_sum.data, n);
  });
  return passed && d_sum.host()[0] == std::accumulate(quarters.begin(), quarters.end(), 0.0f);
}

bool scans(int n) {
  const std::vector<int> in = random_values(n, -100, 100);
  std::vector<int> expected(n);
  DeviceVector<int> d_in(in), d_out(n);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(storage, bytes, d_in.data, d_out.data, n);
  });
  std::partial_sum(in.begin(), in.end(), expected.begin());
  bool passed = d_out.host() == expected;
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, d_in.data, d_out.data, n);
  });
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0);
  passed = passed && d_out.host() == expected;
  const std::vector<long long> wide(in.begin(), in.end());
  std::vector<long long> expected_wide(n);
  DeviceVector<long long> d_wide(wide), d_wide_out(n);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(storage, bytes, d_wide.data, d_wide_out.data, Widest{}, 3ll, n);
  });
  std::exclusive_scan(wide.begin(), wide.end(), expected_wide.begin(), 3ll, Widest{});
  return passed && d_wide_out.host() == expected_wide;
}

bool selections(int n) {
  const std::vector<int> in = random_values(n, 0, 9);
  std::vector<char> flags(n);
  for (int i = 0; i < n; ++i) flags[i] = i % 7 < 2;
  DeviceVector<int> d_in(in), d_out(n), d_count(1);
  DeviceVector<char> d_flags(flags);
  std::vector<int> by_value, by_flag, unique(n);
  std::copy_if(in.begin(), in.end(), std::back_inserter(by_value), IsMultipleOf3{});
  for (int i = 0; i < n; ++i) {
    if (flags[i]) by_flag.push_back(in[i]);
  }
  unique.erase(std::unique_copy(in.begin(), in.end(), unique.begin()), unique.end());
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, d_in.data, d_out.data, d_count.data, n, IsMultipleOf3{});
  });
  bool passed = d_out.host(d_count.host()[0]) == by_value;
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(storage, bytes, d_in.data, d_flags.data, d_out.data, d_count.data, n);
  });
  passed = passed && d_out.host(d_count.host()[0]) == by_flag;
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(storage, bytes, d_in.data, d_out.data, d_count.data, n);
  });
  return passed && d_out.host(d_count.host()[0]) == unique;
}

bool histograms(int n) {
  const std::vector<int> in = random_values(n, -50, 450);
  std::vector<int> expected(20, 0);
  for (const int x : in) {
    if (x >= 0 && x < 400) ++expected[x / 20];
  }
  DeviceVector<int> d_in(in), d_bins(20);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, d_in.data, d_bins.data, 21, 0, 400, n);
  });
  return d_bins.host() == expected;
}

bool segments(int n) {
  const std::vector<int> in = random_values(n, -1000, 1000);
  std::vector<int> offsets{0}, expected;
  for (int length = 0; offsets.back() < n; length = (length * 3 + 1) % 1000) {
    offsets.push_back(std::min(n, offsets.back() + length));
    expected.push_back(std::accumulate(in.begin() + offsets[offsets.size() - 2], in.begin() + offsets.back(), 0));
  }
  const int count = static_cast<int>(expected.size());
  DeviceVector<int> d_in(in), d_offsets(offsets), d_out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, d_in.data, d_out.data, count, d_offsets.data,
                                           d_offsets.data + 1);
  });
  return d_out.host() == expected;
}

int main(int argc, char** argv) {
  bool passed = true;
  for (const int n : sizes(argc, argv)) {
    passed &= check("reduce", n, reductions(n));
    passed &= check("scan", n, scans(n));
    passed &= check("select", n, selections(n));
    passed &= check("histogram", n, histograms(n));
    passed &= check("segmented reduce", n, segments(n));
  }
  return finish("cub_device", passed);
}
