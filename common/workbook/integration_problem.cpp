// SPDX-License-Identifier: MIT
// Functions, sums and bound of the integration; its cases; what is checked.
#include "workbook/integration_problem.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "workbook/compensated_sum.h"
#include "workbook/device_memory.h"

namespace workbook {
namespace {

constexpr double kUnitRoundoff = 0x1p-53;
constexpr double kPi = 3.14159265358979323846;

// As few digits as come back as the same bits: 0.1.
std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string text_of(double value, int digits) {
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

std::string function_names() {
  std::string names;
  for (const Function function : IntegrationProblem::functions) {
    if (!names.empty()) names += ", ";
    names += std::string(name_of(function)) + " (" + formula_of(function) + ")";
  }
  return names;
}

std::string problem_with_limit(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || end != value.c_str() + value.size()) return "is not a number";
  if (!(std::fabs(number) <= IntegrationProblem::largest_limit)) return "is not between -1e6 and 1e6";
  return "";
}

// The largest |f'| between a and b. It is the same on both sides of 0, and rises with |x| up to one place.
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

std::optional<Function> function_named(std::string_view name) {
  for (const Function function : IntegrationProblem::functions) {
    if (name == name_of(function)) return function;
  }
  return std::nullopt;
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
        "the integral is NaN (not a number): something that nobody wrote is filled with NaN here, and went into it. "
        "Either "
        "the sum is not set to 0 before it is added to, or a term comes from an element, of shared memory perhaps, "
        "that "
        "is read before it is written";
  } else {
    verdict.reason = "the integral is off by " + text_of(verdict.error, 9) +
                     " from the trapezoidal rule on the CPU, and rounding in double explains at most " +
                     text_of(bound, 9);
  }
  return verdict;
}

Settings IntegrationProblem::settings(Function function, double from, double to, std::size_t size,
                                      unsigned block_size) {
  return {size, 0, block_size, {{"function", name_of(function)}, {"from", text_of(from)}, {"to", text_of(to)}}};
}

IntegrationChoice IntegrationProblem::choice(const Settings& settings) {
  return {function_named(settings.own.at("function")).value(), std::strtod(settings.own.at("from").c_str(), nullptr),
          std::strtod(settings.own.at("to").c_str(), nullptr)};
}

// No number that hides a mistake: the ends are not 0 (nor is f there), and no float holds them, or the width.
Settings IntegrationProblem::defaults() const { return settings(Function::sine, 0.1, 2.2, default_size); }

std::vector<OwnOption> IntegrationProblem::own_options() const {
  const Settings standard = defaults();
  const auto known = [](const std::string& value) {
    return function_named(value) ? std::string() : "is unknown; there are " + function_names();
  };
  return {{"function", "NAME", function_names(), standard.own.at("function"), known},
          {"from", "A", "where the integral begins", standard.own.at("from"), problem_with_limit},
          {"to", "B", "where it ends; may be less than A", standard.own.at("to"), problem_with_limit}};
}

std::unique_ptr<Case> IntegrationProblem::make_case(const Settings& settings) const {
  const auto [function, from, to] = choice(settings);
  return std::make_unique<IntegrationCase>(integrate_, function, from, to, settings.size);
}

IntegrationCase::IntegrationCase(IntegrateOnDevice integrate, Function function, double a, double b, std::size_t n)
    : integrate_(integrate),
      function_(function),
      a_(a),
      b_(b),
      n_(n),
      reference_(trapezoidal_sum(function, a, b, n)),
      bound_(error_bound(reference_, function, a, b, n)),
      closed_form_(n == 0 ? 0.0 : closed_form(function, a, b)) {
  const auto begin = std::chrono::steady_clock::now();
  plain_sum_ = plain_trapezoidal_sum(function, a, b, n);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  cpu_time_ms_ = taken.count();
}

Outcome IntegrationCase::call(unsigned block_size, GpuTimer& timer) {
  double integral = 0.0;
  if (n_ > 0) {
    DeviceArray<double> result(1);
    result.fill(0xFF);
    timer.start();
    integrate_(Integrand{function_}, a_, b_, n_, block_size, result.data(), nullptr);
    timer.stop();
    integral = read_back(result.data());
  }
  return {{{"integral", reference_.integral, integral, 17},
           {"error_to_closed_form", reference_.integral - closed_form_, integral - closed_form_, 3}},
          check_integral(integral, reference_.integral, bound_)};
}

std::string IntegrationCase::description() const {
  return std::string("Integral of ") + formula_of(function_) + " from " + text_of(a_, 9) + " to " + text_of(b_, 9) +
         ": " + std::to_string(n_) + " intervals, closed form " + text_of(closed_form_) + ", plain CPU loop " +
         text_of(plain_sum_);
}

}  // namespace workbook
