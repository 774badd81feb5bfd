// SPDX-License-Identifier: MIT
// Searches of a sorted table against Thrust's. Another peer copies the queries from the host and the places back to it.
// The device makes tables and queries, and judges every place by the keys on its two sides.
#include <thrust/binary_search.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/version.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/cub_peer.h"
#include "workbook/case/device_memory.h"
#include "workbook/problem/searches/binary_search/bench/search_benchmark.h"

namespace workbook {
namespace {

__global__ void make_table(std::uint32_t* keys, std::size_t n, KeyType type, std::uint32_t seed) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    keys[i] = key_of(spread_ordinal(i, n, 0, seed), type);
  }
}

__global__ void make_queries(std::uint32_t* queries, std::size_t m, std::uint32_t seed) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; j < m; j += step) {
    queries[j] = mixed_bits(seed, j);
  }
}

/// A place is right where the key before it is before the query, and the key behind it is not. Here found[0] is the
/// number of wrong places, and found[1] is the smallest of them.
__global__ void find_wrong_places(Search search, unsigned long long* found) {
  const auto is_key_in_front = [&search](std::uint32_t place, std::uint32_t query) {
    const std::uint32_t key = ordinal_of(search.keys[place], search.type);
    return search.bound == Bound::lower ? key < query : key <= query;
  };
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; j < search.m; j += step) {
    const std::uint32_t query = ordinal_of(search.queries[j], search.type), place = search.places[j];
    if (place <= search.n && (place == 0 || is_key_in_front(place - 1, query)) &&
        (place == search.n || !is_key_in_front(place, query))) {
      continue;
    }
    atomicAdd(&found[0], 1ull);
    atomicMin(&found[1], static_cast<unsigned long long>(j));
  }
}

/// The least work of any search: a word read, the key at the place, and the place written. Here the places are known.
__global__ void look_at_places(Search search, const std::uint32_t* known) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; j < search.m; j += step) {
    const std::uint32_t place = known[j];
    static_cast<void>(static_cast<const volatile std::uint32_t*>(search.keys)[min(place, search.n - 1)]);
    search.places[j] = place;
  }
}

/// The comparison function of keys, for Thrust.
struct ComesBefore {
  KeyType type;
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return ordinal_of(a, type) < ordinal_of(b, type);
  }
};

/// Host memory that copies reach without an intermediate copy (pinned).
class PinnedWords {
 public:
  explicit PinnedWords(std::size_t size) {
    CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(std::uint32_t)));
  }
  ~PinnedWords() { cudaFreeHost(data_); }
  PinnedWords(const PinnedWords&) = delete;
  PinnedWords& operator=(const PinnedWords&) = delete;
  std::uint32_t* data() const { return data_; }

 private:
  std::uint32_t* data_ = nullptr;
};

