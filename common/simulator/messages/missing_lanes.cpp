// SPDX-License-Identifier: MIT
// Words for lanes that are missing where other lanes wait for them: where they diverged, and where they are.
#include "messages/missing_lanes.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "program/paths.h"

namespace cudasim {

const MicroOp& instruction_of(const Program& program, const WarpSplit& split) {
  std::uint32_t pc = split.pc;
  if (split.state == WarpSplit::State::in_barrier && pc > 0) --pc;
  // A split goes on where an instruction begins. What is not counted comes before what is.
  while (pc + 1 < program.code.size() && program.code[pc].counter == 0) ++pc;
  return program.code[pc];
}

std::string lanes_text(Mask lanes) {
  const int first = __builtin_ctz(lanes), last = 31 - __builtin_clz(lanes), count = __builtin_popcount(lanes);
  if (count == 1) return "lane " + std::to_string(first);
  if (last - first + 1 == count) return "lanes " + std::to_string(first) + " to " + std::to_string(last);
  char text[24];
  std::snprintf(text, sizeof text, "lanes 0x%08x", static_cast<unsigned>(lanes));
  return text;
}

/// Where lanes of `absent` and of `present` last diverged; removes all others from `absent`. Null: too long ago.
static const DivergencePoint* divergence_point_of(const Warp& warp, Mask& missing, Mask present) {
  const std::size_t kept = warp.divergence_points.size();
  for (std::uint32_t back = 1; back <= std::min<std::size_t>(warp.parted, kept); ++back) {
    const DivergencePoint& divergence_point = warp.divergence_points[(warp.parted - back) % kept];
    for (const auto& [gone, stayed] : {std::pair(divergence_point.some, divergence_point.others),
                                       std::pair(divergence_point.others, divergence_point.some)}) {
      if ((gone & missing) == 0 || (stayed & present) == 0) continue;
      missing &= gone;
      return &divergence_point;
    }
  }
  return nullptr;
}

std::string describe_missing_lanes(const Program& program, const Warp& warp, Mask missing, Mask present) {
  if ((missing & ~warp.exists) == missing) return lanes_text(missing) + " that this block does not have";
  const DivergencePoint* divergence_point = divergence_point_of(warp, missing, present);
  const bool one = __builtin_popcount(missing) == 1;
  std::string text = lanes_text(missing);
  const SourceLine parted = divergence_point != nullptr ? program.source_line(divergence_point->counter) : SourceLine{};
  const int line = parted.line;
  if (line != 0) text += " took another way at line " + std::to_string(line);
  if ((missing & warp.live) == 0)
    return text + (line != 0 ? ", and " : " ") + (one ? "has" : "have") + " left the kernel";
  for (const auto& split : warp.splits) {
    if ((split.mask & missing) == 0 || split.state == WarpSplit::State::runnable) continue;
    const SourceLine waiting = program.source_line(instruction_of(program, split).counter);
    if (waiting.line != 0) {
      text += std::string(line != 0 ? ", and " : " ") + (one ? "waits" : "wait") + " at line " +
              std::to_string(waiting.line);
      if (line != 0 && waiting.file != parted.file) text += " of " + waiting.file.substr(waiting.file.rfind('/') + 1);
    }
    break;
  }
  return text;
}

std::string exits_before(const Program& program, const Block& block, const MicroOp& barrier) {
  const auto at = std::find_if(program.code.begin(), program.code.end(), [&](const MicroOp& op) {
    return op.counter == barrier.counter && op.kind == MicroOpcode::barrier;
  });
  const auto away = branches_away_from(program, static_cast<std::uint32_t>(at - program.code.begin()));
  std::set<int> lines;
  for (const auto& warp : block.warps) {
    Mask left = warp.exists & ~warp.live;
    if (left == 0) continue;
    std::uint32_t counter = warp.last_branch;  // for a whole warp that has exited: its last branch
    if (warp.live != 0) {
      const DivergencePoint* divergence_point = divergence_point_of(warp, left, warp.live);
      counter = divergence_point != nullptr ? divergence_point->counter : 0;
    } else if (std::find(away.begin(), away.end(), counter) == away.end()) {
      counter = away.size() == 1 ? away.front() : 0;
    }
    lines.insert(counter != 0 ? program.source_line(counter).line : 0);
  }
  return lines.size() == 1 && *lines.begin() != 0 ? " at line " + std::to_string(*lines.begin()) : "";
}

}  // namespace cudasim
