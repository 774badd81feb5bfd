// SPDX-License-Identifier: MIT
#include "timing/scoreboard.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <utility>

namespace cudasim {
namespace {

/// A moment, and the accesses on the way that leads to it.
struct Moment {
  double time = 0;
  float dram = 0, l2 = 0, l1 = 0, shared = 0;
  void wait_for(const Moment& other) {
    if (other.time > time) *this = other;
  }
};

/// ptxas moves an instruction up over so many others at most: registers are few.
constexpr unsigned kWindow = 64;

struct LivingWarp {
  const WarpTrace* trace = nullptr;
  const std::vector<AnswerShares>* answers = nullptr;
  std::vector<Moment> ready;  // by register
  Moment now;                 // all instructions of the stretches before have been issued
  Moment end;                 // the last result
  std::uint32_t run = 0, pc = 0;
  std::size_t request = 0, barrier = 0;
  Moment group;               // of the asynchronous copies that are not committed
  std::deque<Moment> groups;  // committed, the oldest first
};

/// Warps take turns by stretches: instructions without a branch or a barrier between them, which ptxas may put into any
/// order. Within one, an instruction is issued when its operands are ready.
class BlockReplay {
 public:
  BlockReplay(const BlockTrace& trace, const std::vector<std::vector<AnswerShares>>& answers,
              const Operations& operations, const Latencies& latencies)
      : trace_(trace), operations_(operations), latencies_(latencies), barriers_(trace.barriers.size()) {
    warps_.resize(trace.warps.size());
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      warps_[w].trace = &trace.warps[w];
      warps_[w].answers = &answers[w];
      if (!trace.warps[w].runs.empty()) warps_[w].pc = trace.warps[w].runs[0].begin;
      come_to(w);
    }
  }

  BlockLife run() {
    while (!turns_.empty()) {
      const std::size_t w = turns_.top().second;
      turns_.pop();
      run_stretch(w);
      come_to(w);
      if (turns_.empty()) open_what_is_left();
    }
    BlockLife life;
    Moment last;
    std::uint64_t all = 0, traced = 0;
    for (const LivingWarp& warp : warps_) {
      last.wait_for(warp.end);
      all += warp.trace->instructions;
      traced += warp.trace->traced;
    }
    const double scale = traced == 0 ? 1 : static_cast<double>(all) / static_cast<double>(traced);
    life.cycles = last.time * scale;
    life.issue_cycles = static_cast<double>(issued_) / kSchedulers * scale;
    life.steps = {last.dram * scale, last.l2 * scale, last.l1 * scale, last.shared * scale};
    return life;
  }

 private:
  using Turn = std::pair<double, std::size_t>;  // when, which warp
  using Kind = TimedOperation::Kind;

  /// The warp waits for its turn, waits at a barrier, or has ended.
  void come_to(std::size_t w) {
    LivingWarp& warp = warps_[w];
    const WarpTrace& trace = *warp.trace;
    if (warp.run < trace.runs.size() && warp.pc == trace.runs[warp.run].end) {
      ++warp.run;
      if (warp.run < trace.runs.size()) warp.pc = trace.runs[warp.run].begin;
    }
    if (warp.barrier < trace.barriers.size() && trace.barriers[warp.barrier].runs == warp.run) return arrive(w);
    if (warp.run < trace.runs.size()) {
      turns_.push({warp.now.time, w});
    } else {
      warp.end.wait_for(warp.now);
    }
  }

  void run_stretch(std::size_t w) {
    LivingWarp& warp = warps_[w];
    const auto& runs = warp.trace->runs;
    const TracedRun& run = runs[warp.run];
    const std::uint32_t frame = run.frame / kSlotBytes;
    Moment last = warp.now;                       // the latest issue
    Moment window[2] = {warp.now, warp.now};      // the latest one as far back as ptxas moves instructions
    Moment stored[3] = {warp.now, warp.now, {}};  // the latest store to a space; none orders the loads of `free`
    std::uint64_t issued = 0;
    unsigned count = 0;
    for (bool is_over = false; warp.pc != run.end && !is_over; ++warp.pc) {
      const TimedOperation& op = operations_.by_pc[warp.pc];
      is_over = op.ends_stretch;
      if (++count % kWindow == 0) {
        window[0] = window[1];
        window[1] = last;
      }
      Moment start = op.issue != 0 ? (op.ends_stretch ? last : window[0]) : Moment{};
      for (unsigned i = 0; i < op.reads; ++i) {
        const std::uint32_t slot = frame + operations_.registers[op.first + i];
        if (slot < warp.ready.size()) start.wait_for(warp.ready[slot]);
      }
      if (op.kind == Kind::async_wait) wait_for_copies(warp, op, start);
      if (op.order != TimedOperation::Order::free) start.wait_for(stored[static_cast<std::size_t>(op.order)]);
      if (op.kind == Kind::store || op.kind == Kind::update) stored[static_cast<std::size_t>(op.order)].wait_for(start);
      if (op.issue != 0) last.wait_for(start);
      issued += op.issue;
      write_results(warp, op, frame, start);
    }
    // Turns of the scheduler are given by the order in which stretches begin.
    double& free = free_[w % kSchedulers];
    free = std::max(free, warp.now.time) + static_cast<double>(issued);
    issued_ += issued;
    warp.now = last;
    warp.now.time = std::max(last.time + 1, free);
    const bool jumps = warp.pc == run.end && warp.run + 1 < runs.size() && runs[warp.run + 1].begin != run.end;
    if (jumps) warp.now.time += latencies_.branch;
  }

