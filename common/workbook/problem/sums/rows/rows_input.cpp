// SPDX-License-Identifier: MIT
// The rows, from the 32 bits of mt19937, and the reference in double.
#include "workbook/problem/sums/rows/rows_input.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workbook/problem/generator.h"
#include "workbook/problem/sums/statistics/statistics_reference.h"

namespace workbook {
namespace {

constexpr double kRowRoundoff = 0x1p-24;
constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
constexpr float kMostFloat = std::numeric_limits<float>::max();
constexpr float kSmall = 1e-3f;  // makes squares about as small as kRmsEpsilon, so that it matters where that is added

// In [-1, 1).
float next_number(Generator& generator) {
  return static_cast<float>(static_cast<std::uint32_t>(generator()) >> 8) * 0x1p-23f - 1.0f;
}

bool is_masked(std::size_t row, std::size_t column, std::size_t columns, Generator& generator) {
  switch (row % 4) {
    case 0:
      return column >= columns / 2;
    case 1:
      return column < columns / 2;
    case 2:
      return true;
    default:
      return generator() % 3 == 0;
  }
}

void fill_row(RowValues values, RowOperation operation, std::size_t row, Generator& generator, float* numbers,
              std::size_t columns) {
  const bool is_softmax = operation == RowOperation::softmax;
  for (std::size_t j = 0; j < columns; ++j) {
    const float number = next_number(generator);
    switch (values) {
      case RowValues::equal:
        numbers[j] = 3.0f * (static_cast<float>(row % 5) - 2.0f);
        break;
      case RowValues::peak:
        numbers[j] = number;
        break;
      case RowValues::rising:
        numbers[j] = -1000.0f + (150.0f * static_cast<float>(j) + number) / static_cast<float>(columns);
        break;
      case RowValues::masked:
        numbers[j] = is_masked(row, j, columns, generator) ? (is_softmax ? -kFloatInfinity : 0.0f) : 8.0f * number;
        break;
      case RowValues::huge:  // in every second row all are far below 0, and -1e30 is no number for nothing
        numbers[j] = (row % 2 == 0 ? number : -std::abs(number)) * (is_softmax ? kMostFloat : 1e15f);
        break;
      default:
        numbers[j] = 8.0f * number * (is_softmax || row % 3 != 1 ? 1.0f : kSmall);
    }
  }
  const std::size_t any = generator() % columns;
  if (values == RowValues::peak) numbers[row % 3 == 0 ? columns - 1 : row % 3 == 1 ? 0 : any] = 100.0f;
  if (values == RowValues::infinity && row % 2 == 0) numbers[any] = kFloatInfinity;
  if (values == RowValues::nan && row % 2 == 0) numbers[any] = std::numeric_limits<float>::quiet_NaN();
}

// Errors of additions, one after the other and in trees.
double chain_units(std::size_t columns) {
  const double depth = addition_depth(columns) + static_cast<double>(columns / 128);
  return std::min(depth, 8.0 * std::sqrt(depth));
}

void take_softmax(const float* numbers, std::size_t columns, float* output, float* bounds) {
  double max = -std::numeric_limits<double>::infinity(), sum = 0.0, weighted = 0.0;
  bool has_nan = false;
  for (std::size_t j = 0; j < columns; ++j) {
    has_nan = has_nan || std::isnan(numbers[j]);
    max = std::max(max, static_cast<double>(numbers[j]));
  }
  if (has_nan || !std::isfinite(max)) {
    std::fill_n(output, columns, std::numeric_limits<float>::quiet_NaN());
    return;  // the bounds are 0
  }
  const auto difference = [&](std::size_t j) { return static_cast<double>(numbers[j]) - max; };
  for (std::size_t j = 0; j < columns; ++j) {
    const double value = std::exp(difference(j));
    sum += value;
    if (value > 0.0) weighted += value * -difference(j);
  }
  const double units = row_error_units(columns) + 4.0 * weighted / sum;
  for (std::size_t j = 0; j < columns; ++j) {
    const double value = std::exp(difference(j)) / sum;
    output[j] = static_cast<float>(value);
    bounds[j] = 0x1p-125f;
    if (value > 0.0) bounds[j] += static_cast<float>(2.0 * (units - 4.0 * difference(j)) * kRowRoundoff * value);
  }
}

void take_rms_norm(const float* numbers, std::size_t columns, float* output, float* bounds) {
  double sum = 0.0;
  for (std::size_t j = 0; j < columns; ++j) sum += static_cast<double>(numbers[j]) * static_cast<double>(numbers[j]);
  const double factor = 1.0 / std::sqrt(sum / static_cast<double>(columns) + static_cast<double>(kRmsEpsilon));
  for (std::size_t j = 0; j < columns; ++j) {
    const double value = static_cast<double>(numbers[j]) * factor;
    output[j] = static_cast<float>(value);
    if (!std::isnan(value))
      bounds[j] = static_cast<float>(2.0 * row_error_units(columns) * kRowRoundoff * std::abs(value));
  }
}

}  // namespace

std::vector<std::string> row_values() {
  return {"random", "equal", "peak", "rising", "masked", "infinity", "nan", "huge"};
}

std::vector<float> make_rows(RowValues values, RowOperation operation, std::size_t rows, std::size_t columns,
                             std::uint32_t seed) {
  Generator generator(seed);
  std::vector<float> numbers(rows * columns);
  if (numbers.empty()) return numbers;
  for (std::size_t i = 0; i < rows; ++i) {
    fill_row(values, operation, i, generator, numbers.data() + i * columns, columns);
  }
  return numbers;
}

double row_error_units(std::size_t columns) { return 8.0 + 4.0 * chain_units(columns); }

RowReference reference_rows(RowOperation operation, const std::vector<float>& input, std::size_t rows,
                            std::size_t columns) {
  RowReference reference{std::vector<float>(input.size()), std::vector<float>(input.size())};
  const auto take = operation == RowOperation::softmax ? &take_softmax : &take_rms_norm;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t begin = i * columns;
    take(input.data() + begin, columns, reference.output.data() + begin, reference.bounds.data() + begin);
  }
  return reference;
}

}  // namespace workbook
