// SPDX-License-Identifier: MIT
// Several PTX texts that were compiled apart (nvcc -rdc=true) become one, as NVIDIA's linker does it with machine code.
#pragma once

#include <stdexcept>
#include <vector>

#include "ptx/module.h"

namespace cudasim::ptx {

/// Two modules define the same name, or together they need more constant memory than there is. `what()` names it.
class LinkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One module with the variables and functions of all `modules`, which must be at least one. The rules are those of PTX
/// ISA, section 11.6:
///
/// * A declaration that is .extern means what another module defines as .visible or .weak.
/// * Among several .weak definitions the first one counts, and a .visible one goes before them.
/// * A name without any of these is known in its own module alone. It gets another name where two modules use it.
/// * A name without a definition stays declared.
///
/// Throws LinkError.
Module link(std::vector<Module> modules);

}  // namespace cudasim::ptx
