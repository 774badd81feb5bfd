// SPDX-License-Identifier: MIT
// An inlined `.loc` names its call site by file, line and column only. The `.loc` of the call site stands before it, so
// the most recent one with these numbers continues the chain. If a call site was itself inlined into several places,
// that can be the wrong one of them: the text does not tell them apart.
#include "ptx/locations.h"

#include <limits>

namespace cudasim::ptx {
namespace {

// Beyond this depth a call site is taken as an outermost one. C++ templates inline to a depth of 40 or so.
constexpr std::uint32_t kDeepestChain = 200;
// A name is stored with each location that has it: nvcc's are some hundred bytes long.
constexpr std::size_t kLongestNameBytes = 64 * 1024;
constexpr std::uint64_t kNamesBytesForEachByteOfText = 64;

std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == '"');
    result += text[escaped ? ++i : i];
  }
  return result;
}

}  // namespace

std::size_t LocationReader::Hash::operator()(const Place& place) const {
  const std::uint64_t key = (static_cast<std::uint64_t>(place.line) << 32) ^
                            (static_cast<std::uint64_t>(place.file) << 16) ^ static_cast<std::uint64_t>(place.column);
  return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ull) >> 16);
}

std::size_t LocationReader::Hash::operator()(const Entry& entry) const {
  std::size_t hash = (*this)(entry.place) * 31 + (*this)(entry.site);
  hash = hash * 31 + std::hash<std::string_view>()(entry.label);
  return hash * 31 + static_cast<std::size_t>(entry.inlined_at + 1) +
         static_cast<std::size_t>(entry.label_offset) * 131;
}

void LocationReader::parse_file() {
  const auto key = cursor_.expect_integer("a number after .file", std::numeric_limits<std::int32_t>::max());
  const Token name = cursor_.expect(TokenKind::string, "the name of a file");
  context_.module.files.emplace_back(static_cast<std::int32_t>(key), unescape(name.text));
  while (cursor_.at(",") && cursor_.peek_next().kind == TokenKind::number) {  // time of change, size
    cursor_.take();
    cursor_.take();
  }
}

LocationReader::Place LocationReader::parse_place(std::string_view what) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int32_t>::max();
  Place place;
  place.file = static_cast<std::int32_t>(cursor_.expect_integer("the file number of " + std::string(what), kLargest));
  place.line = static_cast<std::int32_t>(cursor_.expect_integer("the line of " + std::string(what), kLargest));
  place.column = static_cast<std::int32_t>(cursor_.expect_integer("the column of " + std::string(what), kLargest));
  return place;
}

std::int32_t LocationReader::parse_loc() {
  Entry entry;
  entry.ptx_line = cursor_.peek().line;
  entry.place = parse_place(".loc");
  bool inlined = false;
  while (cursor_.accept(",")) {
    if (cursor_.accept("function_name")) {
      entry.label = cursor_.expect_name("the label of a function's name");
      entry.label_offset = static_cast<std::uint64_t>(parse_displacement(cursor_));
    } else if (cursor_.accept("inlined_at")) {
      entry.site = parse_place("inlined_at");
      inlined = true;
    } else {
      cursor_.fail_expected("'function_name' or 'inlined_at' in .loc");
    }
  }
  if (inlined) {
    const std::int32_t site = find_call_site(entry);
    for (std::int32_t i = site; i >= 0; i = entries_[static_cast<std::size_t>(i)].inlined_at) {
      const Entry& above = entries_[static_cast<std::size_t>(i)];
      if (above.inlined_at < 0 || !above.same_text(entry)) continue;
      most_recent_[entry.place] = i;  // a function inlined into itself: the same line again, not one level deeper
      return i;
    }
    entry.inlined_at = site;
    entry.depth = entries_[static_cast<std::size_t>(site)].depth + 1;
  }
  return add(entry);
}

std::int32_t LocationReader::find_call_site(const Entry& entry) {
  const auto found = most_recent_.find(entry.site);
  if (found != most_recent_.end() && entries_[static_cast<std::size_t>(found->second)].depth < kDeepestChain) {
    return found->second;
  }
  Entry site;
  site.place = entry.site;
  return add(site);
}

std::int32_t LocationReader::add(const Entry& entry) {
  const auto index = static_cast<std::int32_t>(entries_.size());
  const auto [known, is_new] = known_.emplace(entry, index);
  most_recent_[entry.place] = known->second;
  if (!is_new) return known->second;
  entries_.push_back(entry);
  Location location;
  location.file = entry.place.file;
  location.line = entry.place.line;
  location.column = entry.place.column;
  location.inlined_at = entry.inlined_at;
  context_.module.locations.push_back(location);
  return index;
}

void LocationReader::begin_function() {
  known_.clear();
  most_recent_.clear();
}

void LocationReader::parse_section() {
  bool holds_strings = false;
  while (!cursor_.at("{")) {
    if (cursor_.at(TokenKind::end) || cursor_.at("}") || cursor_.at(";")) cursor_.fail_expected("'{' after .section");
    holds_strings = cursor_.take().text == ".debug_str" || holds_strings;
  }
  cursor_.take();
  if (holds_strings) return parse_strings();
  for (int depth = 1; depth > 0;) {
    if (cursor_.at(TokenKind::end)) cursor_.fail_expected("'}' at the end of a section");
    if (cursor_.at("{")) ++depth;
    if (cursor_.at("}")) --depth;
    cursor_.take();
  }
}

void LocationReader::parse_strings() {
  while (!cursor_.accept("}")) {
    if (cursor_.at(TokenKind::word)) {
      string_labels_.emplace(cursor_.take().text, strings_.size());
      cursor_.expect(":", "after a label in .debug_str");
      continue;
    }
    const Type type = type_of(cursor_.peek());
    if (type == Type::none) cursor_.fail_expected("a label, .b8 or '}' in .debug_str");
    cursor_.take();
    do {
      const std::uint64_t value = cursor_.expect_integer("a number in .debug_str");
      for (unsigned byte = 0; byte < size_of(type); ++byte) {
        strings_ += byte < 8 ? static_cast<char>((value >> (8 * byte)) & 0xff) : '\0';
      }
    } while (cursor_.accept(","));
  }
}

std::string LocationReader::function_name(const Entry& entry) const {
  const auto label = string_labels_.find(entry.label);
  const auto line = static_cast<int>(entry.ptx_line);
  if (label == string_labels_.end()) {
    throw SyntaxError(line, "the label " + quote(entry.label) + " of a function's name is not defined in .debug_str");
  }
  const std::uint64_t room = strings_.size() - label->second;
  if (entry.label_offset >= room) throw SyntaxError(line, "the function's name lies outside .debug_str");
  const std::size_t begin = label->second + static_cast<std::size_t>(entry.label_offset);
  const std::size_t end = strings_.find('\0', begin);
  const std::size_t length = (end == std::string::npos ? strings_.size() : end) - begin;
  if (length > kLongestNameBytes) throw SyntaxError(line, "a function's name of " + std::to_string(length) + " bytes");
  return strings_.substr(begin, length);
}

void LocationReader::resolve_functions() {
  std::uint64_t bytes_left = context_.text_bytes * kNamesBytesForEachByteOfText;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].label.empty()) continue;
    std::string name = function_name(entries_[i]);
    if (name.size() > bytes_left)
      throw SyntaxError(static_cast<int>(entries_[i].ptx_line), "too many long function names");
    bytes_left -= name.size();
    context_.module.locations[i].function = std::move(name);
  }
}

}  // namespace cudasim::ptx
