// SPDX-License-Identifier: MIT
#include "workbook/case/case_list.h"

#include <utility>

namespace workbook {

Settings& CaseList::add(const Sizes& sizes, const Values& values) {
  Settings& row = rows_.emplace_back(standard_);
  row.sizes = sizes;
  for (const auto& [name, value] : values) {
    const auto found = row.options.find(name);
    if (found != row.options.end()) found->second = value;
  }
  return row;
}

Settings& CaseList::add_seeded(const Sizes& sizes, const Values& values) {
  Settings& row = add(sizes, values);
  row.seed += static_cast<std::uint32_t>(rows_.size() - 1);
  return row;
}

void CaseList::use_every_block(const std::vector<dim3>& shapes) { finish(with_blocks(rows_, shapes)); }

void CaseList::use_blocks_in_turn(const std::vector<dim3>& shapes) { finish(with_blocks_in_turn(rows_, shapes)); }

std::vector<Settings> CaseList::take() {
  finish(rows_);
  return std::move(cases_);
}

void CaseList::finish(const std::vector<Settings>& cases) {
  cases_.insert(cases_.end(), cases.begin(), cases.end());
  rows_.clear();
}

}  // namespace workbook
