// SPDX-License-Identifier: MIT
// Integration by the trapezoidal rule: its functions with their closed forms, reference, error bound, test sizes and
// options, and the host steps around a student's function, which integration.h describes.
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
/// As a formula: "x^2".
const char* formula_of(Function function);

/// The integral itself, from the antiderivative. Not what a stage is checked against: the trapezoidal rule has an error
/// of its own, about h^2 / 12 * (f'(b) - f'(a)), even where nothing is rounded.
double closed_form(Function function, double a, double b);

/// The trapezoidal rule on the CPU, in double with compensation: hardly any rounding error of the additions.
struct TrapezoidalSum {
  double integral = 0.0;
  double magnitude = 0.0;  ///< |h| * (|f(a)|/2 + |f(a + h)| + ... + |f(b)|/2): what rounding errors are measured by
};
TrapezoidalSum trapezoidal_sum(Function function, double a, double b, std::size_t n);

/// The same by a plain loop with one double: what a CPU takes without a GPU, and what a ratio compares with.
double plain_trapezoidal_sum(Function function, double a, double b, std::size_t n);

/// How far a result may be from the reference: u * ((n + 16) * magnitude + 20 * L * m * |b - a|), u = 2^-53.
/// Reasons. Additions: atomics add in any order, so the longest chain may have all n terms, and each addition is off by
/// at most u of its result (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2). Terms:
/// sin and exp of CUDA and of a C library are off by at most 4 u each, with few roundings around them; 16 u cover both
/// sides. Points: a + i * h has three roundings, which move it by at most 5 u * m, where m = max(|a|, |b|), the more so
/// for another order of operations (10 u * m are allowed, on both sides); f, whose slope is at most L between a and b,
/// carries that to each of the terms, whose widths add up to |b - a|. The smallest normal double, 2^-1022, comes on
/// top: below it, results have fewer bits.
double error_bound(const TrapezoidalSum& reference, Function function, double a, double b, std::size_t n);

/// Matches when |got - reference| <= bound: written so that a NaN does not.
Verdict check_integral(double got, double reference, double bound);

using IntegrateOnDevice = void (*)(Integrand f, double a, double b, std::size_t n, unsigned block_size,
                                   double* integral, cudaStream_t stream);

/// What a case's own options say.
struct IntegrationChoice {
  Function function;
  double from;
  double to;
};

class IntegrationProblem final : public Problem {
 public:
  explicit IntegrationProblem(IntegrateOnDevice integrate) : integrate_(integrate) {}

  static constexpr std::array<Function, 4> functions{Function::square, Function::sine, Function::bell, Function::arc};
  static constexpr double largest_limit = 1e6;  ///< of the interval, on both sides of 0

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
