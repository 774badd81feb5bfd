// SPDX-License-Identifier: MIT
// Functions, sums and bound of the integration; the checks; the options and the limits.
#include "workbook/problem/sums/integration/integration_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workbook/case/device_call.h"
#include "workbook/judge/compensated_sum.h"
#include "workbook/judge/number_text.h"
#include "workbook/problem/reference_case.h"

namespace workbook {
namespace {

constexpr double kUnitRoundoff = 0x1p-53;
constexpr double kPi = 3.14159265358979323846;

// The largest |f'| between a and b. It is symmetric around 0, and rises with |x| up to one place.
double largest_slope(Function function, double a, double b) {
  const double farthest = std::max(std::fabs(a), std::fabs(b));
  const double nearest = (a < 0.0) != (b < 0.0) ? 0.0 : std::min(std::fabs(a), std::fabs(b));
  switch (function) {
    case Function::square:
      return 2.0 * farthest;
    case Function::sine:
      return 1.0;
    case Function::bell: {
      const double steepest = std::clamp(std::sqrt(0.5), nearest, farthest);
      return 2.0 * steepest * std::exp(-steepest * steepest);
    }
    case Function::arc: {
      const double steepest = std::clamp(std::sqrt(1.0 / 3.0), nearest, farthest);
      const double denominator = 1.0 + steepest * steepest;
      return 8.0 * steepest / (denominator * denominator);
    }
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

const char* name_of(Function function) {
  switch (function) {
    case Function::square:
      return "square";
    case Function::sine:
      return "sine";
    case Function::bell:
      return "bell";
    case Function::arc:
      return "arc";
  }
  return "unknown";
}

const char* formula_of(Function function) {
  switch (function) {
    case Function::square:
      return "x^2";
    case Function::sine:
      return "sin(x)";
    case Function::bell:
      return "exp(-x^2)";
    case Function::arc:
      return "4 / (1 + x^2)";
  }
  return "unknown";
}

double closed_form(Function function, double a, double b) {
  switch (function) {
    case Function::square:
      return (b * b * b - a * a * a) / 3.0;
    case Function::sine:
      return std::cos(a) - std::cos(b);
    case Function::bell:
      return std::sqrt(kPi) / 2.0 * (std::erf(b) - std::erf(a));
    case Function::arc:
      return 4.0 * (std::atan(b) - std::atan(a));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TrapezoidalSum trapezoidal_sum(Function function, double a, double b, std::size_t n) {
  if (n == 0) return {};
  const Integrand f{function};
  const double h = (b - a) / static_cast<double>(n);
  CompensatedSum sum;
  double magnitudes = (std::fabs(f(a)) + std::fabs(f(b))) / 2.0;
  sum.add(f(a) / 2.0);
  for (std::size_t i = 1; i < n; ++i) {
    const double value = f(a + static_cast<double>(i) * h);
    sum.add(value);
    magnitudes += std::fabs(value);
  }
  sum.add(f(b) / 2.0);
  return {h * sum.value(), std::fabs(h) * magnitudes};
}

double plain_trapezoidal_sum(Function function, double a, double b, std::size_t n) {
  if (n == 0) return 0.0;
  const Integrand f{function};
  const double h = (b - a) / static_cast<double>(n);
  double sum = (f(a) + f(b)) / 2.0;
  for (std::size_t i = 1; i < n; ++i) sum += f(a + static_cast<double>(i) * h);
  return h * sum;
}

double error_bound(const TrapezoidalSum& reference, Function function, double a, double b, std::size_t n) {
  const double largest_x = std::max(std::fabs(a), std::fabs(b));
  const double additions_and_terms = (static_cast<double>(n) + 16.0) * reference.magnitude;
  const double points = 20.0 * largest_slope(function, a, b) * largest_x * std::fabs(b - a);
  return kUnitRoundoff * (additions_and_terms + points) + std::numeric_limits<double>::min();
}

Verdict check_integral(double got, double reference, double bound) {
  Verdict verdict;
  verdict.bound = bound;
  verdict.error = std::fabs(got - reference);
  verdict.relative_error = verdict.error;
  if (verdict.error != 0.0) verdict.relative_error /= std::fabs(reference);
  verdict.matches = verdict.error <= bound;  // false for NaN
  if (verdict.matches) return verdict;
  if (std::isnan(got)) {
    verdict.reason =
        "the integral is NaN (not a number): unwritten memory is filled with NaN here. Is the sum set to 0, with all "
        "its 8 bytes, before an addition? Is all shared memory written before it is read?";
  } else {
    verdict.reason = "the integral is wrong: " + expected_and_got(reference, got, 12, bound);
  }
  return verdict;
}

IntegrationChoice IntegrationProblem::choice(const Settings& settings) {
  return {settings.choice<Function>("function"), settings.options.at("from"), settings.options.at("to")};
}

std::vector<Extent> IntegrationProblem::extents() const {
  return {{"size", "how many intervals", 16'777'216, std::size_t{1} << 53}};
}

// The defaults hide no mistake. The ends are not 0, and f is not 0 there. No float holds the ends or the width.
std::vector<Option> IntegrationProblem::options() const {
  std::vector<std::string> names;
  std::string formulas;
  for (const Function function : functions) {
    names.emplace_back(name_of(function));
    formulas += (formulas.empty() ? "" : ", ") + std::string(formula_of(function));
  }
  return {{"function", "what is integrated, in this order: " + formulas, names, static_cast<double>(Function::sine)},
          {"from", "where the integral begins", {}, 0.1, -largest_limit, largest_limit},
          {"to", "where it ends; may be less", {}, 2.2, -largest_limit, largest_limit}};
}

// Only the library knows the cost of a value of f. So there is no count of operations, and no rate.
Work IntegrationProblem::work(const Settings& settings) const {
  const auto n = static_cast<double>(settings.size());
  return {"intervals", n, 0.0, 0.0, 0.0};
}

namespace {

// An integral with its reference, and the function that must find it.
class IntegrationCase final : public ReferenceCase {
 public:
  IntegrationCase(IntegrateOnDevice integrate, const IntegrationChoice& choice, std::size_t n)
      : integrate_(integrate),
        choice_(choice),
        n_(n),
        reference_(trapezoidal_sum(choice.function, choice.from, choice.to, n)),
        bound_(error_bound(reference_, choice.function, choice.from, choice.to, n)),
        closed_form_(n == 0 ? 0.0 : closed_form(choice.function, choice.from, choice.to)) {
    plain_sum_ = timed([&] { return plain_trapezoidal_sum(choice.function, choice.from, choice.to, n); });
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    double integral = 0.0;
    std::string mistake;
    if (n_ > 0) {
      DeviceCall steps(call, timer);
      double* const result = steps.output<double>("the integral", line(1));
      steps.launch([&] {
        integrate_(Integrand{choice_.function}, choice_.from, choice_.to, n_, call.block.x, result, steps.stream());
      });
      integral = steps.copy_back(result)[0];
      mistake = steps.mistake();
    }
    Outcome outcome{{{"integral", reference_.integral, integral, 17},
                     {"error_to_closed_form", reference_.integral - closed_form_, integral - closed_form_, 3}},
                    check_integral(integral, reference_.integral, bound_)};
    if (!mistake.empty()) {
      outcome.verdict.matches = false;
      outcome.verdict.reason = mistake;
    }
    return outcome;
  }

  bool is_empty() const override { return n_ == 0; }
  std::string description() const override {
    return std::string("Integral of ") + formula_of(choice_.function) + " from " + plain(choice_.from, 9) + " to " +
           plain(choice_.to, 9) + ": " + std::to_string(n_) + " intervals, closed form " + shortest(closed_form_) +
           ", plain CPU loop " + shortest(plain_sum_);
  }

 private:
  IntegrateOnDevice integrate_;
  IntegrationChoice choice_;
  std::size_t n_;
  TrapezoidalSum reference_;
  double bound_;
  double closed_form_;
  double plain_sum_ = 0.0;
};

}  // namespace

std::unique_ptr<Case> IntegrationProblem::make_case(const Settings& settings) const {
  return std::make_unique<IntegrationCase>(integrate_, choice(settings), settings.size());
}

}  // namespace workbook
