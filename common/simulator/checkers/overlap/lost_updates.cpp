// SPDX-License-Identifier: MIT
// One worker runs a kernel with volatile accesses, so all of them come here in their order.
#include "checkers/overlap/lost_updates.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "state/grid.h"

namespace cudasim {
namespace {

constexpr std::size_t kMostReads = 1u << 20;  // that are remembered

class UpdateWatch final : public Watcher {
 public:
  explicit UpdateWatch(Grid& grid) : grid_(grid) {}

  void before(const Step& step, const MemoryAccess&, const AtomicAccess*, const LaneAddresses& at) override {
    const VolatileUpdate update = grid_.program.volatile_updates[step.op.counter];
    if (update == VolatileUpdate::none || at.space != ptx::Space::global) return;
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      const Thread thread{step.block.linear, step.warp.index, lane};
      const auto key = std::pair{at.of(lane), (thread.block << 10) + thread.warp * kWarpSize + lane};
      if (update == VolatileUpdate::load) {
        if (reads_.size() < kMostReads) reads_[key] = places_[at.of(lane)].updates;
        continue;
      }
      const auto read = reads_.find(key);
      Place& place = places_[at.of(lane)];
      if (read != reads_.end() && read->second != place.updates) report(step, lane, at, place);
      if (read != reads_.end()) reads_.erase(read);
      ++place.updates;
      place.by = thread;
      place.instruction = step.op.counter;
    }
  }
  bool before_again(const Step&, const MemoryAccess&, AccessSite&, std::uint32_t) override { return true; }
  bool takes_coalesced() const override { return true; }
  bool before_coalesced(const Step&, const MemoryAccess& access, const AccessSite&, const CoalescedAccess&) override {
    return access.ordering == Ordering::weak;
  }

 private:
  struct Thread {
    std::uint64_t block = 0;
    std::uint32_t warp = 0, lane = 0;
  };
  struct Place {
    std::uint64_t updates = 0;
    Thread by;
    std::uint32_t instruction = 0;
  };

  void report(const Step& step, unsigned lane, const LaneAddresses& at, const Place& place) {
    Finding f = finding_at(grid_, step, 1u << lane, FindingKind::lost_update);
    f.address = at.of(lane);
    f.access_bytes = at.bytes;
    f.is_store = true;
    describe_global(grid_, f, f.address, at.bytes);
    f.message = words_of(FindingKind::lost_update).message;
    f.advice = words_of(FindingKind::lost_update).advice;
    OtherAccess other;
    other.where = grid_.program.source_line(place.instruction);
    other.ptx_line = grid_.program.origins[place.instruction].ptx_line;
    other.block = block_index(grid_, place.by.block);
    other.thread = thread_index(grid_, place.by.warp, place.by.lane);
    other.is_store = true;
    f.other = std::move(other);
    add_defect(grid_, step.block.linear, std::move(f));
  }

  Grid& grid_;
  std::unordered_map<std::uint64_t, Place> places_;                         // by address
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> reads_;  // by address and thread: Place::updates
};

}  // namespace

std::shared_ptr<Watcher> watch_lost_updates(Grid& grid) {
  return grid.program.volatile_updates.empty() ? nullptr : std::make_shared<UpdateWatch>(grid);
}

}  // namespace cudasim
