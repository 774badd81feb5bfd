// SPDX-License-Identifier: MIT
// A scan of all elements against cub::DeviceScan.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peer: the stage's launches have none
#include <cub/device/device_scan.cuh>

#include "workbook/problem/sums/scan/bench/scan_benchmark.h"

namespace workbook {
namespace {

// Addition for numbers, for which CUB has tuned its tiles; combine() for maps.
template <typename T>
using Operator = std::conditional_t<std::is_same_v<T, Affine>, Combine, cuda::std::plus<>>;

template <typename T>
class DeviceScanBenchmark final : public ScanBenchmark<T> {
 public:
  DeviceScanBenchmark(const Settings& settings, std::size_t buffers)
      : ScanBenchmark<T>(settings, buffers), storage_(storage_bytes()) {
    this->set_peer(
        this->scan() == Scan::inclusive ? "cub::DeviceScan::InclusiveScan" : "cub::DeviceScan::ExclusiveScan",
        [this](std::size_t turn) {
          std::size_t bytes = storage_.size();
          CUDA_CHECK(scan_by_cub(storage_.data(), bytes, turn));
        });
  }

 private:
  cudaError_t scan_by_cub(void* storage, std::size_t& bytes, std::size_t turn) {
    if (this->scan() == Scan::inclusive) {
      return cub::DeviceScan::InclusiveScan(storage, bytes, this->input(turn), this->output(), Operator<T>{},
                                            this->n());
    }
    return cub::DeviceScan::ExclusiveScan(storage, bytes, this->input(turn), this->output(), Operator<T>{},
                                          identity<T>(), this->n());
  }
  std::size_t storage_bytes() {
    std::size_t bytes = 0;
    CUDA_CHECK(scan_by_cub(nullptr, bytes, 0));
    return bytes;
  }

  DeviceArray<char> storage_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return with_type(ScanChoice(settings).type, [&](auto zero) -> std::unique_ptr<Benchmark> {
    return std::make_unique<DeviceScanBenchmark<decltype(zero)>>(settings, buffers);
  });
}

}  // namespace workbook
