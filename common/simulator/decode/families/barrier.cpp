// SPDX-License-Identifier: MIT
// Barriers of a block and memory fences. Fences of proxies that are not simulated match no row.
#include "decode/decoder.h"
#include "isa/families.h"

namespace cudasim {
namespace {

void decode_barrier(FunctionDecoder& decoder, const Found& found) {
  BarrierOperation barrier;
  // `bar.x` is `barrier.x.aligned` (PTX ISA, "bar, barrier").
  barrier.aligned = found.name() == "bar" || found.has("aligned");
  MicroOp op = decoder.start(MicroOpcode::barrier);
  const auto& operands = decoder.instruction().operands;
  std::size_t next = 0;
  ptx::Type result = ptx::Type::none;
  if (found.has("red")) {
    barrier.mode = found.has("popc")  ? BarrierOperation::Mode::reduce_popc
                   : found.has("and") ? BarrierOperation::Mode::reduce_and
                                      : BarrierOperation::Mode::reduce_or;
    result = barrier.mode == BarrierOperation::Mode::reduce_popc ? ptx::Type::u32 : ptx::Type::pred;
    if (operands.size() < 3) decoder.fail_here("lacks an operand");
    op.d = decoder.destination(operands[next++], result);
  } else if (found.has("arrive")) {
    barrier.mode = BarrierOperation::Mode::arrive;
  }
  if (next >= operands.size()) decoder.fail_here("names no barrier");
  op.a = decoder.source(operands[next++], ptx::Type::u32);
  const std::size_t left = operands.size() - next - (result != ptx::Type::none ? 1 : 0);
  if (left > 1) decoder.fail_here("has too many operands");
  if (left == 1) {
    barrier.has_count = true;
    op.b = decoder.source(operands[next++], ptx::Type::u32);
  }
  if (result != ptx::Type::none) op.c = decoder.source(operands[next], ptx::Type::pred);
  decoder.emit(op, decoder.program().barriers, barrier);
}

void decode_fence(FunctionDecoder& decoder, const Found& found) {
  MicroOp op = decoder.start(MicroOpcode::fence);
  if (!found.has("cta") && !found.has("proxy")) op.extra = kFenceOfGrid;
  decoder.emit(op);
}

}  // namespace

InstructionDefinitions barrier_rows() {
  static const InstructionDefinition rows[] = {
      {"bar[.cta]<.sync|.arrive>", "*", nullptr, "9.7.13.1", decode_barrier},
      {"bar[.cta].red.popc.u32", "d *", nullptr, "9.7.13.1", decode_barrier},
      {"bar[.cta].red<.and|.or>.pred", "d *", nullptr, "9.7.13.1", decode_barrier},
      {"barrier[.cta]<.sync|.arrive>[.aligned]", "*", nullptr, "9.7.13.1", decode_barrier},
      {"barrier[.cta].red.popc[.aligned].u32", "d *", nullptr, "9.7.13.1", decode_barrier},
      {"barrier[.cta].red<.and|.or>[.aligned].pred", "d *", nullptr, "9.7.13.1", decode_barrier},
      {"membar<.cta|.gl|.sys>", "*", nullptr, "9.7.13.4", decode_fence},
      {"fence[.sc|.acq_rel]<.cta|.cluster|.gpu|.sys>", "*", nullptr, "9.7.13.4", decode_fence},
      {"fence.proxy.alias", "*", nullptr, "9.7.13.4", decode_fence},
  };
  return span_of(rows);
}

}  // namespace cudasim
