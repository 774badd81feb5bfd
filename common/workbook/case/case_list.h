// SPDX-License-Identifier: MIT
// A list of cases as a problem writes it down: a row of sizes and options each, and the blocks that they are called
// with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

class CaseList {
 public:
  using Values = std::map<std::string, double>;  ///< of options, by name

  explicit CaseList(const Settings& standard) : standard_(standard) {}

  /// Adds a row: the standard settings with these sizes, and with other values of some options. An option that the
  /// problem does not have is left out: forms of one problem share rows.
  Settings& add(const Sizes& sizes, const Values& values = {});
  /// The same, with a seed of its own: the standard one and turn().
  Settings& add_seeded(const Sizes& sizes, const Values& values = {});
  /// The standard settings themselves.
  void add_standard() { rows_.push_back(standard_); }
  /// How many rows have no block yet.
  std::size_t turn() const { return rows_.size(); }

  /// Makes cases of the rows that have no block yet: each with every block.
  void use_every_block(const std::vector<dim3>& shapes);
  /// The same with one block each, which take turns: every block is met, at a fraction of the cost.
  void use_blocks_in_turn(const std::vector<dim3>& shapes);
  /// The cases of all rows; those that have no block yet keep the standard one.
  std::vector<Settings> take();

 protected:
  std::vector<Settings>& rows() { return rows_; }

 private:
  void finish(const std::vector<Settings>& cases);

  Settings standard_;
  std::vector<Settings> rows_;  // without a block
  std::vector<Settings> cases_;
};

}  // namespace workbook
