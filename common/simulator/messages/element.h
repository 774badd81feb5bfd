// SPDX-License-Identifier: MIT
// What a memory instruction moves, as its PTX type says it: so that a finding speaks of floats, not of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cudasim {

struct Program;

/// One element of an access. `name` is empty where the type tells only a width: `.u32` may be an int or an unsigned,
/// and `.b32` anything.
struct Element {
  const char* name = "";  ///< "float", "double"
  std::uint32_t bytes = 1;
};

/// Of the load, store or atomic in this line of the PTX text; of anything else a byte.
Element element_of(const Program& program, std::int32_t ptx_line);

/// "1 float", "3 doubles", "4 bytes".
std::string amount(const Element& element, std::uint64_t bytes);

/// "0.625", "(1, 2, 3, 4)" of a float4, "0x0000002a" of anything that is no number of a known kind.
std::string value_text(const Element& element, const std::byte* value, std::uint32_t bytes);

}  // namespace cudasim
