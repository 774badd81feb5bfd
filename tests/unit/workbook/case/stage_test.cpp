// SPDX-License-Identifier: MIT
// Blocks and sizes as one types them, and which blocks a stage's row leaves of its problem's.
#include "workbook/case/stage.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "workbook/problem/products/matrix/matrix_problem.h"
#include "workbook/problem/sums/integration/integration_problem.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

TEST(ParseBlock, TakesOneNumberOrTwo) {
  struct Row {
    const char* text;
    unsigned x, y;
    const char* shown;
  };
  for (const Row& row : {Row{"256", 256, 1, "256"}, Row{"32x8", 32, 8, "32x8"}, Row{"256x1", 256, 1, "256"},
                         Row{"1x256", 1, 256, "1x256"}, Row{"4294967295", 4294967295u, 1, "4294967295"},
                         Row{"2^5x2^3", 32, 8, "32x8"}}) {
    dim3 block(7, 7, 7);
    ASSERT_TRUE(parse_block(row.text, block)) << row.text;
    EXPECT_EQ(block.x, row.x);
    EXPECT_EQ(block.y, row.y);
    EXPECT_EQ(block.z, 1u);
    EXPECT_EQ(text_of(block), row.shown);
  }
  for (const char* const bad :
       {"",     "0",  "0x5", "5x0", "x",   "5x", "x5",   "5xx5", "5x5x5",  "-5",         "+5",
        "5x-5", " 5", "5 ",  "5.0", "1e2", "2^", "2^32", "2^8x", "0x20x8", "4294967296", "five"}) {
    dim3 block;
    EXPECT_FALSE(parse_block(bad, block)) << bad;
  }
}

TEST(TextOf, SizesHaveAnXBetweenThem) {
  EXPECT_EQ(text_of(Sizes{0}), "0");
  EXPECT_EQ(text_of(Sizes{16'777'216}), "16777216");
  EXPECT_EQ(text_of(Sizes{4096, 2048, 3}), "4096x2048x3");
}

TEST(ChangedSinceBuilt, ComparesTheFileWithWhatWasCompiled) {
  const std::string file = testing::TempDir() + "stage_test.cu", copy = file + ".built-from";
  const Stage stage{1, "title", "stages/stage01/todo.cu", "", "", 0, file.c_str(), copy.c_str()};
  const auto write = [](const std::string& path, const char* text) { std::ofstream(path) << text; };
  write(file, "as built");
  EXPECT_EQ(changed_since_built(stage), "");  // nothing is known of the build
  write(copy, "as built");
  EXPECT_EQ(changed_since_built(stage), "");
  for (const char* const edited : {"as edit", "as built, and more", ""}) {
    write(file, edited);
    EXPECT_EQ(changed_since_built(stage),
              "stages/stage01/todo.cu has changed since this program was built: build it again, as scripts/workbook "
              "run 1 --todo does");
  }
  std::remove(file.c_str());
  EXPECT_EQ(changed_since_built(stage), "");  // a program that was moved to another machine
  std::remove(copy.c_str());
}

Stage with_row(const char* block, const char* blocks) { return {1, "title", "file.cu", block, blocks}; }

TEST(BlockRule, ARowNarrowsItDown) {
  const IntegrationProblem lines(nullptr);
  const MatrixProblem matrices(Move::copy, nullptr);
  EXPECT_EQ(block_rule(with_row("", ""), lines).words, "a power of two from 1 to 1024");
  EXPECT_EQ(block_rule(with_row("", ""), lines).shapes.size(), 11u);
  EXPECT_EQ(text_of(block_rule(with_row("", ""), lines).standard), "256");
  EXPECT_EQ(text_of(block_rule(with_row("1024", ""), lines).standard), "1024");
  const BlockRule listed = block_rule(with_row("", "32x32 16x16"), matrices);
  EXPECT_EQ(listed.words, "one of 32x32, 16x16");
  EXPECT_EQ(listed.shapes.size(), 2u);
  EXPECT_EQ(text_of(listed.standard), "32x32");  // the first
  EXPECT_EQ(text_of(block_rule(with_row("16x16", "32x32 16x16"), matrices).standard), "16x16");
}

TEST(BlockRule, ARowWithAMistakeIsRefused) {
  const MatrixProblem problem(Move::copy, nullptr);
  for (const Stage& stage : {with_row("7x7", ""), with_row("many", ""), with_row("32x8", "32x32 16x16"),
                             with_row("", "32x32,16x16"), with_row("", "32x")}) {
    EXPECT_THROW(block_rule(stage, problem), std::logic_error) << stage.block << "; " << stage.blocks;
  }
}

// Each problem's own words and shapes say the same.
TEST(PowersOfTwo, AreTheShapesOfTheWords) {
  const BlockRule rule = powers_of_two(32, 1024, 256);
  EXPECT_EQ(rule.words, "a power of two from 32 to 1024");
  std::string shapes;
  for (const dim3& shape : rule.shapes) shapes += text_of(shape) + " ";
  EXPECT_EQ(shapes, "32 64 128 256 512 1024 ");
  std::string matrix_shapes;
  const BlockRule matrix_rule = MatrixProblem(Move::copy, nullptr).block_rule();
  for (const dim3& shape : matrix_rule.shapes)
    matrix_shapes += (matrix_shapes.empty() ? "one of " : ", ") + text_of(shape);
  EXPECT_EQ(matrix_rule.words, "one of 16x16, 32x4, 32x8, 32x32, 64x4, 256x1");
  EXPECT_EQ(matrix_shapes, "one of 16x16, 32x4, 32x8, 32x32, 64x4, 256");
}

TEST(WithBlocks, MakesEachBaseWithEachBlockOrInTurn) {
  Settings one, other;
  one.sizes = {1};
  other.sizes = {2};
  const auto shown = [](const std::vector<Settings>& cases) {
    std::string text;
    for (const Settings& settings : cases) text += text_of(settings.sizes) + ":" + text_of(settings.block) + " ";
    return text;
  };
  EXPECT_EQ(shown(with_blocks({one, other}, {{32}, {8, 8}})), "1:32 1:8x8 2:32 2:8x8 ");
  EXPECT_EQ(shown(with_blocks_in_turn({one, other, one}, {{32}, {8, 8}})), "1:32 2:8x8 1:32 ");
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
