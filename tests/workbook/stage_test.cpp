// SPDX-License-Identifier: MIT
// The problem's own data: what the tests of every stage are made of.
#include <gtest/gtest.h>

#include "workbook/reduction_problem.h"
#include "workbook/todo.h"

namespace workbook {
namespace {

TEST(Problem, AcceptsPowersOfTwoFromAWarpToTheLargestBlock) {
  for (const unsigned good : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    EXPECT_TRUE(ReductionProblem::is_block_size(good)) << good;
  }
  for (const unsigned bad : {0u, 1u, 16u, 31u, 33u, 96u, 1023u, 1025u, 2048u, 0x80000000u}) {
    EXPECT_FALSE(ReductionProblem::is_block_size(bad)) << bad;
  }
  for (const unsigned tested : ReductionProblem::test_block_sizes) {
    EXPECT_TRUE(ReductionProblem::is_block_size(tested));
  }
}

TEST(Todo, SaysWhereAndWhat) {
  try {
    WORKBOOK_TODO("add the neighbour");
    FAIL() << "WORKBOOK_TODO did not throw";
  } catch (const Unsolved& unsolved) {
    const std::string text = unsolved.what();
    EXPECT_NE(text.find("stage_test.cpp:" + std::to_string(__LINE__ - 4) + ": add the neighbour"), std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace workbook
