// SPDX-License-Identifier: MIT
// An array of the host in pieces, beside what its parts take: one after the other, the copies alone, the kernel alone.
// Nothing is faster than the slower one of copies and kernel.
#include <cstring>
#include <stdexcept>

#include "workbook/bench/benchmark.h"
#include "workbook/case/device_memory.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/streams/pieces/pieces_problem.h"

namespace workbook {
namespace {

__global__ void advance_all(State* states, std::size_t n, unsigned rounds) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  State state = states[i];
  for (unsigned round = 0; round < rounds; ++round) state = next_state(state);
  states[i] = state;
}

class PiecesBenchmark final : public Benchmark {
 public:
  PiecesBenchmark(const PiecesFunctions& functions, const Settings& settings)
      : n_(settings.size()),
        rounds_(settings.choice<unsigned>("rounds")),
        numbers_(make_states(n_, settings.seed)),
        input_(functions, n_),
        output_(functions, n_),
        lanes_(nullptr),
        processing_(functions),
        in_(n_),
        out_(n_) {
    if (n_ == 0) throw std::invalid_argument("an array without states is not for the benchmark");
    const std::size_t piece = piece_of(settings);
    Job& job = lanes_.job();
    job.input = input_.data();
    job.output = output_.data();
    job.n = n_;
    job.piece = piece;
    job.rounds = rounds_;
    job.block_size = settings.block.x;
    for (Lane& lane : job.lanes) {
      memories_.emplace_back(piece);
      lane.memory = memories_.back().data();
    }
    restore();
    CUDA_CHECK(cudaMemcpy(out_.data(), numbers_.data(), bytes(), cudaMemcpyHostToDevice));
    processing_.make(job);
    peers_ = {{"one after the other", "", [this](std::size_t) { one_after_the_other(); }},
              {"the copies alone, both ways at once", "", [this](std::size_t) { copies(); }},
              {"the kernel alone", "", [this](std::size_t) { kernel(); }}};
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t /*turn*/) override { processing_.launch(lanes_.job()); }

  BenchCheck check(std::size_t /*turn*/) override {
    const std::vector<State> wanted = reference_states(numbers_, rounds_);
    BenchCheck result;
    one_after_the_other();
    result.peers.push_back(judged(wanted));
    CUDA_CHECK(cudaMemcpy(out_.data(), numbers_.data(), bytes(), cudaMemcpyHostToDevice));
    copies();
    result.peers.push_back(judged(numbers_));
    CUDA_CHECK(cudaMemcpy(in_.data(), numbers_.data(), bytes(), cudaMemcpyHostToDevice));
    kernel();
    CUDA_CHECK(cudaMemcpy(output_.data(), in_.data(), bytes(), cudaMemcpyDeviceToHost));
    result.peers.push_back(judged(wanted));
    launch(0);
    result.stage = judged(wanted);
    return result;
  }
  bool is_changed(std::size_t /*turn*/) override {
    CUDA_CHECK(cudaDeviceSynchronize());
    return std::memcmp(input_.data(), numbers_.data(), bytes()) != 0;
  }
  void restore() override {
    CUDA_CHECK(cudaDeviceSynchronize());
    std::memcpy(input_.data(), numbers_.data(), bytes());
  }

 private:
  std::size_t bytes() const { return n_ * sizeof(State); }

  void kernel() {
    constexpr unsigned kThreads = 256;
    advance_all<<<static_cast<unsigned>((n_ + kThreads - 1) / kThreads), kThreads>>>(in_.data(), n_, rounds_);
    CUDA_CHECK(cudaGetLastError());
  }
  void one_after_the_other() {
    CUDA_CHECK(cudaMemcpyAsync(in_.data(), input_.data(), bytes(), cudaMemcpyHostToDevice));
    kernel();
    CUDA_CHECK(cudaMemcpyAsync(output_.data(), in_.data(), bytes(), cudaMemcpyDeviceToHost));
  }
  void copies() {
    const Job& job = lanes_.job();
    CUDA_CHECK(cudaEventRecord(job.begin));
    for (const unsigned lane : {0u, 1u}) {
      CUDA_CHECK(cudaStreamWaitEvent(job.lanes[lane].stream, job.begin));
      CUDA_CHECK(lane == 0
                     ? cudaMemcpyAsync(in_.data(), input_.data(), bytes(), cudaMemcpyHostToDevice, stream(lane))
                     : cudaMemcpyAsync(output_.data(), out_.data(), bytes(), cudaMemcpyDeviceToHost, stream(lane)));
      CUDA_CHECK(cudaEventRecord(job.lanes[lane].event, stream(lane)));
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, job.lanes[lane].event));
    }
  }
  cudaStream_t stream(unsigned lane) { return lanes_.job().lanes[lane].stream; }

  Verdict judged(const std::vector<State>& wanted) {
    CUDA_CHECK(cudaDeviceSynchronize());
    const Words got{output_.data(), 1, n_};
    const Verdict verdict = compare_words(got, words_of(wanted), {});
    std::memset(output_.data(), 0xFF, bytes());
    return verdict;
  }

  std::size_t n_;
  unsigned rounds_;
  std::vector<State> numbers_;
  StageArray input_, output_;
  Lanes lanes_;
  Processing processing_;
  DeviceArray<State> in_, out_;
  std::vector<DeviceArray<State>> memories_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t /*buffers*/) {
  const auto& problem = static_cast<const PiecesProblem&>(this_problem());
  return std::make_unique<PiecesBenchmark>(problem.functions(), settings);
}

}  // namespace workbook
