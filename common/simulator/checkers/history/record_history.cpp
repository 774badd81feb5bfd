// SPDX-License-Identifier: MIT
#include "checkers/history/record_history.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "messages/describe_address.h"
#include "messages/element.h"
#include "messages/finding_messages.h"
#include "state/grid.h"

namespace cudasim {
namespace {

constexpr std::uint32_t kMostBytesOfLane = 64;

bool is_shuffle(const WarpOperation& operation) {
  using Mode = WarpOperation::Mode;
  return operation.mode == Mode::shuffle_up || operation.mode == Mode::shuffle_down ||
         operation.mode == Mode::shuffle_butterfly || operation.mode == Mode::shuffle_index;
}

std::string text_at(const Program& program, std::uint32_t instruction, const std::byte* value, std::uint32_t bytes) {
  return value_text(element_of(program, program.origins[instruction].ptx_line), value, bytes);
}

Author author_of(const Grid& grid, const History::Touch& touch) {
  Author author;
  author.kernel = grid.program.info.name;
  author.where = grid.program.source_line(touch.instruction);
  author.block = block_index(grid, touch.block);
  author.thread = thread_index(grid, touch.thread / kWarpSize, touch.thread % kWarpSize);
  return author;
}

/// A table for a function of the toolkit, such as sin().
bool is_of_toolkit(const Grid& grid, const History::Touch& touch) {
  const Allocation* allocation = touch.is_shared ? nullptr : grid.memory.find(touch.address);
  return allocation != nullptr && allocation->name.rfind("__cudart_", 0) == 0;
}

Finding described(const Grid& grid, const History::Touch& touch) {
  Finding place = finding_at(grid, touch.block, touch.thread / kWarpSize, touch.instruction,
                             1u << touch.thread % kWarpSize, FindingKind::race);
  if (touch.is_shared) {
    describe_shared(grid, place, touch.address);
  } else {
    describe_global(grid, place, touch.address, touch.bytes);
  }
  return place;
}

History::Touch touch_of(const AccessSeen& seen, unsigned lane) {
  return {seen.space == ptx::Space::shared,
          seen.block,
          seen.warp * kWarpSize + lane,
          seen.instruction,
          seen.address[lane],
          seen.bytes};
}

}  // namespace

HistoryObserver::HistoryObserver(History& history)
    : history_(history), before_(std::size_t{kWarpSize} * kMostBytesOfLane) {}

void HistoryObserver::begin_launch(Grid& grid) {
  grid_ = &grid;
  history_.begin_launch();
}

void HistoryObserver::before(const AccessSeen& seen) {
  for (Mask m = seen.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const History::Touch touch = touch_of(seen, lane);
    const bool exists = seen.memory[lane] != nullptr && seen.address[lane] % seen.bytes == 0;
    if (!exists) {
      if (seen.is_store) write(touch, PastWrite::Kind::refused, 1, nullptr, nullptr);
    } else if (seen.is_store) {
      std::memcpy(&before_[std::size_t{lane} * kMostBytesOfLane], seen.memory[lane],
                  std::min(seen.bytes, kMostBytesOfLane));
    } else if (!is_of_toolkit(*grid_, touch)) {
      history_.read(touch, seen.memory[lane]);
    }
  }
}

void HistoryObserver::after(const AccessSeen& seen) {
  if (!seen.is_store) return;
  const auto kind = seen.is_atomic ? PastWrite::Kind::atomic : PastWrite::Kind::store;
  Mask left = seen.lanes;
  while (left != 0) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    Mask same = 0;  // These lanes wrote one place by one instruction: the place now holds the value of each of them.
    for (Mask m = left; m != 0; m &= m - 1) {
      const auto other = static_cast<unsigned>(__builtin_ctz(m));
      if (seen.address[other] == seen.address[lane]) same |= 1u << other;
    }
    left &= ~same;
    write(touch_of(seen, lane), kind, count_lanes(same), &before_[std::size_t{lane} * kMostBytesOfLane],
          seen.memory[lane]);
  }
}

void HistoryObserver::write(const History::Touch& touch, PastWrite::Kind kind, std::uint32_t threads,
                            const std::byte* before, const std::byte* after) {
  const Program& program = grid_->program;
  const Author author = author_of(*grid_, touch);
  if (history_.is_watched(touch.is_shared, touch.address, touch.bytes)) {
    PastWrite write;
    write.kind = kind;
    write.author = author;
    write.threads = threads;
    if (before != nullptr) {
      write.before = text_at(program, touch.instruction, before, touch.bytes);
      write.after = text_at(program, touch.instruction, after, touch.bytes);
    }
    write.has_shuffles = std::any_of(program.warp_operations.begin(), program.warp_operations.end(), is_shuffle);
    for (const History::Read& read : history_.reads_of(touch, write.reads_left_out)) {
      const Finding place = described(*grid_, read.touch);
      PastRead past;
      past.where = place.where;
      past.place = place.allocation;
      past.value = text_at(program, read.touch.instruction, read.value.data(), std::min(read.touch.bytes, 16u));
      past.allocated = place.callers;
      if (const Author* left = history_.author_of(read.author)) past.author = *left;
      write.reads.push_back(std::move(past));
    }
    history_.add(std::move(write));
  }
  if (kind != PastWrite::Kind::refused) history_.set_author(touch, author);
}

}  // namespace cudasim
