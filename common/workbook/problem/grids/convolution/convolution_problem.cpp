// SPDX-License-Identifier: MIT
// The reference of a convolution, one call, the cases, the options and the limits.
#include "workbook/problem/grids/convolution/convolution_problem.h"

#include <algorithm>
#include <cmath>

#include "workbook/case/case_list.h"
#include "workbook/case/changed_element.h"
#include "workbook/problem/array_case.h"
#include "workbook/problem/generator.h"
#include "workbook/problem/grids/pitched.h"

namespace workbook {
namespace {

class ConvolutionCase final : public ArrayCase {
 public:
  ConvolutionCase(ConvolveOnDevice on_device, const Settings& settings)
      : on_device_(on_device),
        choice_(settings),
        rows_(settings.sizes[0]),
        columns_(settings.sizes[1]),
        padding_(settings.choice<std::size_t>("padding")),
        weights_(make_weights(choice_, settings.seed)) {
    const std::vector<float> pixels =
        with_change(make_pixels(choice_.numbers, rows_ * columns_, settings.seed), settings.changed);
    input_ = with_pitch(pixels, rows_, columns_, pitch_of(columns_));
    expected_ = timed([&] { return reference_convolution(choice_, rows_, columns_, pixels, weights_); });
  }

  std::string description() const override {
    const std::string size = std::to_string(choice_.size);
    return "Input: an image of " + std::to_string(rows_) + " rows of " + std::to_string(columns_) + " pixels, and a " +
           (choice_.is_separable ? "separable " : "") + "filter of " + size + " x " + size;
  }

 private:
  const void* launch(DeviceCall& steps, const Call& call) override {
    const Layout from{rows_, columns_, pitch_of(columns_)}, to{rows_, columns_, pitch_of(columns_) + 4 * padding_};
    const float* const input = steps.input("the input", input_, from);
    const float* const weights = steps.input("the weights", weights_, line(weights_.size()));
    auto* const output = steps.output<float>("the output", to);
    steps.launch([&] {
      on_device_({input, rows_, columns_, from.pitch}, {output, rows_, columns_, to.pitch},
                 {choice_.size, choice_.is_separable, weights}, call.block, steps.stream());
    });
    return output;
  }
  Words expected() const override { return words_of(expected_.pixels, rows_, columns_); }
  const std::vector<float>* bounds() const override { return &expected_.bounds; }
  Explanations explanations() const override {
    Explanations explanations;
    explanations.text = text_of_float;
    return explanations;
  }

  ConvolveOnDevice on_device_;
  ConvolutionChoice choice_;
  std::size_t rows_, columns_;
  std::size_t padding_;  // vectors behind a row of the output
  std::vector<float> weights_, input_;
  FilteredImage expected_;
};

}  // namespace

ConvolutionChoice::ConvolutionChoice(const Settings& settings)
    : size(settings.choice<unsigned>("reach") * 2 + 1),
      is_separable(settings.choice<bool>("filter")),
      numbers(settings.choice<PixelNumbers>("numbers")) {}

std::vector<float> make_pixels(PixelNumbers numbers, std::size_t count, std::uint32_t seed) {
  Generator generator(seed);
  std::vector<float> pixels(count);
  for (float& pixel : pixels) {
    const auto random = static_cast<std::uint32_t>(generator());
    pixel = numbers == PixelNumbers::whole ? static_cast<float>(static_cast<int>(random % 63) - 31)
                                           : static_cast<float>(random >> 8) * 0x1p-24f;
  }
  return pixels;
}

std::vector<float> make_weights(const ConvolutionChoice& choice, std::uint32_t seed) {
  Generator generator(seed + 1);
  const unsigned rows = choice.is_separable ? 2 : choice.size;
  std::vector<float> weights(std::size_t{rows} * kFilterPitch);
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < choice.size; ++j) {
      const auto random = static_cast<std::uint32_t>(generator());
      weights[i * kFilterPitch + j] = choice.numbers == PixelNumbers::whole
                                          ? static_cast<float>(static_cast<int>(random % 15) - 7)
                                          : static_cast<float>(random >> 8) * 0x1p-23f - 1.0f;
    }
  }
  return weights;
}

std::vector<double> square_of(const ConvolutionChoice& choice, const std::vector<float>& weights) {
  std::vector<double> square;
  for (unsigned i = 0; i < choice.size; ++i) {
    for (unsigned j = 0; j < choice.size; ++j) {
      square.push_back(choice.is_separable ? static_cast<double>(weights[i]) * weights[kFilterPitch + j]
                                           : static_cast<double>(weights[i * kFilterPitch + j]));
    }
  }
  return square;
}

std::size_t roundings_of(const ConvolutionChoice& choice) {
  return choice.is_separable ? 2 * choice.size + 2 : std::size_t{choice.size} * choice.size;
}

