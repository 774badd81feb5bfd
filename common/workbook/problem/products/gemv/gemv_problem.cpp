// SPDX-License-Identifier: MIT
// The reference in double with its bound, and one product of a matrix and a vector; the options and the limits.
#include "workbook/problem/products/gemv/gemv_problem.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "workbook/case/changed_element.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/array_case.h"
#include "workbook/problem/generator.h"
#include "workbook/problem/products/matmul/product_mistakes.h"

namespace workbook {
namespace {

// Adds in the order of A's memory, for both directions.
void fill_reference(Factors factors, Side side, VectorProduct& product) {
  std::vector<double> sums(product.y.size()), sizes(product.y.size());
  for (std::size_t i = 0; i < product.rows; ++i) {
    const float* const row = product.a.data() + i * product.columns;
    for (std::size_t j = 0; j < product.columns; ++j) {
      const std::size_t output = side == Side::rows ? i : j, term = side == Side::rows ? j : i;
      const double value = static_cast<double>(row[j]) * product.x[term];
      sums[output] += value;
      sizes[output] += std::abs(value);
    }
  }
  for (std::size_t i = 0; i < product.y.size(); ++i) {
    product.y[i] = static_cast<float>(sums[i]);
    const double bound = is_exact(factors) ? 0.0 : bound_of_any_order(product.x.size(), sums[i], sizes[i]);
    product.bounds[i] = static_cast<float>(bound);
  }
}

class GemvCase final : public ArrayCase {
 public:
  GemvCase(Side side, MultiplyVectorOnDevice on_device, const Settings& settings)
      : side_(side),
        on_device_(on_device),
        factors_(settings.choice<Factors>("factors")),
        seed_(settings.seed),
        padding_(settings.choice<std::size_t>("padding")),
        misalign_(settings.choice<std::size_t>("misalign")),
        x_misalign_(settings.choice<std::size_t>("x-misalign")),
        y_misalign_(settings.choice<std::size_t>("y-misalign")) {
    product_ = timed([&] {
      return make_vector_product(factors_, side, settings.sizes[0], settings.sizes[1], seed_, settings.changed);
    });
    a_ = with_gaps(product_.a, product_.rows, product_.columns, padding_);
  }

  std::string description() const override {
    return "Input: A " + std::to_string(product_.rows) + "x" + std::to_string(product_.columns) + ", x of " +
           std::to_string(product_.x.size()) + " (" + name_of(factors_) + ", seed " + std::to_string(seed_) + ")";
  }

 private:
  const void* launch(DeviceCall& steps, const Call& call) override {
    const std::size_t rows = product_.rows, columns = product_.columns;
    const float* const a = steps.input("A", a_, {rows, columns, columns + padding_, misalign_});
    const float* const x = steps.input("x", product_.x, line(product_.x.size(), x_misalign_));
    float* const y = steps.output<float>("y", line(product_.y.size(), y_misalign_));
    const std::size_t sums = gemv_partial_sums(product_.y.size(), product_.x.size());
    tickets_ = std::make_unique<const Tickets>(sums, steps.stream());
    const GemvWorkspace workspace{steps.scratch<float>("the partial sums", sums), tickets_->data()};
    steps.launch([&] {
      on_device_({a, rows, columns, columns + padding_}, x, y, workspace, call.block.x, steps.stream());
    });
    return y;
  }
  Words expected() const override { return words_of(product_.y); }
  const std::vector<float>* bounds() const override { return &product_.bounds; }
  std::string mistake() override { return std::exchange(tickets_, nullptr)->mistake(); }
  Explanations explanations() const override {
    Explanations explanations;
    explanations.text = [this](std::uint32_t word) {
      return text_of_product(word, factors_, product_.rows, product_.columns);
    };
    return explanations;
  }

  // As a product of two matrices, the second of which is x.
  std::string known_mistake(const Words& got) const override {
    const std::size_t outputs = product_.y.size(), terms = product_.x.size();
    const bool by_rows = side_ == Side::rows;
    const Product product{outputs,    1,  terms,      by_rows ? product_.a : transposed(product_.a, terms, outputs),
                          product_.x, {}, product_.y, product_.bounds};
    std::vector<float> numbers(outputs);
    std::memcpy(numbers.data(), got.data, outputs * sizeof(float));
    return workbook::known_mistake(product, {}, numbers, Arithmetic::float32);
  }

  Side side_;
  MultiplyVectorOnDevice on_device_;
  Factors factors_;
  std::uint32_t seed_;
  std::size_t padding_;
  std::size_t misalign_, x_misalign_, y_misalign_;
  VectorProduct product_;
  std::vector<float> a_;                    // with the gaps
  std::unique_ptr<const Tickets> tickets_;  // of the present call
};

}  // namespace

VectorProduct make_vector_product(Factors factors, Side side, std::size_t rows, std::size_t columns, std::uint32_t seed,
                                  const std::optional<std::uint64_t>& changed) {
  const std::size_t terms = side == Side::rows ? columns : rows, outputs = side == Side::rows ? rows : columns;
  VectorProduct product{rows,
                        columns,
                        std::vector<float>(rows * columns),
                        std::vector<float>(terms),
                        std::vector<float>(outputs),
                        std::vector<float>(outputs)};
  Generator generator(seed);
  fill_first_factor(factors, generator, product.a);
  fill_second_factor(factors, generator, 1, seed, product.x);
  if (factors != Factors::identity) product.a = with_change(std::move(product.a), changed);
  fill_reference(factors, side, product);
  return product;
}

std::string GemvProblem::help() const {
  return side_ == Side::rows ? "Multiplies a matrix and a vector on the device and compares with the CPU."
                             : "Multiplies a transposed matrix and a vector on the device and compares with the CPU.";
}

std::vector<Extent> GemvProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 22;  // each: then the bound of a sum holds
  return {{"rows", "rows of A", 4096, kLargest}, {"columns", "columns of A", 4096, kLargest}};
}

std::vector<Option> GemvProblem::options() const {
  return {factors_option("what the elements of A and x are"),
          {"padding", "floats, all NaN, between the end of a row of A and the next", {}, 0.0, 0.0, 1024.0, true},
          {"misalign", "A begins K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true},
          {"x-misalign", "x begins K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true},
          {"y-misalign", "y begins K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true}};
}

Work GemvProblem::work(const Settings& settings) const {
  const auto rows = static_cast<double>(settings.sizes[0]), columns = static_cast<double>(settings.sizes[1]);
  const double outputs = side_ == Side::rows ? rows : columns, terms = side_ == Side::rows ? columns : rows;
  return {"multiply-adds", rows * columns, sizeof(float) * (rows * columns + terms), sizeof(float) * outputs,
          2.0 * rows * columns};
}

double GemvProblem::device_bytes(const Settings& settings) const {
  const std::size_t rows = settings.sizes[0], columns = settings.sizes[1];
  const std::size_t sums = side_ == Side::rows ? gemv_partial_sums(rows, columns) : gemv_partial_sums(columns, rows);
  const auto numbers = static_cast<double>(rows * columns + rows + columns + 2 * sums);
  return sizeof(float) * (numbers + settings.options.at("padding") * static_cast<double>(rows)) + 65536.0;
}

std::unique_ptr<Case> GemvProblem::make_case(const Settings& settings) const {
  return std::make_unique<GemvCase>(side_, on_device_, settings);
}

}  // namespace workbook
