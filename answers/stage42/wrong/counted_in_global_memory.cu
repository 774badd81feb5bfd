// refused: not-the-step: right, with an atomic addition in global memory for each sample
// SPDX-License-Identifier: MIT
// hint: step-atomics
#include "answer/right.cuh"

using namespace right;

#define COUNT(bin) atomicAdd(&counts[bin], 1u)
#define FLUSH(b) static_cast<void>(mine[b])
#include "answer/kernel.cuh"
