// SPDX-License-Identifier: MIT
// The reference of heat, one call, the options and the limits.
#include "workbook/problem/grids/heat/heat_problem.h"

#include <algorithm>
#include <cmath>

#include "workbook/case/changed_element.h"
#include "workbook/problem/array_case.h"
#include "workbook/problem/generator.h"
#include "workbook/problem/grids/pitched.h"

namespace workbook {
namespace {

class HeatCase final : public ArrayCase {
 public:
  HeatCase(const HeatProblem& problem, const Settings& settings)
      : problem_(problem),
        settings_(settings),
        extents_(problem.grid(settings)),
        temperatures_(settings.choice<Temperatures>("temperatures")),
        steps_(HeatProblem::steps(settings)) {
    const float rate = HeatProblem::rate(settings);
    const std::vector<float> cells =
        with_change(make_temperatures(temperatures_, extents_.cells(), steps_, settings.seed), settings.changed);
    input_ = with_pitch(cells, rows(), extents_.columns, extents_.pitch());
    expected_ = timed([&] { return reference_heat(extents_, cells, static_cast<double>(rate), steps_); });
    const double bound = bound_of_heat(temperatures_, static_cast<double>(rate), steps_);
    bounds_.assign(expected_.size(), static_cast<float>(bound));
  }

  std::string description() const override {
    return "Input: " + (extents_.is_plane ? "" : std::to_string(extents_.planes) + " planes of ") +
           std::to_string(extents_.rows) + " rows of " + std::to_string(extents_.columns) + " cells, " +
           std::to_string(steps_) + (steps_ == 1 ? " step" : " steps");
  }

 private:
  std::size_t rows() const { return extents_.planes * extents_.rows; }

  const void* launch(DeviceCall& steps, const Call& call) override {
    const Layout layout{rows(), extents_.columns, extents_.pitch()};
    const float* const input = steps.input("the input", input_, layout);
    auto* const output = steps.output<float>("the output", layout);
    float* const scratch = extents_.is_plane ? nullptr : steps.scratch<float>("the scratch grid", input_.size());
    steps.launch([&] { problem_.launch(settings_, call.block, input, output, scratch, steps.stream()); });
    return output;
  }
  Words expected() const override { return words_of(expected_, rows(), extents_.columns); }
  const std::vector<float>* bounds() const override { return &bounds_; }
  Explanations explanations() const override {
    Explanations explanations;
    explanations.text = text_of_float;
    return explanations;
  }

