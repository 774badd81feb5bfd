// SPDX-License-Identifier: MIT
// CUDA arrays: creation, queries, release, and copies to and from them.
#include <cstring>

#include "memory/shortage.h"
#include "runtime/arrays.h"

namespace cudasim {

std::size_t element_bytes(const cudaChannelFormatDesc& format) {
  const int bits = format.x, channels[] = {format.x, format.y, format.z, format.w};
  std::size_t count = 0;
  while (count < 4 && channels[count] != 0) ++count;
  for (std::size_t i = 0; i < 4; ++i) {
    if (channels[i] != (i < count ? bits : 0)) return 0;
  }
  const bool is_whole = format.f == cudaChannelFormatKindUnsigned || format.f == cudaChannelFormatKindSigned;
  const bool is_known =
      (is_whole && bits == 8) || ((is_whole || format.f == cudaChannelFormatKindFloat) && (bits == 16 || bits == 32));
  return is_known && count != 3 ? count * static_cast<std::size_t>(bits) / 8 : 0;
}

const cudaArray* find_array(const Runtime& runtime, cudaArray_const_t array) {
  return runtime.arrays.count(array) != 0 ? array : nullptr;
}

bool place_in_array(const char* call, const cudaArray& array, const cudaPos& position, const Box& box, void*& begin) {
  const Stride stride = array.stride();
  const auto fits = [](std::size_t at, std::size_t count, std::size_t extent) {
    return at <= extent && count <= extent - at;
  };
  if (!fits(position.x, box.width, stride.row) || !fits(position.y, box.height, array.rows()) ||
      !fits(position.z, box.depth, array.slices())) {
    complain(call,
             "this goes beyond the array, which has " + std::to_string(array.slices()) + " x " +
                 std::to_string(array.rows()) + " rows of " + std::to_string(stride.row) + " bytes",
             cudaErrorInvalidValue);
    return false;
  }
  begin = reinterpret_cast<void*>(array.address + position.z * stride.slice + position.y * stride.row + position.x);
  return true;
}

namespace {

cudaError_t make_array(Runtime& runtime, const char* call, cudaArray_t* result, const cudaChannelFormatDesc* format,
                       const cudaExtent& extent, unsigned flags) {
  if (result == nullptr || format == nullptr || extent.width == 0) return cudaErrorInvalidValue;
  constexpr unsigned kKnown = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
  if ((flags & ~kKnown) != 0)
    return complain(call, "cube maps and sparse arrays are not simulated", cudaErrorNotSupported);
  cudaArray array;
  array.format = *format;
  array.extent = extent;
  array.flags = flags;
  array.element_bytes = element_bytes(*format);
  if (array.element_bytes == 0)
    return complain(call, "channels of this format are not simulated", cudaErrorInvalidChannelDescriptor);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(extent.width, array.element_bytes, &bytes) ||
      __builtin_mul_overflow(bytes, array.rows(), &bytes) || __builtin_mul_overflow(bytes, array.slices(), &bytes)) {
    return complain(call, "the array would have more bytes than there are addresses", cudaErrorMemoryAllocation);
  }
  const Allocation* allocation = runtime.memory().allocate(bytes, Origin::internal, "CUDA array");
  if (allocation == nullptr) return complain(call, why_no_memory(runtime.memory(), bytes), cudaErrorMemoryAllocation);
  std::memset(allocation->host, std::to_integer<int>(runtime.memory().poison()), bytes);
  array.address = allocation->address;
  auto* const handle = new cudaArray(array);
  runtime.arrays.insert(handle);
  *result = handle;
  return cudaSuccess;
}

/// Between an array and memory that is no array. Positions in the array are in bytes.
cudaError_t copy_array(Runtime& runtime, const char* call, cudaArray_const_t handle, std::size_t x, std::size_t y,
                       void* memory, std::size_t pitch, const Box& box, bool to_array, cudaMemcpyKind kind,
                       const Put& put) {
  const cudaArray* array = find_array(runtime, handle);
  if (array == nullptr) return complain(call, "there is no such array", cudaErrorInvalidResourceHandle);
  void* begin = nullptr;
  if (!place_in_array(call, *array, {x, y, 0}, box, begin)) return cudaErrorInvalidValue;
  return to_array ? copy(runtime, call, {begin, array->stride(), memory, {pitch}, box, kind}, put)
                  : copy(runtime, call, {memory, {pitch}, begin, array->stride(), box, kind}, put);
}

}  // namespace
}  // namespace cudasim

using namespace cudasim;

extern "C" cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                                       std::size_t height, unsigned flags) {
  return enter("cudaMallocArray", Access::synchronous, [&](Runtime& runtime) {
    return make_array(runtime, "cudaMallocArray", array, format, {width, height, 0}, flags);
  });
}

extern "C" cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                         unsigned flags) {
  return enter("cudaMalloc3DArray", Access::synchronous, [&](Runtime& runtime) {
    return make_array(runtime, "cudaMalloc3DArray", array, format, extent, flags);
  });
}

extern "C" cudaError_t cudaFreeArray(cudaArray_t array) {
  return enter("cudaFreeArray", Access::synchronous, [&](Runtime& runtime) {
    if (const cudaError_t error = runtime.wait_for_all(); array == nullptr || error != cudaSuccess) return error;
    if (runtime.arrays.erase(array) == 0)
      return complain("cudaFreeArray", "there is no such array", cudaErrorInvalidValue);
    runtime.memory().release(array->address);
    delete array;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                                        cudaArray_t handle) {
  return enter("cudaArrayGetInfo", Access::context, [&](Runtime& runtime) {
    const cudaArray* array = find_array(runtime, handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (format == nullptr) return remember(cudaErrorInvalidValue);
  return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

extern "C" cudaError_t cudaMemcpy2DToArray(cudaArray_t array, std::size_t x, std::size_t y, const void* source,
                                           std::size_t pitch, std::size_t width, std::size_t height,
                                           cudaMemcpyKind kind) {
  return enter("cudaMemcpy2DToArray", Access::synchronous, [&](Runtime& runtime) {
    return copy_array(runtime, "cudaMemcpy2DToArray", array, x, y, const_cast<void*>(source), pitch, {width, height},
                      true, kind, kAndWait);
  });
}
CUDASIM_ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);

extern "C" cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, std::size_t x, std::size_t y, const void* source,
                                                std::size_t pitch, std::size_t width, std::size_t height,
                                                cudaMemcpyKind kind, cudaStream_t stream) {
  return enter("cudaMemcpy2DToArrayAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy_array(runtime, "cudaMemcpy2DToArrayAsync", array, x, y, const_cast<void*>(source), pitch,
                      {width, height}, true, kind, {stream});
  });
}
CUDASIM_ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);

extern "C" cudaError_t cudaMemcpy2DFromArray(void* destination, std::size_t pitch, cudaArray_const_t array,
                                             std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                                             cudaMemcpyKind kind) {
  return enter("cudaMemcpy2DFromArray", Access::synchronous, [&](Runtime& runtime) {
    return copy_array(runtime, "cudaMemcpy2DFromArray", array, x, y, destination, pitch, {width, height}, false, kind,
                      kAndWait);
  });
}
CUDASIM_ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);

extern "C" cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, std::size_t pitch, cudaArray_const_t array,
                                                  std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                                                  cudaMemcpyKind kind, cudaStream_t stream) {
  return enter("cudaMemcpy2DFromArrayAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy_array(runtime, "cudaMemcpy2DFromArrayAsync", array, x, y, destination, pitch, {width, height}, false,
                      kind, {stream});
  });
}
CUDASIM_ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);
