// SPDX-License-Identifier: MIT
// One product, in each of its forms; the options and the limits.
#include "workbook/problem/products/matmul/matmul_problem.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "workbook/case/device_call.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/products/matmul/product_mistakes.h"
#include "workbook/problem/reference_case.h"

namespace workbook {
namespace {

constexpr const char* kTransposes[] = {"none", "a", "b", "both"};
constexpr const char* kMisaligned[] = {"all", "a", "b", "c"};

class MatmulCase final : public ReferenceCase {
 public:
  MatmulCase(const ProductFunction& function, Arithmetic arithmetic, const Settings& settings)
      : function_(function), arithmetic_(arithmetic), choice_(settings), seed_(settings.seed) {
    product_ = timed([&] {
      return make_product(choice_.factors, settings.sizes[0], settings.sizes[1], settings.sizes[2], seed_,
                          choice_.scaling, arithmetic_, settings.changed);
    });
    a_ = stored(product_.a, layout_of_a(), choice_.a_is_transposed);
    b_ = stored(product_.b, layout_of_b(), choice_.b_is_transposed);
    before_ = with_gaps(product_.before, product_.before.empty() ? 0 : product_.m, product_.n, choice_.output_padding);
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t m = product_.m, n = product_.n, k = product_.k;
    const Layout a = layout_of_a(), b = layout_of_b(), c{m, n, n + choice_.output_padding, choice_.misalign_c};
    DeviceCall steps(call, timer);
    const float* const a_data = steps.input("A", a_, a);
    const float* const b_data = steps.input("B", b_, b);
    for (const float* const factor : {a_data, b_data}) {
      if (choice_.scaling.alpha == 0.0f) steps.needs(factor, 0);
    }
    const bool is_split = std::holds_alternative<MultiplySplit>(function_);
    const std::size_t size = workspace_size(function_, m, n, k);
    const bool has_workspace = !std::holds_alternative<MultiplyOnDevice>(function_);
    float* const workspace =
        has_workspace ? steps.scratch<float>(is_split ? "the workspace" : "the partials", size) : nullptr;
    float* const c_data = c_on_device(steps, c);
    Outcome outcome;
    std::vector<float> first;
    for (int i = 0; i < choice_.calls; ++i) {
      if (i > 0) steps.renew(c_data);
      steps.launch([&] {
        call_product(function_, choice_, {a_data, a.rows, a.columns, a.pitch}, {b_data, b.rows, b.columns, b.pitch},
                     {c_data, m, n, c.pitch}, workspace, call.block, steps.stream());
      });
      const std::vector<float> got = steps.copy_back(c_data);
      if (i == 0) {
        outcome.verdict = compare_floats(words(got), words(product_.c), product_.bounds, explanations(call));
        if (!outcome.verdict.matches && choice_.scaling.alpha == 0.0f) outcome.verdict.reason += nan_of_factors(got);
        if (!outcome.verdict.matches) outcome.verdict.reason += nan_of_gaps(got);
        if (!outcome.verdict.matches && !names_places())
          add_known_mistake(outcome.verdict, known_mistake(product_, choice_.scaling, got, arithmetic_));
        if (!outcome.verdict.matches && names_places()) {
          outcome.verdict.reason += wrong_terms(product_.c, got, n, k);
        }
        first = got;
      } else {
        refuse(outcome.verdict, other_bits(first, got, i));
      }
      refuse(outcome.verdict, steps.mistake());
      if (!outcome.verdict.matches) break;
    }
    return outcome;
  }

  bool is_empty() const override { return product_.c.empty(); }
  std::string description() const override {
    const auto text = [](const char* name, std::size_t rows, std::size_t columns, bool is_transposed) {
      return std::string(name) + " " + std::to_string(rows) + "x" + std::to_string(columns) +
             (is_transposed ? " stored transposed" : "");
    };
    std::string scaling, numbers = name_of(choice_.factors);
    if (std::holds_alternative<GemmOnDevice>(function_)) {
      scaling =
          ", alpha " + text_of_float(choice_.scaling.alpha, 6) + ", beta " + text_of_float(choice_.scaling.beta, 6);
    }
    if (choice_.scaling.alpha == 0.0f) numbers = "A and B all NaN";
    return "Input: " + text("A", product_.m, product_.k, choice_.a_is_transposed) + ", " +
           text("B", product_.k, product_.n, choice_.b_is_transposed) + scaling + " (" + numbers + ", seed " +
           std::to_string(seed_) + ")";
  }

