// SPDX-License-Identifier: MIT
// PTX text to ptx::Module. The whole text is checked for syntax; whether an opcode can be executed is the decoder's
// question.
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

/// Parses one PTX text (as embedded by nvcc; a trailing NUL is accepted).
/// Untrusted input: throws SyntaxError on anything malformed, never reads outside `text`, and its memory
/// and time stay proportional to the text (nesting depth, array sizes and `<N>` counts are limited).
Module parse(std::string_view text);

}  // namespace cudasim::ptx
