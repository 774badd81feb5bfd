// SPDX-License-Identifier: MIT
#include "machine/control/activation_stack.h"

#include <cstring>

#include "messages/finding_messages.h"

namespace cudasim {

/// Where the registers of a new activation go: behind the caller's, and not among those of other lanes that are in
/// another function. The slots of another function are laid out differently. Lanes in the same function share slots.
std::uint32_t ActivationStack::free_frame(const Warp& warp, std::uint32_t frame, std::uint32_t function) const {
  const std::uint32_t bytes = program_.functions[function].frame_bytes;
  for (std::size_t a = 0; a < warp.activations.size(); ++a) {
    const auto& other = warp.activations[a];
    if (other.lanes == 0 || (other.function == function && other.frame == frame)) continue;
    const std::uint32_t end = other.frame + program_.functions[other.function].frame_bytes;
    if (other.frame >= frame + bytes || end <= frame) continue;
    frame = end;
    a = static_cast<std::size_t>(-1);  // compare with all of them again
  }
  return frame;
}

bool ActivationStack::enter(Block& block, Warp& warp, WarpSplit& split, std::uint32_t function,
                            std::uint32_t call_index) {
  const auto& caller = program_.functions[split.activation == kNone ? 0 : warp.activations[split.activation].function];
  const auto& callee = program_.functions[function];
  const auto& call = program_.calls[call_index];
  const std::uint32_t frame = free_frame(warp, split.frame + caller.frame_bytes, function);
  const std::uint32_t local = split.local + caller.local_bytes;
  if (frame + std::uint64_t{callee.frame_bytes} > worker_.frame_bytes ||
      local + std::uint64_t{callee.local_bytes} > worker_.local_bytes)
    return false;
  std::uint32_t free = 0;
  while (free < warp.activations.size() && warp.activations[free].lanes != 0) ++free;
  if (free == warp.activations.size()) warp.activations.emplace_back();
  auto& activation = warp.activations[free];
  activation.return_pc = split.pc + 1;
  activation.caller = split.activation;
  activation.caller_frame = split.frame;
  activation.caller_local = split.local;
  activation.call = call_index;
  activation.function = function;
  activation.frame = frame;
  activation.lanes = split.mask;
  for (Mask m = split.mask; m != 0; m &= m - 1) {
    std::byte* stack = warp.local + static_cast<std::size_t>(__builtin_ctz(m)) * worker_.local_bytes;
    std::memset(stack + local, worker_.poison, callee.local_bytes);
    for (std::size_t i = 0; i < call.argument_offsets.size() && i < callee.parameter_offsets.size(); ++i) {
      std::memcpy(stack + local + callee.parameter_offsets[i], stack + split.local + call.argument_offsets[i],
                  call.argument_bytes[i]);
    }
  }
  if (values_ != nullptr) values_->enter(warp, split, call, callee, frame, local);
  for (const auto& constant : callee.constants) constants_.write(block, warp, constant, frame, local, split.mask);
  // Only the lanes that enter: other lanes of this warp may be in an activation at the same depth.
  for (const auto& undefined : callee.undefined) constants_.write(block, warp, undefined, frame, local, split.mask);
  split.activation = free;
  split.frame = frame;
  split.local = local;
  split.pc = callee.entry;
  return true;
}

void ActivationStack::leave(Warp& warp, WarpSplit& split) {
  auto& activation = warp.activations[split.activation];
  const auto& call = program_.calls[activation.call];
  const auto& callee = program_.functions[activation.function];
  for (Mask m = split.mask; m != 0; m &= m - 1) {
    std::byte* stack = warp.local + static_cast<std::size_t>(__builtin_ctz(m)) * worker_.local_bytes;
    for (std::size_t i = 0; i < call.return_offsets.size() && i < callee.return_offsets.size(); ++i) {
      std::memcpy(stack + activation.caller_local + call.return_offsets[i],
                  stack + split.local + callee.return_offsets[i], call.return_bytes[i]);
    }
  }
  if (values_ != nullptr) values_->leave(warp, split, activation);
  activation.lanes &= ~split.mask;
  split.pc = activation.return_pc;
  split.frame = activation.caller_frame;
  split.local = activation.caller_local;
  split.activation = activation.caller;
}

/// Finds the function that a call through a pointer calls. Lanes that call another one wait until these have come back.
bool ActivationStack::find_callee(Block& block, Warp& warp, WarpSplit& split, const MicroOp& op, Mask mask,
                                  std::uint32_t& function) {
  const auto& call = program_.calls[op.extra];
  if (values_ != nullptr) values_->decision({block, warp, split, op}, call.address_slot, mask);
  const auto* targets = reinterpret_cast<const std::uint64_t*>(warp.frames + split.frame + call.address_slot);
  std::uint64_t target = targets[__builtin_ctz(mask)];
  Mask same = 0;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    if (targets[lane] == target) same |= 1u << lane;
  }
  if (same != mask) {
    // The other lanes come back to this instruction later; all meet behind it.
    split.convergence_barrier = divergence_.open_convergence_barrier(warp, split, call.reconverge);
    WarpSplit others = split;
    others.mask = mask & ~same;
    warp.splits.push_back(others);
    split.mask = same;
  }
  const std::uint64_t index = (target - kFunctionWindow) / 16 - 1;
  const bool known = window_of(target) == kFunctionWindow && target % 16 == 0 &&
                     index < program_.function_of_text.size() && program_.function_of_text[index] != kNoPc;
  if (known) function = program_.function_of_text[index];
  const bool fits = known && program_.functions[function].parameter_bytes == call.argument_bytes &&
                    (call.return_bytes.empty() || program_.functions[function].return_bytes == call.return_bytes);
  if (!fits) {
    Finding f = finding_at(grid_, block, warp, op, same, FindingKind::invalid_target);
    f.message = known ? "a call through a pointer to a function with other parameters"
                      : "a call through a pointer that points to no function";
    f.address = target;
    report(grid_, block, std::move(f));
    return false;
  }
  return true;
}

bool ActivationStack::call(Block& block, Warp& warp, WarpSplit& split, const MicroOp& op, Mask mask) {
  const auto& call = program_.calls[op.extra];
  std::uint32_t function = call.function;
  if (call.callee == Call::Callee::indirect && !find_callee(block, warp, split, op, mask, function)) return false;
  if (enter(block, warp, split, function, op.extra)) return true;
  report(grid_, block, finding_at(grid_, block, warp, op, split.mask, FindingKind::stack_overflow));
  return false;
}

}  // namespace cudasim
