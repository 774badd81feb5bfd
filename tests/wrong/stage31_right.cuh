// SPDX-License-Identifier: MIT
// The answer of stage 31, once for all of its wrong kernels.
#pragma once
#include <type_traits>
#include <utility>

#include "workbook/binary_search.h"

namespace right {
#include "../../answers/stage31/solution.cu"
}  // namespace right

namespace workbook {
// Stands for with_type_and_bound() where a wrong kernel is launched: all six of it take long to compile.
template <KeyType kType, Bound kBound, typename Launch>
void with_one_type_and_bound(const Search& /*search*/, Launch launch) {
  launch(std::integral_constant<KeyType, kType>(), std::integral_constant<Bound, kBound>());
}
}  // namespace workbook
