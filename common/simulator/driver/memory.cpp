// SPDX-License-Identifier: MIT
// Memory: allocation, copies, fills and queries of addresses.
#include "driver/driver.h"
#include "runtime/copy.h"

using namespace cudasim;

namespace {

cudaError_t copy_plain(const char* call, void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                       const Put& put) {
  return enter(call, put.waits ? Access::synchronous : Access::enqueued, [&](Runtime& runtime) {
    return copy(runtime, call, {destination, {}, source, {}, {bytes}, kind}, put);
  });
}

/// `rows` of `count` elements.
cudaError_t fill_rows(const char* call, CUdeviceptr address, std::size_t pitch, const Pattern& pattern,
                      std::size_t count, std::size_t rows, const Put& put) {
  return enter(call, Access::enqueued, [&](Runtime& runtime) {
    std::size_t width = 0;
    if (__builtin_mul_overflow(count, pattern.bytes, &width)) return cudaErrorInvalidValue;
    if (address % pattern.bytes != 0 || (rows > 1 && pitch % pattern.bytes != 0))
      return complain(call, "the address is no multiple of the element's size", cudaErrorInvalidValue);
    return fill(runtime, call, {pointer_of(address), {pitch}, pattern, {width, rows}}, put);
  });
}

/// One side of a copy of boxes, as cuda.h has it for two and for three dimensions.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  std::size_t pitch, height, x, y, z;
};

bool begin_of(const Side& side, void*& begin, Stride& stride) {
  std::size_t offset = 0, slice = 0;
  const bool fits =
      !__builtin_mul_overflow(side.pitch, side.height, &slice) && !__builtin_mul_overflow(side.z, slice, &offset);
  std::size_t rows = 0;
  const bool is_address = fits && !__builtin_mul_overflow(side.y, side.pitch, &rows) &&
                          !__builtin_add_overflow(offset, rows, &offset) &&
                          !__builtin_add_overflow(offset, side.x, &offset);
  const auto base = side.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::size_t>(side.host) : side.device;
  if (!is_address || base == 0 || __builtin_add_overflow(offset, base, &offset)) return false;
  begin = reinterpret_cast<void*>(offset);
  stride = {side.pitch, slice};
  return true;
}

cudaError_t copy_box(const char* call, const Side& to, const Side& from, const Box& box, const Put& put) {
  return enter(call, put.waits ? Access::synchronous : Access::enqueued, [&](Runtime& runtime) {
    for (const Side& side : {to, from}) {
      if (side.type == CU_MEMORYTYPE_ARRAY)
        return complain(call, "arrays of the driver API are not simulated: use cudaMallocArray", cudaErrorNotSupported);
      if (side.type != CU_MEMORYTYPE_HOST && side.type != CU_MEMORYTYPE_DEVICE && side.type != CU_MEMORYTYPE_UNIFIED)
        return cudaErrorInvalidValue;
    }
    if (box.is_empty()) return cudaSuccess;
    CopyCall copied{};
    copied.box = box;
    void* source = nullptr;
    if (!begin_of(to, copied.destination, copied.to_stride) || !begin_of(from, source, copied.from_stride))
      return complain(call, "a side is a null pointer, or lies beyond all memory", cudaErrorInvalidValue);
    copied.source = source;
    const bool to_host = to.type == CU_MEMORYTYPE_HOST, from_host = from.type == CU_MEMORYTYPE_HOST;
    const bool is_unified = to.type == CU_MEMORYTYPE_UNIFIED || from.type == CU_MEMORYTYPE_UNIFIED;
    copied.kind = is_unified  ? cudaMemcpyDefault
                  : to_host   ? (from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost)
                  : from_host ? cudaMemcpyHostToDevice
                              : cudaMemcpyDeviceToDevice;
    return copy(runtime, call, copied, put);
  });
}

cudaError_t copy_2d(const char* call, const CUDA_MEMCPY2D* c, const Put& put) {
  if (c == nullptr) return cudaErrorInvalidValue;
  return copy_box(call, {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch, 1, c->dstXInBytes, c->dstY, 0},
                  {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch, 1, c->srcXInBytes, c->srcY, 0},
                  {c->WidthInBytes, c->Height}, put);
}

