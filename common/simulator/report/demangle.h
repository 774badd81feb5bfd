// SPDX-License-Identifier: MIT
// Names as a programmer wrote them.
#pragma once

#include <string>

namespace cudasim {

/// "reduce(float*, int)" for "_Z6reducePfi"; a name that is not mangled comes back as it is.
std::string demangle(const std::string& name);

}  // namespace cudasim
