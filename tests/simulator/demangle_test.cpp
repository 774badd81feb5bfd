// SPDX-License-Identifier: MIT
// Names in findings and reports.
#include "report/demangle.h"

#include <gtest/gtest.h>

namespace cudasim {
namespace {

TEST(Demangle, GivesNamesAsTheyWereWritten) {
  EXPECT_EQ(demangle("_Z6reducePfi"), "reduce(float*, int)");
  EXPECT_EQ(demangle("reduce"), "reduce");
  EXPECT_EQ(demangle("_Z"), "_Z");
}

TEST(Demangle, DropsTheNamespacesThatNvccMakesForFiles) {
  EXPECT_EQ(demangle("_ZN34_INTERNAL_13618fa1_4_a_cu_f8c959979atomicAddEPii"), "atomicAdd(int*, int)");
  EXPECT_EQ(demangle("_Z10_INTERNAL_i"), "_INTERNAL_(int)") << "a function may be called so";
}

}  // namespace
}  // namespace cudasim
