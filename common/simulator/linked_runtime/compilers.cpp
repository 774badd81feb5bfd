// SPDX-License-Identifier: MIT
#include "linked_runtime/compilers.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "linked_runtime/symbol.h"

namespace cudasim {
namespace {

constexpr const char* kLines = "-lineinfo";

/// Adds the option to a variable that holds options.
void append(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::string options = value != nullptr ? value : "";
  if (options.find(kLines) != std::string::npos) return;
  setenv(variable, (options.empty() ? kLines : options + ' ' + kLines).c_str(), 1);
}

using Compile = int (*)(void* program, int count, const char* const* options);
Compile compile = nullptr;  // NVRTC's own

int compile_with_lines(void* program, int count, const char* const* options) {
  if (options == nullptr || count < 0) return compile(program, count, options);
  std::vector<const char*> all(options, options + count);
  const auto has_lines = [](const char* option) {
    if (option == nullptr) return true;  // an error, which NVRTC reports
    for (const char* word : {kLines, "--generate-line-info", "-G", "--device-debug", "-dlto", "--dlink-time-opt"}) {
      if (std::strcmp(option, word) == 0) return true;
    }
    return false;
  };
  if (std::none_of(all.begin(), all.end(), has_lines)) all.push_back(kLines);
  return compile(program, static_cast<int>(all.size()), all.data());
}

}  // namespace

void ask_nvcc_for_lines() {
  append("NVCC_APPEND_FLAGS");
  append("PYCUDA_DEFAULT_NVCC_FLAGS");  // with it, PyCUDA finds no machine code of before in its cache
}

void ask_nvrtc_for_lines(std::uint64_t begin, const char* file) {
  if (compile != nullptr || std::strstr(file, "libnvrtc.so") == nullptr) return;
  void* const other = reinterpret_cast<void*>(&compile_with_lines);
  compile = reinterpret_cast<Compile>(replace_function(begin, "nvrtcCompileProgram", other));
}

}  // namespace cudasim
