// refused: not-the-step: right, with a read for the maximum and another one for the sum
// SPDX-License-Identifier: MIT
// hint: step-sectors
#include "../variants/three_reads.cu"
