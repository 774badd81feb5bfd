// refused: not-the-step: right, with two barriers for each of log n rounds where one barrier is enough
// SPDX-License-Identifier: MIT
// hint: step-barriers
#include "../variants/hillis_steele.cu"
