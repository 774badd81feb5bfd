// SPDX-License-Identifier: MIT
// A barrier of the grid by CUDA's device runtime, which the driver's linker adds to PTX. Numba makes such calls of
// this_grid().sync(). Each block writes its element, and reads that of the next block after the barrier.
#include <cuda.h>

#include <string>

#include "gallery.h"

#define checkGrid(call)                                                \
  do {                                                                 \
    const CUresult error = call;                                       \
    if (error != CUDA_SUCCESS) {                                       \
      const char* name = nullptr;                                      \
      cuGetErrorName(error, &name);                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name); \
      std::exit(EXIT_FAILURE);                                         \
    }                                                                  \
  } while (false)

const std::string rotate = R"(.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.visible .entry rotate(.param .u64 cells, .param .u64 out) {
  .reg .b32 %block, %blocks, %next, %value, %zero;
  .reg .b64 %cells, %out, %offset, %handle;
  .reg .pred %is_last;
  ld.param.b64 %cells, [cells];
  ld.param.b64 %out, [out];
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mul.wide.u32 %offset, %block, 4;
  add.u64 %offset, %offset, %cells;
  add.u32 %value, %block, 40;
  st.global.b32 [%offset], %value;
  {
    .param .b32 scope; .param .b64 got;
    st.param.b32 [scope], 1;
    call.uni (got), cudaCGGetIntrinsicHandle, (scope);
    ld.param.b64 %handle, [got];
  }
  {
    .param .b64 handle; .param .b32 flags; .param .b32 got;
    st.param.b64 [handle], %handle;
    st.param.b32 [flags], 0;
    call.uni (got), cudaCGSynchronize, (handle, flags);
    ld.param.b32 %zero, [got];
  }
  add.u32 %next, %block, 1;
  setp.eq.u32 %is_last, %next, %blocks;
  selp.b32 %next, 0, %next, %is_last;
  mul.wide.u32 %offset, %next, 4;
  add.u64 %offset, %offset, %cells;
  ld.global.b32 %value, [%offset];
  add.u32 %value, %value, %zero;
  mul.wide.u32 %offset, %block, 4;
  add.u64 %offset, %offset, %out;
  st.global.b32 [%offset], %value;
  ret;
})";

bool program() {
  constexpr unsigned blocks = 6;
  constexpr std::size_t bytes = blocks * sizeof(unsigned);
  checkGrid(cuInit(0));
  CUcontext context;
  checkGrid(cuDevicePrimaryCtxRetain(&context, 0));
  checkGrid(cuCtxPushCurrent(context));

  CUlinkState state;
  void* image = nullptr;
  CUmodule module;
  CUfunction kernel;
  checkGrid(cuLinkCreate(0, nullptr, nullptr, &state));
  void* const text = const_cast<char*>(rotate.c_str());
  checkGrid(cuLinkAddData(state, CU_JIT_INPUT_PTX, text, rotate.size() + 1, "rotate", 0, nullptr, nullptr));
  checkGrid(cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, CUDA_DEVICE_RUNTIME, 0, nullptr, nullptr));
  checkGrid(cuLinkComplete(state, &image, nullptr));
  checkGrid(cuModuleLoadData(&module, image));
  checkGrid(cuLinkDestroy(state));
  checkGrid(cuModuleGetFunction(&kernel, module, "rotate"));

  CUdeviceptr cells, out;
  checkGrid(cuMemAlloc(&cells, bytes));
  checkGrid(cuMemAlloc(&out, bytes));
  void* arguments[] = {&cells, &out};
  std::vector<unsigned> result(blocks);
  for (int launch = 0; launch < 2; ++launch) {
    checkGrid(cuMemsetD8(cells, 0, bytes));
    checkGrid(cuLaunchCooperativeKernel(kernel, blocks, 1, 1, 64, 1, 1, 0, nullptr, arguments));
    checkGrid(cuMemcpyDtoH(result.data(), out, bytes));
    for (unsigned i = 0; i < blocks; ++i) {
      if (result[i] != (i + 1) % blocks + 40) return false;
    }
  }
  checkGrid(cuMemFree(cells));
  checkGrid(cuMemFree(out));
  checkGrid(cuModuleUnload(module));
  checkGrid(cuCtxPopCurrent(&context));
  checkGrid(cuDevicePrimaryCtxRelease(0));
  return true;
}