  void write_results(LivingWarp& warp, const TimedOperation& op, std::uint32_t frame, const Moment& start) {
    Moment result = start;
    if (!answer(warp, op, start, result)) result.time += op.latency;
    for (unsigned i = 0; i < op.writes; ++i) {
      const std::uint32_t slot = frame + operations_.registers[op.first + op.reads + i];
      if (slot >= warp.ready.size()) warp.ready.resize(slot + 64);
      warp.ready[slot] = result;
    }
    if (op.writes != 0) warp.end.wait_for(result);
  }

  static void wait_for_copies(LivingWarp& warp, const TimedOperation& op, Moment& start) {
    while (!warp.groups.empty() && warp.groups.size() > op.groups) {
      start.wait_for(warp.groups.front());
      warp.groups.pop_front();
    }
    if (op.groups == kEveryCopy) start.wait_for(warp.group);
  }

  /// Accesses to memory: `result` becomes the moment at which their data are there. False: it has none.
  bool answer(LivingWarp& warp, const TimedOperation& op, const Moment& start, Moment& result) {
    if (op.kind == Kind::async_commit) warp.groups.push_back(std::exchange(warp.group, {}));
    const auto& requests = warp.trace->requests;
    bool has_data = false;
    for (; warp.request < requests.size() && requests[warp.request].run == warp.run &&
           requests[warp.request].pc == warp.pc;
         ++warp.request) {
      if (op.kind != Kind::load && op.kind != Kind::update && op.kind != Kind::async_copy) continue;
      const Moment answer = answered(start, requests[warp.request], (*warp.answers)[warp.request], op.kind);
      if (op.kind == Kind::async_copy) {
        warp.group.wait_for(answer);
      } else {
        result.wait_for(answer);
        has_data = true;
      }
    }
    return has_data;
  }

  Moment answered(const Moment& start, const TracedRequest& request, const AnswerShares& shares, Kind kind) const {
    Moment answer = start;
    if (request.place == TracedRequest::Place::shared) {
      answer.time += kind == Kind::update ? latencies_.shared_atomic : latencies_.shared;
      answer.time += request.passes > 1 ? request.passes - 1 : 0;
      answer.shared += 1;
      return answer;
    }
    const float of_l1 = 1 - shares.l2 - shares.dram;
    answer.time += of_l1 * latencies_.l1 + shares.l2 * latencies_.l2 + shares.dram * latencies_.dram;
    if (request.lines > 1) answer.time += request.lines - 1;  // the L1 looks up a line a cycle
    answer.l1 += of_l1;
    answer.l2 += shares.l2;
    answer.dram += shares.dram;
    return answer;
  }

  void arrive(std::size_t w) {
    LivingWarp& warp = warps_[w];
    const std::uint32_t number = warp.trace->barriers[warp.barrier].number;
    Barrier& barrier = barriers_[number];
    barrier.last.wait_for(warp.now);
    barrier.waiting.push_back(w);
    if (barrier.waiting.size() == trace_.barriers[number]) open(barrier);
  }

  struct Barrier {
    Moment last;
    std::vector<std::size_t> waiting;
  };
  void open(Barrier& barrier) {
    Moment opened = barrier.last;
    opened.time += latencies_.barrier;
    for (const std::size_t w : std::exchange(barrier.waiting, {})) {
      warps_[w].now.wait_for(opened);
      ++warps_[w].barrier;
      come_to(w);
    }
  }
  /// Some warps' traces end before a barrier.
  void open_what_is_left() {
    for (Barrier& barrier : barriers_) {
      if (barrier.waiting.empty()) continue;
      open(barrier);
      if (!turns_.empty()) return;
    }
  }

  const BlockTrace& trace_;
  const Operations& operations_;
  const Latencies& latencies_;
  std::vector<LivingWarp> warps_;
  std::vector<Barrier> barriers_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  double free_[kSchedulers] = {};
  std::uint64_t issued_ = 0;
};

}  // namespace

BlockLife live(const BlockTrace& trace, const std::vector<std::vector<AnswerShares>>& answers,
               const Operations& operations, const Latencies& latencies) {
  return BlockReplay(trace, answers, operations, latencies).run();
}

}  // namespace cudasim
