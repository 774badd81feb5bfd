// SPDX-License-Identifier: MIT
// The picture, its maps, one call, and the cases.
#include "workbook/problem/maps/picture/picture_problem.h"

#include <cstring>

#include "workbook/case/case_list.h"
#include "workbook/judge/number_text.h"
#include "workbook/problem/array_case.h"

namespace workbook {
namespace {

constexpr std::uint32_t kParts = 1u << 24;  // of white

class PictureCase final : public ArrayCase {
 public:
  PictureCase(MapOnDevice on_device, const Settings& settings)
      : on_device_(on_device),
        settings_(settings),
        input_(picture_of(settings)),
        expected_(timed([&] { return mapped_picture(settings, input_); })) {}

  std::string description() const override {
    return "Input: a picture of " + std::to_string(rows()) + " rows of " + std::to_string(columns()) + " pixels";
  }

 private:
  std::size_t rows() const { return settings_.sizes[0]; }
  std::size_t columns() const { return settings_.sizes[1]; }

  const void* launch(DeviceCall& steps, const Call& call) override {
    const float* const input = steps.input("the input", input_, line(input_.size()));
    auto* const output = steps.output<float>("the output", line(input_.size()));
    steps.launch([&] { call_map(on_device_, settings_, call.block, input, output, steps.stream()); });
    return output;
  }
  Words expected() const override { return words_of(expected_, rows(), columns()); }
  Explanations explanations() const override {
    Explanations explanations;
    explanations.input = words_of(input_, rows(), columns());
    explanations.text = [this](std::uint32_t word) { return text_of(word); };
    return explanations;
  }

  // The place that a brightness comes from: pixel k of the input is the only one with k + 1 parts, in 2^24 pixels.
  std::string text_of(std::uint32_t word) const {
    float brightness = 0.0f;
    std::memcpy(&brightness, &word, sizeof brightness);
    const bool is_negative = settings_.choice<Map>("map") == Map::negative;
    const double parts = (is_negative ? kWhite - static_cast<double>(brightness) : brightness) * kParts;
    const auto place = static_cast<std::size_t>(parts >= 1.0 && parts <= kParts ? parts : 0.0);
    if (static_cast<double>(place) != parts || place == 0 || place > input_.size() || (!is_negative && place == kParts))
      return plain(static_cast<double>(brightness), 9);
    return std::string(is_negative ? "the negative of " : "") + "the input's row " +
           std::to_string((place - 1) / columns()) + ", column " + std::to_string((place - 1) % columns());
  }

  MapOnDevice on_device_;
  Settings settings_;
  std::vector<float> input_;
  std::vector<float> expected_;
};

}  // namespace

void call_map(MapOnDevice on_device, const Settings& settings, dim3 block, const float* input, float* output,
              cudaStream_t stream) {
  const Extents extents{static_cast<unsigned>(settings.sizes[0]), static_cast<unsigned>(settings.sizes[1])};
  on_device(settings.choice<Map>("map"), input, output, extents, settings.choice<unsigned>("width"), block, stream);
}

std::vector<float> picture_of(const Settings& settings) {
  std::vector<float> picture(settings.sizes[0] * settings.sizes[1]);
  for (std::size_t k = 0; k < picture.size(); ++k) {
    picture[k] = static_cast<float>(k % kParts + 1) / static_cast<float>(kParts);
  }
  return picture;
}

std::vector<float> mapped_picture(const Settings& settings, const std::vector<float>& input) {
  const std::size_t rows = settings.sizes[0], columns = settings.sizes[1];
  const auto width = settings.choice<std::size_t>("width");
  std::vector<float> output(input);
  if (settings.choice<Map>("map") == Map::negative) {
    for (float& pixel : output) pixel = kWhite - pixel;
    return output;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const bool is_inside = row >= width && row + width < rows && column >= width && column + width < columns;
      if (!is_inside) output[row * columns + column] = kWhite;
    }
  }
  return output;
}

std::vector<Extent> PictureProblem::extents() const {
  constexpr std::size_t kLargest = 65'535;
  return {{"rows", "rows of the picture", 4096, kLargest}, {"columns", "pixels of a row", 4096, kLargest}};
}

std::vector<Option> PictureProblem::options() const {
  return {{"map", "what is made of the picture", {"negative", "frame"}, 0.0, 0.0, 0.0, false, true},
          {"width", "the width of the frame, in pixels", {}, 64.0, 0.0, 65'535.0, true}};
}

BlockRule PictureProblem::block_rule() const {
  return {"one of 32x8, 16x16, 32x32, 64x4, 256x1", {{16, 16}, {32, 8}, {64, 4}, {256, 1}, {32, 32}}, {32, 8}};
}

Work PictureProblem::work(const Settings& settings) const {
  const double pixels = static_cast<double>(settings.sizes[0]) * static_cast<double>(settings.sizes[1]);
  return {"pixels", pixels, pixels * sizeof(float), pixels * sizeof(float), 0.0};
}

std::vector<Settings> PictureProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                            bool simulated) const {
  CaseList cases(standard);
  const auto add = [&cases](Map map, std::size_t rows, std::size_t columns, double width = 0.0) {
    cases.add({rows, columns}, {{"map", static_cast<double>(map)}, {"width", width}});
  };
  switch (purpose) {
    case Purpose::quick:  // Whole blocks first, then a tail, then less than a block.
      add(Map::negative, 64, 64);
      add(Map::negative, 1, 1003);
      add(Map::negative, 1, 5);
      add(Map::frame, 64, 64, 3.0);
      add(Map::frame, 37, 100, 2.0);
      add(Map::frame, 100, 37, 2.0);
      add(Map::frame, 1, 1, 0.0);
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
    case Purpose::full:
      for (const Map map : {Map::negative, Map::frame}) {
        add(map, 0, 5);
        add(map, 5, 0);
        for (const std::size_t n : Sizes{1, 2, 15, 16, 17, 31, 32, 33, 255, 256, 257, 1023, 1025}) {
          add(map, n, 1, 0.0);
          add(map, 3, n, 1.0);
          add(map, n, 70, static_cast<double>(n / 2));
        }
      }
      for (const double width : {0.0, 1.0, 33.0, 34.0, 66.0, 67.0, 68.0, 65'535.0}) add(Map::frame, 67, 131, width);
      cases.use_blocks_in_turn(shapes);
      // The most rows: as many blocks as a grid has in y, where a block has one row.
      add(Map::frame, 65'535, 3, 1.0);
      add(Map::frame, 3, 65'535, 1.0);
      cases.use_every_block(purpose == Purpose::full ? shapes : std::vector<dim3>{shapes.front()});
      if (purpose == Purpose::full) cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      for (std::size_t n = 1024; n <= (simulated ? 1024u : 16384u); n *= 2) {
        add(Map::negative, n, n);
        add(Map::frame, n, n, 64.0);
      }
      break;
  }
  return cases.take();
}

std::unique_ptr<Case> PictureProblem::make_case(const Settings& settings) const {
  return std::make_unique<PictureCase>(on_device_, settings);
}

}  // namespace workbook
