// SPDX-License-Identifier: MIT
#include "timing/scoreboard.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <queue>
#include <utility>

#include "timing/unrolled_loops.h"

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

/// What predicates guard is under way for so many conditions at most. The machine has seven predicates, and a condition
/// is made of two mostly.
constexpr unsigned kGuards = 3;

struct LivingWarp {
  const WarpTrace* trace = nullptr;
  const std::vector<AnswerShares>* answers = nullptr;
  std::vector<Moment> ready;  // by register
  Moment now;                 // all instructions of the stretches before have been issued
  Moment end;                 // the last result
  std::uint32_t run = 0, pc = 0;
  std::size_t request = 0, barrier = 0;
  unsigned turns = 0;         // of a loop that is unrolled, since its last branch
  Moment group;               // of the asynchronous copies that are not committed
  std::deque<Moment> groups;  // committed, the oldest first
};

/// Instructions that ptxas may put into any order, as far as they have been seen.
struct Stretch {
  explicit Stretch(const Moment& now) : last(now), window{now, now}, decided(now), stored{now, now} {}
  void issue(const TimedOperation& op, const Moment& start) {
    if (op.issue == 0) return;
    last.wait_for(start);
    issued += op.issue;
    if (++count % kWindow != 0) return;
    window[0] = window[1];
    window[1] = last;
  }

  Moment last;                   // the latest issue
  Moment window[2];              // the latest one as far back as ptxas moves instructions, and half as far
  Moment decided;                // the last predicate that was a branch
  Moment stored[2];              // the latest store to a space, by TimedOperation::Order
  Moment guarded[kGuards] = {};  // the latest issue of what each predicate guards
  Moment* guard = nullptr;       // that of the code before `end_of_guarded`
  std::uint32_t end_of_guarded = 0;
  std::uint64_t issued = 0;
  unsigned count = 0;
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
    Stretch stretch(warp.now);
    bool is_over = false;
    for (; !is_over && goes_on(warp); ++warp.pc) {
      const TimedOperation& op = operations_.by_pc[warp.pc];
      Moment start = start_of(warp, op, stretch);
      is_over = op.ends_stretch && !is_unrolled(warp, op);
      guard(warp.pc, op, stretch, start);
      if (op.kind == Kind::branch) stretch.decided.wait_for(start);
      if (op.kind == Kind::store || op.kind == Kind::update)
        stretch.stored[static_cast<std::size_t>(op.order)].wait_for(start);
      stretch.issue(op, start);
      write_results(warp, op, start);
    }
    // Turns of the scheduler are given by the order in which stretches begin.
    double& free = free_[w % kSchedulers];
    free = std::max(free, warp.now.time) + static_cast<double>(stretch.issued);
    issued_ += stretch.issued;
    warp.now = stretch.last;
    warp.now.time = std::max(stretch.last.time + 1, free);
    const bool jumps =
        warp.pc == runs[warp.run].end && warp.run + 1 < runs.size() && runs[warp.run + 1].begin != warp.pc;
    if (jumps) warp.now.time += latencies_.branch;
  }

  /// Whether a branch is none of the machine code, as another turn of the loop follows.
  static bool is_unrolled(LivingWarp& warp, const TimedOperation& op) {
    if (!op.ends_unrolled) return false;
    const auto& runs = warp.trace->runs;
    const bool goes_back =
        warp.pc + 1 == runs[warp.run].end && warp.run + 1 < runs.size() && runs[warp.run + 1].begin <= warp.pc;
    warp.turns = goes_back ? (warp.turns + 1) % kUnrolledTurns : 0;
    return warp.turns != 0;
  }

  /// A branch that is a predicate takes one that nothing needs any more, the earliest of them.
  static void guard(std::uint32_t pc, const TimedOperation& op, Stretch& stretch, Moment& start) {
    if (op.kind == Kind::branch) {
      stretch.guard = std::min_element(std::begin(stretch.guarded), std::end(stretch.guarded),
                                       [](const Moment& one, const Moment& other) { return one.time < other.time; });
      start.wait_for(*stretch.guard);
      *stretch.guard = start;
      stretch.end_of_guarded = op.end;
    } else if (pc < stretch.end_of_guarded) {
      stretch.guard->wait_for(start);
    }
  }

  /// Whether the warp has another instruction in this stretch. Branches that ptxas makes predicates do not end it.
  static bool goes_on(LivingWarp& warp) {
    const WarpTrace& trace = *warp.trace;
    if (warp.pc != trace.runs[warp.run].end) return true;
    const bool is_last = warp.run + 1 == trace.runs.size();
    if (is_last || (warp.barrier < trace.barriers.size() && trace.barriers[warp.barrier].runs == warp.run + 1))
      return false;
    warp.pc = trace.runs[++warp.run].begin;
    return true;
  }

  std::uint32_t slot_of(const LivingWarp& warp, const TimedOperation& op, unsigned i) const {
    return warp.trace->runs[warp.run].frame / kSlotBytes + operations_.registers[op.first + i];
  }

  /// When it is issued. A register that is moved is ready when its source is, and nothing waits for the move.
  Moment start_of(LivingWarp& warp, const TimedOperation& op, const Stretch& stretch) const {
    Moment start;
    if (op.issue != 0) {
      start = op.ends_stretch ? stretch.last : stretch.window[0];
      start.wait_for(stretch.decided);
    }
    for (unsigned i = 0; i < op.reads; ++i) {
      const std::uint32_t slot = slot_of(warp, op, i);
      if (slot < warp.ready.size()) start.wait_for(warp.ready[slot]);
    }
    if (op.kind == Kind::async_wait) wait_for_copies(warp, op, start);
    if (op.order != TimedOperation::Order::free) start.wait_for(stretch.stored[static_cast<std::size_t>(op.order)]);
    return start;
  }

  void write_results(LivingWarp& warp, const TimedOperation& op, const Moment& start) {
    Moment result = start;
    if (!answer(warp, op, start, result)) result.time += op.latency;
    for (unsigned i = 0; i < op.writes; ++i) {
      const std::uint32_t slot = slot_of(warp, op, op.reads + i);
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
