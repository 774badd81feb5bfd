// SPDX-License-Identifier: MIT
// Branches, calls, barriers and warp-wide operations become entries of the program's tables.
#include "module/decoder.h"
#include "module/opcode_tokens.h"

namespace cudasim {
namespace {

using Kinds = ptx::Operand::Kind;

}  // namespace

void FunctionDecoder::decode_branch(Kind kind) {
  if (kind == Kind::ret && function_.is_entry) return emit(start(Kind::exit));
  MicroOp op = start(kind == Kind::branch_indexed ? Kind::branch_indexed : Kind::branch);
  if (kind == Kind::branch_indexed) op.a = source(current_->operands.at(0), ptx::Type::u32);
  op.extra = static_cast<std::uint32_t>(program_.branches.size());
  branch_instructions_.emplace_back(program_.branches.size(),
                                    static_cast<std::uint32_t>(current_ - function_.instructions.data()));
  program_.branches.emplace_back();
  emit(op);
}

void FunctionDecoder::decode_call() {
  Call call;
  if (current_->operands.size() < 3) fail("a call without its lists of operands");
  auto offsets = [&](const ptx::Operand& list, std::vector<std::uint32_t>& at, std::vector<std::uint32_t>& bytes) {
    for (const auto& element : list.elements) {
      const auto local = local_offsets_.find(element.name);
      if (element.kind != Kinds::name || local == local_offsets_.end())
        fail("a call whose arguments are not .param variables is not simulated");
      at.push_back(local->second);
      std::uint32_t size = 0;
      for (const auto* variables : {&function_.variables, &function_.parameters, &function_.returns}) {
        for (const auto& v : *variables) {
          if (v.name == element.name) size = static_cast<std::uint32_t>(v.size_bytes);
        }
      }
      bytes.push_back(size);
    }
  };
  offsets(current_->operands[0], call.return_offsets, call.return_bytes);
  offsets(current_->operands[2], call.argument_offsets, call.argument_bytes);
  const auto& callee = current_->operands[1];
  if (callee.kind == Kinds::reg) {
    call.callee = Call::Callee::indirect;
    call.address_slot = source(callee, ptx::Type::u64);
  } else {
    std::uint32_t index = no_pc;
    for (std::size_t f = 0; f < text_.functions.size(); ++f) {
      if (text_.functions[f].name == callee.name && !text_.functions[f].is_declaration)
        index = program_.function_of_text[f];
    }
    const std::size_t arguments = call.argument_offsets.size();
    auto host = [&](const char* name, Call::Callee kind, std::size_t needs) {
      if (index != no_pc || callee.name != name) return;
      if (arguments < needs) fail("'" + callee.name + "' is called with too few arguments");
      call.callee = kind;
      index = 0;
    };
    host("vprintf", Call::Callee::printf, 2);
    host("__assertfail", Call::Callee::assert_fail, 5);
    host("malloc", Call::Callee::malloc, 1);
    host("free", Call::Callee::free, 1);
    if (index == no_pc) fail("the function '" + callee.name + "' is called but has no body in this module");
    call.function = index;
    if (call.callee == Call::Callee::function) {
      const auto& f = program_.functions[index];
      if (f.parameter_bytes != call.argument_bytes ||
          (!call.return_bytes.empty() && f.return_bytes != call.return_bytes)) {
        fail("'" + callee.name + "' is called with other parameters than it is defined with");
      }
    } else {
      program_.order_sensitive = true;  // printed text and heap addresses follow the order of execution
    }
  }
  MicroOp op = start(Kind::call);
  op.extra = static_cast<std::uint32_t>(program_.calls.size());
  const bool indirect = call.callee == Call::Callee::indirect;
  if (indirect) call.reconverge = static_cast<std::uint32_t>(program_.code.size() + 1);
  program_.calls.push_back(call);
  emit(op);
  if (indirect) {
    MicroOp meet;
    meet.kind = Kind::reconverge;
    emit(meet);
  }
}

void FunctionDecoder::decode_barrier() {
  const auto tokens = split(current_->opcode);
  BarrierOperation barrier;
  // `bar.x` is `barrier.x.aligned` (PTX ISA, "bar, barrier").
  barrier.aligned = tokens[0] == "bar" || has(tokens, "aligned");
  MicroOp op = start(Kind::barrier);
  const auto& operands = current_->operands;
  std::size_t next = 0;
  ptx::Type result = ptx::Type::none;
  if (has(tokens, "red")) {
    barrier.mode = has(tokens, "popc")  ? BarrierOperation::Mode::reduce_popc
                   : has(tokens, "and") ? BarrierOperation::Mode::reduce_and
                                        : BarrierOperation::Mode::reduce_or;
    result = barrier.mode == BarrierOperation::Mode::reduce_popc ? ptx::Type::u32 : ptx::Type::pred;
    if (operands.size() < 3) fail("'" + current_->opcode + "' lacks an operand");
    op.d = destination(operands[next++], result);
  } else if (has(tokens, "arrive")) {
    barrier.mode = BarrierOperation::Mode::arrive;
  }
  if (next >= operands.size()) fail("'" + current_->opcode + "' names no barrier");
  op.a = source(operands[next++], ptx::Type::u32);
  const std::size_t left = operands.size() - next - (result != ptx::Type::none ? 1 : 0);
  if (left > 1) fail("'" + current_->opcode + "' has too many operands");
  if (left == 1) {
    barrier.has_count = true;
    op.b = source(operands[next++], ptx::Type::u32);
  }
  if (result != ptx::Type::none) op.c = source(operands[next], ptx::Type::pred);
  op.extra = static_cast<std::uint32_t>(program_.barriers.size());
  program_.barriers.push_back(barrier);
  emit(op);
}

void FunctionDecoder::decode_warp_operation(Kind kind) {
  using Mode = WarpOperation::Mode;
  const auto tokens = split(current_->opcode);
  const auto& operands = current_->operands;
  if (!has(tokens, "sync"))
    fail("'" + current_->opcode + "' (without .sync) is not simulated: no GPU since Volta has it");
  auto need = [&](std::size_t count) {
    if (operands.size() != count) fail("'" + current_->opcode + "' takes " + std::to_string(count) + " operands");
  };
  WarpOperation w;
  MicroOp op = start(kind);
  auto destinations = [&](ptx::Type type) {
    const auto& first = operands[0];
    if (first.kind == Kinds::pair) {
      op.d = destination(first.elements.at(0), type);
      op.e = destination(first.elements.at(1), ptx::Type::pred);
      w.has_predicate = first.elements[1].kind != Kinds::sink;
    } else {
      op.d = destination(first, type);
    }
  };
  switch (kind) {
    case Kind::shuffle:
      need(5);
      w.mode = has(tokens, "up")     ? Mode::shuffle_up
               : has(tokens, "down") ? Mode::shuffle_down
               : has(tokens, "bfly") ? Mode::shuffle_butterfly
                                     : Mode::shuffle_index;
      op.a = source(operands[1], ptx::Type::b32);
      op.b = source(operands[2], ptx::Type::u32);
      op.c = source(operands[3], ptx::Type::u32);
      op.f = source(operands[4], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    case Kind::vote:
      need(3);
      w.mode = has(tokens, "all")   ? Mode::vote_all
               : has(tokens, "any") ? Mode::vote_any
               : has(tokens, "uni") ? Mode::vote_uniform
                                    : Mode::vote_ballot;
      op.a = source(operands[1], ptx::Type::pred);
      op.f = source(operands[2], ptx::Type::u32);
      destinations(w.mode == Mode::vote_ballot ? ptx::Type::b32 : ptx::Type::pred);
      break;
    case Kind::match: {
      need(3);
      w.mode = has(tokens, "any") ? Mode::match_any : Mode::match_all;
      w.wide = has(tokens, "b64");
      op.a = source(operands[1], w.wide ? ptx::Type::b64 : ptx::Type::b32);
      op.f = source(operands[2], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    }
    case Kind::warp_reduce: {
      need(3);
      const auto type = ptx::type_from_text(tokens.back());
      if (size_of(type) != 4 || type == ptx::Type::f32) fail("'" + current_->opcode + "' is not simulated");
      w.is_signed = type == ptx::Type::s32;
      w.mode = has(tokens, "add")   ? Mode::reduce_add
               : has(tokens, "min") ? Mode::reduce_min
               : has(tokens, "max") ? Mode::reduce_max
               : has(tokens, "and") ? Mode::reduce_and
               : has(tokens, "or")  ? Mode::reduce_or
                                    : Mode::reduce_xor;
      op.a = source(operands[1], ptx::Type::b32);
      op.f = source(operands[2], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    }
    case Kind::elect:
      need(2);
      w.mode = Mode::elect;
      op.f = source(operands[1], ptx::Type::u32);
      destinations(ptx::Type::b32);
      break;
    default:
      need(1);
      w.mode = Mode::sync;
      op.f = source(operands[0], ptx::Type::u32);
      w.has_destination = false;
      break;
  }
  op.extra = static_cast<std::uint32_t>(program_.warp_operations.size());
  program_.warp_operations.push_back(w);
  emit(op);
}

}  // namespace cudasim
