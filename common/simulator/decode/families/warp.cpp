// SPDX-License-Identifier: MIT
// Instructions between the lanes of a warp: shuffles, votes, matches, reductions, elections.
// vote has two spellings in use: vote.sync.ballot (the manual's, and nvcc's) and vote.ballot.sync (older headers).
#include "decode/decoder.h"
#include "isa/families.h"

namespace cudasim {
namespace {

using WarpMode = WarpOperation::Mode;

/// The destination, or d|p: a value and a predicate. The mask of the lanes that take part is the last operand.
void emit(FunctionDecoder& decoder, MicroOp op, WarpOperation operation, ptx::Type result) {
  op.f = decoder.source(decoder.instruction().operands.back(), ptx::Type::u32);
  const auto& first = decoder.operand(0);
  if (first.kind == ptx::Operand::Kind::pair) {
    op.d = decoder.destination(first.elements.at(0), result);
    op.e = decoder.destination(first.elements.at(1), ptx::Type::pred);
    operation.has_predicate = first.elements[1].kind != ptx::Operand::Kind::sink;
  } else {
    op.d = decoder.destination(first, result);
  }
  decoder.emit(op, decoder.program().warp_operations, operation);
}

void decode_shuffle(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(5);
  WarpOperation operation;
  operation.mode = found.chosen(0, WarpMode::shuffle_up);
  MicroOp op = decoder.start(MicroOpcode::shuffle);
  op.a = decoder.source(decoder.operand(1), ptx::Type::b32);
  op.b = decoder.source(decoder.operand(2), ptx::Type::u32);
  op.c = decoder.source(decoder.operand(3), ptx::Type::u32);
  emit(decoder, op, operation, ptx::Type::b32);
}

void decode_vote(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(3);
  WarpOperation operation;
  operation.mode = found.has("ballot") ? WarpMode::vote_ballot : found.chosen(0, WarpMode::vote_all);
  MicroOp op = decoder.start(MicroOpcode::vote);
  op.a = decoder.source(decoder.operand(1), ptx::Type::pred);
  emit(decoder, op, operation, found.type());
}

void decode_match(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(3);
  WarpOperation operation;
  operation.mode = found.chosen(0, WarpMode::match_any);
  operation.wide = found.has("b64");
  MicroOp op = decoder.start(MicroOpcode::match);
  op.a = decoder.source(decoder.operand(1), found.type());
  emit(decoder, op, operation, ptx::Type::b32);
}

void decode_reduction(FunctionDecoder& decoder, const Found& found) {
  decoder.need_operands(3);
  WarpOperation operation;
  operation.mode = found.chosen(0, found.has("b32") ? WarpMode::reduce_and : WarpMode::reduce_add);
  operation.is_signed = found.has("s32");
  MicroOp op = decoder.start(MicroOpcode::warp_reduce);
  op.a = decoder.source(decoder.operand(1), ptx::Type::b32);
  emit(decoder, op, operation, ptx::Type::b32);
}

void decode_election(FunctionDecoder& decoder, const Found&) {
  decoder.need_operands(2);
  WarpOperation operation;
  operation.mode = WarpMode::elect;
  emit(decoder, decoder.start(MicroOpcode::elect), operation, ptx::Type::b32);
}

void decode_synchronisation(FunctionDecoder& decoder, const Found&) {
  decoder.need_operands(1);
  WarpOperation operation;
  operation.mode = WarpMode::sync;
  operation.has_destination = false;
  MicroOp op = decoder.start(MicroOpcode::warp_sync);
  op.f = decoder.source(decoder.operand(0), ptx::Type::u32);
  decoder.emit(op, decoder.program().warp_operations, operation);
}

void decode_active_mask(FunctionDecoder& decoder, const Found&) {
  decoder.need_operands(1);
  MicroOp op = decoder.start(MicroOpcode::active_mask);
  op.d = decoder.destination(decoder.operand(0), ptx::Type::u32);
  decoder.emit(op);
}

// The alternatives are in the order of WarpOperation::Mode.

}  // namespace

InstructionDefinitions warp_rows() {
  static const InstructionDefinition rows[] = {
      {"shfl.sync<.up|.down|.bfly|.idx>.b32", "d *", nullptr, "9.7.9.6", decode_shuffle},
      {"bar.warp.sync", "*", nullptr, "9.7.13.2", decode_synchronisation},
      {"vote.sync<.all|.any|.uni>.pred", "d *", nullptr, "9.7.13.9", decode_vote},
      {"vote.sync.ballot.b32", "d *", nullptr, "9.7.13.9", decode_vote},
      {"vote<.all|.any|.uni>.sync.pred", "d *", nullptr, "9.7.13.9", decode_vote},
      {"vote.ballot.sync.b32", "d *", nullptr, "9.7.13.9", decode_vote},
      {"match<.any|.all>.sync<.b32|.b64>", "d *", nullptr, "9.7.13.10", decode_match},
      {"activemask.b32", "d *", nullptr, "9.7.13.11", decode_active_mask},
      {"redux.sync<.add|.min|.max><.u32|.s32>", "d *", nullptr, "9.7.13.12", decode_reduction},
      {"redux.sync<.and|.or|.xor>.b32", "d *", nullptr, "9.7.13.12", decode_reduction},
      {"elect.sync", "d *", nullptr, "9.7.13.14", decode_election},
  };
  return span_of(rows);
}

}  // namespace cudasim
