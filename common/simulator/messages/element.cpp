// SPDX-License-Identifier: MIT
#include "messages/element.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "program/program.h"

namespace cudasim {
namespace {

/// The type that ends "ld.global.nc.v4.f32".
ptx::Type last_type(const std::string& opcode) {
  const std::string_view name = std::string_view(opcode).substr(opcode.rfind('.') + 1);
  return name == "tf32" ? ptx::Type::f32 : ptx::type_from_text(name);
}

bool accesses_memory(const std::string& opcode) {
  const std::string base = opcode.substr(0, opcode.find('.'));
  return base == "ld" || base == "ldu" || base == "st" || base == "atom" || base == "red" || base == "ldmatrix" ||
         base == "stmatrix" || opcode.rfind("wmma.load", 0) == 0 || opcode.rfind("wmma.store", 0) == 0;
}

std::string hexadecimal(const std::byte* bytes, std::uint32_t count) {
  std::string text = "0x";
  char digits[3];
  for (std::uint32_t i = count; i-- > 0;) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(bytes[i]));
    text += digits;
  }
  return text;
}

/// With as many digits as distinguish it from its neighbours.
std::string number(const Element& element, const std::byte* value) {
  char text[40];
  if (element.bytes == sizeof(float)) {
    float f;
    std::memcpy(&f, value, sizeof f);
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(f));
  } else {
    double d;
    std::memcpy(&d, value, sizeof d);
    std::snprintf(text, sizeof text, "%.17g", d);
  }
  return text;
}

}  // namespace

Element element_of(const Program& program, std::int32_t ptx_line) {
  for (const ptx::Function& function : program.text->functions) {
    const auto found = std::find_if(
        function.instructions.begin(), function.instructions.end(),
        [ptx_line](const ptx::Instruction& i) { return i.ptx_line == ptx_line && accesses_memory(i.opcode); });
    if (found == function.instructions.end()) continue;
    const ptx::Type type = last_type(found->opcode);
    const char* name = type == ptx::Type::f32 ? "float" : type == ptx::Type::f64 ? "double" : "";
    return {name, std::max(ptx::size_of(type), 1u)};
  }
  return {};
}

std::string amount(const Element& element, std::uint64_t bytes) {
  const bool is_counted = element.is_counted() && bytes % element.bytes == 0;
  const std::uint64_t count = is_counted ? bytes / element.bytes : bytes;
  const bool has_name = is_counted && element.name[0] != '\0';
  return std::to_string(count) + " " +
         (has_name     ? element.name
          : is_counted ? "element"
                       : "byte") +
         (count == 1 ? "" : "s") + (is_counted && !has_name ? " of " + std::to_string(element.bytes) + " bytes" : "");
}

std::string value_text(const Element& element, const std::byte* value, std::uint32_t bytes) {
  if (element.name[0] == '\0' || bytes % element.bytes != 0) return hexadecimal(value, bytes);
  if (bytes == element.bytes) return number(element, value);
  std::string text;
  for (std::uint32_t at = 0; at < bytes; at += element.bytes) {
    text += (text.empty() ? "(" : ", ") + number(element, value + at);
  }
  return text + ")";
}

}  // namespace cudasim
