// SPDX-License-Identifier: MIT
// Words for races. Which advice fits is told from the kernel's text: two accesses of one line that load and store the
// same place are an update (`x += y`), which wants an atomic operation and no barrier.
#include "machine/race_words.h"

#include <algorithm>

#include "module/program.h"

namespace cudasim {
namespace {

bool is_plain(const MicroOp& op) { return op.kind == Kind::load || op.kind == Kind::store; }

bool same_place(const MemoryAccess& a, const MemoryAccess& b) {
  return a.space == b.space && a.base_kind == b.base_kind && a.base == b.base && a.displacement == b.displacement;
}

bool same_line(const SourceLine& a, const SourceLine& b) { return a.line == b.line && a.file == b.file; }

/// Whether the instruction is one half of `x += y`: its line both loads and stores what it touches. The address must
/// be the same register: so `x[i] += x[i + 1]` is an update of x[i], and its load of x[i + 1] is not.
bool is_of_update(const Program& program, std::uint32_t instruction, const SourceLine& line) {
  const auto op = std::find_if(program.code.begin(), program.code.end(),
                               [&](const MicroOp& o) { return o.counter == instruction && is_plain(o); });
  if (op == program.code.end()) return false;
  const MemoryAccess& access = program.accesses[op->extra];
  return std::any_of(program.code.begin(), program.code.end(), [&](const MicroOp& other) {
    if (!is_plain(other) || other.kind == op->kind) return false;
    return same_place(program.accesses[other.extra], access) && same_line(program.source_line(other.counter), line);
  });
}

bool is_update(const Program& program, std::uint32_t one, std::uint32_t other) {
  const SourceLine line = program.source_line(one);
  if (line.line == 0 || !same_line(program.source_line(other), line)) return false;
  return is_of_update(program, one, line) && is_of_update(program, other, line);
}

/// Whether blocks may speak to each other by an atomic which orders no other data: atomicAdd(), memory_order_relaxed.
bool has_relaxed_atomic(const Program& program) {
  const auto relaxed = [](const MemoryAccess& a) { return a.ordering == Ordering::relaxed && !a.of_block; };
  return std::any_of(program.accesses.begin(), program.accesses.end(), relaxed) ||
         std::any_of(program.atomics.begin(), program.atomics.end(), [&](const AtomicAccess& atomic) {
           return atomic.address.space != ptx::Space::shared &&
                  (atomic.address.ordering == Ordering::weak || relaxed(atomic.address));
         });
}

RaceWords words_of_update(const std::string& scope) {
  const std::string atomic = "use atomicAdd() (or another atomic operation), ";
  if (scope == "grid") {
    return {
        "several blocks update the same element (an addition, for example): each reads it and writes it back, so "
        "that an update of another block in between is lost",
        atomic + "or give each block an element of its own"};
  }
  const bool warp = scope == "warp";
  return {std::string("several ") + (warp ? "threads of one warp" : "warps of one block") +
              " update the same element (an addition, for example): each reads it and writes it back, so that an "
              "update of another in between is lost",
          atomic + "give each thread an element of its own, or, where one update is to follow the other, put " +
              (warp ? "__syncwarp()" : "__syncthreads()") + " between them"};
}

RaceWords words_of_pair(const std::string& scope, const AccessKind& now, const Conflict& conflict) {
  const AccessKind& then = conflict.earlier.kind;
  if (conflict.same_instruction) {
    return {"two threads of one warp write different values to the same element with one instruction",
            "give each thread an element of its own, or combine the values with an atomic operation"};
  }
  if (scope == "warp") {
    return {"two threads of one warp, and no __syncwarp() between",
            "threads of a warp need not run in step: put __syncwarp() between the two lines (or __syncthreads(), where "
            "the whole block takes part)"};
  }
  if (scope == "block") {
    if (now.atomic != then.atomic) {
      return {"an atomic and a plain access by two warps of one block, and no barrier between",
              "put __syncthreads() between the two lines, or make both accesses atomic"};
    }
    return {"two warps of one block, and no barrier between",
            "put __syncthreads() between the two lines, where all threads of the block reach it"};
  }
  if (now.atomic && then.atomic) {
    return {"two blocks, and an atomic that is one only for the threads of its own block",
            "use the atomic without _block, or with the scope of the device (cuda::thread_scope_device)"};
  }
  if (now.atomic != then.atomic) {
    return {"an atomic and a plain access by two blocks, and nothing orders the blocks",
            "set the value before the launch (cudaMemset) or in a kernel of its own, read it after the kernel, or make "
            "both accesses atomic"};
  }
  if (now.store && then.store) {
    return {
        "two blocks write different values to the same element, and nothing orders the blocks",
        "give each block an element of its own, combine the values with an atomic operation, or let the second write "
        "wait for the first, with __threadfence() and an atomic flag or ticket"};
  }
  return {"one block reads what another block writes, and nothing orders the blocks",
          "blocks run in any order: write to another array, put the second step in a kernel of its own, or publish the "
          "data with __threadfence() and an atomic flag or ticket"};
}

}  // namespace

RaceWords words_of(const Program& program, const std::string& scope, std::uint32_t instruction, const AccessKind& now,
                   const Conflict& conflict) {
  const bool update = is_update(program, instruction, conflict.earlier.instruction);
  RaceWords words = update ? words_of_update(scope) : words_of_pair(scope, now, conflict);
  const bool plain = !now.atomic && !conflict.earlier.kind.atomic;
  if (scope == "grid" && plain && has_relaxed_atomic(program)) {
    words.advice +=
        "; a relaxed atomic (atomicAdd() is one) orders nothing: it needs __threadfence() before it, or "
        "memory_order_acq_rel";
  }
  return words;
}

}  // namespace cudasim
