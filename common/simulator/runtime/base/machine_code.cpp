// SPDX-License-Identifier: MIT
// ELF and DWARF 2 and 3, as much as is needed. The input is untrusted: each read checks its place, and what is outside
// reads as 0.
#include "runtime/base/machine_code.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace cudasim {
namespace {

/// Bytes that are read one after the other. What lies behind the end reads as 0.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  Number take() {
    Number value{};
    if (bytes_.size() - at_ < sizeof value) {
      at_ = bytes_.size();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint64_t take_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !is_at_end(); shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      last_leb_bits_ = shift + 7;
      is_leb_negative_ = (byte & 0x40) != 0;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  /// A number below 0 is as far below 2^64.
  std::uint64_t take_signed_leb() {
    const std::uint64_t value = take_leb();
    return is_leb_negative_ && last_leb_bits_ < 64 ? value | (~std::uint64_t{0} << last_leb_bits_) : value;
  }
  std::string_view take_text() {
    const std::string_view text = bytes_.substr(at_, bytes_.find('\0', at_) - at_);
    at_ = at_ + text.size() < bytes_.size() ? at_ + text.size() + 1 : bytes_.size();
    return text;
  }
  void skip(std::uint64_t bytes) { at_ = bytes < bytes_.size() - at_ ? at_ + bytes : bytes_.size(); }
  void go_to(std::size_t place) { at_ = place < bytes_.size() ? place : bytes_.size(); }
  std::size_t place() const { return at_; }
  bool is_at_end() const { return at_ >= bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  unsigned last_leb_bits_ = 0;
  bool is_leb_negative_ = false;
};

std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return bytes.substr(offset, size);
}

struct Section {
  std::string_view bytes;
  std::uint32_t type = 0;
};
using Sections = std::map<std::string_view, Section>;

struct Header {
  std::uint64_t program_headers, section_headers;
  std::uint16_t program_bytes, program_count, section_bytes, section_count, names;
};
Header read_header(std::string_view image) {
  ByteReader in(image);
  Header header{};
  in.go_to(32);
  header.program_headers = in.take<std::uint64_t>();
  header.section_headers = in.take<std::uint64_t>();
  in.go_to(54);
  header.program_bytes = in.take<std::uint16_t>();
  header.program_count = in.take<std::uint16_t>();
  header.section_bytes = in.take<std::uint16_t>();
  header.section_count = in.take<std::uint16_t>();
  header.names = in.take<std::uint16_t>();
  return header;
}

Sections read_sections(std::string_view image) {
  const Header header = read_header(image);
  const std::string_view table =
      part(image, header.section_headers, std::uint64_t{header.section_bytes} * header.section_count);
  struct Entry {
    std::uint32_t name, type;
    std::string_view bytes;
  };
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < header.section_count && !table.empty(); ++i) {
    ByteReader in(part(table, i * header.section_bytes, header.section_bytes));
    const auto name = in.take<std::uint32_t>();
    const auto type = in.take<std::uint32_t>();
    in.go_to(24);
    const auto offset = in.take<std::uint64_t>();
    entries.push_back({name, type, part(image, offset, in.take<std::uint64_t>())});
  }
  Sections sections;
  if (header.names >= entries.size()) return sections;
  const std::string_view names = entries[header.names].bytes;
  for (const Entry& entry : entries) {
    ByteReader in(names);
    in.go_to(entry.name);
    sections.emplace(in.take_text(), Section{entry.bytes, entry.type});
  }
  return sections;
}

/// The symbol, a function, to which an address in that section belongs, by the address's place.
std::map<std::uint64_t, std::uint64_t> relocations_of(const Sections& sections, const std::string& section) {
  std::map<std::uint64_t, std::uint64_t> symbols;
  for (const std::size_t size : {16u, 24u}) {  // without an addend, and with one
    const auto found = sections.find((size == 16 ? ".rel" : ".rela") + section);
    if (found == sections.end()) continue;
    for (ByteReader in(found->second.bytes); !in.is_at_end();) {
      const std::size_t begin = in.place();
      const auto place = in.take<std::uint64_t>();
      symbols[place] = in.take<std::uint64_t>() >> 32;
      in.go_to(begin + size);
    }
  }
  return symbols;
}

struct Row {
  std::uint64_t file = 0;
  std::uint64_t line = 0;
};
/// A line table: by function and address.
struct Lines {
  std::vector<std::string> files;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Row> rows;
};

