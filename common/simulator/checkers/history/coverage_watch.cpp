// SPDX-License-Identifier: MIT
// The check `coverage`: which bytes of device memory kernels load, and which they are the last to write. It reports
// nothing by itself. A grader asks whether every byte of an input was loaded.
#include <memory>

#include "checkers/registry/checks.h"
#include "state/async_copies.h"
#include "state/grid.h"
#include "state/watcher.h"

namespace cudasim {
namespace {

class CoverageWatch final : public Watcher {
 public:
  explicit CoverageWatch(const Memory& memory) : memory_(memory) {}

  void before(const Step&, const MemoryAccess& access, const AtomicAccess* atomic, const LaneAddresses& at) override {
    if (at.space == ptx::Space::global)
      mark_lanes(at, !access.is_store || atomic != nullptr, access.is_store || atomic != nullptr);
  }
  bool before_again(const Step&, const MemoryAccess&, AccessSite&, std::uint32_t) override { return true; }
  bool takes_coalesced() const override { return true; }
  bool before_coalesced(const Step&, const MemoryAccess& access, const AccessSite&,
                        const CoalescedAccess& now) override {
    mark(*now.allocation, now.address, now.bytes, !access.is_store, access.is_store);
    return true;
  }
  // Some copies are made when nobody watches any more, and lanes that copy less are no access.
  void start_copy(const Step&, const PendingCopy& copy) override {
    if (copy.from.mask != 0) mark_lanes(copy.from, true, false);
    for (Mask m = copy.shortened; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      mark_place(copy.source[lane], copy.bytes[lane], true, false);
    }
  }

 private:
  static void mark(const Allocation& in, std::uint64_t address, std::uint64_t bytes, bool is_load, bool is_store) {
    if (in.loaded == nullptr) return;
    if (is_load) written::set(in.loaded.get(), address - in.address, bytes);
    if (is_store) written::set(in.stored.get(), address - in.address, bytes);
  }
  void mark_place(std::uint64_t address, std::uint64_t bytes, bool is_load, bool is_store) {
    if (last_ == nullptr || !last_->contains(address)) last_ = memory_.find(address);
    if (last_ != nullptr && bytes <= last_->size_bytes - (address - last_->address))
      mark(*last_, address, bytes, is_load, is_store);
  }
  void mark_lanes(const LaneAddresses& at, bool is_load, bool is_store) {
    const Mask run = at.mask >> at.first_lane();
    if (at.how == LaneAddresses::How::coalesced && (run & (run + 1)) == 0)
      return mark_place(at.least(), at.end() - at.least(), is_load, is_store);
    for (Mask m = at.mask; m != 0; m &= m - 1)
      mark_place(at.of(static_cast<unsigned>(__builtin_ctz(m))), at.bytes, is_load, is_store);
  }
  void forget_allocations() override { last_ = nullptr; }

  const Memory& memory_;
  const Allocation* last_ = nullptr;  // of a guess
};

}  // namespace

void look_at_coverage(Checks& checks) {
  checks.watchers.emplace_back([](Grid& grid) { return std::make_shared<CoverageWatch>(grid.memory); });
}

}  // namespace cudasim
