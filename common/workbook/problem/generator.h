// SPDX-License-Identifier: MIT
// The bits of all random inputs.
#pragma once

#include <cstdint>
#include <random>

namespace workbook {

/// The numbers of std::mt19937, one for one. That type may keep its state in words of 64 bits, as GCC's does: words of
/// 32 make 16 million numbers in half of the time.
using Generator = std::mersenne_twister_engine<std::uint32_t, 32, 624, 397, 31, 0x9908b0df, 11, 0xffffffff, 7,
                                               0x9d2c5680, 15, 0xefc60000, 18, 1812433253>;

}  // namespace workbook
