// SPDX-License-Identifier: MIT
// Reading and rewriting the comment of a PTX case.
#include "case_file.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace ptx_case {
namespace {

[[noreturn]] void fail(const Case& test, std::size_t line, const std::string& what) {
  throw std::runtime_error(test.path + ":" + std::to_string(line + 1) + ": " + what);
}

Value parse_value(const Case& test, std::size_t line, const std::string& text) {
  if (text.size() != 8 && text.size() != 16) fail(test, line, "'" + text + "' is not 8 or 16 hexadecimal digits");
  Value value;
  value.size_bytes = static_cast<unsigned>(text.size() / 2);
  if (text.find_first_not_of('?') == std::string::npos) {
    value.is_known = false;
    return value;
  }
  if (text.find_first_not_of("0123456789abcdef") != std::string::npos)
    fail(test, line, "'" + text + "' is not a lower-case hexadecimal number");
  value.bits = std::stoull(text, nullptr, 16);
  return value;
}

/// "label : 00000001 00000002*31"; the label may be missing.
Line parse_values(const Case& test, std::size_t line, const std::string& text) {
  Line result;
  result.text_line = line;
  std::string values = text;
  const auto colon = text.rfind(" : ");
  if (colon != std::string::npos) {
    result.label = text.substr(0, text.find_last_not_of(' ', colon) + 1);
    values = text.substr(colon + 3);
  }
  std::istringstream words(values);
  for (std::string word; words >> word;) {
    const auto star = word.find('*');
    std::size_t count = 1;
    if (star != std::string::npos) {
      try {
        count = std::stoul(word.substr(star + 1));
      } catch (const std::exception&) {
        fail(test, line, "'" + word + "' does not say how often the value is repeated");
      }
    }
    result.values.insert(result.values.end(), count, parse_value(test, line, word.substr(0, star)));
  }
  return result;
}

Extent parse_extent(const Case& test, std::size_t line, const std::string& text) {
  Extent extent;
  if (std::sscanf(text.c_str(), "%ux%ux%u", &extent.x, &extent.y, &extent.z) < 1)
    fail(test, line, "'" + text + "' is not a size like 32 or 8x4x1");
  return extent;
}

void parse_launch(Case& test, std::size_t line, const std::string& text) {
  std::istringstream words(text);
  for (std::string key, value; words >> key;) {
    if (!(words >> value)) fail(test, line, "'" + key + "' has no value");
    if (key == "grid") {
      test.grid = parse_extent(test, line, value);
    } else if (key == "block") {
      test.block = parse_extent(test, line, value);
    } else if (key == "shared") {
      test.shared_bytes = parse_extent(test, line, value).x;
    } else {
      fail(test, line, "'" + key + "' is not grid, block or shared");
    }
  }
}

/// "2 f32", "2 f16x2 absolute 0.001"
void parse_tolerance(Case& test, std::size_t line, const std::string& text) {
  using Type = Tolerance::Type;
  std::istringstream words(text);
  std::string type, absolute;
  Tolerance& t = test.tolerance;
  if (!(words >> t.ulps >> type)) fail(test, line, "a tolerance is a number of ulps and a type");
  if (type.size() > 2 && type.substr(type.size() - 2) == "x2") {
    t.is_packed = true;
    type.resize(type.size() - 2);
  }
  t.type = type == "f16"    ? Type::f16
           : type == "bf16" ? Type::bf16
           : type == "f32"  ? Type::f32
           : type == "f64"  ? Type::f64
                            : Type::none;
  if (t.type == Type::none) fail(test, line, "'" + type + "' is not f16, f16x2, bf16, bf16x2, f32 or f64");
  if ((words >> absolute) && (absolute != "absolute" || !(words >> t.absolute)))
    fail(test, line, "after the type comes nothing, or 'absolute' and a number");
}

/// The header's keys. A line that begins with "//   " continues the key above it.
void parse_entry(Case& test, std::size_t line, const std::string& key, const std::string& text) {
  if (key == "case") {
    test.sentence += (test.sentence.empty() ? "" : " ") + text;
  } else if (key == "launch") {
    parse_launch(test, line, text);
  } else if (key == "rows") {
    test.rows.push_back(text);
  } else if (key == "in") {
    test.in.push_back(parse_values(test, line, text));
  } else if (key == "arguments") {
    test.arguments.push_back(parse_values(test, line, text));
  } else if (key == "out") {
    test.out.push_back(parse_values(test, line, text));
  } else if (key == "ulp") {
    parse_tolerance(test, line, text);
  } else if (key == "masks") {
    std::istringstream words(text);
    for (std::string word; words >> word;)
      test.masks.push_back(static_cast<std::uint32_t>(parse_value(test, line, word).bits));
  } else if (key == "error") {
    test.expected_error = std::stoi(text);
    test.error_line = line;
  }
}

bool is_key(const std::string& word) {
  for (const char* key : {"case", "section", "rows", "launch", "masks", "in", "arguments", "out", "ulp", "error"}) {
    if (word == key) return true;
  }
  return false;
}

void check(const Case& test) {
  if (test.sentence.empty()) fail(test, 0, "there is no '// case:' line");
  if (test.out.empty() && test.expected_error == 0) fail(test, 0, "there is no '// out:' line");
  if (test.masks.empty()) return;
  if (test.masks[0] != ~0u || test.in.empty() || test.in[0].values.empty())
    fail(test, 0, "masks begin with ffffffff, and the first input word is the mask");
  for (const auto& line : test.out) {
    if (line.values.size() != 32 && line.values.size() > 2)
      fail(test, line.text_line, "with masks, a line is 32 values, one a lane, or one or two lane masks");
  }
}

}  // namespace

