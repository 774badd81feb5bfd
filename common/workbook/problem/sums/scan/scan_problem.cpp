// SPDX-License-Identifier: MIT
// The options and the limits of scans, and one call.
#include "workbook/problem/sums/scan/scan_problem.h"

#include "workbook/case/changed_element.h"
#include "workbook/case/device_call.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/reference_case.h"
#include "workbook/problem/sums/scan/scan_mistakes.h"

namespace workbook {
namespace {

template <typename T>
class ScanCase final : public ReferenceCase {
 public:
  ScanCase(const ScanProblem& problem, const Settings& settings)
      : problem_(problem),
        choice_(settings),
        seed_(settings.seed),
        input_(with_change(make_elements<T>(choice_.elements, settings.size(), settings.seed), settings.changed)) {
    scan_tiles_of(settings.block);
  }

  bool is_empty() const override { return input_.empty(); }
  std::string description() const override {
    const auto name = [](const std::vector<std::string>& names, auto which) {
      return names[static_cast<std::size_t>(which)];
    };
    return "Input: " + std::to_string(input_.size()) + " elements (" + name(scan_types(), choice_.type) + ", " +
           name(scan_elements(), choice_.elements) + ", seed " + std::to_string(seed_) + ")";
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    scan_tiles_of(call.block);
    DeviceCall steps(call, timer);
    const T* const input = steps.input("the input", input_, line(input_.size()));
    T* const output = steps.output<T>("the output", line(input_.size()));
    ScanWorkspace workspace{nullptr, steps.stream()};
    if (!problem_.is_by_block()) {
      const std::size_t words = scan_words(input_.size());
      workspace.words = steps.scratch<unsigned long long>("the workspace's words", words);
      CUDA_CHECK(cudaMemsetAsync(workspace.words, 0, words * sizeof *workspace.words, steps.stream()));
    }
    Outcome outcome;
    for (int i = 1; i <= choice_.calls; ++i) {
      // Other elements, so that what they leave in the workspace is not right for the next scan.
      const std::size_t begin = (choice_.calls - i) % 2 == 1 ? input_.size() / 8 * 4 : 0, n = input_.size() - begin;
      if (i > 1) steps.renew(output);
      steps.launch([&] { problem_.launch(choice_.scan, input + begin, output, n, call.block.x, workspace); });
      const std::vector<T> got = n > 0 ? read_back(output, n, steps.stream()) : std::vector<T>{};
      outcome.verdict = begin == 0 ? judged(got, input_, expected_, call) : judged_from(begin, got, call);
      refuse(outcome.verdict, steps.mistake());
      if (outcome.verdict.matches) continue;
      if (i > 1) {
        outcome.verdict.reason +=
            " (in scan " + std::to_string(i) + " with the same workspace; those before were right)";
      }
      break;
    }
    return outcome;
  }

 private:
  void scan_tiles_of(dim3 block) {
    if (problem_.tile(block) == tile_) return;
    tile_ = problem_.tile(block);
    expected_ = timed([&] { return reference_scan(choice_.scan, input_, tile_); });
  }

  Verdict judged_from(std::size_t begin, const std::vector<T>& got, const Call& call) const {
    const std::vector<T> input(input_.begin() + static_cast<std::ptrdiff_t>(begin), input_.end());
    return judged(got, input, reference_scan(choice_.scan, input, tile_), call);
  }
  Verdict judged(const std::vector<T>& got, const std::vector<T>& input, const ScanReference<T>& expected,
                 const Call& call) const {
    Explanations explanations = explanations_of(call);
    explanations.input = words_of(input);
    explanations.text = [this](std::uint32_t bits) { return text_of_element(choice_.type, bits); };
    explanations.are_moved = false;
    const Words found = words_of(got), wanted = words_of(expected.output);
    Verdict verdict = expected.bounds.empty() ? compare_words(found, wanted, explanations)
                                              : compare_floats(found, wanted, expected.bounds, explanations);
    if (!verdict.matches) {
      const ScanAsked<T> asked{choice_.scan, choice_.elements, tile_, input, expected.output};
      add_known_mistake(verdict, known_scan_mistake(asked, got));
    }
    return verdict;
  }

  const ScanProblem& problem_;
  ScanChoice choice_;
  std::uint32_t seed_;
  std::vector<T> input_;
  std::size_t tile_ = 0;  // for which the reference is
  ScanReference<T> expected_;
};

}  // namespace

ScanChoice::ScanChoice(const Settings& settings)
    : scan(settings.choice<Scan>("scan")),
      type(settings.choice<ScanType>("type")),
      elements(settings.choice<Elements>("elements")) {
  if (settings.options.count("calls") > 0) calls = settings.choice<int>("calls");
}

std::vector<Extent> ScanProblem::extents() const {
  constexpr std::size_t kStandard = std::size_t{1} << 22, kLargest = std::size_t{1} << 40;
  return {{"size", "how many elements", kStandard, kLargest}};
}

std::vector<Option> ScanProblem::options() const {
  std::vector<Option> options{{"scan", "whether an element is in its own sum", {"inclusive", "exclusive"}},
                              {"type", "of the elements", scan_types()},
                              {"elements", "what they are", scan_elements()}};
  if (!is_by_block()) options.push_back({"calls", "scans with one workspace", {}, 1.0, 1.0, 100.0, true});
  return options;
}

Work ScanProblem::work(const Settings& settings) const {
  const auto n = static_cast<double>(settings.size());
  return {"elements", n, sizeof(int) * n, sizeof(int) * n, n};
}

double ScanProblem::device_bytes(const Settings& settings) const {
  const double words = is_by_block() ? 0.0 : static_cast<double>(scan_words(settings.size()));
  return 2.0 * work(settings).bytes_read + words * sizeof(unsigned long long) + 65536.0;
}

std::unique_ptr<Case> ScanProblem::make_case(const Settings& settings) const {
  return with_type(ScanChoice(settings).type, [&](auto zero) -> std::unique_ptr<Case> {
    return std::make_unique<ScanCase<decltype(zero)>>(*this, settings);
  });
}

}  // namespace workbook
