// SPDX-License-Identifier: MIT
// The arithmetic of a tensor core of sm_90, to the bit.
#pragma once

#include <cstdint>

#include "program/matrix_operation.h"

namespace cudasim {

/// d = a b + c for matrices that lie by rows: a is rows x depth, b depth x columns, c and d rows x columns. Elements
/// are 64 bits apart if they are f64, otherwise 32. Narrower ones have zeros in front. The first `step` products make
/// one sum with c, the next ones are added to that.
struct MatrixProduct {
  const void *a, *b, *c;
  void* d;
  unsigned rows, columns, depth, step;  ///< columns: a multiple of 8
  MatrixElement a_element, b_element, c_element, d_element;
  bool saturates;
};

}  // namespace cudasim
