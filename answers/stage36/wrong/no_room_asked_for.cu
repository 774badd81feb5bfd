// refused: refused-launch: a block wants more than 48 KiB of shared memory, and the launch has not asked for it
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: too-much-shared
#include "answer/linked_answer.cuh"

constexpr bool kAsksForRoom = false;

#include "answer/launch_linked_answer.cuh"
