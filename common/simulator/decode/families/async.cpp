// SPDX-License-Identifier: MIT
// Asynchronous copies (cp.async) and the barriers in memory that go with them (mbarrier). A copy is a load and a store,
// which the machine makes when the program waits for them. Operations on an mbarrier become loads, stores, atomics and
// pure operations, so that all parts that watch memory understand them.
#include <algorithm>

#include "decode/families/memory_parts.h"
#include "program/copy_slots.h"
#include "program/mbarrier.h"

namespace cudasim {
namespace {

using Width = FrameConstant::Width;
using Source = FrameConstant::Source;
using Kinds = ptx::Operand::Kind;

template <class T>
T* slot(std::byte* frame, std::uint32_t offset) {
  return reinterpret_cast<T*>(frame + offset);
}

void make_word(std::byte* frame, const MicroOp& op, Mask mask) {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane) & 1)
      slot<std::uint64_t>(frame, op.d)[lane] = mbarrier::initial(slot<std::uint32_t>(frame, op.a)[lane]);
  }
}

void take_pending(std::byte* frame, const MicroOp& op, Mask mask) {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane) & 1)
      slot<std::uint32_t>(frame, op.d)[lane] =
          static_cast<std::uint32_t>(mbarrier::pending(slot<std::uint64_t>(frame, op.a)[lane]));
  }
}

/// Is the phase that b names, by a state or by its parity, complete? The word is in a.
template <bool parity>
void phase_is_over(std::byte* frame, const MicroOp& op, Mask mask) {
  Mask over = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t now = mbarrier::phase(slot<std::uint64_t>(frame, op.a)[lane]);
    const bool is_over = parity ? (now & 1) != (slot<std::uint32_t>(frame, op.b)[lane] & 1)
                                : now != mbarrier::phase(slot<std::uint64_t>(frame, op.b)[lane]);
    over |= Mask{is_over} << lane;
  }
  Mask& d = *slot<Mask>(frame, op.d);
  d = (d & ~mask) | (over & mask);
}

void widen_count(std::byte* frame, const MicroOp& op, Mask mask) {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane) & 1) slot<std::uint64_t>(frame, op.d)[lane] = slot<std::uint32_t>(frame, op.a)[lane];
  }
}

/// cp.async [shared], [global], bytes{, bytes to read}
void decode_copy(FunctionDecoder& decoder, const Found&) {
  const auto& operands = decoder.instruction().operands;
  if (operands.size() < 3 || operands.size() > 4 || operands[2].kind != Kinds::integer)
    decoder.fail_here("has a form that is not simulated");
  const std::uint64_t bytes = operands[2].bits;
  if (bytes != 4 && bytes != 8 && bytes != 16) decoder.fail_here("copies 4, 8 or 16 bytes");
  MicroOp op = decoder.start(MicroOpcode::async_copy);
  if (operands.size() == 4) {
    const auto& given = operands[3];
    if (given.kind == Kinds::reg && decoder.register_of(given).type == ptx::Type::pred)
      decoder.fail_here("with a predicate that ignores the source is not simulated");
    if (given.kind != Kinds::integer || given.bits != bytes) op.a = decoder.source(given, ptx::Type::u32);
  }
  MemoryAccess load, store;
  load.space = ptx::Space::global;
  store.space = ptx::Space::shared;
  store.is_store = true;
  store.joined.part = MemoryAccess::Joined::Part::other;  // Nsight Compute counts no store
  decoder.decode_address(operands[0], store);
  decoder.decode_address(operands[1], load);
  load.count = store.count = static_cast<std::uint8_t>(bytes / 4);
  for (unsigned i = 0; i < load.count; ++i) load.data[i].slot = store.data[i].slot = copied_word(i);
  decoder.program().copies_asynchronously = true;
  decoder.emit(op, decoder.program().accesses, load);
  decoder.program().accesses.push_back(store);
}

void decode_wait_group(FunctionDecoder& decoder, const Found& found) {
  MicroOp op = decoder.start(MicroOpcode::async_wait);
  op.extra = kEveryCopy;
  if (found.has("wait_group")) {
    decoder.need_operands(1);
    if (decoder.operand(0).kind != Kinds::integer) decoder.fail_here("waits for a number of groups");
    op.extra = static_cast<std::uint32_t>(std::min<std::uint64_t>(decoder.operand(0).bits, kEveryCopy - 1));
  }
  decoder.emit(op);
}

MemoryAccess word_at(FunctionDecoder& decoder, const Found& found, const ptx::Operand& address) {
  MemoryAccess word;
  word.space = found.has("shared") || found.has("shared::cta") ? ptx::Space::shared : ptx::Space::generic;
  word.bytes = 8;
  word.data[0].wide = true;
  decoder.decode_address(address, word);
  return word;
}

void decode_pending_count(FunctionDecoder& decoder, const Found&) {
  decoder.need_operands(2);
  MicroOp op = decoder.start(MicroOpcode::pure);
  op.a = decoder.source(decoder.operand(1), ptx::Type::u64);
  op.d = decoder.destination(decoder.operand(0), ptx::Type::u32);
  op.execute = take_pending;
  decoder.emit(op);
}

