// SPDX-License-Identifier: MIT
// What calls of the driver API about handles return where no context is current: libraries, links, streams, pools.
#include <cuda.h>

#include "recorded.h"

namespace {

const char* const ptx =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .global .align 4 .u32 variable = 1;\n"
    ".visible .entry scale() { ret; }\n";

void handles_without_a_context() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr memory = 0;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  CUlinkState link = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUmemoryPool pool = nullptr;
  CUstreamCaptureStatus status{};
  CUdeviceptr pointer = 0;
  void* host = nullptr;
  int value = 0;
  cuInit(0);
  SHOW(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cuLibraryGetKernel(&kernel, library, "scale"));
  SHOW(cuLibraryGetKernel(&kernel, library, "none"));
  SHOW(cuKernelGetFunction(&function, kernel));
  SHOW(cuLibraryGetGlobal(&pointer, nullptr, library, "variable"));
  SHOW(cuLibraryUnload(library));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &link));
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  cuModuleLoadData(&module, ptx);
  cuMemAlloc(&memory, 256);
  cuStreamCreate(&stream, 0);
  cuEventCreate(&event, 0);
  cuMemAllocHost(&host, 64);
  cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  cuLibraryGetKernel(&kernel, library, "scale");
  SHOW(cuLibraryGetGlobal(&pointer, nullptr, library, "none"));
  SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 7));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &link));
  SHOW(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>("nonsense"), 9, "", 0, nullptr, nullptr));
  SHOW(cuLinkDestroy(link));
  SHOW(cuCtxPopCurrent(&context));
  SHOW(cuMemFree(memory));
  SHOW(cuMemFree(12345));
  SHOW(cuMemFree(0));
  SHOW(cuEventQuery(event));
  SHOW(cuStreamQuery(stream));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuStreamIsCapturing(stream, &status));
  SHOW(cuDeviceGetMemPool(&pool, 0));
  SHOW(cuMemAllocFromPoolAsync(&pointer, 64, pool, stream));
  SHOW(cuMemFreeAsync(pointer, stream));
  SHOW(cuEventDestroy(event));
  SHOW(cuStreamDestroy(stream));
  SHOW(cuMemFreeHost(host));
  SHOW(cuModuleUnload(module));
  SHOW(cuLibraryUnload(library));
}

const Case cases[] = {{"handles-without-a-context", handles_without_a_context}};

}  // namespace

int main(int argc, char** argv) { return run_case(cases, argc, argv); }
