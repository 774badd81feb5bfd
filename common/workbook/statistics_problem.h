// SPDX-License-Identifier: MIT
// Statistics as a problem: options, test sizes and the host steps around a student's statistic_on_device(), which
// statistics.h describes; the numbers are in statistics_input.h, references and bounds in statistics_reference.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "workbook/device_memory.h"
#include "workbook/input.h"
#include "workbook/problem.h"
#include "workbook/statistics_input.h"
#include "workbook/statistics_reference.h"
#include "workbook/ticket.h"

namespace workbook {

template <typename T>
using StatisticOnDevice = void (*)(Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                                   const StatisticsWorkspace& workspace);

/// A student's function, or a stand-in for it.
struct StatisticFunctions {
  StatisticOnDevice<float> of_floats = nullptr;
  StatisticOnDevice<double> of_doubles = nullptr;
  StatisticOnDevice<int> of_ints = nullptr;

  template <typename T>
  StatisticOnDevice<T> of() const;
};
template <>
inline StatisticOnDevice<float> StatisticFunctions::of() const {
  return of_floats;
}
template <>
inline StatisticOnDevice<double> StatisticFunctions::of() const {
  return of_doubles;
}
template <>
inline StatisticOnDevice<int> StatisticFunctions::of() const {
  return of_ints;
}

/// What the numbers are.
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

/// What a case's own options say.
struct StatisticsChoice {
  Operation operation = Operation::deviation;
  NumberType type = NumberType::floats;
  Numbers numbers = Numbers::uniform;
};

/// The memory of a StatisticsWorkspace, its ticket at 0, its result NaN.
class StatisticsMemory {
 public:
  StatisticsMemory(std::size_t n, unsigned block_size)
      : partials_(kLargestState * (n == 0 ? 1 : (n + block_size - 1) / block_size)), result_(1) {
    forget();
  }
  StatisticsWorkspace on(cudaStream_t stream) const {
    return {partials_.data(), ticket_.data(), result_.data(), stream};
  }
  const Ticket& ticket() const { return ticket_; }
  /// Makes the result NaN: what a computation before has left there must not pass for the next one's.
  void forget() { result_.fill(0xFF); }

 private:
  DeviceArray<unsigned char> partials_;
  Ticket ticket_;
  DeviceArray<double> result_;
};

class StatisticsProblem final : public Problem {
 public:
  explicit StatisticsProblem(const StatisticFunctions& functions) : functions_(functions) {}

  static constexpr std::size_t default_size = 16'777'216;
  static constexpr unsigned default_block_size = 256;
  static constexpr std::array<Operation, 6> operations{Operation::sum,     Operation::product, Operation::minimum,
                                                       Operation::maximum, Operation::mean,    Operation::deviation};
  static constexpr std::array<NumberType, 3> types{NumberType::floats, NumberType::doubles, NumberType::ints};

  /// Each with every operation, type, block size, seed and kind of numbers below: nothing, one, both sides of a warp, a
  /// block and a few blocks, and sizes of several vectors, tiles and a rest.
  static constexpr std::array<std::size_t, 12> test_sizes{0, 1, 2, 31, 32, 33, 255, 257, 1025, 4097, 16'389, 100'003};
  static constexpr std::array<std::size_t, 2> full_sizes{16'777'216, 16'777'219};
  static constexpr std::array<unsigned, 4> test_block_sizes{32, 128, 256, 1024};
  static constexpr std::array<std::uint32_t, 2> test_seeds{kDefaultSeed, 1};
  static constexpr std::array<Numbers, 6> test_numbers{Numbers::uniform,  Numbers::signed_uniform, Numbers::exact,
                                                       Numbers::constant, Numbers::shifted,        Numbers::negative};

  static constexpr bool is_block_size(unsigned block_size) {
    return block_size >= 32 && block_size <= 1024 && (block_size & (block_size - 1)) == 0;
  }

  /// Settings for a case of these, and back.
  static Settings settings(const StatisticsChoice& choice, std::size_t size, std::uint32_t seed,
                           unsigned block_size = default_block_size);
  static StatisticsChoice choice(const Settings& settings);

  const StatisticFunctions& functions() const { return functions_; }

  std::string name() const override { return "statistics"; }
  std::string help() const override { return "Computes a statistic on the device and compares with the CPU."; }
  std::string size_help() const override { return "how many numbers"; }
  Settings defaults() const override { return settings({}, default_size, kDefaultSeed); }
  std::vector<OwnOption> own_options() const override;
  bool accepts_block_size(unsigned block_size) const override { return is_block_size(block_size); }
  std::string block_size_rule() const override { return "a power of two from 32 to 1024"; }
  std::size_t input_bytes(const Settings& settings) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;
  /// The other operations, and the other types.
  std::vector<Settings> other_tasks(const Settings& settings) const override;

 private:
  StatisticFunctions functions_;
};

}  // namespace workbook
