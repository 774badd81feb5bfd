// SPDX-License-Identifier: MIT
// Heat and convolution: the references on grids that one can compute by hand, which numbers are exact, and what the
// verdict says of the mistakes that kernels make. The host plays the kernel, on a device's memory.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/problem/grids/convolution/convolution_problem.h"
#include "workbook/problem/grids/heat/heat_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

using Floats = std::vector<float>;

Floats host_floats(const float* data, std::size_t n) {
  Floats values(n);
  if (n > 0) CUDA_CHECK(cudaMemcpy(values.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost));
  return values;
}

// Stores reference_heat() of the input, with `change` to one of its cells, row by row.
void write_heat(const GridExtents& extents, const float* input, float* output, float rate, unsigned steps,
                float change) {
  const Floats grid = host_floats(input, extents.planes * extents.rows * extents.pitch());
  Floats cells;
  for (std::size_t row = 0; row < extents.planes * extents.rows; ++row) {
    for (std::size_t x = 0; x < extents.columns; ++x) cells.push_back(grid[row * extents.pitch() + x]);
  }
  Floats after = reference_heat(extents, cells, static_cast<double>(rate), steps);
  if (!after.empty()) after[after.size() / 2] += change;
  for (std::size_t row = 0; row < extents.planes * extents.rows; ++row) {
    CUDA_CHECK(cudaMemcpy(output + row * extents.pitch(), after.data() + row * extents.columns,
                          extents.columns * sizeof(float), cudaMemcpyHostToDevice));
  }
}

void steps_a_plane(ConstMatrix input, Matrix output, float rate, dim3, cudaStream_t) {
  write_heat({true, 1, input.rows, input.columns}, input.data, output.data, rate, 1, 0.0f);
}
void steps_a_plane_with_one_wrong_cell(ConstMatrix input, Matrix output, float rate, dim3, cudaStream_t) {
  write_heat({true, 1, input.rows, input.columns}, input.data, output.data, rate, 1, 0.125f);
}
void steps_a_volume(ConstVolume input, Volume output, Volume, float rate, unsigned steps, dim3, cudaStream_t) {
  write_heat({false, input.planes, input.rows, input.columns}, input.data, output.data, rate, steps, 0.0f);
}
void leaves_out_a_step(ConstVolume input, Volume output, Volume, float rate, unsigned steps, dim3, cudaStream_t) {
  write_heat({false, input.planes, input.rows, input.columns}, input.data, output.data, rate, steps - 1, 0.0f);
}
void stores_over_the_edge(ConstMatrix input, Matrix output, float rate, dim3 block, cudaStream_t stream) {
  steps_a_plane(input, output, rate, block, stream);
  CUDA_CHECK(cudaMemset(output.data + output.columns, 0, sizeof(float)));
}

Verdict grid_verdict(const Problem& problem, const Sizes& sizes, const std::map<std::string, double>& options = {}) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = sizes;
  for (const auto& [name, value] : options) settings.options[name] = value;
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

TEST(HeatProblem, OneStepIsAMeanOfNeighboursAndTheBorderIsHeld) {
  const Floats plane{1, 2, 3, 4, 16, 6, 7, 8, 9};
  Floats wanted = plane;
  wanted[4] = 16.0f + 0.125f * (2 + 4 + 6 + 8 - 64);
  EXPECT_EQ(reference_heat({true, 1, 3, 3}, plane, 0.125, 1), wanted);
  EXPECT_EQ(reference_heat({true, 1, 1, 9}, plane, 0.125, 1), plane);
  Floats volume(27, 8.0f);
  volume[13] = 16.0f;
  const Floats once = reference_heat({false, 3, 3, 3}, volume, 0.125, 1);
  EXPECT_EQ(once[13], 16.0f + 0.125f * (48 - 96));
  EXPECT_EQ(reference_heat({false, 3, 3, 3}, volume, 0.125, 2), reference_heat({false, 3, 3, 3}, once, 0.125, 1));
}

TEST(HeatProblem, WholeTemperaturesAreExactInFloatForFiveSteps) {
  for (unsigned steps = 1; steps <= 5; ++steps) {
    const Floats cells = make_temperatures(Temperatures::whole, 125, steps, 7);
    const Floats after = reference_heat({false, 5, 5, 5}, cells, 0.125, steps);
    for (const float cell : after) {
      const float in_units = std::ldexp(cell, static_cast<int>(3 * steps));
      ASSERT_EQ(in_units, std::nearbyint(in_units));
      ASSERT_LT(std::abs(in_units) * 16.0f, 0x1p24f);
    }
    EXPECT_EQ(bound_of_heat(Temperatures::whole, 0.125, steps), 0.0);
  }
  EXPECT_GT(bound_of_heat(Temperatures::whole, 0.125, 6), 0.0);
  EXPECT_GT(bound_of_heat(Temperatures::whole, 0.1, 1), 0.0);
}

