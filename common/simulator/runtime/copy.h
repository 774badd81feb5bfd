// SPDX-License-Identifier: MIT
// The common form of every copy and every fill: a box of bytes in rows and slices, put into a stream. A plain copy is a
// box of one row.
#pragma once

#include <cstddef>

#include "runtime/runtime.h"

namespace cudasim {

struct Box {
  std::size_t width, height = 1, depth = 1;  ///< bytes, rows, slices
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// Bytes from one row, and from one slice, to the next. Used only where there is more than one.
struct Stride {
  std::size_t row = 0, slice = 0;
};

/// Where a copy or a fill goes, and whether its call waits for it.
struct Put {
  cudaStream_t stream = nullptr;
  bool waits = false;
  const StreamName* branch = nullptr;  ///< that of a running graph, instead of a stream
};
constexpr Put kAndWait{nullptr, true};

/// What a fill repeats: the low bytes of a value.
struct Pattern {
  std::uint32_t value;
  unsigned bytes = 1;  ///< 1, 2 or 4, which divides the address and the width
};
inline Pattern byte_pattern(int value) { return {static_cast<std::uint32_t>(value) & 0xFFu}; }

/// A copy, and a fill, without their streams.
struct CopyCall {
  void* destination;
  Stride to_stride;
  const void* source;
  Stride from_stride;
  Box box;
  cudaMemcpyKind kind;
};
struct FillCall {
  void* destination;
  Stride stride;
  Pattern pattern;
  Box box;
};

/// These are checked and put into their stream. If the stream is captured, they become nodes. `call`, a literal, is the
/// name for messages.
cudaError_t copy(Runtime& runtime, const char* call, const CopyCall& copied, const Put& put);
cudaError_t fill(Runtime& runtime, const char* call, const FillCall& filled, const Put& put);

/// The first half alone: cudaSuccess, or the error of the call, with its message.
cudaError_t check_copy(Runtime& runtime, const char* call, const CopyCall& copied);
cudaError_t check_fill(Runtime& runtime, const char* call, const FillCall& filled);

/// The common form of the parameters of a copy. The copy is one of boxes, or one to or from a variable. On an error, it
/// prints the message and returns the error.
cudaError_t copy_of_box(Runtime& runtime, const char* call, const cudaMemcpy3DParms* parameters, CopyCall& copied);
cudaError_t copy_of_symbol(Runtime& runtime, const char* call, const void* symbol, void* memory, bool to_symbol,
                           std::size_t size, std::size_t offset, cudaMemcpyKind kind, CopyCall& copied);

}  // namespace cudasim
