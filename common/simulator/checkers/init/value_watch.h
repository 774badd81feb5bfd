// SPDX-License-Identifier: MIT
// Follows undefined values (checkers/init/initialised.h) through memory, as a Watcher. It also follows them through
// registers and between lanes: no other watcher receives these events. Each worker has its own ValueWatch. The findings
// and the origins belong to the InitChecker.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "checkers/init/initialised.h"
#include "checkers/init/value_rules.h"
#include "program/program.h"
#include "state/warp.h"
#include "state/watcher.h"

namespace cudasim {

class ValueWatch final : public Watcher {
 public:
  /// A warp's registers take `frame_bytes`, including the ones at the end that copies pass through. A lane has
  /// `local_bytes`.
  ValueWatch(Grid& grid, InitChecker& checker, std::uint32_t frame_bytes, std::uint32_t local_bytes);

  void begin_block(Block& block) override;
  void before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
              const LaneAddresses& at) override;
  bool before_again(const Step& step, const MemoryAccess& access, AccessSite& site, std::uint32_t begin) override;
  bool takes_coalesced() const override { return true; }
  bool before_coalesced(const Step& step, const MemoryAccess& access, const AccessSite& site,
                        const CoalescedAccess& now) override;

  /// An instruction between registers that has one result, which is undefined when any operand is: nearly all are.
  /// False for others, and for one that was not looked up yet (instruction()).
  bool pass_on(WarpValues& values, std::uint32_t frame, const MicroOp& op, Mask mask) const {
    if (op.e != 0) return false;
    // An operand that is not used names the sink, which always is defined.
    Mask* const slots = values.undefined.data() + WarpValues::index(frame, 0);
    const Mask a = slots[op.a / 64] & mask, b = slots[op.b / 64] & mask, c = slots[op.c / 64] & mask;
    const Mask undefined = a | b | c | (slots[op.f / 64] & mask);
    if (undefined == 0) {
      slots[op.d / 64] &= ~mask;
      return true;
    }
    if (rules_.empty()) return false;
    const ValueRule& rule = rules_[op.counter];
    if (rule.kind != ValueRule::Kind::any || rule.destinations != ValueRule::d) return false;
    const std::uint32_t first = a != 0 ? op.a : b != 0 ? op.b : c != 0 ? op.c : op.f;
    values.write(frame, op.d, mask, undefined, values.origin(frame, first));
    return true;
  }
  // watch_values.cpp: which registers are undefined.
  /// Comes before each instruction of a warp that holds undefined values. `active`: the lanes for which the guard is
  /// true.
  void instruction(const Step& step, Mask mask, Mask active);
  /// This register decides what an instruction does.
  void decision(const Step& step, std::uint32_t slot, Mask mask, ValueUse use = ValueUse::branch) {
    if (step.warp.values->any) watch_use(step, slot, mask, use);
  }
  /// The register from which an access computes its addresses.
  void base(const Step& step, const MemoryAccess& access, Mask mask) {
    if (access.base_kind == MemoryAccess::Base::reg32 || access.base_kind == MemoryAccess::Base::reg64)
      decision(step, access.base, mask, ValueUse::address);
  }
  /// A value that is always defined.
  void result(Warp& warp, const WarpSplit& split, std::uint32_t slot, Mask mask) const {
    if (warp.values->any) warp.values->write(split.frame, slot, mask, 0, 0);
  }
  /// The operands of a warp-wide operation, for the lanes that take part.
  void gather(const Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) const;
  /// Comes before the results for `mask` are written. `predicates`: the votes of the lanes.
  void warp_operation(const Step& step, Mask mask, Mask predicates, Mask participants);

  // watch_matrix.cpp: matrices that lanes hold together. A register counts as undefined when a part of it is. The
  // reason: all elements of a register go into the same sums.
  struct Undefined {
    Mask lanes = 0;
    std::uint32_t origin = 0;
  };
  static Undefined undefined_lanes(const Step& step, std::uint32_t slot);
  static void add_undefined(const Step& step, std::uint32_t slot, const Undefined& more);
  /// Whether all bytes of these rows of shared memory are defined.
  bool is_written(const Block& block, const LaneAddresses& row) const;
  void product(const Step& step, const MatrixOperation& operation) const;
  void transposition(const Step& step, const MatrixOperation& operation) const;

