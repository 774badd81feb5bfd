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

namespace cudasim {
namespace {

/// The places of a block's warps that cannot continue. Neighbouring warps at one line are one entry.
struct WaitingWarps {
  std::uint32_t first, last;
  std::uint32_t lanes;  ///< as a mask, of each
  bool run;             ///< or wait for others
  int line;

  bool take(const WaitingWarps& next) {
    if (next.first != last + 1 || next.lanes != lanes || next.run != run || next.line != line) return false;
    last = next.last;
    return true;
  }
};

std::string text_of(const std::vector<WaitingWarps>& places) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), most); ++i) {
    const WaitingWarps& at = places[i];
    const bool alone = at.first == at.last;
    text += (alone ? "; warp " : "; warps ") + std::to_string(at.first) +
            (alone ? "" : " to " + std::to_string(at.last)) + " (lanes " + hexadecimal(at.lanes) +
            (alone ? ") " : " each) ") + (at.run ? "run" : "wait") + (alone ? "s" : "") + " at line " +
            std::to_string(at.line);
  }
  if (places.size() > most) text += "; and " + std::to_string(places.size() - most) + " more";
  return text;
}

/// Where a waiting loop next reads memory: mostly in its first straight run. A fragment that is to continue stands at
/// the loop's head, or at the read itself. Null: not found.
const MicroOp* next_look(const Program& program, const Fragment& fragment) {
  for (const MicroOp* op = &program.code[fragment.pc];; ++op) {
    switch (op->kind) {
      case Kind::atomic:
        return op;
      case Kind::load:
        if (program.accesses[op->extra].ordering != Ordering::weak) return op;
        break;
      case Kind::pure:
      case Kind::not_predicate:
      case Kind::reconverge:
      case Kind::fence:
        break;
      default:
        return nullptr;
    }
  }
}

/// The place that the first lane reads, and its value.
void describe_look(const Grid& grid, const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                   Finding& f) {
  const Program& program = grid.program;
  const MemoryAccess& access = op.kind == Kind::load ? program.accesses[op.extra] : program.atomics[op.extra].address;
  std::uint64_t lanes[warp_size];
  lane_addresses(lane_kernels(best_level()), warp, fragment, access, lanes);
  const std::uint64_t address = lanes[__builtin_ctz(fragment.mask)];
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
  const Fragment* where = nullptr;
  std::vector<WaitingWarps> places;
  for (const auto& warp : block.warps) {
    for (const auto& fragment : warp.fragments) {
      // The line that matters: in an endless loop that of a runnable fragment, in a deadlock that of a waiting one.
      if (where == nullptr ||
          (endless && where->state != Fragment::State::runnable && fragment.state == Fragment::State::runnable)) {
        first = &warp;
        where = &fragment;
      }
      const auto line = program.source_line(instruction_of(program, fragment).counter);
      const WaitingWarps here{warp.index, warp.index, fragment.mask, fragment.state == Fragment::State::runnable,
                              line.line};
      if (places.empty() || !places.back().take(here)) places.push_back(here);
    }
  }
  const bool runs = endless && where != nullptr && where->state == Fragment::State::runnable;
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
