// SPDX-License-Identifier: MIT
// The trapezoidal rule against closed forms, and a bound that lets every order of additions pass and no float.
#include "workbook/problem/sums/integration/integration_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "workbook/program/command_line.h"

namespace workbook {
namespace {

constexpr double kPi = 3.14159265358979323846;

double rule_error(Function function, double a, double b, std::size_t n) {
  return trapezoidal_sum(function, a, b, n).integral - closed_form(function, a, b);
}

TEST(TrapezoidalRule, IsThatOfTheFormula) {
  // x^2 from 0 to 3 with 3 intervals: 0/2 + 1 + 4 + 9/2; from 1 to 2 with one: (1 + 4) / 2.
  EXPECT_EQ(trapezoidal_sum(Function::square, 0.0, 3.0, 3).integral, 9.5);
  EXPECT_EQ(trapezoidal_sum(Function::square, 1.0, 2.0, 1).integral, 2.5);
  EXPECT_EQ(plain_trapezoidal_sum(Function::square, 0.0, 3.0, 3), 9.5);
}

TEST(TrapezoidalRule, NoIntervalAndNoWidthHaveNoArea) {
  for (const Function function : IntegrationProblem::functions) {
    EXPECT_EQ(trapezoidal_sum(function, 0.0, 1.0, 0).integral, 0.0);
    EXPECT_EQ(plain_trapezoidal_sum(function, 0.0, 1.0, 0), 0.0);
    EXPECT_EQ(trapezoidal_sum(function, 0.7, 0.7, 10).integral, 0.0);
  }
}

TEST(TrapezoidalRule, AReversedIntervalChangesTheSign) {
  for (const Function function : IntegrationProblem::functions) {
    const double forward = trapezoidal_sum(function, -0.3, 1.1, 1000).integral;
    EXPECT_NEAR(trapezoidal_sum(function, 1.1, -0.3, 1000).integral, -forward, 1e-15);
    EXPECT_EQ(closed_form(function, 1.1, -0.3), -closed_form(function, -0.3, 1.1));
  }
}

// An error of the second order: twice as many intervals leave a quarter. A wrong closed form would leave all of it.
TEST(TrapezoidalRule, ComesNearerToTheClosedFormWithTheSquareOfTheWidth) {
  for (const Function function : IntegrationProblem::functions) {
    const double coarse = rule_error(function, -0.3, 1.1, 500);
    const double fine = rule_error(function, -0.3, 1.1, 1000);
    EXPECT_GT(std::fabs(fine), 1e-10) << name_of(function);
    EXPECT_NEAR(coarse / fine, 4.0, 0.001) << name_of(function);
  }
}

TEST(TrapezoidalRule, FindsPi) {
  EXPECT_NEAR(trapezoidal_sum(Function::arc, 0.0, 1.0, 1'000'000).integral, kPi, 1e-12);
}

TEST(TrapezoidalRule, MagnitudeCountsBothSidesOfZero) {
  const TrapezoidalSum sum = trapezoidal_sum(Function::sine, 0.0, 2.0 * kPi, 1000);
  EXPECT_NEAR(sum.integral, 0.0, 1e-14);
  EXPECT_NEAR(sum.magnitude, 4.0, 1e-4);
}

// What a device may do: other orders, and a multiplication by h in each term.
double backwards(Function function, double a, double b, std::size_t n) {
  const Integrand f{function};
  const double h = (b - a) / static_cast<double>(n);
  double sum = h * f(b) / 2.0;
  for (std::size_t i = n - 1; i > 0; --i) sum += h * f(std::fma(static_cast<double>(i), h, a));
  return sum + h * f(a) / 2.0;
}

double with_points_in_float(Function function, double a, double b, std::size_t n) {
  const Integrand f{function};
  const double h = (b - a) / static_cast<double>(n);
  double sum = (f(a) + f(b)) / 2.0;
  for (std::size_t i = 1; i < n; ++i) sum += f(static_cast<float>(a) + static_cast<float>(i) * static_cast<float>(h));
  return h * sum;
}

TEST(IntegrationBound, LetsEveryOrderPassAndNoFloat) {
  for (const Function function : IntegrationProblem::functions) {
    for (const auto& [a, b] : {std::pair{-0.3, 1.1}, std::pair{1.1, -0.3}, std::pair{1e5, 1e5 + 1e-3}}) {
      for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{1000}, std::size_t{100'003}}) {
        const TrapezoidalSum reference = trapezoidal_sum(function, a, b, n);
        const double bound = error_bound(reference, function, a, b, n);
        const std::string where = std::string(name_of(function)) + " " + std::to_string(n);
        EXPECT_TRUE(check_integral(backwards(function, a, b, n), reference.integral, bound).matches) << where;
        EXPECT_TRUE(check_integral(plain_trapezoidal_sum(function, a, b, n), reference.integral, bound).matches)
            << where;
        if (n < 1000 || reference.magnitude == 0.0) continue;  // exp(-1e10) is 0 in double
        EXPECT_FALSE(check_integral(with_points_in_float(function, a, b, n), reference.integral, bound).matches)
            << where << " from " << a;
        EXPECT_FALSE(check_integral(static_cast<float>(reference.integral), reference.integral, bound).matches)
            << where << " from " << a;
      }
    }
  }
}

TEST(IntegrationCheck, NoNumberIsNoIntegral) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check_integral(nan, 1.0, 1e300).matches);
  EXPECT_NE(check_integral(nan, 1.0, 1.0).reason.find("Is the sum set to 0, with all its 8 bytes,"), std::string::npos);
  EXPECT_FALSE(check_integral(std::numeric_limits<double>::infinity(), 1.0, 1e300).matches);
  EXPECT_TRUE(check_integral(0.0, 0.0, 0.0).matches);
  EXPECT_EQ(check_integral(0.0, 0.0, 0.0).relative_error, 0.0);
  const Verdict far = check_integral(1.5, 1.0, 0.25);
  EXPECT_FALSE(far.matches);
  EXPECT_EQ(far.error, 0.5);
  EXPECT_EQ(far.relative_error, 0.5);
}

