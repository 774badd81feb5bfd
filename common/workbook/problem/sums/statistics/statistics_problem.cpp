// SPDX-License-Identifier: MIT
// Options and cases of statistics, and one call of each form.
#include "workbook/problem/sums/statistics/statistics_problem.h"

#include <chrono>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>

#include "workbook/case/device_call.h"
#include "workbook/case/ticket.h"

namespace workbook {
namespace {

constexpr std::size_t kStandardSize = 16'777'216;

// Numbers with one statistic of theirs. The forms differ in how it is asked for.
template <typename T>
class NumbersCase : public Case {
 public:
  NumbersCase(const StatisticsChoice& choice, std::uint32_t seed, std::vector<T> values)
      : choice_(choice), seed_(seed), values_(std::move(values)) {
    const auto begin = std::chrono::steady_clock::now();
    reference_ = reference_statistic<T>(choice.operation, {{values_.data(), values_.size()}});
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    cpu_time_ms_ = taken.count();
  }

  bool is_empty() const override { return values_.empty(); }
  std::string description() const override {
    return "Input size: " + std::to_string(values_.size()) + " " + name_of(choice_.type) + "s (" +
           name_of(choice_.numbers) + ", seed " + std::to_string(seed_) + ")";
  }
  double cpu_time_ms() const override { return cpu_time_ms_; }

 protected:
  const StatisticsChoice& choice() const { return choice_; }
  const std::vector<T>& values() const { return values_; }

  // `mistake`: what the call did wrong besides, or "".
  Outcome judged(double got, const std::string& mistake) const {
    Outcome outcome{{{name_of(choice_.operation), reference_.value, got, digits()}}, check_statistic(got, reference_)};
    if (!mistake.empty()) {
      outcome.verdict.matches = false;
      outcome.verdict.reason = mistake;
    }
    return outcome;
  }

 private:
  int digits() const {
    const bool in_double = choice_.operation == Operation::mean || choice_.operation == Operation::deviation;
    return in_double || std::is_same_v<T, double> ? 17 : std::is_same_v<T, float> ? 9 : 10;
  }

  StatisticsChoice choice_;
  std::uint32_t seed_;
  std::vector<T> values_;
  Statistic reference_;
  double cpu_time_ms_ = 0.0;
};

// Stage 01: the host's steps are the student's.
class HostReductionCase final : public NumbersCase<float> {
 public:
  HostReductionCase(Reduce reduce, const StatisticsChoice& choice, std::uint32_t seed, std::vector<float> values)
      : NumbersCase(choice, seed, std::move(values)), reduce_(reduce), copy_(this->values()) {}

  Outcome call(const Call& call, GpuTimer& timer) override {
    const float sum = reduce_(copy_.data(), copy_.size(), call.block.x, timer);
    return judged(static_cast<double>(sum), changed_input());
  }

 private:
  // Bits, not values: a NaN in the input equals itself.
  std::string changed_input() const {
    for (std::size_t i = 0; i < copy_.size(); ++i) {
      if (std::memcmp(&copy_[i], &values()[i], sizeof(float)) == 0) continue;
      return "the input in host memory was changed, first at element " + std::to_string(i) +
             "; copy it to the device and work on the copy";
    }
    return "";
  }

  Reduce reduce_;
  std::vector<float> copy_;  // what the function gets
};

class ReductionCase final : public NumbersCase<float> {
 public:
  ReductionCase(ReduceOnDevice reduce, const StatisticsChoice& choice, std::uint32_t seed, std::vector<float> values,
                PartialSums* partial_sums)
      : NumbersCase(choice, seed, std::move(values)), reduce_(reduce), partial_sums_(partial_sums) {}

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t n = values().size();
    if (n == 0) return judged(0.0, "");
    DeviceCall steps(call, timer);
    float* const numbers = steps.input("the input", values(), line(n, choice().misalign), true);
    const std::size_t blocks = (n + call.block.x - 1) / call.block.x;
    const Ticket ticket(steps.stream());
    const Workspace workspace{steps.scratch<float>("the partial sums", blocks),
                              steps.scratch<float>("the next partial sums", blocks), ticket.data(), steps.stream()};
    const float* sum = nullptr;
    steps.launch([&] { sum = reduce_(numbers, n, call.block.x, workspace); });
    const float got = read_back(sum, steps.stream());
    if (partial_sums_ != nullptr) look_at_partial_sums(steps, workspace.partial_sums, blocks, numbers, sum);
    const std::string mistake = ticket.mistake();
    return judged(static_cast<double>(got), mistake.empty() ? steps.mistake() : mistake);
  }

