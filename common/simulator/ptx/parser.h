// SPDX-License-Identifier: MIT
// PTX text to ptx::Module. The parser checks the whole text for syntax. The decoder decides whether an opcode can be
// executed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace cudasim::ptx {

/// The text is not PTX that this parser understands. `what()` names the PTX line and quotes it.
class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(int line, const std::string& message);
  int line;
};

/// Parses one PTX text (as embedded by nvcc; a trailing NUL is accepted). The text is untrusted input. The function
/// throws SyntaxError on anything malformed and never reads outside `text`. Its memory and time stay proportional to
/// the text: nesting depth, array sizes and `<N>` counts are limited.
Module parse(std::string_view text);

}  // namespace cudasim::ptx
