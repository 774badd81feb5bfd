// SPDX-License-Identifier: MIT
#include "machine/registers/affine_registers.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cudasim {
namespace {

std::uint64_t first_lane(const Warp& warp, const Program::AffineResult& affine) {
  std::uint64_t value = 0;
  std::memcpy(&value, warp.frames + affine.slot, affine.wide ? 8 : 4);
  return value;
}

/// The slot's value as the wider type that it becomes.
std::int64_t value_of(const Warp& warp, const Program::Widened& widened, unsigned lane) {
  std::uint32_t word;
  std::memcpy(&word, warp.frames + widened.slot + 4 * lane, sizeof word);
  return widened.is_signed ? static_cast<std::int32_t>(word) : static_cast<std::int64_t>(word);
}

}  // namespace

AffineRegisters::AffineRegisters(Worker& worker, const FrameConstants& constants, const LoadStoreUnit& memory)
    : Unit(worker),
      constants_(constants),
      memory_(memory),
      additions_(worker.additions),
      skips_launch_invariant_(worker.skips_launch_invariant),
      is_watched_(!worker.watchers.empty()) {
  for (const auto& constant : program_.functions[0].constants) {
    if (differs_by_block(constant.source)) block_constants_.push_back(constant);
  }
}

void AffineRegisters::prepare(const Block& block, Warp& warp) const {
  for (const auto& constant : program_.functions[0].constants) constants_.write(block, warp, constant, 0, 0, ~0u);
  if (skips_launch_invariant_) settle(warp);
}

/// Carries out the operations that have the same result in every block (Program::launch_invariant).
void AffineRegisters::settle(Warp& warp) const {
  for (const std::uint32_t pc : program_.launch_invariant) {
    const MicroOp& op = program_.code[pc];
    if (op.kind == MicroOpcode::pure) {
      op.execute(warp.frames, op, ~0u);
    } else {
      memory_.fill_parameter(warp.frames, program_.accesses[op.extra], ~0u);
    }
  }
}

/// All registers of a warp that differ between blocks.
void AffineRegisters::begin(const Block& block, Warp& warp) const {
  for (const auto& constant : block_constants_) constants_.write(block, warp, constant, 0, 0, ~0u);
  if (!skips_launch_invariant_) return;
  for (const std::uint32_t pc : program_.affine) program_.code[pc].execute(warp.frames, program_.code[pc], ~0u);
}

/// The registers of all warps. Those of the previous block in this storage are still there.
void AffineRegisters::begin(Block& block) {
  Warp& first = block.warps.front();
  const bool may_shift = skips_launch_invariant_ && !is_watched_ && block.has_begun;
  const auto& affine = program_.affine_results;
  std::array<std::uint64_t, kMostAffineResults> before;
  if (may_shift) {
    if (!knows_distances_) find_distances(block);
    for (std::size_t i = 0; i < affine.size(); ++i) before[i] = first_lane(first, affine[i]);
  }
  begin(block, first);
  const bool was_even = block.is_even;
  block.has_begun = true;
  block.is_even = may_shift && is_even(first);
  block.knows_affine_accesses = block.is_even && knows_affine_accesses_;
  if (block.warps.size() == 1) return;
  if (!was_even || !block.is_even) {
    for (auto warp = block.warps.begin() + 1; warp != block.warps.end(); ++warp) begin(block, *warp);
    return;
  }
  const Warp& second = block.warps[1];
  const std::size_t others = block.warps.size() - 1;
  for (std::size_t i = 0; i < affine.size(); ++i) {
    const auto shift = affine[i].wide ? kernels_.shift64 : kernels_.shift32;
    shift(second.frames + affine[i].slot, worker_.bytes_of_warp, others, first_lane(first, affine[i]) - before[i]);
  }
  for (const auto& constant : block_constants_) {
    if (!constant.is_read) continue;
    for (auto warp = block.warps.begin() + 1; warp != block.warps.end(); ++warp)
      constants_.write(block, *warp, constant, 0, 0, ~0u);
  }
}

/// The registers that are the same in all blocks, for a block whose registers were all computed.
void AffineRegisters::find_distances(Block& block) {
  knows_distances_ = block.is_even = true;
  const Warp& first = block.warps.front();
  for (const auto& widened : program_.widened) {
    const std::int64_t from = value_of(first, widened, 0);
    Distances distances{widened, 0, 0};
    for (const Warp& warp : block.warps) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const std::int64_t distance = value_of(warp, widened, lane) - from;
        distances.least = std::min(distances.least, distance);
        distances.most = std::max(distances.most, distance);
      }
    }
    distances_.push_back(distances);
  }
  find_known_accesses(block);
}

void AffineRegisters::find_known_accesses(const Block& block) {
  // Loads that debug code may watch are noted, and memory that a kernel frees is gone.
  const bool frees = std::any_of(program_.calls.begin(), program_.calls.end(),
                                 [](const Call& call) { return call.callee == Call::Callee::free; });
  if (program_.text->debug || frees) return;
  known_ = zeroed<AffineAccess>(program_.accesses.size());
  for (std::size_t i = 0; i < program_.accesses.size(); ++i) {
    const MemoryAccess& access = program_.accesses[i];
    if (!access.is_affine) continue;
    const bool is_known = std::all_of(block.warps.begin(), block.warps.end(), [&](const Warp& warp) {
      const auto* const addresses = reinterpret_cast<const std::uint64_t*>(warp.frames + access.base);
      return warp.exists != ~0u || kernels_.contiguous64(addresses, addresses[0], access.bytes, ~0u);
    });
    if (!is_known) continue;
    known_[i].base = access.base;
    known_[i].slot = access.data[0].slot;
    known_[i].bytes = access.bytes;
    knows_affine_accesses_ = true;
  }
}

/// Whether the neighbours that an access touches lie in memory in which the next ones may be looked up.
bool AffineRegisters::find_memory(const std::byte* frame, const MicroOp& op, AffineAccess& known) const {
  const MemoryAccess& access = program_.accesses[op.extra];
  std::uint64_t address;
  std::memcpy(&address, frame + known.base, sizeof address);
  address += static_cast<std::uint64_t>(access.displacement);
  const std::uint64_t bytes = kWarpSize * known.bytes;
  const Allocation* const in = grid_.memory.find(address);
  if (in == nullptr || in->host == nullptr || (access.is_store && in->read_only)) return false;
  // Sectors are counted by the place in it.
  if (in->address % 32 != 0 || address - in->address + bytes > in->size_bytes) return false;
  known.end = in->size_bytes - bytes + 1;
  known.from = static_cast<std::uint64_t>(access.displacement) - in->address;
  known.begin = in->address;
  known.memory = in->host;
  known.counters = &counters_[op.counter];
  return true;
}

/// Whether no thread's value wraps where it is widened.
bool AffineRegisters::is_even(const Warp& first) const {
  return std::all_of(distances_.begin(), distances_.end(), [&](const Distances& distances) {
    const std::int64_t value = value_of(first, distances.widened, 0);
    const std::int64_t end = distances.widened.is_signed ? std::int64_t{1} << 31 : std::int64_t{1} << 32;
    return value + distances.least >= end - (std::int64_t{1} << 32) && value + distances.most < end;
  });
}

}  // namespace cudasim
