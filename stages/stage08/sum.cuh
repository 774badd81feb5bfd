// SPDX-License-Identifier: MIT
// The operator of a sum, as a pattern for the others. An operator has
//
//   State              What is passed from thread to thread: words of 4 bytes, at most workbook::kLargestState bytes.
//   identity()         The state of no numbers: combine(identity(), a) is a, and so is combine(a, identity()).
//   of(number)         The state of one number.
//   combine(a, b)      The state of the numbers of a and b together. But for rounding, combine(combine(a, b), c) is
//                      combine(a, combine(b, c)), and combine(a, b) is combine(b, a).
//   finish(state)      The statistic.
//
// The kernel asks for nothing else, and chooses the order by speed alone (CUB: a reduction operator and its initial
// value).
#pragma once

#include <cuda/std/type_traits>

/// Unsigned numbers add and multiply modulo 2^32: associative, where a signed overflow has no meaning in C++ at all.
template <typename T>
using Modular = cuda::std::conditional_t<cuda::std::is_integral_v<T>, unsigned, T>;

template <typename T>
struct Sum {
  using State = Modular<T>;
  static __device__ State identity() { return 0; }
  static __device__ State of(T number) { return static_cast<State>(number); }
  static __device__ State combine(State a, State b) { return a + b; }
  static __device__ double finish(State state) { return static_cast<T>(state); }
};
