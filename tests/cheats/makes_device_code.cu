// cheat: registers device code that it writes when it runs, as nvcc's code does with the code of its compiler
// stage: 3
// says: wrong result
#include <cstdint>
#include <cstring>
#include <string>

#include "workbook/student/reduction.h"

extern "C" void** __cudaRegisterFatBinary(void* wrapper);
extern "C" void __cudaRegisterFatBinaryEnd(void** handle);
extern "C" void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*,
                                       int*);

static const char kText[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 from, .param .u64 count, .param .u64 to) {\n"
    ".reg .u64 %a, %n, %t;\n.reg .f32 %x;\n.reg .f64 %d, %s;\n.reg .pred %p;\n"
    "ld.param.u64 %a, [from];\nld.param.u64 %n, [count];\nld.param.u64 %t, [to];\nmov.f64 %s, 0d0000000000000000;\n"
    "again: setp.eq.u64 %p, %n, 0;\n@%p bra done;\nld.global.f32 %x, [%a];\ncvt.f64.f32 %d, %x;\nadd.f64 %s, %s, %d;\n"
    "add.u64 %a, %a, 4;\nsub.u64 %n, %n, 1;\nbra again;\ndone: cvt.rn.f32.f64 %x, %s;\nst.global.f32 [%t], "
    "%x;\nret;\n}\n";
static char stub;

static void load() {
  static std::string image(16 + 64, '\0');
  image += kText;
  const auto put = [](std::size_t offset, auto value) { std::memcpy(image.data() + offset, &value, sizeof value); };
  put(0, std::uint32_t{0xBA55ED50});
  put(4, std::uint16_t{1});
  put(6, std::uint16_t{16});
  put(8, std::uint64_t{64 + sizeof kText - 1});
  put(16, std::uint16_t{1});
  put(20, std::uint32_t{64});
  put(24, std::uint64_t{sizeof kText - 1});
  put(44, std::uint32_t{75});
  static struct {
    std::uint32_t magic, version;
    const void* data;
    void* unused;
  } wrapper{0x466243B1, 1, image.data(), nullptr};
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &stub, nullptr, "add", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  static const bool is_loaded = (load(), true);
  static_cast<void>(is_loaded);
  void* arguments[] = {&numbers, &n, const_cast<float**>(&workspace.partial_sums)};
  CUDA_CHECK(cudaLaunchKernel(&stub, dim3(1), dim3(1), arguments, 0, workspace.stream));
  return workspace.partial_sums;
}
