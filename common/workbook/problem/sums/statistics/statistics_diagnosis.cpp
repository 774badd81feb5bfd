// SPDX-License-Identifier: MIT
// The diagnosis of a statistic: which elements it lost, or counted more than once. It runs the function with inputs in
// which one element differs, each element in turn. The diagnosis must also predict the result that does not match.
#include <algorithm>
#include <cmath>
#include <exception>
#include <type_traits>
#include <utility>

#include "workbook/judge/element_counts.h"
#include "workbook/judge/number_text.h"
#include "workbook/problem/sums/statistics/partial_sums_diagnosis.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {
namespace {

constexpr std::size_t kMostElements = std::size_t{1} << 20;
constexpr std::size_t kMostAlone = 2048;  // Elements that are tested one by one.
constexpr std::size_t kMostShares = 64;   // Elements that may be in a sum a half, or -1 times.

// A probe: all numbers are `ground` except one that is `raised`. The result shows whether, or how often, that one is in
// it.
struct Probe {
  double ground;
  double raised;
};

Probe probe_of(Operation operation) {
  switch (operation) {
    case Operation::sum:
      return {0.0, 1.0};
    case Operation::product:
    case Operation::mean:
    case Operation::deviation:
      return {1.0, 2.0};
    case Operation::minimum:
      return {2.0, 1.0};  // above 0, to find a minimum that begins with 0
    case Operation::maximum:
      return {-2.0, -1.0};
  }
  return {0.0, 1.0};
}

// How often the raised number went into `got`; NaN where that cannot be. Mean and deviation do not tell once from
// twice.
double times_in(double got, double on_ground, Operation operation) {
  switch (operation) {
    case Operation::sum:
      return got;
    case Operation::product:
      return got > 0.0 ? std::log2(got) : std::nan("");
    default:
      return std::isnan(got) ? got : got == on_ground ? 0.0 : 1.0;
  }
}

// Whether it must be computed in double.
template <typename T>
bool is_of_doubles(Operation operation) {
  return std::is_same_v<T, double> || operation == Operation::mean || operation == Operation::deviation;
}

bool is_count(double times) { return times >= 0.0 && times <= 1e6 && times == std::trunc(times); }

// The result of these numbers with a count for each.
template <typename T>
Statistic predicted(Operation operation, const std::vector<T>& numbers, const ElementCounts& counts) {
  if (!std::all_of(counts.times.begin(), counts.times.end(), is_count)) {
    Statistic sum{operation, numbers.size(), 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double part = counts.times[i] * static_cast<double>(numbers[i]);
      sum.value += part;
      sum.bound += std::fabs(part) * 1e-5;  // more than a float's roundings of so few, and less than an element
    }
    return sum;
  }
  std::vector<Piece<T>> pieces;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (counts.times[i] > 0.0) pieces.push_back({&numbers[i], 1, static_cast<std::size_t>(counts.times[i])});
  }
  return reference_statistic<T>(operation, pieces);
}

template <typename T>
class StatisticsQuestions {
 public:
  StatisticsQuestions(const StatisticsProblem& problem, const Settings& settings, const Measure& measure)
      : problem_(problem),
        settings_(settings),
        measure_(measure),
        choice_(StatisticsProblem::choice(settings)),
        probe_(probe_of(choice_.operation)),
        ground_(settings.size(), static_cast<T>(probe_.ground)) {}

  std::string diagnosis() const {
    std::string words = describe_elements();
    return words.empty() && choice_.operation == Operation::deviation ? describe_deviation() : words;
  }

