// SPDX-License-Identifier: MIT
// The instruction table: that its rows are well formed, that what compilers write is found, that meanings give the
// values that the PTX manual states. That every vector level gives the same bits under any mask: tests/isa/levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "isa/instruction.h"
#include "isa_helpers.h"

namespace cudasim {

namespace {

// ---- the table -----------------------------------------------------------------------------------------------------

TEST(IsaTable, RowsAreWellFormed) {
  std::set<std::string> seen;
  for_each_row(best_level(), [&](const InstructionDefinition& row) {
    EXPECT_TRUE(seen.insert(std::string(row.pattern) + " " + row.operands).second) << row.pattern << " is there twice";
    EXPECT_LE(groups_of(row).size(), Match::kMaxGroups) << row.pattern;
    EXPECT_EQ(is_pure(row), row.select != nullptr) << row.pattern;
    EXPECT_EQ(std::string(row.section).rfind("9.7.", 0), 0u) << row.pattern;
    const std::string operands = row.operands;
    EXPECT_EQ(operands == "*" || operands == "d *", !is_pure(row)) << row.pattern;
    EXPECT_EQ(writes_first_operand(row), operands != "*") << row.pattern;
    for (const auto& operand : operands_of(row)) {
      const bool known = operand.type == "cc" || type_of(row, first_match(row), operand.type) != ptx::Type::none;
      EXPECT_TRUE(known) << row.pattern << " has operand type " << operand.type;
    }
  });
  EXPECT_GT(seen.size(), 200u);
}

TEST(IsaTable, EveryMatchHasAMeaningAndIsFoundByItsText) {
  std::size_t count = 0;
  for_each_row(best_level(), [&](const InstructionDefinition& row) {
    for_each_match(row, 500, [&](const Match& match) {
      ++count;
      if (is_pure(row)) {
        ASSERT_NE(row.select(match), nullptr) << opcode_of(row, match);
      }
      const Found found = find_row(instruction_for(row, match), best_level());
      ASSERT_NE(found.row, nullptr) << opcode_of(row, match);
      // An earlier row may be the one that fits, but then it says the same.
      EXPECT_EQ(opcode_of(*found.row, found.match), opcode_of(row, match));
    });
  });
  EXPECT_GT(count, 5000u);
}

TEST(IsaTable, LevelsHaveTheSameRows) {
  for (std::size_t f = 0; f < family_count(); ++f) {
    const InstructionDefinitions rows = all_rows(best_level(), f);
    for (const Level level : levels_to_test()) {
      ASSERT_EQ(all_rows(level, f).count, rows.count) << family_name(f);
      for (std::size_t r = 0; r < rows.count; ++r)
        EXPECT_STREQ(all_rows(level, f).begin[r].pattern, rows.begin[r].pattern);
    }
  }
}

TEST(IsaTable, ALevelIsForcedOnlyWhereItCanRun) {
  EXPECT_EQ(why_no_level(nullptr), "");
  EXPECT_EQ(why_no_level(""), "");
  EXPECT_EQ(why_no_level(level_name(best_level())), "");
  EXPECT_NE(why_no_level("sse9").find("CUDASIM_LEVEL=sse9 is none of the vector levels"), std::string::npos);
  for (const Level level : {Level::baseline, Level::avx2, Level::avx512})
    EXPECT_EQ(why_no_level(level_name(level)).empty(), can_run(level)) << level_name(level);
}

TEST(IsaTable, TokenNamesTheChoice) {
  const Found found = find_row(scalar_instruction("setp.lt.and.s32", 4), best_level());
  ASSERT_NE(found.row, nullptr);
  EXPECT_EQ(token(*found.row, found.match, 0), ".lt");
  EXPECT_EQ(token(*found.row, found.match, 1), ".and");
  EXPECT_EQ(token(*found.row, found.match, 2), ".s32");
  EXPECT_EQ(token(*found.row, found.match, 3), "");
}

TEST(IsaTable, UnknownInstructionsAreNotFound) {
  for (const char* opcode : {"", "frobnicate.u32", "add", "add.u33", "add.u32.u32", "add.s32.sat.rn", "setp.lt.b32",
                             "mul.u32", "fma.f32", "shl.u32", "ld.global", "wmma.mma.sync", "add.rn.u32"}) {
    EXPECT_EQ(find_row(scalar_instruction(opcode, 3), best_level()).row, nullptr) << opcode;
  }
  EXPECT_EQ(find_row(scalar_instruction("add.u32", 2), best_level()).row, nullptr) << "too few operands";
  EXPECT_EQ(find_row(scalar_instruction("add.u32", 4), best_level()).row, nullptr) << "too many operands";
}

TEST(IsaTable, MessagesNameNearForms) {
  EXPECT_NE(nearest_patterns("mul.low.u32").find("mul.lo<"), std::string::npos);
  EXPECT_NE(nearest_patterns("ad.u32").find("add<"), std::string::npos);
  EXPECT_EQ(nearest_patterns("multimem.ld_reduce"), "");
}

TEST(IsaTable, OperandShapesChooseTheRow) {
  using K = ptx::Operand::Kind;
  ptx::Instruction pack = scalar_instruction("mov.b64", 2);
  EXPECT_STREQ(find_row(pack, best_level()).row->operands, "d:G0 a:G0");
  pack.operands[1] = vector_operand(2);
  EXPECT_STREQ(find_row(pack, best_level()).row->operands, "d:b64 {a,b}:b32");
  pack.operands[1] = vector_operand(4);
  EXPECT_STREQ(find_row(pack, best_level()).row->operands, "d:b64 {a,b,c,f}:b16");
  ptx::Instruction setp = scalar_instruction("setp.eq.s32", 3);
  EXPECT_STREQ(find_row(setp, best_level()).row->operands, "d:pred a:G1 b:G1");
  setp.operands[0].kind = K::pair;
  EXPECT_STREQ(find_row(setp, best_level()).row->operands, "d|e:pred a:G1 b:G1");
  setp.operands[0].kind = K::integer;
  EXPECT_EQ(find_row(setp, best_level()).row, nullptr) << "a number is no destination";
}

/// Spellings taken from what nvcc 13.0 makes of tutorial kernels, cooperative groups, libdevice, CUB and -G code.
TEST(IsaTable, FindsWhatCompilersWrite) {
  std::istringstream opcodes(compiler_opcodes);
  std::size_t count = 0;
  for (std::string line; std::getline(opcodes, line);) {
    std::istringstream words(line);
    std::size_t operands = 0;
    words >> operands;
    for (std::string opcode; words >> opcode; ++count) {
      EXPECT_NE(find_row(scalar_instruction(opcode, operands), best_level()).row, nullptr) << opcode;
    }
  }
  EXPECT_GT(count, 300u);
}

// ---- values --------------------------------------------------------------------------------------------------------

TEST(IsaValues, EdgeValues) {
  for (const auto& c : value_cases()) {
    EXPECT_EQ(evaluate(c.opcode, c.sources), c.expected)
        << c.opcode << " of " << ::testing::PrintToString(c.sources) << std::hex << " expected 0x" << c.expected;
  }
}

TEST(IsaValues, BitFieldsFollowTheManualsLoop) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const bool wide = i % 2 != 0;
    const unsigned top = wide ? 63 : 31;
    const std::uint64_t limit = wide ? ~0ull : 0xffffffffull;
    const std::uint64_t a = random() & limit, b = random() & limit;
    const std::uint64_t position = random() % (i % 5 == 0 ? 256 : 70), length = random() % (i % 7 == 0 ? 256 : 70);
    std::uint64_t u = 0, s = 0, inserted = b;
    const std::uint64_t sign_at = std::min<std::uint64_t>(position + length - 1, top);
    const std::uint64_t sign = length == 0 ? 0 : (a >> sign_at) & 1;
    for (unsigned bit = 0; bit <= top; ++bit) {
      const bool inside = bit < length && position + bit <= top;
      const std::uint64_t from_a = inside ? (a >> (position + bit)) & 1 : 0;
      u |= from_a << bit;
      s |= (inside ? from_a : sign) << bit;
      if (inside) {
        inserted &= ~(1ull << (position + bit));
        inserted |= ((a >> bit) & 1) << (position + bit);
      }
    }
    ASSERT_EQ(evaluate(wide ? "bfe.u64" : "bfe.u32", {a, position, length}), u)
        << a << " " << position << " " << length;
    ASSERT_EQ(evaluate(wide ? "bfe.s64" : "bfe.s32", {a, position, length}), s)
        << a << " " << position << " " << length;
    ASSERT_EQ(evaluate(wide ? "bfi.b64" : "bfi.b32", {a, b, position, length}), inserted);
  }
}

