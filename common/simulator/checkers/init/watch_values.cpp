// SPDX-License-Identifier: MIT
// Undefined values in registers (checkers/init/initialised.h): how they spread from instruction to instruction, and
// where one decides something. Only warps with undefined values run this code. So a correct program has the cost of its
// memory accesses alone.
#include <algorithm>
#include <cstring>

#include "checkers/init/value_watch.h"
#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "messages/missing_lanes.h"
#include "program/copy_slots.h"
#include "state/async_copies.h"
#include "state/grid.h"
#include "state/shuffle.h"

namespace cudasim {

ValueWatch::ValueWatch(Grid& grid, InitChecker& checker, std::uint32_t frame_bytes, std::uint32_t local_bytes)
    : grid_(grid), program_(grid.program), checker_(checker), frame_bytes_(frame_bytes), local_bytes_(local_bytes) {}

BlockValues& ValueWatch::values_of(const Block& block) const { return *blocks_[block.slot]; }

void ValueWatch::begin_block(Block& block) {
  if (block.slot >= blocks_.size()) blocks_.resize(block.slot + 1);
  auto& known = blocks_[block.slot];
  if (!known) {
    known = std::make_unique<BlockValues>(grid_.shared_bytes);
    known->shared.resize(written::words_for(grid_.shared_bytes));
    known->warps.resize(block.warps.size());
    for (auto& warp : block.warps) {
      auto& values = known->warps[warp.index];
      values.undefined.resize(WarpValues::index(frame_bytes_, 0));
      values.words_per_lane = local_bytes_ == 0 ? 0 : written::words_for(local_bytes_);
      values.local.resize(values.words_per_lane * kWarpSize);
      warp.values = &values;
    }
  }
  std::fill(known->shared.begin(), known->shared.end(), std::uint64_t{0});
  known->stored.clear();
  for (auto& values : known->warps) {
    if (values.any) std::fill(values.undefined.begin(), values.undefined.end(), Mask{0});
    values.any = false;
    const std::uint32_t local_bytes = program_.functions[0].local_bytes;
    for (unsigned lane = 0; lane < kWarpSize && local_bytes != 0; ++lane)
      written::clear(values.local_of(lane), 0, local_bytes);
  }
}

/// Looked up when a warp with undefined values reaches the instruction: few programs do.
const ValueRule& ValueWatch::rule(std::uint32_t counter) {
  if (rules_.empty()) rules_.resize(program_.origins.size());
  ValueRule& rule = rules_[counter];
  if (rule.kind != ValueRule::Kind::unknown) return rule;
  if (counter == 0) {  // what the decoder put in: a negated predicate, or a change of width
    rule.kind = ValueRule::Kind::any;
    rule.sources = ValueRule::a;
    rule.destinations = ValueRule::d;
    return rule;
  }
  rule = rule_of(*program_.origins[counter].row, program_.origins[counter].match);
  return rule;
}

void ValueWatch::watch_pure(const Step& step, Mask active, Mask uncertain) {
  const MicroOp& op = step.op;
  const WarpSplit& split = step.split;
  auto& values = *step.warp.values;
  const ValueRule& r = rule(op.counter);
  if (uncertain == 0 && pass_on(values, split.frame, op, active)) return;
  const auto undefined = [&](std::uint32_t slot) { return values.lanes(split.frame, slot); };
  const Mask result = undefined_result(r, step.warp.frames + split.frame, op, active, undefined);
  std::uint32_t origin = uncertain != 0 ? values.origin(split.frame, op.guard) : 0;
  if (result != 0) {
    const auto from = [&](std::uint8_t bit, std::uint32_t slot) {
      if ((r.sources & bit) != 0 && (undefined(slot) & result) != 0) origin = values.origin(split.frame, slot);
    };
    from(ValueRule::e, op.e);
    from(ValueRule::f, op.f);
    from(ValueRule::c, op.c);
    from(ValueRule::b, op.b);
    from(ValueRule::a, op.a);
  }
  const Mask lanes = active | uncertain, lanes_undefined = result | uncertain;
  if ((r.destinations & ValueRule::d) != 0) values.write(split.frame, op.d, lanes, lanes_undefined, origin);
  if ((r.destinations & ValueRule::e) != 0) values.write(split.frame, op.e, lanes, lanes_undefined, origin);
  if ((r.destinations & ValueRule::c) != 0) values.write(split.frame, op.c, lanes, lanes_undefined, origin);
  if ((r.destinations & ValueRule::f) != 0) values.write(split.frame, op.f, lanes, lanes_undefined, origin);
}

/// A register decides something for the lanes of `mask`. After a finding the value counts as defined: one mistake gives
/// one finding, and not one for each later instruction.
void ValueWatch::watch_use(const Step& step, std::uint32_t slot, Mask mask, ValueUse use) {
  const auto& values = *step.warp.values;
  Mask& undefined = step.warp.values->lanes(step.split.frame, slot);
  const Mask hit = undefined & mask;
  if (hit == 0) return;
  report_use(step, hit, use, values.origin(step.split.frame, slot));
  undefined &= ~hit;
}

/// The other instructions that decide something by a register report it where they run (decision).
void ValueWatch::instruction(const Step& step, Mask mask, Mask active) {
  const MicroOp& op = step.op;
  const bool guarded = op.guard_mode != MicroOp::Guard::always;
  if (op.kind == MicroOpcode::pure || op.kind == MicroOpcode::not_predicate) {
    // The result of a guarded move or sum is merely undefined. A guard on anything else is a branch.
    const Mask uncertain = guarded ? step.warp.values->lanes(step.split.frame, op.guard) & mask : 0;
    return watch_pure(step, active, uncertain);
  }
  if (guarded) watch_use(step, op.guard, mask, ValueUse::branch);
}

void ValueWatch::gather(const Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) const {
  auto& values = *warp.values;
  const bool reads = op.kind != MicroOpcode::warp_sync && op.kind != MicroOpcode::elect;
  const Mask undefined = reads ? values.lanes(split.frame, op.a) & mask : 0;
  values.operands = (values.operands & ~mask) | undefined;
  if (undefined != 0) values.operand_origin = values.origin(split.frame, op.a);
}

void ValueWatch::warp_operation(const Step& step, Mask mask, Mask predicates, Mask participants) {
  const auto& [block, warp, split, op] = step;
  using Mode = WarpOperation::Mode;
  auto& values = *warp.values;
  const auto& operation = program_.warp_operations[op.extra];
  const Mask unknown = values.operands & participants, known = participants & ~unknown;
  if (unknown == 0 && !values.any && (op.kind != MicroOpcode::shuffle || participants == ~0u)) return;
  std::uint32_t origin = values.operand_origin;
  Mask undefined = unknown != 0 ? mask : 0;
  switch (operation.mode) {
    case Mode::shuffle_up:
    case Mode::shuffle_down:
    case Mode::shuffle_butterfly:
    case Mode::shuffle_index: {
      const auto* b = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + op.b);
      const auto* c = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + op.c);
      Mask absent = 0;
      Mask sources = 0;  // the lanes that they read from
      undefined = values.lanes(split.frame, op.b) & mask;
      if (undefined != 0) origin = values.origin(split.frame, op.b);
      for (Mask m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        bool in_range = false;
        const unsigned from = shuffle_source(operation.mode, lane, b[lane], c[lane], in_range);
        if (((participants >> from) & 1) == 0) {
          absent |= 1u << lane;
          sources |= 1u << from;
        }
        undefined |= ((unknown >> from) & 1) << lane;
      }
      if (absent != 0) {
        origin = origin_of_absent(step, absent, sources, participants);
      }
      undefined |= absent;
      break;
    }
    case Mode::vote_all:
      if ((known & ~predicates) != 0) undefined = 0;
      break;
    case Mode::vote_any:
      if ((known & predicates) != 0) undefined = 0;
      break;
    case Mode::vote_uniform:
      if ((known & predicates) != 0 && (known & ~predicates) != 0) undefined = 0;
      break;
    case Mode::vote_ballot:
    case Mode::match_any:
    case Mode::match_all:
    case Mode::reduce_add:
    case Mode::reduce_min:
    case Mode::reduce_max:
    case Mode::reduce_and:
    case Mode::reduce_or:
    case Mode::reduce_xor:
    case Mode::sync:
    case Mode::elect:
      break;
  }
  values.write(split.frame, op.d, mask, undefined, origin);
  const bool matches = operation.mode == Mode::match_all || operation.mode == Mode::match_any;
  if (operation.has_predicate) values.write(split.frame, op.e, mask, matches ? undefined : 0, origin);
}

