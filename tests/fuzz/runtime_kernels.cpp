// SPDX-License-Identifier: MIT
#include "runtime_kernels.h"

#include <vector_types.h>

#include <cstdint>
#include <cstring>
#include <string>

extern "C" void** __cudaRegisterFatBinary(void* wrapper);
extern "C" void __cudaRegisterFatBinaryEnd(void** handle);
extern "C" void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function,
                                       const char* device_name, int thread_limit, uint3* thread, uint3* block,
                                       dim3* block_size, dim3* grid_size, int* warp_size);
extern "C" void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* device_name,
                                  int is_extern, std::size_t size, int is_constant, int is_global);

namespace runtime_kernels {

const char* const names[count] = {"fill", "far", "spin", "stop", "half_barrier", "count_up", "fetch"};
char stubs[count];
char symbol;

#define KERNEL(name, body)                                       \
  ".visible .entry " name                                        \
  "(.param .u64 pointer, .param .u32 number) {\n"                \
  ".reg .pred %p; .reg .b32 %n, %t, %v<4>; .reg .b64 %at, %i;\n" \
  "ld.param.u64 %at, [pointer];\nld.param.u32 %n, [number];\n"   \
  "mov.u32 %t, %tid.x;\nmul.wide.u32 %i, %t, 4;\n" body "\nret;\n}\n"

const char* const ptx =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .b8 variable[256];\n" KERNEL("fill", "add.u64 %at, %at, %i;\nst.global.u32 [%at], %n;")
        KERNEL(
            "far",
            "mul.wide.u32 %i, %n, 4099;\nadd.u64 %at, %at, %i;\nld.global.u32 %v0, [%at];\nst.global.u32 [%at], %v0;")
            KERNEL("spin", "again:\nld.volatile.global.u32 %v0, [%at];\nsetp.ne.u32 %p, %v0, %n;\n@%p bra again;")
                KERNEL("stop", "setp.eq.u32 %p, %t, %n;\n@%p trap;")
                    KERNEL("half_barrier", "setp.lt.u32 %p, %t, %n;\n@%p bar.sync 0;")
                        KERNEL("count_up",
                               "atom.global.add.u32 %v0, [%at], %n;\nmov.u64 %i, variable;\nst.global.u32 [%i], %v0;")
                            KERNEL("fetch",
                                   "cvt.u64.u32 %i, %n;\nsub.u32 %t, %t, 2;\ntex.1d.v4.s32.s32 {%v0, %v1, %v2, %v3}, "
                                   "[%i, {%t}];\n"
                                   "st.global.u32 [%at], %v0;");

void* wrapper() {
  // Never freed: the program's image is as long-lived in a program of nvcc's.
  constexpr std::size_t header_bytes = 16, entry_bytes = 64;
  static const std::string image = [] {
    std::string bytes(header_bytes + entry_bytes, '\0');
    bytes += ptx;
    const auto put = [&](std::size_t offset, auto value) { std::memcpy(bytes.data() + offset, &value, sizeof value); };
    const std::uint64_t text_bytes = std::strlen(ptx);
    put(0, std::uint32_t{0xBA55ED50});
    put(4, std::uint16_t{1});
    put(6, std::uint16_t{header_bytes});
    put(8, entry_bytes + text_bytes);
    put(header_bytes, std::uint16_t{1});
    put(header_bytes + 4, std::uint32_t{entry_bytes});
    put(header_bytes + 8, text_bytes);
    put(header_bytes + 28, std::uint32_t{75});
    return bytes;
  }();
  static struct {
    std::uint32_t magic = 0x466243B1, version = 1;
    const void* data = image.data();
    const void* fat_binaries = nullptr;
  } one;
  return &one;
}

void register_all() {
  void** const handle = __cudaRegisterFatBinary(wrapper());
  for (std::size_t i = 0; i < count; ++i) {
    __cudaRegisterFunction(handle, &stubs[i], nullptr, names[i], -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  __cudaRegisterVar(handle, &symbol, nullptr, "variable", 0, 256, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
}

}  // namespace runtime_kernels
