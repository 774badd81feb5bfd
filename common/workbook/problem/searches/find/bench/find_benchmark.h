// SPDX-License-Identifier: MIT
// Keys on the device with known hits, for a search. It is for .cu files, which add the stage's launches and the peers.
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/problem/searches/find/find_problem.h"

namespace workbook {

/// found[0]: the smallest index of a key that is x; found[1]: the number of such keys. Both are 0 or all ones before.
template <typename T>
__global__ void look_at_all(const T* keys, std::size_t n, T x, unsigned long long* found) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long count = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    if (!(keys[i] == x)) continue;
    if (count++ == 0) atomicMin(&found[0], static_cast<unsigned long long>(i));
  }
  if (count > 0) atomicAdd(&found[1], count);
}

/// The base class of benchmarks with known hits. Its input is a sequence that repeats. It gets the single hits of one,
/// middle, two and ends at their places.
template <typename T>
class KeysBenchmark : public Benchmark {
 public:
  KeysBenchmark(const Settings& settings, std::size_t buffers)
      : choice_(settings),
        n_(settings.size()),
        block_size_(settings.block.x),
        buffers_(buffers),
        seed_(settings.seed),
        x_(wanted_key<T>(choice_.wanted, settings.seed)),
        inputs_(period(), n_, buffers) {
    if (choice_.misalign > 0 || choice_.calls > 1 || choice_.room < 1.0) {
      throw std::invalid_argument("--misalign, --calls and --room are not for the benchmark");
    }
    put_singles(x_);
  }

  const std::vector<Peer>& peers() const override { return peers_; }

  bool is_changed(std::size_t turn) override {
    // The comparison uses the sequence without them.
    put_singles(kept_key_);
    const bool changed = inputs_.is_changed(turn);
    put_singles(x_);
    return changed;
  }
  void restore() override {
    inputs_.restore();
    put_singles(x_);
  }

 protected:
  void add_peer(Peer peer) { peers_.push_back(std::move(peer)); }
  std::size_t n() const { return n_; }
  unsigned block_size() const { return block_size_; }
  std::size_t buffers() const { return buffers_; }
  T x() const { return x_; }
  const T* keys(std::size_t turn) const { return inputs_.input(turn); }

  struct Known {
    std::size_t first = 0;  ///< n where there is none
    std::size_t count = 0;
  };
  Known known(std::size_t turn) const {
    DeviceArray<unsigned long long> found(2);
    const unsigned long long before[2] = {kNoHit, 0};
    CUDA_CHECK(cudaMemcpy(found.data(), before, sizeof before, cudaMemcpyHostToDevice));
    look_at_all<<<1024, 256>>>(keys(turn), n_, x_, found.data());
    CUDA_CHECK(cudaGetLastError());
    return {std::min<std::size_t>(n_, read_back(found.data())), read_back(found.data() + 1)};
  }

 private:
  using Inputs = BenchInputs<T>;

  bool has_singles() const {
    return choice_.places == Places::one || choice_.places == Places::middle || choice_.places == Places::two ||
           choice_.places == Places::ends;
  }

  std::vector<T> period() {
    const std::size_t size = period_size(Inputs::total_size(n_, buffers_));
    std::vector<T> keys = make_keys<T>(has_singles() ? Places::none : choice_.places, x_, size, 0, seed_);
    if (!has_singles()) return keys;
    // The place of a hit has the same key in all inputs.
    kept_key_ = keys[0];
    for (std::size_t turn = 0; turn < buffers_; ++turn) {
      for (const std::size_t i : singles()) keys[(turn * Inputs::stride(n_) + i) % size] = kept_key_;
    }
    return keys;
  }

  std::vector<std::size_t> singles() const {
    if (!has_singles()) return {};
    if (choice_.places == Places::middle) return {n_ / 2};
    const std::size_t first = std::min(choice_.at, n_ - 1);
    if (choice_.places == Places::one) return {first};
    const std::size_t other = choice_.places == Places::ends ? n_ : first + second_hit_behind(seed_);
    return {first, std::min(other, n_ - 1)};
  }

  void put_singles(T key) {
    for (std::size_t turn = 0; turn < buffers_; ++turn) {
      for (const std::size_t i : singles()) {
        CUDA_CHECK(cudaMemcpy(inputs_.input(turn) + i, &key, sizeof key, cudaMemcpyHostToDevice));
      }
    }
  }

  FindChoice choice_;
  std::size_t n_;
  unsigned block_size_;
  std::size_t buffers_;
  std::uint32_t seed_;
  T x_;
  T kept_key_{};
  Inputs inputs_;
  std::vector<Peer> peers_;
};

}  // namespace workbook
