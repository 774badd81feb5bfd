// SPDX-License-Identifier: MIT
// The class of each instruction that the simulator knows.
#include "timing/instruction_class.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../isa/isa_helpers.h"
#include "isa/instruction.h"

namespace cudasim {
namespace {

InstructionOrigin origin_of(const std::string& opcode, std::size_t operands) {
  const Found found = find_row(scalar_instruction(opcode, operands), best_level());
  EXPECT_NE(found.row, nullptr) << opcode;
  InstructionOrigin origin;
  origin.row = found.row;
  origin.match = found.match;
  return origin;
}

TEST(InstructionClass, FollowsFromOpcodeAndType) {
  const struct {
    const char *opcode, *its_class;
    std::size_t operands;
  } cases[] = {
      {"fma.rn.f32", "fp32_fma", 4},
      {"add.f32", "fp32", 3},
      {"mul.f64", "fp64", 3},
      {"setp.lt.f64", "fp64", 3},
      {"add.u32", "integer", 3},
      {"add.s64", "wide_integer", 3},
      {"mul.lo.u64", "wide_integer", 3},
      {"mul.wide.u32", "integer_multiply", 3},
      {"mad.lo.s32", "integer_multiply", 4},
      {"rem.u32", "division", 3},
      {"div.rn.f32", "division", 3},
      {"sqrt.rn.f32", "division", 2},
      {"sqrt.approx.f32", "special", 2},
      {"ex2.approx.f32", "special", 2},
      {"popc.b32", "special", 2},
      {"cvt.u64.u32", "move", 2},
      {"cvt.rn.f32.s32", "conversion", 2},
      {"cvt.u16.u32", "integer", 2},
      {"setp.lt.s32", "predicate", 3},
      {"and.pred", "predicate", 3},
      {"selp.f32", "predicate", 4},
      {"mov.pred", "predicate", 2},
      {"mov.u32", "move", 2},
  };
  for (const auto& each : cases)
    EXPECT_STREQ(name_of(class_of(origin_of(each.opcode, each.operands))), each.its_class) << each.opcode;
}

TEST(InstructionClass, EveryRowHasOne) {
  for (std::size_t family = 0; family < family_count(); ++family) {
    const InstructionDefinitions rows = all_rows(best_level(), family);
    for (std::size_t i = 0; i < rows.count; ++i) {
      InstructionOrigin origin;
      origin.row = rows.begin + i;
      for (auto& choice : origin.match.choice) choice = 0;  // each group's first alternative
      EXPECT_NE(class_of(origin), InstructionClass::other) << origin.row->pattern;
    }
  }
}

TEST(InstructionClass, ATensorShapeHasTheTypeOfItsFirstFactor) {
  std::vector<std::string> shapes;
  for (std::size_t family = 0; family < family_count(); ++family) {
    const InstructionDefinitions rows = all_rows(best_level(), family);
    for (std::size_t i = 0; i < rows.count; ++i) {
      InstructionOrigin origin;
      origin.row = rows.begin + i;
      for (auto& choice : origin.match.choice) choice = 0;
      if (class_of(origin) == InstructionClass::tensor) shapes.push_back(tensor_shape(origin));
    }
  }
  EXPECT_EQ(shapes, (std::vector<std::string>{"m16n8k8.f16", "m16n8k8.f16", "m16n8k4.tf32", "m8n8k16.s8", "m8n8k4.f64",
                                              "m16n16k16.f16", "m16n16k16.bf16", "m16n16k8.tf32", "m16n16k16.s8",
                                              "m8n8k4.f64"}));
}

TEST(InstructionClass, CountsAndProductsOf64BitsAreTwoOperations) {
  for (const char* two : {"popc.b64", "clz.b64", "brev.b64"}) EXPECT_EQ(parts_of(origin_of(two, 2)), 2u) << two;
  for (const char* one : {"popc.b32", "brev.b32"}) EXPECT_EQ(parts_of(origin_of(one, 2)), 1u) << one;
  EXPECT_EQ(parts_of(origin_of("mul.lo.u64", 3)), 2u);
  for (const char* one : {"mul.wide.u32", "mul.lo.u32", "mul.f64", "add.s64", "xor.b64"})
    EXPECT_EQ(parts_of(origin_of(one, 3)), 1u) << one;
}

}  // namespace
}  // namespace cudasim
