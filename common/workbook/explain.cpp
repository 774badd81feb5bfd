// SPDX-License-Identifier: MIT
// The clock around the search for a smaller case, and around the questions of a problem.
#include "workbook/explain.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "workbook/smallest_case.h"

namespace workbook {
namespace {

class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}
  bool is_over() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > seconds_;
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double seconds_;
};

std::string lead_of(const Problem& problem, const Settings& settings, const Device& device, unsigned char poison) {
  const Deadline deadline(0.3);
  const auto measure = [&](Case& one_case) {
    if (deadline.is_over()) throw std::runtime_error("no time left");
    return run_case(problem, one_case, settings, device, {1, poison}).values.at(0).got;
  };
  try {
    return problem.lead(settings, measure);
  } catch (const std::exception&) {
    return "";  // another input ends otherwise: then nothing is sure
  }
}

// Of few elements no pattern can be seen: what holds for as many as a block has threads comes behind.
std::string leads_of(const Problem& problem, const RunResult& failed, unsigned char poison) {
  std::string lead = lead_of(problem, failed.settings, failed.device, poison);
  Settings wider = failed.settings;
  wider.sizes = {std::max<std::size_t>(32, wider.block.x)};
  if (lead.empty() || failed.settings.sizes.size() > 1 || failed.settings.size() >= wider.size()) return lead;
  const std::string of_wider = lead_of(problem, wider, failed.device, poison);
  return of_wider.empty() ? lead : lead + " With --size " + text_of(wider.sizes) + ": " + of_wider;
}

}  // namespace

RunResult explain(const Problem& problem, const RunResult& failed, const BlockRule& rule, unsigned char poison,
                  Settings& current) {
  const Deadline deadline(0.4);
  RunResult smallest = failed;
  smallest_failing(failed.settings, rule.shapes, [&](const Settings& settings) {
    if (deadline.is_over()) return false;
    current = settings;
    RunResult result = run_case(problem, *problem.make_case(settings), settings, failed.device, {1, poison});
    if (result.verdict.matches) return false;
    smallest = std::move(result);
    return true;
  });
  smallest.lead = leads_of(problem, smallest, poison);
  return smallest;
}

}  // namespace workbook
