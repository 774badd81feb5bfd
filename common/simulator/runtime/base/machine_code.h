// SPDX-License-Identifier: MIT
// The PTX in machine code. nvcc and NVRTC put its text there for debuggers, where -lineinfo or -G asks for lines. The
// text has no lines of the source. Two tables of the machine code have them: one gives an address its line of PTX, the
// other one its line of the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudasim {

constexpr std::uint32_t kElfMagic = 0x464C457F;

/// The size of the machine code at `image`, by its headers, of which 64 bytes must be there. 0: it is none.
std::size_t machine_code_bytes(std::string_view image);

/// The PTX, with a .loc at each line that is known. "" where there is none, or where the image is malformed.
std::string ptx_of_machine_code(std::string_view image);

}  // namespace cudasim
