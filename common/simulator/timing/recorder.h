// SPDX-License-Identifier: MIT
// Keeps what the sampled blocks of one worker do. A Watcher gives it the accesses; the dispatch loop gives it the runs
// of instructions, in blocks of which it follows these.
#pragma once

#include <cstdint>
#include <vector>

#include "state/block.h"
#include "state/watcher.h"
#include "timing/caches/line_sink.h"
#include "timing/sampler.h"

namespace cudasim {

class Recorder final : public Watcher {
 public:
  Recorder(Sampler& sampler, const Program& program);

  void begin_block(Block& block) override;
  void before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
              const LaneAddresses& at) override;
  bool before_again(const Step& step, const MemoryAccess& access, AccessSite& site, std::uint32_t begin) override;
  bool takes_coalesced() const override { return true; }
  bool before_coalesced(const Step& step, const MemoryAccess& access, const AccessSite& site,
                        const CoalescedAccess& now) override;
  void rows(const Step& step, const MemoryAccess& access, const LaneAddresses& at) override;
  void fragment(const Step& step, const MemoryAccess& access, const LaneAddresses& at, bool by_rows) override;
  void start_copy(const Step& through, const PendingCopy& copy) override;
  void open_barrier(const Block& block, std::uint32_t barrier, const WarpLanes& lanes) override;

  /// Whether the runs of the block's warps are kept.
  bool follows(const Block& block) const {
    const BlockTrace* const trace = traces_[block.slot];
    return trace != nullptr && trace->detail == BlockTrace::Detail::instructions;
  }
  /// A warp of such a block goes on at `pc`, and has come to `pc`, in one run.
  void enter(const Block& block, const Warp& warp, std::uint32_t pc, std::uint32_t frame);
  void leave(const Block& block, const Warp& warp, std::uint32_t pc);

 private:
  void add_access(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic, const LaneAddresses& at);
  template <class AddLines>
  void add_request(const Step& step, AddLines add_lines);
  void add_lines(const LaneAddresses& at, Traffic traffic);
  TracedRequest* start_request(BlockTrace& trace, const Step& step, TracedRequest::Place place) const;
  Traffic traffic_of(const MemoryAccess& access, const MicroOp& op);

  Sampler& sampler_;
  LineSink sink_;  // keeps all lines
  const Program& program_;
  const LaneKernels& kernels_;
  std::vector<BlockTrace*> traces_;         // by slot of a block
  std::vector<std::uint8_t> passes_by_l1_;  // by MicroOp::counter: 0: not known, 1: no, 2: yes
};

}  // namespace cudasim
