// SPDX-License-Identifier: MIT
// What of a finding stands in its text.
#include "report/finding_text.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace cudasim {
namespace {

const std::string cub = "/opt/cuda/include/cub/";

std::string inlined_rows(const std::vector<SourceLine>& chain) {
  Finding finding;
  finding.kernel = "kernel";
  finding.where = chain.front();
  finding.inlined = chain;
  const std::string text = text_of(finding);
  const auto begin = text.find("  inlined "), end = text.find("  where ");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin);
}

TEST(FindingText, RacesOfOneBarrierAreOneRow) {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.kernel = "kernel";
  finding.where = {"todo.cu", 15, ""};
  for (int line = 15; line < 20; ++line)
    finding.also.push_back({{"todo.cu", line + line % 2, ""}, {"todo.cu", line, ""}});
  EXPECT_NE(text_of(finding).find("  also      the same, of lines 15 and 16, line 16 with itself, lines 17 and 18, "
                                  "line 18 with itself, and 1 more\n"),
            std::string::npos)
      << text_of(finding);
}

TEST(FindingText, WhatMayFollowFromAnEarlierFindingSaysSo) {
  Finding finding;
  finding.kernel = "kernel";
  finding.follows = Cause{FindingKind::race, {"todo.cu", 15, ""}};
  EXPECT_NE(text_of(finding).find("  follows   perhaps from the finding [race] at todo.cu:15: mend that first\n"),
            std::string::npos);
}

TEST(FindingText, FilesOfTheCurrentFolderAreNamedWithoutIt) {
  Finding finding;
  finding.kernel = "kernel";
  finding.where = {(std::filesystem::current_path() / "part" / ".." / "todo.cu").string(), 15, ""};
  EXPECT_NE(text_of(finding).find("  line      todo.cu:15"), std::string::npos) << text_of(finding);
}

TEST(FindingText, HowOftenIsSaidOfWhatIsSeenAgain) {
  Finding finding;
  finding.kernel = "kernel";
  EXPECT_EQ(text_of(finding).find("  seen "), std::string::npos);
  finding.occurrences = 2;
  EXPECT_NE(text_of(finding).find("  seen      2 times in this launch\n"), std::string::npos);
}

TEST(FindingText, OwnCallsAreNamedOneByOne) {
  EXPECT_EQ(inlined_rows({{"todo.cu", 12, ""}}), "");
  EXPECT_EQ(inlined_rows({{"todo.cu", 12, "_Z5innerPi"}, {"todo.cu", 20, "_Z5outerPi"}, {"todo.cu", 30, ""}}),
            "  inlined   inner(int*) (todo.cu:12) into todo.cu:20\n"
            "            outer(int*) (todo.cu:20) into todo.cu:30\n");
}

TEST(FindingText, OfALibraryOnlyTheFunctionThatWasCalled) {
  EXPECT_EQ(inlined_rows({{"/opt/cuda/include/cuda/std/__atomic/ptx.h", 100, "cuda::__4::generated<int, 5>(int)"},
                          {"/opt/cuda/include/cuda/std/__atomic/dispatch.h", 50, "cuda::__4::dispatch<int>(int)"},
                          {"/opt/cuda/include/cuda/std/atomic", 10, "int cuda::__4::atomic_ref<int>::fetch_add(int)"},
                          {"todo.cu", 34, ""}}),
            "  inlined   cuda::atomic_ref::fetch_add() into todo.cu:34\n");
  // A functor that the library calls.
  EXPECT_EQ(inlined_rows({{"todo.cu", 9, "_ZNK2OpclEii"},
                          {cub + "warp/warp_reduce.cuh", 457, "int cub::CUB_3::WarpReduce<int>::Step(int)"},
                          {cub + "block/block_reduce.cuh", 355, "int cub::CUB_3::BlockReduce<int>::Reduce<Op>(int)"},
                          {"todo.cu", 12, ""}}),
            "  inlined   Op::operator()(int, int) const (todo.cu:9) into cub::BlockReduce::Reduce()\n"
            "            cub::BlockReduce::Reduce() into todo.cu:12\n");
  // A kernel of the library itself.
  EXPECT_EQ(inlined_rows({{cub + "thread/thread_load.cuh", 260, "cub::load(int)"}, {cub + "reduce.cuh", 175, ""}}), "");
}

}  // namespace
}  // namespace cudasim
