// SPDX-License-Identifier: MIT
// Two maps of a picture as a problem: its negative, and a frame. The data are exact: each pixel tells its place, and
// nothing is rounded.
#pragma once

#include "workbook/case/problem.h"
#include "workbook/student/picture.h"

namespace workbook {

/// The choices of --map.
enum class Map : std::uint8_t { negative, frame };

/// The functions that a stage of maps defines.
struct MapsOnDevice {
  void (*make_negative)(const float* input, float* output, std::size_t n, unsigned block_size, cudaStream_t stream);
  void (*draw_frame)(const float* input, float* output, Extents extents, unsigned width, dim3 block,
                     cudaStream_t stream);
};

/// Calls the function that --map names. The negative gets the picture as one line of numbers.
void call_map(const MapsOnDevice& on_device, const Settings& settings, dim3 block, const float* input, float* output,
              cudaStream_t stream);

/// The pixels of the input. Pixel k has k % 2^24 + 1 of 2^24 parts of white: a float holds it, and its negative,
/// exactly.
std::vector<float> picture_of(const Settings& settings);
/// What --map makes of it.
std::vector<float> mapped_picture(const Settings& settings, const std::vector<float>& input);

/// The negative and the frame as a problem.
class PictureProblem final : public Problem {
 public:
  explicit PictureProblem(const MapsOnDevice& on_device) : on_device_(on_device) {}

  const MapsOnDevice& on_device() const { return on_device_; }

  std::string name() const override { return "picture"; }
  std::string help() const override {
    return "Makes the negative of a picture, or draws a frame, on the device and compares with the CPU.";
  }
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  bool has_seed() const override { return false; }
  BlockRule block_rule() const override;
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override { return 2.0 * work(settings).bytes_read + 65536.0; }
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  MapsOnDevice on_device_;
};

}  // namespace workbook
