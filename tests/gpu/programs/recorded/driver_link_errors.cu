// SPDX-License-Identifier: MIT
// What the calls of the driver return that tools of Python make: contexts, linker, libraries, kernels, pools.
#include <cuda.h>

#include <cstring>

#include "driver_ptx.h"
#include "recorded.h"

namespace {

void contexts() {
  CUdevice device = -1;
  CUcontext context = nullptr;
  SHOW(cuCtxGetDevice(&device));
  cuInit(0);
  SHOW(cuCtxGetDevice(&device));
  SHOW(cuCtxDetach(nullptr));
  const Device begin;
  SHOW(cuCtxGetDevice(&device));
  SHOW(cuCtxGetDevice(nullptr));
  SHOW(cuCtxDetach(nullptr));
  SHOW(cuCtxAttach(&context, 0));
  VALUE(context == begin.context);
  CUcontext first = nullptr, second = nullptr;
#if CUDA_VERSION >= 13000
  SHOW(cuCtxCreate(&first, nullptr, 0, 0));
  SHOW(cuCtxCreate(&second, nullptr, 0, 0));
#else
  SHOW(cuCtxCreate(&first, 0, 0));
  SHOW(cuCtxCreate(&second, 0, 0));
#endif
  SHOW(cuCtxDetach(first));
  SHOW(cuCtxGetCurrent(&context));
  VALUE(context == second);
  SHOW(cuCtxDetach(second));
  SHOW(cuCtxGetCurrent(&context));
  VALUE(context == first);
  unsigned version = 0;
  SHOW(cuCtxGetApiVersion(first, &version));
  VALUE(version);
  unsigned flags = 77;
  SHOW(cuCtxGetFlags(&flags));
  VALUE(flags);
  SHOW(cuCtxGetFlags(nullptr));
  int least = -9, greatest = -9;
  SHOW(cuCtxGetStreamPriorityRange(&least, &greatest));
  VALUE(least);
  VALUE(greatest);
  SHOW(cuCtxGetStreamPriorityRange(nullptr, nullptr));
  std::size_t bytes = 0;
  SHOW(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
  VALUE(bytes);
  SHOW(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
  SHOW(cuCtxGetLimit(&bytes, static_cast<CUlimit>(99)));
}

void block_shapes() {
  const Device begin;
  SHOW(cuFuncSetBlockShape(nullptr, 32, 1, 1));
  SHOW(cuFuncSetBlockShape(begin.scale, 0, 1, 1));
  SHOW(cuFuncSetBlockShape(begin.scale, -1, 1, 1));
  SHOW(cuFuncSetBlockShape(begin.scale, 1025, 1, 1));
  SHOW(cuFuncSetBlockShape(begin.scale, 32, 1, 1));
  SHOW(cuCtxSynchronize());
}

void links() {
  const Device begin;
  CUlinkState state = nullptr;
  void* image = nullptr;
  std::size_t bytes = 0;
  const auto data = const_cast<char*>(kScale);
  SHOW(cuLinkCreate(0, nullptr, nullptr, nullptr));
  SHOW(cuLinkCreate(1, nullptr, nullptr, &state));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &state));
  SHOW(cuLinkAddData(state, CU_JIT_INPUT_PTX, nullptr, 4, "none", 0, nullptr, nullptr));
  SHOW(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/there/is/no/such/file.ptx", 0, nullptr, nullptr));
  SHOW(cuLinkAddFile(state, CU_JIT_INPUT_PTX, nullptr, 0, nullptr, nullptr));
  SHOW(cuLinkAddData(state, CU_JIT_INPUT_PTX, data, std::strlen(data) + 1, "scale", 0, nullptr, nullptr));
  SHOW(cuLinkComplete(state, nullptr, &bytes));
  SHOW(cuLinkComplete(state, &image, &bytes));
  VALUE(bytes > 0);
  SHOW(cuLinkDestroy(state));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &state));
  char nonsense[] = "this is no PTX";
  SHOW(cuLinkAddData(state, CU_JIT_INPUT_PTX, nonsense, sizeof nonsense, "none", 0, nullptr, nullptr));
  SHOW(cuLinkDestroy(state));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &state));
  SHOW(cuLinkComplete(state, &image, &bytes));
  SHOW(cuLinkDestroy(state));
  SHOW(cuLinkDestroy(nullptr));
  SHOW(cuLinkComplete(nullptr, &image, &bytes));
}