 private:
  // A finding of the simulator shows the name that stands in the line of the allocation.
  float* c_on_device(DeviceCall& steps, const Layout& c) const {
    if (!product_.before.empty()) return steps.update("C", before_, c);
    const bool must_not_be_read = std::holds_alternative<GemmOnDevice>(function_) && !product_.c.empty();
    if (must_not_be_read) return steps.output<float>("C, which must not be read, as beta is 0", c);
    return steps.output<float>("C", c);
  }
  static std::string nan_of_factors(const std::vector<float>& got) {
    const bool has_nan = std::any_of(got.begin(), got.end(), [](float x) { return std::isnan(x); });
    return has_nan ? "; A and B hold NaN in this case, as alpha is 0, and must not be read" : "";
  }
  // A sum is NaN, and no number of A and B is.
  std::string nan_of_gaps(const std::vector<float>& got) const {
    const auto has_nan = [](const std::vector<float>& numbers) {
      return std::any_of(numbers.begin(), numbers.end(), [](float x) { return std::isnan(x); });
    };
    if (choice_.padding == 0 || !has_nan(got) || has_nan(product_.a) || has_nan(product_.b) || has_nan(product_.c))
      return "";
    return "; in this case NaN lies between the rows of A and B, and C may hold it before: does an "
           "address go on by another number than the pitch, or is C read?";
  }
  // Rows and columns as they are stored.
  static Layout layout(std::size_t rows, std::size_t columns, bool is_transposed, std::size_t padding,
                       std::size_t misalign) {
    if (is_transposed) std::swap(rows, columns);
    return {rows, columns, columns + padding, misalign};
  }
  Layout layout_of_a() const {
    return layout(product_.m, product_.k, choice_.a_is_transposed, choice_.padding, choice_.misalign_a);
  }
  Layout layout_of_b() const {
    return layout(product_.k, product_.n, choice_.b_is_transposed, choice_.padding, choice_.misalign_b);
  }
  static std::vector<float> stored(const std::vector<float>& factor, const Layout& layout, bool is_transposed) {
    return with_gaps(is_transposed ? transposed(factor, layout.columns, layout.rows) : factor, layout.rows,
                     layout.columns, layout.pitch - layout.columns);
  }

  Words words(const std::vector<float>& matrix) const { return words_of(matrix, product_.m, product_.n); }

  Explanations explanations(const Call& call) const {
    Explanations explanations;
    explanations.text = [this](std::uint32_t word) { return text_of_word(word); };
    return explanations_of(call, explanations);
  }

  // The difference between call number `i`, from 0, and the first call; "" where there is none.
  std::string other_bits(const std::vector<float>& first, const std::vector<float>& got, int i) const {
    for (std::size_t at = 0; at < got.size(); ++at) {
      if (std::memcmp(&first[at], &got[at], sizeof(float)) == 0) continue;
      return "call " + std::to_string(i + 1) +
             " of the same function with the same input gives other bits than the "
             "first: row " +
             std::to_string(at / product_.n) + ", column " + std::to_string(at % product_.n) + " is " +
             text_of_float(got[at]) + ", and was " + text_of_float(first[at]) +
             ". Another order of additions gives another sum. Are the parts of an element always added in the same "
             "order, whichever block ends first? Is each part stored before it is read?";
    }
    return "";
  }

  static std::string text_of_float(float value, int digits = 9) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
    return text;
  }

  // Where C is scaled, or numbers are cut, a number does not name a place of A.
  bool names_places() const {
    return choice_.factors == Factors::places && choice_.scaling.alpha == 1.0f && choice_.scaling.beta == 0.0f &&
           arithmetic_ != Arithmetic::tf32;
  }
  std::string text_of_word(std::uint32_t word) const {
    return text_of_product(word, names_places() ? Factors::places : Factors::uniform, product_.m, product_.k);
  }

  ProductFunction function_;
  Arithmetic arithmetic_;
  ProductChoice choice_;
  std::uint32_t seed_;
  Product product_;
  std::vector<float> a_, b_, before_;  // as they are stored, with the gaps
};

double option_of(const Settings& settings, const std::string& name, double standard) {
  const auto given = settings.options.find(name);
  return given == settings.options.end() ? standard : given->second;
}

}  // namespace

ProductChoice::ProductChoice(const Settings& settings)
    : factors(settings.choice<Factors>("factors")),
      scaling{static_cast<float>(option_of(settings, "alpha", 1.0)),
              static_cast<float>(option_of(settings, "beta", 0.0))},
      padding(settings.choice<std::size_t>("padding")),
      output_padding(settings.choice<std::size_t>("output-padding")),
      calls(static_cast<int>(option_of(settings, "calls", 1.0))) {
  const auto transposes = static_cast<unsigned>(option_of(settings, "transposes", 0.0));
  a_is_transposed = transposes % 2 != 0;
  b_is_transposed = transposes / 2 != 0;
  const auto misalign = settings.choice<std::size_t>("misalign");
  const auto which = settings.choice<unsigned>("misaligned");
  misalign_a = which == 0 || which == 1 ? misalign : 0;
  misalign_b = which == 0 || which == 2 ? misalign : 0;
  misalign_c = which == 0 || which == 3 ? misalign : 0;
}

std::size_t workspace_size(const ProductFunction& function, std::size_t m, std::size_t n, std::size_t k) {
  if (std::holds_alternative<MultiplyOnDevice>(function)) return 0;
  if (std::holds_alternative<MultiplySplit>(function)) return split_workspace_bytes(m, n, k) / sizeof(float);
  return partials_size(m, n, k);
}

