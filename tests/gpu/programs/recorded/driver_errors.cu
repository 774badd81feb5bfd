// SPDX-License-Identifier: MIT
// What the calls of the driver API return, above all where they are used wrongly.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "driver_contexts.h"
#include "recorded.h"

namespace {

void modules() {
  begin();
  CUmodule loaded = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr pointer = 0;
  std::size_t bytes = 0;
  SHOW(cuModuleLoadData(nullptr, ptx));
  SHOW(cuModuleLoadData(&loaded, nullptr));
  SHOW(cuModuleLoadData(&loaded, "this is no PTX"));
  SHOW(cuModuleLoadData(&loaded, ".version 7.0\n.target sm_75\n.address_size 64\nnonsense\n"));
  SHOW(cuModuleLoadData(&loaded, ""));
  char log[2000] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  SHOW(cuModuleLoadDataEx(&loaded, ".version 7.0\n.target sm_75\n.address_size 64\nnonsense\n", 2, options, values));
  VALUE(std::strlen(log) > 0);
  SHOW(cuModuleLoadDataEx(&loaded, ptx, 2, options, values));
  SHOW(cuModuleLoadDataEx(&loaded, ptx, 0, nullptr, nullptr));
  SHOW(cuModuleLoadDataEx(&loaded, ptx, 1, nullptr, nullptr));
  SHOW(cuModuleLoad(&loaded, "/there/is/no/such/file.ptx"));
  SHOW(cuModuleLoad(&loaded, nullptr));
  SHOW(cuModuleLoadFatBinary(&loaded, nullptr));
  SHOW(cuModuleLoadData(&loaded, ptx));
  SHOW(cuModuleGetFunction(&function, loaded, "scale"));
  VALUE(function != scale);
  SHOW(cuModuleGetFunction(&function, loaded, "scales"));
  SHOW(cuModuleGetFunction(&function, loaded, nullptr));
  SHOW(cuModuleGetFunction(nullptr, loaded, "scale"));
  SHOW(cuModuleGetFunction(&function, nullptr, "scale"));
  SHOW(cuModuleGetFunction(&function, loaded, "variable"));
  SHOW(cuModuleGetGlobal(&pointer, &bytes, loaded, "variable"));
  VALUE(bytes);
  SHOW(cuModuleGetGlobal(&pointer, &bytes, loaded, "factor"));
  VALUE(bytes);
  SHOW(cuModuleGetGlobal(nullptr, &bytes, loaded, "factor"));
  SHOW(cuModuleGetGlobal(&pointer, nullptr, loaded, "factor"));
  SHOW(cuModuleGetGlobal(nullptr, nullptr, loaded, "factor"));
  SHOW(cuModuleGetGlobal(&pointer, &bytes, loaded, "scale"));
  SHOW(cuModuleGetGlobal(&pointer, &bytes, loaded, nullptr));
  SHOW(cuModuleGetGlobal(&pointer, &bytes, nullptr, "factor"));
  SHOW(cuModuleUnload(loaded));
  SHOW(cuModuleUnload(nullptr));
  CUmoduleLoadingMode mode{};
  SHOW(cuModuleGetLoadingMode(&mode));
}

void launches() {
  begin();
  int host[4] = {1, 2, 3, 4};
  unsigned count = 4;
  void* arguments[] = {&memory, &count};
  struct {
    CUdeviceptr data;
    unsigned count;
  } buffer{memory, 4};
  std::size_t size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  SHOW(cuMemcpyHtoD(memory, host, sizeof host));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  SHOW(cuMemcpyDtoH(host, memory, sizeof host));
  VALUE(host[3]);
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, extra));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  size = 4;
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  size = 40;
  SHOW(cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 0, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 0, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 1025, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 70000, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 1 << 20, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 60000, nullptr, arguments, nullptr));
  SHOW(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 60000, nullptr, arguments, nullptr));
  SHOW(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
  SHOW(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
  SHOW(cuFuncSetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 10));
  int value = -1;
  for (const CUfunction_attribute attribute :
       {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, CU_FUNC_ATTRIBUTE_PTX_VERSION, CU_FUNC_ATTRIBUTE_BINARY_VERSION,
        CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT}) {
    SHOW(cuFuncGetAttribute(&value, attribute, scale));
    std::printf("attribute %d: %d\n", attribute, value);
  }
  SHOW(cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(99), scale));
  SHOW(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
  SHOW(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, nullptr));
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 256, 0));
  VALUE(value);
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 0, 0));
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 2000, 0));
  int grid = -1, block = -1;
  SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 0));
  VALUE(grid);
  VALUE(block);
  SHOW(cuFuncSetCacheConfig(scale, CU_FUNC_CACHE_PREFER_L1));
  CUmodule of = nullptr;
  SHOW(cuFuncGetModule(&of, scale));
  VALUE(of == module);
  const char* name = nullptr;
  SHOW(cuFuncGetName(&name, scale));
  std::printf("%s\n", name != nullptr ? name : "none");
  std::size_t offset = 99, parameter = 99;
  SHOW(cuFuncGetParamInfo(scale, 1, &offset, &parameter));
  VALUE(offset * 100 + parameter);
  SHOW(cuFuncGetParamInfo(scale, 2, &offset, &parameter));
  SHOW(cuCtxSynchronize());
}

