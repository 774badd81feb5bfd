// SPDX-License-Identifier: MIT
// Ways to look right without integrating anything, as an integrate_on_device() of its own: all of them must be refused.
#include <gtest/gtest.h>

#include "workbook/case/run.h"
#include "workbook/problem/sums/integration/integration_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

void on_host(Integrand f, double a, double b, std::size_t n, unsigned, double* integral, cudaStream_t stream) {
  const double sum = plain_trapezoidal_sum(f.function, a, b, n);
  CUDA_CHECK(cudaMemcpyAsync(integral, &sum, sizeof sum, cudaMemcpyHostToDevice, stream));
}

void writes_nothing(Integrand, double, double, std::size_t, unsigned, double*, cudaStream_t) {}

// The closed form is the integral, and not what the rule gives.
void closed(Integrand f, double a, double b, std::size_t, unsigned, double* integral, cudaStream_t stream) {
  const double exact = closed_form(f.function, a, b);
  CUDA_CHECK(cudaMemcpyAsync(integral, &exact, sizeof exact, cudaMemcpyHostToDevice, stream));
}

RunResult run(IntegrateOnDevice integrate, std::size_t n) {
  const IntegrationProblem problem(integrate);
  Settings settings = default_settings(Stage{}, problem);  // the sine from 0.1 to 2.2
  settings.sizes = {n};
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {1});
}

TEST(IntegrationCase, ARightIntegralMatches) {
  const RunResult result = run(on_host, 1000);
  EXPECT_TRUE(result.verdict.matches) << result.verdict.reason;
  ASSERT_EQ(result.values.size(), 2u);
  EXPECT_EQ(result.values[0].name, "integral");
  EXPECT_NEAR(result.values[0].got, closed_form(Function::sine, 0.1, 2.2), 1e-6);
  EXPECT_EQ(result.values[1].name, "error_to_closed_form");
  EXPECT_NEAR(result.values[1].got, result.values[1].reference, 1e-12);
  EXPECT_GT(result.values[1].reference, -1e-6);
  EXPECT_LT(result.values[1].reference, -1e-7);  // h^2 / 12 * (cos(2.2) - cos(0.1))
}

TEST(IntegrationCase, NoIntervalsNeedNoDevice) { EXPECT_TRUE(run(writes_nothing, 0).verdict.matches); }

TEST(IntegrationCase, WhoWritesNothingReturnsNan) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}}) {
    const RunResult result = run(writes_nothing, n);
    EXPECT_FALSE(result.verdict.matches);
    EXPECT_NE(result.verdict.reason.find("NaN"), std::string::npos) << result.verdict.reason;
  }
}

TEST(IntegrationCase, TheClosedFormIsNotTheRule) { EXPECT_FALSE(run(closed, 1000).verdict.matches); }

}  // namespace
}  // namespace workbook