/// The machine of DWARF, section 6.2, over the program of one unit.
void run_line_program(ByteReader& in, const std::map<std::uint64_t, std::uint64_t>& symbols, Lines& lines) {
  const auto unit_header_bytes = in.take<std::uint32_t>();
  const std::size_t program = in.place() + unit_header_bytes;
  const auto address_step = in.take<std::uint8_t>();
  in.take<std::uint8_t>();
  const auto line_base = in.take<std::int8_t>();
  const auto line_range = in.take<std::uint8_t>();
  const auto first_special = in.take<std::uint8_t>();
  std::vector<std::uint8_t> operands(first_special, 0);
  for (unsigned i = 1; i < first_special; ++i) operands[i] = in.take<std::uint8_t>();
  std::vector<std::string> folders(1);
  for (std::string_view name; !(name = in.take_text()).empty();) folders.push_back(std::string(name) + '/');
  const std::size_t first_file = lines.files.size();
  for (std::string_view name; !(name = in.take_text()).empty();) {
    const std::uint64_t folder = in.take_leb();
    in.take_leb();
    in.take_leb();
    lines.files.push_back((folder < folders.size() && name.front() != '/' ? folders[folder] : "") + std::string(name));
  }
  in.go_to(program);
  std::uint64_t function = 0, address = 0;
  Row row{1, 1};
  const auto keep = [&] { lines.rows[{function, address}] = {first_file + row.file, row.line}; };
  while (!in.is_at_end()) {
    const auto code = in.take<std::uint8_t>();
    if (code >= first_special && line_range != 0) {
      address += static_cast<std::uint64_t>((code - first_special) / line_range) * address_step;
      row.line += static_cast<std::uint64_t>(line_base + (code - first_special) % line_range);
      keep();
    } else if (code == 0) {
      const std::uint64_t size = in.take_leb();
      const std::size_t begin = in.place();
      ByteReader behind = in;
      behind.skip(size);
      const auto extended = in.take<std::uint8_t>();
      if (extended == 1) row = {1, 1};
      if (extended == 2) {
        const auto found = symbols.find(begin + 1);
        function = found == symbols.end() ? 0 : found->second;
        address = in.take<std::uint64_t>();
      }
      in = behind;
    } else if (code == 1) {
      keep();
    } else if (code == 2) {
      address += in.take_leb() * address_step;
    } else if (code == 3) {
      row.line += in.take_signed_leb();
    } else if (code == 4) {
      row.file = in.take_leb();
    } else if (code == 8 && line_range != 0) {
      address += std::uint64_t{(255u - first_special) / line_range} * address_step;
    } else if (code == 9) {
      address += in.take<std::uint16_t>();
    } else if (code < operands.size()) {
      for (unsigned i = 0; i < operands[code]; ++i) in.take_leb();
    }
  }
}

Lines read_lines(const Sections& sections, const std::string& section) {
  Lines lines;
  const auto found = sections.find(section);
  if (found == sections.end()) return lines;
  const auto symbols = relocations_of(sections, section);
  for (ByteReader in(found->second.bytes); !in.is_at_end();) {
    const auto size = in.take<std::uint32_t>();
    const std::size_t end = in.place() + size;
    const auto version = in.take<std::uint16_t>();
    if (size == 0 || version < 2 || version > 3) break;   // nvcc 13.0 writes the second, NVRTC 13.5 the third
    ByteReader unit(found->second.bytes.substr(0, end));  // what is behind it is another unit's
    unit.go_to(in.place());
    run_line_program(unit, symbols, lines);
    in.go_to(end);
  }
  return lines;
}

/// Lines of PTX to rows of the source.
std::map<std::uint64_t, Row> sources_of_ptx(const Lines& ptx, const Lines& source) {
  std::map<std::uint64_t, Row> found;
  for (const auto& [at, row] : ptx.rows) {
    auto above = source.rows.upper_bound(at);
    if (above == source.rows.begin() || (--above)->first.first != at.first) continue;
    found.try_emplace(row.line, above->second);
  }
  return found;
}

}  // namespace

std::size_t machine_code_bytes(std::string_view image) {
  if (image.size() < 64 || ByteReader(image).take<std::uint32_t>() != kElfMagic) return 0;
  const Header header = read_header(image);
  const std::uint64_t sections = header.section_headers + std::uint64_t{header.section_bytes} * header.section_count;
  const std::uint64_t programs = header.program_headers + std::uint64_t{header.program_bytes} * header.program_count;
  const std::uint64_t size = sections > programs ? sections : programs;
  return size < std::uint64_t{1} << 40 ? size : 0;
}

std::string ptx_of_machine_code(std::string_view image) {
  const Sections sections = read_sections(image);
  const auto found = sections.find(".nv_debug_ptx_txt");
  if (found == sections.end() || found->second.type == 8) return "";
  const Lines source = read_lines(sections, ".debug_line");
  const auto known = sources_of_ptx(read_lines(sections, ".nv_debug_line_sass"), source);
  std::string text;
  std::uint64_t number = 1;
  bool is_in_function = false;
  for (ByteReader in(found->second.bytes); !in.is_at_end(); ++number) {
    const std::string_view line = in.take_text();
    // An empty line stands where a .loc was. What follows it, up to the next one, has one line of the source.
    if (line == "{" || line == "}") is_in_function = line == "{";
    if (line.empty() && is_in_function) {
      const auto next = known.upper_bound(number);
      if (next != known.end())
        text += ".loc " + std::to_string(next->second.file) + ' ' + std::to_string(next->second.line) + " 0";
    }
    text.append(line) += '\n';
  }
  for (std::size_t i = 0; i < source.files.size(); ++i)
    text += ".file " + std::to_string(i + 1) + " \"" + source.files[i] + "\"\n";
  return text;
}

}  // namespace cudasim
