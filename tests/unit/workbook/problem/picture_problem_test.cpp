// SPDX-License-Identifier: MIT
// Maps of a picture: what is expected, and what the verdict says of the mistakes that kernels make. The host plays the
// kernel, on a device's memory.
#include "workbook/problem/maps/picture/picture_problem.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

using Pixels = std::vector<float>;

// Stores value(pixels, i) for each pixel i.
void write(const float* input, float* output, Extents extents,
           const std::function<float(const Pixels& pixels, std::size_t i)>& value) {
  Pixels from(std::size_t{extents.rows} * extents.columns), to;
  CUDA_CHECK(cudaMemcpy(from.data(), input, from.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < from.size(); ++i) to.push_back(value(from, i));
  CUDA_CHECK(cudaMemcpy(output, to.data(), to.size() * sizeof(float), cudaMemcpyHostToDevice));
}

void negates(Map, const float* input, float* output, Extents extents, unsigned, dim3, cudaStream_t) {
  write(input, output, extents, [](const Pixels& pixels, std::size_t i) { return 1.0f - pixels[i]; });
}
void copies(Map, const float* input, float* output, Extents extents, unsigned, dim3, cudaStream_t) {
  write(input, output, extents, [](const Pixels& pixels, std::size_t i) { return pixels[i]; });
}
void takes_the_next(Map map, const float* input, float* output, Extents extents, unsigned, dim3, cudaStream_t) {
  write(input, output, extents, [map](const Pixels& pixels, std::size_t i) {
    const float next = pixels[(i + 1) % pixels.size()];
    return map == Map::negative ? 1.0f - next : next;
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
  const Settings settings = settings_of(problem, Map::negative, {4096, 4096}, 0.0);
  const Pixels picture = picture_of(settings);
  EXPECT_EQ(picture.front() * 16'777'216.0f, 1.0f);
  EXPECT_EQ(picture.back(), kWhite);
  const Pixels negative = mapped_picture(settings, picture);
  for (std::size_t i = 0; i < picture.size(); i += 4099) {
    ASSERT_EQ(static_cast<double>(negative[i]), 1.0 - static_cast<double>(picture[i])) << i;
    ASSERT_EQ(picture[i], static_cast<float>(i + 1) / 16'777'216.0f);
  }
}

TEST(PictureProblem, AFrameIsWhiteAndTheRestStays) {
  const PictureProblem problem(&copies);
  const auto framed = [&](double width) {
    const Settings settings = settings_of(problem, Map::frame, {3, 4}, width);
    return mapped_picture(settings, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  };
  EXPECT_EQ(framed(0.0), (Pixels{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(framed(1.0), (Pixels{1, 1, 1, 1, 1, 7, 8, 1, 1, 1, 1, 1}));
  EXPECT_EQ(framed(2.0), Pixels(12, kWhite));
  EXPECT_EQ(framed(65'535.0), Pixels(12, kWhite));
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
  EXPECT_NE(verdict(&takes_the_next, Map::frame, {2, 5}).reason.find("the input's row 0, column 1"), std::string::npos)
      << verdict(&takes_the_next, Map::frame, {2, 5}).reason;
  EXPECT_NE(verdict(&takes_the_next, Map::negative, {2, 5}).reason.find("the negative of the input's row 0, column 1"),
            std::string::npos)
      << verdict(&takes_the_next, Map::negative, {2, 5}).reason;
}

}  // namespace
}  // namespace workbook
