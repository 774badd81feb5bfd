// refused: wrong-result: a number that does not exist counts as exp(0 - max)
// SPDX-License-Identifier: MIT
// shown by: --size 3x20 --values equal
// hint: row-no-number
#include "answer/right.cuh"

using namespace right;

struct ZeroForNone : Softmax {
  static __device__ float no_number() { return 0.0f; }
};

#define SOFTMAX ZeroForNone
#include "answer/kernel.cuh"
