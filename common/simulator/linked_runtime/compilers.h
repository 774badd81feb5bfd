// SPDX-License-Identifier: MIT
// The compilers that a program starts or calls while it runs. They are asked for lines of the source (-lineinfo). With
// them NVRTC and nvcc put the PTX into machine code, which the simulator can then run, and findings name lines.
#pragma once

#include <cstdint>

namespace cudasim {

/// For each nvcc that this program starts.
void ask_nvcc_for_lines();

/// For NVRTC: `begin` is where a library lies in memory, `file` its name. Nothing happens where it is no NVRTC.
void ask_nvrtc_for_lines(std::uint64_t begin, const char* file);

}  // namespace cudasim
