// SPDX-License-Identifier: MIT
// A value that is not understood is an error, never a default: a student who mistypes a seed must not get another run.
#include "cudart/settings.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "isa/instruction.h"

namespace cudasim {
namespace {

constexpr std::uint64_t largest_default_memory_bytes = std::uint64_t{16} << 30;

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
  return std::min(pages * page_bytes / 2, largest_default_memory_bytes);
}

class Reader {
 public:
  explicit Reader(const char* (*value_of)(const char*)) : value_of_(value_of) {}

  /// True when the variable is set and understood; an empty value counts as not set.
  bool number(const char* name, bool suffixes, std::uint64_t limit, std::uint64_t& value) {
    const char* text = value_of_(name);
    if (text == nullptr || *text == 0) return false;
    if (parse(text, suffixes, value) && value <= limit) return true;
    fail(name, text, suffixes ? "is not a number of bytes (as in 512M or 4G)" : "is not a whole number in range");
    return false;
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

  void checks(const char* name, CheckSettings& checks) {
    const char* text = value_of_(name);
    if (text == nullptr) return;
    std::string_view rest(text);
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const bool all = word == "all";
      checks.race |= all || word == "race";
      checks.init |= all || word == "init";
      checks.leak |= all || word == "leak";
      if (all || word == "race" || word == "init" || word == "leak" || word == "memory" || word == "sync" ||
          word == "none")
        continue;
      fail(name, text, "has a word that is none of all, none, memory, sync, race, init, leak");
    }
  }

  std::string error;

 private:
  void fail(const char* name, const char* text, const char* why) {
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

std::vector<std::string> CheckSettings::names() const {
  std::vector<std::string> names = {"memory", "sync"};
  if (race) names.emplace_back("race");
  if (init) names.emplace_back("init");
  if (leak) names.emplace_back("leak");
  return names;
}

Settings read_settings(const char* (*value_of)(const char* name)) {
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  Settings settings;
  Reader reader(value_of);
  std::uint64_t number = 0;

  // A seed asks for a total order of execution: random unless the order is named, and one worker.
  const bool seeded = reader.number("CUDASIM_SEED", false, any, settings.schedule.seed);
  if (seeded) settings.schedule.order = Schedule::Order::random;
  reader.order("CUDASIM_SCHEDULE", settings.schedule.order);
  if (reader.number("CUDASIM_WORKERS", false, 1024, number)) settings.schedule.workers = static_cast<unsigned>(number);
  if (seeded || settings.schedule.order != Schedule::Order::plain) settings.schedule.workers = 1;
  reader.number("CUDASIM_STEP_BUDGET", false, any, settings.schedule.step_budget);

  settings.memory_bytes = default_memory_bytes();
  reader.number("CUDASIM_MEMORY", true, std::uint64_t{1} << 43, settings.memory_bytes);
  reader.checks("CUDASIM_CHECK", settings.checks);
  if (const char* file = value_of("CUDASIM_REPORT")) settings.report_file = file;
  settings.error = reader.error.empty() ? why_no_level(value_of("CUDASIM_LEVEL")) : reader.error;
  return settings;
}

}  // namespace cudasim
