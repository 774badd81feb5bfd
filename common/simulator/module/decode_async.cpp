// SPDX-License-Identifier: MIT
// Asynchronous copies (cp.async) and the barriers in memory that go with them (mbarrier). A copy becomes one
// micro-operation that loads and stores at once: no program without an error can tell. Operations on an mbarrier become
// loads, stores, atomics and pure operations, so that whatever watches memory understands them.
#include <cstring>

#include "module/decoder.h"
#include "module/mbarrier.h"
#include "module/opcode_tokens.h"

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
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane) & 1)
      slot<std::uint64_t>(frame, op.d)[lane] = mbarrier::initial(slot<std::uint32_t>(frame, op.a)[lane]);
  }
}

void take_pending(std::byte* frame, const MicroOp& op, Mask mask) {
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane) & 1)
      slot<std::uint32_t>(frame, op.d)[lane] =
          static_cast<std::uint32_t>(mbarrier::pending(slot<std::uint64_t>(frame, op.a)[lane]));
  }
}

/// Is the phase over that b says, by a state or by its parity? The word is in a.
template <bool parity>
void phase_is_over(std::byte* frame, const MicroOp& op, Mask mask) {
  Mask over = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t now = mbarrier::phase(slot<std::uint64_t>(frame, op.a)[lane]);
    const bool is_over = parity ? (now & 1) != (slot<std::uint32_t>(frame, op.b)[lane] & 1)
                                : now != mbarrier::phase(slot<std::uint64_t>(frame, op.b)[lane]);
    over |= Mask{is_over} << lane;
  }
  Mask& d = *slot<Mask>(frame, op.d);
  d = (d & ~mask) | (over & mask);
}

}  // namespace

/// cp.async [shared], [global], bytes{, bytes to read}
void FunctionDecoder::decode_async_copy() {
  const auto& operands = current_->operands;
  if (operands.size() < 3 || operands.size() > 4 || operands[2].kind != Kinds::integer)
    fail("'" + current_->opcode + "' has a form that is not simulated");
  const std::uint64_t bytes = operands[2].bits;
  if (bytes != 4 && bytes != 8 && bytes != 16) fail("'" + current_->opcode + "' copies 4, 8 or 16 bytes");
  MicroOp op = start(Kind::async_copy);
  if (operands.size() == 4) {
    const auto& given = operands[3];
    if (given.kind == Kinds::reg && function_.registers[static_cast<std::size_t>(given.reg)].type == ptx::Type::pred)
      fail("'" + current_->opcode + "' with a predicate that ignores the source is not simulated");
    if (given.kind != Kinds::integer || given.bits != bytes) {
      op.a = source(given, ptx::Type::u32);
      op.e = new_slot(Width::narrow);
    }
  }
  MemoryAccess load, store;
  load.space = ptx::Space::global;
  store.space = ptx::Space::shared;
  store.is_store = true;
  decode_address(operands[0], store);
  decode_address(operands[1], load);
  load.count = store.count = static_cast<std::uint8_t>(bytes / 4);
  for (unsigned i = 0; i < load.count; ++i) load.data[i].slot = store.data[i].slot = new_slot(Width::narrow);
  op.extra = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(load);
  program_.accesses.push_back(store);
  emit(op);
}

