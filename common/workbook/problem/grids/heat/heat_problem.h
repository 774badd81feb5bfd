// SPDX-License-Identifier: MIT
// Steps of the heat equation as a problem: one step of a plane, or several of a volume.
//
// Numbers are whole, or uniform. With the rate 1/8, sums of whole numbers are exact in any order: each step adds three
// bits behind the point, and the numbers leave room for them. Otherwise a step of any order rounds numbers of up to 6
// max|u| a few times, and its bound is 12 u max|u|. A step is a mean of cells, so errors of earlier steps do not grow.
#pragma once

#include <string>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/problem/grids/pitched.h"
#include "workbook/student/grids/heat.h"

namespace workbook {

using HeatStepOnDevice = void (*)(ConstMatrix input, Matrix output, float rate, dim3 block, cudaStream_t stream);
using HeatStepsOnDevice = void (*)(ConstVolume input, Volume output, Volume scratch, float rate, unsigned steps,
                                   dim3 block, cudaStream_t stream);

/// The temperatures at the beginning.
enum class Temperatures : std::uint8_t {
  whole,    ///< Whole numbers of either sign, so small that no sum is rounded.
  uniform,  ///< [0, 1).
};

/// The extents of a grid. A plane is a volume of one plane, which is not held.
struct GridExtents {
  bool is_plane = false;
  std::size_t planes = 1, rows = 0, columns = 0;

  std::size_t cells() const { return planes * rows * columns; }
  /// Rows begin at multiples of 16 bytes.
  std::size_t pitch() const { return pitch_of(columns); }
};

/// Cells without gaps, row by row.
std::vector<float> make_temperatures(Temperatures temperatures, std::size_t cells, unsigned steps, std::uint32_t seed);
/// The grid after `steps` steps, computed in double.
std::vector<float> reference_heat(const GridExtents& extents, const std::vector<float>& input, double rate,
                                  unsigned steps);
/// The error bound of each cell; 0 where nothing is rounded.
double bound_of_heat(Temperatures temperatures, double rate, unsigned steps);

/// Heat in a plane or in a volume as a problem.
class HeatProblem final : public Problem {
 public:
  explicit HeatProblem(HeatStepOnDevice on_device) : step_on_device_(on_device) {}
  explicit HeatProblem(HeatStepsOnDevice on_device) : steps_on_device_(on_device) {}

  bool is_plane() const { return step_on_device_ != nullptr; }
  GridExtents grid(const Settings& settings) const;
  static unsigned steps(const Settings& settings);
  static float rate(const Settings& settings) { return static_cast<float>(settings.options.at("rate")); }
  /// Calls the stage's function with these settings. All grids have the extents and the pitch of grid().
  void launch(const Settings& settings, dim3 block, const float* input, float* output, float* scratch,
              cudaStream_t stream) const;

  std::string name() const override { return is_plane() ? "heat" : "heat in a volume"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override;
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  HeatStepOnDevice step_on_device_ = nullptr;
  HeatStepsOnDevice steps_on_device_ = nullptr;
};

}  // namespace workbook
