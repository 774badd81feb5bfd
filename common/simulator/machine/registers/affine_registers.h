// SPDX-License-Identifier: MIT
// Registers that are the same in every block (Program::launch_invariant), or differ between blocks by one number for
// all threads (Program::affine). The literature calls them uniform and affine. A block's first warp carries out the
// operations that compute the second kind. In the other warps these registers grow by as much as in the first. So the
// places of some accesses are known.
#pragma once

#include <cstring>
#include <vector>

#include "machine/registers/frame_constants.h"
#include "machine/units/load_store_unit.h"

namespace cudasim {

class AffineRegisters : Unit {
 public:
  AffineRegisters(Worker& worker, const FrameConstants& constants, const LoadStoreUnit& memory);

  /// Writes the values that stay the same from block to block, once for each storage of a block.
  void prepare(const Block& block, Warp& warp) const;
  /// The registers of all warps of a block that begins. Those of the previous block in this storage are still there.
  void begin(Block& block);
  /// An access of a whole warp in a block whose places are known. False: nothing has been done.
  template <bool is_store>
  bool move_known(std::byte* frame, const MicroOp& op);

 private:
  struct Distances {  // of all threads' values from the first one's
    Program::Widened widened;
    std::int64_t least, most;
  };
  /// An affine access: each lane's address is a base of the block plus the lane's index times a stride.
  /// An access whose lanes are neighbours in global memory, of each whole warp of a block that is even.
  struct AffineAccess {
    std::uint64_t end;    ///< Where it may begin at most in the memory that it touched the last time.
    std::uint64_t from;   ///< Added to the address of the first lane, it gives that place.
    std::uint64_t begin;  ///< of that memory: an address
    std::byte* memory;
    const std::byte* last;  ///< place
    Counters* counters;
    std::uint32_t base, slot;
    std::uint32_t bytes;  ///< of a lane; 0: it is not one of these
    std::uint64_t place(const std::byte* frame) const {
      std::uint64_t address;
      std::memcpy(&address, frame + base, sizeof address);
      return address + from;
    }
  };

  void settle(Warp& warp) const;
  void begin(const Block& block, Warp& warp) const;
  void find_distances(Block& block);
  void find_known_accesses(const Block& block);
  bool is_even(const Warp& first) const;
  bool find_memory(const std::byte* frame, const MicroOp& op, AffineAccess& known) const;

  const FrameConstants& constants_;
  const LoadStoreUnit& memory_;
  DeferredAtomics& additions_;
  const bool skips_launch_invariant_, is_watched_;
  std::vector<FrameConstant> block_constants_;  // of the kernel: those that differ from block to block
  bool knows_distances_ = false;                // the next three: from the second block on
  std::vector<Distances> distances_;
  Zeroed<AffineAccess> known_;          // by access
  bool knows_affine_accesses_ = false;  // of one access at least
};

template <bool is_store>
[[gnu::always_inline]] inline bool AffineRegisters::move_known(std::byte* frame, const MicroOp& op) {
  AffineAccess& known = known_[op.extra];
  std::uint64_t place = known.place(frame);
  if (place >= known.end) {
    if (known.bytes == 0 || !find_memory(frame, op, known)) return false;
    place = known.place(frame);
  }
  if ((place & (known.bytes - 1)) != 0) return false;
  const bool is_wide = known.bytes == 8;
  auto& requests = is_store ? known.counters->global_store_requests : known.counters->global_load_requests;
  auto& sectors = is_store ? known.counters->global_store_sectors : known.counters->global_load_sectors;
  ++requests;
  sectors += (is_wide ? 8u : 4u) + (place % 32 != 0 ? 1u : 0u);
  if (timing_ != nullptr) {
    timing_->come_to(op.counter);
    timing_->accesses.coalesced(is_store, known.begin + place, known.begin + place + kWarpSize * known.bytes);
  }
  std::byte* const memory = known.memory + place;
  std::byte* const slot = frame + known.slot;
  additions_.before(memory, is_wide ? 256 : 128);
  look_ahead(known.last, memory, 128, is_store);
  kernels_.copy_all(is_store ? memory : slot, is_store ? slot : memory, is_wide);
  return true;
}

}  // namespace cudasim
