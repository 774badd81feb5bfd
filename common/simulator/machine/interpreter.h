// SPDX-License-Identifier: MIT
// Runs the warps of one block after another on one host thread. One Interpreter a worker; nothing in it is shared but
// the program, the memory and the Grid, which hands out blocks and collects what was found.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "checkers/checks.h"
#include "checkers/init/value_watch.h"
#include "checkers/race/race_watch.h"
#include "machine/schedule/loop_detector.h"
#include "machine/units/deferred_atomics.h"
#include "messages/finding_messages.h"
#include "program/launch.h"
#include "program/program.h"
#include "state/async_copies.h"
#include "state/grid.h"
#include "state/lane_addresses.h"
#include "state/warp.h"
#include "state/watcher.h"
#include "state/zeroed.h"

namespace cudasim {

/// Of warps: to start another thread takes about as long as a few thousand of them.
constexpr std::uint64_t steps_worth_another_worker = 20'000;
constexpr std::uint64_t steps_worth_speculation = 100'000;  ///< which needs tables for each worker, and may be in vain
constexpr std::uint64_t steps_between_looks = 1'000'000;    ///< at the clock, and whether a block still gets on
/// Hundreds of blocks may spin in turn, and all of them must have been looked at.
constexpr std::uint64_t steps_before_a_spinning_block_looks = 50'000;

/// One lane's element between memory and a register slot.
void move_element(std::byte* memory, std::byte* slot, unsigned lane, const MemoryAccess& access,
                  const MemoryAccess::Data& data);

class Interpreter {
 public:
  /// `races`: null where they are not looked for.
  explicit Interpreter(Grid& grid, const std::shared_ptr<RaceWatch>& races = {});
  ~Interpreter();
  /// Takes blocks from the grid until there are no more. `call_others`: called once, when there is enough to do for
  /// more workers; where races are looked for, only while no block is under way.
  void run(std::function<void()> call_others = {});
  void add_counters(std::vector<Counters>& by_instruction) const;

 private:
  enum class Stop : std::uint8_t { done, waiting, yielded, fault };

  // interpreter.cpp: blocks and the instruction loop
  void settle(Warp& warp);
  void prepare(Block& block);
  void begin(Block& block, std::uint64_t linear);
  // affine_registers.cpp: registers that differ between blocks
  void begin_registers(const Block& block, Warp& warp) const;
  void begin_registers(Block& block);
  void find_distances(Block& block);
  bool is_even(const Warp& first) const;
  std::uint64_t constant_value(const Block& block, const Warp& warp, const FrameConstant& constant, unsigned lane,
                               std::uint32_t local) const;
  void write_constant(const Block& block, Warp& warp, const FrameConstant& constant, std::uint32_t frame,
                      std::uint32_t local, Mask mask) const;
  Stop run_block(Block& block);
  Stop run_warp(Block& block, Warp*& at_work);
  /// `watched`: undefined values are followed. Without, nothing of it is there. A warp that leaves the kernel is
  /// followed by the next one: `at_work` is then that one.
  template <bool watched>
  Stop run_fragment(Block& block, Warp*& at_work, Fragment* place);
  Warp* warp_after(Block& block, const Warp& warp) const;
  bool take_block(std::uint64_t& linear);
  bool call_others(std::uint64_t steps);
  bool reaches_other_blocks(const MicroOp& op) const;
  bool interrupts_here(Block& block, Warp& warp, const MicroOp& op);
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
  bool leads_to_exit(std::uint32_t pc) const;
  bool release_waiting(Warp& warp, bool only_to_exit = false);