 private:
  void look_at_partial_sums(DeviceCall& steps, const float* sums, std::size_t blocks, const float* numbers,
                            const float* sum) {
    const std::vector<float> left = steps.copy_back(sums);
    partial_sums_->of_blocks.assign(left.begin(), left.end());
    partial_sums_->is_sum_apart = std::less<>()(sum, sums) || !std::less<>()(sum, sums + blocks);
    partial_sums_->is_in_place = steps.copy_back(numbers) != values();
  }

  ReduceOnDevice reduce_;
  PartialSums* partial_sums_;
};

template <typename T>
class StatisticCase final : public NumbersCase<T> {
 public:
  StatisticCase(StatisticOnDevice<T> on_device, const StatisticsChoice& choice, std::uint32_t seed,
                std::vector<T> values, PartialSums* partial_sums)
      : NumbersCase<T>(choice, seed, std::move(values)), on_device_(on_device), partial_sums_(partial_sums) {}

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t n = this->values().size();
    DeviceCall steps(call, timer);
    const T* const numbers = steps.input("the input", this->values(), line(n));
    double* const result = steps.output<double>("the result", line(1));
    const Ticket ticket(steps.stream());
    auto* const partials = steps.scratch<T>("the partials", partials_bytes(n, call.block.x) / sizeof(T));
    const StatisticsWorkspace workspace{partials, ticket.data(), result, steps.stream()};
    steps.launch([&] { on_device_(this->choice().operation, numbers, n, call.block.x, workspace); });
    const double got = steps.copy_back(result)[0];
    if (partial_sums_ != nullptr) {
      const std::vector<T> left = steps.copy_back(partials);
      partial_sums_->of_blocks.assign(left.begin(), left.end());
    }
    const std::string mistake = ticket.mistake();
    return this->judged(got, mistake.empty() ? steps.mistake() : mistake);
  }

 private:
  StatisticOnDevice<T> on_device_;
  PartialSums* partial_sums_;
};

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  names.reserve(StatisticsProblem::operations.size());
  for (const Operation operation : StatisticsProblem::operations) names.emplace_back(name_of(operation));
  return names;
}

// The same settings with other values of some options.
class Variation {
 public:
  explicit Variation(const Settings& standard) : settings_(standard) {}
  Variation& size(std::size_t n) {
    settings_.sizes = {n};
    return *this;
  }
  Variation& seed(std::uint32_t seed) {
    settings_.seed = seed;
    return *this;
  }
  Variation& numbers(Numbers numbers) { return set("distribution", static_cast<double>(numbers)); }
  Variation& operation(Operation operation) { return set("operation", static_cast<double>(operation)); }
  Variation& type(NumberType type) { return set("type", static_cast<double>(type)); }
  Variation& misalign(std::size_t elements) { return set("misalign", static_cast<double>(elements)); }
  operator Settings() const { return settings_; }

 private:
  Variation& set(const char* option, double value) {
    const auto found = settings_.options.find(option);
    if (found != settings_.options.end()) found->second = value;
    return *this;
  }

  Settings settings_;
};