cudaError_t copy_3d(const char* call, const CUDA_MEMCPY3D* c, const Put& put) {
  if (c == nullptr) return cudaErrorInvalidValue;
  return copy_box(
      call, {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch, c->dstHeight, c->dstXInBytes, c->dstY, c->dstZ},
      {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch, c->srcHeight, c->srcXInBytes, c->srcY, c->srcZ},
      {c->WidthInBytes, c->Height, c->Depth}, put);
}

cudaError_t pointer_attribute(Runtime& runtime, void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  const Allocation* found = runtime.memory().find(address);
  if (value == nullptr || found == nullptr || found->host == nullptr) return cudaErrorInvalidValue;
  const bool host_sees_it = found->address == reinterpret_cast<std::uint64_t>(found->host);
  const bool is_managed = found->origin == Origin::managed;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = host_sees_it && !is_managed ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(value) = address;
      return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!host_sees_it) return cudaErrorInvalidValue;
      *static_cast<CUdeviceptr*>(value) = address;
      return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool*>(value) = is_managed;
      return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = 0;
      return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long*>(value) = found->id;
      return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(value) = found->address;
      return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<std::size_t*>(value) = found->size_bytes;
      return cudaSuccess;
    default:
      return complain("cuPointerGetAttribute", "this attribute is not simulated", cudaErrorNotSupported);
  }
}

}  // namespace

extern "C" CUresult cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return driver_call("cuMemGetInfo", Needs::context, [&] {
    std::size_t unasked = 0;
    return cudaMemGetInfo(free_bytes != nullptr ? free_bytes : &unasked,
                          total_bytes != nullptr ? total_bytes : &unasked);
  });
}

extern "C" CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  return driver_call("cuMemAlloc", Needs::context, [&] {
    return bytes == 0 ? cudaErrorInvalidValue : cudaMalloc(reinterpret_cast<void**>(address), bytes);
  });
}

extern "C" CUresult cuMemAllocPitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height,
                                    unsigned element_bytes) {
  return driver_call("cuMemAllocPitch", Needs::context, [&] {
    const bool is_size = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    if (!is_size || width == 0 || height == 0) return cudaErrorInvalidValue;
    return cudaMallocPitch(reinterpret_cast<void**>(address), pitch, width, height);
  });
}

extern "C" CUresult cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream stream) {
  return driver_call("cuMemAllocAsync", Needs::context,
                     [&] { return cudaMallocAsync(reinterpret_cast<void**>(address), bytes, stream); });
}
CUDASIM_DRIVER_ALIAS(cuMemAllocAsync_ptsz, cuMemAllocAsync);

extern "C" CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return driver_call("cuMemFreeAsync", needs_of(stream), [&] { return cudaFreeAsync(pointer_of(address), stream); });
}
CUDASIM_DRIVER_ALIAS(cuMemFreeAsync_ptsz, cuMemFreeAsync);

extern "C" CUresult cuMemAllocManaged(CUdeviceptr* address, std::size_t bytes, unsigned flags) {
  return driver_call("cuMemAllocManaged", Needs::context, [&] {
    return bytes == 0 ? cudaErrorInvalidValue : cudaMallocManaged(reinterpret_cast<void**>(address), bytes, flags);
  });
}

extern "C" CUresult cuMemFree(CUdeviceptr address) {
  return driver_call("cuMemFree", Needs::driver, [&] { return cudaFree(pointer_of(address)); });
}

extern "C" CUresult cuMemAllocHost(void** pointer, std::size_t bytes) {
  return driver_call("cuMemAllocHost", Needs::context, [&] { return cudaHostAlloc(pointer, bytes, 0); });
}

extern "C" CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return driver_call("cuMemHostAlloc", Needs::context, [&] { return cudaHostAlloc(pointer, bytes, flags); });
}

extern "C" CUresult cuMemFreeHost(void* pointer) {
  return driver_call("cuMemFreeHost", Needs::driver, [&] { return cudaFreeHost(pointer); });
}

extern "C" CUresult cuMemHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return driver_call("cuMemHostRegister", Needs::context, [&] { return cudaHostRegister(pointer, bytes, flags); });
}

extern "C" CUresult cuMemHostUnregister(void* pointer) {
  return driver_call("cuMemHostUnregister", Needs::context, [&] { return cudaHostUnregister(pointer); });
}

