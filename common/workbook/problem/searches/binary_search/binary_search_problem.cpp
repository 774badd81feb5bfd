// SPDX-License-Identifier: MIT
// The reference by the standard library, one search, and the patterns of wrong places.
#include "workbook/problem/searches/binary_search/binary_search_problem.h"

#include <algorithm>
#include <optional>

#include "workbook/case/changed_element.h"
#include "workbook/case/device_call.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/reference_case.h"
#include "workbook/problem/searches/binary_search/sparse_table.h"
#include "workbook/problem/searches/binary_search/wrong_lines.h"

namespace workbook {
namespace {

constexpr const char* kTypeNames[] = {"unsigned", "signed", "float"};
constexpr const char* kBoundNames[] = {"lower", "upper"};

std::vector<std::uint32_t> keys_of(const std::vector<std::uint32_t>& ordinals, KeyType type) {
  std::vector<std::uint32_t> keys(ordinals.size());
  std::transform(ordinals.begin(), ordinals.end(), keys.begin(), [type](std::uint32_t o) { return key_of(o, type); });
  return keys;
}

// The bound of one query in the whole table; the zeros need not be in memory.
std::uint32_t place_of(const SearchChoice& choice, const std::vector<std::uint32_t>& keys, std::uint32_t query) {
  const auto comes_before = [&choice](std::uint32_t a, std::uint32_t b) {
    return ordinal_of(a, choice.type) < ordinal_of(b, choice.type);
  };
  const bool is_lower = choice.bound == Bound::lower;
  if (choice.zeros > 0 && !(is_lower ? comes_before(0, query) : !comes_before(query, 0))) return 0;
  const auto place = is_lower ? std::lower_bound(keys.begin(), keys.end(), query, comes_before)
                              : std::upper_bound(keys.begin(), keys.end(), query, comes_before);
  return static_cast<std::uint32_t>(choice.zeros + static_cast<std::size_t>(place - keys.begin()));
}

SearchInput keys_and_queries(const SearchChoice& choice, bool are_sorted, std::size_t n, std::size_t m,
                             std::uint32_t seed) {
  const std::uint32_t first = choice.zeros > 0 ? ordinal_of(0, choice.type) : 0;
  const std::vector<std::uint32_t> table = table_ordinals(choice.keys, n, first, seed);
  const std::vector<std::uint32_t> queries = query_ordinals(choice.queries, m, table, are_sorted, seed);
  return {keys_of(table, choice.type), keys_of(queries, choice.type), {}};
}

std::vector<std::uint32_t> places_of(const SearchChoice& choice, const SearchInput& input) {
  std::vector<std::uint32_t> places(input.queries.size());
  for (std::size_t j = 0; j < places.size(); ++j) places[j] = place_of(choice, input.keys, input.queries[j]);
  return places;
}

std::string count_of(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

class SearchCase final : public ReferenceCase {
 public:
  SearchCase(const SearchForm& form, const Settings& settings)
      : form_(form),
        choice_(settings),
        seed_(settings.seed),
        input_(keys_and_queries(choice_, form.has_sorted_queries, settings.sizes[0], settings.sizes[1], seed_)) {
    input_.queries = with_change(std::move(input_.queries), settings.changed);
    input_.places = timed([this] { return places_of(choice_, input_); });
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    std::optional<SparseTable> sparse_table;
    if (choice_.zeros > 0) sparse_table.emplace(choice_.zeros, input_.keys, current_device());
    DeviceCall steps(call, timer);
    Search search{choice_.type, choice_.bound};
    search.n = static_cast<std::uint32_t>(choice_.zeros + input_.keys.size());
    search.m = static_cast<std::uint32_t>(input_.queries.size());
    if (sparse_table) {
      search.keys = sparse_table->data();
    } else {
      search.keys = steps.input("the table", input_.keys, line(input_.keys.size(), choice_.misalign));
      steps.needs(search.keys, 0);  // the queries decide where a search looks
    }
    search.queries = steps.input("the queries", input_.queries, line(search.m, choice_.misalign_other));
    search.places = steps.output<std::uint32_t>("the places", line(search.m, choice_.misalign_other));
    std::uint32_t* const workspace =
        form_.has_workspace() ? steps.scratch<std::uint32_t>("the workspace", search_workspace_size(search.n, search.m))
                              : nullptr;
    Outcome outcome;
    for (int i = 0; i < choice_.calls; ++i) {
      if (i > 0) steps.renew(search.places);
      steps.launch([&] { form_.call(search, workspace, call.block.x, steps.stream()); });
      outcome.verdict = judged(steps.copy_back(search.places), call);
      if (outcome.verdict.matches) continue;
      if (i > 0) {
        outcome.verdict.reason =
            "call " + std::to_string(i + 1) + " with the same workspace: " + outcome.verdict.reason;
      }
      return outcome;
    }
    refuse(outcome.verdict, steps.mistake());
    if (sparse_table && !sparse_table->is_unchanged(input_.keys)) {
      refuse(outcome.verdict, "the table must not change, and has");
    }
    return outcome;
  }

  bool is_empty() const override { return input_.queries.empty(); }
  std::string description() const override {
    const std::string zeros = choice_.zeros > 0 ? ", behind " + count_of(choice_.zeros, "zero", "zeros") : "";
    return "Input: " + count_of(input_.keys.size(), "key", "keys") + " (" +
           table_keys_names()[static_cast<std::size_t>(choice_.keys)] + ", " +
           kTypeNames[static_cast<std::size_t>(choice_.type)] + zeros + "), " +
           kBoundNames[static_cast<std::size_t>(choice_.bound)] + " bounds of " +
           count_of(input_.queries.size(), "query", "queries") + " (" +
           queries_names()[static_cast<std::size_t>(choice_.queries)] + (form_.has_sorted_queries ? ", sorted" : "") +
           ", seed " + std::to_string(seed_) + ")";
  }

 private:
  Verdict judged(const std::vector<std::uint32_t>& got, const Call& call) const {
    Verdict verdict = compare_words(words_of(got), words_of(input_.places), explanations_of(call));
    if (verdict.matches) return verdict;
    const std::string of_places = describe_wrong_places(choice_, input_, got);
    verdict.reason += "; " + of_places;
    const bool is_explained = of_places.find("every wrong place") != std::string::npos;
    const std::string of_lines =
        form_.has_workspace() && !is_explained
            ? describe_wrong_lines(input_.places, got, choice_.zeros + input_.keys.size(), choice_.misalign)
            : "";
    if (of_lines.empty()) return verdict;
    verdict.reason += "; " + of_lines;
    if (verdict.pattern.empty()) verdict.pattern = of_lines;
    return verdict;
  }

  SearchForm form_;
  SearchChoice choice_;
  std::uint32_t seed_;
  SearchInput input_;
};

}  // namespace

SearchChoice::SearchChoice(const Settings& settings)
    : type(settings.choice<KeyType>("type")),
      bound(settings.choice<Bound>("bound")),
      keys(settings.choice<TableKeys>("keys")),
      queries(settings.choice<Queries>("queries")),
      zeros(static_cast<std::size_t>(settings.options.at("zeros"))),
      misalign(settings.choice<std::size_t>("misalign")),
      misalign_other(settings.choice<std::size_t>("misalign-other")),
      calls(settings.choice<int>("calls")) {}

SearchInput make_search_input(const SearchChoice& choice, bool are_sorted, std::size_t n, std::size_t m,
                              std::uint32_t seed) {
  SearchInput input = keys_and_queries(choice, are_sorted, n, m, seed);
  input.places = places_of(choice, input);
  return input;
}

std::string describe_wrong_places(const SearchChoice& choice, const SearchInput& input,
                                  const std::vector<std::uint32_t>& got) {
  SearchChoice other = choice;
  other.bound = choice.bound == Bound::lower ? Bound::upper : Bound::lower;
  std::size_t first = got.size(), wrong = 0;
  bool is_other_bound = true, is_one_more = true, is_one_less = true;
  for (std::size_t j = 0; j < got.size(); ++j) {
    const std::uint32_t expected = input.places[j];
    if (got[j] == expected) continue;
    first = std::min(first, j);
    ++wrong;
    is_other_bound = is_other_bound && got[j] == place_of(other, input.keys, input.queries[j]);
    is_one_more = is_one_more && got[j] == expected + 1;
    is_one_less = is_one_less && got[j] + 1 == expected;
  }
  if (first == got.size()) return "";
  const auto key_text = [&](std::size_t place) {
    const std::uint32_t key = place < choice.zeros ? 0 : input.keys[place - choice.zeros];
    return "key " + std::to_string(place) + " is " + text_of_search_key(key, choice.type);
  };
  const std::size_t n = choice.zeros + input.keys.size(), place = input.places[first];
  std::string words = "query " + std::to_string(first) + " is " + text_of_search_key(input.queries[first], choice.type);
  words += n == 0 ? ", and the table is empty" : "";
  if (place > 0) words += ", " + key_text(place - 1);
  if (place < n) words += ", " + key_text(place);
  if (place == n && n > 0) words += ", the last of the table";
  if (got[first] > n)
    words +=
        "; no place is above " + std::to_string(n) + ", the number of keys: is what stands behind them counted, too?";
  const auto name = [](Bound bound) { return kBoundNames[static_cast<std::size_t>(bound)]; };
  if (wrong < 2) return words;  // one may be so by chance
  if (is_other_bound) {
    words += std::string("; every wrong place is the ") + name(other.bound) + " bound of its query, and the " +
             name(choice.bound) + " one is asked for";
  } else if (is_one_more || is_one_less) {
    words += std::string("; every wrong place is one too ") + (is_one_more ? "large" : "small");
  }
  return words;
}

std::string SearchProblem::help() const {
  return form_.has_sorted_queries ? "Searches a sorted table for sorted queries and compares with the CPU."
                                  : "Searches a sorted table for many queries and compares with the CPU.";
}

std::vector<Extent> SearchProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 31;  // with as many zeros less one: 2^32 - 1
  return {{"keys", "keys of the table", std::size_t{1} << 22, kLargest},
          {"queries", "how many are looked for", std::size_t{1} << 20, kLargest}};
}

std::vector<Option> SearchProblem::options() const {
  return {{"type", "of keys and queries", {std::begin(kTypeNames), std::end(kTypeNames)}},
          {"bound", "the place that is asked for", {std::begin(kBoundNames), std::end(kBoundNames)}},
          {"keys", "what the table holds", table_keys_names()},
          {"queries", "what is looked for", queries_names()},
          {"zeros", "K keys with all bits 0 lie in front of the others", {}, 0.0, 0.0, 2147483647.0, true},
          {"misalign", "the table begins K keys behind an aligned address", {}, 0.0, 0.0, 31.0, true},
          {"misalign-other", "queries and places likewise", {}, 0.0, 0.0, 3.0, true},
          {"calls", "K calls, one after the other, with the same workspace", {}, 1.0, 1.0, 1000.0, true}};
}

Work SearchProblem::work(const Settings& settings) const {
  constexpr double kWord = 4.0, kSector = 32.0;
  const double n = static_cast<double>(settings.sizes[0]) + settings.options.at("zeros");
  const auto m = static_cast<double>(settings.sizes[1]);
  double steps = 0.0;
  for (double keys = n; keys >= 1.0; keys /= 2.0) ++steps;
  // The reads: for each query, the sector of the table with its place, or at most the whole table.
  return {"queries", m, kWord * m + std::min(kWord * n, kSector * m), kWord * m, steps * m};
}

// Does not count the zeros, which take no memory on a simulated device. Where a GPU has too little memory for them,
// cudaMalloc fails.
double SearchProblem::device_bytes(const Settings& settings) const {
  const std::size_t n = settings.sizes[0], m = settings.sizes[1];
  const std::size_t all = n + static_cast<std::size_t>(settings.options.at("zeros"));
  const std::size_t words = n + 2 * m + (form_.has_workspace() ? search_workspace_size(all, m) : 0);
  return sizeof(std::uint32_t) * static_cast<double>(words) + 65536.0;
}

// Includes the benchmark's data on each query.
double SearchProblem::rotating_bytes(const Settings& settings) const {
  return sizeof(std::uint32_t) * static_cast<double>(settings.sizes[0] + 3 * settings.sizes[1]);
}

std::unique_ptr<Case> SearchProblem::make_case(const Settings& settings) const {
  return std::make_unique<SearchCase>(form_, settings);
}

}  // namespace workbook