TEST(IsaValues, DirectedRoundingBracketsTheExactResult) {
  std::mt19937 random(2);
  for (int i = 0; i < 4000; ++i) {
    const auto a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
    const double x = static_cast<double>(as_float(a)), y = static_cast<double>(as_float(b));
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    const double exact = x * y;  // 48 bits: exact unless it leaves the range of double, which f32 factors cannot do
    const double down = static_cast<double>(as_float(evaluate("mul.rm.f32", {a, b})));
    const double up = static_cast<double>(as_float(evaluate("mul.rp.f32", {a, b})));
    const double zero = static_cast<double>(as_float(evaluate("mul.rz.f32", {a, b})));
    const double nearest = static_cast<double>(as_float(evaluate("mul.rn.f32", {a, b})));
    ASSERT_LE(down, exact);
    ASSERT_GE(up, exact);
    const float next = std::nextafterf(static_cast<float>(down), HUGE_VALF);
    ASSERT_TRUE(down == up || static_cast<double>(next) == up) << "more than one number apart";
    ASSERT_EQ(zero, exact < 0 ? up : down);
    ASSERT_TRUE(nearest == down || nearest == up);
    if (std::isfinite(up) && std::isfinite(down)) {
      ASSERT_LE(std::fabs(nearest - exact), std::min(exact - down, up - exact));
    }
  }
}

