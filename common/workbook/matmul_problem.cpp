// SPDX-License-Identifier: MIT
// Numbers that tell, the reference in double with its bound, shapes that hide nothing, and one product.
#include "workbook/matmul_problem.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "workbook/compare.h"
#include "workbook/host_steps.h"

namespace workbook {
namespace {

// Row by row of C, in the order i, k, j: each row of B is read from its beginning to its end, and one row of C stays in
// the cache.
void fill_reference(bool is_exact, Product& product) {
  const std::size_t m = product.m, n = product.n, k = product.k;
  std::vector<double> sums(n), sizes(n);
  for (std::size_t i = 0; i < m; ++i) {
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(sizes.begin(), sizes.end(), 0.0);
    for (std::size_t p = 0; p < k; ++p) {
      const double factor = product.a[i * k + p];
      const float* const row = product.b.data() + p * n;
      for (std::size_t j = 0; j < n; ++j) sums[j] += factor * row[j];
      if (is_exact) continue;
      for (std::size_t j = 0; j < n; ++j) sizes[j] += std::abs(factor * row[j]);
    }
    for (std::size_t j = 0; j < n; ++j) {
      product.c[i * n + j] = static_cast<float>(sums[j]);
      product.bounds[i * n + j] = static_cast<float>(bound_of_any_order(k, sums[j], sizes[j]));
    }
    if (is_exact) std::fill_n(product.bounds.begin() + static_cast<std::ptrdiff_t>(i * n), n, 0.0f);
  }
}

class MatmulCase final : public Case {
 public:
  MatmulCase(MultiplyOnDevice on_device, const Settings& settings)
      : on_device_(on_device),
        factors_(settings.choice<Factors>("factors")),
        seed_(settings.seed),
        padding_(settings.choice<std::size_t>("padding")),
        output_padding_(settings.choice<std::size_t>("output-padding")),
        misalign_(settings.choice<std::size_t>("misalign")) {
    const auto begin = std::chrono::steady_clock::now();
    product_ = make_product(factors_, settings.sizes[0], settings.sizes[1], settings.sizes[2], seed_);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    cpu_time_ms_ = taken.count();
    a_ = with_gaps(product_.a, product_.m, product_.k, padding_);
    b_ = with_gaps(product_.b, product_.k, product_.n, padding_);
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t m = product_.m, n = product_.n, k = product_.k;
    const Layout a{m, k, k + padding_, misalign_}, b{k, n, n + padding_, misalign_},
        c{m, n, n + output_padding_, misalign_};
    HostSteps steps(call, timer);
    const float* const a_data = steps.input("A", a_, a);
    const float* const b_data = steps.input("B", b_, b);
    float* const c_data = steps.output<float>("C", c);
    steps.launch([&] {
      on_device_({a_data, a.rows, a.columns, a.pitch}, {b_data, b.rows, b.columns, b.pitch},
                 {c_data, c.rows, c.columns, c.pitch}, call.block, steps.stream());
    });
    const std::vector<float> got = steps.copy_back(c_data);
    Explanations explanations;
    explanations.poison = 0x01010101u * call.poison;
    explanations.has_own_stream = call.has_own_stream;
    explanations.text = [this, m, k](std::uint32_t word) { return text_of_product(word, factors_, m, k); };
    Outcome outcome;
    outcome.verdict = compare_floats(words(got), words(product_.c), product_.bounds, explanations);
    if (std::string mistake = steps.mistake(); outcome.verdict.matches && !mistake.empty()) {
      outcome.verdict.matches = false;
      outcome.verdict.reason = std::move(mistake);
    }
    return outcome;
  }

  bool is_empty() const override { return product_.c.empty(); }
  std::string description() const override {
    return "Input: A " + std::to_string(product_.m) + "x" + std::to_string(product_.k) + ", B " +
           std::to_string(product_.k) + "x" + std::to_string(product_.n) + " (" + name_of(factors_) + ", seed " +
           std::to_string(seed_) + ")";
  }
  double cpu_time_ms() const override { return cpu_time_ms_; }

 private:
  Words words(const std::vector<float>& matrix) const {
    return {reinterpret_cast<const std::uint32_t*>(matrix.data()), product_.m, product_.n};
  }

  MultiplyOnDevice on_device_;
  Factors factors_;
  std::uint32_t seed_;
  std::size_t padding_;  // of A and B
  std::size_t output_padding_;
  std::size_t misalign_;
  Product product_;
  std::vector<float> a_, b_;  // with the gaps
  double cpu_time_ms_ = 0.0;
};

}  // namespace

Product make_product(Factors factors, std::size_t m, std::size_t n, std::size_t k, std::uint32_t seed) {
  Product product{m,
                  n,
                  k,
                  std::vector<float>(m * k),
                  std::vector<float>(k * n),
                  std::vector<float>(m * n),
                  std::vector<float>(m * n)};
  std::mt19937 generator(seed);
  fill_first_factor(factors, generator, product.a);
  fill_second_factor(factors, generator, n, 3, product.b);
  fill_reference(is_exact(factors), product);
  return product;
}

std::string MatmulProblem::help() const { return "Multiplies two matrices on the device and compares with the CPU."; }

std::vector<Extent> MatmulProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 20;  // each: then 64 bits hold all bytes
  return {{"m", "rows of A and of C", 512, kLargest},
          {"n", "columns of B and of C", 512, kLargest},
          {"k", "columns of A, which are the rows of B", 512, kLargest}};
}

