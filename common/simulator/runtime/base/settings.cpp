// SPDX-License-Identifier: MIT
// A malformed value is an error, never a default: a student who mistypes a seed must not get another run.
#include "runtime/base/settings.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "isa/instruction.h"

namespace cudasim {
namespace {

namespace variable {
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a variable cannot stand in them
#define SETTING(name, variable, value, meaning) constexpr const char* name = variable;
#include "base/vocabulary.inc"
}  // namespace variable

constexpr std::uint64_t kLargestDefaultMemoryBytes = std::uint64_t{16} << 30;

/// 0 to 255, or 0x0 to 0xFF.
bool parse_byte(std::string_view text, std::uint8_t& value) {
  const bool hexadecimal = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (hexadecimal) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return error == std::errc() && end == text.data() + text.size();
}

/// A whole number with an optional suffix K, M, G or T (powers of 1024) when `suffixes`.
bool parse(std::string_view text, bool suffixes, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return false;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (rest.empty()) return true;
  const std::size_t power = std::string_view("KMGT").find(rest[0]);
  if (!suffixes || rest.size() != 1 || power == std::string_view::npos) return false;
  const unsigned shift = 10 * (static_cast<unsigned>(power) + 1);
  if (value > std::numeric_limits<std::uint64_t>::max() >> shift) return false;
  value <<= shift;
  return true;
}

std::uint64_t default_memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(pages * page_bytes / 2, kLargestDefaultMemoryBytes);
}

class Reader {
 public:
  explicit Reader(const char* (*value_of)(const char*)) : value_of_(value_of) {}

  /// True when the variable is set and well formed; an empty value counts as not set.
  bool number(const char* name, bool suffixes, std::uint64_t limit, std::uint64_t& value, std::uint64_t least = 0) {
    const char* text = value_of_(name);
    if (text == nullptr || *text == 0) return false;
    if (parse(text, suffixes, value) && value >= least && value <= limit) return true;
    fail(name, text, suffixes ? "is not a number of bytes (as in 512M or 4G)" : "is not a whole number in range");
    return false;
  }

  /// "0x70000000000000+4"
  void place(const char* name, std::uint64_t& address, std::uint64_t& bytes) {
    const char* text = value_of_(name);
    if (text == nullptr || *text == 0) return;
    const std::string_view all(text), begin = all.substr(0, all.find('+'));
    const std::string_view size = begin.size() == all.size() ? "" : all.substr(begin.size() + 1);
    if (begin.substr(0, 2) == "0x") {
      const auto [end, error] = std::from_chars(begin.data() + 2, begin.data() + begin.size(), address, 16);
      const bool is_whole = error == std::errc() && end == begin.data() + begin.size();
      if (is_whole && parse(size, false, bytes) && bytes > 0) return;
    }
    bytes = 0;
    fail(name, text, "is not an address, a + and a number of bytes");
  }

  void byte(const char* name, std::byte& byte) {
    const char* text = value_of_(name);
    if (text == nullptr || *text == 0) return;
    std::uint8_t value = 0;
    if (!parse_byte(text, value)) return fail(name, text, "is not a byte (0 to 255, or 0x00 to 0xFF)");
    byte = std::byte{value};
  }

  /// CUDASIM_FINDINGS: whether findings are printed, too.
  void way(const char* name, bool has_report, bool& prints) {
    const char* text = value_of_(name);
    if (text == nullptr || *text == 0) return;
    prints = std::string_view(text) != "report";
    if (prints && std::string_view(text) != "print") fail(name, text, "is none of print, report");
    if (!prints && !has_report) fail(name, text, "needs a file in CUDASIM_REPORT");
  }

  void timing(const char* name, std::optional<Latencies>& latencies) {
    const char* text = value_of_(name);
    if (text == nullptr) return;
    std::string why;
    latencies = parse_latencies(text, why);
    if (!why.empty()) fail(name, text, why);
  }