namespace {

/// As far as the finding of its load or shuffle names it.
ValueOrigin origin_at(const Finding& finding, ValueOrigin::Source source) {
  ValueOrigin origin;
  origin.source = source;
  origin.kernel = finding.kernel;
  origin.memory = finding.allocation;
  origin.callers = finding.callers;
  origin.load.where = finding.where;
  origin.load.ptx_line = finding.ptx_line;
  origin.load.block = finding.block;
  origin.load.thread = finding.thread;
  return origin;
}

}  // namespace

/// Values that the lanes in `readers` take from the lanes in `sources`. No source lane is `present`.
std::uint32_t ValueWatch::origin_of_absent(const Step& step, Mask readers, Mask sources, Mask present) {
  const auto& [block, warp, split, op] = step;
  const auto lane = static_cast<unsigned>(__builtin_ctz(readers));
  const Mask named = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + op.f)[lane] & sources;
  std::uint32_t& number = absent_numbers_[{op.counter, named, sources}];
  if (number != 0) return number;
  if (grid_.is_speculative) grid_.give_up();
  ValueOrigin origin =
      origin_at(finding_at(grid_, step, 1u << lane, FindingKind::shuffle_source), ValueOrigin::Source::shuffle);
  if (named != 0) origin.absent = describe_missing_lanes(program_, warp, named, present);
  if (named != sources)
    origin.absent += (named != 0 ? "; " : "") + std::string("the mask does not name ") + lanes_text(sources & ~named);
  origin.named = named != 0;
  number = checker_.add(origin);
  return number;
}

