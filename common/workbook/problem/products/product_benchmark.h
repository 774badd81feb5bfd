// SPDX-License-Identifier: MIT
// The common parts of product benchmarks: the numbers of their inputs, and the distance of a result from an exact one.
// The device computes the exact one as well. It is for .cu files.
#pragma once

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "workbook/bench/bench_inputs.h"
#include "workbook/problem/generator.h"
#include "workbook/problem/products/factors.h"

namespace workbook {

/// The numbers for inputs of `total_size` numbers together. Throws std::invalid_argument for settings that a benchmark
/// does not support.
inline std::vector<float> product_period(const Settings& settings, std::size_t total_size) {
  for (const auto& [name, value] : settings.options) {
    if (name != "factors" && value != 0.0) {
      throw std::invalid_argument("--" + name + " is not for the benchmark, whose matrices have no gaps");
    }
  }
  const auto factors = settings.choice<Factors>("factors");
  if (is_exact(factors)) {
    throw std::invalid_argument(std::string("--factors ") + name_of(factors) + " is not for the benchmark");
  }
  std::vector<float> period(period_size(total_size));
  Generator generator(settings.seed);
  fill_first_factor(factors, generator, period);
  return period;
}

/// Sets worst[0] to the largest |got - sum| / (u * size) of the elements, as the bits of a float. A NaN counts as
/// infinity. Here `sum` is the sum of an element's products, and `size` that of their absolute values.
inline __device__ void keep_worst_error(float got, double sum, double size, unsigned* worst) {
  const double error = fabs(static_cast<double>(got) - sum);
  const double units = error == 0.0 ? 0.0 : error / (0x1p-24 * size);
  atomicMax(worst, __float_as_uint(units < 1e30 ? static_cast<float>(units) : INFINITY));
}

/// `allowed`: in u * size.
inline Verdict verdict_of_worst(unsigned worst, double allowed) {
  Verdict verdict;
  float error = 0.0f;
  std::memcpy(&error, &worst, sizeof error);
  verdict.error = static_cast<double>(error);
  verdict.bound = allowed;
  verdict.matches = verdict.error <= verdict.bound;
  if (!verdict.matches) {
    verdict.reason = "the worst error is " + std::to_string(verdict.error) + " times u * sum |x|, and " +
                     std::to_string(verdict.bound) + " are allowed";
  }
  return verdict;
}

}  // namespace workbook
