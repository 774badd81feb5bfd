// SPDX-License-Identifier: MIT
// Cases of driver_errors.cu: devices and contexts, and what all its cases use.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <thread>

#include "recorded.h"

namespace {

const char* const ptx =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .b8 variable[16];\n.visible .const .align 4 .u32 factor = 3;\n"
    ".visible .entry scale(.param .u64 data, .param .u32 count) {\n"
    ".reg .pred %p; .reg .b32 %i, %n, %v, %f; .reg .b64 %a, %o;\n"
    "ld.param.u64 %a, [data]; ld.param.u32 %n, [count]; mov.u32 %i, %tid.x;\n"
    "setp.ge.u32 %p, %i, %n; @%p bra done;\n"
    "mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; ld.const.u32 %f, [factor];\n"
    "ld.global.u32 %v, [%a]; mul.lo.u32 %v, %v, %f; st.global.u32 [%a], %v;\ndone: ret;\n}\n"
    ".visible .entry fault() { .reg .b64 %a; mov.u64 %a, 16; st.global.u32 [%a], 1; ret; }\n";

__global__ void runtime_kernel(int* data) { *data += 1; }

CUcontext context;
CUmodule module;
CUfunction scale;
CUdeviceptr memory;

void begin() {
  cuInit(0);
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  cuModuleLoadData(&module, ptx);
  cuModuleGetFunction(&scale, module, "scale");
  cuMemAlloc(&memory, 256);
}

void before_init() {
  int count = -1;
  CUdevice device = -1;
  CUcontext current = nullptr;
  CUdeviceptr pointer = 0;
  const char* text = nullptr;
  SHOW(cuDeviceGetCount(&count));
  SHOW(cuDeviceGet(&device, 0));
  SHOW(cuCtxGetCurrent(&current));
  SHOW(cuMemAlloc(&pointer, 16));
  SHOW(cuDevicePrimaryCtxRetain(&current, 0));
  SHOW(cuCtxSynchronize());
  SHOW(cuDriverGetVersion(&count));
  SHOW(cuDriverGetVersion(nullptr));
  SHOW(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
  std::printf("%s\n", text);
  SHOW(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  std::printf("%s\n", text);
  SHOW(cuGetErrorName(static_cast<CUresult>(12345), &text));
  VALUE(text == nullptr);
  SHOW(cuGetErrorString(static_cast<CUresult>(9), &text));
  VALUE(text == nullptr);
  SHOW(cuInit(1));
  SHOW(cuDeviceGetCount(&count));
  SHOW(cuInit(0));
  SHOW(cuInit(0));
  SHOW(cuDeviceGetCount(&count));
  VALUE(count);
}

void devices() {
  cuInit(0);
  CUdevice device = -1;
  int value = -1;
  char name[64] = "";
  std::size_t bytes = 0;
  SHOW(cuDeviceGetCount(nullptr));
  SHOW(cuDeviceGet(&device, 0));
  VALUE(device);
  SHOW(cuDeviceGet(&device, 1));
  SHOW(cuDeviceGet(&device, -1));
  SHOW(cuDeviceGet(nullptr, 0));
  SHOW(cuDeviceGetName(name, sizeof name, 0));
  SHOW(cuDeviceGetName(name, 4, 0));
  VALUE(std::strlen(name));
  SHOW(cuDeviceGetName(name, 4, 5));
  SHOW(cuDeviceTotalMem(&bytes, 0));
  SHOW(cuDeviceTotalMem(&bytes, 3));
  for (const CUdevice_attribute attribute :
       {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK,
        CU_DEVICE_ATTRIBUTE_WARP_SIZE, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
        CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED}) {
    SHOW(cuDeviceGetAttribute(&value, attribute, 0));
    std::printf("attribute %d: %d\n", attribute, value);
  }
  SHOW(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(100000), 0));
  SHOW(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0));
  SHOW(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  SHOW(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 2));
  int can = -1;
  SHOW(cuDeviceCanAccessPeer(&can, 0, 0));
  VALUE(can);
  SHOW(cuDeviceCanAccessPeer(&can, 0, 1));
  CUuuid uuid;
  SHOW(cuDeviceGetUuid(&uuid, 0));
}

void without_a_context() {
  cuInit(0);
  CUcontext current = reinterpret_cast<CUcontext>(8);
  CUdeviceptr pointer = 0;
  CUdevice device = -1;
  CUmodule loaded = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  std::size_t bytes = 0;
  unsigned flags = 0;
  int active = -1;
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == nullptr);
  SHOW(cuCtxGetCurrent(nullptr));
  SHOW(cuCtxGetDevice(&device));
  SHOW(cuCtxSynchronize());
  SHOW(cuMemAlloc(&pointer, 16));
  SHOW(cuMemGetInfo(&bytes, &bytes));
  SHOW(cuModuleLoadData(&loaded, ptx));
  SHOW(cuStreamCreate(&stream, 0));
  SHOW(cuEventCreate(&event, 0));
  SHOW(cuStreamSynchronize(nullptr));
  SHOW(cuCtxPopCurrent(&current));
  SHOW(cuCtxPushCurrent(nullptr));
  SHOW(cuCtxSetCurrent(nullptr));
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  VALUE(flags);
  VALUE(active);
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuDevicePrimaryCtxReset(0));
  SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
  SHOW(cuDevicePrimaryCtxSetFlags(0, 1 << 30));
  SHOW(cuDevicePrimaryCtxRetain(&context, 1));
  SHOW(cuDevicePrimaryCtxRetain(nullptr, 0));
  SHOW(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  SHOW(cuMemcpyHtoD(0, &flags, 4));
}