/// The benchmark of searches against Thrust.
class SearchBenchmark final : public Benchmark {
 public:
  SearchBenchmark(const SearchForm& form, const Settings& settings, std::size_t buffers)
      : form_(form),
        type_(settings.choice<KeyType>("type")),
        bound_(settings.choice<Bound>("bound")),
        n_(settings.sizes[0]),
        m_(settings.sizes[1]),
        seed_(settings.seed),
        block_size_(settings.block.x),
        buffers_(buffers),
        keys_(stride(n_) * buffers),
        queries_(stride(m_) * buffers),
        places_(stride(m_) * buffers),
        known_places_(stride(m_) * buffers),
        workspace_(form.has_workspace() ? search_workspace_size(n_, m_) : 0),
        host_queries_(m_),
        host_places_(m_),
        found_(2) {
    for (const char* const option : {"keys", "queries", "zeros", "misalign", "misalign-other"}) {
      if (settings.options.at(option) != 0.0) {
        throw std::invalid_argument("--" + std::string(option) +
                                    " is not for the benchmark, which makes its own table");
      }
    }
    restore();
    const std::string name = bound_ == Bound::lower ? "thrust::lower_bound, Thrust " : "thrust::upper_bound, Thrust ";
    peers_.push_back({name + std::to_string(THRUST_MAJOR_VERSION) + "." + std::to_string(THRUST_MINOR_VERSION) + "." +
                          std::to_string(THRUST_SUBMINOR_VERSION),
                      "", [this](std::size_t turn) { search_by_thrust(turn); }, cub_tuned_for()});
    peers_.push_back({"looking at known places, without a search", "", [this](std::size_t turn) { look(turn); }});
    peers_.push_back({"the stage with its copies, queries from the host and places back to it", "",
                      [this](std::size_t turn) { search_with_copies(turn); }});
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override { form_.call(search(turn), workspace_.data(), block_size_, nullptr); }

  BenchCheck check(std::size_t turn) override {
    BenchCheck result;
    for (const Peer& peer : peers_) result.peers.push_back(judged([&] { peer.launch(turn); }, turn));
    result.stage = judged([&] { launch(turn); }, turn);
    return result;
  }

  // A check after a search would not find what that search has changed. So this makes the first input again.
  bool is_changed(std::size_t turn) override {
    DeviceArray<std::uint32_t> keys(n_), queries(m_);
    make(turn, keys.data(), queries.data());
    return !is_same(keys.data(), search(turn).keys, n_) || !is_same(queries.data(), search(turn).queries, m_);
  }
  void restore() override {
    for (std::size_t turn = 0; turn < buffers_; ++turn) {
      make(turn, keys_.data() + turn * stride(n_), queries_.data() + turn * stride(m_));
      search_by_thrust(turn);
      CUDA_CHECK(cudaMemcpy(known_places_.data() + turn * stride(m_), search(turn).places, m_ * sizeof(std::uint32_t),
                            cudaMemcpyDeviceToDevice));
    }
    CUDA_CHECK(cudaMemcpy(host_queries_.data(), queries_.data(), m_ * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
  }

 private:
  static constexpr unsigned kBlocks = 1024, kThreads = 256;

  static std::size_t stride(std::size_t words) { return input_stride_bytes(words * 4) / 4; }

  Search search(std::size_t turn) const {
    return {type_,
            bound_,
            keys_.data() + turn * stride(n_),
            static_cast<std::uint32_t>(n_),
            queries_.data() + turn * stride(m_),
            static_cast<std::uint32_t>(m_),
            places_.data() + turn * stride(m_)};
  }

  // The queries are the same in all inputs: those of the host.
  void make(std::size_t turn, std::uint32_t* keys, std::uint32_t* queries) const {
    make_table<<<kBlocks, kThreads>>>(keys, n_, type_, seed_ + static_cast<std::uint32_t>(turn));
    make_queries<<<kBlocks, kThreads>>>(queries, m_, seed_);
    CUDA_CHECK(cudaGetLastError());
    if (form_.has_sorted_queries) thrust::sort(thrust::device, queries, queries + m_, ComesBefore{type_});
  }

  static bool is_same(const std::uint32_t* one, const std::uint32_t* other, std::size_t count) {
    return thrust::equal(thrust::device, one, one + count, other);
  }

  void search_by_thrust(std::size_t turn) const {
    const Search s = search(turn);
    const auto policy = thrust::cuda::par_nosync;  // as in the stage, nothing waits for the device
    const ComesBefore comes_before{type_};
    if (bound_ == Bound::upper) {
      thrust::upper_bound(policy, s.keys, s.keys + s.n, s.queries, s.queries + s.m, s.places, comes_before);
    } else if (type_ == KeyType::unsigned_ints) {
      thrust::lower_bound(policy, s.keys, s.keys + s.n, s.queries, s.queries + s.m, s.places);
    } else {
      thrust::lower_bound(policy, s.keys, s.keys + s.n, s.queries, s.queries + s.m, s.places, comes_before);
    }
  }

  void look(std::size_t turn) {
    constexpr std::size_t kMostBlocks = std::size_t{1} << 16;
    const auto blocks = static_cast<unsigned>(std::min(kMostBlocks, (m_ + kThreads - 1) / kThreads));
    look_at_places<<<blocks, kThreads>>>(search(turn), known_places_.data() + turn * stride(m_));
    CUDA_CHECK(cudaGetLastError());
  }

  void search_with_copies(std::size_t turn) {
    const Search s = search(turn);
    const std::size_t bytes = m_ * sizeof(std::uint32_t);
    CUDA_CHECK(cudaMemcpyAsync(queries_.data() + turn * stride(m_), host_queries_.data(), bytes, cudaMemcpyHostToDevice,
                               nullptr));
    launch(turn);
    CUDA_CHECK(cudaMemcpyAsync(host_places_.data(), s.places, bytes, cudaMemcpyDeviceToHost, nullptr));
  }

  template <typename Launch>
  Verdict judged(Launch launch, std::size_t turn) {
    CUDA_CHECK(cudaMemset(search(turn).places, 0xFF, m_ * sizeof(std::uint32_t)));
    CUDA_CHECK(cudaMemset(found_.data(), 0, sizeof(unsigned long long)));
    CUDA_CHECK(cudaMemset(found_.data() + 1, 0xFF, sizeof(unsigned long long)));
    launch();
    find_wrong_places<<<kBlocks, kThreads>>>(search(turn), found_.data());
    CUDA_CHECK(cudaGetLastError());
    const std::vector<unsigned long long> found = read_back(found_.data(), 2, nullptr);
    Verdict verdict;
    verdict.elements = m_;
    verdict.wrong = found[0];
    verdict.matches = found[0] == 0;
    if (!verdict.matches) {
      verdict.reason = std::to_string(found[0]) + " of " + std::to_string(m_) +
                       " places are wrong; the first is element " + std::to_string(found[1]);
    }
    return verdict;
  }

  SearchForm form_;
  KeyType type_;
  Bound bound_;
  std::size_t n_, m_;
  std::uint32_t seed_;
  unsigned block_size_;
  std::size_t buffers_;
  DeviceArray<std::uint32_t> keys_, queries_, places_, known_places_, workspace_;
  PinnedWords host_queries_, host_places_;
  DeviceArray<unsigned long long> found_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_search_benchmark(const SearchForm& form, const Settings& settings,
                                                 std::size_t buffers) {
  return std::make_unique<SearchBenchmark>(form, settings, buffers);
}

}  // namespace workbook
