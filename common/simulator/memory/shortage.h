// SPDX-License-Identifier: MIT
// Why memory could not be allocated, in words.
#pragma once

#include <cstddef>
#include <string>

#include "memory/memory.h"

namespace cudasim {

/// Why the last allocation, of so many bytes, was not possible: "64 bytes, but 12 of the device's 32 bytes are free
/// ...".
std::string why_no_memory(const Memory& memory, std::size_t size);

}  // namespace cudasim
