// SPDX-License-Identifier: MIT
// The options and the limits of rows, and one call.
#include "workbook/problem/sums/rows/rows_problem.h"

#include <cmath>
#include <cstring>

#include "workbook/case/changed_element.h"
#include "workbook/judge/number_text.h"
#include "workbook/problem/array_case.h"
#include "workbook/problem/products/factors.h"

namespace workbook {
namespace {

float number_of(std::uint32_t bits) {
  float number = 0.0f;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

class RowsCase final : public ArrayCase {
 public:
  RowsCase(const RowsProblem& problem, const Settings& settings)
      : problem_(problem),
        operation_(problem.operation(settings)),
        values_(settings.choice<RowValues>("values")),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        padding_(settings.choice<std::size_t>("padding")),
        output_padding_(settings.choice<std::size_t>("output-padding")),
        misalign_(settings.choice<std::size_t>("misalign")),
        seed_(settings.seed) {
    const std::vector<float> numbers =
        with_change(make_rows(values_, operation_, rows_, columns_, seed_), settings.changed);
    reference_ = timed([&] { return reference_rows(operation_, numbers, rows_, columns_); });
    input_ = with_gaps(numbers, rows_, columns_, padding_);
  }

  std::string description() const override {
    return "Input: " + std::to_string(rows_) + " rows of " + std::to_string(columns_) + " floats (" +
           row_values()[static_cast<std::size_t>(values_)] + ", seed " + std::to_string(seed_) + "), pitch " +
           std::to_string(columns_ + padding_);
  }

 private:
  const void* launch(DeviceCall& steps, const Call& call) override {
    const Layout from{rows_, columns_, columns_ + padding_, misalign_};
    const Layout to{rows_, columns_, columns_ + output_padding_, misalign_};
    const float* const input = steps.input("the input", input_, from);
    float* const output = steps.output<float>("the output", to);
    RowWorkspace workspace{nullptr, steps.stream()};
    if (!problem_.is_softmax_alone()) {
      workspace.words = steps.scratch<unsigned long long>("the workspace's words", row_words(rows_, columns_));
    }
    steps.launch([&] {
      problem_.launch(operation_, {input, from.rows, from.columns, from.pitch}, {output, to.rows, to.columns, to.pitch},
                      call.block.x, workspace);
    });
    return output;
  }
  Words expected() const override { return words_of(reference_.output, rows_, columns_); }
  const std::vector<float>* bounds() const override { return &reference_.bounds; }
  Explanations explanations() const override {
    Explanations explanations;
    explanations.text = [](std::uint32_t bits) { return plain(static_cast<double>(number_of(bits)), 9); };
    return explanations;
  }

  // What the results of the first wrong row add up to says which of its numbers are in the sum.
  std::string known_mistake(const Words& got) const override {
    if (operation_ != RowOperation::softmax) return "";
    for (std::size_t i = 0; i < rows_; ++i) {
      double sum = 0.0;
      bool is_right = true;
      for (std::size_t j = 0; j < columns_; ++j) {
        const auto at = i * columns_ + j;
        const auto number = static_cast<double>(number_of(got.data[at]));
        sum += number;
        is_right = is_right && std::abs(number - static_cast<double>(reference_.output[at])) <=
                                   static_cast<double>(reference_.bounds[at]);
      }
      if (is_right || std::isnan(static_cast<double>(reference_.output[i * columns_]))) continue;
      return std::isfinite(sum) && std::abs(sum - 1.0) > 1e-3
                 ? "; the results of row " + std::to_string(i) + " add up to " + plain(sum, 4) + ", and should to 1"
                 : "";
    }
    return "";
  }

  const RowsProblem& problem_;
  RowOperation operation_;
  RowValues values_;
  std::size_t rows_, columns_;
  std::size_t padding_, output_padding_, misalign_;
  std::uint32_t seed_;
  RowReference reference_;
  std::vector<float> input_;  // with the gaps
};

}  // namespace

std::string RowsProblem::help() const {
  return is_softmax_alone() ? "Takes the softmax of each row on the device and compares with the CPU."
                            : "Takes softmax or RMS norm of each row on the device and compares with the CPU.";
}

std::vector<Extent> RowsProblem::extents() const {
  return {{"rows", "rows of the matrix", 1024, std::size_t{1} << 30},
          {"columns", "numbers of a row", 4096, std::size_t{1} << 22}};
}

std::vector<Option> RowsProblem::options() const {
  std::vector<Option> options;
  if (!is_softmax_alone()) options.push_back({"operation", "what is made of a row", {"softmax", "rms-norm"}});
  options.push_back({"values", "what the numbers are", row_values()});
  options.push_back({"padding", "floats, all NaN, between the end of a row and the next", {}, 0.0, 0.0, 1024.0, true});
  options.push_back({"output-padding", "floats between the rows of the output", {}, 0.0, 0.0, 1024.0, true});
  options.push_back({"misalign", "both matrices begin K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true});
  return options;
}

Work RowsProblem::work(const Settings& settings) const {
  const double numbers = static_cast<double>(settings.sizes[0]) * static_cast<double>(settings.sizes[1]);
  return {"floats", numbers, sizeof(float) * numbers, sizeof(float) * numbers, numbers};
}

double RowsProblem::device_bytes(const Settings& settings) const {
  const std::size_t rows = settings.sizes[0], columns = settings.sizes[1];
  const double gaps =
      (settings.options.at("padding") + settings.options.at("output-padding")) * static_cast<double>(rows);
  const double words = is_softmax_alone() ? 0.0 : static_cast<double>(row_words(rows, columns));
  return sizeof(float) * (2.0 * static_cast<double>(rows * columns) + gaps + 2.0 * words) + 65536.0;
}

std::unique_ptr<Case> RowsProblem::make_case(const Settings& settings) const {
  return std::make_unique<RowsCase>(*this, settings);
}

}  // namespace workbook