void contexts() {
  cuInit(0);
  CUcontext first = nullptr, second = nullptr, current = nullptr;
  CUdevice device = -1;
  unsigned flags = 77, version = 0;
  int active = -1;
  SHOW(cuDevicePrimaryCtxRetain(&first, 0));
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == nullptr);
  SHOW(cuDevicePrimaryCtxRetain(&second, 0));
  VALUE(first == second);
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  VALUE(active);
  SHOW(cuCtxPushCurrent(first));
  SHOW(cuCtxGetDevice(&device));
  VALUE(device);
  SHOW(cuCtxGetFlags(&flags));
  VALUE(flags);
  SHOW(cuCtxGetApiVersion(first, &version));
  SHOW(cuCtxGetApiVersion(nullptr, &version));
  CUcontext made = nullptr;
#if CUDA_VERSION >= 13000
  SHOW(cuCtxCreate(&made, nullptr, 0, 0));
  SHOW(cuCtxCreate(&current, nullptr, 0, 5));
  SHOW(cuCtxCreate(nullptr, nullptr, 0, 0));
  SHOW(cuCtxCreate(&current, nullptr, 1 << 30, 0));
#else
  SHOW(cuCtxCreate(&made, 0, 0));
  SHOW(cuCtxCreate(&current, 0, 5));
  SHOW(cuCtxCreate(nullptr, 0, 0));
  SHOW(cuCtxCreate(&current, 1 << 30, 0));
#endif
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == made);
  SHOW(cuCtxPopCurrent(&current));
  VALUE(current == made);
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == first);
  SHOW(cuCtxSetCurrent(made));
  SHOW(cuCtxPopCurrent(&current));
  VALUE(current == made);
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == nullptr);
  SHOW(cuCtxSetCurrent(made));
  CUdeviceptr pointer = 0;
  SHOW(cuMemAlloc(&pointer, 64));
  SHOW(cuCtxDestroy(made));
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == made);
  VALUE(current == nullptr);
  SHOW(cuMemAlloc(&pointer, 64));
  SHOW(cuCtxSynchronize());
  SHOW(cuCtxSetCurrent(first));
  SHOW(cuCtxSynchronize());
  SHOW(cuCtxDestroy(nullptr));
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuCtxSynchronize());
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuCtxSynchronize());
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  VALUE(active);
}

void current_of_threads() {
  begin();
  std::thread([] {
    CUcontext current = nullptr;
    SHOW(cuCtxGetCurrent(&current));
    VALUE(current == nullptr);
    SHOW(cuCtxSynchronize());
    SHOW(cudaFree(nullptr));
    SHOW(cuCtxGetCurrent(&current));
    VALUE(current == context);
  }).join();
  std::size_t value = 0;
  SHOW(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  VALUE(value);
  SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
  SHOW(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  VALUE(value);
  SHOW(cuCtxGetLimit(&value, static_cast<CUlimit>(99)));
  SHOW(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
  int least = 1, greatest = 1;
  SHOW(cuCtxGetStreamPriorityRange(&least, &greatest));
  VALUE(least);
  VALUE(greatest);
  CUfunc_cache cache{};
  SHOW(cuCtxGetCacheConfig(&cache));
  SHOW(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
}

}  // namespace
