// SPDX-License-Identifier: MIT
// Calls that allocate, copy, fill and ask about memory, CUDA arrays and textures.
#include "runtime_state.h"

namespace runtime_calls {

void copy(State& s) {
  const cudaMemcpyKind kind = s.kind();
  const cudaStream_t stream = s.stream();
  switch (s.bytes.byte() % 8) {
    case 0:
      call(cudaMemcpy, {s.device(), s.device(), s.bytes.size(), kind});
      break;
    case 1:
      call(cudaMemcpyAsync, {s.device(), s.perhaps(host_memory[0]), s.bytes.word(), kind, stream});
      break;
    case 2:
      call(cudaMemcpyAsync, {s.perhaps(host_memory[0]), s.device(), s.bytes.word(), kind, stream});
      break;
    case 3: {
      const std::size_t pitch = s.bytes.byte(), width = s.bytes.byte();
      call(cudaMemcpy2DAsync, {s.device(), s.bytes.size(), host_memory[0], pitch, width, s.bytes.byte(), kind, stream});
      break;
    }
    case 4:
      call(cudaMemcpy2D,
           {s.device(), s.bytes.size(), s.device(), s.bytes.size(), s.bytes.size(), s.bytes.size(), kind});
      break;
    case 5: {
      cudaMemcpy3DParms p{};
      p.srcPtr = {s.device(), s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.dstPtr = {s.device(), s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.srcPos = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.dstPos = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.extent = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.kind = cudaMemcpyDeviceToDevice;
      call(cudaMemcpy3DAsync, {s.perhaps(&p), stream});
      break;
    }
    case 6: {
      const void* symbol = s.perhaps(&runtime_kernels::symbol);
      // A copy of more bytes than the host has is of more than the symbol has, too.
      call(cudaMemcpyToSymbolAsync, {symbol, host_memory[0], s.bytes.size(), s.bytes.size(), kind, stream});
      call(cudaMemcpyFromSymbol, {host_memory[1], symbol, s.bytes.size(), s.bytes.size(), kind});
      break;
    }
    case 7:
      call(cudaMemcpy, {host_memory[0], host_memory[1], s.bytes.word(), kind});
      break;
  }
}

void fill(State& s) {
  char* const at = s.device();
  const int value = s.bytes.number();
  const cudaStream_t stream = s.stream();
  switch (s.bytes.byte() % 4) {
    case 0:
      call(cudaMemset, {at, value, s.bytes.size()});
      break;
    case 1:
      call(cudaMemsetAsync, {at, value, s.bytes.size(), stream});
      break;
    case 2:
      call(cudaMemset2DAsync, {at, s.bytes.size(), value, s.bytes.size(), s.bytes.size(), stream});
      break;
    case 3:
      call(cudaMemset3D, {{at, s.bytes.size(), s.bytes.size(), s.bytes.size()},
                          value,
                          {s.bytes.size(), s.bytes.size(), s.bytes.size()}});
      break;
  }
}

void allocate(State& s) {
  void** const pointer = s.perhaps(&s.slot(s.memory));
  std::size_t pitch = 0;
  // What the host shares is taken from the host's memory, which must last.
  const std::size_t shared_bytes = s.bytes.flip() ? s.bytes.word() : s.bytes.size() | 1ull << 40;
  switch (s.bytes.byte() % 6) {
    case 0:
      call(cudaMalloc, {pointer, s.bytes.size()});
      break;
    case 1:
      call(cudaMallocAsync, {pointer, s.bytes.size(), s.stream()});
      break;
    case 2:
      call(cudaMallocManaged, {pointer, shared_bytes, s.bytes.byte() % 5});
      break;
    case 3:
      call(cudaHostAlloc, {pointer, shared_bytes, s.bytes.byte() % 16});
      break;
    case 4:
      call(cudaMallocPitch, {pointer, s.perhaps(&pitch), s.bytes.size(), s.bytes.size()});
      break;
    case 5: {
      cudaPitchedPtr result{};
      call(cudaMalloc3D, {s.perhaps(&result), {s.bytes.size(), s.bytes.size(), s.bytes.size()}});
      s.slot(s.memory) = result.ptr;
      break;
    }
  }
}

void release(State& s) {
  char* const pointer = s.device();
  switch (s.bytes.byte() % 5) {
    case 0:
      call(cudaFree, {pointer});
      break;
    case 1:
      call(cudaFreeAsync, {pointer, s.stream()});
      break;
    case 2:
      call(cudaFreeHost, {pointer});
      break;
    case 3:
      call(cudaHostRegister, {host_memory[0], s.bytes.word(), s.bytes.byte()});
      break;
    case 4:
      call(cudaHostUnregister, {s.perhaps(host_memory[0])});
      break;
  }
}

void pointers(State& s) {
  char* const pointer = s.device();
  cudaPointerAttributes attributes;
  void* result = nullptr;
  std::size_t bytes = 0;
  unsigned flags = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t value[8] = {};
  switch (s.bytes.byte() % 8) {
    case 0:
      call(cudaPointerGetAttributes, {s.perhaps(&attributes), pointer});
      break;
    case 1:
      call(cudaHostGetDevicePointer, {s.perhaps(&result), pointer, s.bytes.byte() % 2});
      break;
    case 2:
      call(cudaHostGetFlags, {s.perhaps(&flags), pointer});
      break;
    case 3:
      call(cudaGetSymbolAddress, {s.perhaps(&result), s.perhaps(&runtime_kernels::symbol)});
      break;
    case 4:
      call(cudaGetSymbolSize, {s.perhaps(&bytes), s.perhaps(&runtime_kernels::symbol)});
      break;
    case 5:
#if CUDART_VERSION >= 13000
      call(cudaMemPrefetchAsync, {pointer, s.bytes.size(), {}, 0, s.stream()});
#endif
      break;
    case 6:
      call(cudaDeviceGetDefaultMemPool, {&pool, 0});
      call(cudaMemPoolSetAttribute,
           {s.perhaps(pool), static_cast<cudaMemPoolAttr>(s.bytes.byte() % 12), s.perhaps(value)});
      call(cudaMemPoolGetAttribute,
           {s.perhaps(pool), static_cast<cudaMemPoolAttr>(s.bytes.byte() % 12), s.perhaps(value)});
      break;
    case 7:
      call(cudaMallocFromPoolAsync, {&s.slot(s.memory), s.bytes.word(), s.perhaps(pool), s.stream()});
      break;
  }
}

void arrays(State& s) {
  const cudaArray_t array = s.handle(s.arrays);
  const int bits = s.bytes.byte() % 2 == 0 ? 32 : s.bytes.number();
  cudaChannelFormatDesc format{bits, s.bytes.flip() ? bits : 0, 0, 0,
                               static_cast<cudaChannelFormatKind>(s.bytes.byte() % 4)};
  cudaExtent extent{s.bytes.byte(), s.bytes.byte(), s.bytes.byte()};
  if (s.bytes.byte() % 8 == 0) extent.width = s.bytes.size();
  switch (s.bytes.byte() % 6) {
    case 0:
      call(cudaMalloc3DArray, {s.perhaps(&s.slot(s.arrays)), s.perhaps(&format), extent, s.bytes.byte() % 16});
      break;
    case 1:
      call(cudaFreeArray, {array});
      break;
    case 2:
      call(cudaArrayGetInfo, {s.perhaps(&format), s.perhaps(&extent), nullptr, array});
      break;
    case 3: {
      const std::size_t pitch = s.bytes.byte(), width = s.bytes.byte();
      call(cudaMemcpy2DToArray,
           {array, s.bytes.size(), s.bytes.size(), host_memory[0], pitch, width, s.bytes.byte(), s.kind()});
      break;
    }
    case 4:
      call(cudaMemcpy2DFromArray, {s.device(), s.bytes.size(), array, s.bytes.size(), s.bytes.size(), s.bytes.size(),
                                   s.bytes.size(), s.kind()});
      break;
    case 5: {
      cudaMemcpy3DParms p{};
      p.srcArray = array;
      p.srcPos = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.dstArray = s.bytes.flip() ? s.handle(s.arrays) : nullptr;
      p.dstPtr = {s.device(), s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.extent = {s.bytes.size(), s.bytes.size(), s.bytes.size()};
      p.kind = cudaMemcpyDefault;
      call(cudaMemcpy3D, {&p});
      break;
    }
  }
}

void textures(State& s) {
  cudaTextureObject_t& texture = s.slot(s.textures);
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  switch (s.bytes.byte() % 4) {
    case 0:
    case 1: {
      resource.resType = static_cast<cudaResourceType>(s.bytes.byte() % 4);
      const cudaChannelFormatDesc format{s.bytes.number(), 0, 0, 0, cudaChannelFormatKindSigned};
      if (resource.resType == cudaResourceTypeArray) {
        resource.res.array.array = s.handle(s.arrays);
      } else if (resource.resType == cudaResourceTypeLinear) {
        resource.res.linear = {s.device(), format, s.bytes.size()};
      } else {
        resource.res.pitch2D = {s.device(), format, s.bytes.size(), s.bytes.size(), s.bytes.size()};
      }
      description.addressMode[0] = static_cast<cudaTextureAddressMode>(s.bytes.byte() % 4);
      description.filterMode = static_cast<cudaTextureFilterMode>(s.bytes.byte() % 2);
      description.normalizedCoords = s.bytes.byte() % 2;
      call(cudaCreateTextureObject, {s.perhaps(&texture), s.perhaps(&resource), s.perhaps(&description), nullptr});
      break;
    }
    case 2:
      call(cudaDestroyTextureObject, {texture});
      break;
    case 3:
      call(cudaGetTextureObjectResourceDesc, {s.perhaps(&resource), texture});
      break;
  }
}

}  // namespace runtime_calls
