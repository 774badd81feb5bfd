// SPDX-License-Identifier: MIT
// What every copy and every fill comes down to: a box of bytes in rows and slices, put into a stream. A plain copy is a
// box of one row.
#pragma once

#include <cstddef>

#include "cudart/runtime.h"

namespace cudasim {

struct Box {
  std::size_t width, height = 1, depth = 1;  ///< bytes, rows, slices
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// Bytes from one row, and from one slice, to the next. Looked at only where there is more than one.
struct Stride {
  std::size_t row = 0, slice = 0;
};

/// Where a copy or a fill goes, and whether its call waits for it.
struct Put {
  cudaStream_t stream = nullptr;
  bool waits = false;
};
constexpr Put and_wait{nullptr, true};

/// `call`, a literal, is the name for complaints.
cudaError_t copy(Runtime& runtime, const char* call, void* destination, const Stride& to_stride, const void* source,
                 const Stride& from_stride, const Box& box, cudaMemcpyKind kind, const Put& put);
cudaError_t fill(Runtime& runtime, const char* call, void* destination, const Stride& stride, int value, const Box& box,
                 const Put& put);

}  // namespace cudasim
