// SPDX-License-Identifier: MIT
// Searches the kernel's instructions for paths between two accesses. It runs only for a pair that races for the first
// time, so it keeps no results.
#include "checkers/race/explain/race_place.h"

#include <algorithm>

#include "messages/data_flow.h"
#include "program/paths.h"
#include "program/program.h"
#include "program/source_lines.h"

namespace cudasim {
namespace {

bool is_access(const MicroOp& op) {
  return op.kind == MicroOpcode::load || op.kind == MicroOpcode::store || op.kind == MicroOpcode::atomic ||
         op.kind == MicroOpcode::async_copy || op.kind == MicroOpcode::matrix;
}

bool is_write(const Program& program, const MicroOp& op) {
  if (op.kind != MicroOpcode::matrix) return op.kind != MicroOpcode::load;
  const auto mode = program.matrices[op.extra].mode;
  return mode == MatrixOperation::Mode::store_rows || mode == MatrixOperation::Mode::store;
}

std::uint32_t pc_of(const Program& program, std::uint32_t instruction) {
  return static_cast<std::uint32_t>(&access_at(program, instruction) - program.code.data());
}

/// Whether the same statement has another access of this kind that `reaches` accepts: the compiler has unrolled a loop.
template <class Reaches>
bool has_copy(const Program& program, std::uint32_t pc, Reaches reaches) {
  const MicroOp& op = program.code[pc];
  const auto column = [&](const MicroOp& o) {
    const std::int32_t location = program.origins[o.counter].location;
    return location >= 0 ? program.text->locations[static_cast<std::size_t>(location)].column : -1;
  };
  const auto chain = program.source_chain(op.counter);
  const auto same_statement = [&](const MicroOp& o) {
    const auto other = program.source_chain(o.counter);
    return column(o) == column(op) && std::equal(chain.begin(), chain.end(), other.begin(), other.end(), same_line);
  };
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    const MicroOp& copy = program.code[i];
    if (i != pc && copy.kind == op.kind && same_statement(copy) && reaches(i)) return true;
  }
  return false;
}

/// Whether paths can be followed: they go past calls, not into them. Most functions are inlined, and few wait.
bool is_within_one_function(const Program& program, std::uint32_t one, std::uint32_t other, bool of_warp) {
  const std::uint32_t function = program.origins[one].function;
  return program.origins[other].function == function &&
         std::none_of(program.code.begin(), program.code.end(), [&](const MicroOp& op) {
           return op.counter != 0 && program.origins[op.counter].function != function &&
                  waiting(program, op, of_warp) != Waiting::nobody;
         });
}

/// Behind the advice, in brackets.
std::string remarks_on(const BarrierPlace& place, bool of_warp) {
  std::string remarks;
  const bool at_end = place.kind == BarrierPlace::Kind::next_round || place.kind == BarrierPlace::Kind::any_round;
  const std::string branch =
      place.branch != 0 ? "the branch at line " + std::to_string(place.branch) : std::string("a branch around them");
  if (place.past_syncwarp) remarks += " (the __syncwarp() there waits only for its own warp)";
  if (of_warp && place.is_in_branch) {
    remarks += " (not __syncthreads(): " + branch +
               " keeps threads of the block away. Where several warps that pass it share these elements, end it before "
               "the barrier. The threads of a warp need not run in step)";
  } else if (of_warp && place.parted == 0) {
    remarks += " (in code for one warp alone, __syncwarp() is enough; its threads need not run in step)";
  } else if (place.is_in_branch && !at_end && place.branch != 0) {
    remarks +=
        " (" + branch + " keeps threads of the block away: end it before the barrier, and begin it again behind)";
  }
  return remarks;
}

/// Whether a thread can come to both accesses from one side of the branch.
bool leads_to_both(const Program& program, std::uint32_t branch, std::uint32_t a, std::uint32_t b) {
  const auto is_branch = [&](const MicroOp& op) {
    return op.counter == branch && (op.kind == MicroOpcode::branch || op.kind == MicroOpcode::exit);
  };
  const auto op = std::find_if(program.code.begin(), program.code.end(), is_branch);
  const auto next = successors(program, static_cast<std::uint32_t>(op - program.code.begin()));
  return std::any_of(next.begin(), next.end(), [&](std::uint32_t n) {
    const auto comes_to = [&](std::uint32_t to) { return n == to || find_path(program, n, to, false) != Path::none; };
    return comes_to(a) && comes_to(b);
  });
}

/// The innermost branch around both accesses whose condition differs between threads. One that stands behind the first
/// access is a part of what the barrier is to follow. Also the innermost one that has them on different sides.
void find_branch(const Program& program, std::uint32_t a, std::uint32_t b, BarrierPlace& place) {
  const auto around_a = divergent_branches(program, a), around_b = divergent_branches(program, b);
  for (const std::uint32_t branch : around_a) {
    const int line = program.source_line(branch).line;
    if (std::find(around_b.begin(), around_b.end(), branch) == around_b.end()) continue;
    if (line != 0 && line >= place.first) continue;
    if (leads_to_both(program, branch, a, b)) {
      place.is_in_branch = true;
      place.branch = std::max(place.branch, line);
    } else {
      place.parted = std::max(place.parted, line);
    }
  }
}

}  // namespace

