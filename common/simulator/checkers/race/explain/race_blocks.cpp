// SPDX-License-Identifier: MIT
// Words for races of two blocks, chosen by the element's number. The usual layout gives an element to the thread
// blockIdx.x * blockDim.x + threadIdx.x. The words say whether the element is the thread's own, and whether the index
// omits the block.
#include <algorithm>
#include <cstring>
#include <optional>

#include "checkers/race/explain/race_messages.h"
#include "checkers/race/explain/race_place.h"
#include "messages/data_flow.h"
#include "program/program.h"
#include "program/source_lines.h"
#include "state/grid.h"

namespace cudasim {
namespace {

/// Whether blocks may communicate by an atomic that orders no other data: atomicAdd(), memory_order_relaxed.
bool has_relaxed_atomic(const Program& program) {
  const auto relaxed = [](const MemoryAccess& a) { return a.ordering == Ordering::relaxed && !a.of_block; };
  return std::any_of(program.accesses.begin(), program.accesses.end(), relaxed) ||
         std::any_of(program.atomics.begin(), program.atomics.end(), [&](const AtomicAccess& atomic) {
           return atomic.address.space != ptx::Space::shared &&
                  (atomic.address.ordering == Ordering::weak || relaxed(atomic.address));
         });
}

/// Whether the kernel has an atomic of device memory that is one only between threads of one block.
bool has_atomic_of_block(const Program& program) {
  const auto is_of_block = [](const MemoryAccess& a) { return a.of_block && a.space != ptx::Space::shared; };
  return std::any_of(program.accesses.begin(), program.accesses.end(), is_of_block) ||
         std::any_of(program.atomics.begin(), program.atomics.end(),
                     [&](const AtomicAccess& atomic) { return is_of_block(atomic.address); });
}

/// Whether anything in the kernel could be a flag or a ticket by which blocks wait for each other.
bool may_order_blocks(const Program& program) {
  const auto is_flag = [](const MemoryAccess& a) {
    return a.ordering != Ordering::weak && a.space != ptx::Space::shared;
  };
  return has_relaxed_atomic(program) || std::any_of(program.accesses.begin(), program.accesses.end(), is_flag) ||
         std::any_of(program.atomics.begin(), program.atomics.end(),
                     [&](const AtomicAccess& atomic) { return is_flag(atomic.address); }) ||
         std::any_of(program.code.begin(), program.code.end(),
                     [](const MicroOp& op) { return op.kind == MicroOpcode::fence; });
}

/// Whether the kernel may hold a lock of device memory: a compare-and-swap, or an exchange.
bool may_lock(const Program& program) {
  return std::any_of(program.atomics.begin(), program.atomics.end(), [](const AtomicAccess& atomic) {
    return atomic.address.space != ptx::Space::shared &&
           (atomic.operation == AtomicOperation::cas || atomic.operation == AtomicOperation::exch);
  });
}

struct Accessor {
  std::uint64_t block = 0, thread = 0;  ///< linear
  std::uint32_t instruction = 0;
  bool stores = false;
};

std::string line_of(const Race& race, const Accessor& accessor) {
  return line_text(race.grid.program, accessor.instruction);
}

/// The element's number in each array that begins in its allocation: at a pointer argument of the kernel, or at the
/// start.
std::vector<std::uint64_t> numbers_of(const Race& race) {
  const Allocation* allocation = race.grid.memory.find(race.conflict.address);
  if (allocation == nullptr) return {};
  std::vector<std::uint64_t> bases = {allocation->address};
  for (const auto& parameter : race.grid.program.info.parameters) {
    std::uint64_t pointer = 0;
    if (parameter.size_bytes != sizeof pointer) continue;
    std::memcpy(&pointer, race.grid.launch.parameters.data() + parameter.offset_bytes, sizeof pointer);
    if (allocation->contains(pointer) && pointer <= race.conflict.access_address) bases.push_back(pointer);
  }
  std::vector<std::uint64_t> numbers;
  for (const std::uint64_t base : bases) {
    const std::uint64_t offset = race.conflict.access_address - base;
    if (offset % race.conflict.bytes == 0) numbers.push_back(offset / race.conflict.bytes);
  }
  return numbers;
}

/// Element `number` belongs to thread `owner` in the usual layout, and `visitor` is of another block.
struct Visit {
  std::uint64_t number = 0;
  Accessor owner, visitor;
};

std::optional<Visit> visit_of(const Race& race, const std::vector<std::uint64_t>& numbers, const Accessor& now,
                              const Accessor& then) {
  const std::uint64_t threads = race.grid.launch.block.count();
  if (race.grid.launch.block.x != threads || race.grid.launch.grid.x != race.grid.launch.grid.count()) return {};
  const auto owns = [&](const Accessor& a, std::uint64_t number) { return a.block * threads + a.thread == number; };
  for (const std::uint64_t number : numbers) {
    if (number == 0) continue;  // as likely the one cell of all blocks
    if (owns(now, number)) return Visit{number, now, then};
    if (owns(then, number)) return Visit{number, then, now};
  }
  return {};
}

RaceMessages messages_of_visit(const Race& race, const Visit& visit, const std::string& elsewhere) {
  const std::string owner = "block " + std::to_string(visit.owner.block);
  const std::string element = "element " + std::to_string(visit.number);
  return {
      "block " + std::to_string(visit.visitor.block) + (visit.visitor.stores ? " writes " : " reads ") + element +
          ", which " + owner + (visit.owner.stores ? " writes" : " reads") + ", and nothing orders the blocks",
      element + " is that of thread " + std::to_string(visit.owner.thread) + " in " + owner +
          " (blockIdx.x * blockDim.x + threadIdx.x). Does the index of " + line_of(race, visit.visitor) +
          " leave its own block's part of the array? Then keep it inside (threadIdx.x + distance < blockDim.x; to be "
          "below n is not enough). Does a block need its neighbour's elements? Then " +
          elsewhere};
}

/// The read place is where the writing block's result would be, if each block stored one at its own number. That may be
/// chance, as in an array of structures, so the message is a question.
RaceMessages messages_of_result(const Accessor& writer, const Accessor& reader, const std::string& flag) {
  const std::string number = std::to_string(writer.block);
  const std::string other = "block " + std::to_string(reader.block);
  return {
      other + " reads what block " + number + " writes, and nothing orders the blocks",
      (flag.empty() ? "" : flag.substr(1) + " Otherwise: ") + "is it element " + number + ", the result of block " +
          number + "? If " + other +
          " reads its input there, store the results in another array; if it collects the results of all blocks, let "
          "a kernel of its own do that."};
}

/// For an index that is computed from blockIdx, and still comes to one element in two blocks.
constexpr const char* kSumsMeet =
    "the index is computed from blockIdx, and comes to the same element in two blocks. Compute it by hand for both "
    "threads: is each number that you multiply or add the right one? Is one of the threads behind the end of its row, "
    "where a guard is missing? Where the index counts the elements that come before this one, are two of them equal? "
    "Then exactly one of the two counts the other";

}  // namespace

RaceMessages messages_between_blocks(const Race& race, bool update) {
  const Conflict& conflict = race.conflict;
  const Program& program = race.grid.program;
  const Accessor now{race.block, race.warp * kWarpSize + conflict.lane, race.instruction, race.now.store};
  const Accessor then{conflict.earlier.block, conflict.earlier.warp * kWarpSize + conflict.earlier_lane,
                      conflict.earlier.instruction, conflict.earlier.kind.store};
  std::string flag;
  if (has_atomic_of_block(program)) {
    flag =
        " An atomic of thread_scope_block is one for the threads of its own block alone: what other blocks touch is of "
        "thread_scope_device.";
  } else if (may_order_blocks(program)) {
    flag =
        " Does a flag or a ticket tell that the data are there? Then they must be written before it and read after it, "
        "with __threadfence() on both sides";
    if (has_relaxed_atomic(program))
      flag += " (a relaxed atomic, as atomicAdd() is one, orders nothing), or with memory_order_acq_rel";
    flag += ".";
  }
  const bool has_barrier = std::any_of(program.code.begin(), program.code.end(),
                                       [](const MicroOp& op) { return op.kind == MicroOpcode::barrier; });
  const std::string elsewhere =
      "write to another array, or put the second step in a kernel of its own" +
      std::string(has_barrier ? " (__syncthreads() waits only for the threads of its own block)." : ".");
  const bool one_line = same_line(program.source_line(now.instruction), program.source_line(then.instruction));
  const auto numbers = numbers_of(race);
  const auto is_numbered = [&](std::uint64_t n) {
    return std::find(numbers.begin(), numbers.end(), n) != numbers.end();
  };
  if (now.thread == then.thread && race.lanes_apart && one_line && is_numbered(now.thread)) {
    return {
        "thread " + std::to_string(now.thread) + " of several blocks " +
            (update                      ? "updates"
             : now.stores && then.stores ? "writes"
                                         : "reads and writes") +
            " the same element, and nothing orders the blocks",
        !update && address_has_block(program, now.instruction)
            ? kSumsMeet
            : "does the index of " + line_of(race, now) +
                  " leave out the block? Where each block has a part of its own, it counts on from block to block, as "
                  "blockIdx.x * blockDim.x + threadIdx.x does" +
                  (update ? "; where all blocks are to add to the same elements, use atomicAdd()" : "")};
  }
  if (update) {
    return {
        "several blocks update the same element (an addition, for example): each reads it and writes it back, so "
        "that an update of another block in between is lost",
        (may_lock(program) ? "is this the place of a lock? The atomics that take it and give it back order no other "
                             "data: put __threadfence() behind the one and before the other (or take it with "
                             "memory_order_acquire, and give it back with memory_order_release). Is there no lock? "
                             "Then: "
                           : "") +
            std::string("which block should store it? If all are to add to this element, use atomicAdd() (or another "
                        "atomic operation); if not, give each block an element of its own")};
  }
  if (now.stores != then.stores) {
    const Accessor &writer = now.stores ? now : then, &reader = now.stores ? then : now;
    if (writer.block != 0 && is_numbered(writer.block)) return messages_of_result(writer, reader, flag);
  }
  if (const auto visit = visit_of(race, numbers, now, then)) return messages_of_visit(race, *visit, elsewhere + flag);
  if (now.stores && then.stores) {
    return {"two blocks write different values to the same element, and nothing orders the blocks",
            one_line && address_has_block(program, now.instruction) ? kSumsMeet
            : one_line
                ? "which block should store it? If each has a value of its own, is blockIdx.x missing in the index? "
                  "If only one is to store, ask which, as with `if (blockIdx.x == 0)`. If all values are to be "
                  "combined, use an atomic operation, or a kernel of its own"
                : "which of the two lines should store it? If each has a value of its own, look at the index; if the "
                  "one is to come after the other, put it in a kernel of its own." +
                      flag};
  }
  return {"one block reads what another block writes, and nothing orders the blocks",
          (flag.empty() ? "blocks run in any order: " : "blocks run in any order." + flag + " Otherwise ") + elsewhere +
              (flag.empty() && now.thread == then.thread && is_numbered(now.thread)
                   ? " If each block is to have an element of its own, is blockIdx.x missing in the index?"
                   : "")};
}

}  // namespace cudasim
