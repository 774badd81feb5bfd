// SPDX-License-Identifier: MIT
// Messages of an untrusted process in any order and with any content (common/remote). A byte chooses a call, or takes
// the bytes of the input as they are. Requests to copy its memory are answered with the kernels of runtime_kernels.h,
// with bytes of the input, or not at all. Each input begins with a new server, and ends with cudaDeviceReset().
#include <cstdlib>

#include "../unit/remote/fake_student.h"
#include "runtime_kernels.h"
#include "runtime_state.h"

namespace {

using remote::Call;
using remote::Writer;
using runtime_calls::Bytes;

constexpr std::size_t most_calls = 60;

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// A body that is nearly right: the calls with code of their own get arguments of the right length.
remote::Body body(Bytes& bytes, void* memory) {
  const auto size = [&] { return std::uint64_t{1} << bytes.byte() % 64; };
  const auto address = [&] { return bytes.byte() % 4 == 0 ? size() : number(memory) + bytes.byte() % 80; };
  const auto function = [&] {
    return bytes.byte() % 8 == 0 ? size() : number(&runtime_kernels::stubs[bytes.byte() % runtime_kernels::count]);
  };
  Writer writer;
  switch (bytes.byte() % 8) {
    case 0:
      writer.put(Call::k_register_module).put(number(runtime_kernels::wrapper()));
      break;
    case 1: {
      const std::size_t i = bytes.byte() % runtime_kernels::count;
      writer.put(Call::k_register_function)
          .put(number(runtime_kernels::wrapper()))
          .put(number(&runtime_kernels::stubs[i]))
          .put_text(runtime_kernels::names[i]);
      break;
    }
    case 2: {
      remote::CopyMessage copied;
      copied.destination = reinterpret_cast<void*>(address());
      copied.source = reinterpret_cast<void*>(address());
      copied.destination_pitch = size(), copied.source_pitch = size();
      copied.width = bytes.byte(), copied.height = bytes.byte() % 4 == 0 ? size() : 1;
      copied.kind = static_cast<cudaMemcpyKind>(bytes.byte() % 5);
      copied.is_asynchronous = bytes.byte() % 2 == 0;
      writer.put(Call::k_copy).put(copied);
      break;
    }
    case 3: {
      remote::LaunchMessage launch;
      launch.function = function();
      launch.grid.x = bytes.byte() % 4, launch.block.x = bytes.byte() % 65;
      launch.argument_bytes = bytes.byte() % 8 == 0 ? bytes.byte() : 12;
      const std::uint64_t pointer = address();
      const std::uint32_t value = bytes.byte();
      writer.put(Call::k_launch).put(launch).put(pointer).put(value);
      break;
    }
    case 4:
      writer.put(Call::k_parameter_places).put(function());
      break;
    default:
      writer.put(static_cast<Call>(bytes.byte() % 64));
      for (unsigned left = bytes.byte() % 24u; left > 0; --left) writer.put(static_cast<unsigned char>(bytes.byte()));
  }
  return writer.take();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("CUDASIM_MEMORY", "64M", 0);
  setenv("CUDASIM_STEP_BUDGET", "2000", 0);
  setenv("CUDASIM_WORKERS", "1", 0);
  setenv("PATH", "/nowhere", 1);  // no addr2line: a process for each line of the host would take most of the time
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  FakeStudent student;
  const auto honest = student.copies;
  const char* const begin = static_cast<const char*>(runtime_kernels::wrapper());
  student.copies = [&](remote::Kind kind, const remote::RowsMessage& rows, std::byte* window) -> std::uint64_t {
    std::uint64_t wanted = 0;
    if (__builtin_mul_overflow(rows.width, rows.height, &wanted) || wanted > remote::kWindowBytes) return wanted;
    const auto way = bytes.byte() % 8;
    if (way == 0) return 0;
    // The wrapper, and the image that it points to: everything else is no memory of this process.
    const void* image = nullptr;
    std::memcpy(&image, begin + 8, sizeof image);
    const bool is_real = rows.address == number(begin) || rows.address == number(image);
    const std::uint64_t image_bytes = rows.address == number(begin) ? 24 : 80 + std::strlen(runtime_kernels::ptx);
    if (kind == remote::Kind::read && is_real && way > 2 && wanted <= image_bytes) return honest(kind, rows, window);
    if (kind == remote::Kind::read) std::memset(window, static_cast<int>(bytes.byte()), wanted < 8192 ? wanted : 8192);
    return wanted;
  };
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  for (std::size_t i = 0; i < most_calls && !bytes.empty(); ++i) {
    try {
      student.exchange(body(bytes, memory));
    } catch (const remote::RemoteError&) {
    }
  }
  cudaDeviceReset();
  return 0;
}
