// refused: race: the kind is a word of its own, and says nothing of the number beside it
// SPDX-License-Identifier: MIT
// shown by: --size 9000
// hint: race-between-blocks
// Half a word each. To write the kind with memory_order_release and to read it with memory_order_acquire would do.
#include "answer/linked_answer.cuh"

using Kind = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void say(State& state, State kind, State number) {
  auto* const words = reinterpret_cast<unsigned*>(&state);
  words[0] = static_cast<unsigned>(number);
  Kind(words[1]).store(static_cast<unsigned>(kind), cuda::memory_order_relaxed);
}

__device__ State look_back(const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
  State before = 0;
  while (tile-- > 0) {
    auto* const words = reinterpret_cast<unsigned*>(const_cast<State*>(&states[tile * kDigits + digit]));
    unsigned kind;
    do {
      kind = Kind(words[1]).load(cuda::memory_order_relaxed);
    } while (kind < of_tile(pass));
    before += words[0];
    if (kind == of_all(pass)) {
      break;
    }
  }
  return before;
}

#include "answer/launch_linked_answer.cuh"
