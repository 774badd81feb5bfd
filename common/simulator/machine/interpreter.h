// SPDX-License-Identifier: MIT
// Runs the warps of one block after another on one host thread. One Interpreter a worker; nothing in it is shared but
// the program, the memory and the Grid, which hands out blocks and collects what was found.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "machine/device.h"
#include "machine/lane_kernels.h"
#include "machine/warp.h"
#include "module/program.h"

namespace cudasim {

/// What all workers of one launch share.
struct Grid {
  Grid(const Program& program_, const Launch& launch_, Memory& memory_, const Schedule& schedule_)
      : program(program_), launch(launch_), memory(memory_), schedule(schedule_) {}
  const Program& program;
  const Launch& launch;
  Memory& memory;
  Schedule schedule;
  std::uint64_t blocks = 0;
  std::uint32_t warps_per_block = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t resident_blocks = 1;       ///< how many blocks may be under way at once
  std::uint64_t grid_barrier_address = 0;  ///< %envreg1:%envreg2 of a cooperative launch
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<std::uint64_t> first_error_block{~0ull};      ///< blocks behind it need not run
  std::vector<std::uint64_t> block_order;                   ///< empty: in order
  std::mutex mutex;                                         ///< of what follows
  std::vector<std::pair<std::uint64_t, Finding>> findings;  ///< with the linear block index
  std::string printed;
};

struct BlockBarrier {
  std::uint64_t expected = 0;  ///< threads, when a count was given; 0: all threads of the block
  std::uint64_t arrived = 0;
  bool in_use = false;
  bool any = false, all = true;
  std::uint32_t population = 0;
  std::uint32_t counter = 0;  ///< of the instruction, to name its line
};

/// A block under way: its warps and shared memory. Reused for one block after another.
struct Block {
  std::uint64_t linear = 0;
  std::array<std::uint32_t, 3> index{};
  std::vector<Warp> warps;
  std::unique_ptr<std::byte, void (*)(void*)> storage{nullptr, nullptr};  // register stacks, local and shared memory
  std::byte* shared = nullptr;
  std::array<BlockBarrier, 16> barriers;
  std::uint32_t threads = 0;
  std::uint32_t exited = 0;
  std::uint64_t steps = 0;
  std::uint32_t next_warp = 0;
  bool active = false;
};

class Interpreter {
 public:
  explicit Interpreter(Grid& grid);
  ~Interpreter();
  /// Takes blocks from the grid until there are no more.
  void run();
  void add_counters(std::vector<Counters>& by_instruction) const;

 private:
  enum class Stop : std::uint8_t { done, waiting, yielded, fault };

  // interpreter.cpp: blocks and the instruction loop
  void prepare(Block& block);
  void begin(Block& block, std::uint64_t linear);
  std::uint64_t constant_value(const Block& block, const Warp& warp, const FrameConstant& constant, unsigned lane,
                               std::uint32_t local) const;
  void write_constant(const Block& block, Warp& warp, const FrameConstant& constant, std::uint32_t frame,
                      std::uint32_t local, Mask mask) const;
  Stop run_block(Block& block);
  Stop run_warp(Block& block, Warp& warp);
  Stop run_fragment(Block& block, Warp& warp, std::size_t index);
  bool take_block(std::uint64_t& linear);
  bool interrupts_here(Warp& warp);
  std::uint64_t random(std::uint64_t below);

  // divergence.cpp: fragments and meetings
  enum class Turn : std::uint8_t { go_on, lost };  ///< lost: the fragment has no lanes left here
  Turn branch(Warp& warp, Fragment& fragment, Mask taken, const Branch& branch);
  Turn split_over_targets(Warp& warp, Fragment& fragment, const std::uint32_t* target_of_lane,
                          std::uint32_t reconverge);
  Turn arrive(Warp& warp, Fragment& fragment);
  Turn exit_lanes(Block& block, Warp& warp, Fragment& fragment, Mask lanes);
  std::uint32_t open_meeting(Warp& warp, const Fragment& fragment, std::uint32_t pc);
  void drop_lanes(Warp& warp, std::uint32_t meeting, Mask lanes);
  bool release_waiting(Warp& warp);

  // calls.cpp
  Turn call(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask);
  bool enter(Block& block, Warp& warp, Fragment& fragment, std::uint32_t function, std::uint32_t call);
  void leave(Warp& warp, Fragment& fragment);
  void release_activation(Warp& warp, std::uint32_t activation);
  bool call_host(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);

  // access.cpp, async_copy.cpp, atomics.cpp: memory
  bool access_memory(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool atomic(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool async_copy(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool load_part(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, unsigned lane,
                 std::uint32_t bytes);
  struct Lanes {
    std::uint64_t address[warp_size];
  };
  void addresses(const Fragment& fragment, const Warp& warp, const MemoryAccess& access, Lanes& lanes) const;
  bool fast_global(const Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access,
                   Mask mask);
  bool fast_parameter(const Warp& warp, const Fragment& fragment, const MemoryAccess& access, Mask mask);
  bool fast_shared(Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                   const MemoryAccess& access, Mask mask);
  bool access_space(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access,
                    ptx::Space space, const Lanes& lanes, Mask mask);
  std::byte* resolve(Block& block, Warp& warp, const MicroOp& op, ptx::Space space, std::uint64_t address,
                     unsigned lane, std::uint32_t bytes, bool is_store, FindingKind& problem);
  const Allocation* allocation_for(std::uint32_t site, std::uint64_t address);
  void count_global(const MicroOp& op, bool is_store, const Lanes& lanes, Mask mask, std::uint32_t bytes);
  void count_shared(const MicroOp& op, const Lanes& lanes, Mask mask, std::uint32_t bytes);

  // barrier.cpp and warp_operations.cpp
  enum class Sync : std::uint8_t { passed, parked, fault };
  Sync barrier(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask);
  Sync arrive_at_barrier(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask);
  bool complete_barriers(Block& block);
  void open_barrier(Block& block, std::uint32_t id);
  Sync warp_operation(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask);
  bool resolve_warp(Block& block, Warp& warp, Stop& stop);
  bool complete_warp_operations(Block& block, Warp& warp);
  void execute_warp_operation(Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask,
                              const std::uint64_t* values, Mask predicates, Mask participants);

  // faults.cpp
  Finding finding(const Block& block, const Warp& warp, const MicroOp& op, Mask lanes, FindingKind kind) const;
  void report(const Block& block, Finding finding);
  void memory_fault(Block& block, Warp& warp, const MicroOp& op, ptx::Space space, std::uint64_t address, unsigned lane,
                    std::uint32_t bytes, bool is_store, FindingKind kind);
  void describe_global(Finding& finding, std::uint64_t address, std::uint32_t bytes) const;
  const MicroOp& instruction_of(const Fragment& fragment) const;
  void deadlock(Block& block);

  struct Executed {
    std::uint64_t warps = 0, threads = 0;
  };

  Grid& grid_;
  const Program& program_;
  const LaneKernels& kernels_;
  std::vector<Executed> executed_;  // by counter
  std::vector<Counters> counters_;  // by counter; all but the two above
  std::array<const Allocation*, 64> allocation_cache_{};
  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint32_t frame_bytes_ = 0, local_bytes_ = 0;  // stacks of a warp, of a lane
  std::mt19937_64 random_;
  std::uint64_t step_budget_ = 0;
  bool preempts_ = false;
  std::vector<FrameConstant> block_constants_;  // of the kernel: those that differ from block to block
};

}  // namespace cudasim