std::uint32_t ValueWatch::origin_of(const Step& step, unsigned lane, ValueOrigin::Source source, std::uint64_t address,
                                    std::uint32_t stored) {
  if (origin_numbers_.empty()) origin_numbers_.resize(program_.origins.size());
  std::uint32_t& number = origin_numbers_[step.op.counter];
  if (number != 0) return number;
  if (grid_.is_speculative) grid_.give_up();
  Finding f = finding_at(grid_, step, 1u << lane, FindingKind::uninitialised);
  if (source == ValueOrigin::Source::shared) describe_shared(grid_, f, address);
  if (source == ValueOrigin::Source::global) describe_global(grid_, f, address, 1);
  ValueOrigin origin = origin_at(f, source);
  if (stored != 0) {
    const ValueOrigin before = checker_.origin(stored);
    if (before.source == ValueOrigin::Source::shuffle) {  // a value shuffled from an absent lane keeps that origin
      origin.source = before.source;
      origin.absent = before.absent;
      origin.named = before.named;
    }
  }
  origin.stored = stored != 0;
  if (source == ValueOrigin::Source::global && stored == 0) origin.late = grid_.launch.late_kernel;
  origin.load.is_atomic = step.op.kind == MicroOpcode::atomic;
  number = checker_.add(origin);
  return number;
}

void ValueWatch::report_use(const Step& step, Mask lanes, ValueUse use, std::uint32_t origin) {
  Finding f = finding_at(grid_, step, lanes, FindingKind::uninitialised);
  describe_use(f, use, checker_.origin(origin));
  add_defect(grid_, step.block.linear, std::move(f));
}

void ValueWatch::fetch(const Step& through, const PendingCopy& copy, Mask shortened, Mask read) {
  Mask undefined = 0;
  for (Mask m = read; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const Bytes bytes =
        bytes_at(through, *copy.from.site, ptx::Space::global, copy.source[lane], lane, copy.bytes[lane]);
    if (bytes.written != nullptr && !written::all(bytes.written, bytes.offset, copy.bytes[lane]))
      undefined |= 1u << lane;
  }
  auto& values = *through.warp.values;
  if (undefined == 0 && !values.any) return;
  const auto lane = static_cast<unsigned>(__builtin_ctz(undefined != 0 ? undefined : shortened));
  const std::uint32_t origin =
      undefined != 0 ? origin_of(through, lane, ValueOrigin::Source::global, copy.source[lane]) : 0;
  for (std::uint32_t i = 0; i < program_.accesses[through.op.extra + 1].count; ++i)
    values.write(through.split.frame, copied_word(i), shortened, undefined, origin);
}

}  // namespace cudasim
