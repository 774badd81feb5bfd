// SPDX-License-Identifier: MIT
// Variables of host functions. How large one is, nobody can say here; but it ends where its function's part of the
// stack does, and whoever writes on from there destroys the return address of that function.
#pragma once

#include <cstdint>
#include <optional>

namespace cudasim {

/// Bytes from `address` to the end of the variables of the function, one of those that led here, in whose part of the
/// stack it lies. Nothing where it is elsewhere.
std::optional<std::uint64_t> bytes_left_on_stack(std::uint64_t address);

}  // namespace cudasim