extern "C" CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned flags) {
  return driver_call("cuMemHostGetDevicePointer", Needs::context,
                     [&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(address), pointer, flags); });
}

extern "C" CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return driver_call("cuMemHostGetFlags", Needs::context, [&] { return cudaHostGetFlags(flags, pointer); });
}

extern "C" CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
  return driver_call("cuMemGetAddressRange", Needs::context, [&] {
    return enter("cuMemGetAddressRange", Access::context, [&](Runtime& runtime) {
      const Allocation* found = runtime.memory().find(address);
      if (found == nullptr || found->host == nullptr) return cudaErrorSymbolNotFound;
      if (base != nullptr) *base = found->address;
      if (bytes != nullptr) *bytes = found->size_bytes;
      return cudaSuccess;
    });
  });
}

extern "C" CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  if (attribute == CU_POINTER_ATTRIBUTE_CONTEXT) {
    return value != nullptr ? cuCtxGetCurrent(static_cast<CUcontext*>(value)) : CUDA_ERROR_INVALID_VALUE;
  }
  return driver_call("cuPointerGetAttribute", Needs::context, [&] {
    return enter("cuPointerGetAttribute", Access::context,
                 [&](Runtime& runtime) { return pointer_attribute(runtime, value, attribute, address); });
  });
}

