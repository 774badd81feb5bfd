// refused: not-the-step: where lines lie side by side and are no vectors, the lanes go along the terms, a row apart
// SPDX-License-Identifier: MIT
// hint: step-lanes
#include <cstddef>

#include "workbook/student/gemm.h"
#include "workbook/student/products/async_copy.h"
#include "workbook/student/products/loader_pair.h"
#include "workbook/student/products/plan.h"
#include "workbook/student/products/stream_k.h"

// The thread whose line and term another thread has: neighbours get terms that are neighbours.
template <int kThreads, int kSize, class Way>
struct Another {
  int x;
  __device__ explicit Another(Way way) : x(threadIdx.x) {
    constexpr int kTerms = kThreads / kSize;  // at a time
    if (way == Way::kLines) x = x % kTerms * kSize + x / kTerms;
  }
};

#define threadIdx (Another<Shape::kThreads, kSize, Way>(way_))
#include "../solution.cu"
#undef threadIdx
