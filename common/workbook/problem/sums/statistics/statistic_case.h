// SPDX-License-Identifier: MIT
// One statistic by a stage's statistic_on_device().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {

/// Each call sets `partial_sums`, unless it is null. T is float, double or int.
template <typename T>
std::unique_ptr<Case> make_statistic_case(StatisticOnDevice<T> on_device, const StatisticsChoice& choice,
                                          std::uint32_t seed, std::vector<T> values, PartialSums* partial_sums);

}  // namespace workbook
