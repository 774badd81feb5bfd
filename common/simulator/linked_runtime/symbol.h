// SPDX-License-Identifier: MIT
// A function of a library in memory gives way to another one: whoever asks the library for it gets the other.
#pragma once

#include <cstdint>

namespace cudasim {

/// `begin`: where the library lies. Returns its own function, or nullptr where it exports none of that name.
void* replace_function(std::uint64_t begin, const char* name, void* by);

}  // namespace cudasim
