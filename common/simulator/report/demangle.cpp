// SPDX-License-Identifier: MIT
// Names through the C++ runtime's own demangler.
#include "report/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace cudasim {

std::string demangle(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

}  // namespace cudasim
