// refused: out-of-bounds: there are more parts than the workspace has room for
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x3000
// hint: outside-global
#define ONE_FORM MediumInSlices
#include "../stage22_but_plan_for.cuh"

template <class Form>
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t, std::size_t multiprocessors) {
  return right_plan_for<Form>(c, terms, std::size_t{1} << 30, multiprocessors);
}