LineNumbers lines_of(const Program& program, std::uint32_t one, std::uint32_t other) {
  const auto a = program.source_chain(one), b = program.source_chain(other);
  auto i = a.rbegin();
  for (auto j = b.rbegin(); i != a.rend() && j != b.rend(); ++i, ++j) {
    if (i->file != j->file || i->function != j->function || is_toolkit_file(i->file)) return {};
    if (i->line != j->line || i + 1 == a.rend() || j + 1 == b.rend()) return {i->line, j->line};
  }
  return {};
}

bool same_line(const SourceLine& a, const SourceLine& b) { return a.line == b.line && a.file == b.file; }

const MicroOp& access_at(const Program& program, std::uint32_t instruction) {
  const auto found = std::find_if(program.code.begin(), program.code.end(),
                                  [&](const MicroOp& op) { return op.counter == instruction && is_access(op); });
  return found != program.code.end() ? *found : program.code.front();
}

BarrierPlace barrier_place(const Program& program, std::uint32_t one, std::uint32_t other, bool of_warp) {
  using Place = BarrierPlace::Kind;
  LineNumbers lines = lines_of(program, one, other);
  std::uint32_t a = pc_of(program, one), b = pc_of(program, other);
  const auto is_store = [&](std::uint32_t pc) { return is_write(program, program.code[pc]); };
  const bool in_order = lines.one != lines.other ? lines.one < lines.other : !is_store(a) || is_store(b);
  if (!in_order) {
    std::swap(a, b);
    std::swap(lines.one, lines.other);
  }
  BarrierPlace place;
  place.first = lines.one != 0 ? lines.one : program.source_line(program.code[a].counter).line;
  place.second = lines.other != 0 ? lines.other : program.source_line(program.code[b].counter).line;
  place.in_ptx = place.first == 0 && place.second == 0;
  if (place.in_ptx) {
    place.first = program.origins[program.code[a].counter].ptx_line;
    place.second = program.origins[program.code[b].counter].ptx_line;
  }
  if (!is_within_one_function(program, one, other, of_warp)) {
    place.kind = Place::unknown;
    return place;
  }
  find_branch(program, a, b, place);
  const auto get = [&](std::uint32_t from, std::uint32_t to) { return find_path(program, from, to, of_warp); };
  const Path forth = get(a, b), back = get(b, a);
  const bool same = lines.one != 0 && lines.one == lines.other;
  const bool reads_and_writes = is_store(a) != is_store(b);
  // An unrolled loop has no back edge: then the copies of a line show the loop.
  const auto comes_again = [&] {
    return has_copy(program, b, [&](std::uint32_t c) { return get(a, c) != Path::none && get(c, b) != Path::none; });
  };
  const auto past_syncwarp = [&](Path now, std::uint32_t from, std::uint32_t to) {
    return !of_warp && now == Path::free && find_path(program, from, to, true) != Path::free;
  };
  place.past_syncwarp = past_syncwarp(forth, a, b) || past_syncwarp(back, b, a);
  if (forth == Path::free && back == Path::free) {
    place.kind = Place::any_round;
  } else if (forth == Path::free) {
    place.kind = !same ? Place::between : comes_again() ? Place::any_round : Place::in_statement;
  } else if (back == Path::free) {
    const bool loop =
        forth != Path::none || same || has_copy(program, a, [&](std::uint32_t c) { return get(c, b) != Path::none; });
    place.kind = lines.one == 0     ? Place::between
                 : loop             ? Place::next_round
                 : reads_and_writes ? Place::in_statement
                                    : Place::between;
    if (place.kind != Place::next_round) std::swap(place.first, place.second);
  } else {
    const bool partly = forth == Path::partly || back == Path::partly;
    place.kind = partly ? Place::partial : place.first != place.second ? Place::branches : Place::unknown;
  }
  return place;
}

