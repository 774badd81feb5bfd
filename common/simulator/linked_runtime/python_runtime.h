// SPDX-License-Identifier: MIT
// The Python module cuda.bindings.runtime. The CUDA runtime is linked into a module below it, and has no symbols there.
// But the module tells the others by name where its functions are, as each module of Cython does (__pyx_capi__).
#pragma once

#include <cstdint>

namespace cudasim {

/// In the file name of the module.
constexpr const char* kPythonRuntime = "/cuda/bindings/_internal/runtime.";

/// `begin`: where the module lies in memory. Its functions are handed over when Python has initialised it. A module for
/// another major version of CUDA is left alone.
void hand_over_python(std::uint64_t begin);

}  // namespace cudasim