/// An attribute that the memory has not is 0.
extern "C" CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                           CUdeviceptr address) {
  if (count == 0 || attributes == nullptr || values == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    const CUresult error = cuPointerGetAttribute(values[i], attributes[i], address);
    if (error == CUDA_ERROR_NOT_SUPPORTED || error == CUDA_ERROR_NOT_INITIALIZED) return error;
  }
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes) {
  return driver_call("cuMemcpy", Needs::context, [&] {
    return copy_plain("cuMemcpy", pointer_of(destination), pointer_of(source), bytes, cudaMemcpyDefault, kAndWait);
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpy_ptds, cuMemcpy);

extern "C" CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyAsync", Needs::context, [&] {
    return copy_plain("cuMemcpyAsync", pointer_of(destination), pointer_of(source), bytes, cudaMemcpyDefault, {stream});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpyAsync_ptsz, cuMemcpyAsync);

extern "C" CUresult cuMemcpyHtoD(CUdeviceptr destination, const void* source, std::size_t bytes) {
  return driver_call("cuMemcpyHtoD", Needs::context, [&] {
    return copy_plain("cuMemcpyHtoD", pointer_of(destination), source, bytes, cudaMemcpyHostToDevice, kAndWait);
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpyHtoD_v2_ptds, cuMemcpyHtoD);

extern "C" CUresult cuMemcpyHtoDAsync(CUdeviceptr destination, const void* source, std::size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyHtoDAsync", Needs::context, [&] {
    return copy_plain("cuMemcpyHtoDAsync", pointer_of(destination), source, bytes, cudaMemcpyHostToDevice, {stream});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync);

extern "C" CUresult cuMemcpyDtoH(void* destination, CUdeviceptr source, std::size_t bytes) {
  return driver_call("cuMemcpyDtoH", Needs::context, [&] {
    return copy_plain("cuMemcpyDtoH", destination, pointer_of(source), bytes, cudaMemcpyDeviceToHost, kAndWait);
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpyDtoH_v2_ptds, cuMemcpyDtoH);

extern "C" CUresult cuMemcpyDtoHAsync(void* destination, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyDtoHAsync", Needs::context, [&] {
    return copy_plain("cuMemcpyDtoHAsync", destination, pointer_of(source), bytes, cudaMemcpyDeviceToHost, {stream});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync);

extern "C" CUresult cuMemcpyDtoD(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes) {
  return driver_call("cuMemcpyDtoD", Needs::context, [&] {
    return copy_plain("cuMemcpyDtoD", pointer_of(destination), pointer_of(source), bytes, cudaMemcpyDeviceToDevice,
                      kAndWait);
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpyDtoD_v2_ptds, cuMemcpyDtoD);

extern "C" CUresult cuMemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyDtoDAsync", Needs::context, [&] {
    return copy_plain("cuMemcpyDtoDAsync", pointer_of(destination), pointer_of(source), bytes, cudaMemcpyDeviceToDevice,
                      {stream});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync);

extern "C" CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copied) {
  return driver_call("cuMemcpy2D", Needs::context, [&] { return copy_2d("cuMemcpy2D", copied, kAndWait); });
}
CUDASIM_DRIVER_ALIAS(cuMemcpy2D_v2_ptds, cuMemcpy2D);

extern "C" CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copied) {
  return driver_call("cuMemcpy2DUnaligned", Needs::context,
                     [&] { return copy_2d("cuMemcpy2DUnaligned", copied, kAndWait); });
}
CUDASIM_DRIVER_ALIAS(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2DUnaligned);

extern "C" CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copied, CUstream stream) {
  return driver_call("cuMemcpy2DAsync", Needs::context, [&] { return copy_2d("cuMemcpy2DAsync", copied, {stream}); });
}
CUDASIM_DRIVER_ALIAS(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync);

extern "C" CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copied) {
  return driver_call("cuMemcpy3D", Needs::context, [&] { return copy_3d("cuMemcpy3D", copied, kAndWait); });
}
CUDASIM_DRIVER_ALIAS(cuMemcpy3D_v2_ptds, cuMemcpy3D);

extern "C" CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copied, CUstream stream) {
  return driver_call("cuMemcpy3DAsync", Needs::context, [&] { return copy_3d("cuMemcpy3DAsync", copied, {stream}); });
}
CUDASIM_DRIVER_ALIAS(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync);

extern "C" CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, std::size_t count) {
  return driver_call("cuMemsetD8", Needs::context, [&] {
    return fill_rows("cuMemsetD8", address, 0, {value, 1}, count, 1, {});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD8_v2_ptds, cuMemsetD8);
extern "C" CUresult cuMemsetD16(CUdeviceptr address, unsigned short value, std::size_t count) {
  return driver_call("cuMemsetD16", Needs::context, [&] {
    return fill_rows("cuMemsetD16", address, 0, {value, 2}, count, 1, {});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD16_v2_ptds, cuMemsetD16);
extern "C" CUresult cuMemsetD32(CUdeviceptr address, unsigned value, std::size_t count) {
  return driver_call("cuMemsetD32", Needs::context, [&] {
    return fill_rows("cuMemsetD32", address, 0, {value, 4}, count, 1, {});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD32_v2_ptds, cuMemsetD32);
extern "C" CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t count, CUstream stream) {
  return driver_call("cuMemsetD8Async", Needs::context, [&] {
    return fill_rows("cuMemsetD8Async", address, 0, {value, 1}, count, 1, {stream});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD8Async_ptsz, cuMemsetD8Async);
extern "C" CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, std::size_t count, CUstream stream) {
  return driver_call("cuMemsetD16Async", Needs::context, [&] {
    return fill_rows("cuMemsetD16Async", address, 0, {value, 2}, count, 1, {stream});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD16Async_ptsz, cuMemsetD16Async);
extern "C" CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, std::size_t count, CUstream stream) {
  return driver_call("cuMemsetD32Async", Needs::context, [&] {
    return fill_rows("cuMemsetD32Async", address, 0, {value, 4}, count, 1, {stream});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD32Async_ptsz, cuMemsetD32Async);
extern "C" CUresult cuMemsetD2D8(CUdeviceptr address, std::size_t pitch, unsigned char value, std::size_t width,
                                 std::size_t height) {
  return driver_call("cuMemsetD2D8", Needs::context, [&] {
    return fill_rows("cuMemsetD2D8", address, pitch, {value, 1}, width, height, {});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD2D8_v2_ptds, cuMemsetD2D8);
extern "C" CUresult cuMemsetD2D16(CUdeviceptr address, std::size_t pitch, unsigned short value, std::size_t width,
                                  std::size_t height) {
  return driver_call("cuMemsetD2D16", Needs::context, [&] {
    return fill_rows("cuMemsetD2D16", address, pitch, {value, 2}, width, height, {});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD2D16_v2_ptds, cuMemsetD2D16);
extern "C" CUresult cuMemsetD2D32(CUdeviceptr address, std::size_t pitch, unsigned value, std::size_t width,
                                  std::size_t height) {
  return driver_call("cuMemsetD2D32", Needs::context, [&] {
    return fill_rows("cuMemsetD2D32", address, pitch, {value, 4}, width, height, {});
  });
}
CUDASIM_DRIVER_ALIAS(cuMemsetD2D32_v2_ptds, cuMemsetD2D32);