  // watch_memory.cpp: which bytes are
  /// Lanes that copy fewer bytes than their place has. `read`: the lanes that copy any.
  void fetch(const Step& through, const PendingCopy& copy, Mask shortened, Mask read);
  void enter(Warp& warp, const WarpSplit& split, const Call& call, const DecodedFunction& callee, std::uint32_t frame,
             std::uint32_t local) const;
  void leave(Warp& warp, const WarpSplit& split, const Activation& activation) const;
  /// An argument that printf prints.
  void printed(const Step& step, std::uint64_t address, unsigned lane, std::uint64_t count);

 private:
  struct Bytes {
    std::uint64_t* written = nullptr;  ///< null: always defined, or not there
    bool always = false;
    std::uint64_t offset = 0;
    ValueOrigin::Source source = ValueOrigin::Source::global;
  };
  BlockValues& values_of(const Block& block) const;
  /// A key of StoredOrigins.
  static std::uint64_t place_of(const Bytes& bytes, std::uint32_t warp, unsigned lane);
  Bytes bytes_at(const Step& step, AccessSite& site, ptx::Space space, std::uint64_t address, unsigned lane,
                 std::uint64_t count) const;
  Bytes bytes_of_all(const Step& step, const LaneAddresses& at) const;
  bool load_alike(const Step& step, const MemoryAccess& access, Bytes bytes, std::uint64_t address, std::uint64_t begin,
                  std::uint64_t length);
  bool watch_at_once(const Step& step, const MemoryAccess& access, const LaneAddresses& at) const;
  void watch_load(const Step& step, const MemoryAccess& access, const LaneAddresses& at);
  static constexpr std::uint64_t kShortBytes = 512;  ///< for these, words are fewer than lanes
  static constexpr unsigned kMostElements = 8;       ///< of a vector load
  /// The undefined lanes of each element, and the origin of the first of them.
  bool find_undefined_at_once(const Step& step, const MemoryAccess& access, const LaneAddresses& at, Mask* undefined,
                              std::uint32_t* origin);
  void find_undefined_by_lane(const Step& step, const MemoryAccess& access, const LaneAddresses& at, Mask* undefined,
                              std::uint32_t* origin);
  bool stays_undefined(const Step& step, const MemoryAccess& access, const LaneAddresses& at, const Bytes& together);
  bool leave_lines_undefined(const Step& step, const MemoryAccess& access, const Bytes& bytes, std::uint64_t address);
  void watch_store(const Step& step, const MemoryAccess& access, const LaneAddresses& at);
  void watch_atomic(const Step& step, const AtomicAccess& atomic, const LaneAddresses& at);
  std::uint32_t origin_of_bytes(const Step& step, const Bytes& bytes, std::uint64_t address, unsigned lane);
  /// Of an instruction that leaves undefined values in global memory; `lanes`: the first one is in the finding.
  std::uint32_t number_of_store(const Step& step, Mask lanes, std::uint32_t width, std::uint32_t origin);
  template <class AddressOf>
  void remember_stores(const Step& step, Mask lanes, AddressOf address_of, std::uint32_t width, std::uint32_t origin);

  void watch_pure(const Step& step, Mask active, Mask uncertain);
  void watch_use(const Step& step, std::uint32_t slot, Mask mask, ValueUse use);
  void report_use(const Step& step, Mask lanes, ValueUse use, std::uint32_t origin);
  const ValueRule& rule(std::uint32_t counter);
  std::uint32_t origin_of_absent(const Step& step, Mask readers, Mask sources, Mask present);
  std::uint32_t origin_of(const Step& step, unsigned lane, ValueOrigin::Source source, std::uint64_t address,
                          std::uint32_t stored = 0);

  Grid& grid_;
  const Program& program_;
  InitChecker& checker_;
  const std::uint32_t frame_bytes_, local_bytes_;
  std::vector<std::unique_ptr<BlockValues>> blocks_;                      // By slot.
  std::vector<ValueRule> rules_;                                          // By counter, filled when needed.
  std::vector<std::uint32_t> origin_numbers_;                             // By counter, likewise.
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> absent_numbers_;  // The same of lanes that take no part.
  std::unordered_map<std::uint64_t, std::uint32_t> store_numbers_;        // By counter and origin.
};

}  // namespace cudasim
