// SPDX-License-Identifier: MIT
// The convolution of an image with a filter as a problem.
//
// With --numbers whole, pixels and weights are whole numbers, so small that every sum is exact in any order. Otherwise
// the bound is that of a sum of all products in any order (bound_of_any_order() of products/factors.h has its source).
// A separable filter rounds each weight once more, and each sum.
#pragma once

#include <string>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/student/grids/convolution.h"

namespace workbook {

using ConvolveOnDevice = void (*)(ConstMatrix input, Matrix output, const Filter& filter, dim3 block,
                                  cudaStream_t stream);

enum class PixelNumbers : std::uint8_t {
  whole,    ///< Whole numbers of either sign.
  uniform,  ///< [0, 1), and weights in [-1, 1).
};

/// What a case of a convolution has beside its extents.
struct ConvolutionChoice {
  explicit ConvolutionChoice(const Settings& settings);

  unsigned size;
  bool is_separable;
  PixelNumbers numbers;
};

/// Pixels without gaps.
std::vector<float> make_pixels(PixelNumbers numbers, std::size_t count, std::uint32_t seed);
/// Filter::rows() rows of kFilterPitch floats.
std::vector<float> make_weights(const ConvolutionChoice& choice, std::uint32_t seed);
/// The weights as `size` rows of `size`, products of a separable filter included.
std::vector<double> square_of(const ConvolutionChoice& choice, const std::vector<float>& weights);

/// The image after the filter, computed in double, and the bound of each pixel.
struct FilteredImage {
  std::vector<float> pixels, bounds;
};
FilteredImage reference_convolution(const ConvolutionChoice& choice, std::size_t rows, std::size_t columns,
                                    const std::vector<float>& input, const std::vector<float>& weights);
/// The terms of a sum, for its bound.
std::size_t roundings_of(const ConvolutionChoice& choice);

/// The convolution as a problem.
class ConvolutionProblem final : public Problem {
 public:
  explicit ConvolutionProblem(ConvolveOnDevice on_device) : on_device_(on_device) {}

  ConvolveOnDevice on_device() const { return on_device_; }

  std::string name() const override { return "convolution"; }
  std::string help() const override { return "Filters an image on the device and compares with the CPU."; }
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override;
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  ConvolveOnDevice on_device_;
};

}  // namespace workbook
