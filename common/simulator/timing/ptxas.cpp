// SPDX-License-Identifier: MIT
#include "timing/ptxas.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/command_output.h"

namespace cudasim {
namespace {

constexpr int kMostSeconds = 60;

/// As FNV-1a, but of eight bytes at a time: a text has up to a megabyte.
std::uint64_t hash_of(std::uint64_t hash, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + i, std::min<std::size_t>(8, text.size() - i));
    hash = (hash ^ eight) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
  }
  return (hash ^ text.size()) * 0x100000001b3ull;
}

/// The number behind `word`; nothing where there is none.
std::optional<std::uint32_t> number_behind(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  std::uint32_t value = 0;
  const char* const begin = text.data() + at + word.size();
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  return error == std::errc() && end != begin ? std::optional(value) : std::nullopt;
}

/// A file in memory that a child process finds under its name.
class FileOfText {
 public:
  explicit FileOfText(std::string_view text) : file_(memfd_create("kernel.ptx", 0)) {
    while (file_ >= 0 && !text.empty()) {
      const ssize_t count = write(file_, text.data(), text.size());
      if (count <= 0) break;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    lseek(file_, 0, SEEK_SET);
  }
  ~FileOfText() {
    if (file_ >= 0) close(file_);
  }
  FileOfText(const FileOfText&) = delete;
  FileOfText& operator=(const FileOfText&) = delete;
  std::string name() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace

std::optional<Ptxas::Answer> read_ptxas(std::string_view output, const std::string& kernel) {
  // Functions that the kernel calls have such lines, too.
  const std::size_t at = output.find("Function properties for " + kernel + "\n");
  if (at == std::string_view::npos) return std::nullopt;
  const auto registers = number_behind(output.substr(at), "Used ");
  const auto spilled = number_behind(output.substr(at), "bytes stack frame, ");
  if (!registers || !spilled) return std::nullopt;
  return Ptxas::Answer{*registers, *spilled};
}

Ptxas::Ptxas(std::string command, std::string answers, std::uint32_t capability)
    : command_(std::move(command)), answers_(std::move(answers)), target_("sm_" + std::to_string(capability)) {
  std::ifstream file(answers_);
  std::uint64_t key = 0;
  Answer answer;
  while (file >> key >> answer.registers >> answer.spilled_bytes) known_[key] = answer;
}

Ptxas::Answer Ptxas::ask(const std::string& text, const std::string& kernel) {
  std::uint64_t key = 0xcbf29ce484222325ull;
  for (const std::string_view part :
       {std::string_view(command_), std::string_view(target_), std::string_view(kernel), std::string_view(text)})
    key = hash_of(key, part);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const FileOfText file(text);
  const std::string output = output_of(
      {command_, "-v", "-arch=" + target_, "-e", kernel, "-o", "/dev/null", file.name()}, Output::errors, kMostSeconds);
  const std::optional<Answer> answer = read_ptxas(output, kernel);
  known_[key] = answer.value_or(Answer{});
  if (!answer || answers_.empty()) return known_[key];
  // One write for a whole line: several processes may add theirs.
  std::ofstream(answers_, std::ios::app) << std::to_string(key) + " " + std::to_string(answer->registers) + " " +
                                                std::to_string(answer->spilled_bytes) + "\n";
  return *answer;
}

}  // namespace cudasim
