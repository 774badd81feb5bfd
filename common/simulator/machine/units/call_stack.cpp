// SPDX-License-Identifier: MIT
// Calls between device functions, through an explicit stack (never by recursion on the host: a barrier inside a
// function must be able to suspend it), and calls that the host answers: printf, assert, malloc, free.
#include <cstring>

#include "machine/interpreter.h"
#include "machine/units/printf.h"
#include "messages/describe_address.h"

namespace cudasim {

/// Where the registers of a new activation go: behind the caller's, and not among those of other lanes that are in
/// another function at the moment, whose slots are laid out differently. Lanes in the same function share slots.
std::uint32_t Interpreter::free_frame(const Warp& warp, std::uint32_t frame, std::uint32_t function) const {
  const std::uint32_t bytes = program_.functions[function].frame_bytes;
  for (std::size_t a = 0; a < warp.activations.size(); ++a) {
    const auto& other = warp.activations[a];
    if (other.lanes == 0 || (other.function == function && other.frame == frame)) continue;
    const std::uint32_t end = other.frame + program_.functions[other.function].frame_bytes;
    if (other.frame >= frame + bytes || end <= frame) continue;
    frame = end;
    a = static_cast<std::size_t>(-1);  // look at all of them again
  }
  return frame;
}

bool Interpreter::enter(Block& block, Warp& warp, Fragment& fragment, std::uint32_t function,
                        std::uint32_t call_index) {
  const auto& caller =
      program_.functions[fragment.activation == none ? 0 : warp.activations[fragment.activation].function];
  const auto& callee = program_.functions[function];
  const auto& call = program_.calls[call_index];
  const std::uint32_t frame = free_frame(warp, fragment.frame + caller.frame_bytes, function);
  const std::uint32_t local = fragment.local + caller.local_bytes;
  if (frame + std::uint64_t{callee.frame_bytes} > frame_bytes_ ||
      local + std::uint64_t{callee.local_bytes} > local_bytes_)
    return false;
  std::uint32_t free = 0;
  while (free < warp.activations.size() && warp.activations[free].lanes != 0) ++free;
  if (free == warp.activations.size()) warp.activations.emplace_back();
  auto& activation = warp.activations[free];
  activation.return_pc = fragment.pc + 1;
  activation.caller = fragment.activation;
  activation.caller_frame = fragment.frame;
  activation.caller_local = fragment.local;
  activation.call = call_index;
  activation.function = function;
  activation.frame = frame;
  activation.lanes = fragment.mask;
  for (Mask m = fragment.mask; m != 0; m &= m - 1) {
    std::byte* stack = warp.local + static_cast<std::size_t>(__builtin_ctz(m)) * local_bytes_;
    std::memset(stack + local, poison_, callee.local_bytes);
    for (std::size_t i = 0; i < call.argument_offsets.size() && i < callee.parameter_offsets.size(); ++i) {
      std::memcpy(stack + local + callee.parameter_offsets[i], stack + fragment.local + call.argument_offsets[i],
                  call.argument_bytes[i]);
    }
  }
  if (values_ != nullptr) values_->enter(warp, fragment, call, callee, frame, local);
  for (const auto& constant : callee.constants) write_constant(block, warp, constant, frame, local, fragment.mask);
  // Only the lanes that enter: others of this warp may be in an activation at the same depth.
  for (const auto& undefined : callee.undefined) write_constant(block, warp, undefined, frame, local, fragment.mask);
  fragment.activation = free;
  fragment.frame = frame;
  fragment.local = local;
  fragment.pc = callee.entry;
  return true;
}

void Interpreter::leave(Warp& warp, Fragment& fragment) {
  auto& activation = warp.activations[fragment.activation];
  const auto& call = program_.calls[activation.call];
  const auto& callee = program_.functions[activation.function];
  for (Mask m = fragment.mask; m != 0; m &= m - 1) {
    std::byte* stack = warp.local + static_cast<std::size_t>(__builtin_ctz(m)) * local_bytes_;
    for (std::size_t i = 0; i < call.return_offsets.size() && i < callee.return_offsets.size(); ++i) {
      std::memcpy(stack + activation.caller_local + call.return_offsets[i],
                  stack + fragment.local + callee.return_offsets[i], call.return_bytes[i]);
    }
  }
  if (values_ != nullptr) values_->leave(warp, fragment, activation);
  activation.lanes &= ~fragment.mask;
  fragment.pc = activation.return_pc;
  fragment.frame = activation.caller_frame;
  fragment.local = activation.caller_local;
  fragment.activation = activation.caller;
}

/// Turn::lost here means a fault.
Interpreter::Turn Interpreter::call(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask) {
  const auto& call = program_.calls[op.extra];
  std::uint32_t function = call.function;
  if (call.callee == Call::Callee::indirect) {
    if (values_ != nullptr) values_->decision({block, warp, fragment, op}, call.address_slot, mask);
    const auto* targets = reinterpret_cast<const std::uint64_t*>(warp.frames + fragment.frame + call.address_slot);
    std::uint64_t target = targets[__builtin_ctz(mask)];
    Mask same = 0;
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (targets[lane] == target) same |= 1u << lane;
    }
    if (same != mask) {
      // The other lanes come back to this instruction later; all meet behind it.
      fragment.meeting = open_meeting(warp, fragment, call.reconverge);
      Fragment others = fragment;
      others.mask = mask & ~same;
      warp.fragments.push_back(others);
      fragment.mask = same;
    }
    const std::uint64_t index = (target - function_window) / 16 - 1;
    const bool known = window_of(target) == function_window && target % 16 == 0 &&
                       index < program_.function_of_text.size() && program_.function_of_text[index] != no_pc;
    if (known) function = program_.function_of_text[index];
    const bool fits = known && program_.functions[function].parameter_bytes == call.argument_bytes &&
                      (call.return_bytes.empty() || program_.functions[function].return_bytes == call.return_bytes);
    if (!fits) {
      Finding f = finding_at(grid_, block, warp, op, same, FindingKind::invalid_target);
      f.message = known ? "a call through a pointer to a function with other parameters"
                        : "a call through a pointer that points to no function";
      f.address = target;
      report(grid_, block, std::move(f));
      return Turn::lost;
    }
  }
  if (enter(block, warp, fragment, function, op.extra)) return Turn::go_on;
  report(grid_, block, finding_at(grid_, block, warp, op, fragment.mask, FindingKind::stack_overflow));
  return Turn::lost;
}

