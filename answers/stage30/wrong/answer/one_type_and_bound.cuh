// SPDX-License-Identifier: MIT
// For wrong searches of stages 30 and 31.
#pragma once
#include <type_traits>
#include <utility>

#include "workbook/student/binary_search.h"

namespace workbook {
// Stands for with_type_and_bound() where a wrong kernel is launched: all six of it take long to compile.
template <KeyType kType, Bound kBound, typename Launch>
void with_one_type_and_bound(const Search& /*search*/, Launch launch) {
  launch(std::integral_constant<KeyType, kType>(), std::integral_constant<Bound, kBound>());
}
}  // namespace workbook
