// SPDX-License-Identifier: MIT
// One copy or transpose; the options and the limits.
#include "workbook/problem/products/matrix/matrix_problem.h"

#include <algorithm>

#include "workbook/case/changed_element.h"
#include "workbook/problem/array_case.h"

namespace workbook {
namespace {

class MoveCase final : public ArrayCase {
 public:
  MoveCase(Move move, MoveOnDevice on_device, const Settings& settings)
      : move_(move),
        on_device_(on_device),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        padding_(settings.choice<std::size_t>("padding")),
        output_padding_(settings.choice<std::size_t>("output-padding")),
        misalign_(settings.choice<std::size_t>("misalign")),
        input_(rows_ * pitch()) {
    // Each word tells its place. None is 0, because a kernel may wrongly fill a place with zeros.
    for (std::size_t k = 0; k < input_.size(); ++k) input_[k] = static_cast<std::uint32_t>(k + 1);
    input_ = with_change(std::move(input_), settings.changed);
    expected_ = timed([this] { return moved(); });
  }

  std::string description() const override {
    return "Input: " + std::to_string(rows_) + " rows of " + std::to_string(columns_) + " floats, pitch " +
           std::to_string(pitch());
  }

 private:
  std::size_t pitch() const { return columns_ + padding_; }
  std::size_t output_rows() const { return move_ == Move::copy ? rows_ : columns_; }
  std::size_t output_columns() const { return move_ == Move::copy ? columns_ : rows_; }

  const void* launch(DeviceCall& steps, const Call& call) override {
    const Layout from{rows_, columns_, pitch(), misalign_};
    const Layout to{output_rows(), output_columns(), output_columns() + output_padding_, misalign_};
    // The bits of floats: the device moves them and never computes with them.
    const auto* const input = reinterpret_cast<const float*>(steps.input("the input", input_, from));
    auto* const output = steps.output<std::uint32_t>("the output", to);
    steps.launch([&] {
      on_device_({input, from.rows, from.columns, from.pitch},
                 {reinterpret_cast<float*>(output), to.rows, to.columns, to.pitch}, call.block, steps.stream());
    });
    return output;
  }
  Words expected() const override { return words_of(expected_, output_rows(), output_columns()); }
  Explanations explanations() const override {
    Explanations explanations;
    if (padding_ == 0) explanations.input = words_of(input_, output_rows(), output_columns());
    explanations.text = [this](std::uint32_t word) { return text_of_word(word); };
    return explanations;
  }

  std::vector<std::uint32_t> moved() const {
    std::vector<std::uint32_t> output(rows_ * columns_);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        output[move_ == Move::copy ? i * columns_ + j : j * rows_ + i] = input_[i * pitch() + j];
      }
    }
    return output;
  }

  std::string text_of_word(std::uint32_t word) const {
    if (word == 0) return "0";
    if (word > input_.size()) return "the word " + std::to_string(word) + ", which the input has not";
    const std::size_t place = word - 1, column = place % pitch();
    return "the input's row " + std::to_string(place / pitch()) + ", column " + std::to_string(column) +
           (column < columns_ ? "" : " (behind the end of the row)");
  }

  Move move_;
  MoveOnDevice on_device_;
  std::size_t rows_;
  std::size_t columns_;
  std::size_t padding_;  // of the input
  std::size_t output_padding_;
  std::size_t misalign_;
  std::vector<std::uint32_t> input_;
  std::vector<std::uint32_t> expected_;
};

}  // namespace

std::string MatrixProblem::help() const {
  return move_ == Move::copy ? "Copies a matrix on the device and compares with the CPU."
                             : "Transposes a matrix on the device and compares with the CPU.";
}

std::vector<Extent> MatrixProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 30;  // each: then 64 bits hold all bytes
  return {{"rows", "rows of the input", 4096, kLargest}, {"columns", "columns of the input", 4096, kLargest}};
}

std::vector<Option> MatrixProblem::options() const {
  return {{"padding", "floats between the end of a row of the input and the next", {}, 0.0, 0.0, 1024.0, true},
          {"output-padding", "the same in the output", {}, 0.0, 0.0, 1024.0, true},
          {"misalign", "both matrices begin K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true}};
}

BlockRule MatrixProblem::block_rule() const {
  return {"one of 16x16, 32x4, 32x8, 32x32, 64x4, 256x1",
          {{16, 16}, {32, 4}, {32, 8}, {32, 32}, {64, 4}, {256, 1}},
          {32, 8}};
}

Work MatrixProblem::work(const Settings& settings) const {
  const double elements = static_cast<double>(settings.sizes[0]) * static_cast<double>(settings.sizes[1]);
  return {"floats", elements, elements * sizeof(float), elements * sizeof(float), 0.0};
}

double MatrixProblem::device_bytes(const Settings& settings) const {
  const auto rows = static_cast<double>(settings.sizes[0]), columns = static_cast<double>(settings.sizes[1]);
  return sizeof(float) * (2.0 * rows * columns + settings.options.at("padding") * rows +
                          settings.options.at("output-padding") * std::max(rows, columns)) +
         65536.0;
}

std::unique_ptr<Case> MatrixProblem::make_case(const Settings& settings) const {
  return std::make_unique<MoveCase>(move_, on_device_, settings);
}

}  // namespace workbook