namespace {

/// At most 64 KiB of a string in device memory; words in its place when it cannot be read.
std::string read_string(const Memory& memory, std::uint64_t address) {
  std::string text;
  for (std::uint64_t i = 0; i < 65536; ++i) {
    const std::byte* byte = memory.resolve(address + i, 1);
    if (byte == nullptr) return "(invalid address)";
    if (*byte == std::byte{0}) break;
    text.push_back(static_cast<char>(*byte));
  }
  return text;
}

}  // namespace

void Interpreter::forget_allocations() {
  for (std::size_t i = 0; i < site_count_; ++i) sites_[i].allocation = nullptr;
  for (const auto& watcher : watchers_) watcher->forget_allocations();
}

/// False, and told: free() of what malloc() in a kernel did not return, or of what was freed. The kernel goes on.
bool Interpreter::check_free(const Block& block, const Warp& warp, const MicroOp& op, unsigned lane,
                             std::uint64_t address) {
  const Allocation* allocation = grid_.memory.find(address);
  const bool is_heap = allocation != nullptr && allocation->origin == Origin::kernel_heap;
  const bool is_freed = is_heap && allocation->host == nullptr;
  if (is_heap && !is_freed && allocation->address == address) return true;
  Finding f = finding_at(grid_, block.linear, warp.index, op.counter, 1u << lane,
                         is_freed ? FindingKind::use_after_free : FindingKind::out_of_bounds);
  f.severity = Severity::defect;
  f.cuda_error = 0;
  f.address = address;
  f.message = "free() in a kernel of ";
  if (is_freed) {
    f.message += "memory that was freed before";
    f.advice = "free each block of memory once, by one thread";
  } else if (is_heap) {
    f.message += "an address inside a block of memory, not at its start";
    f.advice = "give free() the pointer that malloc() returned";
  } else {
    f.message += "what malloc() in a kernel did not return";
    f.advice = "free() in a kernel is for memory of malloc() in a kernel: the host frees what cudaMalloc returned";
  }
  if (allocation != nullptr) {
    f.allocation = describe(*allocation);
    f.callers = allocation->callers;
  }
  add_defect(grid_, block.linear, std::move(f));
  return false;
}

