// SPDX-License-Identifier: MIT
// Calls of the driver API.
#include <cuda.h>

#include <string>

#include "runtime_state.h"

namespace runtime_calls {

namespace {

template <class... Parameters>
void call(CUresult (*function)(Parameters...), const std::tuple<std::common_type_t<Parameters>...>& arguments) {
  std::apply(function, arguments);
}

CUdeviceptr address(State& s) { return reinterpret_cast<CUdeviceptr>(s.device()); }

void contexts(State& s) {
  CUcontext const context = s.handle(s.contexts);
  CUcontext* const result = s.perhaps(&s.slot(s.contexts));
  unsigned flags = 0;
  int active = 0;
  std::size_t value = 0;
  switch (s.bytes.byte() % 14) {
    case 0:
      call(cuInit, {s.bytes.byte() % 8 == 7 ? 1u : 0u});
      break;
    case 1:
      call(cuDevicePrimaryCtxRetain, {result, s.bytes.byte() % 8 == 7 ? 1 : 0});
      break;
    case 2:
      call(cuDevicePrimaryCtxRelease, {0});
      s.forget();  // which may have ended all: pointers to the host's memory must be good
      break;
    case 3:
      call(cuDevicePrimaryCtxGetState, {0, s.perhaps(&flags), s.perhaps(&active)});
      break;
    case 4:
#if CUDA_VERSION >= 13000
      call(cuCtxCreate, {result, nullptr, s.bytes.byte() % 64, s.bytes.byte() % 8 == 7 ? 1 : 0});
#endif
      break;
    case 5:
      call(cuCtxDestroy, {context});
      s.forget();
      break;
    case 6:
      call(cuCtxPushCurrent, {context});
      break;
    case 7:
      call(cuCtxPopCurrent, {result});
      break;
    case 8:
      call(cuCtxSetCurrent, {context});
      break;
    case 9:
      call(cuCtxGetCurrent, {result});
      break;
    case 10:
      call(cuCtxSynchronize, {});
      break;
    case 11:
      call(cuCtxGetFlags, {s.perhaps(&flags)});
      break;
    case 12:
      call(cuCtxGetLimit, {s.perhaps(&value), static_cast<CUlimit>(s.bytes.byte() % 12)});
      break;
    case 13:
      call(cuDevicePrimaryCtxReset, {0});
      s.forget();
      break;
  }
}

void modules(State& s) {
  CUmodule const module = s.handle(s.modules);
  CUfunction const function = s.handle(s.functions);
  CUdeviceptr pointer = 0;
  std::size_t bytes = 0;
  char log[64];
  int value = 0, other = 0;
  switch (s.bytes.byte() % 9) {
    case 0:
    case 1: {
      const std::string text = std::string(runtime_kernels::ptx).substr(0, s.bytes.flip() ? ~0ull : s.bytes.word());
      CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
      void* values[] = {log, reinterpret_cast<void*>(s.bytes.byte() % (sizeof log + 1))};
      call(cuModuleLoadDataEx, {s.perhaps(&s.slot(s.modules)), s.perhaps(text.c_str()), s.bytes.flip() ? 2u : 0u,
                                s.perhaps(options), s.perhaps(values)});
      break;
    }
    case 2:
      call(cuModuleUnload, {module});
      break;
    case 3:
    case 4:
      call(cuModuleGetFunction, {s.perhaps(&s.slot(s.functions)), module,
                                 s.perhaps(runtime_kernels::names[s.bytes.byte() % runtime_kernels::count])});
      break;
    case 5:
      call(cuModuleGetGlobal, {s.perhaps(&pointer), s.perhaps(&bytes), module, s.perhaps("variable")});
      break;
    case 6:
      call(cuFuncGetAttribute, {s.perhaps(&value), static_cast<CUfunction_attribute>(s.bytes.byte() % 18), function});
      break;
    case 7:
      call(cuFuncSetAttribute, {function, static_cast<CUfunction_attribute>(s.bytes.byte() % 18), s.bytes.number()});
      break;
    case 8:
      call(cuOccupancyMaxPotentialBlockSize,
           {s.perhaps(&value), s.perhaps(&other), function, nullptr, s.bytes.size(), s.bytes.number()});
      break;
  }
}

void launch_function(State& s) {
  CUfunction const function = s.handle(s.functions);
  const dim3 grid = s.extent(true), block = s.extent(false);
  const unsigned shared_bytes = s.bytes.flip() ? 0 : s.bytes.word();
  Arguments arguments(s);
  struct {
    char* pointer;
    unsigned number;
  } buffer{arguments.pointer, arguments.number};
  std::size_t size = s.bytes.byte() % 17;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, s.perhaps(&size),
                   CU_LAUNCH_PARAM_END};
  const bool has_extra = s.bytes.byte() % 4 == 3;
  call(cuLaunchKernel, {function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, s.stream(),
                        s.bytes.byte() % 8 == 7 ? nullptr : arguments.addresses, has_extra ? extra : nullptr});
}

void memory(State& s) {
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  std::uint64_t value[2] = {};
  switch (s.bytes.byte() % 12) {
    case 0:
    case 1:
      call(cuMemAlloc, {s.perhaps(reinterpret_cast<CUdeviceptr*>(&s.slot(s.memory))), s.bytes.size()});
      break;
    case 2:
      call(cuMemFree, {address(s)});
      break;
    case 3:
      call(cuMemcpyHtoD, {address(s), host_memory[0], s.bytes.word()});
      break;
    case 4:
      call(cuMemcpyDtoHAsync, {host_memory[1], address(s), s.bytes.word(), s.stream()});
      break;
    case 5:
      call(cuMemcpyDtoD, {address(s), address(s), s.bytes.size()});
      break;
    case 6:
      call(cuMemsetD16, {address(s), 7, s.bytes.size()});
      break;
    case 7:
      call(cuMemsetD32Async, {address(s), 7, s.bytes.size(), s.stream()});
      break;
    case 8:
      call(cuMemsetD2D32, {address(s), s.bytes.size(), 7, s.bytes.size(), s.bytes.size()});
      break;
    case 9: {
      CUDA_MEMCPY3D copied{};
      copied.srcMemoryType = copied.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      if (s.bytes.byte() % 8 == 7) copied.srcMemoryType = static_cast<CUmemorytype>(s.bytes.byte() % 6);
      // The host's end would have to be good.
      if (copied.srcMemoryType == CU_MEMORYTYPE_HOST) copied.srcMemoryType = CU_MEMORYTYPE_ARRAY;
      copied.srcDevice = address(s);
      copied.dstDevice = address(s);
      copied.srcPitch = s.bytes.size();
      copied.dstPitch = s.bytes.size();
      copied.srcHeight = s.bytes.size();
      copied.dstHeight = s.bytes.size();
      copied.srcXInBytes = s.bytes.size();
      copied.dstY = s.bytes.size();
      copied.dstZ = s.bytes.size();
      copied.WidthInBytes = s.bytes.size();
      copied.Height = s.bytes.size();
      copied.Depth = s.bytes.size();
      if (copied.srcMemoryType != CU_MEMORYTYPE_UNIFIED) call(cuMemcpy3DAsync, {s.perhaps(&copied), s.stream()});
      break;
    }
    case 10:
      call(cuMemGetAddressRange, {s.perhaps(&base), s.perhaps(&bytes), address(s)});
      break;
    case 11:
      call(cuPointerGetAttribute,
           {s.perhaps(value), static_cast<CUpointer_attribute>(s.bytes.byte() % 24), address(s)});
      break;
  }
}

}  // namespace

void driver(State& s) {
  switch (s.bytes.byte() % 8) {
    case 0:
    case 1:
      contexts(s);
      break;
    case 2:
    case 3:
      modules(s);
      break;
    case 4:
    case 5:
      launch_function(s);
      break;
    case 6:
    case 7:
      memory(s);
      break;
  }
}

}  // namespace runtime_calls
