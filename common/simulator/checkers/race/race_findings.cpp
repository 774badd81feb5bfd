// SPDX-License-Identifier: MIT
// From two accesses of a race to its finding, and from the findings of a launch to those that are reported.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "checkers/race/explain/race_messages.h"
#include "checkers/race/explain/race_place.h"
#include "checkers/race/race_watch.h"
#include "checkers/race/shadow/race_checker.h"
#include "messages/describe_address.h"
#include "messages/element.h"
#include "messages/finding_messages.h"
#include "state/grid.h"

namespace cudasim {
namespace {

unsigned width_of(const std::string& scope) { return scope == "grid" ? 2 : scope == "block" ? 1 : 0; }

/// Whether two stores leave the same bytes wherever both have stored. What a wide store writes beside that is its own.
bool are_equal(const std::byte* before, const std::byte* after, const Conflict& conflict, std::uint32_t bytes) {
  const std::uint32_t size = conflict.granule_bytes;
  if (size == 0 || size > bytes || conflict.address < conflict.access_address)
    return std::memcmp(before, after, bytes) == 0;
  auto at = static_cast<std::uint32_t>(conflict.address - conflict.access_address);
  for (std::uint32_t left = conflict.granules; left != 0 && at + size <= bytes; left >>= 1, at += size) {
    if ((left & 1u) != 0 && std::memcmp(before + at, after + at, size) != 0) return false;
  }
  return true;
}

}  // namespace

void RaceWatch::report(const Seen& seen, const Conflict& conflict) {
  const RaceChecker::Access& now = seen.now;
  const Segment& earlier = conflict.earlier;
  const std::uint64_t block = seen.step.block.linear;
  const Values values = values_of(seen, conflict);
  if (values.known && are_equal(values.before, values.after, conflict, now.bytes)) return;
  if (guesses(now.instruction, now.kind, earlier.kind) || guesses(earlier.instruction, earlier.kind, now.kind)) return;
  if (grid_.is_speculative) return grid_.give_up();
  const auto first = std::min(now.instruction, earlier.instruction);
  const auto second = std::max(now.instruction, earlier.instruction);
  const std::string scope = earlier.block != block ? "grid" : earlier.warp != now.warp ? "block" : "warp";
  const std::uint64_t key = (std::uint64_t{first} << 32 | second) * 3 + width_of(scope);
  const auto known = by_pair_.find(key);
  if (known != by_pair_.end()) {
    ++found_[known->second].finding.occurrences;
    return;
  }
  // The same two lines again, by other instructions or in a wider scope, are one finding with the widest scope. An
  // unrolled loop has thousands of such pairs, and the words of a finding cost much.
  const SourceLine other_line = grid_.program.source_line(earlier.instruction);
  const auto same = found_at(grid_.program.source_line(now.instruction), other_line);
  if (same != found_.end()) ++same->finding.occurrences;
  if (same != found_.end() && width_of(scope) <= width_of(same->finding.scope)) {
    by_pair_[key] = static_cast<std::size_t>(same - found_.begin());
    return;
  }
  Finding g = finding_at(grid_, block, now.warp, now.instruction, 1u << conflict.lane, FindingKind::race);
  if (values.known) {
    const Element element = element_of(grid_.program, g.ptx_line);
    g.value_before = value_text(element, values.before, now.bytes);
    g.value_after = value_text(element, values.after, now.bytes);
  }
  g.scope = scope;
  g.hazard = !now.kind.store ? "read-after-write" : earlier.kind.store ? "write-after-write" : "write-after-read";
  const bool lanes_apart = seen.at.of(seen.at.first_lane()) != seen.at.of(seen.at.last_lane());
  const auto& clocks = slots_[seen.step.block.slot]->block.clocks;
  const std::uint32_t unacquired =
      conflict.same_instruction
          ? 0
          : checker_.order().unacquired(clocks, now.warp, earlier.block, earlier.warp, earlier.clock);
  const auto releaser = scope != "grid"
                            ? HappensBefore::Releaser{}
                            : checker_.order().releaser(clocks, now.warp, earlier.block, earlier.warp, earlier.clock);
  const RaceMessages words = words_of({grid_, conflict, scope, block, now.warp, now.instruction, now.kind, lanes_apart,
                                       unacquired, releaser, seen.step.op.kind == MicroOpcode::async_copy});
  g.message = std::string("a race in ") + (now.is_shared ? "shared" : "global") + " memory: " + words.message;
  g.advice = words.advice;
  g.address = conflict.address;
  g.access_bytes = conflict.bytes;
  g.is_store = now.kind.store;
  g.is_atomic = now.kind.atomic;
  OtherAccess other;
  other.where = other_line;
  other.ptx_line = grid_.program.origins[earlier.instruction].ptx_line;
  other.block = block_index(grid_, earlier.block);
  other.thread = thread_index(grid_, earlier.warp, conflict.earlier_lane);
  other.is_store = earlier.kind.store;
  other.is_atomic = earlier.kind.atomic;
  g.other = std::move(other);
  if (now.is_shared) {
    describe_shared(grid_, g, conflict.address);
  } else {
    describe_global(grid_, g, conflict.address, conflict.bytes);
  }
  by_pair_[key] = static_cast<std::size_t>(same - found_.begin());
  if (same == found_.end()) {
    found_.push_back({grid_.findings.size(), block, std::move(g), now.is_shared, words.wants_barrier});
    return;
  }
  g.occurrences = same->finding.occurrences;
  same->finding = std::move(g);
  same->wants_barrier = words.wants_barrier;
}

/// The finding with these two lines, or the end.
std::vector<RaceWatch::Found>::iterator RaceWatch::found_at(const SourceLine& one, const SourceLine& other) {
  return std::find_if(found_.begin(), found_.end(), [&](const Found& found) {
    const SourceLine &a = found.finding.where, &b = found.finding.other->where;
    return a.line != 0 && ((same_line(a, one) && same_line(b, other)) || (same_line(a, other) && same_line(b, one)));
  });
}

/// Races that lack a barrier and have a line in common are one mistake: a tree of sums without barriers has one in each
/// of its steps. The finding with the first lines of the text stands for all, whichever of them this run met first.
void RaceWatch::join_by_barrier() {
  const auto first_lines = [](const Found& found) {
    const SourceLine &a = found.finding.where, &b = found.finding.other->where;
    auto one = std::make_pair(a.file, a.line), other = std::make_pair(b.file, b.line);
    if (other < one) std::swap(one, other);
    return std::make_pair(one, other);
  };
  const auto have_a_line_in_common = [](const Finding& a, const Finding& b) {
    return same_line(a.where, b.where) || same_line(a.where, b.other->where) || same_line(a.other->where, b.where) ||
           same_line(a.other->where, b.other->where);
  };
  const auto is_of_group = [&](const std::vector<Found>& group, const Found& other) {
    return std::any_of(group.begin(), group.end(), [&](const Found& found) {
      return found.wants_barrier && other.wants_barrier && found.is_shared == other.is_shared &&
             found.finding.scope == other.finding.scope && found.finding.where.line > 0 &&
             have_a_line_in_common(found.finding, other.finding);
    });
  };
  std::vector<Found> joined;
  while (!found_.empty()) {
    std::vector<Found> group;
    for (auto next = found_.begin(); next != found_.end();) {
      if (!group.empty() && !is_of_group(group, *next)) {
        ++next;
        continue;
      }
      group.push_back(std::move(*next));
      found_.erase(next);
      next = found_.begin();  // one that was left may have a line of this one
    }
    const std::size_t before = group.front().before;
    std::sort(group.begin(), group.end(),
              [&](const Found& a, const Found& b) { return first_lines(a) < first_lines(b); });
    Found& first = group.front();
    for (auto other = group.begin() + 1; other != group.end(); ++other)
      first.finding.also.push_back({other->finding.where, other->finding.other->where});
    first.before = before;
    joined.push_back(std::move(first));
  }
  found_ = std::move(joined);
}

void RaceWatch::finish() {
  join_by_barrier();
  const std::vector<std::pair<std::uint64_t, Finding>> others = std::exchange(grid_.findings, {});
  auto next = found_.begin();
  for (std::size_t i = 0; i <= others.size(); ++i) {
    for (; next != found_.end() && next->before <= i; ++next)
      grid_.findings.emplace_back(next->block, std::move(next->finding));
    if (i < others.size()) grid_.findings.push_back(others[i]);
  }
}

}  // namespace cudasim