bool Interpreter::call_host(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask) {
  const auto& call = program_.calls[op.extra];
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    std::byte* stack = warp.local + std::size_t{lane} * local_bytes_;
    auto argument = [&](std::size_t i) {
      std::uint64_t value = 0;
      std::memcpy(&value, stack + fragment.local + call.argument_offsets[i],
                  call.argument_bytes[i] < 8 ? call.argument_bytes[i] : 8);
      return value;
    };
    auto give_back = [&](std::uint64_t value) {
      if (call.return_offsets.empty()) return;
      std::memcpy(stack + fragment.local + call.return_offsets[0], &value,
                  call.return_bytes[0] < 8 ? call.return_bytes[0] : 8);
      if (values_ != nullptr)
        written::set(warp.values->local_of(lane), fragment.local + call.return_offsets[0], call.return_bytes[0]);
    };
    switch (call.callee) {
      case Call::Callee::printf: {
        const auto format = read_string(grid_.memory, argument(0));
        const std::uint64_t packed = argument(1);
        auto read = [&](std::uint64_t offset, void* to, std::size_t bytes) {
          const std::uint64_t address = packed + offset;
          const std::byte* from = nullptr;
          if (window_of(address) == local_window) {
            const std::uint64_t at = address - local_window;
            if (at < local_bytes_ && bytes <= local_bytes_ - at) from = stack + at;
          } else {
            from = grid_.memory.resolve(address, bytes);
          }
          if (from != nullptr) std::memcpy(to, from, bytes);
          if (from != nullptr && values_ != nullptr)
            values_->printed({block, warp, fragment, op}, address, lane, bytes);
          return from != nullptr;
        };
        int taken = 0;
        const std::string text = format_printf(
            format, read, [&](std::uint64_t address) { return read_string(grid_.memory, address); }, &taken);
        give_back(static_cast<std::uint32_t>(taken));
        const std::lock_guard<std::mutex> lock(grid_.mutex);
        grid_.printed.add(text);
        // A byte of text that is lost counts as an instruction, so a loop that prints for ever uses up its budget.
        if (grid_.printed.has_lost()) block.steps += text.size();
        break;
      }
      case Call::Callee::assert_fail: {
        Finding f = finding_at(grid_, block, warp, op, 1u << lane, FindingKind::assertion);
        auto text = [&](std::size_t i) { return read_string(grid_.memory, argument(i)); };
        auto index = [](const std::array<std::uint32_t, 3>& i) {
          return "[" + std::to_string(i[0]) + "," + std::to_string(i[1]) + "," + std::to_string(i[2]) + "]";
        };
        // The text that CUDA's own runtime prints.
        f.message = text(1) + ":" + std::to_string(argument(2) & 0xffffffffu) + ": " + text(3) +
                    ": block: " + index(f.block) + ", thread: " + index(f.thread) + " Assertion `" + text(0) +
                    "` failed.";
        report(grid_, block, std::move(f));
        return false;
      }
      case Call::Callee::malloc: {
        const std::uint64_t bytes = argument(0), used = grid_.memory.heap_bytes();
        const bool fits = used <= grid_.launch.heap_bytes && bytes <= grid_.launch.heap_bytes - used;
        const std::uint64_t forgotten = grid_.memory.forgotten();
        const auto* allocation = fits ? grid_.memory.allocate(bytes, Origin::kernel_heap) : nullptr;
        if (grid_.memory.forgotten() != forgotten) forget_allocations();
        give_back(allocation != nullptr ? allocation->address : 0);
        break;
      }
      case Call::Callee::free:
        if (argument(0) != 0 && check_free(block, warp, op, lane, argument(0))) {
          const std::uint64_t forgotten = grid_.memory.forgotten();
          grid_.memory.release(argument(0));
          if (grid_.memory.forgotten() != forgotten) forget_allocations();
        }
        break;
      case Call::Callee::function:
      case Call::Callee::indirect:
        break;
    }
  }
  return true;
}

}  // namespace cudasim
