// SPDX-License-Identifier: MIT
// The search for a key among many as a problem, in two forms (find.h). These are the first hit, find_on_device(), and
// all hits, find_all_on_device(). The inputs are in find_input.h.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/problem/searches/find/find_input.h"
#include "workbook/student/find.h"

namespace workbook {

/// A stage's function for one type of keys; of() chooses the overload.
template <typename T>
using FindOnDevice = void (*)(const T* keys, std::size_t n, T x, unsigned block_size, const FindWorkspace& workspace);
template <typename T>
using FindAllOnDevice = void (*)(const T* keys, std::size_t n, T x, const Hits& hits, unsigned block_size,
                                 const FindAllWorkspace& workspace);

/// A stage's function for each type of keys (its overloads).
template <template <typename> class Function>
struct OfEachType {
  Function<unsigned> of_uints = nullptr;
  Function<int> of_ints = nullptr;
  Function<float> of_floats = nullptr;

  Function<unsigned> of(unsigned) const { return of_uints; }
  Function<int> of(int) const { return of_ints; }
  Function<float> of(float) const { return of_floats; }
};
using FindFunctions = OfEachType<FindOnDevice>;
using FindAllFunctions = OfEachType<FindAllOnDevice>;

/// The case's own options.
struct FindChoice {
  explicit FindChoice(const Settings& settings);

  FindType type;
  Places places;
  std::size_t at;
  Wanted wanted;
  std::size_t misalign;                  ///< Keys between an aligned address and the first.
  double room = 1.0;                     ///< The capacity as a share of the hits; only for all hits.
  std::optional<std::uint64_t> changed;  ///< As in Settings.
  int calls;                             ///< Successive searches with the same workspace.
};

/// The search for a key as a problem.
class FindProblem final : public Problem {
 public:
  explicit FindProblem(const FindFunctions& functions) : functions_(functions) {}
  explicit FindProblem(const FindAllFunctions& functions) : functions_(functions) {}

  /// The stage's functions, for the benchmark; null where it defines the other form.
  const FindFunctions* first() const { return std::get_if<FindFunctions>(&functions_); }
  const FindAllFunctions* all() const { return std::get_if<FindAllFunctions>(&functions_); }

  std::string name() const override { return first() != nullptr ? "find" : "find all"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  /// The work of a search for the first hit counts the keys up to it.
  Work work(const Settings& settings) const override;
  double rotating_bytes(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  std::variant<FindFunctions, FindAllFunctions> functions_;
};

/// Compares a found index with the first hit, its reference; n means that there is none.
Verdict judge_first(unsigned long long got, std::size_t first, std::size_t n, bool is_hit);
/// Compares stored indices with those of all hits. `count`: the number that the function reports.
Verdict judge_all(const std::vector<unsigned>& got, unsigned count, const std::vector<unsigned>& expected,
                  unsigned poison);

}  // namespace workbook