 private:
  std::string describe_elements() const {
    const double on_ground = result(ground_);
    if (!(on_ground == reference(ground_).value)) {
      const bool is_sure = (is_of_one_number() || choice_.operation == Operation::sum) && !std::isnan(on_ground);
      return "Where every number is " + plain(probe_.ground, 9) + ", the " + name() + " is " + plain(on_ground, 9) +
             (is_sure ? ": something went into it that is none of the numbers." : ".");
    }
    const ElementCounts counts{"element", name(), times(on_ground), {}, settings_.block.x};
    const bool may_be_shares = choice_.operation == Operation::sum && counts.times.size() <= kMostShares;
    const auto is_sensible = [&](double times) {
      return is_count(times) || (may_be_shares && !std::is_integral_v<T> && std::isfinite(times));
    };
    if (!std::all_of(counts.times.begin(), counts.times.end(), is_sensible)) return "";
    const std::vector<T> numbers =
        make_numbers<T>(choice_.numbers, choice_.operation, settings_.size(), settings_.seed);
    const std::vector<T> others =
        make_numbers<T>(Numbers::uniform, choice_.operation, settings_.size(), settings_.seed + 1);
    if (is_right(counts)) {
      if (is_of_one_number() && std::isnan(reference(numbers).value) && !std::isnan(result(numbers))) {
        return "Without a NaN among them no number is lost. A comparison with a NaN is always false: does one drop the "
               "NaN?";
      }
      if (!std::is_integral_v<T> && is_of_whole_numbers(numbers)) {
        return "The result is that of the numbers without their fractions: does one become an int?";
      }
      const bool is_float =
          is_of_doubles<T>(choice_.operation) && is_as_good_as_a_float(reference(numbers).value, result(numbers));
      return is_float ? kIsItInFloat : is_whole(numbers) && is_whole(others) ? kIsItInInteger : "";
    }
    if (!predicts(counts, numbers) || !predicts(counts, numbers)) return "";  // both runs must agree
    if (!predicts(counts, others)) return "";
    return describe(counts) + (choice_.operation == Operation::sum ? describe_blocks(counts) : "");
  }

  bool is_of_one_number() const {
    return choice_.operation == Operation::minimum || choice_.operation == Operation::maximum;
  }
  std::string name() const { return name_of(choice_.operation); }
  double result(const std::vector<T>& numbers, PartialSums* partial_sums = nullptr) const {
    return measure_(*problem_.case_of<T>(settings_, numbers, partial_sums));
  }
  Statistic reference(const std::vector<T>& numbers) const {
    return reference_statistic<T>(choice_.operation, {{numbers.data(), numbers.size()}});
  }

  /// Whether the result is a whole number but should not be.
  bool is_whole(const std::vector<T>& numbers) const {
    const double got = result(numbers), wanted = reference(numbers).value;
    return got == std::trunc(got) && wanted != std::trunc(wanted);
  }

  bool predicts(const ElementCounts& counts, const std::vector<T>& numbers) const {
    return check_statistic(result(numbers), predicted(choice_.operation, numbers, counts)).matches;
  }

  bool is_of_whole_numbers(std::vector<T> numbers) const {
    const double got = result(numbers);
    if (check_statistic(got, reference(numbers)).matches) return false;
    for (T& number : numbers) number = static_cast<T>(std::trunc(static_cast<double>(number)));
    return check_statistic(got, reference(numbers)).matches;
  }

  // The diagnosis of a deviation: a small example that can be computed by hand. It names a missing or wrong step where
  // the result that does not match agrees.
  std::string describe_deviation() const {
    std::vector<T> by_hand(ground_);
    for (std::size_t i = 1; i < by_hand.size(); i += 2) by_hand[i] = T{5};
    const auto is = [](double got, double wanted) { return std::fabs(got - wanted) <= 1e-6 * std::fabs(wanted); };
    const double wanted = reference(by_hand).value, got = result(by_hand);
    if (by_hand.size() < 2 || std::isnan(got) || is(got, wanted)) return "";
    std::string words = "Where the numbers are 1 and 5 in turn, the deviation is " + plain(got, 9) +
                        ", and should be " + plain(wanted, 9) + ".";
    const std::vector<T> numbers =
        make_numbers<T>(choice_.numbers, choice_.operation, settings_.size(), settings_.seed);
    const double n = static_cast<double>(numbers.size()), n_wanted = reference(numbers).value, n_got = result(numbers);
    struct Step {
      const char* words;
      double (*result)(double deviation, double n);
    };
    constexpr Step kSteps[] = {
        {" It is the square of what it should be: where is the root?", [](double d, double) { return d * d; }},
        {" It is the result of a division by n - 1 instead of n.",
         [](double d, double n) { return d * std::sqrt(n / (n - 1.0)); }},
        {" It is the result without the division by n.", [](double d, double n) { return d * std::sqrt(n); }},
        {" It is the sum of the squared distances, without the division by n and the root.",
         [](double d, double n) { return d * d * n; }},
    };
    for (const Step& step : kSteps) {
      if (n > 2.0 && is(got, step.result(wanted, n)) && is(n_got, step.result(n_wanted, n))) words += step.words;
    }
    return words;
  }