std::string advice_on(const BarrierPlace& place, bool of_warp) {
  using Place = BarrierPlace::Kind;
  const std::string ptx = place.in_ptx ? "PTX " : "";
  const auto line = [&](int number) { return ptx + "line " + std::to_string(number); };
  const std::string both = place.first == place.second
                               ? line(place.first)
                               : ptx + "lines " + std::to_string(place.first) + " and " + std::to_string(place.second);
  // Behind a branch that part of the block takes, only a barrier of the warp may stand.
  const bool warp_only = of_warp && place.is_in_branch;
  const std::string barrier = warp_only ? "__syncwarp()" : "__syncthreads()";
  const std::string all =
      warp_only ? ", where all lanes of the warp come by" : ", where all threads of the block come by";
  const std::string else_index = "; if the two were never to meet there, one of the indices is wrong";
  const std::string read_first = "read into a register first, then " + barrier + ", then write";
  std::string advice;
  switch (place.kind) {
    case Place::between:
      advice = place.first != place.second
                   ? "put " + barrier + " between " + both + all + else_index
                   : "both are of " + both + ": put " + barrier + " between the two" + all +
                         ". If they are in a function that it calls, the first may also be of an earlier call: a "
                         "library's temporary storage needs a barrier before it is used again";
      break;
    case Place::in_statement:
      advice = "a thread reads at " + line(place.first) + " what another writes " +
               (place.first == place.second ? "there" : "at " + line(place.second)) +
               ". If both are to work at the same time: " + read_first + " (the barrier" + all +
               "). If not, too many threads come to this line";
      break;
    case Place::next_round:
      advice = "what one round of the loop does at " + line(place.second) + " meets what the next does at " +
               line(place.first) + ": end the loop's body with " + barrier + all;
      break;
    case Place::any_round:
      if (place.first == place.second) {
        advice = "the loop around " + both + " can go round without " +
                 (of_warp ? "a barrier" : "a barrier of the block") +
                 ". Where a round needs what others did in the round before, end the loop's body with " + barrier +
                 all + ". Where a thread reads what another writes in the same round, also " + read_first;
      } else {
        advice =
            "the loop around " + both + " can go round without " + (of_warp ? "a barrier" : "a barrier of the block") +
            ". Where a round needs what others did in the round before, begin or end the loop's body with " + barrier +
            all + ". Where it needs what others do in the same round, put one between the two lines, too" + else_index;
      }
      break;
    case Place::branches:
      advice = both + " are run by different threads at the same time: put " + barrier +
               (place.parted == 0 ? " between them" : " behind the `if` of line " + std::to_string(place.parted)) +
               all + ". Where the two lie in branches of one `if`, it must stand outside of both";
      break;
    case Place::unknown:
      advice = "put " + barrier + " between the two accesses" + all + else_index;
      break;
    case Place::partial:
      return "what stands between " + both + " does not wait for both threads: " +
             (of_warp ? "name both of them in the mask of __syncwarp()"
                      : "let all threads that it is to order take part in the barrier, as __syncthreads() does");
  }
  return advice + remarks_on(place, of_warp);
}

}  // namespace cudasim
