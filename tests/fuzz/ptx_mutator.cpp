// SPDX-License-Identifier: MIT
// How libFuzzer changes PTX: by lines and by the words in them, so that most of what comes out is still PTX. One change
// in four is libFuzzer's own, of bytes.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Random = std::minstd_rand;

std::vector<std::string> lines_of(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(data[i]);
    }
  }
  return lines;
}

std::size_t store(const std::vector<std::string>& lines, std::uint8_t* data, std::size_t most) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  const std::size_t size = std::min(text.size(), most);
  std::memcpy(data, text.data(), size);
  return size;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("%$_.", c) != nullptr; }

/// The words of a line: names, numbers, opcodes.
std::vector<std::pair<std::size_t, std::size_t>> words_of(const std::string& line) {
  std::vector<std::pair<std::size_t, std::size_t>> words;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && line[end] != '\0' && is_word(line[end])) ++end;
    if (end > i) words.emplace_back(i, end - i);
    i = std::max(end, i + 1);
  }
  return words;
}

std::string any_word(const std::vector<std::string>& lines, Random& random) {
  static const char* const special[] = {
      "0",  "1",      "-1",  "31",   "32",     "33",  "4294967295", "0x8000000000000000",
      "64", "65536",  ".u8", ".b64", ".f16",   ".v4", ".pred",      "18446744073709551615",
      "_",  "%tid.x", "%r1", "%rd1", "WARP_SZ"};
  const std::string& line = lines[random() % lines.size()];
  const auto words = words_of(line);
  if (words.empty() || random() % 3 == 0) return special[random() % std::size(special)];
  const auto [begin, length] = words[random() % words.size()];
  return line.substr(begin, length);
}

void change(std::vector<std::string>& lines, const std::vector<std::string>& from, Random& random) {
  const auto at = static_cast<std::ptrdiff_t>(random() % lines.size());
  std::string& line = lines[static_cast<std::size_t>(at)];
  switch (random() % 6) {
    case 0:
      lines.erase(lines.begin() + at);
      if (lines.empty()) lines.emplace_back();
      break;
    case 1:
      lines.insert(lines.begin() + at, from[random() % from.size()]);
      break;
    case 2:
      std::swap(line, lines[random() % lines.size()]);
      break;
    case 3:
      line = from[random() % from.size()];
      break;
    default: {
      const auto words = words_of(line);
      if (words.empty()) break;
      const auto [begin, length] = words[random() % words.size()];
      line.replace(begin, length, any_word(from, random));
    }
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed + 1);
  if (random() % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  std::vector<std::string> lines = lines_of(data, size);
  const std::vector<std::string> from = lines;
  for (std::size_t i = 0; i <= random() % 4; ++i) change(lines, from, random);
  return store(lines, data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size, const std::uint8_t* other,
                                                 std::size_t other_size, std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  Random random(seed + 1);
  std::vector<std::string> lines = lines_of(data, size);
  const std::vector<std::string> from = lines_of(other, other_size);
  for (std::size_t i = 0; i <= random() % 8; ++i) change(lines, from, random);
  return store(lines, out, most);
}
