// SPDX-License-Identifier: MIT
// What a report keeps of findings and launches.
#include "report/run_report.h"

#include <gtest/gtest.h>

#include <string>

#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "ptx/parser.h"
#include "runtime/base/launch_record.h"

namespace cudasim {
namespace {

Finding finding_with(const std::string& message) {
  Finding finding;
  finding.kind = FindingKind::refused_copy;
  finding.message = message;
  return finding;
}

TEST(RunReport, TakesBackWhatWasAddedAndNothingElse) {
  RunReport report;
  report.add(finding_with("the first"));
  report.add(finding_with("the second"));
  report.take_back(finding_with("the first"));
  report.take_back(finding_with("the third"));
  const std::string text = report.json();
  EXPECT_EQ(text.find("the first"), std::string::npos) << text;
  EXPECT_NE(text.find("the second"), std::string::npos) << text;
}

TEST(LaunchRecord, TextIsLostWhereMoreIsPrintedThanCudaKeeps) {
  Memory memory(1 << 20);
  Module module(ptx::parse(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n"), memory);
  Outcome outcome;
  EXPECT_FALSE(record_of(module.program("k"), Launch{}, outcome).lost_text);
  outcome.printed_bytes = 1;
  EXPECT_TRUE(record_of(module.program("k"), Launch{}, outcome).lost_text);
}

}  // namespace
}  // namespace cudasim
