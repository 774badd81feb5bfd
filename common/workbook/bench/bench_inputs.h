// SPDX-License-Identifier: MIT
// The inputs of a benchmark, side by side in device memory, for rotation (cold-cache timing). They are pieces of one
// long sequence that repeats a few million seeded numbers. To make 2^31 different numbers on the CPU would take longer
// than all measurements. The repetition also gives the reference, and restores an input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "workbook/case/device_memory.h"

namespace workbook {

/// The period of the sequence, for inputs of `total_size` numbers together. It is odd, so that inputs whose starts are
/// a power of two apart begin at different numbers. It may be smaller than a cache, because a cache works by addresses
/// and not by values.
constexpr std::size_t period_size(std::size_t total_size) {
  constexpr std::size_t kLargest = std::size_t{1} << 22;
  return (std::min(total_size, kLargest) | 1) + 14;
}

/// The distance between the starts of two inputs. Each starts at a multiple of 256 bytes, like memory from cudaMalloc.
constexpr std::size_t input_stride_bytes(std::size_t input_bytes) { return (input_bytes + 255) / 256 * 256; }

namespace bench_detail {
// Sets memory[i] = period[i % period_words] for all i, in words of 4 bytes, in the default stream.
void tile(unsigned* memory, std::size_t words, const unsigned* period, std::size_t period_words);
// Whether memory[i] != period[(first + i) % period_words] for any i. Waits.
bool differs(const unsigned* memory, std::size_t words, std::size_t first, const unsigned* period,
             std::size_t period_words);
}  // namespace bench_detail

/// The inputs for rotation: `buffers` inputs of n numbers each, n at least 1. Number i of input t is period[(t *
/// stride() + i) % period.size()]. T has 4 or 8 bytes and is trivially copyable.
template <typename T>
class BenchInputs {
 public:
  static_assert(sizeof(T) % sizeof(unsigned) == 0 && 256 % sizeof(T) == 0);

  /// `period`: any numbers, usually period_size(total_size(n, buffers)) of them. Throws CudaError.
  BenchInputs(std::vector<T> period, std::size_t n, std::size_t buffers)
      : period_(std::move(period)), n_(n), device_period_(period_.size()), memory_(total_size(n, buffers)) {
    CUDA_CHECK(cudaMemcpy(device_period_.data(), period_.data(), device_period_.size_bytes(), cudaMemcpyHostToDevice));
    restore();
  }

  /// The numbers in all inputs, with the gaps between them.
  static constexpr std::size_t total_size(std::size_t n, std::size_t buffers) { return stride(n) * buffers; }
  static constexpr std::size_t stride(std::size_t n) { return input_stride_bytes(n * sizeof(T)) / sizeof(T); }

  T* input(std::size_t turn) const { return memory_.data() + turn * stride(n_); }

  void restore() {
    bench_detail::tile(words(memory_.data()), memory_.size() * kWords, words(device_period_.data()),
                       period_.size() * kWords);
  }

  bool is_changed(std::size_t turn) const {
    return bench_detail::differs(words(input(turn)), n_ * kWords, turn * stride(n_) * kWords,
                                 words(device_period_.data()), period_.size() * kWords);
  }

  /// Calls visit(numbers, count, times) with pieces of the period. Each piece, taken `times` times, gives the numbers
  /// of input `turn` in another order. This gives a reference that does not depend on the order. Any n consecutive
  /// numbers hold n / P whole periods, and n % P numbers more.
  template <typename Visit>
  void visit_pieces(std::size_t turn, Visit visit) const {
    const std::size_t first = turn * stride(n_) % period_.size();
    const std::size_t rest = n_ % period_.size();
    const std::size_t before_end = std::min(rest, period_.size() - first);
    if (n_ >= period_.size()) visit(period_.data(), period_.size(), n_ / period_.size());
    if (before_end > 0) visit(period_.data() + first, before_end, std::size_t{1});
    if (rest > before_end) visit(period_.data(), rest - before_end, std::size_t{1});
  }

 private:
  static constexpr std::size_t kWords = sizeof(T) / sizeof(unsigned);
  static unsigned* words(T* memory) { return reinterpret_cast<unsigned*>(memory); }

  std::vector<T> period_;
  std::size_t n_;
  DeviceArray<T> device_period_;
  DeviceArray<T> memory_;
};

}  // namespace workbook
