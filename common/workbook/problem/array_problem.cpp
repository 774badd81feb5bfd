// SPDX-License-Identifier: MIT
#include "workbook/problem/array_problem.h"

#include "workbook/case/case_list.h"
#include "workbook/case/changed_element.h"
#include "workbook/problem/array_case.h"

namespace workbook {
namespace {

class TaskCase final : public ArrayCase {
 public:
  TaskCase(const ArrayTask<std::uint32_t>& task, const Settings& settings)
      : task_(task),
        seed_(settings.seed),
        misalign_(settings.choice<std::size_t>("misalign")),
        output_misalign_(settings.choice<std::size_t>("output-misalign")),
        input_(with_change(task.input(settings.size(), settings.seed), settings.changed)),
        expected_(timed([&] { return task.reference(input_); })) {
    if (task.bounds) bounds_ = task.bounds(input_);
  }

  std::string description() const override {
    return "Input: " + std::to_string(input_.size()) + " " + task_.unit + " (seed " + std::to_string(seed_) + ")";
  }

 private:
  const void* launch(DeviceCall& steps, const Call& call) override {
    const std::uint32_t* const input = steps.input("the input", input_, line(input_.size(), misalign_));
    auto* const output = steps.output<std::uint32_t>("the output", line(input_.size(), output_misalign_));
    steps.launch([&] { task_.on_device(input, output, input_.size(), call.block.x, steps.stream()); });
    return output;
  }
  Words expected() const override { return words_of(expected_); }
  const std::vector<float>* bounds() const override { return task_.bounds ? &bounds_ : nullptr; }
  Explanations explanations() const override {
    Explanations explanations;
    explanations.input = words_of(input_);
    explanations.text = task_.text;
    return explanations;
  }

  const ArrayTask<std::uint32_t>& task_;
  std::uint32_t seed_;
  std::size_t misalign_, output_misalign_;
  std::vector<std::uint32_t> input_, expected_;
  std::vector<float> bounds_;
};

}  // namespace

std::vector<Extent> ArrayProblem::extents() const {
  constexpr std::size_t kStandard = std::size_t{1} << 20, kLargest = std::size_t{1} << 40;
  return {{"size", "how many " + task_.unit, kStandard, kLargest}};
}

std::vector<Option> ArrayProblem::options() const {
  return {{"misalign", "the input begins K elements behind an aligned address", {}, 0.0, 0.0, 3.0, true},
          {"output-misalign", "the output begins K elements behind an aligned address", {}, 0.0, 0.0, 3.0, true}};
}

Work ArrayProblem::work(const Settings& settings) const {
  const auto n = static_cast<double>(settings.size());
  return {task_.unit, n, sizeof(std::uint32_t) * n, sizeof(std::uint32_t) * n, task_.operations * n};
}

std::vector<Settings> ArrayProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                          bool simulated) const {
  CaseList cases(standard);
  switch (purpose) {
    case Purpose::quick:
      for (const std::size_t n : task_.quick) cases.add_seeded({n});
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
      for (const std::size_t n : task_.hostile) cases.add_seeded({n});
      for (const double misalign : {1.0, 2.0, 3.0}) {
        for (const std::size_t n : task_.quick) {
          cases.add_seeded({n}, {{"misalign", misalign}});
          cases.add_seeded({n}, {{"misalign", misalign}, {"output-misalign", 4.0 - misalign}});
        }
      }
      cases.use_blocks_in_turn(shapes);
      break;
    case Purpose::full:
      for (const std::size_t n : task_.full) cases.add_seeded({n});
      cases.use_every_block(shapes);
      cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      for (std::size_t n = simulated ? 1 << 20 : 1 << 10; n <= (simulated ? 1u << 20 : 1u << 28); n *= 4)
        cases.add({n});
      break;
  }
  return cases.take();
}

std::unique_ptr<Case> ArrayProblem::make_case(const Settings& settings) const {
  return std::make_unique<TaskCase>(task_, settings);
}

}  // namespace workbook
