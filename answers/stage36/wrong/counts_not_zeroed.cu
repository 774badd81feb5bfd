// refused: out-of-bounds: the digits of all keys are added to what was in memory before, and so are the places
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: outside-global
#include "answer/linked_answer.cuh"

constexpr std::size_t kNotZeroed = kPasses * kDigits * sizeof(unsigned);  // the counts come first in the workspace

#include "answer/launch_linked_answer.cuh"