void libraries() {
  const Device begin;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr pointer = 0;
  std::size_t bytes = 0;
  const auto load = [](CUlibrary* into, const void* code) {
    return cuLibraryLoadData(into, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  SHOW(load(nullptr, kScale));
  SHOW(load(&library, nullptr));
  SHOW(cuLibraryLoadFromFile(&library, "/there/is/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(load(&library, kScale));
  SHOW(cuLibraryGetKernel(&kernel, library, "scales"));
  SHOW(cuLibraryGetKernel(&kernel, library, nullptr));
  SHOW(cuLibraryGetKernel(nullptr, library, "scale"));
  SHOW(cuLibraryGetKernel(&kernel, nullptr, "scale"));
  SHOW(cuLibraryGetKernel(&kernel, library, "scale"));
  SHOW(cuLibraryGetGlobal(&pointer, &bytes, library, "variable"));
  VALUE(bytes);
  SHOW(cuLibraryGetGlobal(&pointer, &bytes, library, "none"));
  SHOW(cuLibraryGetModule(&module, library));
  SHOW(cuLibraryGetModule(nullptr, library));
  SHOW(cuLibraryGetModule(&module, nullptr));
  SHOW(cuKernelGetFunction(&function, kernel));
  SHOW(cuKernelGetFunction(nullptr, kernel));
  SHOW(cuKernelGetFunction(&function, nullptr));
  int value = -1;
  SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  VALUE(value);
  SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 1));
  SHOW(cuKernelGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, nullptr, 0));
  SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000, kernel, 0));
  SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20, kernel, 0));
  SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 10, kernel, 0));
  SHOW(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
  SHOW(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 3));
  void* arguments[] = {nullptr, &value};
  CUdeviceptr memory = begin.memory;
  arguments[0] = &memory;
  SHOW(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuCtxSynchronize());
  unsigned count = 0;
#if CUDA_VERSION >= 12040
  const char* name = nullptr;
  SHOW(cuKernelGetName(&name, kernel));
  std::printf("%s\n", name);
  SHOW(cuKernelGetName(nullptr, kernel));
  std::size_t offset = 0, size = 0;
  SHOW(cuKernelGetParamInfo(kernel, 1, &offset, &size));
  VALUE(offset);
  VALUE(size);
  SHOW(cuKernelGetParamInfo(kernel, 2, &offset, &size));
  SHOW(cuFuncGetParamInfo(begin.scale, 0, &offset, nullptr));
  VALUE(offset);
  SHOW(cuLibraryGetKernelCount(&count, library));
  VALUE(count);
  SHOW(cuLibraryEnumerateKernels(&kernel, 1, library));
  SHOW(cuModuleGetFunctionCount(&count, begin.module));
  VALUE(count);
#endif
  SHOW(cuLibraryUnload(library));
  SHOW(cuLibraryUnload(nullptr));
}

void pools() {
  const Device begin;
  CUmemoryPool pool = nullptr, other = nullptr;
  SHOW(cuDeviceGetDefaultMemPool(&pool, 0));
  SHOW(cuDeviceGetDefaultMemPool(&other, 1));
  SHOW(cuDeviceGetDefaultMemPool(nullptr, 0));
  SHOW(cuDeviceGetMemPool(&other, 0));
  VALUE(pool == other);
  cuuint64_t value = 77;
  SHOW(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  VALUE(value);
  SHOW(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr));
  SHOW(cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(99), &value));
  SHOW(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  value = 0;
  SHOW(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
  SHOW(cuMemPoolDestroy(pool));
  CUmemPoolProps properties{};
  SHOW(cuMemPoolCreate(&other, &properties));
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = 5;
  SHOW(cuMemPoolCreate(&other, &properties));
  properties.location.id = 0;
  SHOW(cuMemPoolCreate(nullptr, &properties));
  SHOW(cuMemPoolCreate(&other, nullptr));
  SHOW(cuMemPoolCreate(&other, &properties));
  CUmemAccess_flags flags{};
  CUmemLocation location{};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  SHOW(cuMemPoolGetAccess(&flags, other, &location));
  VALUE(flags);
  CUmemAccessDesc access{location, CU_MEM_ACCESS_FLAGS_PROT_NONE};
  SHOW(cuMemPoolSetAccess(other, &access, 1));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  SHOW(cuMemPoolSetAccess(other, &access, 1));
  CUdeviceptr pointer = 0;
  SHOW(cuMemAllocFromPoolAsync(&pointer, 256, other, nullptr));
  SHOW(cuMemAllocFromPoolAsync(&pointer, 256, nullptr, nullptr));
  SHOW(cuMemPoolTrimTo(other, 0));
  SHOW(cuMemFreeAsync(pointer, nullptr));
  SHOW(cuDeviceSetMemPool(0, other));
  SHOW(cuDeviceSetMemPool(0, nullptr));
  SHOW(cuMemPoolDestroy(other));
  SHOW(cuDeviceGetMemPool(&other, 0));
  VALUE(pool == other);
}

const Case cases[] = {{"contexts", contexts},
                      {"block-shapes", block_shapes},
                      {"links", links},
                      {"libraries", libraries},
                      {"pools", pools}};

}  // namespace

int main(int argc, char** argv) { return run_case(cases, argc, argv); }
