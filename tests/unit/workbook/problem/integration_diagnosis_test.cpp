// SPDX-License-Identifier: MIT
// Trapezoidal rules that are none, each in a way of its own, and what the verdict says of them.
#include <gtest/gtest.h>

#include "workbook/problem/sums/integration/integration_problem.h"
#include "workbook/program/command_line.h"
#include "workbook/student/cuda_check.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {
namespace {

std::string lead(IntegrateOnDevice integrate, std::size_t n = 33) {
  const IntegrationProblem problem(integrate);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  settings.block = {32, 1, 1};
  return problem.diagnosis(settings, [&settings](Case& one_case) {
    GpuTimer timer;
    return one_case.call({settings.block, 0xFF, false}, timer).values[0].got;
  });
}

void store(double value, double* integral) {
  CUDA_CHECK(cudaMemcpy(integral, &value, sizeof value, cudaMemcpyHostToDevice));
}
// The sum of the inner heights from the i-th on, with points at a + i * h.
double inner(Integrand f, double a, double h, std::size_t n, std::size_t first = 1) {
  double sum = 0.0;
  for (std::size_t i = first; i < n; ++i) sum += f(a + static_cast<double>(i) * h);
  return sum;
}

#define RULE [](Integrand f, double a, double b, std::size_t n, unsigned, double* integral, cudaStream_t)

TEST(IntegrationDiagnosis, OfTheRuleItselfIsNothing) {
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * ((f(a) + f(b)) / 2.0 + inner(f, a, h, n)), integral);
            }),
            "");
}

TEST(IntegrationDiagnosis, OfEndPoints) {
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * (f(a) + f(b) + inner(f, a, h, n)), integral);
            }),
            "2 of the 34 points are counted once instead of 0.5: points 0 and 33.");
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * inner(f, a, h, n, 0), integral);
              (void)b;
            }),
            "1 of the 34 points is not in the sum: point 33, the last. 1 of the 34 points is counted once instead of "
            "0.5: point 0, the first.");
}

TEST(IntegrationDiagnosis, OfALostPoint) {
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * ((f(a) + f(b)) / 2.0 + inner(f, a, h, n - 1)), integral);
            }),
            "1 of the 34 points is not in the sum: point 32.");
}

TEST(IntegrationDiagnosis, OfTheWidth) {
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store((f(a) + f(b)) / 2.0 + inner(f, a, h, n), integral);
            }),
            "The sum of the heights is not multiplied by the width h.");
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * h * ((f(a) + f(b)) / 2.0 + inner(f, a, h, n)), integral);
            }),
            "The heights are multiplied by the width h twice.");
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n + 1);
              store(h * ((f(a) + f(b)) / 2.0 + inner(f, a, h, n)), integral);
            }),
            "The result is exactly what comes of h = (b - a) / (n + 1).");
  EXPECT_EQ(lead(RULE {
              const int h = static_cast<int>((b - a) / static_cast<double>(n));
              store(h * ((f(a) + f(b)) / 2.0 + inner(f, a, h, n)), integral);
            }),
            "The result is exactly what comes of a width h without what is behind its point, as of an int.");
}

TEST(IntegrationDiagnosis, OfPointsElsewhere) {
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * ((f(a) + f(b)) / 2.0 + inner(f, 0.0, h, n)), integral);
            }),
            "The result is exactly what comes of x = i * h.");
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * ((f(a) + f(b)) / 2.0 + inner(f, b, h, n)), integral);
            }),
            "The result is exactly what comes of x = b + i * h.");
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(h * ((f(a) + f(b)) / 2.0 + inner(f, a, -h, n)), integral);
            }),
            "The result is exactly what comes of x = a - i * h.");
}

TEST(IntegrationDiagnosis, AsksForFloats) {
  EXPECT_NE(lead(RULE {
              const double h = (b - a) / static_cast<double>(n);
              store(static_cast<double>(static_cast<float>(h * ((f(a) + f(b)) / 2.0 + inner(f, a, h, n)))), integral);
            }).find("is something computed in float?"),
            std::string::npos);
}

// Two mistakes at a time, few intervals, a sum that is not computed: nothing is sure.
TEST(IntegrationDiagnosis, OfWhatIsNotKnownIsNothing) {
  EXPECT_EQ(lead(RULE {
              const double h = (b - a) / static_cast<double>(n + 1);
              store(h * (f(a) + f(b) + inner(f, a, h, n)), integral);
            }),
            "");
  EXPECT_EQ(lead(RULE { store(f(a) + b + static_cast<double>(n), integral); }), "");
  EXPECT_EQ(lead(
                RULE {
                  const double h = (b - a) / static_cast<double>(n);
                  store(h * inner(f, a, h, n, 0), integral);
                },
                2),
            "");
}

}  // namespace
}  // namespace workbook
