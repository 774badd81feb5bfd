// SPDX-License-Identifier: MIT
// The calls that copy and fill: plain memory, rows and boxes with a pitch, and a program's variables.
#include "base/demangle.h"
#include "runtime/arrays.h"
#include "runtime/refusals.h"

using namespace cudasim;

namespace {

/// One side of a 3D copy: where its box begins, and the distances between its rows and slices. False where the position
/// gives no address at all.
bool begin_of(const cudaPitchedPtr& pointer, const cudaPos& position, void*& begin) {
  std::size_t address = 0;
  const bool too_large = __builtin_mul_overflow(position.z, pointer.ysize, &address) ||
                         __builtin_add_overflow(address, position.y, &address) ||
                         __builtin_mul_overflow(address, pointer.pitch, &address) ||
                         __builtin_add_overflow(address, position.x, &address) ||
                         __builtin_add_overflow(address, reinterpret_cast<std::size_t>(pointer.ptr), &address);
  begin = pointer.ptr == nullptr ? nullptr : reinterpret_cast<void*>(address);
  return !too_large;
}
Stride stride_of(const cudaPitchedPtr& pointer) { return {pointer.pitch, pointer.pitch * pointer.ysize}; }

/// A copy to or from `offset` of a symbol.
cudaError_t copy_symbol(Runtime& runtime, const char* call, const void* symbol, void* host_or_device, bool to_symbol,
                        std::size_t size, std::size_t offset, cudaMemcpyKind kind, const Put& put) {
  CopyCall copied{};
  const cudaError_t error =
      copy_of_symbol(runtime, call, symbol, host_or_device, to_symbol, size, offset, kind, copied);
  return error != cudaSuccess ? error : copy(runtime, call, copied, put);
}

cudaError_t copy_box(Runtime& runtime, const char* call, const cudaMemcpy3DParms* parameters, const Put& put) {
  CopyCall copied{};
  const cudaError_t error = copy_of_box(runtime, call, parameters, copied);
  return error != cudaSuccess ? error : copy(runtime, call, copied, put);
}

}  // namespace

cudaError_t cudasim::copy_of_symbol(Runtime& runtime, const char* call, const void* symbol, void* memory,
                                    bool to_symbol, std::size_t size, std::size_t offset, cudaMemcpyKind kind,
                                    CopyCall& copied) {
  cudaError_t error = cudaSuccess;
  const Allocation* variable = runtime.find_variable(symbol, error);
  if (variable == nullptr) return refuse_copy(runtime, call, "there is no such variable on the device", error);
  const bool direction_fits = kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
                              kind == (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  if (!direction_fits)
    return refuse_copy(runtime, call, "this direction does not go with a symbol", cudaErrorInvalidMemcpyDirection);
  if (offset > variable->size_bytes || size > variable->size_bytes - offset) {
    return refuse_copy(runtime, call,
                       "variable '" + demangle(variable->name) + "' has " + std::to_string(variable->size_bytes) +
                           " bytes, but " + std::to_string(size) + " at offset " + std::to_string(offset) +
                           " were asked for",
                       cudaErrorInvalidValue);
  }
  void* const address = reinterpret_cast<void*>(variable->address + offset);
  copied =
      to_symbol ? CopyCall{address, {}, memory, {}, {size}, kind} : CopyCall{memory, {}, address, {}, {size}, kind};
  return cudaSuccess;
}

cudaError_t cudasim::copy_of_box(Runtime& runtime, const char* call, const cudaMemcpy3DParms* parameters,
                                 CopyCall& copied) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  // If an array takes part, extents are in its elements, and so is a position in it. Otherwise all is in bytes.
  Box box{parameters->extent.width, parameters->extent.height, parameters->extent.depth};
  const cudaArray *from = nullptr, *to = nullptr;
  for (const auto& [handle, array] : {std::pair{parameters->srcArray, &from}, std::pair{parameters->dstArray, &to}}) {
    if (handle == nullptr) continue;
    *array = find_array(runtime, handle);
    if (*array == nullptr) return refuse_copy(runtime, call, "there is no such array", cudaErrorInvalidResourceHandle);
  }
  if (from != nullptr && to != nullptr && from->element_bytes != to->element_bytes)
    return refuse_copy(runtime, call, "the elements of the two arrays differ in size", cudaErrorInvalidValue);
  const cudaArray* const unit = from != nullptr ? from : to;
  if (unit != nullptr && __builtin_mul_overflow(box.width, unit->element_bytes, &box.width))
    return cudaErrorInvalidValue;
  const auto begin_of_side = [&](const cudaArray* array, const cudaPitchedPtr& pointer, cudaPos position,
                                 void*& begin) {
    if (array == nullptr) {
      if (begin_of(pointer, position, begin)) return true;
    } else if (!__builtin_mul_overflow(position.x, array->element_bytes, &position.x)) {
      return place_in_array(call, *array, position, box, begin);
    }
    refuse_copy(runtime, call, "a position lies beyond all memory", cudaErrorInvalidValue);
    return false;
  };
  void *destination = nullptr, *source = nullptr;
  if (!begin_of_side(to, parameters->dstPtr, parameters->dstPos, destination) ||
      !begin_of_side(from, parameters->srcPtr, parameters->srcPos, source))
    return cudaErrorInvalidValue;
  copied = {destination, to != nullptr ? to->stride() : stride_of(parameters->dstPtr),
            source,      from != nullptr ? from->stride() : stride_of(parameters->srcPtr),
            box,         parameters->kind};
  return cudaSuccess;
}

