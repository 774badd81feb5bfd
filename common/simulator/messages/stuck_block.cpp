// SPDX-License-Identifier: MIT
#include "messages/stuck_block.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/levels.h"
#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "messages/hexadecimal.h"
#include "messages/missing_lanes.h"
#include "program/mbarrier.h"
#include "program/paths.h"
#include "program/source_lines.h"

namespace cudasim {
namespace {

/// The places of a block's warps that cannot continue. Neighbouring warps at one line are one entry.
struct WaitingWarps {
  std::uint32_t first, last;
  std::uint32_t lanes;  ///< as a mask, of each
  bool run;             ///< or wait for others
  std::string line;     ///< as line_text() gives it

  bool take(const WaitingWarps& next) {
    if (next.first != last + 1 || next.lanes != lanes || next.run != run || next.line != line) return false;
    last = next.last;
    return true;
  }
};

std::string text_of(const std::vector<WaitingWarps>& places) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kMost); ++i) {
    const WaitingWarps& at = places[i];
    const bool alone = at.first == at.last;
    text += (alone ? "; warp " : "; warps ") + std::to_string(at.first) +
            (alone ? "" : " to " + std::to_string(at.last)) + " (lanes " + hexadecimal(at.lanes) +
            (alone ? ") " : " each) ") + (at.run ? "run" : "wait") + (alone ? "s" : "") + " at " + at.line;
  }
  if (places.size() > kMost) text += "; and " + std::to_string(places.size() - kMost) + " more";
  return text;
}

/// Where a waiting loop next reads memory: mostly in its first straight run. A split that is to continue stands at
/// the loop's head, or at the read itself. Null: not found.
const MicroOp* next_look(const Program& program, const WarpSplit& split) {
  for (const MicroOp* op = &program.code[split.pc];; ++op) {
    switch (op->kind) {
      case MicroOpcode::atomic:
        return op;
      case MicroOpcode::load:
        if (program.accesses[op->extra].ordering != Ordering::weak) return op;
        break;
      case MicroOpcode::pure:
      case MicroOpcode::not_predicate:
      case MicroOpcode::reconverge:
      case MicroOpcode::fence:
        break;
      default:
        return nullptr;
    }
  }
}

/// The branches by which a loop around a split can end, by the micro-operations from which it comes back to itself.
std::vector<const MicroOp*> loop_exits(const Program& program, const WarpSplit& split) {
  std::vector<std::vector<std::uint32_t>> before(program.code.size());
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    for (const std::uint32_t next : successors(program, pc)) {
      if (next < before.size()) before[next].push_back(pc);
    }
  }
  const auto reached = [&](const auto& neighbours) {
    std::vector<bool> seen(program.code.size());
    std::vector<std::uint32_t> left{split.pc};
    while (!left.empty()) {
      const std::uint32_t pc = left.back();
      left.pop_back();
      for (const std::uint32_t next : neighbours(pc)) {
        if (next >= seen.size() || seen[next]) continue;
        seen[next] = true;
        left.push_back(next);
      }
    }
    return seen;
  };
  const auto behind = reached([&](std::uint32_t pc) { return successors(program, pc); });
  const auto ahead = reached([&](std::uint32_t pc) { return before[pc]; });
  std::vector<const MicroOp*> exits;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const MicroOp& op = program.code[pc];
    if (!behind[pc] || !ahead[pc] || op.guard_mode == MicroOp::Guard::always || op.counter == 0) continue;
    const auto next = successors(program, pc);
    if (std::any_of(next.begin(), next.end(),
                    [&](std::uint32_t to) { return to < behind.size() && (!behind[to] || !ahead[to]); }))
      exits.push_back(&op);
  }
  return exits;
}

/// The loop's condition stands in the function that loops, and the split in a function that this calls, perhaps: the
/// place is then the condition.
void point_to_condition(const Program& program, const WarpSplit& split, Finding& f) {
  const auto depth = [&](const MicroOp* op) { return program.source_chain(op->counter).size(); };
  const auto exits = loop_exits(program, split);
  const auto outermost =
      std::min_element(exits.begin(), exits.end(), [&](auto* a, auto* b) { return depth(a) < depth(b); });
  if (outermost == exits.end() || depth(*outermost) == 0 || depth(*outermost) >= f.inlined.size()) return;
  f.where = program.source_line((*outermost)->counter);
  f.inlined = program.source_chain((*outermost)->counter);
  f.ptx_line = program.origins[(*outermost)->counter].ptx_line;
}

