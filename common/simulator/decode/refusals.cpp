// SPDX-License-Identifier: MIT
#include "decode/refusals.h"

#include <filesystem>

#include "base/demangle.h"
#include "program/source_lines.h"

namespace cudasim {

Refusal refuse(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& what) {
  std::string source;
  for (std::int32_t l = instruction.location; l >= 0; l = text.locations[static_cast<std::size_t>(l)].inlined_at) {
    const auto& location = text.locations[static_cast<std::size_t>(l)];
    const std::string* file = text.file_name(location.file);
    if (file == nullptr || location.line <= 0) continue;
    source =
        " (" + std::filesystem::path(*file).lexically_normal().string() + ":" + std::to_string(location.line) + ")";
    if (!is_toolkit_file(*file)) break;
  }
  return Refusal{"PTX line " + std::to_string(instruction.ptx_line) + source + ": " + what};
}

Refusal without_body(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& callee) {
  Refusal refusal = refuse(text, instruction, "the function '" + demangle(callee) + "' is called but has no body");
  refusal.advice =
      "a function that is declared must also be defined, with the same name and parameters, in the same file";
  return refusal;
}

}  // namespace cudasim
