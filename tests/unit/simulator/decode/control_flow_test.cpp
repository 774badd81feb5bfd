// SPDX-License-Identifier: MIT
// The blocks of a function, and which of them follow each other.
#include "decode/analysis/control_flow.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace cudasim {
namespace {

TEST(ControlFlow, NothingComesBehindTheEnd) {
  // The last instruction in the text is a branch back. It is the end of a block, and not of the exit.
  const auto text = ptx::parse(R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k() {
.reg .pred %p<2>;
LOOP: setp.lt.u32 %p1, 1, 2;
@%p1 ret;
bra LOOP;
}
)");
  const ControlFlow flow = build_control_flow(text.functions[0]);
  ASSERT_EQ(flow.blocks.size(), 3u);
  EXPECT_EQ(flow.blocks[0].predecessors, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(flow.blocks[2].predecessors, (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(flow.blocks[2].successors.empty());
}

}  // namespace
}  // namespace cudasim
