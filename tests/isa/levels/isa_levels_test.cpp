// SPDX-License-Identifier: MIT
// Every meaning of the instruction table at every vector level: the same bits as the scalar meaning, under any mask.
#include <gtest/gtest.h>

#include <iterator>
#include <random>

#include "isa/families.h"
#include "isa/instruction.h"
#include "isa_helpers.h"

namespace cudasim {

namespace reference {
#define CUDASIM_DECLARE_FAMILY(name) InstructionDefinitions name##_rows();
CUDASIM_PURE_FAMILIES(CUDASIM_DECLARE_FAMILY)
#undef CUDASIM_DECLARE_FAMILY
}  // namespace reference

namespace {

class IsaLevels : public ::testing::TestWithParam<Level> {};

/// Rows of a family as CMakeLists.txt compiles them: the scalar meaning for each lane of the mask.
InstructionDefinitions reference_rows(std::size_t family) {
#define CUDASIM_REFERENCE_FAMILY(name) reference::name##_rows,
  constexpr InstructionDefinitions (*families[])() = {CUDASIM_PURE_FAMILIES(CUDASIM_REFERENCE_FAMILY)};
#undef CUDASIM_REFERENCE_FAMILY
  return family < std::size(families) ? families[family]() : InstructionDefinitions{};
}

TEST_P(IsaLevels, GiveTheBitsOfTheScalarMeaningUnderAnyMask) {
  std::mt19937_64 random(5);
  std::size_t compared = 0;
  for (std::size_t f = 0; f < family_count(); ++f) {
    const InstructionDefinitions rows = reference_rows(f);
    for (std::size_t r = 0; r < rows.count; ++r) {
      const InstructionDefinition& row = rows.begin[r];
      const InstructionDefinition& wide = all_rows(GetParam(), f).begin[r];
      ASSERT_STREQ(wide.pattern, row.pattern);
      if (!is_pure(row)) continue;
      for_each_match(row, 300, [&](const Match& match) {
        const auto few = static_cast<Mask>(random() & random());
        for (const Mask mask : {~Mask{0}, static_cast<Mask>(random()), few, Mask{1} << (random() % 32), Mask{0}}) {
          Frame expected(random);
          expected.fill_sources(row, match, random);
          Frame got = expected;
          const Frame before = expected;
          const MicroOp op = micro_op_for(row, match);
          row.select(match)(expected.bytes(), op, mask);
          wide.select(match)(got.bytes(), op, mask);
          ASSERT_EQ(got, expected) << opcode_of(row, match) << " with mask " << std::hex << mask;
          expected.expect_only_destinations_changed(before, row, match, mask);
          ++compared;
        }
      });
    }
  }
  EXPECT_GT(compared, 15000u);
}

TEST_P(IsaLevels, ADestinationMayBeASource) {
  std::mt19937_64 random(6);
  std::size_t compared = 0;
  for_each_row(GetParam(), [&](const InstructionDefinition& row) {
    if (!is_pure(row)) return;
    for_each_match(row, 60, [&](const Match& match) {
      for (const char source : {'a', 'b', 'c', 'f'}) {
        if (!same_slot_possible(row, match, source)) continue;
        const Mask mask = random() % 2 != 0 ? ~Mask{0} : static_cast<Mask>(random());
        Frame apart(random);
        apart.fill_sources(row, match, random);
        Frame together = apart;
        MicroOp op = micro_op_for(row, match);
        const std::uint32_t source_slot = slot_of(op, source), destination_slot = op.d;
        together.copy_slot(destination_slot, source_slot);
        apart.copy_slot(destination_slot, source_slot);  // so that inactive lanes agree too
        row.select(match)(apart.bytes(), op, mask);
        slot_of(op, source) = destination_slot;
        row.select(match)(together.bytes(), op, mask);
        ASSERT_TRUE(together.same_slot(apart, destination_slot)) << opcode_of(row, match) << ", d is " << source;
        ++compared;
      }
    });
  });
  EXPECT_GT(compared, 2000u);
}

INSTANTIATE_TEST_SUITE_P(All, IsaLevels, ::testing::ValuesIn(levels_to_test()),
                         [](const auto& info) { return level_name(info.param); });

}  // namespace
}  // namespace cudasim
