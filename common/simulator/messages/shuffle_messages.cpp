// SPDX-License-Identifier: MIT
// Errors in the arguments of a warp-wide function. The message asks whether two of them are swapped, where their values
// suggest it.
#include "messages/shuffle_messages.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "messages/data_flow.h"
#include "messages/finding_messages.h"
#include "messages/matrix_messages.h"
#include "messages/missing_lanes.h"
#include "state/shuffle.h"

namespace cudasim {
namespace {

using Mode = WarpOperation::Mode;

std::string hexadecimal(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(value));
  return text;
}

/// For a 32-bit operand.
struct Operand {
  const std::uint32_t* values;
  Mask calling;
  std::uint32_t first() const { return values[__builtin_ctz(calling)]; }
  template <class Is>
  bool all(Is is) const {
    for (Mask m = calling; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (!is(values[lane], lane)) return false;
    }
    return true;
  }
  bool is_uniform() const {
    return all([&](std::uint32_t value, unsigned) { return value == first(); });
  }
  /// One value that would name all lanes that call, and more than one lane.
  bool looks_like_a_mask() const {
    return is_uniform() && (first() & calling) == calling && (first() & (first() - 1)) != 0;
  }
};

const char* call_of(Mode mode) {
  switch (mode) {
    case Mode::shuffle_up:
      return "__shfl_up_sync(mask, value, distance)";
    case Mode::shuffle_down:
      return "__shfl_down_sync(mask, value, distance)";
    case Mode::shuffle_butterfly:
      return "__shfl_xor_sync(mask, value, lane bits)";
    default:
      return "__shfl_sync(mask, value, lane)";
  }
}

/// Whether the mask, the last operand, is a number, in the instruction or in a register that holds nothing else.
bool is_constant_mask(const Program& program, std::uint32_t counter) {
  const auto [function, instruction] = text_at(program, counter);
  if (function == nullptr || instruction->operands.empty()) return false;
  const auto is_number = [](const ptx::Operand& operand) { return operand.kind == ptx::Operand::Kind::integer; };
  const ptx::Operand& mask = instruction->operands.back();
  if (mask.kind != ptx::Operand::Kind::reg) return is_number(mask);
  const auto writers = DataFlow(*function).slice_of(mask.reg).instructions;
  return !writers.empty() && std::all_of(writers.begin(), writers.end(), [&, function = function](std::uint32_t i) {
    const ptx::Instruction& writer = function->instructions[i];
    return writer.opcode.rfind("mov.", 0) == 0 && is_number(writer.operands.back());
  });
}

std::string order_of(const WarpOperation& operation) { return std::string("The order is ") + call_of(operation.mode); }

}  // namespace

/// A split waits for lanes that its mask names, and they cannot come any more.
void report_missing_lanes(Grid& grid, const Block& block, const Warp& warp, const WarpSplit& split) {
  const MicroOp& op = grid.program.code[split.pc];
  if (op.kind == MicroOpcode::matrix) return report_lone_lanes(grid, block, warp, split);
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + op.f);
  Mask present = 0, named = 0;
  for (const auto& other : warp.splits) {
    if (other.state == WarpSplit::State::at_warp_operation && other.pc == split.pc) present |= other.mask;
  }
  for (Mask m = split.mask; m != 0; m &= m - 1) named |= masks[__builtin_ctz(m)];
  Finding f = finding_at(grid, block, warp, op, split.mask, FindingKind::warp_mask);
  const Mask missing = named & warp.live & ~present;
  if (missing != 0) {
    f.message += ": " + describe_missing_lanes(grid.program, warp, missing, present);
    f.advice =
        "let all lanes that the mask names come to this call (outside of the `if` or the loop that some of them leave; "
        "guard only what is done with its result), or name only those that come";
  }
  report(grid, block, std::move(f));
}