extern "C" cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind) {
  return enter("cudaMemcpy", Access::synchronous, [&](Runtime& runtime) {
    return copy(runtime, "cudaMemcpy", {destination, {}, source, {}, {size}, kind}, kAndWait);
  });
}
CUDASIM_ALIAS(cudaMemcpy_ptds, cudaMemcpy);

extern "C" cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return enter("cudaMemcpyAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy(runtime, "cudaMemcpyAsync", {destination, {}, source, {}, {size}, kind}, {stream});
  });
}
CUDASIM_ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

extern "C" cudaError_t cudaMemcpyPeer(void* destination, int to_device, const void* source, int from_device,
                                      std::size_t size) {
  if (to_device != 0 || from_device != 0) return remember(cudaErrorInvalidDevice);
  return cudaMemcpy(destination, source, size, cudaMemcpyDeviceToDevice);
}

extern "C" cudaError_t cudaMemcpyPeerAsync(void* destination, int to_device, const void* source, int from_device,
                                           std::size_t size, cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return remember(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(destination, source, size, cudaMemcpyDeviceToDevice, stream);
}

extern "C" cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                                    std::size_t source_pitch, std::size_t width, std::size_t height,
                                    cudaMemcpyKind kind) {
  return enter("cudaMemcpy2D", Access::synchronous, [&](Runtime& runtime) {
    return copy(runtime, "cudaMemcpy2D",
                {destination, {destination_pitch}, source, {source_pitch}, {width, height}, kind}, kAndWait);
  });
}
CUDASIM_ALIAS(cudaMemcpy2D_ptds, cudaMemcpy2D);

extern "C" cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                                         std::size_t source_pitch, std::size_t width, std::size_t height,
                                         cudaMemcpyKind kind, cudaStream_t stream) {
  return enter("cudaMemcpy2DAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy(runtime, "cudaMemcpy2DAsync",
                {destination, {destination_pitch}, source, {source_pitch}, {width, height}, kind}, {stream});
  });
}
CUDASIM_ALIAS(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);

extern "C" cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copied) {
  return enter("cudaMemcpy3D", Access::synchronous,
               [&](Runtime& runtime) { return copy_box(runtime, "cudaMemcpy3D", copied, kAndWait); });
}
CUDASIM_ALIAS(cudaMemcpy3D_ptds, cudaMemcpy3D);

extern "C" cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copied, cudaStream_t stream) {
  return enter("cudaMemcpy3DAsync", Access::enqueued,
               [&](Runtime& runtime) { return copy_box(runtime, "cudaMemcpy3DAsync", copied, {stream}); });
}
CUDASIM_ALIAS(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);

extern "C" cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t size, std::size_t offset,
                                          cudaMemcpyKind kind) {
  return enter("cudaMemcpyToSymbol", Access::synchronous, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyToSymbol", symbol, const_cast<void*>(source), true, size, offset, kind,
                       kAndWait);
  });
}
CUDASIM_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);

