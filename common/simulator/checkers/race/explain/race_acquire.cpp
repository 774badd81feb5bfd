// SPDX-License-Identifier: MIT
// Words for a release without an acquire. One thread releases data, and another one uses it after it has read a flag or
// a ticket without an acquire.
#include <optional>

#include "checkers/race/explain/race_messages.h"
#include "checkers/race/explain/race_place.h"
#include "program/program.h"
#include "program/source_lines.h"
#include "state/grid.h"

namespace cudasim {
namespace {

struct Half {
  const char *why, *instead;
};

/// Why the read of the flag acquires nothing, and how to change it.
Half missing_half(const Program& program, std::uint32_t instruction) {
  const MicroOp& op = access_at(program, instruction);
  const bool atomic = op.kind == MicroOpcode::atomic;
  const MemoryAccess& access = atomic ? program.atomics[op.extra].address : program.accesses[op.extra];
  const char* const order =
      atomic ? ", or let it acquire (memory_order_acq_rel)" : ", or let it acquire (memory_order_acquire)";
  switch (access.ordering) {
    case Ordering::weak:  // of an atomic function
      return {"an atomic function orders nothing around it", ""};
    case Ordering::is_volatile:
      return {"`volatile` orders nothing around it", ""};
    case Ordering::relaxed:
      return {"a relaxed access orders nothing around it", order};
    case Ordering::release:
      return {"a release orders what comes before it, and nothing that comes after", order};
    case Ordering::acquire:
    case Ordering::acquire_release:
      return {"its order is one for the threads of its own block only", ", or give it the scope of the device"};
  }
  return {};
}

}  // namespace

RaceMessages messages_without_acquire(const Race& race) {
  const Program& program = race.grid.program;
  const Conflict& conflict = race.conflict;
  const bool of_grid = race.scope == "grid";
  const std::string one = of_grid ? "one block" : race.scope == "block" ? "a warp" : "a thread";
  const std::string read = line_text(program, race.unacquired);
  const Half half = missing_half(program, race.unacquired);
  return {
      one + (race.now.store ? " writes" : " reads") + " what another has " +
          (conflict.earlier.kind.store ? "written and released" : "read before a release") + ", without acquiring it",
      "does " + read + " tell that the other is done, by a flag, a ticket or a lock? Then it needs an acquire, as " +
          half.why + ": put " + (of_grid ? "__threadfence()" : "__threadfence_block()") + " after it" + half.instead};
}

std::optional<RaceMessages> messages_of_another_releaser(const Race& race) {
  const Program& program = race.grid.program;
  const Segment& earlier = race.conflict.earlier;
  const BarrierPlace place = barrier_place(program, earlier.instruction, race.releaser.instruction, false);
  using Kind = BarrierPlace::Kind;
  if (place.kind == Kind::unknown || place.kind == Kind::partial || place.kind == Kind::in_statement) return {};
  const auto thread = [](std::uint32_t warp, unsigned lane) { return std::to_string(warp * kWarpSize + lane); };
  const LineNumbers lines = lines_of(program, earlier.instruction, race.releaser.instruction);
  const auto line = [&](int number, std::uint32_t instruction) {
    return number != 0 ? "line " + std::to_string(number) : line_text(program, instruction);
  };
  const bool is_write = earlier.kind.store;
  return RaceMessages{std::string("one block ") + (race.now.store ? "writes" : "reads") + " what another has " +
                          (is_write ? "written" : "read") + ", and the release is of another thread than that " +
                          (is_write ? "write" : "read"),
                      line(lines.one, earlier.instruction) + " is thread " +
                          thread(earlier.warp, race.conflict.earlier_lane) + "'s, and the release at " +
                          line(lines.other, race.releaser.instruction) + " is thread " +
                          thread(race.releaser.warp, race.releaser.lane) +
                          "'s, which does not wait for it: put __syncthreads() between the two"};
}

}  // namespace cudasim
