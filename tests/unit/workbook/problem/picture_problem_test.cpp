// SPDX-License-Identifier: MIT
// Maps of a picture: what is expected, and what the verdict says of the mistakes that kernels make. The host plays the
// kernel, on a device's memory.
#include "workbook/problem/maps/picture/picture_problem.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

using Pixels = std::vector<Pixel>;

Pixel grey(float value) { return {value, value, value, value}; }
bool is_equal(const Pixels& one, const Pixels& other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size() * sizeof(Pixel)) == 0;
}

// Stores value(pixels, i) for each pixel i.
void write(const Pixel* input, Pixel* output, Extents extents,
           const std::function<Pixel(const Pixels& pixels, std::size_t i)>& value) {
  Pixels from(std::size_t{extents.rows} * extents.columns), to;
  CUDA_CHECK(cudaMemcpy(from.data(), input, from.size() * sizeof(Pixel), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < from.size(); ++i) to.push_back(value(from, i));
  CUDA_CHECK(cudaMemcpy(output, to.data(), to.size() * sizeof(Pixel), cudaMemcpyHostToDevice));
}

void negates(Map, const Pixel* input, Pixel* output, Extents extents, unsigned, dim3, cudaStream_t) {
  write(input, output, extents, [](const Pixels& pixels, std::size_t i) { return negative_of(pixels[i]); });
}
void copies(Map, const Pixel* input, Pixel* output, Extents extents, unsigned, dim3, cudaStream_t) {
  write(input, output, extents, [](const Pixels& pixels, std::size_t i) { return pixels[i]; });
}
void takes_the_next(Map map, const Pixel* input, Pixel* output, Extents extents, unsigned, dim3, cudaStream_t) {
  write(input, output, extents, [map](const Pixels& pixels, std::size_t i) {
    const Pixel next = pixels[(i + 1) % pixels.size()];
    return map == Map::negative ? negative_of(next) : next;
  });
}

void one_channel_is_lost(Map, const Pixel* input, Pixel* output, Extents extents, unsigned, dim3, cudaStream_t) {
  write(input, output, extents, [](const Pixels& pixels, std::size_t i) {
    Pixel pixel = pixels[i];
    pixel.green = 0.0f;
    return pixel;
  });
}

Settings settings_of(const PictureProblem& problem, Map map, const Sizes& sizes, double width) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = sizes;
  settings.options["map"] = static_cast<double>(map);
  settings.options["width"] = width;
  return settings;
}

Verdict verdict(MapOnDevice on_device, Map map, const Sizes& sizes, double width = 0.0) {
  const PictureProblem problem(on_device);
  const Settings settings = settings_of(problem, map, sizes, width);
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

TEST(PictureProblem, EachPixelTellsItsPlaceAndItsNegativeIsExact) {
  const PictureProblem problem(&negates);
  const Settings settings = settings_of(problem, Map::negative, {2048, 2048}, 0.0);
  const Pixels picture = picture_of(settings), negative = mapped_picture(settings, picture);
  EXPECT_EQ(picture.front().red * 16'777'216.0f, 1.0f);
  EXPECT_EQ(picture.back().alpha, 1.0f);
  for (std::size_t i = 0; i < picture.size(); i += 4099) {
    ASSERT_EQ(static_cast<double>(picture[i].blue) * 16'777'216.0, static_cast<double>(4 * i + 3)) << i;
    ASSERT_EQ(static_cast<double>(negative[i].blue), 1.0 - static_cast<double>(picture[i].blue)) << i;
    ASSERT_EQ(negative[i].alpha, picture[i].alpha) << i;
  }
}

TEST(PictureProblem, AFrameIsWhiteAndTheRestStays) {
  const PictureProblem problem(&copies);
  Pixels picture;
  for (int i = 0; i < 12; ++i) picture.push_back(grey(static_cast<float>(i) / 16.0f));
  const auto framed = [&](double width) {
    return mapped_picture(settings_of(problem, Map::frame, {3, 4}, width), picture);
  };
  Pixels of_one(12, white());
  of_one[5] = picture[5], of_one[6] = picture[6];
  EXPECT_TRUE(is_equal(framed(0.0), picture));
  EXPECT_TRUE(is_equal(framed(1.0), of_one));
  EXPECT_TRUE(is_equal(framed(2.0), Pixels(12, white())));
  EXPECT_TRUE(is_equal(framed(65'535.0), Pixels(12, white())));
}

TEST(PictureProblem, RightResultsMatch) {
  EXPECT_TRUE(verdict(&negates, Map::negative, {7, 5}).matches);
  EXPECT_TRUE(verdict(&copies, Map::frame, {7, 5}).matches);
  EXPECT_TRUE(verdict(&copies, Map::frame, {0, 5}).matches);
}

TEST(PictureProblem, WrongResultsDoNotAndTellWhereAPixelCameFrom) {
  EXPECT_FALSE(verdict(&copies, Map::negative, {7, 5}).matches);
  EXPECT_FALSE(verdict(&copies, Map::frame, {7, 5}, 1.0).matches);
  EXPECT_FALSE(verdict(&negates, Map::frame, {7, 5}).matches);
  EXPECT_NE(verdict(&one_channel_is_lost, Map::frame, {2, 5}).reason.find("colours of several pixels"),
            std::string::npos);
  EXPECT_NE(verdict(&takes_the_next, Map::frame, {2, 5}).reason.find("the input's row 0, column 1"), std::string::npos)
      << verdict(&takes_the_next, Map::frame, {2, 5}).reason;
  EXPECT_NE(verdict(&takes_the_next, Map::negative, {2, 5}).reason.find("the negative of the input's row 0, column 1"),
            std::string::npos)
      << verdict(&takes_the_next, Map::negative, {2, 5}).reason;
}

}  // namespace
}  // namespace workbook
