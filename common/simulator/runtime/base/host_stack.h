// SPDX-License-Identifier: MIT
// Variables of host functions. The size of one is not known here. But it ends where its function's part of the stack
// (stack frame) does. A write beyond that end destroys the return address of the function.
#pragma once

#include <cstdint>
#include <optional>

namespace cudasim {

/// Bytes from `address` to the end of the variables in its stack frame. The frame is that of one of the functions that
/// led to this call. Nothing if `address` is elsewhere.
std::optional<std::uint64_t> bytes_left_on_stack(std::uint64_t address);

}  // namespace cudasim
