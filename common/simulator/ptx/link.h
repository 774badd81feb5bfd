// SPDX-License-Identifier: MIT
// Several PTX texts that were compiled apart (nvcc -rdc=true) made one, as NVIDIA's linker does it with machine code.
#pragma once

#include <stdexcept>
#include <vector>

#include "ptx/module.h"

namespace cudasim::ptx {

/// Two modules define the same name. `what()` names it.
class LinkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One module with the variables and functions of all, which must be at least one. PTX ISA, section 11.6: a declaration
/// that is .extern means what another module defines as .visible or .weak; of several definitions that are .weak the
/// first one counts, and a .visible one before them; a name without any of these is known in its own module alone, and
/// is given another one where two modules use it. What nobody defines stays declared. Throws LinkError.
Module link(std::vector<Module> modules);

}  // namespace cudasim::ptx
