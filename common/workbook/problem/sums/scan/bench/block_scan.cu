// SPDX-License-Identifier: MIT
// The scan of each block's elements against a kernel that loads, scans and stores by cub::BlockLoad, cub::BlockScan and
// cub::BlockStore, with as many threads and as many elements a thread.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peer: the stage's launches have none
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

#include "workbook/problem/sums/scan/bench/scan_benchmark.h"

namespace workbook {
namespace {

constexpr int kElements = 4;  // of a thread

// Launch: kThreads threads for each kElements * kThreads elements.
template <typename T, int kThreads>
__global__ void __launch_bounds__(kThreads) scan_blocks_by_cub(Scan scan, const T* input, T* output, int n) {
  using Load = cub::BlockLoad<T, kThreads, kElements, cub::BLOCK_LOAD_VECTORIZE>;
  using BlockScan = cub::BlockScan<T, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Store = cub::BlockStore<T, kThreads, kElements, cub::BLOCK_STORE_VECTORIZE>;
  __shared__ typename BlockScan::TempStorage storage;
  const int begin = static_cast<int>(blockIdx.x) * kThreads * kElements, count = min(kThreads * kElements, n - begin);
  T mine[kElements];
  if (count == kThreads * kElements) {
    Load().Load(input + begin, mine);
  } else {
    Load().Load(input + begin, mine, count, identity<T>());
  }
  if (scan == Scan::inclusive) {
    BlockScan(storage).InclusiveScan(mine, mine, Combine{});
  } else {
    BlockScan(storage).ExclusiveScan(mine, mine, identity<T>(), Combine{});
  }
  if (count == kThreads * kElements) {
    Store().Store(output + begin, mine);
  } else {
    Store().Store(output + begin, mine, count);
  }
}

template <typename T>
class BlockScanBenchmark final : public ScanBenchmark<T> {
 public:
  BlockScanBenchmark(const Settings& settings, std::size_t buffers) : ScanBenchmark<T>(settings, buffers) {
    this->set_peer("cub::BlockScan in a kernel", [this](std::size_t turn) {
      switch (this->block_size()) {
        case 32:
          return launch_peer<32>(turn);
        case 256:
          return launch_peer<256>(turn);
        case 1024:
          return launch_peer<1024>(turn);
        default:
          throw std::invalid_argument("the peer is for blocks of 32, 256 and 1024 threads");
      }
    });
  }

 private:
  template <int kThreads>
  void launch_peer(std::size_t turn) {
    constexpr int kTile = kThreads * kElements;
    const unsigned blocks = (static_cast<unsigned>(this->n()) + kTile - 1) / kTile;
    scan_blocks_by_cub<T, kThreads><<<blocks, kThreads>>>(this->scan(), this->input(turn), this->output(), this->n());
    CUDA_CHECK(cudaGetLastError());
  }
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return with_type(ScanChoice(settings).type, [&](auto zero) -> std::unique_ptr<Benchmark> {
    return std::make_unique<BlockScanBenchmark<decltype(zero)>>(settings, buffers);
  });
}

}  // namespace workbook
