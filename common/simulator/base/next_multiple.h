// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace cudasim {

/// The least multiple of `to` that is not below `value`. `to` is not 0.
constexpr std::uint64_t next_multiple(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace cudasim