void memory_calls() {
  begin();
  static char host[512];
  CUdeviceptr pointer = 0, base = 0;
  std::size_t bytes = 0, total = 0;
  SHOW(cuMemAlloc(&pointer, 0));
  SHOW(cuMemAlloc(nullptr, 16));
  SHOW(cuMemAlloc(&pointer, std::size_t{1} << 50));
  SHOW(cuMemAlloc(&pointer, 256));
  SHOW(cuMemGetAddressRange(&base, &bytes, pointer + 100));
  VALUE(base == pointer);
  VALUE(bytes);
  SHOW(cuMemGetAddressRange(nullptr, nullptr, pointer));
  SHOW(cuMemGetAddressRange(&base, &bytes, 16));
  SHOW(cuMemGetInfo(&bytes, &total));
  SHOW(cuMemGetInfo(nullptr, &total));
  SHOW(cuMemsetD8(pointer, 1, 256));
  SHOW(cuMemsetD16(pointer, 2, 128));
  SHOW(cuMemsetD32(pointer, 3, 64));
  SHOW(cuMemsetD32(pointer + 1, 3, 1));
  SHOW(cuMemsetD16(pointer + 1, 3, 1));
  SHOW(cuMemsetD8(pointer, 3, 0));
  SHOW(cuMemsetD8(0, 3, 4));
  SHOW(cuMemsetD2D32(pointer, 64, 5, 4, 4));
  SHOW(cuMemsetD2D32(pointer, 8, 5, 4, 4));
  SHOW(cuMemsetD2D32(pointer, 64, 5, 4, 400));
  SHOW(cuMemcpyDtoH(host, pointer, 256));
  VALUE(host[0] * 100 + host[16]);
  SHOW(cuMemcpyDtoH(host, pointer, 257));
  SHOW(cuMemcpyDtoH(nullptr, pointer, 4));
  SHOW(cuMemcpyDtoH(host, pointer, 0));
  SHOW(cuMemcpyHtoD(pointer, host, 257));
  SHOW(cuMemcpyHtoD(0, host, 4));
  SHOW(cuMemcpyDtoD(pointer, memory, 256));
  SHOW(cuMemcpyDtoD(pointer, memory, 300));
  SHOW(cuMemcpy(pointer, reinterpret_cast<CUdeviceptr>(host), 16));
  SHOW(cuMemcpyHtoDAsync(pointer, host, 16, nullptr));
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = 16;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = pointer;
  copy.dstPitch = 32;
  copy.WidthInBytes = 16;
  copy.Height = 4;
  SHOW(cuMemcpy2D(&copy));
  copy.dstPitch = 8;
  SHOW(cuMemcpy2D(&copy));
  copy.dstPitch = 32;
  copy.Height = 100;
  SHOW(cuMemcpy2D(&copy));
  copy.Height = 0;
  SHOW(cuMemcpy2D(&copy));
  SHOW(cuMemcpy2D(nullptr));
  copy.Height = 1;
  copy.srcMemoryType = static_cast<CUmemorytype>(9);
  SHOW(cuMemcpy2D(&copy));
  SHOW(cuMemFree(pointer + 16));
  SHOW(cuMemFree(pointer));
  SHOW(cuMemFree(pointer));
  SHOW(cuMemFree(0));
  SHOW(cuMemFree(16));
  std::size_t pitch = 0;
  SHOW(cuMemAllocPitch(&pointer, &pitch, 100, 4, 4));
  VALUE(pitch);
  SHOW(cuMemAllocPitch(&pointer, &pitch, 100, 4, 3));
  SHOW(cuMemAllocPitch(&pointer, &pitch, 0, 4, 4));
  void* pinned = nullptr;
  SHOW(cuMemHostAlloc(&pinned, 256, CU_MEMHOSTALLOC_DEVICEMAP));
  SHOW(cuMemHostGetDevicePointer(&pointer, pinned, 0));
  VALUE(pointer == reinterpret_cast<CUdeviceptr>(pinned));
  SHOW(cuMemHostGetDevicePointer(&pointer, host, 0));
  unsigned flags = 0;
  SHOW(cuMemHostGetFlags(&flags, pinned));
  VALUE(flags);
  SHOW(cuMemFreeHost(pinned));
  SHOW(cuMemFreeHost(host));
  SHOW(cuMemAllocHost(&pinned, 16));
  SHOW(cuMemAllocHost(&pinned, 0));
  SHOW(cuMemAllocManaged(&pointer, 64, CU_MEM_ATTACH_GLOBAL));
  SHOW(cuMemAllocManaged(&base, 64, 9));
  unsigned type = 0;
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  VALUE(type);
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(pinned)));
  VALUE(type);
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(host)));
  bool managed = false;
  SHOW(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer));
  VALUE(managed);
  SHOW(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer));
}

