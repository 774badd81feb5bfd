// refused: race: the kind is a word of its own, and says nothing of the number beside it
// SPDX-License-Identifier: MIT
// shown by: --size 9000
// hint: race-between-blocks
// Half a word each. To write the kind with memory_order_release and to read it with memory_order_acquire would do.
#include "workbook/sort.h"

struct Wrong {};
struct Pass;
__device__ std::uint64_t look_back(Wrong, const std::uint64_t* states, std::size_t tile, unsigned digit,
                                   const Pass& pass);
__device__ void say(Wrong, std::uint64_t& state, std::uint64_t kind, std::uint64_t number);
// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to these.
#define look_back(...) look_back(Wrong(), __VA_ARGS__)
#define say(...) say(Wrong(), __VA_ARGS__)
#include "../stage36_answer.cuh"
#undef look_back
#undef say

using Kind = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void say(Wrong, State& state, State kind, State number) {
  auto* const words = reinterpret_cast<unsigned*>(&state);
  words[0] = static_cast<unsigned>(number);
  Kind(words[1]).store(static_cast<unsigned>(kind), cuda::memory_order_relaxed);
}

__device__ State look_back(Wrong, const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
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