void FunctionDecoder::decode_mbarrier() {
  const auto tokens = split(current_->opcode);
  const auto& operands = current_->operands;
  const auto need = [&](std::size_t least, std::size_t most) {
    if (operands.size() < least || operands.size() > most)
      fail("'" + current_->opcode + "' has a wrong number of operands");
  };
  if (has(tokens, "pending_count")) {
    need(2, 2);
    MicroOp op = start(Kind::pure);
    op.a = source(operands[1], ptx::Type::u64);
    op.d = destination(operands[0], ptx::Type::u32);
    op.execute = take_pending;
    return emit(op);
  }
  MemoryAccess word;
  word.space = has(tokens, "shared") || has(tokens, "shared::cta") ? ptx::Space::shared : ptx::Space::generic;
  word.bytes = 8;
  word.data[0].wide = true;
  const std::uint32_t one = constant(Source::bits, Width::wide, 1);
  if (tokens[0] == "cp") {
    need(1, 1);
    // Without .noinc the arrival is counted before it is expected: it changes nothing, and all copies are done.
    if (!has(tokens, "noinc")) return emit(start(Kind::nop));
    decode_address(operands[0], word);
    return mbarrier_arrive(word, false, nullptr, one);
  }
  if (has(tokens, "init") || has(tokens, "inval")) {
    need(has(tokens, "init") ? 2 : 1, 2);
    decode_address(operands[0], word);
    word.is_store = true;
    word.data[0].slot = has(tokens, "init") ? new_slot(Width::wide) : constant(Source::bits, Width::wide, 0);
    if (has(tokens, "init")) {
      MicroOp make = start(Kind::pure);
      make.counter = 0;
      make.a = source(operands[1], ptx::Type::u32);
      make.d = word.data[0].slot;
      make.execute = make_word;
      emit(make);
    }
    MicroOp op = start(Kind::store);
    op.extra = static_cast<std::uint32_t>(program_.accesses.size());
    program_.accesses.push_back(word);
    return emit(op);
  }
  need(2, 4);
  decode_address(operands[1], word);
  if (has(tokens, "test_wait") || has(tokens, "try_wait")) {
    need(3, 4);
    word.ordering = has(tokens, "relaxed") ? Ordering::relaxed : Ordering::acquire;
    return mbarrier_wait(word, has(tokens, "parity"));
  }
  need(2, 3);
  word.ordering = has(tokens, "relaxed") ? Ordering::relaxed : Ordering::release;
  std::uint32_t count = one;
  if (operands.size() == 3) {
    MicroOp widen = start(Kind::pure);
    widen.counter = 0;
    widen.a = source(operands[2], ptx::Type::u32);
    widen.d = count = new_slot(Width::wide);
    widen.execute = [](std::byte* frame, const MicroOp& op, Mask mask) {
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane) & 1) slot<std::uint64_t>(frame, op.d)[lane] = slot<std::uint32_t>(frame, op.a)[lane];
      }
    };
    emit(widen);
  }
  mbarrier_arrive(word, has(tokens, "arrive_drop"), &operands[0], count);
}

/// test_wait and try_wait p, [word], state or parity{, time}: a try that may wait gives up at once.
void FunctionDecoder::mbarrier_wait(const MemoryAccess& word, bool parity) {
  MicroOp load = start(Kind::load);
  load.extra = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(word);
  const std::uint32_t read = program_.accesses.back().data[0].slot = new_slot(Width::wide);
  emit(load);
  MicroOp compare = start(Kind::pure);
  compare.counter = 0;
  compare.a = read;
  compare.b = source(current_->operands[2], parity ? ptx::Type::u32 : ptx::Type::u64);
  compare.d = destination(current_->operands[0], ptx::Type::pred);
  compare.execute = parity ? phase_is_over<true> : phase_is_over<false>;
  emit(compare);
}

/// arrive and arrive_drop: `state` receives the word as it was, unless it is null or `_`.
void FunctionDecoder::mbarrier_arrive(const MemoryAccess& word, bool drop, const ptx::Operand* state,
                                      std::uint32_t count_slot) {
  AtomicAccess atomic;
  atomic.address = word;
  atomic.address.is_store = true;
  atomic.operation = drop ? AtomicOperation::arrive_drop : AtomicOperation::arrive;
  atomic.type = ptx::Type::b64;
  atomic.returns = state != nullptr && state->kind != Kinds::sink;
  MicroOp op = start(Kind::atomic);
  op.b = count_slot;
  if (atomic.returns) op.d = destination(*state, ptx::Type::u64);
  op.extra = static_cast<std::uint32_t>(program_.atomics.size());
  program_.atomics.push_back(atomic);
  emit(op);
}

}  // namespace cudasim