/// "lines 12 and 34", the lines that change numbers of this space for other threads; "" where there are none.
std::string lines_that_tell(const Program& program, const MicroOp& look, ptx::Space space) {
  const auto tells = [&](const MicroOp& op) {
    const bool atomic = op.kind == MicroOpcode::atomic;
    if (&op == &look || op.counter == 0 || (!atomic && op.kind != MicroOpcode::store)) return false;
    const MemoryAccess& access = atomic ? program.atomics[op.extra].address : program.accesses[op.extra];
    return (atomic || access.ordering != Ordering::weak) &&
           (access.space == space || access.space == ptx::Space::generic);
  };
  const SourceLine own = program.source_line(look.counter);
  std::vector<int> lines;
  for (const MicroOp& op : program.code) {
    if (!tells(op)) continue;
    const SourceLine line = program.source_line(op.counter);
    if (line.line > 0 && line.file == own.file && line.line != own.line) lines.push_back(line.line);
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  constexpr std::size_t kMost = 4;
  if (lines.empty() || lines.size() > kMost) return "";
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
  return text;
}

/// The place that the first lane reads, its value, and who may change it.
void describe_look(const Grid& grid, const Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op,
                   Finding& f) {
  const Program& program = grid.program;
  const MemoryAccess& access =
      op.kind == MicroOpcode::load ? program.accesses[op.extra] : program.atomics[op.extra].address;
  std::uint64_t lanes[kWarpSize];
  lane_addresses(lane_kernels(best_level()), warp, split, access, lanes);
  const std::uint64_t address = lanes[__builtin_ctz(split.mask)];
  const ptx::Space space = access.space == ptx::Space::generic ? space_of_address(address) : access.space;
  const std::uint64_t place = access.space == ptx::Space::generic ? address - window_base(space) : address;
  const std::byte* value = nullptr;
  if (space == ptx::Space::shared && grid.is_shared(place, access.bytes)) {
    describe_shared(grid, f, place);
    value = block.shared + place;
  } else if (space == ptx::Space::global) {
    const Allocation* allocation = grid.memory.find(place);
    if (allocation == nullptr || place - allocation->address + access.bytes > allocation->size_bytes) return;
    describe_global(grid, f, place, access.bytes);
    value = allocation->host + (place - allocation->address);
  }
  if (value == nullptr) return;
  f.allocation += ", and holds " + value_text(element_of(program, f.ptx_line), value, access.bytes);
  const std::string tell = lines_that_tell(program, op, space);
  if (tell.empty()) return;
  f.advice =
      "the loop waits for another number in this element, and nothing that still runs will change it. Numbers that "
      "others wait for are changed at " +
      tell +
      ": is that the same element, for the thread that comes there? Does every thread come there that the loop "
      "counts on, and does the loop wait for the number that they make?";
}

/// The mbarrier at which a split looks in its loop, and how many arrivals it still waits for.
void describe_mbarrier(const Grid& grid, const Block& block, const Warp& warp, const WarpSplit& split, Finding& f) {
  const Program& program = grid.program;
  std::vector<bool> seen(program.code.size());
  std::vector<std::uint32_t> left{split.pc};
  while (!left.empty()) {
    const std::uint32_t pc = left.back();
    left.pop_back();
    if (pc >= seen.size() || seen[pc]) continue;
    seen[pc] = true;
    const MicroOp& op = program.code[pc];
    if (op.kind != MicroOpcode::async_look) {
      for (const std::uint32_t next : successors(program, pc)) left.push_back(next);
      continue;
    }
    std::uint64_t lanes[kWarpSize], word = 0;
    lane_addresses(lane_kernels(best_level()), warp, split, program.accesses[op.extra], lanes);
    std::uint64_t place = lanes[__builtin_ctz(split.mask)];
    if (window_of(place) == kSharedWindow) place -= kSharedWindow;
    if (!grid.is_shared(place, sizeof word)) return;
    std::memcpy(&word, block.shared + place, sizeof word);
    describe_shared(grid, f, place);
    f.allocation += ", an mbarrier that still waits for " + std::to_string(mbarrier::pending(word)) + " of " +
                    std::to_string(mbarrier::expected(word)) + " arrivals";
    f.advice =
        "which threads should have arrived, and have not? The number that init() gets is that of the threads that "
        "arrive in each phase; a thread that leaves early calls arrive_and_drop()";
    return;
  }
}

}  // namespace

Finding stuck_block(const Grid& grid, const Block& block, FindingKind kind, bool is_full) {
  const Program& program = grid.program;
  const bool endless = kind != FindingKind::deadlock;
  const Warp* first = &block.warps.front();
  const WarpSplit* where = nullptr;
  std::vector<WaitingWarps> places;
  const std::vector<bool> can_end =
      kind == FindingKind::endless_loop ? ways_to_the_end(program) : std::vector<bool>(program.code.size(), true);
  const auto weight = [&](const WarpSplit& split) {
    return split.state != WarpSplit::State::runnable ? 0 : can_end[split.pc] ? 1 : 2;
  };
  for (const auto& warp : block.warps) {
    for (const auto& split : warp.splits) {
      // The line that matters: in an endless loop that of a runnable split, best of one in a loop without an exit. In a
      // deadlock it is that of a waiting one.
      if (where == nullptr || (endless && weight(split) > weight(*where))) {
        first = &warp;
        where = &split;
      }
      const WaitingWarps here{warp.index, warp.index, split.mask, split.state == WarpSplit::State::runnable,
                              line_text(program, instruction_of(program, split).counter)};
      if (places.empty() || !places.back().take(here)) places.push_back(here);
    }
  }
  const bool runs = endless && where != nullptr && where->state == WarpSplit::State::runnable;
  const MicroOp* const look = runs ? next_look(program, *where) : nullptr;
  const MicroOp& op = look != nullptr    ? *look
                      : where != nullptr ? instruction_of(program, *where)
                                         : program.code[program.functions[0].entry];
  Finding f = finding_at(grid, block, *first, op, where != nullptr ? where->mask : 0, kind);
  if (runs && !can_end[where->pc]) {
    f.message = "an endless loop: no branch leads out of it";
    f.advice = "give the loop a condition, or a `break`, that is reached in the end";
  }
  f.message += text_of(places);
  if (look != nullptr) describe_look(grid, block, *first, *where, *look, f);
  if (runs && look == nullptr) point_to_condition(program, *where, f);
  if (!endless && where != nullptr && where->state == WarpSplit::State::runnable)
    describe_mbarrier(grid, block, *first, *where, f);
  if (kind == FindingKind::endless_loop && is_full) {
    const std::uint64_t begun = std::min(grid.next_block.load(std::memory_order_relaxed), grid.blocks);
    if (begun < grid.blocks) {
      f.message += "; " + std::to_string(grid.blocks - begun) +
                   " blocks, which may begin in any order, have not begun and find no place before one of these ends";
    }
  }
  return f;
}

}  // namespace cudasim
