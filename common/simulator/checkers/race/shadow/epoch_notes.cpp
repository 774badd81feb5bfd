// SPDX-License-Identifier: MIT
// Accesses of shared memory that are noted (shared_epoch.h), and the segments that are made from the notes. They are
// the segments that would exist if each access had been compared at its own time.
#include <utility>

#include "checkers/race/shadow/race_checker.h"
#include "program/program.h"

namespace cudasim {
namespace {

constexpr std::size_t kMostShapes = 256;
/// Up to this number of bytes, it is quicker to give up all lines than to go lane by lane.
constexpr std::uint64_t kMostStretch = 1024;

}  // namespace

const Shape& RaceChecker::shape_of(const std::uint32_t* offset, std::uint32_t bytes) {
  static const Shape none;
  for (const auto& shape : shapes_) {
    if (shape->is_of(offset, bytes)) return *shape;
  }
  if (shapes_.size() == kMostShapes) return none;
  shapes_.push_back(std::make_unique<Shape>(offset, bytes));
  return *shapes_.back();
}

bool RaceChecker::note(RaceBlock& block, const Shape& shape, std::uint32_t begin, std::uint32_t warp,
                       std::uint32_t instruction, bool is_store) {
  if (block.epoch.is_full()) return false;
  const auto& clocks = block.clocks.warps[warp];
  return block.epoch.note({&shape.span, shape.bytes, begin, instruction, warp, clocks.now, clocks.lanes, is_store},
                          shape);
}

bool RaceChecker::note_once(RaceBlock& block, const Span& span, std::uint32_t bytes, Mask mask, std::uint32_t warp,
                            std::uint32_t instruction, bool is_store) {
  if (span.most > ~std::uint32_t{0}) return false;  // nowhere in shared memory
  const bool is_one_lane = (mask & (mask - 1)) == 0;
  if (is_store && span.least == span.most && !is_one_lane) return false;  // SharedEpoch::note_once() would find it late
  Span offsets = span;
  offsets.most -= span.least;
  offsets.least = 0;
  const auto begin = static_cast<std::uint32_t>(span.least);
  const auto& clocks = block.clocks.warps[warp];
  return block.epoch.note_once({&offsets, bytes, begin, instruction, warp, clocks.now, clocks.lanes, is_store, mask});
}

/// An access that is compared comes after the noted accesses of its lines.
void RaceChecker::give_up_notes(RaceBlock& block, const Access& access, Mask mask) {
  bool noted = block.epoch.is_full();
  if (access.span != nullptr && access.span->most - access.span->least <= kMostStretch) {
    noted |= block.epoch.give_up(access.span->least, access.span->most + access.bytes);
  } else {
    for (Mask m = mask; m != 0; m &= m - 1) {
      const std::uint64_t address = access.address_of(static_cast<unsigned>(__builtin_ctz(m)));
      noted |= block.epoch.give_up(address, address + access.bytes);
    }
  }
  if (noted) take_notes(block);
}

/// None of them races with another one, so this finds nothing.
void RaceChecker::take_notes(RaceBlock& block) {
  if (!block.epoch.has_notes()) return;
  for (const SharedEpoch::EpochNote& note : block.epoch.take()) {
    Span span = *note.span;
    span.least += note.begin;
    span.most += note.begin;
    Access access;
    access.warp = note.warp;
    access.instruction = note.instruction;
    access.bytes = note.bytes;
    access.kind.store = note.is_store;
    access.kind.observes = !note.is_store;
    access.ordering = Ordering::weak;
    access.is_shared = true;
    access.span = &span;
    auto& warp = block.clocks.warps[note.warp];
    const Clock now = std::exchange(warp.now, note.now), lanes = std::exchange(warp.lanes, note.lanes);
    look_at_shared(block, access, note.mask);
    warp.now = now;
    warp.lanes = lanes;
  }
}

void RaceChecker::sync_warp(RaceBlock& block, std::uint32_t warp, Mask mask, Mask live) {
  if ((live & ~mask) != 0) take_notes(block);  // else it changes only the part of each note that concerns its warp
  HappensBefore::sync_warp(block.clocks, warp, mask, live);
}

void RaceChecker::arrive(RaceBlock& block, std::uint32_t warp, std::uint32_t barrier, Mask lanes, Mask all) {
  take_notes(block);
  if (lanes == all) {
    order_.arrive(block.clocks, warp, barrier);
  } else {
    HappensBefore::arrive_lanes(block.clocks, warp, barrier, lanes);
  }
}

void RaceChecker::open(RaceBlock& block, std::uint32_t barrier, std::uint32_t warps, bool all, const WarpLanes* lanes) {
  if (!all) take_notes(block);
  if (lanes != nullptr) HappensBefore::open_lanes(block.clocks, barrier, warps, *lanes);
  order_.open(block.clocks, barrier, warps, all);
  if (!all) return;
  // All earlier accesses of the block are ordered before its next one.
  block.epoch.forget();
  block.pool.clear();
  ++block.shared.generation;
}

void RaceChecker::fence(RaceBlock& block, std::uint32_t warp, bool whole_grid) {
  take_notes(block);
  order_.fence(block.clocks, warp, whole_grid);
}

}  // namespace cudasim
