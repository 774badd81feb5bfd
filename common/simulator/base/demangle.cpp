// SPDX-License-Identifier: MIT
// Names through the C++ runtime's own demangler.
#include "base/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace cudasim {
namespace {

/// nvcc puts the `static` names of a file into a namespace of that file: _INTERNAL_13618fa1_6_file_cu_f8c95997.
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

void drop_template_arguments(std::string& text) {
  for (;;) {
    const auto close = text.find('>');
    const auto open = text.rfind('<', close);
    if (close == std::string::npos || open == std::string::npos) return;
    text.erase(open, close + 1 - open);
  }
}

/// The libraries' inline namespaces: cuda::std::__4, cub::CUB_300001_SM_750.
void drop_version_namespaces(std::string& text) {
  for (std::size_t at = text.find("::"); at != std::string::npos; at = text.find("::", at)) {
    const auto begins = [&](const char* with) { return text.compare(at + 2, std::strlen(with), with) == 0; };
    const bool number = begins("__") && at + 4 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 4]));
    const auto end = text.find("::", at + 2);
    if (end != std::string::npos && (number || begins("CUB_") || begins("THRUST_"))) {
      text.erase(at, end - at);
    } else {
      at += 2;
    }
  }
}

/// A compiler's marks on a name: `add[abi:v1]`. Numba puts the whole of its options there.
void drop_abi_tags(std::string& text) {
  for (std::size_t at = text.find("[abi:"); at != std::string::npos; at = text.find("[abi:", at)) {
    const std::size_t end = text.find(']', at);
    if (end == std::string::npos) return;
    text.erase(at, end + 1 - at);
  }
}

/// nvcc numbers the shared variables of functions that it inlines: _ZZ9draw_tilevE4turn_$_0. The PTX parser makes names
/// unique by "#shared2".
std::size_t end_of_name(const std::string& name) {
  const auto mark = std::min(name.find("_$_"), name.find('#'));
  return std::min(mark, name.size());
}

}  // namespace

std::string demangle(const std::string& given) {
  if (given.rfind("_Z", 0) != 0) return given;
  const std::string name = given.substr(0, end_of_name(given));
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  if (status != 0 || text == nullptr) return given;
  std::string readable = text.get();
  drop_file_namespaces(readable);
  drop_abi_tags(readable);
  return readable;
}

std::string short_name(const std::string& name) {
  std::string text = demangle(name);
  if (text.find("::") == std::string::npos) return text;
  drop_template_arguments(text);
  drop_version_namespaces(text);
  const std::size_t last = std::min(text.find("operator"), text.find('('));  // a result type may stand before it
  const std::size_t space = text.rfind(' ', last);
  const std::size_t begin = space == std::string::npos ? 0 : space + 1;
  return text.substr(begin, text.find('(', last) - begin) + "()";
}

std::string variable_name(const std::string& mangled) {
  std::string name = demangle(mangled);
  const auto scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string function_of_variable(const std::string& mangled) {
  if (mangled.rfind("_ZZ", 0) != 0) return "";
  std::string name = demangle(mangled);
  const auto scope = name.rfind("::");
  if (name == mangled || scope == std::string::npos) return "";
  name.resize(scope);
  const std::string unnamed = "(anonymous namespace)::";
  for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  drop_template_arguments(name);
  name.resize(std::min(name.find('('), name.size()));
  const auto space = name.rfind(' ');  // behind a result type
  return name.substr(space == std::string::npos ? 0 : space + 1) + "()";
}

}  // namespace cudasim