std::vector<Option> MatmulProblem::options() const {
  return {factors_option("what the elements of A and B are"),
          {"padding", "floats, all NaN, between the end of a row of A or B and the next", {}, 0.0, 0.0, 1024.0, true},
          {"output-padding", "floats between the rows of C", {}, 0.0, 0.0, 1024.0, true},
          {"misalign", "all matrices begin K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true}};
}

BlockRule MatmulProblem::block_rule() const {
  return {"one of 8x8, 16x16, 32x4, 32x8, 32x32, 64x4, 128x1, 256x1",
          {{8, 8}, {16, 16}, {32, 4}, {32, 8}, {32, 32}, {64, 4}, {128, 1}, {256, 1}},
          {32, 8}};
}

Work MatmulProblem::work(const Settings& settings) const {
  const auto m = static_cast<double>(settings.sizes[0]), n = static_cast<double>(settings.sizes[1]),
             k = static_cast<double>(settings.sizes[2]);
  return {"multiply-adds", m * n * k, sizeof(float) * (m * k + k * n), sizeof(float) * m * n, 2.0 * m * n * k};
}

double MatmulProblem::device_bytes(const Settings& settings) const {
  const auto m = static_cast<double>(settings.sizes[0]), n = static_cast<double>(settings.sizes[1]),
             k = static_cast<double>(settings.sizes[2]);
  return sizeof(float) * (m * k + k * n + m * n + settings.options.at("padding") * (m + k) +
                          settings.options.at("output-padding") * m) +
         65536.0;
}

std::vector<Settings> MatmulProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                           bool simulated) const {
  std::vector<Settings> bases;
  // The pitches of inputs and output differ, so that one does not stand in for the other.
  const auto add = [&](Factors factors, std::size_t m, std::size_t n, std::size_t k, double padding = 0.0,
                       double misalign = 0.0) {
    Settings settings = standard;
    settings.sizes = {m, n, k};
    settings.options = {{"factors", static_cast<double>(factors)},
                        {"padding", padding},
                        {"output-padding", padding == 0.0 ? 0.0 : padding + 4.0},
                        {"misalign", misalign}};
    bases.push_back(settings);
  };
  constexpr Factors integers = Factors::integers, places = Factors::places;
  switch (purpose) {
    case Purpose::quick:
      add(places, 33, 20, 50);
      add(integers, 40, 72, 37, 3.0);
      add(integers, 64, 64, 64);
      add(integers, 1, 1, 1);
      add(places, 44, 36, 68, 4.0);
      return with_blocks(bases, shapes);
    case Purpose::hostile:
      // Nothing, no terms, lines, and both sides of a warp and of a tile, the three extents never the same.
      add(integers, 0, 5, 7);
      add(integers, 5, 0, 7);
      add(integers, 5, 7, 0, 1.0);
      add(integers, 1, 300, 3);
      add(integers, 300, 1, 5);
      add(integers, 3, 2, 1000);
      for (const std::size_t extent : Sizes{31, 33, 63, 65, 127, 129, 257}) {
        add(integers, extent, extent + 2, 17, static_cast<double>(extent % 5));
        add(integers, 19, extent, extent + 1, 0.0, static_cast<double>(extent % 4));
        add(places, extent + 3, 23, extent, 4.0);
      }
      add(Factors::uniform, 50, 70, 60);
      add(Factors::balanced, 70, 50, 90, 4.0);
      add(integers, 132, 140, 36, 4.0, 1.0);
      return with_blocks_in_turn(bases, shapes);
    case Purpose::full: {
      constexpr double kMostSimulated = 4e6;  // multiply-adds of one case
      constexpr std::size_t kExtents[] = {0, 1, 3, 31, 33, 127, 129, 255, 257, 1000, 1023};
      for (const std::size_t m : kExtents) {
        for (const std::size_t n : kExtents) {
          for (const std::size_t k : kExtents) {
            if (m == n || n == k || m == k) continue;
            const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
            if (simulated && work > kMostSimulated) continue;
            add(integers, m, n, k, static_cast<double>((m + n) % 6), static_cast<double>(k % 4));
          }
        }
      }
      add(Factors::uniform, 200, 300, 400);
      add(Factors::balanced, 400, 200, 300, 4.0);
      add(integers, 40, 36, 10'000);
      std::vector<Settings> cases = with_blocks_in_turn(bases, shapes);
      cases.push_back(standard);
      return cases;
    }
    case Purpose::lesson:
      return {standard};
    case Purpose::bench:
      for (std::size_t n = 64; n <= (simulated ? 256u : 8192u); n *= 2) add(Factors::uniform, n, n, n);
      if (simulated) break;
      add(Factors::uniform, 1025, 1025, 1025);  // one more than a tile, in every direction
      add(Factors::uniform, 4096, 4096, 64);
      add(Factors::uniform, 64, 64, 65'536);
      break;
  }
  return bases;
}

std::unique_ptr<Case> MatmulProblem::make_case(const Settings& settings) const {
  return std::make_unique<MatmulCase>(on_device_, settings);
}

}  // namespace workbook
