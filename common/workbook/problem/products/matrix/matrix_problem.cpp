// SPDX-License-Identifier: MIT
// Shapes that hide nothing, and one copy or transpose.
#include "workbook/problem/products/matrix/matrix_problem.h"

#include <algorithm>
#include <chrono>

#include "workbook/case/device_call.h"
#include "workbook/judge/compare.h"

namespace workbook {
namespace {

class MoveCase final : public Case {
 public:
  MoveCase(Move move, MoveOnDevice on_device, const Settings& settings)
      : move_(move),
        on_device_(on_device),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        padding_(settings.choice<std::size_t>("padding")),
        output_padding_(settings.choice<std::size_t>("output-padding")),
        misalign_(settings.choice<std::size_t>("misalign")),
        input_(rows_ * pitch()),
        expected_(rows_ * columns_) {
    // Each word says where it comes from, and none is 0: that is what a kernel leaves that fills a place with zeros.
    for (std::size_t k = 0; k < input_.size(); ++k) input_[k] = static_cast<std::uint32_t>(k + 1);
    const auto begin = std::chrono::steady_clock::now();
    fill_expected();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    cpu_time_ms_ = taken.count();
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    const bool is_copy = move_ == Move::copy;
    const Layout from{rows_, columns_, pitch(), misalign_};
    const std::size_t rows = is_copy ? rows_ : columns_;
    const std::size_t columns = is_copy ? columns_ : rows_;
    const Layout to{rows, columns, columns + output_padding_, misalign_};
    DeviceCall steps(call, timer);
    // The bits of floats: the device moves them and never computes with them.
    const auto* const input = reinterpret_cast<const float*>(steps.input("the input", input_, from));
    auto* const output = steps.output<std::uint32_t>("the output", to);
    steps.launch([&] {
      on_device_({input, from.rows, from.columns, from.pitch},
                 {reinterpret_cast<float*>(output), to.rows, to.columns, to.pitch}, call.block, steps.stream());
    });
    const std::vector<std::uint32_t> got = steps.copy_back(output);
    Explanations explanations;
    explanations.poison = 0x01010101u * call.poison;
    explanations.has_own_stream = call.has_own_stream;
    if (padding_ == 0) explanations.input = {input_.data(), rows, columns};
    explanations.text = [this](std::uint32_t word) { return text_of_word(word); };
    Outcome outcome;
    outcome.verdict = compare_words({got.data(), rows, columns}, {expected_.data(), rows, columns}, explanations);
    if (std::string mistake = steps.mistake(); outcome.verdict.matches && !mistake.empty()) {
      outcome.verdict.matches = false;
      outcome.verdict.reason = std::move(mistake);
    }
    return outcome;
  }

  bool is_empty() const override { return expected_.empty(); }
  std::string description() const override {
    return "Input: " + std::to_string(rows_) + " rows of " + std::to_string(columns_) + " floats, pitch " +
           std::to_string(pitch());
  }
  double cpu_time_ms() const override { return cpu_time_ms_; }

 private:
  std::size_t pitch() const { return columns_ + padding_; }

  void fill_expected() {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        expected_[move_ == Move::copy ? i * columns_ + j : j * rows_ + i] = input_[i * pitch() + j];
      }
    }
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
  double cpu_time_ms_ = 0.0;
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

std::vector<Settings> MatrixProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                           bool simulated) const {
  std::vector<Settings> bases;
  // The two pitches differ, so that one does not stand in for the other. Padding that is a multiple of 4 keeps rows
  // aligned.
  const auto add = [&](std::size_t rows, std::size_t columns, double padding = 0.0, double misalign = 0.0) {
    Settings settings = standard;
    settings.sizes = {rows, columns};
    settings.options = {
        {"padding", padding}, {"output-padding", padding == 0.0 ? 0.0 : padding + 4.0}, {"misalign", misalign}};
    bases.push_back(settings);
  };
  switch (purpose) {
    case Purpose::quick:
      add(100, 37);
      add(37, 100, 3.0);
      add(44, 100, 4.0);
      add(46, 38, 2.0);  // all rows are aligned, and none is a multiple of a vector
      add(1, 1);
      add(64, 64);
      add(129, 260, 4.0);
      return with_blocks(bases, shapes);
    case Purpose::hostile: {
      // Nothing, lines, and both sides of a warp and of a tile, with rows that begin anywhere.
      add(0, 5);
      add(5, 0);
      for (const std::size_t n : Sizes{2, 3, 31, 32, 33, 63, 65, 127, 129, 257}) {
        add(n, 1023 / n, static_cast<double>(n % 5));
        add(1021 / n, n, 0.0, static_cast<double>(n % 4));
        add(n, n + 4, 4.0);
      }
      for (const double misalign : {1.0, 2.0, 3.0}) {
        add(68, 132, 0.0, misalign);
        add(67, 131, 1.0, misalign);
      }
      add(133, 261, 3.0);
      add(1, 5003);
      add(5003, 1);
      add(3, 32'900, 4.0);  // rows that lie far apart
      add(3, 33'728);       // the same with 31 * 17 * 64 columns, a number that steps of 31 tiles do not get along with
      std::vector<Settings> cases = with_blocks_in_turn(bases, shapes);
      bases.clear();
      add(193, 389, 3.0);
      add(256, 128);
      const std::vector<Settings> large = with_blocks(bases, shapes);
      cases.insert(cases.end(), large.begin(), large.end());
      // More rows than a grid has blocks in y, of the block that has the fewest threads.
      const auto threads = [](const dim3& one, const dim3& other) { return one.x * one.y < other.x * other.y; };
      bases.clear();
      const dim3 smallest = *std::min_element(shapes.begin(), shapes.end(), threads);
      add(std::size_t{65'535} * smallest.y + 3, 1);
      const std::vector<Settings> tall = with_blocks(bases, {smallest});
      cases.insert(cases.end(), tall.begin(), tall.end());
      return cases;
    }
    case Purpose::full: {
      constexpr std::size_t kExtents[] = {1, 2, 31, 32, 33, 64, 100, 127, 257};
      for (const std::size_t rows : kExtents) {
        for (const std::size_t columns : kExtents) {
          for (const double padding : {0.0, 1.0, 4.0}) add(rows, columns, padding);
        }
      }
      add(1003, 2001, 3.0);
      std::vector<Settings> cases = with_blocks(bases, shapes);
      bases.clear();
      // More blocks than a grid can have in y, were it to have one for every 8 rows or columns.
      add(600'011, 3);
      add(3, 600'011);
      add(4099, 4093, 1.0);
      const std::vector<Settings> large = with_blocks_in_turn(bases, shapes);
      cases.insert(cases.end(), large.begin(), large.end());
      cases.push_back(standard);
      return cases;
    }
    case Purpose::lesson:
      return {standard};
    case Purpose::bench:
      for (std::size_t n = 1024; n <= (simulated ? 1024u : 32768u); n *= 2) add(n, n);
      break;
  }
  return bases;
}

std::unique_ptr<Case> MatrixProblem::make_case(const Settings& settings) const {
  return std::make_unique<MoveCase>(move_, on_device_, settings);
}

}  // namespace workbook
