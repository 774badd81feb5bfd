// SPDX-License-Identifier: MIT
// atom and red: one read-modify-write for each lane, in lane order (PTX ISA, "Parallel Synchronization and
// Communication").
#include "machine/units/atomic_unit.h"

#include <cmath>
#include <cstring>

#include "checkers/registry/checks.h"
#include "program/mbarrier.h"

// The same functions that the instructions use convert 16-bit formats, at the level that every CPU has.
#define CUDASIM_LEVEL_NAMESPACE baseline
#include "isa/semantics/conversion_parts.h"

namespace cudasim {
namespace {

using ptx::Type;

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

std::uint64_t add_f32(std::uint64_t a, std::uint64_t b, bool flush) {
  float x = from_bits<float>(a), y = from_bits<float>(b);
  if (flush) {
    x = flushed(x);
    y = flushed(y);
  }
  float sum = x + y;
  if (flush) sum = flushed(sum);
  return std::isnan(sum) ? 0x7fffffffu : to_bits(sum);
}

/// Adds `value` to the f64 in memory, as measured on an H200. Global memory passes on a NaN operand as it is, `value`
/// before the one in memory. A loop around add.f64 of value and memory, in this order, updates shared memory: the NaN
/// becomes quiet, and memory's goes first.
std::uint64_t add_f64(std::uint64_t memory, std::uint64_t value, bool is_global) {
  const double m = from_bits<double>(memory), v = from_bits<double>(value);
  const double sum = m + v;
  if (!std::isnan(sum)) return to_bits(sum);
  const bool takes_value = std::isnan(v) && (is_global || !std::isnan(m));
  if (!takes_value && !std::isnan(m)) return baseline::kNanBitsF64;  // inf - inf
  const std::uint64_t nan = takes_value ? value : memory;
  return is_global ? nan : nan | baseline::kQuietBitF64;
}

/// The sum of one or two 16-bit numbers. f64 holds the exact sum of two, so it is rounded once.
template <class T>
std::uint64_t add_16(std::uint64_t a, std::uint64_t b, bool pair) {
  std::uint64_t sum = 0;
  for (unsigned shift = 0; shift <= (pair ? 16u : 0u); shift += 16) {
    const T x{static_cast<std::uint16_t>(a >> shift)}, y{static_cast<std::uint16_t>(b >> shift)};
    const T z = baseline::narrow<T>(static_cast<double>(baseline::widen(x)) + static_cast<double>(baseline::widen(y)));
    sum |= std::uint64_t{z.bits} << shift;
  }
  return sum;
}

template <class T>
std::uint64_t integer(AtomicOperation operation, std::uint64_t old_bits, std::uint64_t b_bits, std::uint64_t c_bits) {
  const T old = static_cast<T>(old_bits), b = static_cast<T>(b_bits);
  switch (operation) {
    case AtomicOperation::add:
      return old_bits + b_bits;
    case AtomicOperation::min:
      return static_cast<std::uint64_t>(b < old ? b : old);
    case AtomicOperation::max:
      return static_cast<std::uint64_t>(b > old ? b : old);
    case AtomicOperation::inc:
      return static_cast<std::uint64_t>(old >= b ? T{0} : static_cast<T>(old + 1));
    case AtomicOperation::dec:
      return static_cast<std::uint64_t>(old == 0 || old > b ? b : static_cast<T>(old - 1));
    case AtomicOperation::and_:
      return old_bits & b_bits;
    case AtomicOperation::or_:
      return old_bits | b_bits;
    case AtomicOperation::xor_:
      return old_bits ^ b_bits;
    case AtomicOperation::exch:
      return b_bits;
    case AtomicOperation::cas:
      return static_cast<T>(old_bits) == b ? c_bits : old_bits;
    case AtomicOperation::arrive:
    case AtomicOperation::arrive_drop:
      return mbarrier::after_arrival(old_bits, b_bits, operation == AtomicOperation::arrive_drop);
  }
  return old_bits;
}

/// Out of line, because update_located() would have all of it three times.
[[gnu::noinline]] std::uint64_t updated_rarely(const AtomicAccess& atomic, std::uint64_t old, std::uint64_t b,
                                               std::uint64_t c) {
  switch (atomic.type) {
    case Type::f16:
    case Type::f16x2:
      return add_16<baseline::f16>(old, b, atomic.type == Type::f16x2);
    case Type::bf16:
    case Type::bf16x2:
      return add_16<baseline::bf16>(old, b, atomic.type == Type::bf16x2);
    case Type::s32:
      return integer<std::int32_t>(atomic.operation, old, b, c);
    case Type::s64:
      return integer<std::int64_t>(atomic.operation, old, b, c);
    case Type::b64:
    case Type::u64:
    case Type::f64:
      return integer<std::uint64_t>(atomic.operation, old, b, c);
    case Type::b16:
    case Type::u16:
      return integer<std::uint16_t>(atomic.operation, old, b, c);
    default:
      return integer<std::uint32_t>(atomic.operation, old, b, c);
  }
}

std::uint64_t updated(const AtomicAccess& atomic, std::uint64_t old, std::uint64_t b, std::uint64_t c, bool is_global) {
  const bool is_add = atomic.operation == AtomicOperation::add;
  if (is_add && (atomic.type == Type::u32 || atomic.type == Type::s32)) return old + b;
  if (atomic.type == Type::f32 && is_add) return add_f32(old, b, is_global);
  if (atomic.type == Type::f64 && is_add) return add_f64(old, b, is_global);
  return updated_rarely(atomic, old, b, c);
}

bool is_integer_sum(const AtomicAccess& atomic) {
  return atomic.operation == AtomicOperation::add &&
         (atomic.type == Type::u32 || atomic.type == Type::s32 || atomic.type == Type::u64 || atomic.type == Type::s64);
}

/// One update, to `updated(old)`. Other workers may update the same word at the same time, unless this one is `alone`.
/// Returns the old value; `changed` counts the words that have another value now.
template <class T, class Updated>
T update(std::byte* memory, Updated updated, bool alone, std::uint64_t& changed) {
  T* word = reinterpret_cast<T*>(memory);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED), now;
  do {
    now = static_cast<T>(updated(old));
    if (alone) {
      __atomic_store_n(word, now, __ATOMIC_RELAXED);
      break;
    }
  } while (!__atomic_compare_exchange_n(word, &old, now, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  changed += now != old;
  return old;
}

}  // namespace

AtomicUnit::AtomicUnit(Worker& worker, LoadStoreUnit& memory)
    : Unit(worker),
      memory_(memory),
      additions_(worker.additions),
      defers_(worker.program.texture_fetches.empty() &&
              (worker.grid.checks == nullptr || worker.grid.checks->observers.empty())) {}

bool AtomicUnit::execute(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) {
  const auto& atomic = program_.atomics[op.extra];
  if (values_ != nullptr) values_->base({block, warp, split, op}, atomic.address, mask);
  LaneAddresses at;
  do {
    mask = memory_.locate(warp, split, op, atomic.address, mask, at);
    if (!update_located(block, warp, split, op, atomic, at)) return false;
  } while (mask != 0);
  return true;
}

/// Whether these additions may be made later, once others are at work.
bool AtomicUnit::may_be_deferred(const AtomicAccess& atomic, const LaneAddresses& at) const {
  return defers_ && at.space == ptx::Space::global && is_integer_sum(atomic) && atomic.address.bytes == 4 &&
         !atomic.returns && at.end() - at.least() <= DeferredAtomics::kMostBytes;
}

/// False: nothing has been done.
bool AtomicUnit::defer(const Step& step, const LaneAddresses& at) {
  if (!at.aligned()) return false;
  const std::uint64_t bytes = at.end() - at.least();
  std::byte* const least = at.site->bytes_at(grid_.memory, at.least(), at.end(), true);
  if (least == nullptr || !additions_.takes(least, bytes)) return false;
  const auto* const values =
      reinterpret_cast<const DeferredAtomics::Word*>(step.warp.frames + step.split.frame + step.op.b);
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    additions_.sum(least + (at.address[lane] - at.least())) += values[lane];
    changed_ += values[lane] != 0;
  }
  return true;
}

/// False: an invalid access.
template <class T>
bool AtomicUnit::update_lanes(const Step& step, const AtomicAccess& atomic, const LaneAddresses& at) {
  const MicroOp& op = step.op;
  const bool is_global = at.space == ptx::Space::global, compares = atomic.operation == AtomicOperation::cas;
  const bool as_a_whole = (at.how == LaneAddresses::How::coalesced || at.near()) && at.aligned();
  std::byte* const least = as_a_whole ? memory_.resolve_span(step.block, step.warp, at, true) : nullptr;
  std::byte* const frame = step.warp.frames + step.split.frame;
  constexpr std::size_t kLaneBytes = sizeof(T) == 8 ? 8 : 4;
  auto operand = [&](std::uint32_t slot, unsigned lane) {
    T value;
    std::memcpy(&value, frame + slot + kLaneBytes * lane, sizeof value);
    return value;
  };
  const bool alone = !grid_.has_others || !is_global;  // shared and local memory are the block's own
  if (least != nullptr && is_integer_sum(atomic)) {    // most of them
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      const T b = operand(op.b, lane);
      const std::uint64_t old = update<T>(
          least + (at.address[lane] - at.least()), [b](T before) { return before + b; }, alone, changed_);
      if (atomic.returns) std::memcpy(frame + op.d + kLaneBytes * lane, &old, kLaneBytes);
    }
    return true;
  }
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    FindingKind problem;
    std::byte* const memory = least != nullptr ? least + (at.address[lane] - at.least())
                                               : memory_.resolve(step.block, step.warp, at, lane, true, problem);
    if (memory == nullptr) {
      memory_.fault(step.block, step.warp, op, at.space, at.address[lane], lane, sizeof(T), true, problem);
      return false;
    }
    const T b = operand(op.b, lane), c = compares ? operand(op.c, lane) : T{};
    const std::uint64_t old = update<T>(
        memory, [&](T before) { return updated(atomic, before, b, c, is_global); }, alone, changed_);
    if (atomic.returns) std::memcpy(frame + op.d + kLaneBytes * lane, &old, kLaneBytes);
  }
  return true;
}

