// SPDX-License-Identifier: MIT
// atom and red, in the group order of the PTX manual.
#include <string_view>
#include <utility>

#include "decode/families/memory_parts.h"

namespace cudasim {
namespace {

using Kinds = ptx::Operand::Kind;

void decode_atomic(FunctionDecoder& decoder, const Found& found) {
  const bool returns = found.name() == "atom";
  AtomicAccess atomic;
  atomic.address.space = space_of(found);
  atomic.address.ordering = ordering_of(found);
  atomic.address.of_block = found.has("cta");
  atomic.address.of_system = found.has("sys");
  atomic.address.is_store = true;
  atomic.type = found.type();
  atomic.address.bytes = static_cast<std::uint8_t>(size_of(atomic.type));
  static constexpr std::pair<std::string_view, AtomicOperation> kOperations[] = {
      {"add", AtomicOperation::add}, {"min", AtomicOperation::min},  {"max", AtomicOperation::max},
      {"inc", AtomicOperation::inc}, {"dec", AtomicOperation::dec},  {"and", AtomicOperation::and_},
      {"or", AtomicOperation::or_},  {"xor", AtomicOperation::xor_}, {"exch", AtomicOperation::exch},
      {"cas", AtomicOperation::cas}};
  for (const auto& [name, operation] : kOperations) {
    if (found.has(name)) atomic.operation = operation;
  }
  const std::size_t first = returns ? 1 : 0;
  const std::size_t needed = first + (atomic.operation == AtomicOperation::cas ? 3 : 2);
  decoder.need_operands(needed);
  // nvcc writes `atom` even where the source ignores the old value. ptxas makes `red` of it, and the counters must do
  // so too.
  atomic.returns = returns && decoder.operand(0).kind != Kinds::sink && !decoder.result_is_unused();
  decoder.decode_address(decoder.operand(first), atomic.address);
  const auto slot_type = atomic.address.bytes == 8   ? ptx::Type::u64
                         : atomic.address.bytes == 2 ? ptx::Type::u16
                                                     : ptx::Type::u32;
  // An immediate of a floating-point atomic must take the operand's own representation.
  const auto value_type = atomic.type == ptx::Type::f32 || atomic.type == ptx::Type::f64 ? atomic.type : slot_type;
  const auto b = decoder.source(decoder.operand(first + 1), value_type);
  const auto c = atomic.operation == AtomicOperation::cas ? decoder.source(decoder.operand(first + 2), value_type) : 0;
  MicroOp op = decoder.start(MicroOpcode::atomic);
  op.b = b;
  op.c = c;
  if (returns) op.d = decoder.destination(decoder.operand(0), slot_type);
  const bool is_float = atomic.type == ptx::Type::f32 || atomic.type == ptx::Type::f64 ||
                        atomic.type == ptx::Type::f16 || atomic.type == ptx::Type::f16x2 ||
                        atomic.type == ptx::Type::bf16 || atomic.type == ptx::Type::bf16x2;
  atomic.flush_to_zero = atomic.type == ptx::Type::f32 && atomic.operation == AtomicOperation::add &&
                         atomic.address.space != ptx::Space::shared;
  const bool commutes = !is_float && has_reduction(atomic.operation);
  if (atomic.address.space != ptx::Space::shared && (atomic.returns || !commutes))
    decoder.program().order_sensitive = true;
  const auto& value = decoder.operand(first + 1);
  atomic.counts_lanes = atomic.address.space == ptx::Space::shared && atomic.operation == AtomicOperation::add &&
                        atomic.address.bytes == 4 && !is_float && !atomic.returns && value.kind == Kinds::integer &&
                        value.bits == 1;
  decoder.emit(op, decoder.program().atomics, atomic);
}

#define ATOMIC_ORDER "[.relaxed|.acquire|.release|.acq_rel][.cta|.cluster|.gpu|.sys][.global|.shared|.shared::cta]"
#define REDUCTION_ORDER "[.relaxed|.release][.cta|.cluster|.gpu|.sys][.global|.shared|.shared::cta]"

}  // namespace

InstructionDefinitions atomic_rows() {
  static const InstructionDefinition rows[] = {
      {"atom" ATOMIC_ORDER "<.and|.or|.xor><.b32|.b64>", "d *", nullptr, "9.7.13.5", decode_atomic},
      {"atom" ATOMIC_ORDER ".exch<.b32|.b64>", "d *", nullptr, "9.7.13.5", decode_atomic},
      {"atom" ATOMIC_ORDER ".cas<.b16|.b32|.b64>", "d *", nullptr, "9.7.13.5", decode_atomic},
      {"atom" ATOMIC_ORDER ".add<.u32|.s32|.u64|.s64|.f32|.f64>", "d *", nullptr, "9.7.13.5", decode_atomic},
      {"atom" ATOMIC_ORDER ".add.noftz<.f16|.f16x2|.bf16|.bf16x2>", "d *", nullptr, "9.7.13.5", decode_atomic},
      {"atom" ATOMIC_ORDER "<.inc|.dec>.u32", "d *", nullptr, "9.7.13.5", decode_atomic},
      {"atom" ATOMIC_ORDER "<.min|.max><.u32|.s32|.u64|.s64>", "d *", nullptr, "9.7.13.5", decode_atomic},

      {"red" REDUCTION_ORDER "<.and|.or|.xor><.b32|.b64>", "*", nullptr, "9.7.13.6", decode_atomic},
      {"red" REDUCTION_ORDER ".add<.u32|.s32|.u64|.s64|.f32|.f64>", "*", nullptr, "9.7.13.6", decode_atomic},
      {"red" REDUCTION_ORDER ".add.noftz<.f16|.f16x2|.bf16|.bf16x2>", "*", nullptr, "9.7.13.6", decode_atomic},
      {"red" REDUCTION_ORDER "<.inc|.dec>.u32", "*", nullptr, "9.7.13.6", decode_atomic},
      {"red" REDUCTION_ORDER "<.min|.max><.u32|.s32|.u64|.s64>", "*", nullptr, "9.7.13.6", decode_atomic},
  };
  return span_of(rows);
}

}  // namespace cudasim
