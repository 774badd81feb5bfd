// SPDX-License-Identifier: MIT
#include "workbook/problem/array_case.h"

namespace workbook {

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
