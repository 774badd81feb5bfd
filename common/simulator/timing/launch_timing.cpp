// SPDX-License-Identifier: MIT
#include "timing/launch_timing.h"

namespace cudasim {

void LaunchTiming::add(const std::shared_ptr<WorkerTiming>& of_worker) {
  if (counts == nullptr) {
    counts = of_worker;
  } else {
    counts->add(*of_worker);
  }
}

void LaunchTiming::finish(const Program& program, const std::vector<Counters>& by_instruction) {
  if (counts != nullptr) {
    accesses = counts->accesses.totals();
    longest_queue = counts->updates.longest();
    waits = counts->waits.result();
    counts = nullptr;
  }
  for (std::size_t i = 1; i < by_instruction.size(); ++i) {
    const std::uint64_t times = by_instruction[i].warp_instructions;
    if (times == 0) continue;
    const InstructionOrigin& origin = program.origins[i];
    const InstructionClass its_class = class_of(origin);
    classes[static_cast<std::size_t>(its_class)] += times * parts_of(origin);
    if (its_class == InstructionClass::tensor) tensor_shapes[tensor_shape(origin)] += times;
    if (its_class == InstructionClass::other) without_rate.insert(opcode_of(origin));
  }
}

}  // namespace cudasim