// The sum of floats: nothing, one, and both sides of a warp, of a block, of a multiple of blocks, of what stage 07
// spreads over small blocks, and one that needs three passes; no block divides 65,539 or 1,000,003.
std::vector<Settings> reduction_cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                      bool can_misalign) {
  const auto base = [&standard](std::size_t n, Numbers numbers) {
    return Variation(standard).size(n).numbers(numbers);
  };
  std::vector<Settings> bases;
  switch (purpose) {
    case Purpose::quick:
      for (const std::size_t n : Sizes{1003, 1, 2, 33, 257, 4097}) bases.push_back(base(n, Numbers::exact));
      bases.push_back(base(4097, Numbers::uniform));
      return with_blocks(bases, shapes);
    case Purpose::hostile: {
      for (const std::size_t n : Sizes{0, 3, 31, 32, 63, 65, 127, 255, 256, 511, 513, 1023, 1025, 2049, 8191, 16'385}) {
        bases.push_back(base(n, Numbers::exact).seed(static_cast<std::uint32_t>(n)));
        bases.push_back(base(n, Numbers::one_hot).seed(static_cast<std::uint32_t>(n)));
      }
      if (can_misalign) {
        for (const std::size_t n : Sizes{1, 2, 3, 5, 4095, 4097}) {
          for (const std::size_t misalign : Sizes{1, 2, 3}) bases.push_back(base(n, Numbers::exact).misalign(misalign));
        }
      }
      bases.push_back(base(1003, Numbers::nan));
      bases.push_back(base(1003, Numbers::infinity));
      bases.push_back(base(4097, Numbers::signed_uniform));
      bases.push_back(base(4097, Numbers::constant));
      std::vector<Settings> cases = with_blocks_in_turn(bases, shapes);
      const std::vector<Settings> large =
          with_blocks({base(65'539, Numbers::exact), base(100'003, Numbers::one_hot)}, shapes);
      cases.insert(cases.end(), large.begin(), large.end());
      return cases;
    }
    case Purpose::full: {
      for (const std::size_t n : Sizes{0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 4097, 65'539, 1'000'003}) {
        for (const Numbers numbers :
             {Numbers::uniform, Numbers::signed_uniform, Numbers::exact, Numbers::one_hot, Numbers::constant}) {
          for (const std::uint32_t seed : {standard.seed, 1u, 2u}) bases.push_back(base(n, numbers).seed(seed));
        }
      }
      for (const Numbers numbers : {Numbers::nan, Numbers::infinity, Numbers::infinities}) {
        for (const std::size_t n : Sizes{1, 33, 4097, 100'003}) bases.push_back(base(n, numbers));
      }
      std::vector<Settings> cases = with_blocks(bases, shapes);
      // Each distribution, on both sides of a power of two, each with another block: all of them would take hours.
      const std::vector<Settings> large =
          with_blocks_in_turn({base(kStandardSize, Numbers::exact), base(kStandardSize + 3, Numbers::signed_uniform),
                               base(kStandardSize + 3, Numbers::constant), base(kStandardSize + 3, Numbers::one_hot),
                               base(kStandardSize, Numbers::uniform)},
                              shapes);
      cases.insert(cases.end(), large.begin(), large.end());
      return cases;
    }
    case Purpose::lesson:
    case Purpose::bench:
      break;
  }
  return {};
}

// The other operations and types beside those that were given.
std::vector<Settings> other_tasks(const Settings& standard, std::size_t n, Numbers numbers) {
  std::vector<Settings> tasks;
  for (const Operation operation : StatisticsProblem::operations) {
    for (const NumberType type : {NumberType::floats, NumberType::doubles, NumberType::ints}) {
      tasks.push_back(Variation(standard).size(n).operation(operation).type(type).numbers(numbers));
    }
  }
  return tasks;
}

void append(std::vector<Settings>& cases, const std::vector<Settings>& more) {
  cases.insert(cases.end(), more.begin(), more.end());
}

std::vector<Settings> statistics_cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes) {
  constexpr NumberType kTypes[] = {NumberType::floats, NumberType::doubles, NumberType::ints};
  std::vector<Settings> cases;
  switch (purpose) {
    case Purpose::quick:
      for (const std::size_t n : Sizes{1003, 1, 2, 33, 257, 4097}) {
        append(cases, with_blocks({Variation(standard).size(n)}, shapes));
      }
      append(cases, with_blocks_in_turn(other_tasks(standard, 1003, Numbers::uniform), shapes));
      append(cases, with_blocks_in_turn(other_tasks(standard, 4097, Numbers::negative), shapes));
      return cases;
    case Purpose::hostile:
      for (const std::size_t n : Sizes{0, 1, 3, 31, 65, 255, 513, 1025, 16'389}) {
        append(cases, with_blocks_in_turn(other_tasks(standard, n, Numbers::signed_uniform), shapes));
      }
      for (const Numbers numbers : {Numbers::exact, Numbers::shifted, Numbers::nan, Numbers::infinite}) {
        append(cases, with_blocks_in_turn(other_tasks(standard, 4099, numbers), shapes));
      }
      // Wherever it is: an operator that drops a NaN on one side only passes with many of the seeds.
      for (const Operation operation : {Operation::minimum, Operation::maximum}) {
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
          Settings settings = Variation(standard).size(1000).operation(operation).numbers(Numbers::nan).seed(seed);
          settings.block = shapes[seed % shapes.size()];
          cases.push_back(settings);
        }
      }
      append(cases, with_blocks({Variation(standard).size(100'003)}, shapes));
      return cases;
    case Purpose::full: {
      for (const std::size_t n : Sizes{0, 1, 2, 31, 32, 33, 255, 257, 1025, 4097, 16'389, 100'003}) {
        for (const Numbers numbers : {Numbers::uniform, Numbers::signed_uniform, Numbers::exact, Numbers::constant,
                                      Numbers::shifted, Numbers::negative}) {
          for (const std::uint32_t seed : {standard.seed, 1u}) {
            Settings seeded = standard;
            seeded.seed = seed;
            append(cases, with_blocks(other_tasks(seeded, n, numbers), shapes));
          }
        }
      }
      // From two numbers on: see statistics.h for the deviation of one.
      for (const Numbers numbers : {Numbers::nan, Numbers::infinite}) {
        for (const std::size_t n : Sizes{2, 33, 4097, 100'003}) {
          append(cases, with_blocks(other_tasks(standard, n, numbers), shapes));
        }
      }
      // Each operation and type once, on both sides of a power of two: all of them would take hours.
      std::vector<Settings> large;
      for (std::size_t i = 0; i < StatisticsProblem::operations.size(); ++i) {
        const Operation operation = StatisticsProblem::operations[i];
        const Numbers numbers = operation == Operation::deviation || operation == Operation::mean
                                    ? Numbers::shifted
                                    : (i % 2 == 0 ? Numbers::exact : Numbers::signed_uniform);
        large.push_back(Variation(standard)
                            .size(kStandardSize + i % 2 * 3)
                            .operation(operation)
                            .type(kTypes[i % 3])
                            .numbers(numbers));
      }
      large.push_back(Variation(standard)
                          .size(kStandardSize)
                          .operation(Operation::deviation)
                          .type(NumberType::floats)
                          .numbers(Numbers::shifted));
      append(cases, with_blocks_in_turn(large, shapes));
      return cases;
    }
    case Purpose::lesson:
    case Purpose::bench:
      break;
  }
  return {};
}

}  // namespace

const char* name_of(NumberType type) {
  switch (type) {
    case NumberType::floats:
      return "float";
    case NumberType::doubles:
      return "double";
    case NumberType::ints:
      return "int";
  }
  return "unknown";
}

StatisticsChoice StatisticsProblem::choice(const Settings& settings) {
  StatisticsChoice choice;
  choice.numbers = settings.choice<Numbers>("distribution");
  if (settings.options.count("operation") > 0) {
    choice.operation = settings.choice<Operation>("operation");
    choice.type = settings.choice<NumberType>("type");
  }
  if (settings.options.count("misalign") > 0) choice.misalign = settings.choice<std::size_t>("misalign");
  return choice;
}

std::string StatisticsProblem::help() const {
  return statistics() != nullptr ? "Computes a statistic on the device and compares with the CPU."
                                 : "Sums an input on the device and compares with the CPU.";
}

std::vector<Extent> StatisticsProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 48;
  return {{"size", statistics() != nullptr ? "how many numbers" : "how many floats", kStandardSize, kLargest}};
}

std::vector<Option> StatisticsProblem::options() const {
  std::vector<Option> options;
  if (statistics() != nullptr) {
    options.push_back({"operation", "what is computed", operation_names(), static_cast<double>(Operation::deviation)});
    options.push_back({"type", "of the numbers", {"float", "double", "int"}});
  }
  options.push_back({"distribution", "of the numbers", numbers_names()});
  if (std::holds_alternative<ReduceOnDevice>(functions_)) {
    options.push_back({"misalign", "the numbers begin K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true});
  }
  return options;
}

Work StatisticsProblem::work(const Settings& settings) const {
  const StatisticsChoice chosen = choice(settings);
  const auto n = static_cast<double>(settings.size());
  const double element_bytes = with_type(chosen.type, [](auto zero) { return static_cast<double>(sizeof zero); });
  return {std::string(name_of(chosen.type)) + "s", n, n * element_bytes, 0.0, n};
}

// The numbers, and what 32 bytes a block of 32 threads come to at most.
double StatisticsProblem::device_bytes(const Settings& settings) const {
  return work(settings).bytes_read + static_cast<double>(settings.size()) + 4096.0;
}

std::vector<Settings> StatisticsProblem::cases(Purpose purpose, const Settings& standard,
                                               const std::vector<dim3>& shapes, bool simulated) const {
  if (purpose == Purpose::lesson) return {standard};
  if (purpose == Purpose::bench) {
    std::vector<Settings> cases;
    for (std::size_t n = simulated ? 1 << 20 : 1 << 10; n <= (simulated ? 1u << 20 : 1u << 30); n *= 4) {
      cases.push_back(Variation(standard).size(n));
    }
    return cases;
  }
  return statistics() != nullptr
             ? statistics_cases(purpose, standard, shapes)
             : reduction_cases(purpose, standard, shapes, std::holds_alternative<ReduceOnDevice>(functions_));
}

std::unique_ptr<Case> StatisticsProblem::make_case(const Settings& settings) const {
  const StatisticsChoice chosen = choice(settings);
  return with_type(chosen.type, [&](auto zero) {
    using T = decltype(zero);
    return case_of<T>(settings, make_numbers<T>(chosen.numbers, chosen.operation, settings.size(), settings.seed));
  });
}

template <typename T>
std::unique_ptr<Case> StatisticsProblem::case_of(const Settings& settings, std::vector<T> numbers,
                                                 PartialSums* partial_sums) const {
  const StatisticsChoice chosen = choice(settings);
  if constexpr (std::is_same_v<T, float>) {
    if (const auto* reduce = std::get_if<Reduce>(&functions_)) {
      return std::make_unique<HostReductionCase>(*reduce, chosen, settings.seed, std::move(numbers));
    }
    if (const auto* reduce = std::get_if<ReduceOnDevice>(&functions_)) {
      return std::make_unique<ReductionCase>(*reduce, chosen, settings.seed, std::move(numbers), partial_sums);
    }
  }
  return std::make_unique<StatisticCase<T>>(statistics()->of(T{}), chosen, settings.seed, std::move(numbers),
                                            partial_sums);
}

template std::unique_ptr<Case> StatisticsProblem::case_of(const Settings&, std::vector<float>, PartialSums*) const;
template std::unique_ptr<Case> StatisticsProblem::case_of(const Settings&, std::vector<double>, PartialSums*) const;
template std::unique_ptr<Case> StatisticsProblem::case_of(const Settings&, std::vector<int>, PartialSums*) const;

}  // namespace workbook
