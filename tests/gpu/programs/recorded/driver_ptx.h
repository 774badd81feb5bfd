// SPDX-License-Identifier: MIT
// A context and a kernel, for cases that say what calls of the driver return.
#pragma once

// cuCtxDetach and others of the first CUDA are in use (PyCUDA).
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include <cuda.h>

#include "recorded.h"

static const char* const kScale =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .b8 variable[16];\n"
    ".visible .entry scale(.param .u64 data, .param .u32 factor) {\n"
    ".reg .b32 %v, %f, %i; .reg .b64 %a, %o;\n"
    "ld.param.u64 %a, [data]; ld.param.u32 %f, [factor]; mov.u32 %i, %tid.x;\n"
    "mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;\n"
    "ld.global.u32 %v, [%a]; mul.lo.u32 %v, %v, %f; st.global.u32 [%a], %v; ret;\n}\n";

struct Device {
  CUcontext context;
  CUmodule module;
  CUfunction scale;
  CUdeviceptr memory;
  Device() {
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cuModuleLoadData(&module, kScale);
    cuModuleGetFunction(&scale, module, "scale");
    cuMemAlloc(&memory, 256);
  }
};
