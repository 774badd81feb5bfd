// SPDX-License-Identifier: MIT
// A loaded module: PTX, its variables placed in device memory, and its kernels, decoded when first launched.
#pragma once

#include <memory>
#include <string>

#include "base/finding.h"
#include "memory/memory.h"
#include "program/kernel_info.h"
#include "ptx/module.h"

namespace cudasim {

struct Program;  // a decoded kernel: program/program.h

class Module {
 public:
  /// Places and initialises variables. Throws Refusal, and ptx::LinkError for too
  /// much constant memory. `memory` must outlive the module.
  Module(ptx::Module text, Memory& memory);
  ~Module();  // releases the variables
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  bool has_kernel(const std::string& name) const;
  /// The most registers of each kernel, from now on: an option of the JIT compiler. 0: as many as it needs.
  void limit_registers(std::uint32_t most);
  /// `name` must be a kernel of this module.
  const KernelInfo& info(const std::string& name) const;
  /// Decodes at the first call. Throws Refusal when the kernel, or a function that it may call, holds an instruction
  /// that cannot be executed exactly. The message names PTX line and source line.
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
