// SPDX-License-Identifier: MIT
// Sorts against cub::DeviceMergeSort, which compares keys as these stages do, and cub::DeviceRadixSort, which does not.
// The device makes the inputs and judges the results: their order, and all keys by two hashes. It checks each value by
// its key and its place.
#define CCCL_DISABLE_NVTX  // No NVTX ranges of the peers: the stage's launches have none
#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <stdexcept>
#include <string>
#include <utility>

#include "workbook/bench/benchmark.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/case/device_memory.h"
#include "workbook/case/stage.h"
#include "workbook/problem/sorts/sort/sort_problem.h"

namespace workbook {
namespace {

constexpr unsigned kBlocks = 1024, kThreads = 256;

__device__ std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
  return word ^ (word >> 31);
}

struct Checksums {
  unsigned long long sum, hash;        // Over all keys: the same before and after.
  unsigned long long falls;            // Keys behind a larger one.
  unsigned long long moved;            // Values without their key.
  unsigned long long places;           // The sum of the mixed values: that of 0 to n - 1, or some are lost.
  unsigned long long falls_of_places;  // The same for the places of equal keys.
};

__global__ void fill(std::uint32_t* keys, std::size_t n, Keys what, KeyType type, std::uint32_t seed) {
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += std::size_t{kBlocks} * kThreads) {
    keys[i] = make_key(what, type, i, n, seed);
  }
}

__global__ void number(std::uint32_t* values, std::size_t n) {
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += std::size_t{kBlocks} * kThreads) {
    values[i] = static_cast<std::uint32_t>(i);
  }
}

// The argument `source`: the keys before the sort.
__global__ void count(ConstRecords records, const std::uint32_t* source, std::size_t n, KeyType type,
                      Checksums* checksums) {
  Checksums mine{};
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += std::size_t{kBlocks} * kThreads) {
    const std::uint32_t key = records.keys[i];
    mine.sum += key;
    mine.hash += mixed(key + 1ull);
    const bool has_next = i + 1 < n;
    if (has_next && ordinal_of(records.keys[i + 1], type) < ordinal_of(key, type)) ++mine.falls;
    if (records.values == nullptr) continue;
    const std::uint32_t value = records.values[i];
    mine.places += mixed(value + 1ull);
    if (value >= n || source[value] != key) ++mine.moved;
    if (has_next && records.keys[i + 1] == key && records.values[i + 1] < value) ++mine.falls_of_places;
  }
  atomicAdd(&checksums->sum, mine.sum);
  atomicAdd(&checksums->hash, mine.hash);
  atomicAdd(&checksums->falls, mine.falls);
  atomicAdd(&checksums->moved, mine.moved);
  atomicAdd(&checksums->places, mine.places);
  atomicAdd(&checksums->falls_of_places, mine.falls_of_places);
}

__global__ void compare(const std::uint32_t* keys, std::size_t n, Keys what, KeyType type, std::uint32_t seed,
                        unsigned* differs) {
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += std::size_t{kBlocks} * kThreads) {
    if (keys[i] != make_key(what, type, i, n, seed)) atomicOr(differs, 1u);
  }
}

enum class Library { merge, radix };

// Whether the stage compares no keys, either.
bool is_radix_sort(const Stage& stage) { return std::string(stage.title).find("radix") != std::string::npos; }

// Asks for the storage size where there is no storage, as CUB's functions do.
template <typename Key>
cudaError_t sort_by_cub(Library library, void* storage, std::size_t& bytes, ConstRecords input, Records output, int n) {
  const auto* const in = reinterpret_cast<const Key*>(input.keys);
  auto* const out = reinterpret_cast<Key*>(output.keys);
  if (library == Library::merge) {
    if (input.values == nullptr)
      return cub::DeviceMergeSort::SortKeysCopy(storage, bytes, in, out, n, cuda::std::less<>());
    return cub::DeviceMergeSort::SortPairsCopy(storage, bytes, in, input.values, out, output.values, n,
                                               cuda::std::less<>());
  }
  if (input.values == nullptr) return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
  return cub::DeviceRadixSort::SortPairs(storage, bytes, in, out, input.values, output.values, n);
}

cudaError_t sort_by_cub(Library library, KeyType type, void* storage, std::size_t& bytes, ConstRecords input,
                        Records output, int n) {
  switch (type) {
    case KeyType::unsigned_ints:
      return sort_by_cub<std::uint32_t>(library, storage, bytes, input, output, n);
    case KeyType::signed_ints:
      return sort_by_cub<std::int32_t>(library, storage, bytes, input, output, n);
    case KeyType::floats:
      break;
  }
  return sort_by_cub<float>(library, storage, bytes, input, output, n);
}

class SortBenchmark final : public Benchmark {
 public:
  SortBenchmark(const Settings& settings, std::size_t buffers)
      : settings_(settings),
        choice_(settings),
        n_(settings.size()),
        count_(size_for_peer(settings)),
        buffers_(buffers),
        keys_(stride() * buffers),
        sorted_keys_(keys_.size()),
        values_(has_values() ? n_ : 0),
        sorted_values_(has_values() ? keys_.size() : 0),
        workspace_keys_(n_),
        workspace_values_(values_.size()),
        storage_(sort_storage_bytes(n_)),
        library_storage_(library_storage_bytes()),
        checksums_(1) {
    if (choice_.misalign > 0 || choice_.output_misalign > 0 || choice_.calls > 1) {
      throw std::invalid_argument("--misalign, --output-misalign and --calls are not for the benchmark");
    }
    if (choice_.values == Values::from_end) throw std::invalid_argument("--values from-end is not for the benchmark");
    const Keys keys = choice_.keys;
    const bool has_nan = keys == Keys::special || keys == Keys::extremes || keys == Keys::padding;
    if (has_nan && choice_.type == KeyType::floats) {
      throw std::invalid_argument(std::string("--distribution ") + name_of(keys) +
                                  " of floats is not for the benchmark: it has NaN, for which the peers have no order");
    }
    if (n_ > 0 && has_values()) {
      number<<<kBlocks, kThreads>>>(values_.data(), n_);
      CUDA_CHECK(cudaGetLastError());
    }
    peers_ = {peer("cub::DeviceMergeSort", Library::merge), peer("cub::DeviceRadixSort", Library::radix)};
    if (is_radix_sort(this_stage())) std::swap(peers_[0], peers_[1]);  // tables compare with the first
    restore();
  }

