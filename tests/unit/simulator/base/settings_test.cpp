// SPDX-License-Identifier: MIT
// The settings, as a program's environment gives them: what is understood, and that nothing else is.
#include "runtime/base/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

namespace cudasim {
namespace {

std::map<std::string, std::string> variables;

Settings settings_of(std::map<std::string, std::string> given) {
  variables = std::move(given);
  return read_settings([](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Settings, WithoutVariables) {
  const Settings settings = settings_of({});
  EXPECT_EQ(settings.error, "");
  EXPECT_EQ(settings.schedule.order, Schedule::Order::plain);
  EXPECT_EQ(settings.poison, std::byte{0xFF});
  EXPECT_EQ(settings.checks.names(), (std::vector<std::string>{"memory", "sync"}));
  EXPECT_GT(settings.memory_bytes, 0u);
  EXPECT_EQ(settings.report_file, "");
}

TEST(Settings, TheDeviceHasHalfOfTheHostsMemoryAndNoMoreThan16GiB) {
  const auto host =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_LE(settings_of({}).memory_bytes, host / 2);
  EXPECT_LE(settings_of({}).memory_bytes, std::uint64_t{16} << 30);
}

TEST(Settings, ChecksAreWordsWithCommas) {
  EXPECT_EQ(settings_of({{"CUDASIM_CHECK", "init,memory"}}).checks.names(),
            (std::vector<std::string>{"memory", "sync", "init"}));
  const auto all = settings_of({{"CUDASIM_CHECK", "all"}});
  EXPECT_EQ(all.checks.names(), (std::vector<std::string>{"memory", "sync", "race", "init", "leak"}));
  EXPECT_EQ(settings_of({{"CUDASIM_CHECK", "none"}}).checks.names(), (std::vector<std::string>{"memory", "sync"}));
  EXPECT_EQ(settings_of({{"CUDASIM_CHECK", "race,speed"}}).error,
            "CUDASIM_CHECK=race,speed has a word that is none of " + CheckSet::known_words());
  const std::string first = "all, none, memory, sync, race, init, leak";  // then those that come on request only
  EXPECT_EQ(CheckSet::known_words().substr(0, first.size()), first);
}

TEST(Settings, CountsForAnEstimateAreWantedWithLatencies) {
  EXPECT_FALSE(settings_of({}).timing);
  EXPECT_FALSE(settings_of({{"CUDASIM_TIMING", ""}}).timing);
  EXPECT_FALSE(settings_of({{"CUDASIM_TIMING", "0"}}).timing);
  EXPECT_EQ(settings_of({{"CUDASIM_TIMING", "1"}}).timing->l2, Latencies().l2);
  const Settings some = settings_of({{"CUDASIM_TIMING", "l1=33,dram=501.5"}});
  EXPECT_EQ(some.timing->l1, 33);
  EXPECT_EQ(some.timing->dram, 501.5);
  EXPECT_EQ(some.timing->shared, Latencies().shared);
  for (const std::string text : {"2", "l1", "l1=", "l1=-4", "l1=4x", "l9=4", "l1=4;l2=5", "l1=nan"}) {
    const Settings wrong = settings_of({{"CUDASIM_TIMING", text}});
    EXPECT_EQ(wrong.error.rfind("CUDASIM_TIMING=" + text + " is neither 1 nor a list of latencies", 0), 0u) << text;
    EXPECT_FALSE(wrong.timing) << text;
  }
}

TEST(Settings, OneBlockIsRecorded) {
  EXPECT_EQ(settings_of({}).trace_file, "");
  const Settings settings = settings_of({{"CUDASIM_TRACE", "trace.json"}, {"CUDASIM_TRACE_BLOCK", "12"}});
  EXPECT_EQ(settings.trace_file, "trace.json");
  EXPECT_EQ(settings.trace_block, 12u);
  EXPECT_EQ(settings_of({{"CUDASIM_TRACE_BLOCK", "-1"}}).error,
            "CUDASIM_TRACE_BLOCK=-1 is not a whole number in range");
}

TEST(Settings, ThePoisonIsAByte) {
  for (const auto& [text, byte] :
       std::map<std::string, int>{{"0", 0}, {"255", 255}, {"0x5A", 0x5a}, {"0Xff", 255}, {"", 255}, {"90", 90}}) {
    const Settings settings = settings_of({{"CUDASIM_POISON", text}});
    EXPECT_EQ(std::to_integer<int>(settings.poison), byte) << text;
    EXPECT_EQ(settings.error, "") << text;
  }
  for (const std::string text : {"256", "-1", "0x", "0x100", "5A", "1 ", "NaN"}) {
    EXPECT_EQ(settings_of({{"CUDASIM_POISON", text}}).error,
              "CUDASIM_POISON=" + text + " is not a byte (0 to 255, or 0x00 to 0xFF)");
  }
}

TEST(Settings, AHistoryIsThatOfAPlace) {
  const Settings settings = settings_of({{"CUDASIM_HISTORY", "0x70000000000010+4"}});
  EXPECT_EQ(settings.history_address, 0x70000000000010u);
  EXPECT_EQ(settings.history_bytes, 4u);
  EXPECT_EQ(settings_of({}).history_bytes, 0u);
  for (const std::string text : {"5", "0x", "0x10", "0x10+", "0x10+0", "0x1g+4", "16+4", "0x10+4K", "+4"}) {
    const Settings refused = settings_of({{"CUDASIM_HISTORY", text}});
    EXPECT_EQ(refused.error, "CUDASIM_HISTORY=" + text + " is not an address, a + and a number of bytes");
    EXPECT_EQ(refused.history_bytes, 0u) << text;
  }
}

TEST(Settings, FindingsArePrintedUnlessTheReportAloneHasThem) {
  EXPECT_TRUE(settings_of({}).prints_findings);
  EXPECT_TRUE(settings_of({{"CUDASIM_FINDINGS", "print"}}).prints_findings);
  EXPECT_FALSE(settings_of({{"CUDASIM_FINDINGS", "report"}, {"CUDASIM_REPORT", "r.json"}}).prints_findings);
  EXPECT_EQ(settings_of({{"CUDASIM_FINDINGS", "report"}}).error,
            "CUDASIM_FINDINGS=report needs a file in CUDASIM_REPORT");
  EXPECT_EQ(settings_of({{"CUDASIM_FINDINGS", "none"}}).error, "CUDASIM_FINDINGS=none is none of print, report");
}

TEST(Settings, ASeedAsksForOneWorkerAndARandomOrder) {
  const Settings settings = settings_of({{"CUDASIM_SEED", "7"}, {"CUDASIM_WORKERS", "8"}});
  EXPECT_EQ(settings.schedule.seed, 7u);
  EXPECT_EQ(settings.schedule.order, Schedule::Order::random);
  EXPECT_EQ(settings.schedule.workers, 1u);
}

TEST(Settings, NumbersAndSizes) {
  EXPECT_EQ(settings_of({{"CUDASIM_MEMORY", "512M"}}).memory_bytes, 512u << 20);
  EXPECT_EQ(settings_of({{"CUDASIM_STEP_BUDGET", "12345"}}).schedule.step_budget, 12345u);
  EXPECT_EQ(settings_of({{"CUDASIM_BLOCKS", "6"}}).schedule.blocks, 6u);
  EXPECT_EQ(settings_of({}).schedule.blocks, 0u);
  EXPECT_EQ(settings_of({{"CUDASIM_BLOCKS", "70000"}}).error, "CUDASIM_BLOCKS=70000 is not a whole number in range");
  EXPECT_EQ(settings_of({}).schedule.multiprocessors, 132u);
  EXPECT_EQ(settings_of({{"CUDASIM_GPU", "t4"}}).schedule.multiprocessors, 40u);
  EXPECT_EQ(settings_of({{"CUDASIM_GPU", "t4"}, {"CUDASIM_MULTIPROCESSORS", "3"}}).schedule.multiprocessors, 3u);
  EXPECT_EQ(settings_of({{"CUDASIM_GPU", "t5"}}).error.substr(0, 38), "CUDASIM_GPU=t5 is none of h200, h100, ");
  EXPECT_EQ(settings_of({{"CUDASIM_MULTIPROCESSORS", "1"}}).schedule.multiprocessors, 1u);
  EXPECT_EQ(settings_of({{"CUDASIM_MULTIPROCESSORS", "0"}}).error,
            "CUDASIM_MULTIPROCESSORS=0 is not a whole number in range");
  EXPECT_EQ(settings_of({{"CUDASIM_STEP_BUDGET", "12K"}}).error,
            "CUDASIM_STEP_BUDGET=12K is not a whole number in range");
  EXPECT_EQ(settings_of({{"CUDASIM_SCHEDULE", "fair"}}).error,
            "CUDASIM_SCHEDULE=fair is none of plain, random, adversarial");
}

}  // namespace
}  // namespace cudasim