Case read_case(const std::string& path) {
  Case test;
  test.path = path;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  for (std::string line; std::getline(file, line);) test.text_lines.push_back(line);
  std::string key;
  for (std::size_t i = 0; i < test.text_lines.size(); ++i) {
    const std::string& line = test.text_lines[i];
    if (line.compare(0, 2, "//") != 0) break;
    if (line.compare(0, 5, "//   ") == 0 && !key.empty()) {
      parse_entry(test, i, key, line.substr(line.find_first_not_of(' ', 2)));
      continue;
    }
    const auto colon = line.find(':');
    key = colon != std::string::npos && colon > 3 && is_key(line.substr(3, colon - 3)) ? line.substr(3, colon - 3) : "";
    const auto first = key.empty() ? std::string::npos : line.find_first_not_of(' ', colon + 1);
    if (first != std::string::npos) parse_entry(test, i, key, line.substr(first));
  }
  for (const auto& line : test.text_lines) {
    if (line.compare(0, 11, ".target sm_") == 0) test.target = std::stoi(line.substr(11));
  }
  std::size_t offset = 0;
  for (auto& line : test.out) {
    line.offset_bytes = offset;
    for (const auto& value : line.values) offset += value.size_bytes;
  }
  check(test);
  return test;
}

std::size_t Case::out_bytes() const {
  std::size_t size = 0;
  for (const auto& line : out) {
    for (const auto& value : line.values) size += value.size_bytes;
  }
  return size;
}

std::string Case::ptx() const {
  std::string text;
  for (const auto& line : text_lines) text += line + "\n";
  return text;
}

std::vector<unsigned char> bytes_of(const std::vector<Line>& lines) {
  std::vector<unsigned char> bytes;
  for (const auto& line : lines) {
    for (const auto& value : line.values) {
      for (unsigned i = 0; i < value.size_bytes; ++i)
        bytes.push_back(static_cast<unsigned char>(value.bits >> (8 * i)));
    }
  }
  return bytes;
}

namespace {

std::string write_values(const Line& line, const unsigned char* bytes) {
  std::vector<std::string> words;
  bool all_equal = true;
  for (const auto& value : line.values) {
    char text[20];
    std::string word;
    for (unsigned i = value.size_bytes; i-- > 0;) {
      std::snprintf(text, sizeof text, "%02x", bytes[i]);
      word += text;
    }
    bytes += value.size_bytes;
    all_equal = all_equal && (words.empty() || word == words.front());
    words.push_back(word);
  }
  if (all_equal && words.size() > 2) return words.front() + "*" + std::to_string(words.size());
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

void record(Case& test, const std::vector<unsigned char>& got, int error) {
  if (error != 0) {
    test.text_lines[test.error_line] = "// error: " + std::to_string(error);
  } else {
    for (const auto& line : test.out) {
      std::string& text = test.text_lines[line.text_line];
      const auto colon = text.rfind(" : ");
      const bool is_key_line = text.compare(0, 7, "// out:") == 0;
      const std::string start = colon != std::string::npos ? text.substr(0, colon + 3)
                                : is_key_line              ? "// out: "
                                                           : "//   ";
      text = start + write_values(line, got.data() + line.offset_bytes);
    }
  }
  std::ofstream file(test.path, std::ios::binary | std::ios::trunc);
  for (const auto& line : test.text_lines) file << line << '\n';
  if (!file.flush()) throw std::runtime_error(test.path + ": cannot be written");
}

}  // namespace ptx_case