TEST(HeatProblem, RightResultsMatchAndWrongOnesDoNot) {
  EXPECT_TRUE(grid_verdict(HeatProblem(&steps_a_plane), {7, 5}).matches);
  EXPECT_TRUE(grid_verdict(HeatProblem(&steps_a_plane), {0, 5}).matches);
  EXPECT_TRUE(grid_verdict(HeatProblem(&steps_a_volume), {4, 5, 6}, {{"steps", 3.0}}).matches);
  EXPECT_TRUE(grid_verdict(HeatProblem(&steps_a_volume), {4, 5, 6}, {{"temperatures", 1.0}, {"rate", 0.1}}).matches);
  EXPECT_FALSE(grid_verdict(HeatProblem(&steps_a_plane_with_one_wrong_cell), {7, 5}).matches);
  EXPECT_FALSE(grid_verdict(HeatProblem(&leaves_out_a_step), {4, 5, 6}, {{"steps", 3.0}}).matches);
  EXPECT_FALSE(grid_verdict(HeatProblem(&leaves_out_a_step), {4, 5, 6}, {{"temperatures", 1.0}}).matches);
  const std::string reason = grid_verdict(HeatProblem(&stores_over_the_edge), {7, 5}).reason;
  EXPECT_NE(reason.find("between two rows of the output"), std::string::npos) << reason;
}

// The filter of a call on the image of a call, with `moved` columns too far to the right.
void write_convolution(ConstMatrix input, Matrix output, const Filter& filter, std::size_t moved) {
  Settings settings;
  settings.options = {{"reach", filter.reach()}, {"filter", filter.is_separable ? 1.0 : 0.0}, {"numbers", 0.0}};
  const Floats weights = host_floats(filter.weights, filter.rows() * kFilterPitch);
  Floats pixels;
  for (std::size_t y = 0; y < input.rows; ++y) {
    const Floats row = host_floats(input.data + y * input.pitch, input.columns);
    pixels.insert(pixels.end(), row.begin(), row.end());
  }
  const Floats after =
      reference_convolution(ConvolutionChoice(settings), input.rows, input.columns, pixels, weights).pixels;
  for (std::size_t y = 0; y < input.rows; ++y) {
    for (std::size_t x = 0; x < input.columns; ++x) {
      const float* const from = after.data() + y * input.columns + (x + moved) % input.columns;
      CUDA_CHECK(cudaMemcpy(output.data + y * output.pitch + x, from, sizeof(float), cudaMemcpyHostToDevice));
    }
  }
}
void convolves(ConstMatrix input, Matrix output, const Filter& filter, dim3, cudaStream_t) {
  write_convolution(input, output, filter, 0);
}
void convolves_the_next_column(ConstMatrix input, Matrix output, const Filter& filter, dim3, cudaStream_t) {
  write_convolution(input, output, filter, 1);
}

TEST(ConvolutionProblem, TheFilterIsNotTurnedRoundAndTheEdgeGoesOn) {
  Settings settings;
  settings.options = {{"reach", 1.0}, {"filter", 0.0}, {"numbers", 0.0}};
  Floats weights(3 * kFilterPitch, 0.0f);
  weights[2] = 1.0f;                 // above, right
  weights[kFilterPitch + 1] = 8.0f;  // the middle
  const Floats image{1, 2, 3, 4, 5, 6};
  const Floats wanted{8 + 2, 16 + 3, 24 + 3, 32 + 2, 40 + 3, 48 + 3};
  EXPECT_EQ(reference_convolution(ConvolutionChoice(settings), 2, 3, image, weights).pixels, wanted);
}

TEST(ConvolutionProblem, ASeparableFilterIsTheProductOfAColumnAndARow) {
  Settings settings;
  settings.options = {{"reach", 1.0}, {"filter", 1.0}, {"numbers", 1.0}};
  const ConvolutionChoice choice(settings);
  Floats weights(2 * kFilterPitch, 0.0f);
  weights[0] = 2.0f, weights[1] = 3.0f, weights[2] = 5.0f;
  weights[kFilterPitch] = 7.0f, weights[kFilterPitch + 1] = 11.0f, weights[kFilterPitch + 2] = 13.0f;
  EXPECT_EQ(square_of(choice, weights), (std::vector<double>{14, 22, 26, 21, 33, 39, 35, 55, 65}));
  EXPECT_GT(reference_convolution(choice, 1, 1, {1.0f}, weights).bounds[0], 0.0f);
}

TEST(ConvolutionProblem, RightResultsMatchAndWrongOnesDoNot) {
  for (const double separable : {0.0, 1.0}) {
    const std::map<std::string, double> options{{"reach", 2.0}, {"filter", separable}};
    EXPECT_TRUE(grid_verdict(ConvolutionProblem(&convolves), {6, 5}, options).matches);
    EXPECT_TRUE(grid_verdict(ConvolutionProblem(&convolves), {0, 5}, options).matches);
    EXPECT_FALSE(grid_verdict(ConvolutionProblem(&convolves_the_next_column), {6, 5}, options).matches);
  }
}

}  // namespace
}  // namespace workbook