void report_unnamed_caller(Grid& grid, const Step& step, Mask calling, unsigned lane) {
  const auto& [block, warp, split, op] = step;
  const std::byte* frame = warp.frames + split.frame;
  const auto operand = [&](std::uint32_t slot) {
    return Operand{reinterpret_cast<const std::uint32_t*>(frame + slot), calling};
  };
  const Operand mask = operand(op.f);
  const auto& operation = grid.program.warp_operations[op.extra];
  Finding f = finding_at(grid, block, warp, op, 1u << lane, FindingKind::warp_mask);
  f.message = "a warp-wide function is called by a lane that its mask does not name: in lane " + std::to_string(lane) +
              " the mask is " + hexadecimal(mask.values[lane]);
  const bool several = (calling & (calling - 1)) != 0;
  const auto is_number = [](std::uint32_t value, unsigned l) { return value % kWarpSize == l; };
  // Who writes a number as the mask has meant a mask, whatever the value is.
  const bool is_constant = is_constant_mask(grid.program, op.counter);
  if (op.kind == MicroOpcode::shuffle && operand(op.b).looks_like_a_mask()) {
    f.advice = "the third argument is " + hexadecimal(operand(op.b).first()) +
               " in all lanes, which would name them: is it the mask? " + order_of(operation);
  } else if (is_constant && several) {
    f.advice = "the mask names " + (mask.first() != 0 ? lanes_text(mask.first()) : std::string("no lane")) + ", and " +
               lanes_text(calling) + " call: name them all, " + hexadecimal(calling | mask.first()) +
               ", or let only those call that it names";
  } else if (op.kind == MicroOpcode::shuffle && operand(op.a).looks_like_a_mask()) {
    f.advice = "the value that is shuffled is " + hexadecimal(operand(op.a).first()) +
               " in all lanes, which would name them: are the mask and the value swapped? " + order_of(operation);
  } else if (several && mask.all(is_number)) {
    f.advice =
        "each lane gives its own number as the mask, but a mask has a bit for each lane that calls, the same in "
        "all of them: 0xffffffff for all 32";
  } else {
    f.advice = "a mask has a bit for each lane that calls, the same in all of them: 0xffffffff for all 32";
    if (op.kind == MicroOpcode::shuffle) f.advice += ". " + order_of(operation);
  }
  report(grid, step.block, std::move(f));
}

/// A distance of 32 or more, or a width that is no power of two: hardware uses only some bits of it. PTX of a library
/// may do so on purpose, so this is for CUDA's functions alone.
void report_odd_shuffle(Grid& grid, const Step& step, Mask calling) {
  const auto& [block, warp, split, op] = step;
  const auto chain = grid.program.source_chain(op.counter);
  if (chain.empty() || chain.front().function.find("__shfl_") == std::string::npos) return;
  const std::byte* frame = warp.frames + split.frame;
  const auto lane = static_cast<unsigned>(__builtin_ctz(calling));
  std::uint32_t distance, segment;
  std::memcpy(&distance, frame + op.b + 4 * lane, 4);
  std::memcpy(&segment, frame + op.c + 4 * lane, 4);
  const auto& operation = grid.program.warp_operations[op.extra];
  Finding f = finding_at(grid, block, warp, op, calling, FindingKind::shuffle_argument);
  if (!is_shuffle_width(segment)) {
    f.message = "a shuffle of the width " + std::to_string(32 - (static_cast<std::int32_t>(segment) >> 8));
    f.advice =
        "the width, the fourth argument, must be 1, 2, 4, 8, 16 or 32: anything else is undefined. Leave it out "
        "where the whole warp takes part";
  } else {
    f.message = "a shuffle over a distance of " + std::to_string(distance) + ", in a warp of 32 lanes";
    f.advice = "hardware takes it modulo 32, which is " + std::to_string(distance % 32) +
               " here. The largest that reaches another lane is 31; a sum over a warp begins with 16. If this is not "
               "meant to be the distance, look at the order of the arguments. " +
               order_of(operation);
  }
  report(grid, step.block, std::move(f));
}

}  // namespace cudasim
