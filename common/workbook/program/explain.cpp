// SPDX-License-Identifier: MIT
// Time limits for the search for a smaller case and for the diagnosis of a problem.
#include "workbook/program/explain.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <stdexcept>

#include "workbook/judge/shrink.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

// Counts the CPU time of this process, so a busy machine finds the same. A search takes a quarter of its time, so a
// slow machine finds the same, too.
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
    return "";  // another input gives another result, so nothing is sure
  }
}

// A small array shows no pattern. So the diagnosis also looks at larger arrays: a whole block, a block with a tail, and
// a few times as many elements. Their result comes second.
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
    if (of_more.rfind("No ", 0) != 0) break;  // otherwise all are lost, and a larger array may show which are not
  }
  if (of_more.empty()) return diagnoses;
  const bool has_options = of_more.rfind("With --", 0) == 0;
  if (!diagnoses.empty()) diagnoses += "\n";
  diagnoses += "With --size " + std::to_string(size);
  diagnoses += has_options ? of_more.substr(4) : ": " + of_more;
  return diagnoses;
}

// The options of a command for such a case, after its `--`: those that differ from the defaults.
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
  // The smallest found case that fails like this, or `failed` itself where there is none.
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
  const bool shows_zeros_alone = smallest.verdict.pattern_name == "all-zero" && smallest.settings.sizes.size() > 1;
  if (!smallest.diagnosis.empty() || (pattern.empty() && !shows_zeros_alone) || smallest.verdict.pattern == pattern ||
      smallest.settings.sizes == failed.settings.sizes) {
    return smallest;
  }
  // A small array may be too small for a pattern. If it shows none, the smallest array with the pattern makes the
  // better report.
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