void streams_and_events() {
  begin();
  CUstream stream = nullptr;
  CUevent event = nullptr, other = nullptr;
  unsigned flags = 0;
  int priority = 9;
  float ms = 0;
  CUcontext of = nullptr;
  SHOW(cuStreamCreate(nullptr, 0));
  SHOW(cuStreamCreate(&stream, 77));
  SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SHOW(cuStreamGetFlags(stream, &flags));
  VALUE(flags);
  SHOW(cuStreamGetPriority(stream, &priority));
  VALUE(priority);
  SHOW(cuStreamGetCtx(stream, &of));
  VALUE(of == context);
  SHOW(cuStreamQuery(stream));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuEventCreate(&event, CU_EVENT_DEFAULT));
  SHOW(cuEventCreate(&other, 99));
  SHOW(cuEventCreate(&other, CU_EVENT_DISABLE_TIMING));
  SHOW(cuEventCreate(nullptr, 0));
  SHOW(cuEventQuery(event));
  SHOW(cuEventElapsedTime(&ms, event, event));
  SHOW(cuEventRecord(event, stream));
  SHOW(cuEventRecord(nullptr, stream));
  SHOW(cuEventRecord(other, stream));
  SHOW(cuEventSynchronize(event));
  SHOW(cuEventElapsedTime(&ms, event, event));
  SHOW(cuEventElapsedTime(nullptr, event, event));
  SHOW(cuEventElapsedTime(&ms, event, other));
  SHOW(cuStreamWaitEvent(stream, event, 0));
  SHOW(cuStreamWaitEvent(stream, nullptr, 0));
  SHOW(cuLaunchHostFunc(
      stream, [](void*) {}, nullptr));
  SHOW(cuLaunchHostFunc(stream, nullptr, nullptr));
  SHOW(cuEventDestroy(event));
  SHOW(cuEventDestroy(nullptr));
  SHOW(cuStreamDestroy(stream));
  SHOW(cuStreamDestroy(nullptr));
}