  // call_stack.cpp
  Turn call(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask);
  std::uint32_t free_frame(const Warp& warp, std::uint32_t frame, std::uint32_t function) const;
  bool enter(Block& block, Warp& warp, Fragment& fragment, std::uint32_t function, std::uint32_t call);
  void leave(Warp& warp, Fragment& fragment);
  bool call_host(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool check_free(const Block& block, const Warp& warp, const MicroOp& op, unsigned lane, std::uint64_t address);

  /// What accesses know of memory may be of an allocation that is no more. Only one worker runs a kernel with a heap.
  void forget_allocations();

  // locate.cpp: where the lanes of an access lie
  Mask locate(const Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access, Mask mask,
              Located& at);
  bool locate_neighbours(const Warp& warp, const Fragment& fragment, const MemoryAccess& access, Located& at) const;
  /// `at` was found earlier: what the site knows is of it again.
  static void remember(const MemoryAccess& access, const Located& at);

  // load_store_unit.cpp, copy_unit.cpp, atomic_unit.cpp: memory
  /// False: it is a fault.
  bool access_memory(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access,
                     Mask mask) {
    if (access.is_simple && takes_neighbours_ && mask == ~0u && access.space == ptx::Space::global &&
        move_neighbours_told({block, warp, fragment, op}, access))
      return true;
    if (access.is_simple && !is_watched_) {
      Site& site = sites_[site_index(op.counter, access.is_store, site_count_)];
      // What lay apart the last time mostly does so again.
      const bool lay_apart = site.access == &access;
      if (!lay_apart && move_simple(block, warp.frames + fragment.frame, op, access, site, mask)) return true;
    }
    return access_any(block, warp, fragment, op, access, mask);
  }
  bool access_any(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access,
                  Mask mask);
  [[gnu::noinline]] bool locate_and_access(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                                           const MemoryAccess& access, Mask mask);
  [[gnu::noinline]] bool is_nothing_new(const Step& step, const MemoryAccess& access, Site& site,
                                        const std::uint32_t* base, std::uint32_t begin) const;
  bool repeat(const Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access,
              Mask mask);
  template <class Element, class Address>
  bool move_side_by_side(const Block& block, std::byte* frame, const MicroOp& op, const MemoryAccess& access,
                         Site& site, Mask mask, LaneKernels::MoveNeighbours move);
  bool move_simple(const Block& block, std::byte* frame, const MicroOp& op, const MemoryAccess& access, Site& site,
                   Mask mask);
  bool move_neighbours_told(const Step& step, const MemoryAccess& access);
  template <bool is_store>
  bool move_known(std::byte* frame, const MicroOp& op);
  struct Known;
  bool find_memory(const std::byte* frame, const MicroOp& op, Known& known) const;
  void count_neighbours(const MicroOp& op, bool is_store, ptx::Space space, std::uint64_t first, Mask mask,
                        std::uint32_t bytes);
  void may_repeat(const MemoryAccess& access, const Located& at) const;
  /// texture_unit.cpp
  bool fetch_texture(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool atomic(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  void fill_parameter(std::byte* frame, const MemoryAccess& access, Mask mask) const;
  bool move_neighbours(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                       const MemoryAccess& access, const Located& at);
  [[gnu::noinline]] bool move_at_once(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                                      const MemoryAccess& access, Located& at);
  [[gnu::noinline]] bool move_each(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                                   const MemoryAccess& access, Located& at);
  /// Additions that are late take effect before anybody is given the bytes.
  std::byte* resolve_span(const Block& block, const Warp& warp, const Located& at, bool is_store);
  std::byte* resolve(const Block& block, const Warp& warp, const Located& at, unsigned lane, bool is_store,
                     FindingKind& problem);

  bool access_located(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access,
                      Located& at);
  bool may_be_late(const AtomicAccess& atomic, const Located& at) const;
  bool add_later(const Step& step, const Located& at);
  template <class T>
  bool update_lanes(const Step& step, const AtomicAccess& atomic, const Located& at);
  bool atomic_located(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, const AtomicAccess& atomic,
                      Located& at);

  // copy_unit.cpp: copies on their way
  bool async_step(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool start_copy(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool wait_for_copies(Block& block, Warp& warp, std::uint32_t groups_left, Mask mask);
  bool make_copy(Block& block, Warp& warp, PendingCopy& copy, Mask lanes);
  void start_arrival(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  bool make_arrivals(Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  void finish_copies(Block& block);
  bool is_in_bounds(Block& block, Warp& warp, const MicroOp& op, const MemoryAccess& access, const Located& at);
  void fetch(const Block& block, Warp& warp, const PendingCopy& copy, Mask lanes);
  void restrict_to(Located& at, Mask mask) const;

  // count_passes.cpp
  void count(const MicroOp& op, const MemoryAccess& access, ptx::Space space, const Passes& passes);
  void count_as_before(const MicroOp& op, const MemoryAccess& access, Located& at);
  void tell_skipped(const Block& block, const std::vector<Branch::Skipped>& accesses) const;
  void count_atomic(const MicroOp& op, const AtomicAccess& atomic, const Located& at);

  // barrier.cpp and warp_unit.cpp
  enum class Sync : std::uint8_t { passed, parked, fault };
  Sync barrier(Block& block, Warp& warp, Fragment& fragment, std::uint32_t pc, const MicroOp& op, Mask mask);
  Sync arrive_at_barrier(Block& block, Warp& warp, const Fragment& fragment, std::uint32_t pc, const MicroOp& op,
                         Mask mask);
  /// A whole warp comes to the usual barrier, of all threads of the block. False: nothing has been done.
  bool wait_for_block(Block& block, Warp& warp, const Fragment& fragment, std::uint32_t pc, const MicroOp& op);
  void count_arrival(Block& block, BlockBarrier& barrier, const MicroOp& op, std::uint32_t threads);
  [[gnu::noinline]] Sync refuse_barrier(Block& block, const Warp& warp, const MicroOp& op, Mask mask, const char* what);
  bool complete_barriers(Block& block);
  void open_barrier(Block& block, std::uint32_t id);
  Sync warp_operation(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask);
  void sync_warp(const Block& block, Warp& warp, Mask lanes) const;
  void shuffle_at_once(std::byte* frame, const WarpOperation& operation, const MicroOp& op, Mask mask);
  bool resolve_warp(Block& block, Warp& warp, Stop& stop);

  bool complete_warp_operations(Block& block, Warp& warp);
  void execute_warp_operation(const Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask,
                              const std::uint64_t* values, Mask predicates, Mask participants);

  // matrix.cpp: what all 32 lanes do with matrices that they hold together
  void wait_for_warp(Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask);
  bool join_at_matrix(Warp& warp);
  bool matrix_operation(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op);
  bool move_rows(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                 const MatrixOperation& operation);
  bool move_fragment(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                     const MatrixOperation& operation);
  bool move_fragment_part(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                          const MemoryAccess& access, Located& at, bool more);
  void count_rows(const MicroOp& op, const MemoryAccess& access, const Located& row);

  // finding_messages.cpp
  void memory_fault(const Block& block, const Warp& warp, const MicroOp& op, ptx::Space space, std::uint64_t address,
                    unsigned lane, std::uint32_t bytes, bool is_store, FindingKind kind);

  // loop_detector.cpp: whether a loop ever ends
  bool is_endless(Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op, FindingKind& kind);
  void tell_who_waits(const Block& block, const Warp& warp, const MicroOp& op);
  std::uint64_t read_clock(const Block& block, std::uint64_t steps, const MicroOp& op);
  bool warp_is_endless(Block& block, const Warp& warp, const Fragment& fragment);
  void keep_state(const Block& block, const Warp& warp, const Fragment& fragment, bool is_of_warp,
                  std::unique_ptr<Repetition>& state) const;
  bool repeats(const Block& block, const Warp& warp, const Fragment& fragment, Repetition& kept) const;
  bool never_changes(const Block& block, Repetition& kept) const;
  bool goes_round(const Block& block, const Activity& now) const;
  bool nobody_else_writes(const Repetition& kept) const;
  Activity activity() const;
  bool is_full() const;
  bool has_all_blocks() const;

  /// How often warps came here otherwise than from the instruction before, less how often one did not come from there:
  /// the sum up to an instruction is how often that was executed. The same of the lanes that these warps lacked: mostly
  /// none, so that one number changes, not two. Jumps of all lanes are in jumped_.
  struct Executed {
    std::uint64_t warps = 0, lacking = 0;
    void add(std::uint32_t lanes_lacking) {
      ++warps;
      if (lanes_lacking != 0) lacking += lanes_lacking;
    }
    void take(std::uint32_t lanes_lacking) {
      --warps;
      if (lanes_lacking != 0) lacking -= lanes_lacking;
    }
    void operator+=(const Executed& more) {
      warps += more.warps;
      lacking += more.lacking;
    }
    void operator-=(const Executed& less) {
      warps -= less.warps;
      lacking -= less.lacking;
    }
    std::uint64_t threads() const { return warp_size * warps - lacking; }
  };
  std::vector<Executed> executed() const;  ///< by pc

  Grid& grid_;
  const Program& program_;
  const LaneKernels& kernels_;
  int poison_;                 // what shared and local memory hold that nobody wrote
  Zeroed<Executed> executed_;  // by pc, and one more
  Zeroed<Executed> jumped_;    // by branch
  Zeroed<Counters> counters_;  // by counter; what is not in executed_
  std::size_t site_count_;
  Zeroed<Site> sites_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Repetitions> repetitions_;             // by Block::slot
  std::uint32_t frame_bytes_ = 0, local_bytes_ = 0;  // stacks of a warp, of a lane
  std::uint32_t copy_frame_ = 0;                     // behind the former
  std::optional<std::mt19937_64> random_;            // made when it is first asked: most launches never do
  std::uint64_t step_budget_ = 0;
  std::size_t bytes_of_warp_ = 0;      // registers and local memory
  std::uint64_t turns_ = 0;            // of fragments, so far
  std::uint64_t updates_ = 0;          // of words by lanes, in the block that began last, that need locks with others
  LateAdditions additions_;            // empty while this worker is alone
  std::function<void()> call_others_;  // empty: they have been called
  bool looks_for_races_ = false;
  std::uint64_t changed_by_atomics_ = 0;  // how many words: an atomic may also leave one as it was
  std::uint64_t generic_stores_ = 0;      // by generic addresses, but for those to local memory
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::vector<std::shared_ptr<Watcher>> watchers_;
  bool is_watched_ = false;             // by one at least
  bool takes_neighbours_ = false;       // by some, and all of these do
  bool adds_late_ = false;              // with others at work
  std::shared_ptr<ValueWatch> values_;  // one of them, which is also told of registers; null: not looked for
  bool preempts_ = false;
  bool skips_settled_ = false;  ///< Program::settled is carried out once, where a block is given its storage
  /// In adversarial order, in every second launch of a kernel: many blocks come to an access before the first goes on.
  bool side_by_side_ = false;
  struct Distances {  // of all threads' values from the first one's
    Program::Widened widened;
    std::int64_t least, most;
  };
  bool knows_distances_ = false;  // the next three: from the second block on
  std::vector<Distances> distances_;
  /// An access whose lanes are neighbours in global memory, of each whole warp of a block that is even.
  struct Known {
    std::uint64_t end;   ///< of where it may begin in the memory that it touched the last time
    std::uint64_t from;  ///< what makes the address of the first lane that place
    std::byte* memory;
    const std::byte* last;  ///< place
    Counters* counters;
    std::uint32_t base, slot;
    std::uint32_t bytes;  ///< of a lane; 0: it is not one of these
    std::uint64_t place(const std::byte* frame) const {
      std::uint64_t address;
      std::memcpy(&address, frame + base, sizeof address);
      return address + from;
    }
  };
  Zeroed<Known> known_;                         // by access
  bool knows_places_ = false;                   // of one access at least
  Fragment start_;                              // of a whole warp that begins
  std::vector<FrameConstant> block_constants_;  // of the kernel: those that differ from block to block
};

// In both ways of a warp to a barrier.
inline void Interpreter::count_arrival(Block& block, BlockBarrier& barrier, const MicroOp& op, std::uint32_t threads) {
  barrier.arrived += threads;
  barrier.counter = op.counter;
  block.barrier_due |= barrier.arrived >= (barrier.expected != 0 ? barrier.expected : block.threads - block.exited);
  ++counters_[op.counter].barriers;
}

}  // namespace cudasim
