// SPDX-License-Identifier: MIT
// The functions that a program or library has by its own symbol table, also those that it shows to nobody.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudasim {

struct LinkedFunction {
  std::string name;
  std::uint64_t offset = 0;  ///< of the place where the file is loaded
  std::uint64_t room = 0;    ///< bytes up to the next function, or to the end of its own code
};

/// nvcc's constructor of a file with kernels registers them. With -rdc=true, all of them call a second function, which
/// counts its calls.
constexpr const char* kRegistersKernels = "_ZL24__sti____cudaRegisterAllv";
constexpr const char* kRegistersLinked = "_ZL26__cudaRegisterLinkedBinaryPK19__fatBinC_Wrapper_tPFvPPvES2_";

/// These two, and those whose names begin with "cuda" or "__cuda", by address. They are functions of its own: those
/// that others can call, as the shared runtime's, are left out. Empty where the file is no ELF file
/// of 64 bits, is damaged, or is stripped.
std::vector<LinkedFunction> cuda_functions(const char* path);

}  // namespace cudasim
