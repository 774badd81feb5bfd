// SPDX-License-Identifier: MIT
#include "timing/recorder.h"

#include <algorithm>

#include "state/async_copies.h"

namespace cudasim {
namespace {

using Detail = BlockTrace::Detail;
using Place = TracedRequest::Place;
using Space = ptx::Space;

}  // namespace

Recorder::Recorder(Sampler& sampler, const Program& program)
    : sampler_(sampler),
      program_(program),
      kernels_(lane_kernels(best_level())),
      passes_by_l1_(program.origins.size(), 0) {}

void Recorder::begin_block(Block& block) {
  if (block.slot >= traces_.size()) traces_.resize(block.slot + 1, nullptr);
  traces_[block.slot] = sampler_.begin_block(block.linear);
}

void Recorder::enter(const Block& block, const Warp& warp, std::uint32_t pc, std::uint32_t frame) {
  WarpTrace& trace = traces_[block.slot]->warps[warp.index];
  trace.entered = pc;
  if (trace.traced < sampler_.most_instructions()) trace.runs.push_back({pc, pc, frame});
  trace.is_open = trace.traced < sampler_.most_instructions();
}

void Recorder::leave(const Block& block, const Warp& warp, std::uint32_t pc) {
  WarpTrace& trace = traces_[block.slot]->warps[warp.index];
  trace.instructions += pc - trace.entered;
  if (!trace.is_open) return;
  trace.is_open = false;
  trace.traced += pc - trace.entered;
  trace.runs.back().end = pc;
  if (pc == trace.entered) trace.runs.pop_back();
}

void Recorder::open_barrier(const Block& block, std::uint32_t, const WarpLanes& lanes) {
  BlockTrace* const trace = traces_[block.slot];
  if (trace == nullptr || trace->detail != Detail::instructions) return;
  std::uint32_t waiting = 0;
  for (std::size_t w = 0; w < trace->warps.size(); ++w) {
    WarpTrace& warp = trace->warps[w];
    if (lanes[w] == 0 || warp.traced >= sampler_.most_instructions()) continue;
    warp.barriers.push_back(
        {static_cast<std::uint32_t>(warp.runs.size()), static_cast<std::uint32_t>(trace->barriers.size())});
    ++waiting;
  }
  if (waiting != 0) trace->barriers.push_back(waiting);
}

/// Null where the request's run is not kept.
TracedRequest* Recorder::start_request(BlockTrace& trace, const Step& step, Place place) const {
  if (trace.detail != Detail::instructions) return nullptr;
  WarpTrace& warp = trace.warps[step.warp.index];
  if (!warp.is_open) return nullptr;
  TracedRequest& request = warp.requests.emplace_back();
  request.run = static_cast<std::uint32_t>(warp.runs.size() - 1);
  request.pc = static_cast<std::uint32_t>(&step.op - program_.code.data());
  request.first_line = static_cast<std::uint32_t>(trace.lines.size());
  request.place = place;
  return &request;
}

void Recorder::add_lines(const LaneAddresses& at, Traffic traffic) {
  if (at.how == LaneAddresses::How::coalesced && at.mask == ~0u)
    return sink_.add_range(at.least() / kSectorBytesOfLine, (at.end() - 1) / kSectorBytesOfLine, traffic);
  const std::uint64_t least = at.least(), line_of_least = least / kLineBytes;
  if (at.near() && (at.end() - 1) / kLineBytes == line_of_least) {
    const auto begin = static_cast<std::uint32_t>(least % kLineBytes);
    unsigned all = 1u << begin / kSectorBytesOfLine;
    if (at.end() - least > at.bytes) {
      for (Mask m = at.mask; m != 0; m &= m - 1)
        all |= 1u << (begin + at.span.offset[__builtin_ctz(m)]) / kSectorBytesOfLine;
    }
    return sink_.add(line_of_least, static_cast<SectorMask>(all), traffic);
  }
  std::uint64_t lines[kWarpSize];
  SectorMask sectors[kWarpSize];
  unsigned count = 0;
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const std::uint64_t address = at.of(static_cast<unsigned>(__builtin_ctz(m)));
    const std::uint64_t sector = address / kSectorBytesOfLine, line = sector / kSectorsPerLine;
    unsigned i = count;
    while (i != 0 && lines[i - 1] != line) --i;
    if (i == 0) {
      lines[count] = line;
      sectors[count++] = 0;
      i = count;
    }
    sectors[i - 1] |= static_cast<SectorMask>(1u << sector % kSectorsPerLine);
  }
  for (unsigned i = 0; i < count; ++i) sink_.add(lines[i], sectors[i], traffic);
}

