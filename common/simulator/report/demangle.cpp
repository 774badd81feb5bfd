// SPDX-License-Identifier: MIT
// Names through the C++ runtime's own demangler.
#include "report/demangle.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace cudasim {
namespace {

/// nvcc puts what is `static` in a file into a namespace of that file: _INTERNAL_13618fa1_6_file_cu_f8c95997.
void drop_file_namespaces(std::string& text) {
  const std::string begin = "_INTERNAL_";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    std::size_t end = at;
    while (end < text.size() && is_letter(static_cast<unsigned char>(text[end]))) ++end;
    if (text.compare(end, 2, "::") == 0) {
      text.erase(at, end + 2 - at);
    } else {
      at = end;
    }
  }
}

}  // namespace

std::string demangle(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  if (status != 0 || text == nullptr) return name;
  std::string readable = text.get();
  drop_file_namespaces(readable);
  return readable;
}

}  // namespace cudasim
