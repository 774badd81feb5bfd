// SPDX-License-Identifier: MIT
// The driver API: a module of PTX text that the program brings, its kernel and its variables. The kernel is launched
// with single arguments and with a buffer of them, in memory that the driver has allocated.
#include <cuda.h>

#include <cstdint>
#include <string>

#include "gallery.h"

#define checkDriver(call)                                              \
  do {                                                                 \
    const CUresult error = call;                                       \
    if (error != CUDA_SUCCESS) {                                       \
      const char* name = nullptr;                                      \
      cuGetErrorName(error, &name);                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name); \
      std::exit(EXIT_FAILURE);                                         \
    }                                                                  \
  } while (false)

// out[i] = factor * in[i] + shift, and a count of what was done.
const char* const text = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .const .align 4 .f32 factor = 0f40000000;
.visible .global .align 4 .u32 done = 0;
.visible .entry scale(.param .u64 out, .param .u64 in, .param .f32 shift, .param .u32 n) {
  .reg .pred %p; .reg .b32 %b<5>; .reg .f32 %f<4>; .reg .b64 %a<4>;
  ld.param.u64 %a0, [out];
  ld.param.u64 %a1, [in];
  ld.param.f32 %f0, [shift];
  ld.param.u32 %b0, [n];
  mov.u32 %b1, %ctaid.x;
  mov.u32 %b2, %ntid.x;
  mov.u32 %b3, %tid.x;
  mad.lo.u32 %b1, %b1, %b2, %b3;
  setp.ge.u32 %p, %b1, %b0;
  @%p bra end;
  mul.wide.u32 %a2, %b1, 4;
  add.u64 %a0, %a0, %a2;
  add.u64 %a1, %a1, %a2;
  ld.global.f32 %f1, [%a1];
  ld.const.f32 %f2, [factor];
  fma.rn.f32 %f3, %f1, %f2, %f0;
  st.global.f32 [%a0], %f3;
  mov.u64 %a3, done;
  red.global.add.u32 [%a3], 1;
end:
  ret;
})";

bool program() {
  constexpr unsigned n = 1000;
  const std::vector<float> in = uniform_vector(n);
  checkDriver(cuInit(0));
  CUdevice device;
  CUcontext context;
  checkDriver(cuDeviceGet(&device, 0));
  checkDriver(cuDevicePrimaryCtxRetain(&context, device));
  checkDriver(cuCtxPushCurrent(context));
  CUmodule module;
  CUfunction scale;
  checkDriver(cuModuleLoadData(&module, text));
  checkDriver(cuModuleGetFunction(&scale, module, "scale"));
  // The reason of a refusal never goes beyond the buffer for it.
  std::string log(64, '#');
  CUmodule none;
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {&log[0], reinterpret_cast<void*>(std::uintptr_t{16})};
  if (cuModuleLoadDataEx(&none, ".version 7.0 nonsense", 2, options, values) == CUDA_SUCCESS) return false;
  if (log.find_first_not_of('#', 16) != std::string::npos) return false;

  CUdeviceptr from, to, done;
  std::size_t done_bytes = 0;
  checkDriver(cuMemAlloc(&from, n * sizeof(float)));
  checkDriver(cuMemAlloc(&to, n * sizeof(float)));
  checkDriver(cuModuleGetGlobal(&done, &done_bytes, module, "done"));
  checkDriver(cuMemcpyHtoD(from, in.data(), n * sizeof(float)));

  float shift = 1;
  unsigned count = n;
  void* arguments[] = {&to, &from, &shift, &count};
  checkDriver(cuLaunchKernel(scale, blocks_for(n, 128), 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  // The same again from there to here, with another factor.
  const float factor = -0.5f;
  CUdeviceptr factor_address;
  checkDriver(cuCtxSynchronize());
  checkDriver(cuModuleGetGlobal(&factor_address, nullptr, module, "factor"));
  checkDriver(cuMemcpyHtoD(factor_address, &factor, sizeof factor));
  struct {
    CUdeviceptr out, in;
    float shift;
    unsigned count;
  } buffer{from, to, 3, n};
  std::size_t bytes = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  checkDriver(cuLaunchKernel(scale, blocks_for(n, 128), 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));

  std::vector<float> got(n), expected(n);
  unsigned times = 0;
  checkDriver(cuMemcpyDtoH(got.data(), from, n * sizeof(float)));
  checkDriver(cuMemcpyDtoH(&times, done, done_bytes));
  for (unsigned i = 0; i < n; ++i) expected[i] = factor * (2 * in[i] + 1) + 3;
  checkDriver(cuMemFree(from));
  checkDriver(cuMemFree(to));
  checkDriver(cuModuleUnload(module));
  checkDriver(cuCtxPopCurrent(&context));
  checkDriver(cuDevicePrimaryCtxRelease(device));
  return all_close(got, expected, 1e-6) && times == 2 * n && done_bytes == sizeof times;
}
#undef checkDriver
