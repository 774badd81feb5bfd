// SPDX-License-Identifier: MIT
#include "checkers/history/observer_watch.h"

#include <algorithm>
#include <cstring>

#include "base/levels.h"
#include "state/grid.h"
#include "state/shuffle.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

/// Passes on each event of a warp, lane by lane.
class ObserverWatch final : public Watcher {
 public:
  ObserverWatch(const Grid& grid, const std::vector<std::shared_ptr<Observer>>& observers)
      : grid_(grid), observers_(observers) {}

  void before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
              const LaneAddresses& at) override {
    notify(&Observer::before, step, access, atomic, at);
  }
  void after(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
             const LaneAddresses& at) override {
    notify(&Observer::after, step, access, atomic, at);
  }
  void rows(const Step& step, const MemoryAccess& access, const LaneAddresses& row) override {
    notify(&Observer::rows, step, access, nullptr, row);
  }
  void idle(const Block& block, bool is_store) override {
    for_those_who_hear(block, [=, &block](Observer& observer) { observer.idle(block.linear, is_store); });
  }
  void shuffle(const Step& step, Mask lanes) override;
  void open_barrier(const Block& block, std::uint32_t, const WarpLanes& lanes) override {
    std::uint32_t warps = 0;
    for (std::size_t w = 0; w < lanes.size(); ++w) warps |= static_cast<std::uint32_t>(lanes[w] != 0) << w;
    for_those_who_hear(block, [=, &block](Observer& observer) { observer.open_barrier(block.linear, warps); });
  }

 private:
  template <class Body>
  void for_those_who_hear(const Block& block, Body body) const {
    for (const auto& observer : observers_) {
      if (observer->hears(block.linear)) body(*observer);
    }
  }
  void notify(void (Observer::*what)(const AccessSeen&), const Step& step, const MemoryAccess& access,
              const AtomicAccess* atomic, const LaneAddresses& at) const;

  const Grid& grid_;
  const std::vector<std::shared_ptr<Observer>>& observers_;
};

void ObserverWatch::notify(void (Observer::*what)(const AccessSeen&), const Step& step, const MemoryAccess& access,
                           const AtomicAccess* atomic, const LaneAddresses& at) const {
  const bool is_observed = std::any_of(observers_.begin(), observers_.end(),
                                       [&](const auto& observer) { return observer->hears(step.block.linear); });
  if (!is_observed || (at.space != Space::shared && at.space != Space::global)) return;
  LaneAddresses all = at;
  all.spell_out();
  const LaneKernels& kernels = lane_kernels(best_level());
  const Passes counted = what == &Observer::rows ? row_passes(kernels, all)
                         : atomic != nullptr     ? atomic_passes(kernels, *atomic, all)
                                                 : passes_of(kernels, access, all);
  AccessSeen seen;
  seen.block = step.block.linear;
  seen.warp = step.warp.index;
  seen.instruction = step.op.counter;
  seen.space = at.space;
  seen.lanes = at.mask;
  seen.bytes = at.bytes;
  seen.is_store = access.is_store;
  seen.is_atomic = atomic != nullptr;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const bool takes_part = (at.mask >> lane & 1) != 0;
    seen.address[lane] = takes_part ? at.of(lane) : 0;
    seen.memory[lane] = takes_part ? grid_.place_of(step.block, at, lane) : nullptr;
  }
  if (at.space == Space::global) seen.allocation = grid_.memory.find(at.of(at.first_lane()));
  seen.sectors = counted.sectors;
  seen.wavefronts = counted.wavefronts.count;
  seen.least_wavefronts = counted.wavefronts.least;
  using Part = MemoryAccess::Joined::Part;
  seen.counted_bytes = access.joined.part == Part::none ? at.bytes : access.joined.bytes;
  seen.counted_from = access.joined.offset;
  seen.in_rows = step.op.kind == MicroOpcode::matrix && grid_.program.matrices[step.op.extra].is_by_rows();
  for_those_who_hear(step.block, [&](Observer& observer) { (observer.*what)(seen); });
}

void ObserverWatch::shuffle(const Step& step, Mask lanes) {
  const std::byte* frame = step.warp.frames + step.split.frame;
  const MicroOp& op = step.op;
  ShuffleSeen seen;
  seen.block = step.block.linear;
  seen.warp = step.warp.index;
  seen.instruction = op.counter;
  seen.lanes = lanes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    std::uint32_t distance, segment;
    std::memcpy(&distance, frame + op.b + 4 * lane, 4);
    std::memcpy(&segment, frame + op.c + 4 * lane, 4);
    bool in_range = false;
    seen.source[lane] = shuffle_source(grid_.program.warp_operations[op.extra].mode, lane, distance, segment, in_range);
  }
  for_those_who_hear(step.block, [&](Observer& observer) { observer.shuffle(seen); });
}

}  // namespace

std::shared_ptr<Watcher> watch_for_observers(const Grid& grid,
                                             const std::vector<std::shared_ptr<Observer>>& observers) {
  return std::make_shared<ObserverWatch>(grid, observers);
}

}  // namespace cudasim