FilteredImage reference_convolution(const ConvolutionChoice& choice, std::size_t rows, std::size_t columns,
                                    const std::vector<float>& input, const std::vector<float>& weights) {
  const std::vector<double> square = square_of(choice, weights);
  const std::size_t reach = choice.size / 2;
  const auto inside = [reach](std::size_t at, std::size_t count) {
    return std::min(std::max(at, reach) - reach, count - 1);
  };
  FilteredImage image{std::vector<float>(input.size()), std::vector<float>(input.size())};
  std::vector<double> sums(columns), sizes(columns);
  for (std::size_t y = 0; y < rows; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(sizes.begin(), sizes.end(), 0.0);
    for (std::size_t i = 0; i < choice.size; ++i) {
      const float* const row = input.data() + inside(y + i, rows) * columns;
      for (std::size_t j = 0; j < choice.size; ++j) {
        const double weight = square[i * choice.size + j];
        for (std::size_t x = 0; x < columns; ++x) {
          const double product = weight * static_cast<double>(row[inside(x + j, columns)]);
          sums[x] += product;
          sizes[x] += std::abs(product);
        }
      }
    }
    const double u = 0x1p-24, k = static_cast<double>(roundings_of(choice));
    for (std::size_t x = 0; x < columns; ++x) {
      image.pixels[y * columns + x] = static_cast<float>(sums[x]);
      const double bound = k * u / (1.0 - k * u) * sizes[x] + u * std::abs(sums[x]);
      image.bounds[y * columns + x] = choice.numbers == PixelNumbers::whole ? 0.0f : static_cast<float>(bound);
    }
  }
  return image;
}

std::vector<Extent> ConvolutionProblem::extents() const {
  constexpr std::size_t kLargest = 1'000'000;  // each
  return {{"rows", "rows of the image", 512, kLargest}, {"columns", "pixels of a row", 512, kLargest}};
}

std::vector<Option> ConvolutionProblem::options() const {
  return {
      {"filter",
       "all weights, or the product of a column and a row",
       {"full", "separable"},
       0.0,
       0.0,
       0.0,
       false,
       true},
      {"reach", "pixels on each side of the middle one: the filter is 2 K + 1 wide", {}, 7.0, 0.0, 15.0, true, true},
      {"numbers", "what pixels and weights are", {"whole", "uniform"}},
      {"padding",
       "vectors of 4 floats between the end of a row of the output and the next",
       {},
       0.0,
       0.0,
       256.0,
       true}};
}

BlockRule ConvolutionProblem::block_rule() const {
  return {"one of 16x16, 16x8, 16x4", {{16, 4}, {16, 8}, {16, 16}}, {16, 16}};
}

Work ConvolutionProblem::work(const Settings& settings) const {
  const double pixels = static_cast<double>(settings.sizes[0]) * static_cast<double>(settings.sizes[1]);
  const ConvolutionChoice choice(settings);
  const double size = choice.size, terms = choice.is_separable ? 2.0 * size : size * size;
  return {"pixels", pixels, sizeof(float) * pixels, sizeof(float) * pixels, 2.0 * terms * pixels};
}

double ConvolutionProblem::device_bytes(const Settings& settings) const {
  const auto row = static_cast<double>(2 * pitch_of(settings.sizes[1])) + 4.0 * settings.options.at("padding");
  return sizeof(float) * static_cast<double>(settings.sizes[0]) * row + 65536.0;
}

std::vector<Settings> ConvolutionProblem::cases(Purpose purpose, const Settings& standard,
                                                const std::vector<dim3>& shapes, bool simulated) const {
  CaseList cases(standard);
  const auto add = [&cases](std::size_t rows, std::size_t columns, double reach, bool is_separable,
                            double numbers = 0.0, double padding = 0.0) {
    cases.add_seeded(
        {rows, columns},
        {{"reach", reach}, {"filter", is_separable ? 1.0 : 0.0}, {"numbers", numbers}, {"padding", padding}});
  };
  switch (purpose) {
    case Purpose::quick:
      for (const bool is_separable : {false, true}) {
        add(64, 128, 1.0, is_separable);
        add(70, 150, 2.0, is_separable);
        add(5, 7, 3.0, is_separable);
      }
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
    case Purpose::full:
      add(0, 5, 1.0, false);
      add(5, 0, 1.0, true);
      for (const bool is_separable : {false, true}) {
        add(1, 1, 15.0, is_separable);
        add(3, 40, 15.0, is_separable);
        add(41, 3, 14.0, is_separable);
        for (const std::size_t n : Sizes{2, 15, 16, 17, 31, 33, 63, 64, 65, 66, 127, 128, 129, 131}) {
          add(n, 21, static_cast<double>(n % 5), is_separable);
          add(9, n, static_cast<double>((n + 2) % 6), is_separable, 0.0, static_cast<double>(n % 3));
        }
        for (const double reach : {0.0, 5.0, 8.0, 9.0, 10.0, 12.0}) add(19, 37, reach, is_separable);
        add(33, 70, 6.0, is_separable, 1.0);
      }
      cases.use_blocks_in_turn(shapes);
      if (purpose == Purpose::full) {
        for (const bool is_separable : {false, true}) {
          add(300, 500, 15.0, is_separable);
          add(1027, 131, 4.0, is_separable);
          add(131, 1029, 11.0, is_separable, 1.0);
        }
        cases.add_standard();
      }
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      if (simulated) {
        add(256, 256, 3.0, false, 1.0);
        break;
      }
      for (const std::size_t n : Sizes{1024, 4096, 8192}) {
        for (const double reach : {2.0, 7.0, 15.0}) {
          add(n, n, reach, false, 1.0);
          add(n, n, reach, true, 1.0);
        }
      }
      break;
  }
  return cases.take();
}

std::unique_ptr<Case> ConvolutionProblem::make_case(const Settings& settings) const {
  return std::make_unique<ConvolutionCase>(on_device_, settings);
}

}  // namespace workbook
