// SPDX-License-Identifier: MIT
// Integration by the trapezoidal rule: functions with closed forms, reference, error bound, test sizes and options. It
// also has the host steps around a student's function (integration.h).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "workbook/case/problem.h"
#include "workbook/student/integration.h"

namespace workbook {

/// The name on the command line and in reports: "square", "sine", "bell", "arc".
const char* name_of(Function function);
/// The formula: "x^2".
const char* formula_of(Function function);

/// The exact integral, from the antiderivative. It is no reference for a stage, because the trapezoidal rule has an
/// error of its own. The error is about h^2 / 12 * (f'(b) - f'(a)), even without rounding.
double closed_form(Function function, double a, double b);

/// The trapezoidal rule on the CPU, in double with compensation. The additions have hardly any rounding error.
struct TrapezoidalSum {
  double integral = 0.0;
  double magnitude = 0.0;  ///< |h| * (|f(a)|/2 + |f(a + h)| + ... + |f(b)|/2): the measure of rounding errors.
};
TrapezoidalSum trapezoidal_sum(Function function, double a, double b, std::size_t n);

/// The same by a plain loop with one double. A ratio of CPU and GPU times uses its time.
double plain_trapezoidal_sum(Function function, double a, double b, std::size_t n);

/// The error bound of a result: u * ((n + 16) * magnitude + 20 * L * m * |b - a|), u = 2^-53. Reasons:
///
/// * Additions: atomics add in any order, so the longest chain may have all n terms. Each addition has an error of at
///   most u of its result (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2).
/// * Terms: sin and exp of CUDA and of a C library each have an error of at most 4 u. Few other roundings belong to a
///   term. 16 u cover both sides.
/// * Points: a + i * h has three roundings, which move it by at most 5 u * m, where m = max(|a|, |b|). Another order of
///   operations may move it more, so 10 u * m are allowed, on both sides. The slope of f is at most L between a and b.
///   So the move changes each term by up to L times as much. The widths of all terms add up to |b - a|.
/// * The smallest normal double, 2^-1022, is added: below it, results have fewer bits.
double error_bound(const TrapezoidalSum& reference, Function function, double a, double b, std::size_t n);

/// Matches when |got - reference| <= bound. In this form a NaN does not match.
Verdict check_integral(double got, double reference, double bound);

using IntegrateOnDevice = void (*)(Integrand f, double a, double b, std::size_t n, unsigned block_size,
                                   double* integral, cudaStream_t stream);

/// The case's own options.
struct IntegrationChoice {
  Function function;
  double from;
  double to;
};

/// Integration as a problem.
class IntegrationProblem final : public Problem {
 public:
  explicit IntegrationProblem(IntegrateOnDevice integrate) : integrate_(integrate) {}

  static constexpr std::array<Function, 4> functions{Function::square, Function::sine, Function::bell, Function::arc};
  static constexpr double largest_limit = 1e6;  ///< The limit of the interval, on both sides of 0.

  static IntegrationChoice choice(const Settings& settings);

  std::string name() const override { return "integration"; }
  std::string help() const override { return "Integrates a function on the device and compares with the CPU."; }
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  bool has_seed() const override { return false; }
  BlockRule block_rule() const override { return powers_of_two(1, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings&) const override { return 4096.0; }
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;
  std::string diagnosis(const Settings& settings, const Measure& measure) const override;  // integration_diagnosis.cpp

 private:
  IntegrateOnDevice integrate_;
};

}  // namespace workbook
