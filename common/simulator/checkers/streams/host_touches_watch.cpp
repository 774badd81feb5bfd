// SPDX-License-Identifier: MIT
// Notes what a launch touches of memory that the host shares. The runtime compares the host's own accesses with it.
#include "checkers/streams/host_touches_watch.h"

#include "memory/host_touches.h"
#include "state/grid.h"

namespace cudasim {
namespace {

/// Device addresses that the host cannot use lie above these.
constexpr std::uint64_t kEndOfHostAddresses = std::uint64_t{1} << 52;

class HostTouchesWatch final : public Watcher {
 public:
  explicit HostTouchesWatch(HostTouches& touches) : touches_(touches) {}

  void before(const Step&, const MemoryAccess& access, const AtomicAccess* atomic, const LaneAddresses& at) override {
    if (at.space != ptx::Space::global || at.of(at.first_lane()) >= kEndOfHostAddresses) return;
    const bool is_ordered = atomic != nullptr ? access.of_system : access.ordering != Ordering::weak;
    if (is_ordered) touches_.may_agree_with_host();
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const std::uint64_t address = at.of(static_cast<unsigned>(__builtin_ctz(m)));
      touches_.add(address, at.bytes, access.is_store || atomic != nullptr);
    }
  }
  bool before_again(const Step&, const MemoryAccess&, AccessSite&, std::uint32_t) override { return true; }
  bool takes_coalesced() const override { return true; }
  bool before_coalesced(const Step&, const MemoryAccess& access, const AccessSite&,
                        const CoalescedAccess& now) override {
    if (access.ordering != Ordering::weak) return false;
    if (now.address < kEndOfHostAddresses) touches_.add(now.address, now.bytes, access.is_store);
    return true;
  }

 private:
  HostTouches& touches_;
};

}  // namespace

std::shared_ptr<Watcher> watch_host_touches(Grid& grid) {
  HostTouches* const touches = grid.launch.host_touches.get();
  return touches == nullptr ? nullptr : std::make_shared<HostTouchesWatch>(*touches);
}

}  // namespace cudasim