  std::vector<double> times(double on_ground) const {
    std::vector<double> times(ground_.size());
    std::vector<T> numbers = ground_;
    if (choice_.operation == Operation::sum && times.size() > kMostAlone) {
      split(0, times.size(), numbers, times);
    } else if (choice_.operation == Operation::sum) {
      const std::size_t together = times.size() <= kMostShares ? 1 : kDigits;
      for (std::size_t i = 0; i < times.size(); i += together)
        take(i, std::min(i + together, times.size()), numbers, times);
    } else {
      for (std::size_t i = 0; i < times.size(); ++i) {
        numbers[i] = static_cast<T>(probe_.raised);
        times[i] = times_in(result(numbers), on_ground, choice_.operation);
        numbers[i] = ground_[i];
      }
    }
    return times;
  }

  // Several elements in one sum, each as a digit of it.
  void take(std::size_t begin, std::size_t end, std::vector<T>& numbers, std::vector<double>& times) const {
    double digit = 1.0;
    for (std::size_t i = begin; i < end; ++i, digit *= kBase) numbers[i] = static_cast<T>(digit);
    double rest = result(numbers);
    for (std::size_t i = begin; i < end; ++i) {
      times[i] = i + 1 == end ? rest : std::fmod(rest, kBase);
      rest = (rest - times[i]) / kBase;
      numbers[i] = ground_[i];
    }
  }

  // Takes neighbouring elements together, as long as all may have the same count; otherwise splits them.
  void split(std::size_t begin, std::size_t end, std::vector<T>& numbers, std::vector<double>& times) const {
    const auto fill = [begin, end](auto& list, auto value) {
      for (std::size_t i = begin; i < end; ++i) list[i] = value;
    };
    fill(numbers, T{1});
    const double each = result(numbers) / static_cast<double>(end - begin);
    fill(numbers, T{0});
    fill(times, each);
    if (each == std::trunc(each) || end - begin == 1) return;
    const std::size_t middle = begin + (end - begin) / 2;
    split(begin, middle, numbers, times);
    split(middle, end, numbers, times);
  }

  // Whether the blocks' own sums are wrong already.
  std::string describe_blocks(const ElementCounts& counts) const {
    const auto partial_sums = [this](const std::vector<bool>& which) {
      PartialSums found;
      result({which.begin(), which.end()}, &found);
      return found;
    };
    const auto times_alone = [this](std::size_t size) {
      Settings alone = settings_;
      alone.sizes = {size};
      return StatisticsQuestions(problem_, alone, measure_).times(0.0);
    };
    try {
      return workbook::describe_blocks(counts, {partial_sums, times_alone, problem_.statistics() != nullptr});
    } catch (const std::exception&) {
      return "";  // No time is left, or the function ends otherwise. The statement on the elements remains true.
    }
  }

  static constexpr std::size_t kDigits = 4;  // a float holds that many
  static constexpr double kBase = 64.0;

  const StatisticsProblem& problem_;
  const Settings& settings_;
  const Measure& measure_;
  StatisticsChoice choice_;
  Probe probe_;
  std::vector<T> ground_;
};

}  // namespace

std::string StatisticsProblem::diagnosis(const Settings& settings, const Measure& measure) const {
  const StatisticsChoice chosen = choice(settings);
  const bool is_sum = chosen.operation == Operation::sum;
  if (settings.size() == 0 || settings.size() > kMostElements) return "";
  if (!is_sum) {
    // The sum shows best where the kernel loses numbers.
    Settings of_sum = settings;
    of_sum.options["operation"] = static_cast<double>(Operation::sum);
    if (const std::string found = diagnosis(of_sum, measure); !found.empty()) return "With --operation sum: " + found;
    if (settings.size() > kMostAlone) return "";
  }
  return with_type(chosen.type, [&](auto zero) {
    return StatisticsQuestions<decltype(zero)>(*this, settings, measure).diagnosis();
  });
}

}  // namespace workbook
