// SPDX-License-Identifier: MIT
// The state of a launch, which its workers share: the blocks to hand out, and the findings.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "state/block.h"
#include "state/block_order.h"
#include "state/lane_addresses.h"
#include "state/printed_text.h"

namespace cudasim {

struct Checks;  // checkers/registry/checks.h

/// What all workers of one launch share.
struct Grid {
  Grid(const Program& program_, const Launch& launch_, Memory& memory_, const Schedule& schedule_)
      : program(program_), launch(launch_), memory(memory_), schedule(schedule_) {}
  const Program& program;
  const Launch& launch;
  Memory& memory;
  Schedule schedule;
  Checks* checks = nullptr;
  std::uint64_t blocks = 0;
  std::uint32_t warps_per_block = 0;
  std::uint32_t shared_bytes = 0;  ///< of a block, with the gaps between arrays
  struct SharedRange {
    std::uint32_t begin, bytes;
  };
  std::vector<SharedRange> shared_ranges;  ///< the arrays in it
  bool is_shared(std::uint64_t address, std::uint64_t bytes) const {
    for (const auto& range : shared_ranges) {
      const std::uint64_t offset = address - range.begin;
      if (offset < range.bytes) return bytes <= range.bytes - offset;
    }
    return false;
  }
  std::uint32_t resident_blocks = 1;       ///< how many blocks may be under way at once
  std::uint64_t grid_barrier_address = 0;  ///< %envreg1:%envreg2 of a cooperative launch
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<std::uint64_t> first_error_block{~0ull};  ///< blocks behind it need not run
  std::atomic<std::uint64_t> blocks_done{0};
  BlockOrder block_order;       ///< empty: in order
  bool has_others = false;      ///< more than one worker
  bool is_speculative = false;  ///< see speculation.h: findings are not reported
  std::atomic<bool> given_up{false};
  void give_up() {
    given_up.store(true, std::memory_order_relaxed);
    next_block.store(blocks, std::memory_order_relaxed);
  }
  const std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> steps{0};                      ///< warp instructions, as far as workers have counted them
  std::atomic<unsigned> times_told{0};                      ///< how often Schedule::still_running was called
  std::mutex mutex;                                         ///< of what follows
  std::vector<std::pair<std::uint64_t, Finding>> findings;  ///< with the linear block index
  PrintedText printed{launch.printf_bytes};
  std::exception_ptr failure;  ///< of a worker, or of the race checker
  bool failed_midway = false;  ///< when blocks had begun

  /// The host's bytes behind an access, null unless they are all there.
  const std::byte* place_of(const Block& block, const LaneAddresses& at, std::uint64_t address,
                            std::uint64_t bytes) const;
  const std::byte* place_of(const struct Block& block, const LaneAddresses& at, unsigned lane) const {
    return place_of(block, at, at.of(lane), at.bytes);
  }
};

std::array<std::uint32_t, 3> block_index(const Grid& grid, std::uint64_t linear);
std::array<std::uint32_t, 3> thread_index(const Dim3& block_size, std::uint32_t warp, unsigned lane);
inline std::array<std::uint32_t, 3> thread_index(const Grid& grid, std::uint32_t warp, unsigned lane) {
  return thread_index(grid.launch.block, warp, lane);
}

/// Where this launch has the elements of a fragment.
inline const FragmentMap& map_of(const Grid& grid, const MatrixFragment& fragment) {
  return grid.schedule.order == Schedule::Order::adversarial ? *fragment.other_map : *fragment.map;
}

/// Records an error or a warning of the machine itself. Blocks behind the first error need not run.
void report(Grid& grid, const Block& block, Finding finding);
/// Records a finding of a checker: one for each instruction and use, of the first block in which it happens. The others
/// are only counted.
void add_defect(Grid& grid, std::uint64_t block, Finding finding);

}  // namespace cudasim