TEST(IsaValues, EveryF16SurvivesTheWayThroughF32) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const bool nan = (h & 0x7c00) == 0x7c00 && (h & 0x3ff) != 0;
    const auto wide = evaluate("cvt.f32.f16", {h});
    if (nan) {
      ASSERT_EQ(wide, 0x7fffffffu);
      continue;
    }
    const int field = static_cast<int>((h >> 10) & 31);
    const double magnitude = field == 31  ? HUGE_VAL
                             : field == 0 ? std::ldexp(h & 0x3ff, -24)
                                          : std::ldexp((h & 0x3ff) + 1024, field - 25);
    ASSERT_EQ(static_cast<double>(as_float(wide)), (h & 0x8000) != 0 ? -magnitude : magnitude) << h;
    ASSERT_EQ(evaluate("cvt.rn.f16.f32", {wide}), h);
    ASSERT_EQ(evaluate("cvt.rz.f16.f64", {as_bits(static_cast<double>(as_float(wide)))}), h);
  }
}

TEST(IsaValues, F16RoundingChoosesTheRightNeighbour) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    // Magnitudes around the range of f16: from far below its subnormals to twice its largest.
    const float x =
        std::ldexp(1.0f + static_cast<float>(random() & 0x7fffff) / 8388608.0f, static_cast<int>(random() % 44) - 27);
    const auto bits = as_bits(x);
    const auto down = evaluate("cvt.rm.f16.f32", {bits}), up = evaluate("cvt.rp.f16.f32", {bits});
    const auto value = [](std::uint64_t h) { return as_float(evaluate("cvt.f32.f16", {h})); };
    ASSERT_LE(value(down), x);
    ASSERT_GE(value(up), x);
    ASSERT_TRUE(up == down || up == down + 1) << x;
    ASSERT_EQ(evaluate("cvt.rz.f16.f32", {bits}), down);
    const auto nearest = evaluate("cvt.rn.f16.f32", {bits});
    if (up == 0x7c00) {
      ASSERT_EQ(nearest, x >= 65520.0f ? 0x7c00u : 0x7bffu) << x;
      continue;
    }
    const double below = static_cast<double>(x) - static_cast<double>(value(down));
    const double above = static_cast<double>(value(up)) - static_cast<double>(x);
    ASSERT_EQ(nearest, below < above ? down : above < below ? up : (down & 1) == 0 ? down : up) << x;
  }
}

TEST(IsaValues, CarryChainsAddAndSubtractWideNumbers) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t edges[] = {0, 1, ~0ull, 0xffffffffull, 0xffffffff00000000ull, random()};
    const std::uint64_t a = edges[random() % 6], b = edges[random() % 6];
    bool carry = false;
    const auto low = evaluate_carry("add.cc.u32", {a & 0xffffffff, b & 0xffffffff}, carry);
    const auto high = evaluate_carry("addc.cc.u32", {a >> 32, b >> 32}, carry);
    EXPECT_EQ(low | high << 32, a + b);
    EXPECT_EQ(carry, a + b < a);
    const auto low_difference = evaluate_carry("sub.cc.u32", {a & 0xffffffff, b & 0xffffffff}, carry);
    const auto high_difference = evaluate_carry("subc.cc.u32", {a >> 32, b >> 32}, carry);
    EXPECT_EQ(low_difference | high_difference << 32, a - b);
    EXPECT_EQ(carry, a < b);
    // 32 by 32 bits by way of both halves of a product, plus b.
    const std::uint64_t x = a & 0xffffffff, y = b >> 32;
    const auto product_low = evaluate_carry("mad.lo.cc.u32", {x, y, b & 0xffffffff}, carry);
    const auto product_high = evaluate_carry("madc.hi.u32", {x, y, b >> 32}, carry);
    EXPECT_EQ(product_low | product_high << 32, x * y + b);
  }
}

}  // namespace
}  // namespace cudasim
