// SPDX-License-Identifier: MIT
// CUDA arrays: here plain boxes of device memory, with rows and slices without gaps.
#pragma once

#include "runtime/copy.h"

/// The object behind the opaque handle of the CUDA headers.
struct cudaArray {
  std::uint64_t address = 0;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  ///< as requested, in elements: no height, one dimension; no depth, two
  unsigned flags = 0;
  std::size_t element_bytes = 0;

  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  cudasim::Stride stride() const { return {extent.width * element_bytes, extent.width * element_bytes * rows()}; }
};

namespace cudasim {

/// Bytes of an element, or 0 where an array cannot have these channels.
std::size_t element_bytes(const cudaChannelFormatDesc& format);

/// The array behind a handle, or nullptr.
const cudaArray* find_array(const Runtime& runtime, cudaArray_const_t array);

/// Where (x, y, z) of an array lies, x in bytes. False, with a message, where a box from there does not fit.
bool place_in_array(const char* call, const cudaArray& array, const cudaPos& position, const Box& box, void*& begin);

}  // namespace cudasim
