// SPDX-License-Identifier: MIT
// What the linker takes in place of libcudadevrt.a, which holds machine code. Numba calls it for grid.sync().
#pragma once

namespace cudasim {

/// The barrier of a grid, as cooperative_groups compiles it (cooperative_groups/details/sync.h). One thread of each
/// block adds to a word of the driver, and waits until its highest bit changes. That happens with the last block.
constexpr const char* kDeviceRuntime = R"(.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  st.param.b64 [handle], 1;
  ret;
}
.visible .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .pred %is_other, %is_first, %waits;
  .reg .b32 %low, %high, %part, %place, %step, %before, %now;
  .reg .b64 %words;
  mov.u32 %low, %envreg2;
  mov.u32 %high, %envreg1;
  mov.b64 %words, {%low, %high};
  setp.eq.u64 %waits, %words, 0;
  @%waits trap;
  barrier.sync 0;
  mov.u32 %place, %tid.x;
  mov.u32 %part, %tid.y;
  or.b32 %place, %place, %part;
  mov.u32 %part, %tid.z;
  or.b32 %place, %place, %part;
  setp.ne.u32 %is_other, %place, 0;
  @%is_other bra all_have_come;
  mov.u32 %place, %ctaid.x;
  mov.u32 %part, %ctaid.y;
  or.b32 %place, %place, %part;
  mov.u32 %part, %ctaid.z;
  or.b32 %place, %place, %part;
  setp.eq.u32 %is_first, %place, 0;
  mov.u32 %step, %nctaid.x;
  mov.u32 %part, %nctaid.y;
  mul.lo.u32 %step, %step, %part;
  mov.u32 %part, %nctaid.z;
  mul.lo.u32 %step, %step, %part;
  sub.u32 %step, 0x80000001, %step;
  selp.b32 %step, %step, 1, %is_first;
  atom.add.release.gpu.u32 %before, [%words + 4], %step;
look_again:
  ld.acquire.gpu.u32 %now, [%words + 4];
  xor.b32 %now, %now, %before;
  setp.ge.s32 %waits, %now, 0;
  @%waits bra look_again;
all_have_come:
  barrier.sync 0;
  st.param.b32 [error], 0;
  ret;
}
)";

}  // namespace cudasim
