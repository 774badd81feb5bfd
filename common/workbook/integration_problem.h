// SPDX-License-Identifier: MIT
// Integration by the trapezoidal rule: its functions with their closed forms, reference, error bound, test sizes and
// options, and the host steps around a student's function, which integration.h describes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "workbook/integration.h"
#include "workbook/problem.h"

namespace workbook {

/// The name on the command line and in reports: "square", "sine", "bell", "arc".
const char* name_of(Function function);
/// As a formula: "x^2".
const char* formula_of(Function function);
std::optional<Function> function_named(std::string_view name);

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

  static constexpr std::size_t default_size = 16'777'216;
  static constexpr unsigned default_block_size = 256;
  static constexpr unsigned largest_block_size = 1024;
  static constexpr double largest_limit = 1e6;  ///< of the interval, on both sides of 0

  /// Each with every block size and function: nothing, one, both sides of a warp and of a block, many blocks.
  static constexpr std::array<std::size_t, 14> test_sizes{0,   1,   2,   3,    31,   32,     33,
                                                          255, 256, 257, 1025, 4097, 65'537, 100'003};
  static constexpr std::array<unsigned, 11> test_block_sizes{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  static constexpr std::array<Function, 4> functions{Function::square, Function::sine, Function::bell, Function::arc};

  static constexpr bool is_block_size(unsigned block_size) {
    return block_size >= 1 && block_size <= largest_block_size && (block_size & (block_size - 1)) == 0;
  }

  /// Settings for a case of these, and back.
  static Settings settings(Function function, double from, double to, std::size_t size,
                           unsigned block_size = default_block_size);
  static IntegrationChoice choice(const Settings& settings);

  std::string name() const override { return "integration"; }
  std::string help() const override { return "Integrates a function on the device and compares with the CPU."; }
  std::string size_help() const override { return "how many intervals"; }
  Settings defaults() const override;
  std::vector<OwnOption> own_options() const override;
  bool accepts_block_size(unsigned block_size) const override { return is_block_size(block_size); }
  std::string block_size_rule() const override { return "a power of two from 1 to 1024"; }
  std::size_t input_bytes(const Settings&) const override { return 0; }
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  IntegrateOnDevice integrate_;
};

/// An integral with its reference, and the function that is to find it.
class IntegrationCase final : public Case {
 public:
  IntegrationCase(IntegrateOnDevice integrate, Function function, double a, double b, std::size_t n);

  /// Gives the function a double on the device that holds NaN.
  Outcome call(unsigned block_size, GpuTimer& timer) override;
  bool is_empty() const override { return n_ == 0; }
  std::size_t device_floats() const override { return 2; }
  std::string description() const override;
  double cpu_time_ms() const override { return cpu_time_ms_; }

 private:
  IntegrateOnDevice integrate_;
  Function function_;
  double a_;
  double b_;
  std::size_t n_;
  TrapezoidalSum reference_;
  double bound_;
  double closed_form_;
  double plain_sum_ = 0.0;
  double cpu_time_ms_ = 0.0;
};

}  // namespace workbook
