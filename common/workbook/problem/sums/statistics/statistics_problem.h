// SPDX-License-Identifier: MIT
// Sums and other statistics of numbers as a problem, in three forms for stages. Two are the sum of floats: reduce() and
// reduce_on_device() (reduction.h). The third is statistic_on_device() (statistics.h). The numbers are in
// statistics_input.h, references and bounds in statistics_reference.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/case/problem.h"
#include "workbook/problem/sums/statistics/statistics_input.h"
#include "workbook/problem/sums/statistics/statistics_reference.h"
#include "workbook/student/reduction.h"

namespace workbook {

/// A student's reduce().
using Reduce = float (*)(const float* input, std::size_t n, unsigned block_size, GpuTimer& timer);
/// A student's reduce_on_device().
using ReduceOnDevice = const float* (*)(float* numbers, std::size_t n, unsigned block_size, const Workspace& workspace);
/// A student's statistic_on_device().
template <typename T>
using StatisticOnDevice = void (*)(Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                                   const StatisticsWorkspace& workspace);

/// A stage's function for each type of numbers (its overloads).
struct StatisticFunctions {
  StatisticOnDevice<float> of_floats = nullptr;
  StatisticOnDevice<double> of_doubles = nullptr;
  StatisticOnDevice<int> of_ints = nullptr;

  StatisticOnDevice<float> of(float) const { return of_floats; }
  StatisticOnDevice<double> of(double) const { return of_doubles; }
  StatisticOnDevice<int> of(int) const { return of_ints; }
};

/// The types of the numbers.
enum class NumberType : std::uint8_t { floats, doubles, ints };
/// The name on the command line and in reports: "float", "double", "int".
const char* name_of(NumberType type);

/// Calls visit(T{}) with the type of the numbers.
template <typename Visit>
auto with_type(NumberType type, Visit visit) {
  switch (type) {
    case NumberType::floats:
      return visit(float{});
    case NumberType::doubles:
      return visit(double{});
    case NumberType::ints:
      break;
  }
  return visit(int{});
}

/// The partial sums that the blocks left in the workspace. For statistic_on_device(), a block's state is read as one
/// number of the type. The reader must find out whether it is one.
struct PartialSums {
  std::vector<double> of_blocks;
  bool is_sum_apart = true;  ///< The total is in another place.
  bool is_in_place = false;  ///< The numbers have changed, so the partial sums may have changed too.
};

/// The case's own options. A reduction is the sum of floats.
struct StatisticsChoice {
  Operation operation = Operation::sum;
  NumberType type = NumberType::floats;
  Numbers numbers = Numbers::uniform;
  std::size_t misalign = 0;  ///< floats between an aligned address and the first number
};

/// Sums and other statistics as a problem.
class StatisticsProblem final : public Problem {
 public:
  explicit StatisticsProblem(Reduce reduce) : functions_(reduce) {}
  explicit StatisticsProblem(ReduceOnDevice reduce_on_device) : functions_(reduce_on_device) {}
  explicit StatisticsProblem(const StatisticFunctions& functions) : functions_(functions) {}

  static constexpr std::array<Operation, 6> operations{Operation::sum,     Operation::product, Operation::minimum,
                                                       Operation::maximum, Operation::mean,    Operation::deviation};

  static constexpr std::size_t standard_size = 16'777'216;

  static StatisticsChoice choice(const Settings& settings);

  /// The stage's function for the benchmark; null where it defines another form.
  const StatisticFunctions* statistics() const { return std::get_if<StatisticFunctions>(&functions_); }

  std::string name() const override { return statistics() != nullptr ? "statistics" : "reduction"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;
  std::string diagnosis(const Settings& settings, const Measure& measure) const override;  // statistics_diagnosis.cpp

  /// A case with other numbers than those of the settings. Each call sets `partial_sums`, but a call of reduce() does
  /// not: it has its own.
  template <typename T>
  std::unique_ptr<Case> case_of(const Settings& settings, std::vector<T> numbers,
                                PartialSums* partial_sums = nullptr) const;

 private:
  std::vector<Settings> reduction_cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                        bool simulated) const;  // reduction_cases.cpp

  std::variant<Reduce, ReduceOnDevice, StatisticFunctions> functions_;
};

}  // namespace workbook
