// SPDX-License-Identifier: MIT
// The integration problem: the integrands, and the function that a stage defines. The reference, the closed forms, the
// error bound and the report are in common/workbook/problem.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

#ifdef __CUDACC__
#define WORKBOOK_HOST_DEVICE __host__ __device__
#else
#define WORKBOOK_HOST_DEVICE
#endif

namespace workbook {

/// The integrands.
enum class Function : std::uint8_t {
  square,  ///< x^2.
  sine,    ///< sin(x).
  bell,    ///< exp(-x^2).
  arc,     ///< 4 / (1 + x^2), with the integral pi from 0 to 1.
};

/// The integrand f(x), on the host and in a kernel.
struct Integrand {
  Function function = Function::square;

  WORKBOOK_HOST_DEVICE double operator()(double x) const {
    switch (function) {
      case Function::square:
        return x * x;
      case Function::sine:
        return sin(x);
      case Function::bell:
        return exp(-x * x);
      case Function::arc:
        return 4.0 / (1.0 + x * x);
    }
    return 0.0;
  }
};

}  // namespace workbook

/// The integral of f from a to b by the trapezoidal rule, with n intervals of the width h = (b - a) / n.
///
///     (f(a)/2 + f(a + h) + f(a + 2h) + ... + f(a + (n-1)h) + f(b)/2) * h.
///
/// The function only puts work into the stream, in order: no allocation, no copy to the host, no waiting. Each stage
/// defines it. The benchmark times it.
///
/// * n           Intervals, at least 1; more than 2^32 are allowed. Up to 2^53 a double holds every index.
/// * a, b        Finite; b may be less than a, or equal to it.
/// * block_size  Threads a block: a power of two from 1 to 1024.
/// * integral    One double in DEVICE memory, unwritten: it may hold anything. It gets the integral.
/// * stream      The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a call fails.
void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t n, unsigned block_size,
                         double* integral, cudaStream_t stream);
