// SPDX-License-Identifier: MIT
// What a memory instruction moves, by its PTX type: so that a finding says floats, not bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cudasim {

struct Program;

/// One element of an access. The `name` is empty where the type gives only a width. For example, `.u32` may be an int
/// or an unsigned, and `.b32` may be anything.
struct Element {
  const char* name = "";  ///< "float", "double"
  std::uint32_t bytes = 1;
  bool is_counted() const { return name[0] != '\0' || bytes > 1; }  ///< else bytes are counted
};

/// The element of the load, store, atomic or matrix access in this line of the PTX text; for anything else a byte.
Element element_of(const Program& program, std::int32_t ptx_line);

/// "1 float", "3 doubles", "16 elements of 4 bytes", "5 bytes".
std::string amount(const Element& element, std::uint64_t bytes);

/// "0.625", "(1, 2, 3, 4)" for a float4, "0x0000002a" for anything that is no number of a known kind.
std::string value_text(const Element& element, const std::byte* value, std::uint32_t bytes);

}  // namespace cudasim