  const std::vector<Peer>& peers() const override { return peers_; }

  void launch(std::size_t turn) override {
    sort_on_device(choice_.type, input(turn), output(turn), n_,
                   {{workspace_keys_.data(), workspace_values_.data()}, storage_.data()}, settings_.block.x, nullptr);
  }

  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    for (const Peer& peer : peers_) result.peers.push_back(judged([&] { peer.launch(turn); }, turn, false));
    result.stage = judged([&] { launch(turn); }, turn, promise().is_stable);
    return result;
  }

  bool is_changed(std::size_t turn) override {
    DeviceArray<unsigned> flag(1);
    flag.fill(0);
    compare<<<kBlocks, kThreads>>>(keys(turn), n_, choice_.keys, choice_.type, seed(turn), flag.data());
    CUDA_CHECK(cudaGetLastError());
    return read_back(flag.data()) != 0;
  }

  void restore() override {
    for (std::size_t turn = 0; turn < buffers_; ++turn) {
      fill<<<kBlocks, kThreads>>>(keys(turn), n_, choice_.keys, choice_.type, seed(turn));
      CUDA_CHECK(cudaGetLastError());
    }
  }

 private:
  bool has_values() const { return choice_.values != Values::none; }
  std::size_t stride() const { return (n_ + 63) / 64 * 64; }  // at multiples of 256 bytes, like memory from cudaMalloc
  std::uint32_t* keys(std::size_t turn) const { return keys_.data() + turn * stride(); }
  std::uint32_t seed(std::size_t turn) const { return settings_.seed + static_cast<std::uint32_t>(turn); }
  // The values never change, and are the same for all inputs.
  ConstRecords input(std::size_t turn) const { return {keys(turn), values_.data()}; }
  Records output(std::size_t turn) const {
    const std::size_t at = turn * stride();
    return {sorted_keys_.data() + at, has_values() ? sorted_values_.data() + at : nullptr};
  }

  Peer peer(const char* name, Library library) {
    return {std::string(name) + ", " + cub_version(), "",
            [this, library](std::size_t turn) {
              std::size_t bytes = library_storage_.size();
              CUDA_CHECK(sort_by_cub(library, choice_.type, library_storage_.data(), bytes, input(turn), output(turn),
                                     count_));
            },
            cub_tuned_for()};
  }

  std::size_t library_storage_bytes() {
    std::size_t merge = 0, radix = 0;
    CUDA_CHECK(sort_by_cub(Library::merge, choice_.type, nullptr, merge, input(0), output(0), count_));
    CUDA_CHECK(sort_by_cub(Library::radix, choice_.type, nullptr, radix, input(0), output(0), count_));
    return std::max(merge, radix);
  }

  Checksums counted(ConstRecords records, const std::uint32_t* source) {
    checksums_.fill(0);
    count<<<kBlocks, kThreads>>>(records, source, n_, choice_.type, checksums_.data());
    CUDA_CHECK(cudaGetLastError());
    return read_back(checksums_.data());
  }

  static const SortPromise& promise() { return dynamic_cast<const SortProblem&>(this_problem()).promise(); }

  template <typename Launch>
  Verdict judged(Launch launch, std::size_t turn, bool is_stable) {
    const Records out = output(turn);
    CUDA_CHECK(cudaMemset(out.keys, 0xFF, n_ * sizeof *out.keys));
    if (out.values != nullptr) CUDA_CHECK(cudaMemset(out.values, 0xFF, n_ * sizeof *out.values));
    launch();
    const Checksums before = counted(input(turn), keys(turn)), after = counted({out.keys, out.values}, keys(turn));
    Verdict verdict;
    verdict.elements = n_;
    if (after.sum != before.sum || after.hash != before.hash) {
      verdict.reason = "the keys are not those of the input: some are lost, and others doubled";
    } else if (after.falls > 0) {
      verdict.reason = "not in order: " + std::to_string(after.falls) + " keys stand behind a larger one";
    } else if (after.moved > 0) {
      verdict.reason = std::to_string(after.moved) + " values are not their key's";
    } else if (after.places != before.places) {
      verdict.reason = "values are lost, and others doubled";
    } else if (is_stable && after.falls_of_places > 0) {
      verdict.reason = std::to_string(after.falls_of_places) + " records with the same key have changed places";
    }
    verdict.matches = verdict.reason.empty();
    verdict.error = static_cast<double>(after.falls + after.moved);
    return verdict;
  }

  Settings settings_;
  SortChoice choice_;
  std::size_t n_;
  int count_;
  std::size_t buffers_;
  DeviceArray<std::uint32_t> keys_, sorted_keys_, values_, sorted_values_, workspace_keys_, workspace_values_;
  DeviceArray<unsigned char> storage_, library_storage_;
  DeviceArray<Checksums> checksums_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<SortBenchmark>(settings, buffers);
}

}  // namespace workbook
