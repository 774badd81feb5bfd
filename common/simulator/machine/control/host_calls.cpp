// SPDX-License-Identifier: MIT
#include "machine/control/host_calls.h"

#include <array>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "machine/control/printf.h"
#include "messages/describe_address.h"
#include "messages/finding_messages.h"

namespace cudasim {
namespace {

/// At most 64 KiB of a string in device memory; a message in its place when it cannot be read.
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

std::uint64_t HostCalls::OfLane::argument(std::size_t i) const {
  std::uint64_t value = 0;
  std::memcpy(&value, stack + step.split.local + call.argument_offsets[i],
              call.argument_bytes[i] < 8 ? call.argument_bytes[i] : 8);
  return value;
}

void HostCalls::give_back(const OfLane& call, std::uint64_t value) const {
  if (call.call.return_offsets.empty()) return;
  const std::uint32_t offset = call.step.split.local + call.call.return_offsets[0], bytes = call.call.return_bytes[0];
  std::memcpy(call.stack + offset, &value, bytes < 8 ? bytes : 8);
  if (values_ != nullptr) written::set(call.step.warp.values->local_of(call.lane), offset, bytes);
}

void HostCalls::print(const OfLane& call) {
  const auto format = read_string(grid_.memory, call.argument(0));
  const std::uint64_t packed = call.argument(1);
  const auto read = [&](std::uint64_t offset, void* to, std::size_t bytes) {
    const std::uint64_t address = packed + offset;
    const std::byte* from = nullptr;
    if (window_of(address) == kLocalWindow) {
      const std::uint64_t at = address - kLocalWindow;
      if (at < worker_.local_bytes && bytes <= worker_.local_bytes - at) from = call.stack + at;
    } else {
      from = grid_.memory.resolve(address, bytes);
    }
    if (from != nullptr) std::memcpy(to, from, bytes);
    if (from != nullptr && values_ != nullptr) values_->printed(call.step, address, call.lane, bytes);
    return from != nullptr;
  };
  int taken = 0;
  const std::string text = format_printf(
      format, read, [&](std::uint64_t address) { return read_string(grid_.memory, address); }, &taken);
  give_back(call, static_cast<std::uint32_t>(taken));
  const std::lock_guard<std::mutex> lock(grid_.mutex);
  grid_.printed.add(text);
  if (grid_.schedule.show_text && grid_.times_told.load(std::memory_order_relaxed) != 0)
    grid_.schedule.show_text(grid_.printed.take_early());
  // A byte of text that is lost counts as an instruction, so an endless loop of printf uses up its budget.
  if (grid_.printed.has_lost()) call.block.steps += text.size();
}

void HostCalls::fail_assertion(const OfLane& call) {
  Finding f = finding_at(grid_, call.step, 1u << call.lane, FindingKind::assertion);
  const auto text = [&](std::size_t i) { return read_string(grid_.memory, call.argument(i)); };
  const auto index = [](const std::array<std::uint32_t, 3>& i) {
    return "[" + std::to_string(i[0]) + "," + std::to_string(i[1]) + "," + std::to_string(i[2]) + "]";
  };
  // The text that CUDA's own runtime prints.
  f.message = text(1) + ":" + std::to_string(call.argument(2) & 0xffffffffu) + ": " + text(3) +
              ": block: " + index(f.block) + ", thread: " + index(f.thread) + " Assertion `" + text(0) + "` failed.";
  report(grid_, call.step.block, std::move(f));
}

/// The address; 0 where the heap has no room.
std::uint64_t HostCalls::allocate_memory(const OfLane& call) {
  const std::uint64_t bytes = call.argument(0), used = grid_.memory.heap_bytes();
  const bool fits = used <= grid_.launch.heap_bytes && bytes <= grid_.launch.heap_bytes - used;
  const std::uint64_t forgotten = grid_.memory.forgotten();
  const auto* allocation = fits ? grid_.memory.allocate(bytes, Origin::kernel_heap) : nullptr;
  if (grid_.memory.forgotten() != forgotten) memory_.forget_allocations();
  return allocation != nullptr ? allocation->address : 0;
}

/// Returns false, and reports it, when free() gets what malloc() in a kernel did not return, or what is free already.
/// The kernel goes on.
bool HostCalls::check_free(const OfLane& call, std::uint64_t address) {
  const Allocation* allocation = grid_.memory.find(address);
  const bool is_heap = allocation != nullptr && allocation->origin == Origin::kernel_heap;
  const bool is_freed = is_heap && allocation->host == nullptr;
  if (is_heap && !is_freed && allocation->address == address) return true;
  Finding f = finding_at(grid_, call.step, 1u << call.lane,
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
  add_defect(grid_, call.step.block.linear, std::move(f));
  return false;
}

void HostCalls::free_memory(const OfLane& call) {
  const std::uint64_t address = call.argument(0);
  if (address == 0 || !check_free(call, address)) return;
  const std::uint64_t forgotten = grid_.memory.forgotten();
  grid_.memory.release(address);
  if (grid_.memory.forgotten() != forgotten) memory_.forget_allocations();
}

bool HostCalls::call(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) {
  const Step step{block, warp, split, op};
  const Call& called = program_.calls[op.extra];
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const OfLane now{block, step, called, lane, warp.local + std::size_t{lane} * worker_.local_bytes};
    switch (called.callee) {
      case Call::Callee::printf:
        print(now);
        break;
      case Call::Callee::assert_fail:
        fail_assertion(now);
        return false;
      case Call::Callee::malloc:
        give_back(now, allocate_memory(now));
        break;
      case Call::Callee::free:
        free_memory(now);
        break;
      case Call::Callee::function:
      case Call::Callee::indirect:
        break;
    }
  }
  return true;
}

}  // namespace cudasim
