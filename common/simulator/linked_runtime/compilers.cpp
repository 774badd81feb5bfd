// SPDX-License-Identifier: MIT
#include "linked_runtime/compilers.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

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

/// A symbol of a library in memory, by its name. The names lie behind the symbols.
ElfW(Sym) * find_symbol(std::uint64_t begin, const ElfW(Dyn) * dynamic, const char* wanted) {
  std::uint64_t symbols = 0, names = 0;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == DT_SYMTAB) symbols = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_STRTAB) names = dynamic->d_un.d_ptr;
  }
  if (symbols < begin || names < symbols) return nullptr;
  auto* const first = reinterpret_cast<ElfW(Sym)*>(symbols);
  for (std::size_t i = 0; i < (names - symbols) / sizeof *first; ++i) {
    if (std::strcmp(reinterpret_cast<const char*>(names) + first[i].st_name, wanted) == 0) return first + i;
  }
  return nullptr;
}

const ElfW(Dyn) * dynamic_of(std::uint64_t begin) {
  const auto* const header = reinterpret_cast<const ElfW(Ehdr)*>(begin);
  const auto* const segments = reinterpret_cast<const ElfW(Phdr)*>(begin + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == PT_DYNAMIC) return reinterpret_cast<const ElfW(Dyn)*>(begin + segments[i].p_vaddr);
  }
  return nullptr;
}

}  // namespace

void ask_nvcc_for_lines() {
  append("NVCC_APPEND_FLAGS");
  append("PYCUDA_DEFAULT_NVCC_FLAGS");  // with it, PyCUDA finds no machine code of before in its cache
}

void ask_nvrtc_for_lines(std::uint64_t begin, const char* file) {
  if (compile != nullptr || std::strstr(file, "libnvrtc.so") == nullptr) return;
  const ElfW(Dyn)* const dynamic = dynamic_of(begin);
  ElfW(Sym)* const symbol = dynamic != nullptr ? find_symbol(begin, dynamic, "nvrtcCompileProgram") : nullptr;
  if (symbol == nullptr) return;
  // Whoever asks the library for this function from now on gets the other one.
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto place = reinterpret_cast<std::uint64_t>(symbol);
  auto* const page = reinterpret_cast<void*>(place / page_bytes * page_bytes);
  if (mprotect(page, place % page_bytes + sizeof *symbol, PROT_READ | PROT_WRITE) != 0) return;
  compile = reinterpret_cast<Compile>(begin + symbol->st_value);
  symbol->st_value = reinterpret_cast<std::uint64_t>(&compile_with_lines) - begin;
  mprotect(page, place % page_bytes + sizeof *symbol, PROT_READ);
}

}  // namespace cudasim