/// Volatile and ordered accesses, and those with the operator .cg, go past the L1.
Traffic Recorder::traffic_of(const MemoryAccess& access, const MicroOp& op) {
  if (access.is_store) return Traffic::store;
  if (access.ordering != Ordering::weak) return Traffic::load_past_l1;
  std::uint8_t& known = passes_by_l1_[op.counter];
  if (known == 0) {
    known = 1;
    const InstructionOrigin& origin = program_.origins[op.counter];
    if (origin.row != nullptr) {
      for (const std::string_view token : tokens_of(*origin.row, origin.match)) {
        if (token == "cg" || token == "cv" || token == "L1::no_allocate") known = 2;
      }
    }
  }
  return known == 2 ? Traffic::load_past_l1 : Traffic::load;
}

template <class AddLines>
void Recorder::add_request(const Step& step, AddLines add_lines) {
  BlockTrace& trace = *traces_[step.block.slot];
  TracedRequest* const request = start_request(trace, step, Place::global);
  const std::size_t before = trace.lines.size();
  sink_.block = &trace;
  sink_.warp = step.warp.index;
  sink_.instruction = step.op.counter;
  add_lines();
  sink_.end_request();
  if (request != nullptr) request->lines = static_cast<std::uint16_t>(trace.lines.size() - before);
}

void Recorder::before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
                      const LaneAddresses& at) {
  BlockTrace* const trace = traces_[step.block.slot];
  // See start_copy(), rows(), fragment().
  if (trace == nullptr || step.op.kind == MicroOpcode::async_copy || step.op.kind == MicroOpcode::matrix) return;
  add_access(step, access, atomic, at);
}

void Recorder::add_access(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
                          const LaneAddresses& at) {
  BlockTrace* const trace = traces_[step.block.slot];
  if (at.space == Space::global) {
    const Traffic traffic = atomic != nullptr ? Traffic::update : traffic_of(access, step.op);
    return add_request(step, [&] { add_lines(at, traffic); });
  }
  if (trace->detail != Detail::instructions) return;
  if (at.space == Space::local) {
    if (!access.is_parameter) start_request(*trace, step, Place::near);
  } else if (at.space == Space::shared) {
    TracedRequest* const request = start_request(*trace, step, Place::shared);
    if (request == nullptr) return;
    LaneAddresses all = at;
    all.spell_out();
    const Passes passes = atomic != nullptr ? atomic_passes(kernels_, *atomic, all) : passes_of(kernels_, access, all);
    request->passes = static_cast<std::uint16_t>(passes.wavefronts.count);
  }
}

bool Recorder::before_again(const Step& step, const MemoryAccess&, AccessSite&, std::uint32_t) {
  return !follows(step.block);
}

bool Recorder::before_coalesced(const Step& step, const MemoryAccess& access, const AccessSite&,
                                const CoalescedAccess& now) {
  BlockTrace* const trace = traces_[step.block.slot];
  if (trace == nullptr) return true;
  const std::uint64_t first = now.address / kSectorBytesOfLine;
  const std::uint64_t last = (now.address + now.bytes - 1) / kSectorBytesOfLine;
  add_request(step, [&] { sink_.add_range(first, last, traffic_of(access, step.op)); });
  return true;
}

void Recorder::rows(const Step& step, const MemoryAccess&, const LaneAddresses& at) {
  BlockTrace* const trace = traces_[step.block.slot];
  if (trace == nullptr) return;
  TracedRequest* const request = start_request(*trace, step, Place::shared);
  if (request != nullptr) request->passes = static_cast<std::uint16_t>(row_passes(kernels_, at).wavefronts.count);
}

void Recorder::fragment(const Step& step, const MemoryAccess& access, const LaneAddresses& at, bool by_rows) {
  if (by_rows) return rows(step, access, at);
  if (traces_[step.block.slot] != nullptr) add_access(step, access, nullptr, at);
}

void Recorder::start_copy(const Step& through, const PendingCopy& copy) {
  if (traces_[through.block.slot] == nullptr || copy.from.mask == 0) return;
  const Traffic traffic = traffic_of(program_.accesses[through.op.extra], through.op);
  add_request(through, [&] { add_lines(copy.from, traffic); });
}

}  // namespace cudasim
