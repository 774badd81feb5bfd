// SPDX-License-Identifier: MIT
// Fat binaries: containers, what is compressed in them, and machine code. The first byte says what the rest is: a
// container as it stands, the data of one entry, or machine code. For such data the container is written here. So a
// fuzzer need not get the headers right to reach the decompressors.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fat_binary.h"
#include "runtime/base/machine_code.h"

namespace {

using namespace cudasim;

constexpr std::uint32_t device_arch = 90;

template <typename Number>
void put(std::string& bytes, std::size_t offset, Number value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

std::string container_of(std::string_view stored, std::uint64_t flags, std::uint32_t uncompressed_bytes) {
  constexpr std::size_t header_bytes = 16, entry_bytes = 64;
  std::string bytes(header_bytes + entry_bytes, '\0');
  put<std::uint32_t>(bytes, 0, kFatBinaryMagic);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, header_bytes);
  put<std::uint64_t>(bytes, 8, entry_bytes + stored.size());
  put<std::uint16_t>(bytes, header_bytes, 1);
  put<std::uint32_t>(bytes, header_bytes + 4, entry_bytes);
  put<std::uint64_t>(bytes, header_bytes + 8, stored.size());
  put<std::uint32_t>(bytes, header_bytes + 16, static_cast<std::uint32_t>(stored.size()));
  put<std::uint32_t>(bytes, header_bytes + 28, 75);
  put<std::uint64_t>(bytes, header_bytes + 40, flags);
  put<std::uint64_t>(bytes, header_bytes + 56, uncompressed_bytes);
  return bytes.append(stored);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t prefix_bytes = 5;
  if (size < prefix_bytes) return 0;
  std::uint32_t expected_bytes = 0;
  std::memcpy(&expected_bytes, data + 1, sizeof expected_bytes);
  const std::string_view rest(reinterpret_cast<const char*>(data) + prefix_bytes, size - prefix_bytes);
  if (data[0] == 'e') {
    const std::vector<char> exact(rest.begin(), rest.end());
    const std::string_view code(exact.data(), exact.size());
    if (code.size() >= 64) machine_code_bytes(code.substr(0, 64));
    ptx_of_machine_code(code);
    return 0;
  }
  const std::string image = data[0] == 'z'   ? container_of(rest, 0x8011, expected_bytes)
                            : data[0] == 'l' ? container_of(rest, 0x2011, expected_bytes)
                                             : std::string(rest);
  try {
    const std::vector<char> exact(image.begin(), image.end());  // a read behind it is seen: a string has a zero there
    const ChosenPtx chosen = choose_ptx({exact.data(), exact.size()}, device_arch);
    if (chosen.text.empty() == chosen.reason.empty()) __builtin_trap();
  } catch (const FatBinaryError&) {
  }
  return 0;
}
