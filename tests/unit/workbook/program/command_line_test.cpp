// SPDX-License-Identifier: MIT
// Options as people type them, and the one line that each mistake gets. Nothing here needs a device.
#include "workbook/program/command_line.h"

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "workbook/problem/products/matrix/matrix_problem.h"
#include "workbook/problem/sums/integration/integration_problem.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"
#include "workbook/program/program.h"

namespace workbook {
namespace {

constexpr Stage kStage{1, "global memory only", "stages/stage01/todo.cu"};
const StatisticsProblem kSum{Reduce{}};
const StatisticsProblem kStatistics{StatisticFunctions{}};
const IntegrationProblem kIntegral{nullptr};
const MatrixProblem kTranspose{Move::transpose, nullptr};

using Arguments = std::vector<const char*>;

ParsedOptions parse(const Problem& problem, Arguments arguments) {
  arguments.insert(arguments.begin(), "program");
  return parse_options(kStage, problem, static_cast<int>(arguments.size()), arguments.data());
}
Settings settings(const Problem& problem, const Arguments& arguments) {
  const ParsedOptions parsed = parse(problem, arguments);
  if (const auto* error = std::get_if<UsageError>(&parsed)) ADD_FAILURE() << error->message;
  return std::get<Options>(parsed).settings;
}

// The message of a usage error, or what came instead.
std::string mistake(const Problem& problem, const Arguments& arguments) {
  const ParsedOptions parsed = parse(problem, arguments);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return error->message;
  return std::holds_alternative<HelpText>(parsed) ? "(help)" : "(accepted)";
}

TEST(Defaults, AreTheCourses) {
  const Options options = std::get<Options>(parse(kSum, {}));
  EXPECT_EQ(options.settings.size(), 16'777'216u);
  EXPECT_EQ(options.settings.seed, 12345u);
  EXPECT_EQ(text_of(options.settings.block), "256");
  EXPECT_EQ(options.settings.choice<Numbers>("distribution"), Numbers::uniform);
  EXPECT_EQ(options.how.repeat, 0);
  EXPECT_EQ(options.how.poison, 0xFF);
  EXPECT_TRUE(options.purposes.empty());
  EXPECT_FALSE(options.json.wanted || options.describe);
  EXPECT_EQ(options.time_limit_s, 0.0);
  EXPECT_EQ(default_settings(kStage, kTranspose).sizes, (Sizes{4096, 4096}));
  EXPECT_EQ(default_settings(kStage, kTranspose).seed, 0u);  // it has none
}

TEST(Options, AllAreRead) {
  const Options options = std::get<Options>(
      parse(kSum, {"--size", "0", "--seed=7", "--block-size", "1024", "--distribution", "one-hot", "--repeat", "3",
                   "--poison", "0xA5", "--time-limit", "2.5", "--describe", "--json"}));
  EXPECT_EQ(options.settings.sizes, Sizes{0});
  EXPECT_EQ(options.settings.seed, 7u);
  EXPECT_EQ(text_of(options.settings.block), "1024");
  EXPECT_EQ(options.settings.choice<Numbers>("distribution"), Numbers::one_hot);
  EXPECT_EQ(options.how.repeat, 3);
  EXPECT_EQ(options.how.poison, 0xA5);
  EXPECT_EQ(options.time_limit_s, 2.5);
  EXPECT_TRUE(options.describe);
  EXPECT_TRUE(options.json.wanted);
  EXPECT_EQ(options.json.file, "");
  const Options many = std::get<Options>(parse(kSum, {"--cases", "quick,full", "--seed", "7"}));
  EXPECT_EQ(many.purposes, (std::vector<Purpose>{Purpose::quick, Purpose::full}));
  EXPECT_EQ(many.settings.seed, 7u);
}

TEST(Options, JsonTakesAFileOrNone) {
  const auto json = [](const Arguments& arguments) { return std::get<Options>(parse(kSum, arguments)).json; };
  EXPECT_EQ(json({"--json", "a.json"}).file, "a.json");
  EXPECT_EQ(json({"--json=a.json"}).file, "a.json");
  EXPECT_TRUE(json({"--json", "--size", "5"}).wanted);
  EXPECT_EQ(json({"--json", "--size", "5"}).file, "");
  EXPECT_EQ(settings(kSum, {"--json", "--size", "5"}).size(), 5u);
}

TEST(Sizes, AreOneNumberForEachExtent) {
  EXPECT_EQ(settings(kTranspose, {"--size", "64x48"}).sizes, (Sizes{64, 48}));
  EXPECT_EQ(settings(kTranspose, {"--size", "64"}).sizes, (Sizes{64, 64}));
  EXPECT_EQ(settings(kTranspose, {"--size", "0x5"}).sizes, (Sizes{0, 5}));
  EXPECT_EQ(settings(kTranspose, {"--size", "1073741824"}).sizes, (Sizes{1 << 30, 1 << 30}));
  EXPECT_EQ(settings(kSum, {"--size", "2^20"}).sizes, Sizes{1 << 20});
  EXPECT_EQ(settings(kTranspose, {"--size", "2^10x2^11"}).sizes, (Sizes{1024, 2048}));
  EXPECT_EQ(settings(kTranspose, {"--size", "2^3x48"}).sizes, (Sizes{8, 48}));
  EXPECT_EQ(text_of(settings(kSum, {"--block-size", "2^8"}).block), "256");
}

TEST(OwnOptions, AreWordsAndNumbers) {
  const StatisticsChoice chosen = StatisticsProblem::choice(
      settings(kStatistics, {"--operation", "min", "--type", "int", "--distribution", "negative"}));
  EXPECT_EQ(chosen.operation, Operation::minimum);
  EXPECT_EQ(chosen.type, NumberType::ints);
  EXPECT_EQ(chosen.numbers, Numbers::negative);
  const IntegrationChoice integral =
      IntegrationProblem::choice(settings(kIntegral, {"--function", "arc", "--from", "-1e6", "--to", "-.25"}));
  EXPECT_EQ(integral.function, Function::arc);
  EXPECT_EQ(integral.from, -1e6);
  EXPECT_EQ(integral.to, -0.25);
  EXPECT_EQ(settings(kTranspose, {"--misalign", "3"}).choice<unsigned>("misalign"), 3u);
}

struct Mistake {
  Arguments arguments;
  const char* message;
};

TEST(Mistakes, OfASumGetOneClearLine) {
  const std::vector<Mistake> table{
      {{"--size", "-5"}, "--size -5 is negative"},
      {{"--size=-5"}, "--size -5 is negative"},
      {{"--size", "many"}, "--size many is not a whole number"},
      {{"--size", "12abc"}, "--size 12abc is not a whole number"},
      {{"--size", "1.5"}, "--size 1.5 is not a whole number"},
      {{"--size", "+5"}, "--size +5 is not a whole number"},
      {{"--size", " 5"}, "--size  5 is not a whole number"},
      {{"--size", ""}, "--size  is not a whole number"},
      {{"--size", "5x"}, "--size 5x has an extent that is no number"},
      {{"--size", "5x6"}, "--size 5x6 has 2 extents: size has 1"},
      {{"--size", "99999999999999999999"}, "--size 99999999999999999999 is too large: at most 18446744073709551615"},
      {{"--size", "281474976710657"}, "--size 281474976710657 is too large: at most 281474976710656"},
      {{"--size", "2^64"}, "--size 18446744073709551616 is too large: at most 18446744073709551615"},
      {{"--size", "2^"}, "--size 2^ is not a whole number"},
      {{"--size", "12^3"}, "--size 12^3 is not a whole number"},
      {{"--size", "2^10x2^11"}, "--size 2^10x2^11 has 2 extents: size has 1"},
      {{"--block-size", "2^4"}, "--block-size 2^4 is not a power of two from 32 to 1024"},
      {{"--size", "1", "--size", "2"}, "--size is given more than once"},
      {{"--json", "--size", "2", "--json"}, "--json is given more than once"},
      {{"--seed", "4294967296"}, "--seed 4294967296 is too large: at most 4294967295"},
      {{"--seed", "-1"}, "--seed -1 is negative"},
      {{"--block-size", "100"}, "--block-size 100 is not a power of two from 32 to 1024"},
      {{"--block-size", "16"}, "--block-size 16 is not a power of two from 32 to 1024"},
      {{"--block-size", "2048"}, "--block-size 2048 is not a power of two from 32 to 1024"},
      {{"--block-size", "-32"}, "--block-size -32 is not a power of two from 32 to 1024"},
      {{"--block-size", "0x20"}, "--block-size 0x20 is not a power of two from 32 to 1024"},
      {{"--block-size", "32x2"}, "--block-size 32x2 is not a power of two from 32 to 1024"},
      {{"--repeat", "0"}, "--repeat 0 is too small: at least 1"},
      {{"--distribution", "normal"},
       "--distribution normal is unknown; there are uniform, signed, exact, constant, shifted, negative, one-hot, "
       "infinite, infinity, infinities, nan"},
      {{"--cases", "quick,slow"}, "--cases slow is unknown; there are quick, hostile, full"},
      {{"--cases", "bench"}, "--cases bench is unknown; there are quick, hostile, full"},
      {{"--cases", ""}, "--cases names no purpose; there are quick, hostile, full"},
      {{"--cases", "quick", "--size", "5"}, "--size is for one case, and --cases brings its own"},
      {{"--block-size", "64", "--cases", "quick"}, "--block-size is for one case, and --cases brings its own"},
      {{"--cases", "quick", "--repeat", "2"}, "--repeat is for one case, and --cases brings its own"},
      {{"--poison", "256"}, "--poison 256 is no byte: 0 to 255, or 0x0 to 0xFF"},
      {{"--poison", "-1"}, "--poison -1 is no byte: 0 to 255, or 0x0 to 0xFF"},
      {{"--poison", "0x"}, "--poison 0x is no byte: 0 to 255, or 0x0 to 0xFF"},
      {{"--time-limit", "0"}, "--time-limit 0 is not a number of seconds above 0"},
      {{"--time-limit", "nan"}, "--time-limit nan is not a number of seconds above 0"},
      {{"--time-limit", "5s"}, "--time-limit 5s is not a number of seconds above 0"},
      {{"--sizes", "3"}, "unknown option --sizes; did you mean --size? (--help lists the options)"},
      {{"--blok-size=3"}, "unknown option --blok-size=3; did you mean --block-size? (--help lists the options)"},
      {{"--misalign", "1"}, "unknown option --misalign (--help lists the options)"},
      {{"17"}, "unknown option 17 (--help lists the options)"},
      {{"-x"}, "unknown option -x (--help lists the options)"},
      {{"--json", "-x"}, "unknown option -x (--help lists the options)"},
  };
  for (const Mistake& row : table) EXPECT_EQ(mistake(kSum, row.arguments), row.message);
  for (const Arguments& incomplete : {Arguments{"--size"}, Arguments{"--size="}}) {  // CLI11's words
    const std::string message = mistake(kSum, incomplete);
    EXPECT_EQ(message.rfind("--size", 0), 0u) << message;
    EXPECT_NE(message.find("(--help lists the options)"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(Mistakes, OfOtherProblemsGetOneToo) {
  const std::vector<std::pair<const Problem*, Mistake>> table{
      {&kTranspose, {{"--size", "1x2x3"}, "--size 1x2x3 has 3 extents: rowsxcolumns has 2"}},
      {&kTranspose, {{"--size", "5x"}, "--size 5x has an extent that is no number"}},
      {&kTranspose, {{"--size", "x5"}, "--size x5 has an extent that is no number"}},
      {&kTranspose, {{"--size", "5x-6"}, "--size -6 is negative"}},
      {&kTranspose, {{"--size", "1x1073741825"}, "--size 1x1073741825 is too large: at most 1073741824"}},
      {&kTranspose, {{"--seed", "1"}, "unknown option --seed (--help lists the options)"}},
      {&kTranspose, {{"--block-size", "8x8"}, "--block-size 8x8 is not one of 16x16, 32x4, 32x8, 32x32, 64x4, 256x1"}},
      {&kTranspose, {{"--padding", "1.5"}, "--padding 1.5 is not a whole number"}},
      {&kTranspose, {{"--misalign", "4"}, "--misalign 4 is not between 0 and 3"}},
      {&kTranspose, {{"--misalign", "-1"}, "--misalign -1 is not between 0 and 3"}},
      {&kIntegral, {{"--from", "x"}, "--from x is not a number"}},
      {&kIntegral, {{"--from", ""}, "--from  is not a number"}},
      {&kIntegral, {{"--from", "1,5"}, "--from 1,5 is not a number"}},
      {&kIntegral, {{"--to", "nan"}, "--to nan is not between -1e+06 and 1e+06"}},
      {&kIntegral, {{"--to", "-inf"}, "--to -inf is not between -1e+06 and 1e+06"}},
      {&kIntegral, {{"--to", "1e7"}, "--to 1e7 is not between -1e+06 and 1e+06"}},
      {&kIntegral, {{"--function", "cube"}, "--function cube is unknown; there are square, sine, bell, arc"}},
      {&kStatistics,
       {{"--operation", "median"}, "--operation median is unknown; there are sum, product, min, max, mean, deviation"}},
  };
  for (const auto& [problem, row] : table) EXPECT_EQ(mistake(*problem, row.arguments), row.message);
}

// What a report tells to type leads to the settings that it is about.
TEST(CommandLine, ComesBackAsTheSameSettings) {
  for (const Problem* problem : std::vector<const Problem*>{&kSum, &kStatistics, &kIntegral, &kTranspose}) {
    const Settings standard = default_settings(kStage, *problem);
    for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full, Purpose::lesson, Purpose::bench}) {
      const std::vector<Settings> cases = problem->cases(purpose, standard, problem->block_rule().shapes, true);
      ASSERT_FALSE(cases.empty()) << problem->name() << " " << name_of(purpose);
      for (std::size_t i = 0; i < cases.size(); i += 1 + cases.size() / 50) {
        const std::string text = command_line(*problem, cases[i]);
        std::istringstream line(text);
        std::vector<std::string> words{std::istream_iterator<std::string>(line), {}};
        Arguments arguments;
        for (const std::string& word : words) arguments.push_back(word.c_str());
        const Settings again = settings(*problem, arguments);
        EXPECT_EQ(again.sizes, cases[i].sizes) << text;
        EXPECT_EQ(again.seed, cases[i].seed) << text;
        EXPECT_EQ(again.options, cases[i].options) << text;
        EXPECT_EQ(text_of(again.block), text_of(cases[i].block)) << text;
      }
    }
  }
  EXPECT_EQ(command_line(kTranspose, default_settings(kStage, kTranspose)),
            "--size 4096x4096 --block-size 32x8 --padding 0 --output-padding 0 --misalign 0");
}

TEST(Help, NamesEveryOptionAndItsValues) {
  const std::string help = std::get<HelpText>(parse(kStatistics, {"--help"})).text;
  for (const char* part :
       {"--size", "--seed", "--block-size", "--operation", "--type", "--distribution", "--repeat", "--cases",
        "--poison", "--time-limit", "--describe", "--json", "one-hot", "deviation", "Exit status: 0 matches"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace workbook
