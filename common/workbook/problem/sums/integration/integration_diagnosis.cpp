// SPDX-License-Identifier: MIT
// The diagnosis of the trapezoidal rule: which points are lost, counted too often, or at the wrong place. The function
// exp(-x^2) is 1 at 0, and 0 at all other points if they are far apart. So one point at a time can be the only one that
// counts. The diagnosis must also predict the result that does not match.
#include <cmath>

#include "workbook/judge/element_counts.h"
#include "workbook/judge/number_text.h"
#include "workbook/problem/sums/integration/integration_problem.h"

namespace workbook {
namespace {

constexpr std::size_t kFewestIntervals = 8;  // With fewer, two mistakes may look the same.
constexpr std::size_t kMostIntervals = 4096;
constexpr double kFarApart = 1024.0;  // exp(-1024^2) is 0, and every multiple of it is exact

// Possible wrong formulas of a stage for its width and its points, beside (b - a) / n and a + i * h.
struct Grid {
  const char* words;
  double (*width)(double a, double b, double n);
  double (*point)(double a, double b, double i, double h);
};

double right_width(double a, double b, double n) { return (b - a) / n; }
double right_point(double a, double, double i, double h) { return a + i * h; }

constexpr Grid kGrids[] = {
    {"h = (b - a) / (n + 1)", [](double a, double b, double n) { return (b - a) / (n + 1.0); }, right_point},
    {"h = (b - a) / (n - 1)", [](double a, double b, double n) { return (b - a) / (n - 1.0); }, right_point},
    {"h = (a + b) / n", [](double a, double b, double n) { return (a + b) / n; }, right_point},
    {"h = (a - b) / n", [](double a, double b, double n) { return (a - b) / n; }, right_point},
    {"h = b / n", [](double, double b, double n) { return b / n; }, right_point},
    {"h = b - a", [](double a, double b, double) { return b - a; }, right_point},
    {"a width h without what is behind its point, as of an int",
     [](double a, double b, double n) { return std::trunc((b - a) / n); }, right_point},
    {"x = i * h", right_width, [](double, double, double i, double h) { return i * h; }},
    {"x = a - i * h", right_width, [](double a, double, double i, double h) { return a - i * h; }},
    {"x = b + i * h", right_width, [](double, double b, double i, double h) { return b + i * h; }},
    {"x = a + (i + 1) * h", right_width, [](double a, double, double i, double h) { return a + (i + 1.0) * h; }},
    {"x = a + (i + 0.5) * h", right_width, [](double a, double, double i, double h) { return a + (i + 0.5) * h; }},
};
constexpr Grid kRightGrid{"", right_width, right_point};

// The sum of the heights with a count for each, times a power of the width.
struct Rule {
  std::vector<double> times;
  int power = 1;
  const Grid* grid = &kRightGrid;

  double integral(const IntegrationChoice& choice) const {
    const Integrand f{choice.function};
    const std::size_t n = times.size() - 1;
    const double h = grid->width(choice.from, choice.to, static_cast<double>(n));
    double sum = 0.0;
    for (std::size_t i = 0; i <= n; ++i) {
      const bool is_end = i == 0 || i == n;
      const double x =
          is_end ? (i == 0 ? choice.from : choice.to) : grid->point(choice.from, choice.to, static_cast<double>(i), h);
      if (times[i] != 0.0) sum += times[i] * f(x);
    }
    return sum * std::pow(h, power);
  }
};

class IntegrationQuestions {
 public:
  IntegrationQuestions(const IntegrationProblem& problem, const Settings& settings, const Measure& measure)
      : problem_(problem), settings_(settings), measure_(measure) {}

  std::size_t intervals() const { return settings_.size(); }

  double answer(const IntegrationChoice& choice) const {
    Settings settings = settings_;
    settings.options = {{"function", static_cast<double>(choice.function)}, {"from", choice.from}, {"to", choice.to}};
    return measure_(*problem_.make_case(settings));
  }

  // The result with f = 1 at point k and 0 at all others, where a - b is a multiple of the width.
  double alone(std::size_t k) const {
    const double before = static_cast<double>(k), behind = static_cast<double>(intervals() - k);
    return answer({Function::bell, -before * kFarApart, behind * kFarApart});
  }

  // Whether the rule predicts the result that does not match (twice), and that of another function and interval.
  bool confirm(const Rule& rule) const {
    const IntegrationChoice asked = IntegrationProblem::choice(settings_);
    for (const IntegrationChoice& choice : {asked, asked, IntegrationChoice{Function::arc, -0.7, 1.9}}) {
      const double predicted = rule.integral(choice), got = answer(choice);
      const double size = std::fabs(predicted) + std::fabs(asked.to - asked.from) * 1e-3;
      if (!std::isfinite(predicted) || !(std::fabs(predicted - got) <= 1e-11 * size)) return false;
    }
    return true;
  }

 private:
  const IntegrationProblem& problem_;
  const Settings& settings_;
  const Measure& measure_;
};

std::vector<double> right_times(std::size_t intervals) {
  std::vector<double> times(intervals + 1, 1.0);
  times.front() = times.back() = 0.5;
  return times;
}

// The power of the width h that multiplies the sum of the heights.
std::string describe_power(int power) {
  if (power == 0) return "The sum of the heights is not multiplied by the width h.";
  return power == 2 ? "The heights are multiplied by the width h twice." : "";
}

}  // namespace

std::string IntegrationProblem::diagnosis(const Settings& settings, const Measure& measure) const {
  const std::size_t n = settings.size();
  if (n < kFewestIntervals || n > kMostIntervals) return "";
  const IntegrationQuestions questions(*this, settings, measure);
  std::vector<double> results;
  for (std::size_t k = 0; k <= n; ++k) results.push_back(questions.alone(k));
  const std::vector<double> wanted = right_times(n);
  for (const int power : {1, 0, 2}) {
    Rule rule{results, power};
    for (double& times : rule.times) times /= std::pow(kFarApart, power);
    const ElementCounts counts{"point", "sum", rule.times, wanted, settings.block.x};
    if (power == 1 && is_right(counts)) break;
    if (!questions.confirm(rule)) continue;
    std::string words = describe_power(power);
    const std::string of_points = describe(counts);
    if (!words.empty() && !of_points.empty()) words += " ";
    return words += of_points;
  }
  for (const Grid& grid : kGrids) {
    if (questions.confirm({wanted, 1, &grid})) {
      return std::string("The result is exactly what comes of ") + grid.words + ".";
    }
  }
  const IntegrationChoice asked = choice(settings);
  const double reference = trapezoidal_sum(asked.function, asked.from, asked.to, n).integral;
  return is_as_good_as_a_float(reference, questions.answer(asked)) ? kIsItInFloat : "";
}

}  // namespace workbook
