// SPDX-License-Identifier: MIT
// Accesses of a kernel to memory that a copy or a fill of another stream touches, where nothing orders the two. The
// order of this run does not matter: on a GPU either may come first.
#include "checkers/streams/stream_order.h"

#include <string>
#include <utility>

#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "state/grid.h"

namespace cudasim {

namespace {

class StreamWatch final : public Watcher {
 public:
  explicit StreamWatch(Grid& grid) : grid_(grid) {}
  void before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
              const LaneAddresses& at) override;
  bool before_again(const Step&, const MemoryAccess&, AccessSite&, std::uint32_t) override { return true; }

 private:
  Grid& grid_;
};

void StreamWatch::before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
                         const LaneAddresses& at) {
  if (at.space != ptx::Space::global) return;
  for (const UnorderedWork& work : grid_.launch.unordered) {
    const bool is_write = access.is_store || atomic != nullptr;
    if (!is_write && !work.places.is_write) continue;
    Mask hit = 0;
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (work.places.overlap(at.of(lane), at.bytes)) hit |= 1u << lane;
    }
    if (hit == 0) continue;
    Finding f = finding_at(grid_, step, hit, FindingKind::stream_order);
    f.address = at.of(static_cast<unsigned>(__builtin_ctz(hit)));
    f.access_bytes = at.bytes;
    f.is_store = is_write;
    f.is_atomic = atomic != nullptr;
    describe_global(grid_, f, f.address, at.bytes);
    f.message = std::string("the kernel, in ") + grid_.launch.stream + ", " + (is_write ? "writes" : "reads") +
                " memory that " + work.what + ", and nothing orders the two";
    f.other_call = work.callers;
    add_defect(grid_, step.block.linear, std::move(f));
  }
}

}  // namespace

std::shared_ptr<Watcher> watch_streams(Grid& grid) {
  return grid.launch.unordered.empty() ? nullptr : std::make_shared<StreamWatch>(grid);
}

}  // namespace cudasim
