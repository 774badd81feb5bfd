// SPDX-License-Identifier: MIT
// One search in each form, and the check of its result; the options and the limits. The cases are in find_cases.cpp.
#include "workbook/problem/searches/find/find_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workbook/case/changed_element.h"
#include "workbook/case/device_call.h"
#include "workbook/case/ticket.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/reference_case.h"

namespace workbook {
namespace {

// The keys, and the key to find. Every second search before the last looks for keys[0] in half of the keys. So the next
// search would find any data that this one leaves in the workspace.
template <typename T>
class KeysCase : public ReferenceCase {
 public:
  KeysCase(const FindChoice& choice, std::size_t n, std::uint32_t seed)
      : choice_(choice),
        seed_(seed),
        x_(wanted_key<T>(choice.wanted, seed)),
        keys_(with_change(make_keys<T>(choice.places, x_, n, choice.at, seed), choice.changed)) {}

  bool is_empty() const override { return false; }  // for 0 keys, too, a search must report that there is no hit
  std::string description() const override {
    const std::string place =
        choice_.places == Places::one || choice_.places == Places::two || choice_.places == Places::ends
            ? " at " + std::to_string(choice_.at)
            : "";
    return "Input: " + std::to_string(keys_.size()) + " keys (" + find_types()[static_cast<std::size_t>(choice_.type)] +
           ", hits: " + find_places()[static_cast<std::size_t>(choice_.places)] + place + ", seed " +
           std::to_string(seed_) + ")";
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    DeviceCall steps(call, timer);
    const T* const keys = steps.input("the keys", keys_, line(keys_.size(), choice_.misalign));
    prepare(steps);
    steps.needs(keys, needed_keys() * sizeof(T));
    Outcome outcome;
    for (int i = 1; i <= choice_.calls; ++i) {
      if (i > 1) renew(steps);
      const bool is_other = (choice_.calls - i) % 2 == 1 && !keys_.empty();
      outcome = is_other ? search(steps, call, keys, (keys_.size() + 1) / 2, keys_[0])
                         : search(steps, call, keys, keys_.size(), x_);
      this->refuse(outcome.verdict, mistake(steps));
      this->refuse(outcome.verdict, steps.mistake());
      if (outcome.verdict.matches) continue;
      if (i > 1) {
        outcome.verdict.reason +=
            " (in search " + std::to_string(i) + " with the same workspace; those before were right)";
      }
      break;
    }
    return outcome;
  }

 protected:
  const FindChoice& choice() const { return choice_; }
  const std::vector<T>& keys() const { return keys_; }

  T x() const { return x_; }

 private:
  virtual void prepare(DeviceCall& steps) = 0;
  virtual std::size_t needed_keys() const = 0;  // that each right search loads
  virtual void renew(DeviceCall& steps) = 0;    // makes the output unwritten again
  virtual Outcome search(DeviceCall& steps, const Call& call, const T* keys, std::size_t n, T x) = 0;
  // A mistake in the workspace after a search; "" where there is none.
  virtual std::string mistake(DeviceCall& steps) = 0;

  FindChoice choice_;
  std::uint32_t seed_;
  T x_;
  std::vector<T> keys_;
};

template <typename T>
class FirstHitCase final : public KeysCase<T> {
 public:
  FirstHitCase(FindOnDevice<T> on_device, const FindChoice& choice, std::size_t n, std::uint32_t seed)
      : KeysCase<T>(choice, n, seed), on_device_(on_device) {
    first_ = this->timed([&] { return first_of(n, this->x()); });
  }

 private:
  std::size_t first_of(std::size_t n, T x) const {
    const auto end = this->keys().begin() + static_cast<std::ptrdiff_t>(n);
    return static_cast<std::size_t>(std::find(this->keys().begin(), end, x) - this->keys().begin());
  }

