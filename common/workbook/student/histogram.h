// SPDX-License-Identifier: MIT
// Histograms: which bin a sample is in, and the function that a stage defines. A histogram has a count for each bin:
// how many samples are in it. The bins are those of cub::DeviceHistogram::HistogramEven.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

constexpr unsigned kMostBins = 2048;

/// The bins of a histogram, 0 to count - 1.
///
/// * A whole number x (std::uint32_t, std::uint8_t) is in bin x. Where x >= count, it is in none.
/// * A float x with lower <= x < upper is in bin (x - lower) * scale, rounded down. Every step is one of floats. The
///   product may be rounded up to `count`: then x is in the last bin. Any other x is in no bin: what is below, the
///   upper edge itself, what is above, and NaN.
struct Bins {
  unsigned count = 0;  ///< 1 to kMostBins.
  float lower = 0.0f;
  float upper = 0.0f;
  float scale = 0.0f;  ///< count / (upper - lower)
};

}  // namespace workbook

/// Counts the samples of each bin. A stage defines it for T = std::uint32_t, std::uint8_t and float. It only puts work
/// into the stream: no allocation, no copy to the host, no waiting.
///
/// * samples     n samples in DEVICE memory, at a multiple of 16 bytes. They must not change. n is below 2^32, so that
///               no count overflows. It may be 0.
/// * counts      bins.count numbers in DEVICE memory. They have any value before, and are to have the counts
///               afterwards.
/// * block_size  Threads a block: one of those that the stage takes (--help lists them).
/// * stream      The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const workbook::Bins& bins, unsigned* counts,
                         unsigned block_size, cudaStream_t stream);
