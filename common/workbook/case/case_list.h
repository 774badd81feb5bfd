// SPDX-License-Identifier: MIT
// The list of cases that a problem builds: rows of sizes and options, and the blocks for each row.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// A builder for lists of cases.
class CaseList {
 public:
  using Values = std::map<std::string, double>;  ///< of options, by name

  explicit CaseList(const Settings& standard) : standard_(standard) {}

  /// Adds a row: the standard settings with these sizes and these option values. It leaves out an option that the
  /// problem does not have, because the forms of one problem share rows.
  Settings& add(const Sizes& sizes, const Values& values = {});
  /// Adds a row with a seed of its own: the standard seed plus turn().
  Settings& add_seeded(const Sizes& sizes, const Values& values = {});
  /// Adds the standard settings themselves.
  void add_standard() { rows_.push_back(standard_); }
  /// The number of rows without a block.
  std::size_t turn() const { return rows_.size(); }

  /// Makes cases from the rows without a block: each row with every block.
  void use_every_block(const std::vector<dim3>& shapes);
  /// Makes one case from each row without a block. The blocks take turns, so every block occurs at a fraction of the
  /// cost.
  void use_blocks_in_turn(const std::vector<dim3>& shapes);
  /// The cases of all rows. A row without a block keeps the standard block.
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
