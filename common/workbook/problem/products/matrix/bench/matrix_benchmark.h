// SPDX-License-Identifier: MIT
// Copies and transposes of matrices, side by side in device memory. The device makes and judges the data. Word k of an
// input is k, so every word of an output is known. So 4 GiB need not come to the host. It is for .cu files, which add
// the peers.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "workbook/bench/benchmark.h"
#include "workbook/case/device.h"
#include "workbook/case/device_memory.h"
#include "workbook/problem/products/matrix/matrix_problem.h"

namespace workbook {

/// Sets word k to k, modulo 2^32.
__global__ void fill_with_numbers(unsigned* words, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count; k += step) {
    words[k] = static_cast<unsigned>(k);
  }
}

/// Finds wrong words in a copy or a transpose of such words: found[0] is their number, found[1] is the smallest place.
/// The argument `columns` is that of the checked matrix.
__global__ void find_wrong(const unsigned* words, std::size_t rows, std::size_t columns, bool is_transposed,
                           unsigned long long* found) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < rows * columns; k += step) {
    const std::size_t source = is_transposed ? k % columns * rows + k / columns : k;
    if (words[k] == static_cast<unsigned>(source)) continue;
    atomicAdd(&found[0], 1ull);
    atomicMin(&found[1], static_cast<unsigned long long>(k));
  }
}

/// The benchmark of copies and transposes.
class MatrixBenchmark : public Benchmark {
 public:
  MatrixBenchmark(Move move, const Settings& settings, std::size_t buffers)
      : is_transposed_(move == Move::transpose),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        block_(settings.block),
        buffers_(buffers),
        inputs_(stride() * buffers),
        outputs_(stride() * buffers) {
    for (const auto& [name, value] : settings.options) {
      if (value != 0.0)
        throw std::invalid_argument("--" + name + " is not for the benchmark, whose matrices have no gaps");
    }
    restore();
  }

  const std::vector<Peer>& peers() const override { return peers_; }

  void launch(std::size_t turn) override {
    const std::size_t output_rows = is_transposed_ ? columns_ : rows_,
                      output_columns = is_transposed_ ? rows_ : columns_;
    move({input(turn), rows_, columns_, columns_}, {output(turn), output_rows, output_columns, output_columns}, block_);
  }

  // A copy is judged as a copy, also where it is the yardstick for a transpose.
  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    for (const Peer& peer : peers_) {
      if (!peer.missing.empty()) continue;
      result.peers.push_back(judged([&] { peer.launch(turn); }, turn, is_transposed_ && peer.name != kCopy));
    }
    result.stage = judged([&] { launch(turn); }, turn, is_transposed_);
    return result;
  }

  bool is_changed(std::size_t turn) override { return wrong_in(words(inputs_, turn), false).first > 0; }

  void restore() override {
    for (std::size_t turn = 0; turn < buffers_; ++turn) {
      fill_with_numbers<<<kBlocks, kThreads>>>(words(inputs_, turn), size());
      CUDA_CHECK(cudaGetLastError());
    }
  }

 protected:
  /// The stage's launches.
  virtual void move(ConstMatrix input, Matrix output, dim3 block) = 0;

  void add_peer(Peer peer) { peers_.push_back(std::move(peer)); }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t size() const { return rows_ * columns_; }
  const float* input(std::size_t turn) const { return inputs_.data() + turn * stride(); }
  float* output(std::size_t turn) const { return outputs_.data() + turn * stride(); }

  /// The time of a copy in the device's memory, for any data: the ceiling for a transpose, too.
  Peer copy_peer() {
    return {kCopy, "", [this](std::size_t turn) {
              CUDA_CHECK(cudaMemcpyAsync(output(turn), input(turn), size() * sizeof(float), cudaMemcpyDeviceToDevice));
            }};
  }

 private:
  static constexpr unsigned kBlocks = 1024, kThreads = 256;
  static constexpr const char* kCopy = "cudaMemcpyAsync";

  // The start of each matrix is at a multiple of 256 bytes, like memory from cudaMalloc.
  std::size_t stride() const { return (rows_ * columns_ + 63) / 64 * 64; }
  unsigned* words(const DeviceArray<float>& array, std::size_t turn) const {
    return reinterpret_cast<unsigned*>(array.data() + turn * stride());
  }

  // The number of wrong words, and the first of them.
  std::pair<unsigned long long, unsigned long long> wrong_in(const unsigned* words, bool is_transposed) const {
    DeviceArray<unsigned long long> found(2);
    const unsigned long long none[2] = {0, ~0ull};
    CUDA_CHECK(cudaMemcpy(found.data(), none, sizeof none, cudaMemcpyHostToDevice));
    find_wrong<<<kBlocks, kThreads>>>(words, is_transposed ? columns_ : rows_, is_transposed ? rows_ : columns_,
                                      is_transposed, found.data());
    CUDA_CHECK(cudaGetLastError());
    return {read_back(found.data()), read_back(found.data() + 1)};
  }

  template <typename Launch>
  Verdict judged(Launch launch, std::size_t turn, bool is_transposed) {
    CUDA_CHECK(cudaMemset(output(turn), 0xFF, size() * sizeof(float)));
    launch();
    const auto [count, first] = wrong_in(words(outputs_, turn), is_transposed);
    Verdict verdict;
    verdict.matches = count == 0;
    if (count > 0) {
      verdict.error = static_cast<double>(count);
      verdict.reason = std::to_string(count) + " of " + std::to_string(size()) + " elements are wrong, the first at " +
                       std::to_string(first) + " of the output";
    }
    return verdict;
  }

  bool is_transposed_;
  std::size_t rows_;
  std::size_t columns_;
  dim3 block_;
  std::size_t buffers_;
  DeviceArray<float> inputs_;
  DeviceArray<float> outputs_;
  std::vector<Peer> peers_;
};

}  // namespace workbook
