// SPDX-License-Identifier: MIT
// The command line: what is accepted, and the one line that each mistake gets. Nothing here needs a device.
#include "workbook/program.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <vector>

#include "workbook/reduction_problem.h"

namespace workbook {
namespace {

constexpr Stage kStage{1, "global memory only", "stages/stage01/todo.cu"};
const ReductionProblem kProblem{ReduceFunction()};

ParsedOptions parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  return parse_options(kStage, kProblem, static_cast<int>(arguments.size()), arguments.data());
}

// The message of a usage error, or what came instead.
std::string mistake(const std::vector<const char*>& arguments) {
  const ParsedOptions parsed = parse(arguments);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return error->message;
  return std::holds_alternative<HelpText>(parsed) ? "(help)" : "(accepted)";
}

Settings of_size(std::size_t size) { return ReductionProblem::settings(Distribution::uniform, size, 1); }

TEST(Options, AStageMayHaveABlockSizeOfItsOwn) {
  const Stage stage{7, "one pass", "answers/stage07/solution.cu", 1024};
  const char* arguments[] = {"program"};
  EXPECT_EQ(std::get<Options>(parse_options(stage, kProblem, 1, arguments)).settings.block_size, 1024u);
}

TEST(Options, AProblemsOwnOptionsAreItsOwn) {
  EXPECT_EQ(mistake({"--misalign", "1"}), "unknown option --misalign (--help lists the options)");
  const ReductionProblem on_device{
      ReduceOnDevice([](float* numbers, std::size_t, unsigned, const Workspace&) -> const float* { return numbers; })};
  const char* arguments[] = {"program", "--misalign", "3"};
  const auto parsed = parse_options(kStage, on_device, 3, arguments);
  EXPECT_EQ(std::get<Options>(parsed).settings.own.at("misalign"), "3");
  arguments[2] = "4";
  EXPECT_EQ(std::get<UsageError>(parse_options(kStage, on_device, 3, arguments)).message,
            "--misalign 4 is not 0, 1, 2 or 3");
}

TEST(Options, DefaultsAreTheCourses) {
  const Options options = std::get<Options>(parse({}));
  EXPECT_EQ(options.settings.size, 16'777'216u);
  EXPECT_EQ(options.settings.seed, 12345u);
  EXPECT_EQ(options.settings.block_size, 256u);
  EXPECT_EQ(options.settings.own.at("distribution"), "uniform");
  EXPECT_EQ(options.repeat, 0);
  EXPECT_FALSE(options.json);
}

TEST(Options, AllAreRead) {
  const Options options = std::get<Options>(parse(
      {"--size", "0", "--seed=7", "--block-size", "1024", "--distribution", "one-hot", "--repeat", "3", "--json"}));
  EXPECT_EQ(options.settings.size, 0u);
  EXPECT_EQ(options.settings.seed, 7u);
  EXPECT_EQ(options.settings.block_size, 1024u);
  EXPECT_EQ(options.settings.own.at("distribution"), "one-hot");
  EXPECT_EQ(options.repeat, 3);
  EXPECT_TRUE(options.json);
}

TEST(Options, MistakesGetOneClearLine) {
  EXPECT_EQ(mistake({"--size", "-5"}), "--size -5 is negative");
  EXPECT_EQ(mistake({"--size=-5"}), "--size -5 is negative");
  EXPECT_EQ(mistake({"--size", "many"}), "--size many is not a whole number");
  EXPECT_EQ(mistake({"--size", "12abc"}), "--size 12abc is not a whole number");
  EXPECT_EQ(mistake({"--size", "1.5"}), "--size 1.5 is not a whole number");
  EXPECT_EQ(mistake({"--size", "+5"}), "--size +5 is not a whole number");
  EXPECT_EQ(mistake({"--size", "0x10"}), "--size 0x10 is not a whole number");
  EXPECT_EQ(mistake({"--size", "99999999999999999999"}),
            "--size 99999999999999999999 is too large: at most 18446744073709551615");
  EXPECT_EQ(mistake({"--seed", "4294967296"}), "--seed 4294967296 is too large: at most 4294967295");
  EXPECT_EQ(mistake({"--seed", "-1"}), "--seed -1 is negative");
  EXPECT_EQ(mistake({"--block-size", "100"}), "--block-size 100 is not a power of two from 32 to 1024");
  EXPECT_EQ(mistake({"--block-size", "16"}), "--block-size 16 is not a power of two from 32 to 1024");
  EXPECT_EQ(mistake({"--block-size", "2048"}), "--block-size 2048 is not a power of two from 32 to 1024");
  EXPECT_EQ(mistake({"--block-size", "-32"}), "--block-size -32 is negative");
  EXPECT_EQ(mistake({"--repeat", "0"}), "--repeat 0 is too small: at least 1");
  EXPECT_EQ(
      mistake({"--distribution", "normal"}).rfind("--distribution normal is unknown; there are uniform, signed", 0),
      0u);
}

TEST(Options, AnEmptyValueIsNoNumberAndNoName) {
  EXPECT_EQ(mistake({"--size", ""}), "--size  is not a whole number");
  EXPECT_NE(mistake({"--size="}).find("--size"), std::string::npos);
  EXPECT_NE(mistake({"--distribution", ""}).find("is unknown"), std::string::npos);
}

TEST(Options, UnknownAndIncompleteOptionsAreNamed) {
  EXPECT_EQ(mistake({"--sizes", "3"}), "unknown option --sizes (--help lists the options)");
  for (const auto& [arguments, named] : std::vector<std::pair<std::vector<const char*>, std::string>>{
           {{"--sizes", "3"}, "--sizes"}, {{"-x"}, "-x"}, {{"17"}, "17"}, {{"--size"}, "--size"}}) {
    const std::string message = mistake(arguments);
    EXPECT_NE(message.find(named), std::string::npos) << message;
    EXPECT_NE(message.find("--help"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(Options, HelpNamesEveryOptionAndEndsWithSuccess) {
  std::ostringstream out, err;
  const char* arguments[] = {"program", "--help"};
  EXPECT_EQ(run_program(kStage, kProblem, 2, arguments, out, err), ExitStatus::matches);
  for (const char* option : {"--size", "--seed", "--block-size", "--distribution", "--repeat", "--json"}) {
    EXPECT_NE(out.str().find(option), std::string::npos) << option;
  }
  EXPECT_TRUE(err.str().empty());
}

TEST(Options, AMistakeEndsWithTwoAndNothingOnStandardOutput) {
  std::ostringstream out, err;
  const char* arguments[] = {"program", "--size", "-1", "--json"};
  EXPECT_EQ(run_program(kStage, kProblem, 4, arguments, out, err), ExitStatus::wrong_usage);
  EXPECT_EQ(err.str(), "error: --size -1 is negative\n");
  EXPECT_TRUE(out.str().empty());
}

TEST(TooLarge, SaysHowManyBytesAreAskedForAndHowManyThereAre) {
  const Device device{"Simulated GPU (cudasim)", true, 4000, 8000};
  constexpr std::size_t kPlenty = std::size_t{1} << 40;
  EXPECT_FALSE(too_large(kProblem, of_size(0), device, kPlenty).has_value());
  EXPECT_FALSE(too_large(kProblem, of_size(1000), device, kPlenty).has_value());
  EXPECT_EQ(too_large(kProblem, of_size(1001), device, kPlenty).value_or(""),
            "--size 1001 asks for 4004 bytes of device memory for the input alone, and Simulated GPU (cudasim) has "
            "4000 bytes "
            "free of 8000");
}

TEST(TooLarge, DoesNotOverflow) {
  const Device device{"NVIDIA H200", false, std::numeric_limits<std::size_t>::max(), 8000};
  const auto problem = too_large(kProblem, of_size(std::numeric_limits<std::size_t>::max()), device, 1 << 30);
  EXPECT_NE(problem.value_or("").find("asks for more than 2305843009213693948 bytes"), std::string::npos)
      << problem.value_or("accepted");
}

TEST(TooLarge, KnowsTheHostsMemoryToo) {
  const Device gpu{"NVIDIA H200", false, 100'000, 100'000};
  EXPECT_FALSE(too_large(kProblem, of_size(1000), gpu, 8000).has_value());
  EXPECT_EQ(too_large(kProblem, of_size(1000), gpu, 7999).value_or(""),
            "--size 1000 asks for 8000 bytes of host memory for the input and its copies, and this machine has 7999");
  const Device simulated{"Simulated GPU (cudasim)", true, 100'000, 100'000};
  EXPECT_TRUE(
      too_large(kProblem, of_size(1000), simulated, 8000).has_value());  // the simulated device's memory is the host's
}

TEST(ExitStatuses, AreTheDocumentedNumbers) {
  EXPECT_EQ(static_cast<int>(ExitStatus::matches), 0);
  EXPECT_EQ(static_cast<int>(ExitStatus::does_not_match), 1);
  EXPECT_EQ(static_cast<int>(ExitStatus::wrong_usage), 2);
  EXPECT_EQ(static_cast<int>(ExitStatus::device_error), 3);
  EXPECT_EQ(static_cast<int>(ExitStatus::unsolved), 77);
}

}  // namespace
}  // namespace workbook
