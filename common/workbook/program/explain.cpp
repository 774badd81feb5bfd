// SPDX-License-Identifier: MIT
// The clock around the search for a smaller case, and around the questions of a problem.
#include "workbook/program/explain.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <stdexcept>

#include "workbook/judge/shrink.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

// Of the process's own time, so that a machine that is busy with other things finds the same. A search takes a quarter
// of what it has, and so finds the same on a slow machine, too.
class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}
  bool is_over() const { return static_cast<double>(std::clock() - begin_) > seconds_ * CLOCKS_PER_SEC; }

 private:
  std::clock_t begin_ = std::clock();
  double seconds_;
};

std::string diagnosis_of(const Problem& problem, const Settings& settings, const Device& device, unsigned char poison,
                         const Deadline& deadline) {
  const auto measure = [&](Case& one_case) {
    if (deadline.is_over()) throw std::runtime_error("no time left");
    return run_case(problem, one_case, settings, device, {1, poison}).values.at(0).got;
  };
  try {
    return problem.diagnosis(settings, measure);
  } catch (const std::exception&) {
    return "";  // another input ends otherwise: then nothing is sure
  }
}

// Of few elements no pattern can be seen: what holds for more of them comes behind. A whole block, one that has a tail,
// or a few times as many as fail.
std::string diagnoses_of(const Problem& problem, const RunResult& failed, unsigned char poison,
                         const Deadline& deadline) {
  const auto diagnose = [&](const Settings& settings) {
    return diagnosis_of(problem, settings, failed.device, poison, deadline);
  };
  std::string diagnoses = diagnose(failed.settings);
  if (failed.settings.sizes.size() > 1) return diagnoses;
  const std::size_t n = failed.settings.size(), block = std::max<std::size_t>(32, failed.settings.block.x);
  std::string of_more;
  std::size_t size = 0;
  for (const std::size_t more : n < block ? Sizes{block, block + 3, 16 * block + 3} : Sizes{3 * n + 1}) {
    Settings settings = failed.settings;
    settings.sizes = {more};
    const std::string found = diagnose(settings);
    if (found.empty() || found == diagnoses) continue;
    of_more = found;
    size = more;
    if (of_more.rfind("No ", 0) != 0) break;  // else all are lost, and a larger one may tell which are not
  }
  if (of_more.empty()) return diagnoses;
  const bool has_options = of_more.rfind("With --", 0) == 0;
  if (!diagnoses.empty()) diagnoses += "\n";
  diagnoses += "With --size " + std::to_string(size);
  diagnoses += has_options ? of_more.substr(4) : ": " + of_more;
  return diagnoses;
}

// What is behind a command's `--` for such a case: the options that are not as they usually are.
std::string own_options(const Problem& problem, const Settings& settings) {
  std::string text;
  for (const Option& option : problem.options()) {
    const auto chosen = settings.options.find(option.name);
    if (chosen != settings.options.end() && chosen->second != option.standard) {
      text += " --" + option.name + " " + text_of(option, chosen->second);
    }
  }
  return text.empty() ? "" : " --" + text;
}

}  // namespace

RunResult explain(const Problem& problem, const RunResult& failed, const BlockRule& rule, unsigned char poison,
                  Settings& current) {
  const Deadline of_all(3.0);
  // The smallest that was found of the cases which fail like this; `failed` itself where there is none.
  const auto smallest_that = [&](const std::function<bool(const RunResult&)>& is_alike) {
    const Deadline of_search(1.2);
    RunResult smallest = failed;
    smallest_failing(failed.settings, rule.shapes, [&](const Settings& settings) {
      if (of_search.is_over()) return false;
      current = settings;
      RunResult result = run_case(problem, *problem.make_case(settings), settings, failed.device, {1, poison});
      if (result.verdict.matches || !is_alike(result)) return false;
      smallest = std::move(result);
      return true;
    });
    return smallest;
  };
  RunResult smallest = smallest_that([](const RunResult&) { return true; });
  smallest.diagnosis = diagnoses_of(problem, smallest, poison, of_all);
  const std::string& pattern = failed.verdict.pattern;
  if (!smallest.diagnosis.empty() || pattern.empty() || smallest.verdict.pattern == pattern ||
      smallest.settings.sizes == failed.settings.sizes) {
    return smallest;
  }
  // A small array may be too small for the pattern. Where it shows none at all, one that has it says all in one
  // sentence.
  if (smallest.verdict.pattern.empty()) {
    RunResult alike = smallest_that([&](const RunResult& result) { return result.verdict.pattern == pattern; });
    if (alike.settings.sizes != failed.settings.sizes) return alike;
  }
  smallest.diagnosis = "With --size " + text_of(failed.settings.sizes) + " --block-size " +
                       text_of(failed.settings.block) + own_options(problem, failed.settings) + ": " +
                       failed.verdict.reason;
  return smallest;
}

}  // namespace workbook
