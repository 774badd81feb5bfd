// SPDX-License-Identifier: MIT
// The trace of one block of each launch, for pictures of it. It holds every memory access with the address of each
// lane, and every shuffle. The trace records no other block. When a warp repeats an instruction, the trace keeps only
// the first times.
//
// The worker that runs the block is the only one that records a launch.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/finding.h"
#include "state/observer.h"

namespace cudasim {

struct Program;

class AccessTrace : public Observer {
 public:
  enum class Action : std::uint8_t { load, store, atomic, shuffle };
  static constexpr std::uint64_t kMostExecutions = 64;  ///< how many are kept for each instruction and warp
  static constexpr std::size_t kMostEvents = 100'000;   ///< of the whole program

  struct Instruction {
    SourceLine where;
    Action action = Action::load;
    bool is_shared = false;
    std::uint32_t bytes = 0;  ///< a lane
    std::uint32_t counted_bytes = 0;
    std::int32_t counted_from = 0;      ///< see AccessSeen
    bool in_rows = false;               ///< a whole ldmatrix or stmatrix: see Observer::rows()
    std::vector<SourceLine> inlined{};  ///< see Finding::inlined
  };
  struct Array {
    bool is_shared = false;
    std::string name;           ///< mangled; empty: memory that was allocated
    std::uint64_t id = 0;       ///< of an allocation
    std::uint64_t address = 0;  ///< of shared memory: in the block's
    std::uint64_t bytes = 0;
  };
  struct Event {
    std::uint32_t instruction = 0,
                  array = 0;  ///< indices into those of the launch; the array is that of the first lane
    std::uint32_t warp = 0;
    std::uint32_t step = 0;  ///< how many barriers of the block the warp has passed
    Mask mask = 0;
    std::uint32_t sectors = 0, wavefronts = 0, least_wavefronts = 0;  ///< as they are counted
    std::array<std::uint64_t, kWarpSize>
        values{};  ///< for each lane in the mask: its address, or in a shuffle the lane that it reads
  };
  struct Launch {
    std::string kernel;  ///< mangled
    Dim3 grid, block;
    std::vector<Instruction> instructions;
    std::vector<Array> arrays;
    std::vector<Event> events;
    std::uint64_t left_out = 0;                     ///< events that were not kept
    std::uint64_t idle_loads = 0, idle_stores = 0;  ///< see Observer::idle()
  };

  explicit AccessTrace(std::uint64_t block) : Observer(block), block_(block) {}
  std::uint64_t block() const { return block_; }
  const std::vector<Launch>& launches() const { return launches_; }

  void begin_launch(Grid& grid) override;
  void after(const AccessSeen& access) override {
    if (!access.in_rows) add(access);
  }
  void rows(const AccessSeen& whole) override { add(whole); }
  void idle(std::uint64_t, bool is_store) override {
    ++(is_store ? launches_.back().idle_stores : launches_.back().idle_loads);
  }
  void shuffle(const ShuffleSeen& shuffle) override;
  void open_barrier(std::uint64_t block, std::uint32_t warps) override;

 private:
  void add(const AccessSeen& access);
  bool wants(std::uint32_t warp, std::uint32_t counter, Action action);
  void add(std::uint32_t counter, const Instruction& instruction, const Array& array, Event event);
  Array array_of(const AccessSeen& access) const;

  std::uint64_t block_;
  const Program* program_ = nullptr;
  std::uint64_t dynamic_shared_bytes_ = 0;
  std::vector<Launch> launches_;
  std::size_t events_ = 0;
  std::array<std::uint32_t, kWarpSize> steps_{};  // by warp
  std::map<std::tuple<std::uint32_t, Action, std::uint32_t>, std::uint64_t> executions_;
  std::map<std::tuple<std::uint32_t, Action, bool>, std::uint32_t> instructions_;
};

}  // namespace cudasim
