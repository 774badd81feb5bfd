// SPDX-License-Identifier: MIT
// The work of streams: what must come before what, and what is done late. Work that nothing orders may run in any
// order, and on a GPU mostly runs in the order of the calls, so that a forgotten wait or a wrong stream hides. Here
// some streams are late on purpose: what is put into them is done when something waits for it.
//
// Order is a matter of clocks: an operation knows of each stream how many of its operations come before it (CUDA C++
// Programming Guide, "Asynchronous Concurrent Execution"; CUDA Runtime API, "Stream synchronization behavior"). All
// that comes before an operation was put before it, so the list of calls is always an order in which everything can be
// done.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "program/launch.h"

namespace cudasim {

/// Which stream, and how it goes together with the default stream.
struct StreamName {
  static constexpr std::uint64_t default_id = 0;
  static constexpr std::uint64_t first_branch_id = std::uint64_t{1} << 48;  ///< from here on: branches of graphs
  std::uint64_t id = default_id;
  bool is_blocking = true;  ///< waits for the default stream, which waits for it; false: cudaStreamNonBlocking
  bool is_default() const { return id == default_id; }
  bool is_branch() const { return id >= first_branch_id; }
  std::string text() const;  ///< "the default stream", "stream 1 of the program", "a branch of a graph"
};

/// By stream, how many of its operations.
using StreamClock = std::map<std::uint64_t, std::uint64_t>;
/// What comes after both.
void join(StreamClock& clock, const StreamClock& other);

struct StreamWork {
  std::string what;  ///< "cudaMemcpyAsync", or the mangled name of a kernel
  CallStack callers{};
  std::vector<TouchedPlaces> touches;  ///< memory that it reads or writes, where that is known before it is done
  bool is_kernel = false;              ///< which may touch anything
  bool frees = false;                  ///< the first of `touches`
  /// False: it went wrong, and nothing that waits is ever done.
  std::function<bool(const StreamWork&)> run;

  StreamName stream;  ///< this and what follows: set by the queue
  std::uint64_t number = 0;
  StreamClock clock;  ///< what comes before it, and itself
  bool is_done = false;
};

class StreamQueue {
 public:
  explicit StreamQueue(Schedule::Order order) : order_(order) {}

  /// Whether work of this stream waits until it is waited for: never in plain order; of created streams in adversarial
  /// order; of the default stream in random order.
  bool is_late(const StreamName& stream) const;
  /// `at_once`: done before this returns, and all that comes before it, even where the stream is late. Returns what
  /// an event remembers: all that has to be done for this work to be done.
  StreamClock put(const StreamName& stream, StreamWork work, bool at_once = false);
  /// What is put into the stream from now on comes after that: an event's, or another stream's.
  void order_after(const StreamName& stream, const StreamClock& clock);
  /// All that was put into the stream so far, and what the stream waits for.
  StreamClock clock_of(const StreamName& stream) const;

  /// Does what is late of this.
  void run(const StreamClock& clock);
  /// The same, and the host knows that it is done: what it calls from now on comes after that.
  void wait(const StreamClock& clock);
  void wait_for_all();
  /// All of it was done, and the stream is gone.
  void forget(const StreamName& stream);

  /// Work of other streams, done or not, that nothing orders with this.
  std::vector<const StreamWork*> unordered_with(const StreamWork& work) const;
  /// One of these that has not run, as Launch::late_kernel; or "".
  std::string late_kernel(const StreamWork& work) const;
  bool will_free(std::uint64_t address) const;  ///< late, by cudaFreeAsync

 private:
  static bool comes_before(const StreamWork& work, const StreamClock& clock);
  void do_work(StreamWork& work);
  void prune();

  Schedule::Order order_;
  std::list<StreamWork> works_;  ///< in the order of the calls: what is late, and what of the rest may not be forgotten
  std::map<std::uint64_t, std::uint64_t> counts_;  ///< by stream: operations ever put
  std::map<std::uint64_t, StreamClock> streams_;
  StreamClock blocking_;  ///< of all created streams that the default stream waits for
  StreamClock host_;      ///< what the host has waited for
};

}  // namespace cudasim
