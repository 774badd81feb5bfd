// SPDX-License-Identifier: MIT
// The search of a sorted table for many queries as a problem. Its forms: queries in any order or sorted, with a
// workspace or without.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/problem/searches/binary_search/search_input.h"
#include "workbook/student/binary_search.h"

namespace workbook {

/// A student's function: one of the two.
struct SearchForm {
  void (*on_device)(const Search& search, unsigned block_size, cudaStream_t stream) = nullptr;
  void (*in_workspace)(const Search& search, std::uint32_t* workspace, unsigned block_size,
                       cudaStream_t stream) = nullptr;
  bool has_sorted_queries = false;

  bool has_workspace() const { return in_workspace != nullptr; }
  void call(const Search& search, std::uint32_t* workspace, unsigned block_size, cudaStream_t stream) const {
    if (has_workspace()) {
      in_workspace(search, workspace, block_size, stream);
    } else {
      on_device(search, block_size, stream);
    }
  }
};

/// The case's own options.
struct SearchChoice {
  explicit SearchChoice(const Settings& settings);

  KeyType type;
  Bound bound;
  TableKeys keys;
  Queries queries;
  std::size_t zeros;           ///< In front of the table.
  std::size_t misalign;        ///< Words between an aligned address and the table.
  std::size_t misalign_other;  ///< Likewise, for queries and places.
  int calls;                   ///< Successive calls with the same workspace.
};

/// A table with queries, and the reference of the places.
struct SearchInput {
  std::vector<std::uint32_t> keys;  ///< The keys behind the zeros.
  std::vector<std::uint32_t> queries;
  std::vector<std::uint32_t> places;  ///< The places by std::lower_bound or std::upper_bound.
};
SearchInput make_search_input(const SearchChoice& choice, bool are_sorted, std::size_t n, std::size_t m,
                              std::uint32_t seed);

/// The diagnosis of wrong places, beside their number. The sentences are true, and come from the places.
std::string describe_wrong_places(const SearchChoice& choice, const SearchInput& input,
                                  const std::vector<std::uint32_t>& got);

/// The search of a sorted table as a problem.
class SearchProblem final : public Problem {
 public:
  explicit SearchProblem(const SearchForm& form) : form_(form) {}

  const SearchForm& form() const { return form_; }

  std::string name() const override { return form_.has_sorted_queries ? "sorted search" : "binary search"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  double rotating_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  SearchForm form_;
};

}  // namespace workbook
