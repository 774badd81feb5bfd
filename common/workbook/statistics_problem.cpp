// SPDX-License-Identifier: MIT
// The options of statistics, and cases: numbers with their statistic, and the host steps of one call.
#include "workbook/statistics_problem.h"

#include <chrono>
#include <type_traits>
#include <utility>

namespace workbook {
namespace {

std::optional<Operation> operation_named(std::string_view name) {
  for (const Operation operation : StatisticsProblem::operations) {
    if (name_of(operation) == name) return operation;
  }
  return std::nullopt;
}

std::optional<NumberType> type_named(std::string_view name) {
  for (const NumberType type : StatisticsProblem::types) {
    if (name_of(type) == name) return type;
  }
  return std::nullopt;
}

template <typename Values>
std::string names_of(const Values& values) {
  std::string names;
  for (const auto value : values) names += (names.empty() ? "" : ", ") + std::string(name_of(value));
  return names;
}

OwnOption one_of(const std::string& name, const std::string& names, const char* default_value,
                 std::function<bool(const std::string&)> is_known) {
  return {name, "NAME", names, default_value, [names, is_known = std::move(is_known)](const std::string& value) {
            return is_known(value) ? std::string() : "is unknown; there are " + names;
          }};
}

// Numbers with one statistic of theirs, and the function that is to find it.
template <typename T>
class StatisticsCase final : public Case {
 public:
  StatisticsCase(StatisticOnDevice<T> on_device, const StatisticsChoice& choice, std::size_t n, std::uint32_t seed)
      : on_device_(on_device),
        choice_(choice),
        seed_(seed),
        values_(make_numbers<T>(choice.numbers, choice.operation, n, seed)) {
    const auto begin = std::chrono::steady_clock::now();
    reference_ = reference_statistic<T>(choice.operation, {{values_.data(), values_.size()}});
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    cpu_time_ms_ = taken.count();
  }

  Outcome call(unsigned block_size, GpuTimer& timer) override {
    DeviceArray<T> numbers(values_.size());
    if (!values_.empty()) {
      CUDA_CHECK(cudaMemcpy(numbers.data(), values_.data(), numbers.size_bytes(), cudaMemcpyHostToDevice));
    }
    const StatisticsMemory memory(values_.size(), block_size);
    const StatisticsWorkspace workspace = memory.on(nullptr);
    timer.start();
    on_device_(choice_.operation, numbers.data(), values_.size(), block_size, workspace);
    timer.stop();
    const double got = read_back(workspace.result);
    const std::string mistake = memory.ticket().mistake();
    Outcome outcome{{{name_of(choice_.operation), reference_.value, got, digits()}}, check_statistic(got, reference_)};
    if (outcome.verdict.matches && !mistake.empty()) {
      outcome.verdict.matches = false;
      outcome.verdict.reason = mistake;
    }
    return outcome;
  }

  bool is_empty() const override { return values_.empty(); }
  std::size_t device_floats() const override { return values_.size() * sizeof(T) / sizeof(float); }
  std::string description() const override {
    return "Input size: " + std::to_string(values_.size()) + " " + name_of(choice_.type) + "s (" +
           name_of(choice_.numbers) + ", seed " + std::to_string(seed_) + ")";
  }
  double cpu_time_ms() const override { return cpu_time_ms_; }

 private:
  int digits() const {
    const bool in_double = choice_.operation == Operation::mean || choice_.operation == Operation::deviation;
    return in_double || std::is_same_v<T, double> ? 17 : std::is_same_v<T, float> ? 9 : 10;
  }

  StatisticOnDevice<T> on_device_;
  StatisticsChoice choice_;
  std::uint32_t seed_;
  std::vector<T> values_;
  Statistic reference_;
  double cpu_time_ms_ = 0.0;
};

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

Settings StatisticsProblem::settings(const StatisticsChoice& choice, std::size_t size, std::uint32_t seed,
                                     unsigned block_size) {
  return {size,
          seed,
          block_size,
          {{"operation", name_of(choice.operation)},
           {"type", name_of(choice.type)},
           {"distribution", name_of(choice.numbers)}}};
}

StatisticsChoice StatisticsProblem::choice(const Settings& settings) {
  return {operation_named(settings.own.at("operation")).value(), type_named(settings.own.at("type")).value(),
          numbers_named(settings.own.at("distribution")).value()};
}

std::vector<OwnOption> StatisticsProblem::own_options() const {
  const StatisticsChoice chosen;
  return {one_of("operation", names_of(operations), name_of(chosen.operation),
                 [](const std::string& value) { return operation_named(value).has_value(); }),
          one_of("type", names_of(types), name_of(chosen.type),
                 [](const std::string& value) { return type_named(value).has_value(); }),
          one_of("distribution", numbers_names(), name_of(chosen.numbers),
                 [](const std::string& value) { return numbers_named(value).has_value(); })};
}

std::size_t StatisticsProblem::input_bytes(const Settings& settings) const {
  return settings.size * with_type(choice(settings).type, [](auto zero) { return sizeof zero; });
}

std::unique_ptr<Case> StatisticsProblem::make_case(const Settings& settings) const {
  const StatisticsChoice chosen = choice(settings);
  return with_type(chosen.type, [&](auto zero) -> std::unique_ptr<Case> {
    using T = decltype(zero);
    return std::make_unique<StatisticsCase<T>>(functions_.of<T>(), chosen, settings.size, settings.seed);
  });
}

std::vector<Settings> StatisticsProblem::other_tasks(const Settings& given) const {
  constexpr std::size_t kSize = 100'003;  // several blocks, and no multiple of anything
  const StatisticsChoice chosen = choice(given);
  std::vector<Settings> others;
  const auto add = [&](const StatisticsChoice& other) {
    others.push_back(settings(other, kSize, given.seed, given.block_size));
  };
  for (const Operation operation : operations) {
    if (operation != chosen.operation) add({operation, chosen.type, chosen.numbers});
  }
  for (const NumberType type : types) {
    if (type != chosen.type) add({chosen.operation, type, chosen.numbers});
  }
  return others;
}

}  // namespace workbook
