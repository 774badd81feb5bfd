// SPDX-License-Identifier: MIT
// The states, one call, and the cases.
#include "workbook/problem/streams/pieces/pieces_problem.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "workbook/case/case_list.h"
#include "workbook/case/changed_element.h"
#include "workbook/case/device_call.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/reference_case.h"

namespace workbook {
namespace {

constexpr std::size_t kMostCalls = 16;

class PiecesCase final : public ReferenceCase {
 public:
  PiecesCase(const PiecesFunctions& functions, const Settings& settings)
      : functions_(functions),
        n_(settings.size()),
        seed_(settings.seed),
        piece_(piece_of(settings)),
        rounds_(settings.choice<unsigned>("rounds")),
        calls_(settings.choice<std::size_t>("calls")),
        states_(with_change(make_states(n_ + kMostCalls, settings.seed), settings.changed)),
        expected_(timed([&] { return reference_states(states_, rounds_); })) {}

  bool is_empty() const override { return n_ == 0; }
  std::string description() const override {
    return "Input: " + std::to_string(n_) + " states in pieces of " + std::to_string(piece_) + " (seed " +
           std::to_string(seed_) + ")";
  }

  // What comes before the job in its stream fills the input, and what comes after it takes the output. So a job that is
  // not ordered with its stream gets a wrong result.
  Outcome call(const Call& call, GpuTimer& timer) override {
    const StageArray input(functions_, n_), output(functions_, n_);
    Call own = call;
    own.places = nullptr;  // kernels have only the student's copies of these arrays
    DeviceCall steps(own, timer);
    Outcome outcome;
    if (!input.is_pinned() || !output.is_pinned()) {
      steps.launch([] {});
      outcome.verdict.reason =
          "allocate_on_host() gives pageable memory: a copy of it waits for the CPU, and no other work runs beside it";
      return outcome;
    }
    const State* const source = steps.input("the source", states_, line(states_.size()));
    State* const result = steps.output<State>("the result", line(n_));
    Lanes lanes(steps.stream());
    Job& job = lanes.job();
    job = job_of(job, call, input.data(), output.data());
    for (Lane& lane : job.lanes) lane.memory = steps.scratch<State>("the memory of a lane", piece_);
    Processing processing(functions_);
    processing.make(job);
    for (std::size_t i = 0; i < calls_; ++i) {
      if (n_ > 0) std::memset(input.data(), ~call.poison, n_ * sizeof(State));
      if (n_ > 0) std::memset(output.data(), call.poison, n_ * sizeof(State));
      if (i > 0) steps.renew(result);
      copy(input.data(), source + i, cudaMemcpyDeviceToHost, steps.stream());
      steps.launch([&] { processing.launch(job); });
      copy(result, output.data(), cudaMemcpyHostToDevice, steps.stream());
      outcome.verdict = judged(steps.copy_back(static_cast<const State*>(result)), i, call);
      CUDA_CHECK(cudaDeviceSynchronize());
      refuse(outcome.verdict, steps.mistake());
      if (outcome.verdict.matches) continue;
      if (i > 0) outcome.verdict.reason += " (in call " + std::to_string(i + 1) + "; those before were right)";
      break;
    }
    return outcome;
  }

 private:
  Job job_of(Job job, const Call& call, const State* input, State* output) const {
    job.input = input;
    job.output = output;
    job.n = n_;
    job.piece = piece_;
    job.rounds = rounds_;
    job.block_size = call.block.x;
    return job;
  }
  void copy(State* destination, const State* source, cudaMemcpyKind kind, cudaStream_t stream) const {
    if (n_ > 0) CUDA_CHECK(cudaMemcpyAsync(destination, source, n_ * sizeof(State), kind, stream));
  }
  Verdict judged(const std::vector<State>& got, std::size_t first, const Call& call) const {
    const auto begin = expected_.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<State> wanted(begin, begin + static_cast<std::ptrdiff_t>(n_));
    return compare_words(words_of(got), words_of(wanted), explanations_of(call));
  }

  const PiecesFunctions& functions_;
  std::size_t n_;
  std::uint32_t seed_;
  std::size_t piece_;
  unsigned rounds_;
  std::size_t calls_;
  std::vector<State> states_, expected_;
};

}  // namespace

StageArray::StageArray(const PiecesFunctions& functions, std::size_t n) : functions_(functions) {
  if (n > 0) data_ = static_cast<State*>(functions.allocate(n * sizeof(State)));
}

StageArray::~StageArray() {
  try {
    if (data_ != nullptr) functions_.release(data_);
  } catch (...) {  // the call's own error is reported
  }
}

bool StageArray::is_pinned() const {
  if (data_ == nullptr) return true;
  cudaPointerAttributes attributes{};
  CUDA_CHECK(cudaPointerGetAttributes(&attributes, data_));
  return attributes.type == cudaMemoryTypeHost;
}

Lanes::Lanes(cudaStream_t stream) {
  job_.stream = stream;
  CUDA_CHECK(cudaEventCreateWithFlags(&job_.begin, cudaEventDisableTiming));
  for (Lane& lane : job_.lanes) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&lane.event, cudaEventDisableTiming));
  }
}

