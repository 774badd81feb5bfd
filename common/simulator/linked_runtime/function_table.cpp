// SPDX-License-Identifier: MIT
#include "linked_runtime/function_table.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace cudasim {
namespace {

/// A file of which parts are read. A part that does not lie in the file is empty.
class File {
 public:
  explicit File(const char* path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (descriptor_ >= 0 && fstat(descriptor_, &status) == 0) bytes_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  template <class Row>
  std::vector<Row> read(std::uint64_t offset, std::uint64_t count) const {
    if (count > bytes_ / sizeof(Row) || offset > bytes_ - count * sizeof(Row)) return {};
    std::vector<Row> rows(count);
    const auto wanted = static_cast<ssize_t>(count * sizeof(Row));
    if (pread(descriptor_, rows.data(), static_cast<std::size_t>(wanted), static_cast<off_t>(offset)) != wanted)
      return {};
    return rows;
  }

 private:
  int descriptor_;
  std::uint64_t bytes_ = 0;
};

/// The text at an offset of a string table; "" outside of it.
const char* text_at(const std::vector<char>& names, std::uint32_t offset) {
  if (offset >= names.size() || std::memchr(&names[offset], 0, names.size() - offset) == nullptr) return "";
  return &names[offset];
}

bool is_of_cuda(const char* name) {
  return std::strncmp(name, "cuda", 4) == 0 || std::strncmp(name, "__cuda", 6) == 0 ||
         std::strcmp(name, kRegistersKernels) == 0 || std::strcmp(name, kRegistersLinked) == 0;
}

std::vector<Elf64_Shdr> read_sections(const File& file) {
  const std::vector<Elf64_Ehdr> header = file.read<Elf64_Ehdr>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != ELFCLASS64 || header[0].e_shentsize != sizeof(Elf64_Shdr))
    return {};
  return file.read<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
}

}  // namespace

std::vector<LinkedFunction> cuda_functions(const char* path) {
  const File file(path);
  const std::vector<Elf64_Shdr> sections = read_sections(file);
  const auto table = std::find_if(sections.begin(), sections.end(),
                                  [](const Elf64_Shdr& section) { return section.sh_type == SHT_SYMTAB; });
  if (table == sections.end() || table->sh_link >= sections.size()) return {};
  const Elf64_Shdr& strings = sections[table->sh_link];
  const std::vector<Elf64_Sym> symbols = file.read<Elf64_Sym>(table->sh_offset, table->sh_size / sizeof(Elf64_Sym));
  const std::vector<char> names = file.read<char>(strings.sh_offset, strings.sh_size);

  std::vector<std::uint64_t> begins;  // of all code
  std::vector<LinkedFunction> found;
  for (const Elf64_Sym& symbol : symbols) {
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= sections.size()) continue;
    const Elf64_Shdr& code = sections[symbol.st_shndx];
    if ((code.sh_flags & SHF_EXECINSTR) == 0) continue;
    begins.push_back(symbol.st_value);
    const bool is_own =
        ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || ELF64_ST_VISIBILITY(symbol.st_other) != STV_DEFAULT;
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || !is_own || !is_of_cuda(text_at(names, symbol.st_name))) continue;
    const std::uint64_t end = code.sh_addr + code.sh_size;
    if (symbol.st_value < code.sh_addr || symbol.st_value >= end) continue;
    found.push_back({text_at(names, symbol.st_name), symbol.st_value, end - symbol.st_value});
  }
  std::sort(begins.begin(), begins.end());
  for (LinkedFunction& function : found) {
    const auto next = std::upper_bound(begins.begin(), begins.end(), function.offset);
    if (next != begins.end()) function.room = std::min(function.room, *next - function.offset);
  }
  std::sort(found.begin(), found.end(),
            [](const LinkedFunction& one, const LinkedFunction& other) { return one.offset < other.offset; });
  return found;
}

}  // namespace cudasim
