// SPDX-License-Identifier: MIT
// The indices of all hits of a key against cub::DeviceSelect. `If` selects indices and looks up the key of each, or it
// selects the keys themselves. That is less work, because it does not give their places. `FlaggedIf` selects indices by
// the keys as flags.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peer: the stage's launches have none.
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "workbook/bench/cub_peer.h"
#include "workbook/problem/searches/find/bench/find_benchmark.h"

namespace workbook {
namespace {

/// Counts wrong indices: no hit, or not above the one before.
template <typename T>
__global__ void count_wrong(const T* keys, std::size_t n, T x, const unsigned* indices, std::size_t count,
                            unsigned* wrong) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const bool is_right = indices[i] < n && keys[indices[i]] == x && (i == 0 || indices[i - 1] < indices[i]);
    if (!is_right) atomicAdd(wrong, 1u);
  }
}

template <typename T>
struct IsHit {
  T x;
  __host__ __device__ bool operator()(T key) const { return key == x; }
};
template <typename T>
struct IsIndexOfHit {
  const T* keys;
  T x;
  __host__ __device__ bool operator()(unsigned i) const { return keys[i] == x; }
};

constexpr bool kHasFlaggedIf = CUB_VERSION >= 200500;

template <typename T>
class FindAllBenchmark final : public KeysBenchmark<T> {
 public:
  FindAllBenchmark(const Settings& settings, std::size_t buffers)
      : KeysBenchmark<T>(settings, buffers),
        n_for_peer_(size_for_peer(settings)),
        capacity_(largest_count()),
        indices_(stride() * buffers),
        count_(1),
        numbers_(find_all_numbers(this->n())),
        storage_(std::max({bytes_of_indices(), bytes_of_keys(), bytes_of_flagged()})) {
    numbers_.fill(0);
    this->add_peer({"cub::DeviceSelect::If of indices, " + cub_version(), "",
                    [this](std::size_t turn) { select_indices(turn); }, cub_tuned_for()});
    this->add_peer({"cub::DeviceSelect::If of keys, " + cub_version(), "",
                    [this](std::size_t turn) { select_keys(turn); }, cub_tuned_for()});
    this->add_peer({"cub::DeviceSelect::FlaggedIf of indices, " + cub_version(),
                    kHasFlaggedIf ? "" : "it came with CUB 2.5", [this](std::size_t turn) { select_flagged(turn); },
                    cub_tuned_for()});
  }

  void launch(std::size_t turn) override {
    find_all_on_device(this->keys(turn), this->n(), this->x(), {indices(turn), capacity_, count_.data()},
                       this->block_size(), {numbers_.data(), nullptr});
  }

  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    const std::size_t count = this->known(turn).count;
    result.peers.push_back(judged([&] { select_indices(turn); }, turn, count, true));
    result.peers.push_back(judged([&] { select_keys(turn); }, turn, count, false));
    if (kHasFlaggedIf) result.peers.push_back(judged([&] { select_flagged(turn); }, turn, count, true));
    result.stage = judged([&] { launch(turn); }, turn, count, true);
    return result;
  }

 private:
  std::size_t largest_count() const {
    std::size_t largest = 0;
    for (std::size_t turn = 0; turn < this->buffers(); ++turn) largest = std::max(largest, this->known(turn).count);
    return largest;
  }

  // The start of each output is at a multiple of 256 bytes, like memory from cudaMalloc.
  std::size_t stride() const { return (capacity_ + 63) / 64 * 64; }
  unsigned* indices(std::size_t turn) const { return indices_.data() + turn * stride(); }

  template <typename Launch>
  Verdict judged(Launch launch, std::size_t turn, std::size_t count, bool are_indices) {
    DeviceArray<unsigned> wrong(1);
    wrong.fill(0);
    count_.fill(0xFF);
    if (capacity_ > 0) CUDA_CHECK(cudaMemset(indices(turn), 0xFF, capacity_ * sizeof(unsigned)));
    launch();
    Verdict verdict;
    const unsigned got = read_back(count_.data());
    if (got == count && are_indices) {
      count_wrong<<<1024, 256>>>(this->keys(turn), this->n(), this->x(), indices(turn), count, wrong.data());
      CUDA_CHECK(cudaGetLastError());
    }
    const unsigned misplaced = read_back(wrong.data());
    verdict.matches = got == count && misplaced == 0;
    if (verdict.matches) return verdict;
    verdict.error = got == count ? misplaced : std::abs(static_cast<double>(got) - static_cast<double>(count));
    verdict.reason = got == count
                         ? std::to_string(misplaced) + " of " + std::to_string(count) + " indices are wrong"
                         : "the count is " + std::to_string(got) + ", and there are " + std::to_string(count) + " hits";
    return verdict;
  }

  cudaError_t select_indices(void* storage, std::size_t& bytes, std::size_t turn) {
    return cub::DeviceSelect::If(storage, bytes, thrust::counting_iterator<unsigned>(0), indices(turn), count_.data(),
                                 n_for_peer_, IsIndexOfHit<T>{this->keys(turn), this->x()});
  }
  cudaError_t select_keys(void* storage, std::size_t& bytes, std::size_t turn) {
    return cub::DeviceSelect::If(storage, bytes, this->keys(turn), reinterpret_cast<T*>(indices(turn)), count_.data(),
                                 n_for_peer_, IsHit<T>{this->x()});
  }
  std::size_t bytes_of_indices() {
    std::size_t bytes = 0;
    CUDA_CHECK(select_indices(nullptr, bytes, 0));
    return bytes;
  }
  std::size_t bytes_of_keys() {
    std::size_t bytes = 0;
    CUDA_CHECK(select_keys(nullptr, bytes, 0));
    return bytes;
  }
  // The keys are the flags, which CUB loads by tiles, and the places are what it selects.
  cudaError_t select_flagged(void* storage, std::size_t& bytes, std::size_t turn) {
#if CUB_VERSION >= 200500
    return cub::DeviceSelect::FlaggedIf(storage, bytes, thrust::counting_iterator<unsigned>(0), this->keys(turn),
                                        indices(turn), count_.data(), n_for_peer_, IsHit<T>{this->x()});
#else
    (void)storage, (void)turn;
    bytes = 0;
    return cudaErrorNotSupported;
#endif
  }
  std::size_t bytes_of_flagged() {
    std::size_t bytes = 0;
    if (kHasFlaggedIf) CUDA_CHECK(select_flagged(nullptr, bytes, 0));
    return bytes;
  }
  void select_flagged(std::size_t turn) {
    std::size_t bytes = storage_.size();
    CUDA_CHECK(select_flagged(storage_.data(), bytes, turn));
  }
  void select_indices(std::size_t turn) {
    std::size_t bytes = storage_.size();
    CUDA_CHECK(select_indices(storage_.data(), bytes, turn));
  }
  void select_keys(std::size_t turn) {
    std::size_t bytes = storage_.size();
    CUDA_CHECK(select_keys(storage_.data(), bytes, turn));
  }

  int n_for_peer_;
  std::size_t capacity_;
  DeviceArray<unsigned> indices_;
  DeviceArray<unsigned> count_;
  DeviceArray<unsigned> numbers_;
  DeviceArray<char> storage_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return with_type(FindChoice(settings).type, [&](auto zero) -> std::unique_ptr<Benchmark> {
    return std::make_unique<FindAllBenchmark<decltype(zero)>>(settings, buffers);
  });
}

}  // namespace workbook
