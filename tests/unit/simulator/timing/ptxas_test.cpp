// SPDX-License-Identifier: MIT
// What ptxas is asked, and what is read of its answer. A script stands in for it.
#include "timing/ptxas.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace cudasim {
namespace {

const std::string kOutput =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z6calledv\n"
    "    96 bytes stack frame, 48 bytes spill stores, 52 bytes spill loads\n"
    "ptxas info    : Function properties for _Z1kPf\n"
    "    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"
    "ptxas info    : Used 30 registers, used 1 barriers, 128 bytes smem\n";

TEST(Ptxas, AnswerIsThatOfTheKernel) {
  const auto answer = read_ptxas(kOutput, "_Z1kPf");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->registers, 30u);
  EXPECT_EQ(answer->spilled_bytes, 12u);
  EXPECT_FALSE(read_ptxas(kOutput, "_Z1k"));
  EXPECT_FALSE(read_ptxas("ptxas fatal   : Ptx assembly aborted due to errors\n", "_Z1kPf"));
  EXPECT_FALSE(read_ptxas("", "_Z1kPf"));
}

class PtxasScript : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ptxas_test.XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    command_ = folder_ + "/ptxas";
    std::ofstream(command_) << "#!/bin/sh\necho \"$@\" >> " + folder_ + "/calls\ncat " + folder_ +
                                   "/output >&2\ncat \"$7\" >> " + folder_ + "/texts\n";
    chmod(command_.c_str(), 0755);
    std::ofstream(folder_ + "/output") << kOutput;
  }
  void TearDown() override {
    for (const char* file : {"ptxas", "calls", "output", "texts", "answers"}) unlink((folder_ + "/" + file).c_str());
    rmdir(folder_.c_str());
  }
  std::string content(const std::string& file) const {
    std::ifstream in(folder_ + "/" + file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string folder_, command_;
};

TEST_F(PtxasScript, IsAskedOnceForEachKernelAndTextAndTarget) {
  for (int run = 0; run < 2; ++run) {
    Ptxas ptxas(command_, folder_ + "/answers", 90);
    for (int time = 0; time < 2; ++time) EXPECT_EQ(ptxas.ask("the text", "_Z1kPf").registers, 30u);
  }
  EXPECT_EQ(content("texts"), "the text");
  EXPECT_EQ(content("calls").substr(0, 40), "-v -arch=sm_90 -e _Z1kPf -o /dev/null /p");
  EXPECT_EQ(Ptxas(command_, folder_ + "/answers", 90).ask("another", "_Z1kPf").spilled_bytes, 12u);
  EXPECT_EQ(Ptxas(command_, folder_ + "/answers", 75).ask("the text", "_Z1kPf").spilled_bytes, 12u);
  EXPECT_EQ(content("texts"), "the textanotherthe text");
}

TEST_F(PtxasScript, WithoutAnAnswerNothingIsKnown) {
  EXPECT_EQ(Ptxas(folder_ + "/missing", "", 90).ask("the text", "_Z1kPf").registers, 0u);
  Ptxas ptxas(command_, folder_ + "/answers", 90);
  EXPECT_EQ(ptxas.ask("the text", "another").registers, 0u);
  EXPECT_EQ(ptxas.ask("the text", "another").registers, 0u);
  EXPECT_EQ(content("texts"), "the text");  // it is not asked again in this run, and in the next one it is
  EXPECT_EQ(content("answers"), "");
}

}  // namespace
}  // namespace cudasim
