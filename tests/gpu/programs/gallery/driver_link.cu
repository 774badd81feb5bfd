// SPDX-License-Identifier: MIT
// The driver's linker: two PTX texts, of which one calls functions of the other. One of these is called for a value and
// has none, as Numba calls any function of C. The image is loaded as a library, and its kernel works in memory of a
// pool. Calls are also asked for by name and version, as bindings of other languages do.
#include <cuda.h>

#include <string>

#include "gallery.h"

#define checkLink(call)                                                \
  do {                                                                 \
    const CUresult error = call;                                       \
    if (error != CUDA_SUCCESS) {                                       \
      const char* name = nullptr;                                      \
      cuGetErrorName(error, &name);                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name); \
      std::exit(EXIT_FAILURE);                                         \
    }                                                                  \
  } while (false)

const std::string head = ".version 7.0\n.target sm_75\n.address_size 64\n";
const std::string callee = head + R"(
.visible .global .align 4 .u32 offset = 40;
.visible .const .align 4 .u32 table[6];
.visible .func do_nothing(.param .b32 value) { ret; }
.visible .func (.param .b32 result) add_offset(.param .b32 value) {
  .reg .b32 %b<3>; .reg .b64 %a;
  ld.param.b32 %b0, [value];
  mov.u64 %a, offset;
  ld.global.u32 %b1, [%a];
  add.u32 %b2, %b0, %b1;
  st.param.b32 [result], %b2;
  ret;
})";
const std::string caller = head + R"(
.extern .func (.param .b32 result) add_offset(.param .b32 value);
.extern .func (.param .b64 result) do_nothing(.param .b32 value);
.visible .entry fill(.param .u64 out) {
  .reg .b32 %b<2>; .reg .b64 %a<2>;
  ld.param.u64 %a0, [out];
  mov.u32 %b0, %tid.x;
  {
    .param .b32 given; .param .b32 got;
    st.param.b32 [given], %b0;
    call.uni (got), add_offset, (given);
    ld.param.b32 %b1, [got];
  }
  {
    .param .b32 given; .param .b64 got;
    st.param.b32 [given], %b0;
    call.uni (got), do_nothing, (given);
    ld.param.b64 %a1, [got];
  }
  mul.wide.u32 %a1, %b0, 4;
  add.u64 %a0, %a0, %a1;
  st.global.u32 [%a0], %b1;
  ret;
})";

CUlibrary linked_library() {
  CUlinkState state;
  CUjit_option option = CU_JIT_MAX_REGISTERS;
  void* most = reinterpret_cast<void*>(std::uintptr_t{32});
  checkLink(cuLinkCreate(1, &option, &most, &state));
  for (const std::string* text : {&caller, &callee}) {
    void* const data = const_cast<char*>(text->c_str());
    checkLink(cuLinkAddData(state, CU_JIT_INPUT_PTX, data, text->size() + 1, "text", 0, nullptr, nullptr));
  }
  void* image = nullptr;
  std::size_t bytes = 0;
  checkLink(cuLinkComplete(state, &image, &bytes));
  const std::string kept(static_cast<const char*>(image), bytes);
  checkLink(cuLinkDestroy(state));
  CUlibrary library;
  checkLink(cuLibraryLoadData(&library, kept.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  return library;
}

template <class Function>
Function by_version(const char* name, int version) {
  void* found = nullptr;
  checkLink(cuGetProcAddress(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  return reinterpret_cast<Function>(found);
}

bool program() {
  constexpr unsigned n = 64;
  checkLink(cuInit(0));
  CUcontext context;
  checkLink(cuDevicePrimaryCtxRetain(&context, 0));
  checkLink(cuCtxPushCurrent(context));
  CUdevice device = -1;
  checkLink(by_version<CUresult (*)(CUdevice*)>("cuCtxGetDevice", 2000)(&device));
  if (device != 0) return false;

  const CUlibrary library = linked_library();
  CUkernel kernel;
  CUfunction function;
  checkLink(cuLibraryGetKernel(&kernel, library, "fill"));
  checkLink(cuKernelGetFunction(&function, kernel));
  int threads = 0;
  checkLink(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device));
  int registers = 0, constant_bytes = 0;
  checkLink(cuKernelGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, device));
  checkLink(cuKernelGetAttribute(&constant_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, kernel, device));
  if (threads < static_cast<int>(n) || registers > 32 || constant_bytes < 6 * 4) return false;

  CUmemoryPool pool;
  CUdeviceptr out, offset;
  std::size_t offset_bytes = 0;
  checkLink(cuDeviceGetMemPool(&pool, device));
  checkLink(cuMemAllocFromPoolAsync(&out, n * sizeof(unsigned), pool, nullptr));
  void* arguments[] = {&out};
  checkLink(cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, nullptr, arguments, nullptr));
  checkLink(by_version<CUresult (*)()>("cuCtxSynchronize", 2000)());
  std::vector<unsigned> result(n);
  checkLink(cuMemcpyDtoH(result.data(), out, n * sizeof(unsigned)));
  for (unsigned i = 0; i < n; ++i) {
    if (result[i] != i + 40) return false;
  }
  checkLink(cuLibraryGetGlobal(&offset, &offset_bytes, library, "offset"));
  CUstreamCaptureStatus status;
  checkLink(cuStreamIsCapturing(nullptr, &status));
  checkLink(cuMemFreeAsync(out, nullptr));
  checkLink(cuCtxSynchronize());
  checkLink(cuLibraryUnload(library));
  checkLink(cuCtxPopCurrent(&context));
  checkLink(cuDevicePrimaryCtxRelease(device));
  return offset_bytes == sizeof(unsigned) && status == CU_STREAM_CAPTURE_STATUS_NONE;
}