void call_product(const ProductFunction& function, const ProductChoice& choice, ConstMatrix a, ConstMatrix b, Matrix c,
                  float* workspace, dim3 block, cudaStream_t stream) {
  if (const auto* const multiply = std::get_if<MultiplyOnDevice>(&function)) {
    (*multiply)(a, b, c, block, stream);
  } else if (const auto* const in_workspace = std::get_if<MultiplyInWorkspace>(&function)) {
    (*in_workspace)(a, b, c, workspace, block, stream);
  } else if (const auto* const split = std::get_if<MultiplySplit>(&function)) {
    (*split)(a, b, c, workspace, block, stream);
  } else {
    std::get<GemmOnDevice>(function)(choice.scaling.alpha, {a, choice.a_is_transposed}, {b, choice.b_is_transposed},
                                     choice.scaling.beta, c, workspace, block, stream);
  }
}

std::string MatmulProblem::name() const {
  if (is_gemm()) return "gemm";
  return arithmetic_ == Arithmetic::tf32 ? "matmul_tf32" : arithmetic_ == Arithmetic::split ? "matmul_split" : "matmul";
}

std::string MatmulProblem::help() const {
  return is_gemm() ? "Computes alpha * A * B + beta * C on the device and compares with the CPU."
                   : "Multiplies two matrices on the device and compares with the CPU.";
}

std::vector<Extent> MatmulProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 20;  // each: then 64 bits hold all bytes
  return {{"m", "rows of A and of C", 512, kLargest},
          {"n", "columns of B and of C", 512, kLargest},
          {"k", "columns of A, which are the rows of B", 512, kLargest}};
}

std::vector<Option> MatmulProblem::options() const {
  std::vector<Option> options{
      factors_option("what the elements of A and B are",
                     arithmetic_ == Arithmetic::split ? Factors::special : Factors::adverse),
      {"padding", "floats, all NaN, between the end of a row of A or B and the next", {}, 0.0, 0.0, 1024.0, true},
      {"output-padding", "floats between the rows of C", {}, 0.0, 0.0, 1024.0, true},
      {"misalign", "matrices begin K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true},
      {"misaligned", "the matrices that --misalign is for", {std::begin(kMisaligned), std::end(kMisaligned)}}};
  if (has_workspace()) {
    options.push_back({"calls",
                       "calls with the same input and in the same workspace, all of which must give the same bits",
                       {},
                       1.0,
                       1.0,
                       1e6,
                       true});
  }
  if (is_gemm()) {
    options.push_back(
        {"transposes", "the factors that are stored transposed", {std::begin(kTransposes), std::end(kTransposes)}});
    options.push_back({"alpha",
                       "what the product is multiplied by; with 0, A and B are all NaN; 1e39 is infinite",
                       {},
                       1.0,
                       -1e39,
                       1e39});
    options.push_back({"beta", "what C is multiplied by; with 0, C holds nothing yet", {}, 0.0, -1e6, 1e6});
  }
  return options;
}

BlockRule MatmulProblem::block_rule() const {
  return {"one of 8x8, 16x16, 32x4, 32x8, 32x32, 64x4, 128x1, 256x1",
          {{8, 8}, {16, 16}, {32, 4}, {32, 8}, {32, 32}, {64, 4}, {128, 1}, {256, 1}},
          {32, 8}};
}

Work MatmulProblem::work(const Settings& settings) const {
  const auto m = static_cast<double>(settings.sizes[0]), n = static_cast<double>(settings.sizes[1]),
             k = static_cast<double>(settings.sizes[2]);
  const Scaling scaling = ProductChoice(settings).scaling;
  const double terms = scaling.alpha == 0.0f ? 0.0 : m * n * k;
  const double factors = scaling.alpha == 0.0f ? 0.0 : m * k + k * n;
  const double before = scaling.beta == 0.0f ? 0.0 : m * n;
  return {"multiply-adds", terms, sizeof(float) * (factors + before), sizeof(float) * m * n, 2.0 * terms};
}

double MatmulProblem::device_bytes(const Settings& settings) const {
  const auto m = static_cast<double>(settings.sizes[0]), n = static_cast<double>(settings.sizes[1]),
             k = static_cast<double>(settings.sizes[2]);
  const ProductChoice choice(settings);
  const auto workspace =
      static_cast<double>(workspace_size(function_, settings.sizes[0], settings.sizes[1], settings.sizes[2]));
  const double output = m * (n + static_cast<double>(choice.output_padding));
  return sizeof(float) * (m * k + k * n + static_cast<double>(choice.padding) * (m + n + k) + output + workspace) +
         65536.0;
}

std::unique_ptr<Case> MatmulProblem::make_case(const Settings& settings) const {
  return std::make_unique<MatmulCase>(function_, arithmetic_, settings);
}

}  // namespace workbook