void decode_init(FunctionDecoder& decoder, const Found& found) {
  const bool init = found.has("init");
  decoder.need_operands(init ? 2 : 1);
  MemoryAccess word = word_at(decoder, found, decoder.operand(0));
  word.is_store = true;
  // libcu++ ends a barrier beside the last arrivals of the same warp, which only a match orders.
  if (!init) word.ordering = Ordering::relaxed;
  word.data[0].slot = init ? decoder.new_slot(Width::wide) : decoder.constant(Source::bits, Width::wide, 0);
  if (init) {
    MicroOp make = decoder.start_uncounted(MicroOpcode::pure);
    make.a = decoder.source(decoder.operand(1), ptx::Type::u32);
    make.d = word.data[0].slot;
    make.execute = make_word;
    decoder.emit(make);
  }
  decoder.emit(decoder.start(MicroOpcode::store), decoder.program().accesses, word);
}

/// test_wait and try_wait p, [word], state or parity{, time}: try_wait, which may wait, gives up at once.
void emit_wait(FunctionDecoder& decoder, MemoryAccess word, bool parity) {
  decoder.program().looks_at_mbarriers = true;
  decoder.emit(decoder.start_uncounted(MicroOpcode::async_look), decoder.program().accesses, word);
  word.data[0].slot = decoder.new_slot(Width::wide);
  decoder.emit(decoder.start(MicroOpcode::load), decoder.program().accesses, word);
  MicroOp compare = decoder.start_uncounted(MicroOpcode::pure);
  compare.a = word.data[0].slot;
  compare.b = decoder.source(decoder.operand(2), parity ? ptx::Type::u32 : ptx::Type::u64);
  compare.d = decoder.destination(decoder.operand(0), ptx::Type::pred);
  compare.execute = parity ? phase_is_over<true> : phase_is_over<false>;
  decoder.emit(compare);
}

/// arrive and arrive_drop: `state` receives the word as it was, unless it is `_`.
void emit_arrival(FunctionDecoder& decoder, const MemoryAccess& word, bool drop, const ptx::Operand& state,
                  std::uint32_t count_slot) {
  AtomicAccess atomic;
  atomic.address = word;
  atomic.address.is_store = true;
  atomic.operation = drop ? AtomicOperation::arrive_drop : AtomicOperation::arrive;
  atomic.type = ptx::Type::b64;
  atomic.returns = state.kind != Kinds::sink;
  MicroOp op = decoder.start(MicroOpcode::atomic);
  op.b = count_slot;
  if (atomic.returns) op.d = decoder.destination(state, ptx::Type::u64);
  decoder.emit(op, decoder.program().atomics, atomic);
}

void decode_wait(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(3, 4);
  MemoryAccess word = word_at(decoder, found, decoder.operand(1));
  word.ordering = found.has("relaxed") ? Ordering::relaxed : Ordering::acquire;
  emit_wait(decoder, word, found.has("parity"));
}

void decode_arrive(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(2, 3);
  MemoryAccess word = word_at(decoder, found, decoder.operand(1));
  word.ordering = found.has("relaxed") ? Ordering::relaxed : Ordering::release;
  std::uint32_t count = decoder.constant(Source::bits, Width::wide, 1);
  if (decoder.operand_count() == 3) {
    MicroOp widen = decoder.start_uncounted(MicroOpcode::pure);
    widen.a = decoder.source(decoder.operand(2), ptx::Type::u32);
    widen.d = count = decoder.new_slot(Width::wide);
    widen.execute = widen_count;
    decoder.emit(widen);
  }
  emit_arrival(decoder, word, found.has("arrive_drop"), decoder.operand(0), count);
}

/// An arrival when all copies so far are made. Without .noinc the barrier's phase waits for one more.
void decode_arrive_of_copies(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(1);
  AtomicAccess atomic;
  atomic.address = word_at(decoder, found, decoder.operand(0));
  atomic.address.ordering = Ordering::release;
  atomic.address.is_store = true;
  atomic.operation = AtomicOperation::arrive;
  atomic.type = ptx::Type::b64;
  atomic.returns = false;
  MicroOp op = decoder.start(MicroOpcode::async_arrive);
  op.b = kArrivingSlot;
  op.e = found.has("noinc") ? 0 : 1;
  decoder.program().copies_asynchronously = true;
  decoder.emit(op, decoder.program().atomics, atomic);
}

}  // namespace

InstructionDefinitions async_rows() {
  static const InstructionDefinition rows[] = {
      {"cp.async<.ca|.cg><.shared|.shared::cta>.global" PREFETCH_SIZE, "*", nullptr, "9.7.9.25.3.1", decode_copy},
      {"cp.async.commit_group", "*", nullptr, "9.7.9.25.3.2", decode_as<MicroOpcode::async_commit>},
      {"cp.async.wait_group", "*", nullptr, "9.7.9.25.3.3", decode_wait_group},
      {"cp.async.wait_all", "*", nullptr, "9.7.9.25.3.3", decode_wait_group},
      {"cp.async.mbarrier.arrive[.noinc]" SHARED_SPACE ".b64", "*", nullptr, "9.7.13.15", decode_arrive_of_copies},
      {"mbarrier<.init|.inval>" SHARED_SPACE ".b64", "*", nullptr, "9.7.13.15", decode_init},
      {"mbarrier<.arrive|.arrive_drop>[.noComplete][.release|.relaxed][.cta|.cluster]" SHARED_SPACE ".b64", "d *",
       nullptr, "9.7.13.15", decode_arrive},
      {"mbarrier<.test_wait|.try_wait>[.parity][.acquire|.relaxed][.cta|.cluster]" SHARED_SPACE ".b64", "d *", nullptr,
       "9.7.13.15", decode_wait},
      {"mbarrier.pending_count.b64", "d *", nullptr, "9.7.13.15", decode_pending_count},
  };
  return span_of(rows);
}

}  // namespace cudasim
