// SPDX-License-Identifier: MIT
// The work of streams: its order, and the operations that run late. Unordered work may run in any order. A GPU mostly
// runs it in the order of the calls, which hides a missing wait or a wrong stream. Here some streams are late on
// purpose: their work runs when something waits for it.
//
// The order is kept in vector clocks. For each stream, an operation knows how many of its operations come before.
// Sources: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution"; CUDA Runtime API, "Stream synchronization
// behavior". All that comes before an operation was put before it. So the list of calls is always a valid order of
// execution.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/launch.h"
#include "runtime/base/stream_clock.h"

namespace cudasim {

/// The stream, and its relation to the default stream.
struct StreamName {
  static constexpr std::uint64_t kDefaultId = 0;
  static constexpr std::uint64_t kFirstBranchId = std::uint64_t{1} << 48;  ///< from here on: branches of graphs
  std::uint64_t id = kDefaultId;
  bool is_blocking = true;  ///< waits for the default stream, which waits for it; false: cudaStreamNonBlocking
  bool is_default() const { return id == kDefaultId; }
  bool is_branch() const { return id >= kFirstBranchId; }
  std::string text() const;  ///< "the default stream", "stream 1 of the program", "a branch of a graph"
};

struct StreamWork {
  std::string what;  ///< "cudaMemcpyAsync", or the mangled name of a kernel
  CallStack callers{};
  std::vector<TouchedPlaces> touches;         ///< Memory that it reads or writes, where that is known before it runs.
  bool is_kernel = false;                     ///< Which may touch anything.
  bool is_copy = false;                       ///< Or a fill.
  bool frees = false;                         ///< The first of `touches`.
  std::shared_ptr<HostTouches> host_touches;  ///< Of a kernel, once it has run; null: none.
  /// False: it failed, and nothing that waits ever runs.
  std::function<bool(const StreamWork&)> run;

  StreamName stream;  ///< this and what follows: set by the queue
  std::uint64_t number = 0;
  StreamClock clock;  ///< what comes before it, and itself
  bool is_done = false;
};

class StreamQueue {
 public:
  explicit StreamQueue(Schedule::Order order) : order_(order) {}

  /// Whether work of this stream is delayed until something waits for it. In plain order none is. In adversarial order
  /// that of created streams is; in random order, that of the default stream.
  bool is_late(const StreamName& stream) const;
  /// `at_once`: it runs before this returns, with all that comes before it, even where the stream is late. Returns the
  /// content of an event: all that has to be complete before this work is.
  StreamClock put(const StreamName& stream, StreamWork work, bool at_once = false);
  /// All later work of the stream comes after that: an event's, or another stream's.
  void order_after(const StreamName& stream, const StreamClock& clock);
  /// All work that was put into the stream so far, and what the stream waits for.
  StreamClock clock_of(const StreamName& stream) const;

  /// Runs the late work among this.
  void run(const StreamClock& clock);
  /// The same, and the host knows that it is complete: its later calls come after that.
  void wait(const StreamClock& clock);
  void wait_for_all();
  /// All of it is complete, and the stream is destroyed.
  void forget(const StreamName& stream);

  /// Work of other streams, complete or not, that nothing orders with this.
  std::vector<const StreamWork*> unordered_with(const StreamWork& work) const;
  /// An operation among these that has not run, as Launch::late_kernel; or "".
  std::string late_kernel(const StreamWork& work) const;
  /// Work that the host has not waited for, complete or not, where it is known what it touches. The oldest comes first.
  std::vector<const StreamWork*> unwaited() const;
  /// How many operations were ever put, into all streams.
  std::uint64_t puts() const { return puts_; }
  /// How many kernels, copies and fills of them; and of these, those that may run beside an earlier one: it is in
  /// another stream, and nothing orders the two.
  std::uint64_t operations() const { return operations_; }
  std::uint64_t unordered_operations() const { return unordered_operations_; }
  /// The most kernels, copies and fills in one stream.
  std::uint64_t most_operations_in_a_stream() const { return most_operations_; }
  /// How many streams have ever had a kernel, a copy or a fill; with this one.
  std::uint64_t streams_used(const StreamName& now) const {
    return streams_used_.size() + 1 - streams_used_.count(now.id);
  }
  /// Whether the host has waited for the operation of this stream that was the `put`-th of all. `number`: that in its
  /// stream.
  bool has_waited_for(std::uint64_t stream, std::uint64_t number, std::uint64_t put) const;
  /// Takes out the late kernel that was put last of all, if it is of this stream: the caller runs it. Nothing waits for
  /// it without what the caller puts next.
  std::optional<StreamWork> take_last_kernel(const StreamName& stream);
  bool will_free(std::uint64_t address) const;  ///< late, by cudaFreeAsync

 private:
  void count(const StreamWork& work);
  static bool comes_before(const StreamWork& work, const StreamClock& clock);
  void do_work(StreamWork& work);
  void prune();

  Schedule::Order order_;
  std::list<StreamWork> works_;  ///< in the order of the calls: late operations, and complete ones that must be kept
  std::map<std::uint64_t, std::uint64_t> counts_;  ///< by stream: operations ever put
  std::map<std::uint64_t, StreamClock> streams_;
  StreamClock blocking_;                      ///< for all created streams that the default stream waits for
  StreamClock host_;                          ///< what the host has waited for
  std::uint64_t puts_ = 0, waited_puts_ = 0;  ///< by wait_for_all(): the last of them
  std::map<std::uint64_t, std::uint64_t> last_operations_;  ///< by stream: the number of its last kernel, copy or fill
  std::uint64_t operations_ = 0, unordered_operations_ = 0, most_operations_ = 0;
  std::map<std::uint64_t, std::uint64_t> operations_of_;  ///< by stream
  std::set<std::uint64_t> streams_used_;
};

}  // namespace cudasim