Lanes::~Lanes() {
  cudaDeviceSynchronize();
  for (const Lane& lane : job_.lanes) {
    if (lane.stream != nullptr) cudaStreamDestroy(lane.stream);
    if (lane.event != nullptr) cudaEventDestroy(lane.event);
  }
  if (job_.begin != nullptr) cudaEventDestroy(job_.begin);
}

Processing::~Processing() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

void Processing::make(const Job& job) {
  if (functions_.make != nullptr) graph_ = functions_.make(job);
}

void Processing::launch(const Job& job) {
  if (functions_.launch != nullptr) {
    functions_.launch(graph_, job.stream);
  } else {
    functions_.process(job);
  }
}

std::size_t piece_of(const Settings& settings) {
  const auto piece = settings.choice<std::size_t>("piece");
  if (piece > 0) return piece;
  return std::max<std::size_t>(1, static_cast<std::size_t>(256.0 * std::sqrt(static_cast<double>(settings.size()))));
}

std::vector<State> make_states(std::size_t n, std::uint32_t seed) {
  std::vector<State> states(n);
  State state = seed;
  for (State& each : states) each = state = next_state(state);
  return states;
}

std::vector<State> reference_states(std::vector<State> states, unsigned rounds) {
  // Many rounds are one: factor * state + next.
  State factor = 1, next = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    factor *= next_state(1) - next_state(0);
    next = next_state(next);
  }
  for (State& state : states) state = factor * state + next;
  return states;
}

std::vector<Extent> PiecesProblem::extents() const {
  return {{"size", "how many states", std::size_t{1} << 22, std::size_t{1} << 36}};
}

std::vector<Option> PiecesProblem::options() const {
  return {{"piece", "states of a piece; 0: what suits the size", {}, 0.0, 0.0, 1u << 28, true},
          {"rounds", "how often the next state is taken", {}, 4.0, 0.0, 1u << 20, true, true},
          {"calls", "jobs with the same arrays", {}, 1.0, 1.0, static_cast<double>(kMostCalls), true}};
}

Work PiecesProblem::work(const Settings& settings) const {
  const auto n = static_cast<double>(settings.size());
  return {"states", n, sizeof(State) * n, sizeof(State) * n, 2.0 * n * settings.options.at("rounds")};
}

double PiecesProblem::device_bytes(const Settings& settings) const {
  return 2.0 * work(settings).bytes_read + kLanes * sizeof(State) * static_cast<double>(piece_of(settings)) + 65536.0;
}

std::vector<Settings> PiecesProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                           bool simulated) const {
  CaseList cases(standard);
  const auto add = [&cases](std::size_t n, std::size_t piece, unsigned rounds, unsigned calls = 1) {
    cases.add_seeded({n}, {{"piece", static_cast<double>(piece)},
                           {"rounds", static_cast<double>(rounds)},
                           {"calls", static_cast<double>(calls)}});
  };
  switch (purpose) {
    case Purpose::quick:  // One piece first, then two that are whole, then a tail, then more pieces than lanes.
      add(1000, 1000, 1);
      add(999, 1000, 2);
      add(2000, 1000, 1);
      add(2500, 1000, 3);
      add(13'000, 1000, 1, 2);
      cases.use_blocks_in_turn(shapes);
      break;
    case Purpose::hostile:
    case Purpose::full:
      for (const std::size_t n : Sizes{0, 1, 2, 31, 33, 255, 256, 257}) {
        add(n, 256, 1);
        add(n, 1, 2);
      }
      for (std::size_t pieces = 1; pieces <= 2 * kLanes + 1; ++pieces) {
        add(1021 * pieces, 1021, 3, 1 + pieces % 2);
        add(1021 * pieces - 1, 1021, 0);
        add(1021 * pieces + 1, 1021, 1);
      }
      cases.use_blocks_in_turn(shapes);
      if (purpose == Purpose::full) {
        add(1'000'003, 77'777, 2, 3);
        add(1'000'003, 0, 1);
        cases.use_every_block(shapes);
        cases.add_standard();
      }
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      for (const unsigned power : {20u, 22u, 24u, 26u}) {
        if (simulated && power > 20) break;
        add(std::size_t{1} << power, 0, 1);
        if (!simulated) add(std::size_t{1} << power, 0, 1024);
      }
      break;
  }
  return cases.take();
}

std::unique_ptr<Case> PiecesProblem::make_case(const Settings& settings) const {
  return std::make_unique<PiecesCase>(functions_, settings);
}

}  // namespace workbook
