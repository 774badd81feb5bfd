// SPDX-License-Identifier: MIT
// A conversion is parsed, checked against the list of those that exist, and written anew for the host's snprintf. The
// program's own text never becomes a host format.
#include "machine/control/printf.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

namespace cudasim {
namespace {

constexpr int kWidestField = 4095;

/// Takes the arguments one after the other.
class ArgumentReader {
 public:
  ArgumentReader(const ReadArgument& read_argument, const ReadString& read_string)
      : read_argument_(read_argument), read_string_(read_string) {}

  std::optional<std::int32_t> next_int() {
    std::int32_t value = 0;
    return take(&value, sizeof value) ? std::optional(value) : std::nullopt;
  }
  std::optional<std::uint64_t> next_64_bits() {
    std::uint64_t value = 0;
    return take(&value, sizeof value) ? std::optional(value) : std::nullopt;
  }
  std::string string_at(std::uint64_t address) const { return read_string_(address); }
  int count() const { return count_; }

 private:
  bool take(void* destination, std::size_t size) {
    const std::uint64_t aligned = (offset_ + size - 1) & ~(std::uint64_t{size} - 1);
    if (!read_argument_(aligned, destination, size)) return false;
    offset_ = aligned + size;
    ++count_;
    return true;
  }

  const ReadArgument& read_argument_;
  const ReadString& read_string_;
  std::uint64_t offset_ = 0;
  int count_ = 0;
};

struct Conversion {
  std::string flags;
  int width = -1;      // -1: none
  int precision = -1;  // -1: none
  enum class Length : std::uint8_t { none, h, hh, eight_bytes } length = Length::none;
  char letter = 0;
  std::size_t end = 0;  // first character behind it
};

bool is_one_of(std::string_view format, std::size_t at, std::string_view characters) {
  return at < format.size() && characters.find(format[at]) != std::string_view::npos;
}

/// A number, or `*` for the next int argument. -1: none there. A `*` without an argument makes `valid` false.
int parse_number(std::string_view format, std::size_t& at, ArgumentReader& arguments, bool& valid) {
  if (at < format.size() && format[at] == '*') {
    ++at;
    const auto value = arguments.next_int();
    valid = valid && value.has_value();
    return std::clamp(value.value_or(0), -kWidestField, kWidestField);
  }
  int value = -1;
  while (at < format.size() && format[at] >= '0' && format[at] <= '9') {
    value = std::min(std::max(value, 0) * 10 + (format[at] - '0'), kWidestField);
    ++at;
  }
  return value;
}

Conversion::Length parse_length(std::string_view format, std::size_t& at) {
  const std::size_t begin = at;
  while (at - begin < 2 && is_one_of(format, at, "hlLjzt")) ++at;
  const std::string_view text = format.substr(begin, at - begin);
  if (text.empty()) return Conversion::Length::none;
  if (text == "h") return Conversion::Length::h;
  if (text == "hh") return Conversion::Length::hh;
  return Conversion::Length::eight_bytes;
}

/// The conversion that begins behind the `%` at `percent`. False: it is malformed, or an argument of a `*` is missing.
bool parse_conversion(std::string_view format, std::size_t percent, ArgumentReader& arguments, Conversion& result) {
  bool valid = true;
  std::size_t at = percent + 1;
  while (is_one_of(format, at, "-+ #0")) {
    if (result.flags.find(format[at]) == std::string::npos) result.flags += format[at];
    ++at;
  }
  const bool starred = at < format.size() && format[at] == '*';
  result.width = parse_number(format, at, arguments, valid);
  if (starred && result.width < 0) {  // a negative `*` is the flag - and a width
    result.flags += '-';
    result.width = -result.width;
  }
  if (at < format.size() && format[at] == '.') {
    ++at;
    const bool star = at < format.size() && format[at] == '*';
    result.precision = parse_number(format, at, arguments, valid);
    if (result.precision < 0) result.precision = star ? -1 : 0;  // "." alone is zero, a negative `*` is none
  }
  result.length = parse_length(format, at);
  result.end = std::min(at + 1, format.size());
  if (!is_one_of(format, at, "diuoxXcsfFeEgGaAp%")) return false;
  result.letter = format[at];
  return valid;
}

/// "%-08.3llx", say: made of checked parts only.
std::string host_format(const Conversion& conversion, const char* length) {
  std::string text = "%" + conversion.flags;
  if (conversion.width >= 0) text += std::to_string(conversion.width);
  if (conversion.precision >= 0) text += "." + std::to_string(conversion.precision);
  return text + length + conversion.letter;
}

template <typename Value>
void append(std::string& out, const Conversion& conversion, const char* length, Value value) {
  const std::string format = host_format(conversion, length);
  const int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size <= 0) return;
  const std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(size) + 1);
  std::snprintf(out.data() + begin, static_cast<std::size_t>(size) + 1, format.c_str(), value);
  out.pop_back();
}

