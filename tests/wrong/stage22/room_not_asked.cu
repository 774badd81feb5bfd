// refused: out-of-bounds: there are more parts than the workspace has room for
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x3000
// hint: outside-global
#define ONE_FORM Medium
#include "../stage22_but_plan_for.cuh"

template <class Form>
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors) {
  Plan plan{line_of<Form>(c, terms), 0.0};
  Line& line = plan.line;
  const double of_round = Form::kHeight * Form::kWidth * Form::kRound / (128 * kCost<Form>.speed);
  const double of_tile = of_round * static_cast<double>(line.rounds) + kCost<Form>.fill;
  plan.cycles = static_cast<double>((line.tiles() + multiprocessors - 1) / multiprocessors) * of_tile;

  constexpr std::size_t kLeastShare = 4;  // rounds
  const std::size_t room_for = room / (Form::kHeight * Form::kWidth);
  if (room_for <= line.tiles()) return plan;
  const std::size_t blocks = multiprocessors * Form::kBlocksAnSm;
  const std::size_t share = std::max((line.length() + blocks - 1) / blocks, kLeastShare);
  const double in_shares =
      static_cast<double>(line.length()) * of_round / multiprocessors + 2 * kCost<Form>.fill + kAddingParts;
  if (share != line.rounds && in_shares < 0.9 * plan.cycles) {
    line.share = share;
    plan.cycles = in_shares;
  }
  return plan;
}
