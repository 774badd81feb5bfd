// SPDX-License-Identifier: MIT
// Two maps of a picture as a problem: its negative, and a frame. The data are exact: each pixel tells its place, and
// nothing is rounded.
#pragma once

#include "workbook/case/problem.h"
#include "workbook/student/picture.h"

namespace workbook {

using MapOnDevice = void (*)(Map map, const Pixel* input, Pixel* output, Extents extents, unsigned width, dim3 block,
                             cudaStream_t stream);

/// Calls a stage's function with the map, the extents and the width of these settings.
void call_map(MapOnDevice on_device, const Settings& settings, dim3 block, const Pixel* input, Pixel* output,
              cudaStream_t stream);

/// The pixels of the input. Red, green, blue and alpha of pixel k are 4k + 1 to 4k + 4 of 2^24 parts, where k begins
/// anew at 2^22. A float holds each number, and what the negative makes of it, exactly.
std::vector<Pixel> picture_of(const Settings& settings);
/// What --map makes of it.
std::vector<Pixel> mapped_picture(const Settings& settings, const std::vector<Pixel>& input);

/// The negative and the frame as a problem.
class PictureProblem final : public Problem {
 public:
  explicit PictureProblem(MapOnDevice on_device) : on_device_(on_device) {}

  MapOnDevice on_device() const { return on_device_; }

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
  MapOnDevice on_device_;
};

}  // namespace workbook