  void prepare(DeviceCall& steps) override {
    ticket_ = std::make_unique<Ticket>(steps.stream());
    workspace_ = {steps.scratch<unsigned long long>("the workspace's `first`", 1), ticket_->data(),
                  steps.output<unsigned long long>("the result", line(1)), steps.stream()};
    CUDA_CHECK(cudaMemsetAsync(workspace_.first, 0xFF, sizeof kNoHit, steps.stream()));
  }

  void renew(DeviceCall& steps) override { steps.renew(workspace_.result); }
  std::size_t needed_keys() const override { return std::min(first_ + 1, this->keys().size()); }

  Outcome search(DeviceCall& steps, const Call& call, const T* keys, std::size_t n, T x) override {
    steps.launch([&] { on_device_(keys, n, x, call.block.x, workspace_); });
    const unsigned long long got = steps.copy_back(workspace_.result)[0];
    const std::size_t first = n == this->keys().size() ? first_ : first_of(n, x);
    Outcome outcome{{{"index", static_cast<double>(first), static_cast<double>(got), 17}},
                    judge_first(got, first, n, got < n && this->keys()[got] == x)};
    if (got == 0x0101010101010101ull * call.poison) {
      outcome.verdict.reason = "the result holds what memory holds that nobody wrote";
      if (got == kNoHit) outcome.verdict.reason += ", or kNoHit; where there is no hit, it must be n";
    }
    return outcome;
  }

  std::string mistake(DeviceCall& steps) override {
    const unsigned long long first = read_back(workspace_.first, steps.stream());
    if (first == kNoHit) return ticket_->mistake();
    return "the workspace's `first` is " + std::to_string(first) +
           " after the search, and must be kNoHit again, or the next search finds this hit";
  }

  FindOnDevice<T> on_device_;
  std::size_t first_ = 0;
  std::unique_ptr<Ticket> ticket_;
  FindWorkspace workspace_;
};

template <typename T>
class AllHitsCase final : public KeysCase<T> {
 public:
  AllHitsCase(FindAllOnDevice<T> on_device, const FindChoice& choice, std::size_t n, std::uint32_t seed)
      : KeysCase<T>(choice, n, seed), on_device_(on_device) {
    all_ = this->timed([&] { return all_of(n, this->x()); });
    capacity_ = static_cast<std::size_t>(std::floor(static_cast<double>(all_.size()) * choice.room));
  }

 private:
  std::vector<unsigned> all_of(std::size_t n, T x) const {
    std::vector<unsigned> indices;
    for (std::size_t i = 0; i < n; ++i) {
      if (this->keys()[i] == x) indices.push_back(static_cast<unsigned>(i));
    }
    return indices;
  }

  void prepare(DeviceCall& steps) override {
    const std::size_t numbers = find_all_numbers(this->keys().size());
    workspace_ = {steps.scratch<unsigned>("the workspace's numbers", numbers), steps.stream()};
    CUDA_CHECK(cudaMemsetAsync(workspace_.numbers, 0, numbers * sizeof(unsigned), steps.stream()));
    hits_ = {steps.output<unsigned>("the indices", line(capacity_)), capacity_,
             steps.output<unsigned>("the count", line(1))};
    steps.needs(hits_.indices, std::min(capacity_, all_.size()) * sizeof(unsigned));
  }
  std::size_t needed_keys() const override { return this->keys().size(); }

  void renew(DeviceCall& steps) override {
    steps.renew(hits_.indices);
    steps.renew(hits_.count);
  }

  Outcome search(DeviceCall& steps, const Call& call, const T* keys, std::size_t n, T x) override {
    steps.launch([&] { on_device_(keys, n, x, hits_, call.block.x, workspace_); });
    const unsigned count = steps.copy_back(hits_.count)[0];
    const std::vector<unsigned> expected = n == this->keys().size() ? all_ : all_of(n, x);
    const std::size_t stored = std::min(capacity_, expected.size());  // the memory behind them may stay unwritten
    const std::vector<unsigned> got =
        stored > 0 ? read_back(hits_.indices, stored, steps.stream()) : std::vector<unsigned>{};
    return {{{"count", static_cast<double>(expected.size()), static_cast<double>(count), 10}},
            judge_all(got, count, expected, 0x01010101u * call.poison)};
  }

