// SPDX-License-Identifier: MIT
#include "linked_runtime/symbol.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace cudasim {
namespace {

/// The names lie behind the symbols.
ElfW(Sym) * find_symbol(std::uint64_t begin, const ElfW(Dyn) * dynamic, const char* wanted) {
  std::uint64_t symbols = 0, names = 0;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == DT_SYMTAB) symbols = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_STRTAB) names = dynamic->d_un.d_ptr;
  }
  if (symbols < begin || names < symbols) return nullptr;
  auto* const first = reinterpret_cast<ElfW(Sym)*>(symbols);
  for (std::size_t i = 0; i < (names - symbols) / sizeof *first; ++i) {
    const bool is_found = std::strcmp(reinterpret_cast<const char*>(names) + first[i].st_name, wanted) == 0;
    if (is_found && first[i].st_shndx != SHN_UNDEF) return first + i;
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

void* replace_function(std::uint64_t begin, const char* name, void* by) {
  const ElfW(Dyn)* const dynamic = dynamic_of(begin);
  ElfW(Sym)* const symbol = dynamic != nullptr ? find_symbol(begin, dynamic, name) : nullptr;
  if (symbol == nullptr) return nullptr;
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto place = reinterpret_cast<std::uint64_t>(symbol);
  auto* const page = reinterpret_cast<void*>(place / page_bytes * page_bytes);
  if (mprotect(page, place % page_bytes + sizeof *symbol, PROT_READ | PROT_WRITE) != 0) return nullptr;
  void* const own = reinterpret_cast<void*>(begin + symbol->st_value);
  symbol->st_value = reinterpret_cast<std::uint64_t>(by) - begin;
  mprotect(page, place % page_bytes + sizeof *symbol, PROT_READ);
  return own;
}

}  // namespace cudasim