[[gnu::flatten]] bool AtomicUnit::update_located(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                                                 const AtomicAccess& atomic, LaneAddresses& at) {
  at.spell_out();
  const Step step{block, warp, split, op};
  for (const auto& watcher : watchers_) watcher->before(step, atomic.address, &atomic, at);
  const std::uint32_t bytes = atomic.address.bytes;
  const bool is_deferred = may_be_deferred(atomic, at);
  if (!is_deferred && at.space == ptx::Space::global) worker_.updates += count_lanes(at.mask);
  if (atomic.address.ordering == Ordering::release || atomic.address.ordering == Ordering::acquire_release)
    additions_.flush();
  const bool is_done = is_deferred && grid_.has_others && defer(step, at);
  const bool in_order = is_done || (bytes == 8   ? update_lanes<std::uint64_t>(step, atomic, at)
                                    : bytes == 4 ? update_lanes<std::uint32_t>(step, atomic, at)
                                                 : update_lanes<std::uint16_t>(step, atomic, at));
  if (!in_order) return false;
  count(op, atomic, at);
  if (timing_ != nullptr && timing_->waits.has_polls() && at.space == ptx::Space::global) {
    if (timing_->waits.is_poll(op)) timing_->waits.look(block.linear, at.address, at.mask);
    timing_->waits.write(block.linear, at.address, at.mask);
  }
  for (const auto& watcher : watchers_) watcher->after(step, atomic.address, &atomic, at);
  return true;
}

void AtomicUnit::count(const MicroOp& op, const AtomicAccess& atomic, const LaneAddresses& at) {
  auto& c = counters_[op.counter];
  const Passes passes = atomic_passes(kernels_, atomic, at);
  if (at.space == ptx::Space::shared) {
    c.shared_atomic_requests += 1;
    c.shared_atomic_wavefronts += passes.wavefronts.count;
    c.shared_atomic_bank_conflicts += passes.wavefronts.count - passes.wavefronts.least;
    return;
  }
  if (at.space != ptx::Space::global) return;
  if (timing_ != nullptr) {
    timing_->come_to(op.counter);
    timing_->updates.add(atomic, at.address, at.mask, timing_->accesses);
  }
  const bool is_reduction = !atomic.returns && has_reduction(atomic.operation);
  (is_reduction ? c.global_reduction_requests : c.global_atomic_requests) += 1;
  (is_reduction ? c.global_reduction_sectors : c.global_atomic_sectors) += passes.sectors;
}

}  // namespace cudasim
