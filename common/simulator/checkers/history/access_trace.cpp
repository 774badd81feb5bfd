// SPDX-License-Identifier: MIT
#include "checkers/history/access_trace.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "state/grid.h"

namespace cudasim {

void AccessTrace::begin_launch(Grid& grid) {
  program_ = &grid.program;
  dynamic_shared_bytes_ = grid.launch.dynamic_shared_bytes;
  Launch& record = launches_.emplace_back();
  record.kernel = grid.program.info.name;
  record.grid = grid.launch.grid;
  record.block = grid.launch.block;
  steps_ = {};
  executions_.clear();
  instructions_.clear();
}

void AccessTrace::add(const AccessSeen& access) {
  const Action action = access.is_atomic ? Action::atomic : access.is_store ? Action::store : Action::load;
  if (!wants(access.warp, access.instruction, action)) return;
  Event event;
  event.warp = access.warp;
  event.mask = access.lanes;
  event.sectors = access.sectors;
  event.wavefronts = access.wavefronts;
  event.least_wavefronts = access.least_wavefronts;
  std::copy(std::begin(access.address), std::end(access.address), event.values.begin());
  const bool is_shared = access.space == ptx::Space::shared;
  add(access.instruction,
      {{}, action, is_shared, access.bytes, access.counted_bytes, access.counted_from, access.in_rows},
      array_of(access), event);
}

void AccessTrace::shuffle(const ShuffleSeen& shuffle) {
  if (!wants(shuffle.warp, shuffle.instruction, Action::shuffle)) return;
  Event event;
  event.warp = shuffle.warp;
  event.mask = shuffle.lanes;
  std::copy(std::begin(shuffle.source), std::end(shuffle.source), event.values.begin());
  add(shuffle.instruction, {{}, Action::shuffle, false, 4, 4, 0, false}, {}, event);
}

AccessTrace::Array AccessTrace::array_of(const AccessSeen& access) const {
  if (access.allocation != nullptr) {
    const Allocation& found = *access.allocation;
    return {false, found.name, found.id, found.address, found.size_bytes};
  }
  const std::uint64_t address = access.address[__builtin_ctz(access.lanes)];
  for (const auto& variable : program_->shared) {
    const std::uint64_t bytes = variable.size_bytes != 0 ? variable.size_bytes : dynamic_shared_bytes_;
    if (address - variable.offset < bytes) return {true, variable.name, 0, variable.offset, bytes};
  }
  return {access.space == ptx::Space::shared, {}, 0, 0, 0};
}

/// Whether an event of the instruction `counter` is still kept; counts it.
bool AccessTrace::wants(std::uint32_t warp, std::uint32_t counter, Action action) {
  if (counter != 0 && executions_[{counter, action, warp}]++ < kMostExecutions && events_ < kMostEvents) return true;
  ++launches_.back().left_out;
  return false;
}

/// `event`: all but instruction, array and step.
void AccessTrace::add(std::uint32_t counter, const Instruction& instruction, const Array& array, Event event) {
  Launch& launch = launches_.back();
  const auto [found, is_new] = instructions_.try_emplace({counter, instruction.action, instruction.is_shared},
                                                         static_cast<std::uint32_t>(launch.instructions.size()));
  if (is_new) {
    launch.instructions.push_back(instruction);
    launch.instructions.back().where = program_->source_line(counter);
    auto chain = program_->source_chain(counter);
    if (chain.size() > 1) launch.instructions.back().inlined = std::move(chain);
  }
  const auto known = std::find_if(launch.arrays.begin(), launch.arrays.end(), [&](const Array& other) {
    return other.is_shared == array.is_shared && other.address == array.address;
  });
  event.instruction = found->second;
  event.array = static_cast<std::uint32_t>(known - launch.arrays.begin());
  event.step = steps_[event.warp];
  if (known == launch.arrays.end()) launch.arrays.push_back(array);
  launch.events.push_back(event);
  ++events_;
}

void AccessTrace::open_barrier(std::uint64_t, std::uint32_t warps) {
  for (; warps != 0; warps &= warps - 1) ++steps_[static_cast<unsigned>(__builtin_ctz(warps))];
}

}  // namespace cudasim
