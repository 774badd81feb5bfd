// SPDX-License-Identifier: MIT
// What the host keeps at an address with which a kernel cannot do anything.
#pragma once

#include "runtime/runtime.h"

namespace cudasim {

/// A finding at an address that is near no allocation: says whose it is, where it is the host's.
void name_host_memory(const Runtime& runtime, Finding& finding);

}  // namespace cudasim
