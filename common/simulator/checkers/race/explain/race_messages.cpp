// SPDX-License-Identifier: MIT
// Words for races of one block. Two accesses of one line that load and store the same place are an update (`x += y`).
// An update may need an atomic operation. Other pairs need a barrier, or one thread less that stores.
#include "checkers/race/explain/race_messages.h"

#include <algorithm>

#include "base/demangle.h"
#include "checkers/race/explain/race_place.h"
#include "program/paths.h"
#include "program/program.h"
#include "program/source_lines.h"
#include "state/grid.h"

namespace cudasim {
namespace {

bool is_plain(const MicroOp& op) { return op.kind == MicroOpcode::load || op.kind == MicroOpcode::store; }

bool same_place(const MemoryAccess& a, const MemoryAccess& b) {
  return a.space == b.space && a.base_kind == b.base_kind && a.base == b.base && a.displacement == b.displacement;
}

/// Whether the instruction is one half of `x += y`: its line both loads and stores the place. The address must be in
/// the same register. So `x[i] += x[i + 1]` is an update of x[i], and its load of x[i + 1] is no part of it.
bool is_of_update(const Program& program, std::uint32_t instruction, const SourceLine& line) {
  const MicroOp& op = access_at(program, instruction);
  if (!is_plain(op)) return false;
  const MemoryAccess& access = program.accesses[op.extra];
  return std::any_of(program.code.begin(), program.code.end(), [&](const MicroOp& other) {
    if (!is_plain(other) || other.kind == op.kind) return false;
    return same_place(program.accesses[other.extra], access) && same_line(program.source_line(other.counter), line);
  });
}

bool is_update(const Program& shared, std::uint32_t one, std::uint32_t other) {
  const Program& program = shared.with_own_slots();
  const SourceLine line = program.source_line(one);
  if (line.line == 0 || !same_line(program.source_line(other), line)) return false;
  return is_of_update(program, one, line) && is_of_update(program, other, line);
}

/// The call, in the kernel's text or in a function's, of the inlined function in which both accesses lie. Line 0: there
/// is none.
struct CommonCall {
  int line = 0;
  std::string function;  ///< that is called
};

CommonCall common_call(const Program& program, std::uint32_t one, std::uint32_t other) {
  const auto a = program.source_chain(one), b = program.source_chain(other);
  CommonCall found;
  for (auto i = a.rbegin(), j = b.rbegin(); i != a.rend() && j != b.rend() && same_line(*i, *j); ++i, ++j) {
    if (i + 1 == a.rend() || j + 1 == b.rend() || i[1].function != j[1].function || is_toolkit_file(i[1].file)) break;
    found = {i->line, short_name(i[1].function)};
  }
  return found;
}

/// "look at the index", with the call that gives it where both accesses are in a function.
std::string look_at_index(const Program& program, std::uint32_t one, std::uint32_t other) {
  const CommonCall call = common_call(program, one, other);
  if (call.line == 0) return "look at the index";
  return "look at the index that line " + std::to_string(call.line) + " gives to " + call.function;
}

/// Whether one of the two is a read, and the other an asynchronous copy of a loop that has a barrier in each round: a
/// ring of slots.
bool is_in_ring(const Program& program, std::uint32_t one, std::uint32_t other) {
  const MicroOp &a = access_at(program, one), &b = access_at(program, other);
  const bool is_a = a.kind == MicroOpcode::async_copy;
  if (is_a == (b.kind == MicroOpcode::async_copy)) return false;
  const auto pc = static_cast<std::uint32_t>((is_a ? &a : &b) - program.code.data());
  return find_path(program, pc, pc, false) == Path::barred;
}

std::string advice_on_ring(const Program& program, std::uint32_t one, std::uint32_t other) {
  const bool copies = access_at(program, one).kind == MicroOpcode::async_copy;
  const LineNumbers lines = lines_of(program, copies ? one : other, copies ? other : one);
  const auto at = [](int line) { return line == 0 ? std::string() : " at line " + std::to_string(line); };
  return "each round of the loop has a barrier, and yet the copy" + at(lines.one) +
         " goes to the element that the read" + at(lines.other) +
         " takes. Is it the same slot, between two barriers? Then the index of one of the slots is wrong: a copy goes "
         "to "
         "the slot that nobody reads until the next barrier. If both slots are meant, ";
}

RaceMessages messages_in_block(const Race& race, bool update) {
  const AccessKind &now = race.now, &then = race.conflict.earlier.kind;
  const bool of_warp = race.scope == "warp";
  const std::string who = of_warp ? "threads of one warp" : "warps of one block";
  const Program& program = race.grid.program;
  const std::uint32_t earlier = race.conflict.earlier.instruction;
  const BarrierPlace place = barrier_place(program, race.instruction, earlier, of_warp);
  const bool loops = !race.conflict.same_instruction &&
                     (place.kind == BarrierPlace::Kind::any_round || place.kind == BarrierPlace::Kind::next_round);
  if (update) {
    const std::string add = "use atomicAdd() (or another atomic operation)";
    return {"several " + who +
                " update the same element (an addition, for example): each reads it and writes it back, so that an "
                "update of another in between is lost",
            (loops ? "does the one follow the other, in the next round of the loop? Then end the loop's body with "
                     "__syncthreads(). Do all add to this element, in any order? Then " +
                         add
                   : "which thread should store it? If all are to add to this element, " + add) +
                "; if neither, give each thread an element of its own"};
  }
  if (now.atomic != then.atomic) {
    return {"an atomic and a plain access by two " + who + ", and nothing orders them",
            advice_on(place, of_warp) + "; or make both accesses atomic", true};
  }
  if (now.store && then.store && race.copies) {
    return {"two " + who + " bring something to the same element by asynchronous copies, and nothing orders them",
            "one copy for each element is enough: look at the index of both, and at the step of the loop around them" +
                std::string(loops ? "; if the one follows the other in the next round of the loop, end the loop's body "
                                    "with __syncthreads()"
                                  : "")};
  }
  const std::string index = look_at_index(program, race.instruction, earlier);
  if (now.store && then.store && same_line(program.source_line(race.instruction), program.source_line(earlier))) {
    return {"two " + who + " write different values to the same element" +
                (race.conflict.same_instruction ? " with one instruction" : ""),
            (race.lanes_apart
                 ? "each thread has a value of its own to store here, but two of them have one element: " + index
                 : "which thread should store it? Let only that one do so, as with `if (threadIdx.x == 0)`; if each "
                   "has a value of its own to store, " +
                       index) +
                (loops ? "; if the one store follows the other in the next round of the loop, end the loop's body with "
                         "__syncthreads()"
                       : "")};
  }
  if (now.store && then.store && !now.atomic && common_call(program, race.instruction, earlier).line != 0) {
    return {"two " + who + " write different values to the same element",
            "each thread has values of its own to store here, but two of them have one element: " + index};
  }
  if (now.store && then.store && !now.atomic) {
    return {"two " + who + " write different values to the same element, and no barrier between",
            "is the one value to replace the other? Then " + advice_on(place, of_warp) +
                ". If not, look at the index of both lines"};
  }
  return {"two " + who + ", and " +
              (place.kind == BarrierPlace::Kind::partial ? "nothing orders them" : "no barrier between"),
          (is_in_ring(program, race.instruction, earlier) ? advice_on_ring(program, race.instruction, earlier) : "") +
              advice_on(place, of_warp) + (now.is_volatile || then.is_volatile ? " (`volatile` orders nothing)" : ""),
          true};
}

/// Whether the one is a load or a store of a cuda::atomic_ref, for the whole device, and the other one is plain.
bool is_relaxed_beside_plain(const AccessKind& relaxed, const AccessKind& plain) {
  return relaxed.strong && !relaxed.of_block && !at_least_volatile(plain);
}

}  // namespace

RaceMessages words_of(const Race& race) {
  const AccessKind &now = race.now, &then = race.conflict.earlier.kind;
  if (is_stale_read(now, then)) {
    return {
        "a read by the read-only cache (ld.global.nc, as of __ldg()) of what this launch has written: that cache may "
        "hold the value of before",
        "read it by a plain load; the read-only cache is for what nobody writes as long as the kernel runs, and no "
        "barrier and no ticket changes that"};
  }
  if (race.unacquired != 0) return messages_without_acquire(race);
  const bool update = is_update(race.grid.program, race.instruction, race.conflict.earlier.instruction);
  if (race.scope != "grid") return messages_in_block(race, update);
  if (now.atomic && then.atomic) {
    return {"two blocks, and an atomic that is one only for the threads of its own block",
            "use the atomic without _block, or with the scope of the device (cuda::thread_scope_device)"};
  }
  if (now.atomic != then.atomic || is_relaxed_beside_plain(now, then) || is_relaxed_beside_plain(then, now)) {
    const bool is_now_other = then.atomic || is_relaxed_beside_plain(then, now);
    const std::uint32_t other = is_now_other ? race.instruction : race.conflict.earlier.instruction;
    const bool is_plain = !at_least_volatile(is_now_other ? now : then);
    return {"an atomic and a plain access by two blocks, and nothing orders the blocks",
            "set the value before the launch (cudaMemset) or in a kernel of its own, read it after the kernel, or make "
            "both accesses atomic" +
                (is_plain ? ": that of " + line_text(race.grid.program, other) + " is plain" : std::string())};
  }
  if (race.releaser.instruction != 0 && !update) {
    if (const auto words = messages_of_another_releaser(race)) return *words;
  }
  RaceMessages words = messages_between_blocks(race, update);
  if (words.advice.back() == '.')
    words.advice.pop_back();  // several sentences, in the form of advice: no full stop at the end
  return words;
}

}  // namespace cudasim
