// SPDX-License-Identifier: MIT
// The sum of floats by a stage's reduce(), which takes the host's steps itself, or by its reduce_on_device().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {

std::unique_ptr<Case> make_reduction_case(Reduce reduce, const StatisticsChoice& choice, std::uint32_t seed,
                                          std::vector<float> values);
/// Each call sets `partial_sums`, unless it is null.
std::unique_ptr<Case> make_reduction_case(ReduceOnDevice reduce, const StatisticsChoice& choice, std::uint32_t seed,
                                          std::vector<float> values, PartialSums* partial_sums);

}  // namespace workbook
