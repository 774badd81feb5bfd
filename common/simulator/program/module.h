// SPDX-License-Identifier: MIT
// A loaded module: PTX, its variables placed in device memory, and its kernels, decoded when first launched.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "memory/memory.h"
#include "ptx/module.h"

namespace cudasim {

struct Program;  // a decoded kernel: program/program.h

/// What cudaFuncGetAttributes and the launch need to know of a kernel without decoding it.
struct KernelInfo {
  struct Parameter {
    std::uint32_t offset_bytes, size_bytes;
  };
  std::string name;                   ///< mangled
  std::vector<Parameter> parameters;  ///< as laid out in the parameter buffer
  std::uint32_t parameter_bytes = 0;  ///< of the whole buffer
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;     ///< a thread
  std::uint32_t max_threads = 1024;  ///< from __launch_bounds__
  std::uint32_t registers = 0;       ///< an estimate (PTX does not say): live 32-bit registers at the fullest point
  int ptx_version = 75;              ///< of the target: sm_75 is 75
};

/// Files of the CUDA toolkit: what is said goes to the line of the user that called into them.
bool is_toolkit_file(const std::string& path);

class Module {
 public:
  /// Places and initialises variables. Throws Refusal. `memory` must outlive the module.
  Module(ptx::Module text, Memory& memory);
  ~Module();  // releases the variables
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  bool has_kernel(const std::string& name) const;
  /// `name` must be a kernel of this module.
  const KernelInfo& info(const std::string& name) const;
  /// Decodes at the first call. Throws Refusal, naming PTX line and source line, when the kernel or a function that
  /// it may call holds an instruction that cannot be executed exactly.
  const Program& program(const std::string& name);

  /// A variable of module scope (.global or .const), or nullptr.
  const Allocation* variable(const std::string& name) const;

  const ptx::Module& text() const { return *text_; }

 private:
  struct State;
  std::unique_ptr<ptx::Module> text_;
  std::unique_ptr<State> state_;
};

}  // namespace cudasim
