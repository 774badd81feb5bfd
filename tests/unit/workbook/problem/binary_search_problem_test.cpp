// SPDX-License-Identifier: MIT
// Searches: the reference, what the verdict says of the mistakes that kernels make, and tables longer than memory. The
// host plays the kernel, on a device's memory.
#include "workbook/problem/searches/binary_search/binary_search_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/problem/searches/binary_search/sparse_table.h"
#include "workbook/problem/searches/binary_search/wrong_lines.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

std::vector<std::uint32_t> on_host(const std::uint32_t* data, std::size_t n) {
  std::vector<std::uint32_t> values(n);
  if (n > 0) CUDA_CHECK(cudaMemcpy(values.data(), data, n * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
  return values;
}

// Counts the keys in front one by one. `change` makes another place of a place.
template <typename Change>
void search_on_host(const Search& search, Bound bound, Change change) {
  const std::vector<std::uint32_t> keys = on_host(search.keys, search.n), queries = on_host(search.queries, search.m);
  std::vector<std::uint32_t> places(search.m);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const std::uint32_t query = ordinal_of(queries[j], search.type);
    const auto in_front = [&](std::uint32_t key) {
      const std::uint32_t ordinal = ordinal_of(key, search.type);
      return bound == Bound::lower ? ordinal < query : ordinal <= query;
    };
    places[j] = change(static_cast<std::uint32_t>(std::count_if(keys.begin(), keys.end(), in_front)));
  }
  if (search.m == 0) return;
  CUDA_CHECK(cudaMemcpy(search.places, places.data(), search.m * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
}

std::uint32_t as_it_is(std::uint32_t place) { return place; }

void searches(const Search& search, unsigned, cudaStream_t) { search_on_host(search, search.bound, as_it_is); }
void searches_for_lower(const Search& search, unsigned, cudaStream_t) {
  search_on_host(search, Bound::lower, as_it_is);
}
void is_one_too_large(const Search& search, unsigned, cudaStream_t) {
  search_on_host(search, search.bound, [](std::uint32_t place) { return place + 1; });
}
void does_nothing(const Search&, unsigned, cudaStream_t) {}
void sorts_its_queries(const Search& search, unsigned, cudaStream_t) {
  search_on_host(search, search.bound, as_it_is);
  std::vector<std::uint32_t> queries = on_host(search.queries, search.m);
  std::sort(queries.begin(), queries.end());
  CUDA_CHECK(cudaMemcpy(const_cast<std::uint32_t*>(search.queries), queries.data(),
                        queries.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
}
// Leaves a mark, and does nothing where it finds one.
void works_once(const Search& search, std::uint32_t* workspace, unsigned, cudaStream_t) {
  const std::uint32_t mark = 12345;
  if (on_host(workspace, 1)[0] == mark) return;
  search_on_host(search, search.bound, as_it_is);
  CUDA_CHECK(cudaMemcpy(workspace, &mark, sizeof mark, cudaMemcpyHostToDevice));
}
void uses_all_of_the_workspace(const Search& search, std::uint32_t* workspace, unsigned, cudaStream_t) {
  search_on_host(search, search.bound, as_it_is);
  CUDA_CHECK(cudaMemset(workspace, 1, search_workspace_size(search.n, search.m) * sizeof(std::uint32_t)));
}

using Options = std::map<std::string, double>;

Verdict verdict(const SearchForm& form, const Sizes& sizes, const Options& options = {}) {
  const SearchProblem problem(form);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = sizes;
  for (const auto& [name, value] : options) settings.options.at(name) = value;
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

double number(TableKeys keys) { return static_cast<double>(keys); }
double number(Queries queries) { return static_cast<double>(queries); }

TEST(SearchProblem, WhoeverCountsTheKeysInFrontIsRight) {
  for (double type = 0.0; type < 3.0; ++type) {
    for (double bound = 0.0; bound < 2.0; ++bound) {
      for (double keys = 0.0; keys < 6.0; ++keys) {
        for (double queries = 0.0; queries < 5.0; ++queries) {
          for (const Sizes& sizes : {Sizes{0, 3}, Sizes{1, 7}, Sizes{65, 100}}) {
            const Verdict judged =
                verdict({&searches}, sizes, {{"type", type}, {"bound", bound}, {"keys", keys}, {"queries", queries}});
            EXPECT_TRUE(judged.matches) << judged.reason;
          }
        }
      }
    }
  }
  EXPECT_TRUE(verdict({&searches}, {100, 0}).matches);
  EXPECT_TRUE(verdict({&searches}, {100, 70}, {{"misalign", 3.0}, {"misalign-other", 1.0}}).matches);
}

TEST(SearchProblem, SaysThatItIsTheOtherBound) {
  const Verdict judged =
      verdict({&searches_for_lower}, {70, 100},
              {{"bound", 1.0}, {"keys", number(TableKeys::short_runs)}, {"queries", number(Queries::around)}});
  EXPECT_FALSE(judged.matches);
  EXPECT_NE(judged.reason.find("every wrong place is the lower bound of its query, and the upper one is asked for"),
            std::string::npos)
      << judged.reason;
}

TEST(SearchProblem, SaysTheQueryAndTheKeysOnBothSidesOfItsPlace) {
  const Verdict judged = verdict({&is_one_too_large}, {9, 27},
                                 {{"keys", number(TableKeys::neighbours)}, {"queries", number(Queries::around)}});
  EXPECT_FALSE(judged.matches);
  // The first query is the key before the first of nine around 2^31.
  EXPECT_NE(judged.reason.find("expected 0, found 1"), std::string::npos) << judged.reason;
  EXPECT_NE(judged.reason.find("query 0 is 2147483643, key 0 is 2147483644; every wrong place is one too large"),
            std::string::npos)
      << judged.reason;
}

TEST(SearchProblem, SaysThatATableIsEmptyAndThatAPlaceIsBehindTheLast) {
  EXPECT_NE(verdict({&is_one_too_large}, {0, 3}).reason.find("and the table is empty"), std::string::npos);
  EXPECT_NE(verdict({&is_one_too_large}, {0, 3}).reason.find("no place is above 0, the number of keys"),
            std::string::npos);
  const Verdict judged =
      verdict({&does_nothing}, {5, 40},
              {{"queries", number(Queries::equal)}, {"bound", 1.0}, {"keys", number(TableKeys::equal)}});
  EXPECT_NE(judged.reason.find("key 4 is 2147483690, the last of the table"), std::string::npos) << judged.reason;
}

// 100 keys that begin 17 keys behind a line, and 40 queries. Query j has 5 * j / 2 keys in front.
TEST(SearchProblem, SaysThatTheNextLineWasAsked) {
  std::vector<std::uint32_t> places(40), next = places;
  for (std::uint32_t j = 0; j < 40; ++j) {
    places[j] = 5 * j / 2;
    next[j] = std::min(100u, (places[j] + 16) / 32 * 32 + 15);
  }
  EXPECT_EQ(describe_wrong_lines(places, next, 100, 17).find("every wrong place is the first of the next 32 keys"), 0u);
  EXPECT_EQ(describe_wrong_lines({3}, {15}, 100, 17), "");  // a single one may be so by chance
  EXPECT_EQ(describe_wrong_lines(places, next, 100, 16), "");
}

TEST(SearchProblem, SaysThatTheCountIsThatOfAnotherQuery) {
  std::vector<std::uint32_t> places(36), of_another = places, one_more = places;
  for (std::uint32_t j = 0; j < 36; ++j) {
    places[j] = 3 + 32 * (j % 3) + j / 3;
    of_another[j] = j < 32 ? 3 + 32 * (j % 3) + j / 12 : places[j];
    one_more[j] = 4 + 32 * (j % 3) + j / 3;
  }
  EXPECT_EQ(describe_wrong_lines(places, of_another, 100, 0).find("every wrong place is in the right 32 keys"), 0u);
  EXPECT_EQ(describe_wrong_lines(places, one_more, 100, 0), "");
  for (std::uint32_t j = 0; j < 36; ++j) places[j] = j, of_another[j] = j / 4;
  EXPECT_EQ(describe_wrong_lines(places, of_another, 32, 0), "");  // every count is that of some query
}

TEST(SearchProblem, WhatIsNotWrittenOrChangedIsRefused) {
  EXPECT_NE(verdict({&does_nothing}, {50, 40}).reason.find("nobody wrote any element of the output"),
            std::string::npos);
  EXPECT_NE(verdict({&sorts_its_queries}, {50, 40}).reason.find("the queries must not change"), std::string::npos);
}

TEST(SearchProblem, ASecondCallMeetsTheWorkspaceOfTheFirst) {
  const SearchForm form{nullptr, &works_once};
  EXPECT_TRUE(verdict(form, {50, 40}).matches);
  const Verdict judged = verdict(form, {50, 40}, {{"calls", 2.0}});
  EXPECT_FALSE(judged.matches);
  EXPECT_EQ(judged.reason.find("call 2 with the same workspace: "), 0u) << judged.reason;
}

TEST(SearchProblem, TheWorkspaceIsAsLargeAsItSays) {
  EXPECT_TRUE(verdict({nullptr, &uses_all_of_the_workspace}, {5000, 300}).matches);
}

TEST(SearchProblem, QueriesAreSortedWhereTheyMustBe) {
  const SearchProblem problem({nullptr, &works_once, true});
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile}) {
    const Settings standard = default_settings(Stage{}, problem);
    for (const Settings& settings : problem.cases(purpose, standard, {standard.block}, true)) {
      const SearchChoice choice(settings);
      const SearchInput input = make_search_input(choice, true, settings.sizes[0], settings.sizes[1], settings.seed);
      EXPECT_TRUE(std::is_sorted(input.places.begin(), input.places.end())) << text_of(settings.sizes);
    }
  }
}

TEST(SearchProblem, CasesMeetEveryTypeAndBoundAndEveryPattern) {
  const SearchProblem problem({&searches});
  const Settings standard = default_settings(Stage{}, problem);
  std::set<std::pair<double, double>> met, patterns;
  double most_zeros = 0.0;
  for (const Settings& settings : problem.cases(Purpose::hostile, standard, {standard.block}, true)) {
    met.emplace(settings.options.at("type"), settings.options.at("bound"));
    patterns.emplace(settings.options.at("keys"), settings.options.at("queries"));
    most_zeros = std::max(most_zeros, settings.options.at("zeros"));
  }
  EXPECT_EQ(met.size(), 6u);
  EXPECT_GE(patterns.size(), 10u);
  EXPECT_GE(most_zeros, 0x1p31 - 1.0);
}

// The reference alone, without a device: the zeros need not be there.
TEST(SearchInput, CountsTheZerosInFront) {
  const SearchProblem problem({&searches});
  Settings settings = default_settings(Stage{}, problem);
  settings.options["zeros"] = 0x1p31 - 1.0;
  settings.options["type"] = 1.0;  // signed: negative queries come before the zeros
  const SearchInput input = make_search_input(SearchChoice(settings), false, 100, 200, 1);
  for (std::size_t j = 0; j < input.queries.size(); ++j) {
    const auto query = static_cast<std::int32_t>(input.queries[j]);
    if (query <= 0) {
      EXPECT_EQ(input.places[j], 0u) << query;
    } else {
      EXPECT_GE(input.places[j], 0x7FFFFFFFu) << query;
    }
  }
}

TEST(SparseTable, HasItsWordsBehindTheZeros) {
  const std::vector<std::uint32_t> words{5, 6, 7};
  const std::size_t zeros = std::size_t{1} << 31;
  const SparseTable table(zeros, words, current_device());
  EXPECT_EQ(on_host(table.data() + zeros - 2, 5), (std::vector<std::uint32_t>{0, 0, 5, 6, 7}));
  EXPECT_TRUE(table.is_unchanged(words));
  const std::uint32_t other = 8;
  CUDA_CHECK(
      cudaMemcpy(const_cast<std::uint32_t*>(table.data()) + zeros + 1, &other, sizeof other, cudaMemcpyHostToDevice));
  EXPECT_FALSE(table.is_unchanged(words));
}

}  // namespace
}  // namespace workbook