// The command line that a report shows must lead to the same bits.
TEST(IntegrationProblem, TheCommandLineKeepsEveryDigit) {
  const IntegrationProblem problem(nullptr);
  Settings settings = default_settings(Stage{}, problem);
  settings.options["to"] = 1.0 / 3.0;
  EXPECT_EQ(command_line(problem, settings),
            "--size 16777216 --block-size 256 --function sine --from 0.1 --to 0.3333333333333333");
  EXPECT_EQ(std::stod("0.3333333333333333"), 1.0 / 3.0);
}

TEST(IntegrationProblem, CasesAreOnBothSidesOfABlockAndOfZero) {
  const IntegrationProblem problem(nullptr);
  const Settings standard = default_settings(Stage{}, problem);
  const std::vector<dim3> shapes = problem.block_rule().shapes;
  EXPECT_EQ(shapes.front().x, 1u);  // smaller than a warp
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full}) {
    bool has_smaller_than_block = false, has_left_of_zero = false;
    std::set<unsigned> blocks;
    for (const Settings& settings : problem.cases(purpose, standard, shapes, true)) {
      has_smaller_than_block = has_smaller_than_block || (settings.size() > 0 && settings.size() < settings.block.x);
      has_left_of_zero = has_left_of_zero || IntegrationProblem::choice(settings).from < 0.0;
      blocks.insert(settings.block.x);
    }
    EXPECT_TRUE(has_smaller_than_block && has_left_of_zero) << name_of(purpose);
    EXPECT_EQ(blocks.size(), shapes.size()) << name_of(purpose);
  }
}

}  // namespace
}  // namespace workbook