  const HeatProblem& problem_;
  Settings settings_;
  GridExtents extents_;
  Temperatures temperatures_;
  unsigned steps_;
  std::vector<float> input_;  // with its gaps
  std::vector<float> expected_, bounds_;
};

// One step, in double.
void step_of_reference(const GridExtents& extents, double rate, const std::vector<double>& from,
                       std::vector<double>& to) {
  const std::size_t columns = extents.columns, plane = extents.rows * columns;
  const std::size_t border = extents.is_plane ? 0 : 1;
  to = from;
  for (std::size_t z = border; z + border < extents.planes; ++z) {
    for (std::size_t y = 1; y + 1 < extents.rows; ++y) {
      for (std::size_t x = 1; x + 1 < columns; ++x) {
        const std::size_t at = z * plane + y * columns + x;
        double sum = from[at - 1] + from[at + 1] + from[at - columns] + from[at + columns] - 4.0 * from[at];
        if (!extents.is_plane) sum += from[at - plane] + from[at + plane] - 2.0 * from[at];
        to[at] = from[at] + rate * sum;
      }
    }
  }
}

}  // namespace

std::vector<float> make_temperatures(Temperatures temperatures, std::size_t cells, unsigned steps, std::uint32_t seed) {
  Generator generator(seed);
  // A step by 1/8 adds three bits, and its sum of 12 numbers is up to 16 times as large.
  const int largest = 1 << std::max(2, 19 - 3 * static_cast<int>(std::min(steps, 16u)));
  std::vector<float> grid(cells);
  for (float& cell : grid) {
    const auto random = static_cast<std::uint32_t>(generator());
    cell = temperatures == Temperatures::uniform
               ? static_cast<float>(random >> 8) * 0x1p-24f
               : static_cast<float>(static_cast<int>(random % (2u * static_cast<unsigned>(largest))) - largest);
  }
  return grid;
}

std::vector<float> reference_heat(const GridExtents& extents, const std::vector<float>& input, double rate,
                                  unsigned steps) {
  std::vector<double> from(input.begin(), input.end()), to;
  for (unsigned step = 0; step < steps; ++step) {
    step_of_reference(extents, rate, from, to);
    from.swap(to);
  }
  std::vector<float> output(from.size());
  std::transform(from.begin(), from.end(), output.begin(), [](double cell) { return static_cast<float>(cell); });
  return output;
}

double bound_of_heat(Temperatures temperatures, double rate, unsigned steps) {
  if (temperatures == Temperatures::whole && rate == 0.125 && steps <= 5) return 0.0;
  const double largest = temperatures == Temperatures::uniform ? 1.0 : 0x1p19;
  return 0x1p-24 * (12.0 * steps + 1.0) * largest;
}

GridExtents HeatProblem::grid(const Settings& settings) const {
  const Sizes& sizes = settings.sizes;
  if (is_plane()) return {true, 1, sizes[0], sizes[1]};
  return {false, sizes[0], sizes[1], sizes[2]};
}

unsigned HeatProblem::steps(const Settings& settings) {
  const auto found = settings.options.find("steps");
  return found == settings.options.end() ? 1 : static_cast<unsigned>(found->second);
}

void HeatProblem::launch(const Settings& settings, dim3 block, const float* input, float* output, float* scratch,
                         cudaStream_t stream) const {
  const auto [is_plane, planes, rows, columns] = grid(settings);
  const std::size_t pitch = grid(settings).pitch();
  if (is_plane) {
    step_on_device_({input, rows, columns, pitch}, {output, rows, columns, pitch}, rate(settings), block, stream);
  } else {
    steps_on_device_({input, planes, rows, columns, pitch}, {output, planes, rows, columns, pitch},
                     {scratch, planes, rows, columns, pitch}, rate(settings), steps(settings), block, stream);
  }
}

std::string HeatProblem::help() const {
  return is_plane() ? "Lets heat flow in a plane for one step on the device and compares with the CPU."
                    : "Lets heat flow in a volume for some steps on the device and compares with the CPU.";
}

std::vector<Extent> HeatProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 20;  // each
  if (is_plane()) return {{"rows", "rows of the grid", 2048, kLargest}, {"columns", "cells of a row", 2048, kLargest}};
  return {{"planes", "planes of the grid", 64, 65'536},
          {"rows", "rows of a plane", 256, 65'536},
          {"columns", "cells of a row", 256, 65'536}};
}

std::vector<Option> HeatProblem::options() const {
  std::vector<Option> options{{"temperatures", "what the cells are at the beginning", {"whole", "uniform"}},
                              {"rate", "how fast heat flows", {}, 0.125, 0.0, is_plane() ? 0.25 : 1.0 / 6.0}};
  if (!is_plane()) options.push_back({"steps", "how many steps", {}, 2.0, 1.0, 1000.0, true, true});
  return options;
}

BlockRule HeatProblem::block_rule() const {
  return {"one of 32x4, 32x8, 32x16, 32x32", {{32, 4}, {32, 8}, {32, 16}, {32, 32}}, {32, 8}};
}

Work HeatProblem::work(const Settings& settings) const {
  const auto cells = static_cast<double>(grid(settings).cells());
  const double operations = (is_plane() ? 7.0 : 9.0) * steps(settings);
  return {"cells", cells, sizeof(float) * cells, sizeof(float) * cells, operations * cells};
}

double HeatProblem::device_bytes(const Settings& settings) const {
  const GridExtents extents = grid(settings);
  const auto bytes = static_cast<double>(extents.planes * extents.rows * extents.pitch() * sizeof(float));
  return (is_plane() ? 2.0 : 3.0) * bytes + 65536.0;
}

std::unique_ptr<Case> HeatProblem::make_case(const Settings& settings) const {
  return std::make_unique<HeatCase>(*this, settings);
}

}  // namespace workbook
