// SPDX-License-Identifier: MIT
#include "messages/stuck_block.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/levels.h"
#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "messages/hexadecimal.h"
#include "messages/missing_lanes.h"
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

/// The place that the first lane reads, and its value.
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
}

}  // namespace

Finding stuck_block(const Grid& grid, const Block& block, FindingKind kind, bool is_full) {
  const Program& program = grid.program;
  const bool endless = kind != FindingKind::deadlock;
  const Warp* first = &block.warps.front();
  const WarpSplit* where = nullptr;
  std::vector<WaitingWarps> places;
  for (const auto& warp : block.warps) {
    for (const auto& split : warp.splits) {
      // The line that matters: in an endless loop that of a runnable split, in a deadlock that of a waiting one.
      if (where == nullptr ||
          (endless && where->state != WarpSplit::State::runnable && split.state == WarpSplit::State::runnable)) {
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
  f.message += text_of(places);
  if (look != nullptr) describe_look(grid, block, *first, *where, *look, f);
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