  std::string mistake(DeviceCall&) override { return ""; }

  FindAllOnDevice<T> on_device_;
  std::vector<unsigned> all_;
  std::size_t capacity_ = 0;
  FindAllWorkspace workspace_;
  Hits hits_;
};

// Where the list of hits first goes wrong, if hits stand there that belong to other places. "": they do not.
std::string shift_of(const std::vector<unsigned>& got, const std::vector<unsigned>& expected) {
  const auto wrong = std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  if (wrong.first == got.end() || wrong.second == expected.end()) return "";
  const auto place = std::to_string(wrong.first - got.begin());
  const auto too_far = std::find(wrong.first, got.end(), *wrong.second);
  const auto too_near = std::find(wrong.second, expected.end(), *wrong.first);
  std::string text = "; before place " + place + " the indices are right; ";
  if (too_far != got.end()) {
    const auto found = std::to_string(too_far - got.begin());
    text += "index " + std::to_string(*wrong.second) + " belongs there, and stands at place " + found;
    return text + ": is " + found + " the number of hits counted before it, and not " + place + "?";
  }
  if (too_near == expected.end()) return "";
  const auto right = std::to_string(too_near - expected.begin());
  text += "index " + std::to_string(*wrong.first) + " stands there, and belongs at place " + right;
  return text + ": is " + place + " the number of hits counted before it, and not " + right + "?";
}

}  // namespace

FindChoice::FindChoice(const Settings& settings)
    : type(settings.choice<FindType>("type")),
      places(settings.choice<Places>("hits")),
      at(static_cast<std::size_t>(settings.options.at("at"))),
      wanted(settings.choice<Wanted>("wanted")),
      misalign(settings.choice<std::size_t>("misalign")),
      changed(settings.changed),
      calls(settings.choice<int>("calls")) {
  const auto percent = settings.options.find("room");
  if (percent != settings.options.end()) room = percent->second / 100.0;
}

Verdict judge_first(unsigned long long got, std::size_t first, std::size_t n, bool is_hit) {
  Verdict verdict;
  verdict.matches = got == first;
  if (verdict.matches) return verdict;
  verdict.error = std::abs(static_cast<double>(got) - static_cast<double>(first));
  verdict.relative_error = first == 0 ? verdict.error : verdict.error / static_cast<double>(first);
  const std::string found = std::to_string(got), right = std::to_string(first);
  if (got == n) {
    verdict.reason =
        "found none (" + found + "), and the key at " + right +
        " is one: did no thread look there, or did its index come too late for the block that stores the result?";
  } else if (is_hit) {
    verdict.reason = "found the hit at " + found + ", which is not the first: that is at " + right;
  } else {
    verdict.reason =
        "found " + found + (got < n ? ", where no hit is" : ", which is no index and not n") +
        (first == n ? ": there is none, and the result must be n, " + right : "; the first hit is at " + right);
    if (got < first && first < n && first - got < 4)
      verdict.reason +=
          ", " + std::to_string(first - got) + " further on: are the keys in front of the first vector counted?";
  }
  return verdict;
}

Verdict judge_all(const std::vector<unsigned>& got, unsigned count, const std::vector<unsigned>& expected,
                  unsigned poison) {
  Verdict verdict;
  const std::size_t stored = std::min(got.size(), expected.size());
  if (count != expected.size()) {
    verdict.error = std::abs(static_cast<double>(count) - static_cast<double>(expected.size()));
    verdict.relative_error = verdict.error / std::max(1.0, static_cast<double>(expected.size()));
    const std::string hits =
        expected.size() == 1 ? "there is 1 hit" : "there are " + std::to_string(expected.size()) + " hits";
    verdict.reason =
        count == poison ? "the count was never written" : "the count is " + std::to_string(count) + ", and " + hits;
    verdict.reason += shift_of(got, expected);
    return verdict;
  }
  Explanations explanations;
  explanations.poison = poison;
  verdict = compare_words(words_of(got, 1, stored), words_of(expected, 1, stored), explanations);
  if (verdict.matches) return verdict;
  std::vector<unsigned> sorted(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(stored));
  std::sort(sorted.begin(), sorted.end());
  if (std::equal(sorted.begin(), sorted.end(), expected.begin())) {
    verdict.reason = "the indices are the right ones, but not in order: the first that is out of place is " +
                     verdict.first_index + ", " + verdict.first_got + " in place of " + verdict.first_expected;
  } else {
    verdict.reason = "of the indices, " + verdict.reason + shift_of(got, expected);
  }
  return verdict;
}

std::string FindProblem::help() const {
  return first() != nullptr ? "Looks for the first of a key on the device and compares with the CPU."
                            : "Looks for all of a key on the device and compares with the CPU.";
}

std::vector<Extent> FindProblem::extents() const {
  const std::size_t largest = first() != nullptr ? std::size_t{1} << 48 : std::numeric_limits<unsigned>::max();
  return {{"size", "how many keys", 16'777'216, largest}};
}

std::vector<Option> FindProblem::options() const {
  const auto standard = first() != nullptr ? Places::none : Places::sixteenth;
  std::vector<Option> options{
      {"hits", "which keys are hits", find_places(), static_cast<double>(standard), 0.0, 0.0, false, true},
      {"at", "the first hit of one, two and ends", {}, 0.0, 0.0, 0x1p48, true},
      {"type", "of the keys", find_types()},
      {"wanted", "the key that is looked for", find_wanted()},
      {"misalign", "the keys begin K keys behind an aligned address", {}, 0.0, 0.0, 3.0, true},
      {"calls", "searches, one after the other with the same workspace", {}, 1.0, 1.0, 1000.0, true}};
  if (first() == nullptr) {
    options.push_back({"room", "for that share of the hits, in percent", {}, 100.0, 0.0, 100.0, true});
  }
  return options;
}

Work FindProblem::work(const Settings& settings) const {
  const FindChoice choice(settings);
  const auto n = static_cast<double>(settings.size());
  double keys = n, hits = 0.0;
  switch (choice.places) {
    case Places::none:
      break;
    case Places::middle:
      keys = std::min(n, std::floor(n / 2.0) + 1.0);
      hits = 1.0;
      break;
    case Places::one:
    case Places::two:
    case Places::ends:
      keys = std::min(n, static_cast<double>(choice.at) + 1.0);
      hits = choice.places == Places::one ? 1.0 : 2.0;
      break;
    case Places::sixteenth:
      keys = std::min(n, 16.0);
      hits = n / 16.0;
      break;
    case Places::runs:
      keys = std::min(n, 2500.0);
      hits = n / 2.0;
      break;
    case Places::all:
      keys = std::min(n, 1.0);
      hits = n;
      break;
  }
  if (first() == nullptr) return {"keys", n, sizeof(float) * n, sizeof(float) * (hits + 1.0), n};
  return {"keys", keys, sizeof(float) * keys, sizeof(unsigned long long), keys};
}

double FindProblem::rotating_bytes(const Settings& settings) const {
  return sizeof(float) * static_cast<double>(settings.size()) + work(settings).bytes_written;
}

double FindProblem::device_bytes(const Settings& settings) const {
  const double bytes = rotating_bytes(settings) + 65536.0;
  return first() != nullptr ? bytes : bytes + sizeof(unsigned) * static_cast<double>(find_all_numbers(settings.size()));
}

std::unique_ptr<Case> FindProblem::make_case(const Settings& settings) const {
  const FindChoice choice(settings);
  return with_type(choice.type, [&](auto zero) -> std::unique_ptr<Case> {
    using T = decltype(zero);
    if (first() != nullptr) {
      return std::make_unique<FirstHitCase<T>>(first()->of(zero), choice, settings.size(), settings.seed);
    }
    return std::make_unique<AllHitsCase<T>>(all()->of(zero), choice, settings.size(), settings.seed);
  });
}

}  // namespace workbook