extern "C" cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t size,
                                               std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return enter("cudaMemcpyToSymbolAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyToSymbolAsync", symbol, const_cast<void*>(source), true, size, offset, kind,
                       {stream});
  });
}
CUDASIM_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);

extern "C" cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, std::size_t size, std::size_t offset,
                                            cudaMemcpyKind kind) {
  return enter("cudaMemcpyFromSymbol", Access::synchronous, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyFromSymbol", symbol, destination, false, size, offset, kind, kAndWait);
  });
}
CUDASIM_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);

extern "C" cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, std::size_t size,
                                                 std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return enter("cudaMemcpyFromSymbolAsync", Access::enqueued, [&](Runtime& runtime) {
    return copy_symbol(runtime, "cudaMemcpyFromSymbolAsync", symbol, destination, false, size, offset, kind, {stream});
  });
}
CUDASIM_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

extern "C" cudaError_t cudaMemset(void* destination, int value, std::size_t size) {
  return enter("cudaMemset", Access::enqueued, [&](Runtime& runtime) {
    return fill(runtime, "cudaMemset", {destination, {}, byte_pattern(value), {size}}, {});
  });
}
CUDASIM_ALIAS(cudaMemset_ptds, cudaMemset);

extern "C" cudaError_t cudaMemsetAsync(void* destination, int value, std::size_t size, cudaStream_t stream) {
  return enter("cudaMemsetAsync", Access::enqueued, [&](Runtime& runtime) {
    return fill(runtime, "cudaMemsetAsync", {destination, {}, byte_pattern(value), {size}}, {stream});
  });
}
CUDASIM_ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);

extern "C" cudaError_t cudaMemset2D(void* destination, std::size_t pitch, int value, std::size_t width,
                                    std::size_t height) {
  return enter("cudaMemset2D", Access::enqueued, [&](Runtime& runtime) {
    return fill(runtime, "cudaMemset2D", {destination, {pitch}, byte_pattern(value), {width, height}}, {});
  });
}
CUDASIM_ALIAS(cudaMemset2D_ptds, cudaMemset2D);

extern "C" cudaError_t cudaMemset2DAsync(void* destination, std::size_t pitch, int value, std::size_t width,
                                         std::size_t height, cudaStream_t stream) {
  return enter("cudaMemset2DAsync", Access::enqueued, [&](Runtime& runtime) {
    return fill(runtime, "cudaMemset2DAsync", {destination, {pitch}, byte_pattern(value), {width, height}}, {stream});
  });
}
CUDASIM_ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);

extern "C" cudaError_t cudaMemset3D(cudaPitchedPtr destination, int value, cudaExtent extent) {
  return enter("cudaMemset3D", Access::enqueued, [&](Runtime& runtime) {
    return fill(
        runtime, "cudaMemset3D",
        {destination.ptr, stride_of(destination), byte_pattern(value), {extent.width, extent.height, extent.depth}},
        {});
  });
}
CUDASIM_ALIAS(cudaMemset3D_ptds, cudaMemset3D);

extern "C" cudaError_t cudaMemset3DAsync(cudaPitchedPtr destination, int value, cudaExtent extent,
                                         cudaStream_t stream) {
  return enter("cudaMemset3DAsync", Access::enqueued, [&](Runtime& runtime) {
    return fill(
        runtime, "cudaMemset3DAsync",
        {destination.ptr, stride_of(destination), byte_pattern(value), {extent.width, extent.height, extent.depth}},
        {stream});
  });
}
CUDASIM_ALIAS(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

extern "C" cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return enter("cudaGetSymbolAddress", Access::context, [&](Runtime& runtime) {
    if (address == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const Allocation* variable = runtime.find_variable(symbol, error);
    if (variable != nullptr) *address = reinterpret_cast<void*>(variable->address);
    return error;
  });
}

extern "C" cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  return enter("cudaGetSymbolSize", Access::context, [&](Runtime& runtime) {
    if (size == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const Allocation* variable = runtime.find_variable(symbol, error);
    if (variable != nullptr) *size = variable->size_bytes;
    return error;
  });
}
