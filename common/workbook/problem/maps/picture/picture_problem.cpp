// SPDX-License-Identifier: MIT
// The picture, its maps, one call, and the cases.
#include "workbook/problem/maps/picture/picture_problem.h"

#include <cstring>

#include "workbook/case/case_list.h"
#include "workbook/case/changed_element.h"
#include "workbook/case/device_call.h"
#include "workbook/judge/compare.h"
#include "workbook/judge/number_text.h"
#include "workbook/problem/reference_case.h"

namespace workbook {
namespace {

constexpr float kParts = 1u << 24;                     // of white
constexpr std::size_t kPixels = std::size_t{1} << 22;  // that differ

// A word for each pixel, to compare and to name it: that of its red. A pixel whose colours belong to several pixels has
// one of its own.
constexpr std::uint32_t kMixed = 0x7fc00001;

std::vector<std::uint32_t> words_of_pixels(const std::vector<Pixel>& pixels, Map map) {
  std::vector<std::uint32_t> words;
  words.reserve(pixels.size());
  for (const Pixel& pixel : pixels) {
    std::uint32_t bits[4];
    std::memcpy(bits, &pixel, sizeof bits);
    const bool is_one = bits[0] == bits[1] && bits[1] == bits[2] && bits[2] == bits[3];  // white, or unwritten
    const Pixel from = map == Map::negative ? negative_of(pixel) : pixel;
    const float step = 1.0f / kParts;
    const bool is_of_one_place =
        from.green == from.red + step && from.blue == from.green + step && from.alpha == from.blue + step;
    words.push_back(is_one || is_of_one_place ? bits[0] : kMixed);
  }
  return words;
}

class PictureCase final : public ReferenceCase {
 public:
  PictureCase(MapOnDevice on_device, const Settings& settings)
      : on_device_(on_device),
        settings_(settings),
        map_(settings.choice<Map>("map")),
        input_(with_change(picture_of(settings), settings.changed)),
        expected_(timed([&] { return mapped_picture(settings, input_); })) {}

  Outcome call(const Call& call, GpuTimer& timer) override {
    DeviceCall steps(call, timer);
    const Pixel* const input = steps.input("the input", input_, line(input_.size()));
    auto* const output = steps.output<Pixel>("the output", line(input_.size()));
    steps.launch([&] { call_map(on_device_, settings_, call.block, input, output, steps.stream()); });
    const std::vector<Pixel> pixels = steps.copy_back(static_cast<const Pixel*>(output));
    const std::vector<std::uint32_t> got = words_of_pixels(pixels, map_), wanted = words_of_pixels(expected_, map_),
                                     from = words_of_pixels(input_, Map::frame);
    Explanations explanations;
    explanations.input = words_of(from, rows(), columns());
    explanations.text = [this](std::uint32_t word) { return text_of(word); };
    Outcome outcome;
    outcome.verdict = compare_words(words_of(got, rows(), columns()), words_of(wanted, rows(), columns()),
                                    explanations_of(call, explanations));
    refuse(outcome.verdict, steps.mistake());
    return outcome;
  }
  bool is_empty() const override { return input_.empty(); }
  std::string description() const override {
    return "Input: a picture of " + std::to_string(rows()) + " rows of " + std::to_string(columns()) + " pixels";
  }

 private:
  std::size_t rows() const { return settings_.sizes[0]; }
  std::size_t columns() const { return settings_.sizes[1]; }

  // The place that a pixel comes from, by its red.
  std::string text_of(std::uint32_t word) const {
    if (word == kMixed) return "colours of several pixels";
    float red = 0.0f;
    std::memcpy(&red, &word, sizeof red);
    if (red == 1.0f && map_ == Map::frame) return "white";
    const double parts = (map_ == Map::negative ? 1.0 - static_cast<double>(red) : static_cast<double>(red)) * kParts;
    const auto place = static_cast<std::size_t>(parts >= 1.0 && parts < kParts ? (parts - 1.0) / 4.0 : kPixels);
    if (static_cast<double>(4 * place + 1) != parts || place >= input_.size())
      return "red of " + plain(static_cast<double>(red), 9);
    return std::string(map_ == Map::negative ? "the negative of " : "") + "the input's row " +
           std::to_string(place / columns()) + ", column " + std::to_string(place % columns());
  }

  MapOnDevice on_device_;
  Settings settings_;
  Map map_;
  std::vector<Pixel> input_;
  std::vector<Pixel> expected_;
};

}  // namespace

void call_map(MapOnDevice on_device, const Settings& settings, dim3 block, const Pixel* input, Pixel* output,
              cudaStream_t stream) {
  const Extents extents{static_cast<unsigned>(settings.sizes[0]), static_cast<unsigned>(settings.sizes[1])};
  on_device(settings.choice<Map>("map"), input, output, extents, settings.choice<unsigned>("width"), block, stream);
}

std::vector<Pixel> picture_of(const Settings& settings) {
  std::vector<Pixel> picture(settings.sizes[0] * settings.sizes[1]);
  for (std::size_t k = 0; k < picture.size(); ++k) {
    const float before = static_cast<float>(4 * (k % kPixels));
    picture[k] = {(before + 1.0f) / kParts, (before + 2.0f) / kParts, (before + 3.0f) / kParts,
                  (before + 4.0f) / kParts};
  }
  return picture;
}

std::vector<Pixel> mapped_picture(const Settings& settings, const std::vector<Pixel>& input) {
  const std::size_t rows = settings.sizes[0], columns = settings.sizes[1];
  const auto width = settings.choice<std::size_t>("width");
  std::vector<Pixel> output(input);
  if (settings.choice<Map>("map") == Map::negative) {
    for (Pixel& pixel : output) pixel = negative_of(pixel);
    return output;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const bool is_inside = row >= width && row + width < rows && column >= width && column + width < columns;
      if (!is_inside) output[row * columns + column] = white();
    }
  }
  return output;
}

std::vector<Extent> PictureProblem::extents() const {
  constexpr std::size_t kLargest = 65'535;
  return {{"rows", "rows of the picture", 2048, kLargest}, {"columns", "pixels of a row", 2048, kLargest}};
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
  return {"pixels", pixels, pixels * sizeof(Pixel), pixels * sizeof(Pixel), 3.0 * pixels};
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
      for (std::size_t n = 512; n <= (simulated ? 512u : 8192u); n *= 2) {
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
