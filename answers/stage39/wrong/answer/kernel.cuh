// SPDX-License-Identifier: MIT
// The kernel of stage 39 and what it calls, for wrong kernels that change one part. The including file may define
// SCAN_FOUR, SCAN_WARP or BEFORE_THREAD as the name of its own function.
#ifndef SCAN_FOUR
#define SCAN_FOUR scan_four
#endif
#ifndef SCAN_WARP
#define SCAN_WARP scan_warp
#endif
#ifndef BEFORE_THREAD
#define BEFORE_THREAD before_thread_by_wrong_warps

template <typename T>
__device__ T before_thread_by_wrong_warps(T mine) {
  __shared__ T sums_of_warps[kMostWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const Scanned<T> in_warp = SCAN_WARP(mine);
  if (lane == 0) {
    sums_of_warps[warp] = in_warp.all;
  }
  __syncthreads();
  const Scanned<T> of_warps = SCAN_WARP(lane < warps ? sums_of_warps[lane] : identity<T>());
  return combine(workbook::shuffle(of_warps.before, warp), in_warp.before);
}
#endif

template <typename T>
__global__ void __launch_bounds__(kWarp* kMostWarps)
    scan_blocks_wrongly(Scan scan, const T* input, T* output, std::size_t n) {
  const std::size_t at = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  const Four<T> mine = workbook::load_four(input, at, n);
  const T all = combine(combine(mine.of[0], mine.of[1]), combine(mine.of[2], mine.of[3]));
  workbook::store_four(output, at, n, SCAN_FOUR(scan, BEFORE_THREAD(all), mine));
}

template <typename T>
void scan_blocks_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                           cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  const std::size_t tile = 4 * std::size_t{block_size};
  const unsigned blocks = static_cast<unsigned>((n + tile - 1) / tile);
  scan_blocks_wrongly<<<blocks, block_size, 0, stream>>>(scan, input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

#undef SCAN_FOUR
#undef SCAN_WARP
#undef BEFORE_THREAD
