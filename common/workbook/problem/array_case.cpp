// SPDX-License-Identifier: MIT
#include "workbook/problem/array_case.h"

#include <algorithm>
#include <cstring>

namespace workbook {

std::vector<float> with_gaps(const std::vector<float>& matrix, std::size_t rows, std::size_t columns,
                             std::size_t padding) {
  float gap = 0.0f;
  std::memset(&gap, 0xFF, sizeof gap);
  std::vector<float> spread(rows * (columns + padding), gap);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(matrix.begin() + static_cast<std::ptrdiff_t>(i * columns), columns,
                spread.begin() + static_cast<std::ptrdiff_t>(i * (columns + padding)));
  }
  return spread;
}

Outcome ArrayCase::call(const Call& call, GpuTimer& timer) {
  DeviceCall steps(call, timer);
  const auto* const output = static_cast<const std::uint32_t*>(launch(steps, call));
  const std::vector<std::uint32_t> words = steps.copy_back(output);
  const Words wanted = expected(), got{words.data(), wanted.rows, wanted.columns};
  const Explanations explanations = explanations_of(call, this->explanations());
  Outcome outcome;
  outcome.verdict = bounds() == nullptr ? compare_words(got, wanted, explanations)
                                        : compare_floats(got, wanted, *bounds(), explanations);
  if (!outcome.verdict.matches) add_known_mistake(outcome.verdict, known_mistake(got));
  refuse(outcome.verdict, mistake());
  refuse(outcome.verdict, steps.mistake());
  return outcome;
}

}  // namespace workbook