  bool order(const char* name, Schedule::Order& order) {
    const char* text = value_of_(name);
    if (text == nullptr || *text == 0) return false;
    for (const auto candidate : {Schedule::Order::plain, Schedule::Order::random, Schedule::Order::adversarial}) {
      if (std::string_view(text) != name_of(candidate)) continue;
      order = candidate;
      return true;
    }
    fail(name, text, "is none of plain, random, adversarial");
    return false;
  }

  void gpu(const char* name, Schedule& schedule) {
    const char* text = value_of_(name);
    if (text == nullptr || *text == 0) return;
    const Gpu* gpu = find_gpu(text);
    if (gpu == nullptr) return fail(name, text, "is none of " + gpu_words());
    schedule.gpu = gpu;
    schedule.multiprocessors = gpu->multiprocessors;
  }

  void checks(const char* name, CheckSet& checks) {
    const char* text = value_of_(name);
    if (text == nullptr) return;
    std::string_view rest(text);
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      if (!checks.turn_on(word)) fail(name, text, "has a word that is none of " + CheckSet::known_words());
    }
  }

  std::string error;

 private:
  void fail(const char* name, const char* text, const std::string& why) {
    if (error.empty()) error = std::string(name) + "=" + text + " " + why;
  }
  const char* (*value_of_)(const char*);
};

}  // namespace

const char* name_of(Schedule::Order order) {
  switch (order) {
    case Schedule::Order::plain:
      return "plain";
    case Schedule::Order::random:
      return "random";
    case Schedule::Order::adversarial:
      return "adversarial";
  }
  return "";
}

Settings read_settings(const char* (*value_of)(const char* name)) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  Settings settings;
  Reader reader(value_of);
  std::uint64_t number = 0;

  // A seed requires a total order of execution: one worker, and a random order unless another one is named.
  const bool seeded = reader.number(variable::seed, false, kAny, settings.schedule.seed);
  if (seeded) settings.schedule.order = Schedule::Order::random;
  reader.order(variable::schedule, settings.schedule.order);
  if (reader.number(variable::workers, false, 1024, number)) settings.schedule.workers = static_cast<unsigned>(number);
  if (seeded || settings.schedule.order != Schedule::Order::plain) settings.schedule.workers = 1;
  if (reader.number(variable::blocks, false, 65'535, number))
    settings.schedule.blocks = static_cast<std::uint32_t>(number);
  reader.gpu(variable::gpu, settings.schedule);
  if (reader.number(variable::multiprocessors, false, 1024, number, 1))
    settings.schedule.multiprocessors = static_cast<std::uint32_t>(number);
  if (reader.number(variable::patience, false, 1'000'000, number, 1))
    settings.schedule.patience_seconds = static_cast<double>(number);
  reader.number(variable::step_budget, false, kAny, settings.schedule.step_budget);

  settings.memory_bytes = default_memory_bytes();
  reader.number(variable::memory, true, std::uint64_t{1} << 43, settings.memory_bytes);
  reader.byte(variable::poison, settings.poison);
  reader.checks(variable::check, settings.checks);
  if (const char* file = value_of(variable::report)) settings.report_file = file;
  reader.way(variable::findings, !settings.report_file.empty(), settings.prints_findings);
  if (const char* file = value_of(variable::results)) settings.results_file = file;
  reader.place(variable::history, settings.history_address, settings.history_bytes);
  if (const char* file = value_of(variable::trace)) settings.trace_file = file;
  reader.number(variable::trace_block, false, kAny, settings.trace_block);
  reader.timing(variable::timing, settings.timing);
  if (const char* file = value_of(variable::ptxas)) settings.ptxas = file;
  if (const char* file = value_of(variable::registers)) settings.registers_file = file;
  settings.error = reader.error.empty() ? why_no_level(value_of(variable::level)) : reader.error;
  return settings;
}

}  // namespace cudasim
