// SPDX-License-Identifier: MIT
// A kernel as its launch sees it, before it is decoded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudasim {

/// What cudaFuncGetAttributes and the launch need about a kernel without decoding it.
struct KernelInfo {
  struct Parameter {
    std::uint32_t offset_bytes, size_bytes;
  };
  std::string name;                   ///< mangled
  std::vector<Parameter> parameters;  ///< as laid out in the parameter buffer
  std::uint32_t parameter_bytes = 0;  ///< of the whole buffer
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;     ///< A thread's.
  std::uint32_t max_threads = 1024;  ///< From __launch_bounds__.
  std::uint32_t registers = 0;  ///< An estimate (PTX does not give it): live 32-bit registers at the fullest point.
  int ptx_version = 75;         ///< The target's: sm_75 is 75.
};

}  // namespace cudasim