bool append_integer(std::string& out, const Conversion& conversion, ArgumentReader& arguments) {
  const bool is_signed = conversion.letter == 'd' || conversion.letter == 'i';
  if (conversion.length == Conversion::Length::eight_bytes) {
    const auto value = arguments.next_64_bits();
    if (!value) return false;
    if (is_signed) {
      append(out, conversion, "ll", static_cast<long long>(*value));
    } else {
      append(out, conversion, "ll", static_cast<unsigned long long>(*value));
    }
    return true;
  }
  const auto value = arguments.next_int();
  if (!value) return false;
  const char* length = conversion.length == Conversion::Length::h    ? "h"
                       : conversion.length == Conversion::Length::hh ? "hh"
                                                                     : "";
  if (is_signed) {
    append(out, conversion, length, *value);
  } else {
    append(out, conversion, length, static_cast<unsigned>(*value));
  }
  return true;
}

bool append_string(std::string& out, const Conversion& conversion, ArgumentReader& arguments) {
  const auto address = arguments.next_64_bits();
  if (!address) return false;
  const std::string text = *address == 0 ? "(null)" : arguments.string_at(*address);
  append(out, conversion, "", text.c_str());
  return true;
}

bool append_float(std::string& out, const Conversion& conversion, ArgumentReader& arguments) {
  const auto bits = arguments.next_64_bits();
  if (!bits) return false;
  double value = 0;
  std::memcpy(&value, &*bits, sizeof value);
  append(out, conversion, "", value);
  return true;
}

/// False when the argument is missing.
bool append_conversion(std::string& out, const Conversion& conversion, ArgumentReader& arguments) {
  switch (conversion.letter) {
    case '%':
      out += '%';
      return true;
    case 's':
      return append_string(out, conversion, arguments);
    case 'c': {
      const auto value = arguments.next_int();
      if (value) append(out, conversion, "", *value);
      return value.has_value();
    }
    case 'p': {
      const auto value = arguments.next_64_bits();
      if (value) append(out, conversion, "", reinterpret_cast<void*>(*value));
      return value.has_value();
    }
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return append_integer(out, conversion, arguments);
    default:
      return append_float(out, conversion, arguments);
  }
}

}  // namespace

std::string format_printf(std::string_view format, const ReadArgument& read_argument, const ReadString& read_string,
                          int* argument_count) {
  ArgumentReader arguments(read_argument, read_string);
  std::string out;
  std::size_t at = 0;
  while (at < format.size()) {
    const std::size_t percent = format.find('%', at);
    out += format.substr(at, percent - at);
    if (percent == std::string_view::npos) break;
    Conversion conversion;
    const bool valid = parse_conversion(format, percent, arguments, conversion);
    if (!valid || !append_conversion(out, conversion, arguments)) {
      out += format.substr(percent, conversion.end - percent);
    }
    at = conversion.end;
  }
  if (argument_count != nullptr) *argument_count = arguments.count();
  return out;
}

}  // namespace cudasim