void with_the_runtime() {
  int* data = nullptr;
  cuInit(0);
  CUcontext current = nullptr, primary = nullptr;
  unsigned flags = 0;
  int active = -1, host = 0;
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == nullptr);
  SHOW(cudaMalloc(&data, 64));
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current != nullptr);
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  VALUE(active);
  SHOW(cuDevicePrimaryCtxRetain(&primary, 0));
  VALUE(primary == current);
  SHOW(cuMemsetD32(reinterpret_cast<CUdeviceptr>(data), 41, 16));
  runtime_kernel<<<1, 1>>>(data);
  SHOW(cuMemcpyDtoH(&host, reinterpret_cast<CUdeviceptr>(data), 4));
  VALUE(host);
  CUfunction function = nullptr;
  SHOW(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(runtime_kernel)));
  void* arguments[] = {&data};
  SHOW(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost));
  VALUE(host);
  CUdeviceptr pointer = 0;
  SHOW(cuMemAlloc(&pointer, 16));
  SHOW(cudaMemset(reinterpret_cast<void*>(pointer), 0, 16));
  SHOW(cudaFree(reinterpret_cast<void*>(pointer)));
  SHOW(cuMemFree(reinterpret_cast<CUdeviceptr>(data)));
  SHOW(cuMemAlloc(&pointer, 0));
  SHOW(cudaGetLastError());  // the driver's errors are not the runtime's
  CUstream stream = nullptr;
  SHOW(cuStreamCreate(&stream, 0));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaStreamDestroy(stream));
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  VALUE(active);
}

void a_fault() {
  begin();
  CUfunction fault = nullptr;
  CUdeviceptr pointer = 0;
  cuModuleGetFunction(&fault, module, "fault");
  SHOW(cuLaunchKernel(fault, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  SHOW(cuCtxSynchronize());
  SHOW(cuCtxSynchronize());
  SHOW(cuMemAlloc(&pointer, 16));
  SHOW(cuMemcpyHtoD(memory, &pointer, 8));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaGetLastError());
}

void entry_points() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  SHOW(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault, &result));
  VALUE(result);
  VALUE(function != nullptr);
  SHOW(cudaGetDriverEntryPointByVersion("cuThereIsNone", &function, 12000, cudaEnableDefault, &result));
  VALUE(result);
  VALUE(function != nullptr);
  SHOW(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 1000, cudaEnableDefault, &result));
  VALUE(result);
  SHOW(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, 77, &result));
#endif
  cuInit(0);
  CUdriverProcAddressQueryResult status{};
  SHOW(cuGetProcAddress("cuMemAlloc", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  VALUE(status);
  VALUE(function != nullptr);
  SHOW(cuGetProcAddress("cuThereIsNone", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  VALUE(status);
  VALUE(function != nullptr);
  SHOW(cuGetProcAddress("cuMemAlloc_v2", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  VALUE(status);
}

const Case cases[] = {{"before-init", before_init},
                      {"devices", devices},
                      {"without-a-context", without_a_context},
                      {"contexts", contexts},
                      {"current-of-threads", current_of_threads},
                      {"modules", modules},
                      {"launches", launches},
                      {"memory-calls", memory_calls},
                      {"streams-and-events", streams_and_events},
                      {"with-the-runtime", with_the_runtime},
                      {"a-fault", a_fault},
                      {"entry-points", entry_points}};

}  // namespace

int main(int argc, char** argv) { return run_case(cases, argc, argv); }
