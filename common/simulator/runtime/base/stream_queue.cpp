// SPDX-License-Identifier: MIT
#include "runtime/base/stream_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/demangle.h"
#include "memory/host_touches.h"

namespace cudasim {
namespace {

/// The most late operations before the oldest runs after all: a device's queue is finite too.
constexpr std::size_t kLongestQueue = 1024;
/// The most complete operations that are kept, since later work may be unordered with them. Beyond this number, the
/// oldest are dropped.
constexpr std::size_t kMostDone = 64;

bool is_known_to_touch(const StreamWork& work) {
  return !work.touches.empty() || (work.host_touches != nullptr && !work.host_touches->stretches().empty());
}

}  // namespace

std::string StreamName::text() const {
  if (is_branch()) return "a branch of a graph";
  return is_default() ? "the default stream" : "stream " + std::to_string(id) + " of the program";
}

bool StreamQueue::is_late(const StreamName& stream) const {
  switch (order_) {
    case Schedule::Order::plain:
      return false;
    case Schedule::Order::adversarial:
      return !stream.is_default();
    case Schedule::Order::random:
      return stream.is_default();
  }
  return false;
}

bool StreamQueue::comes_before(const StreamWork& work, const StreamClock& clock) {
  return work.number <= clock.of(work.stream.id);
}

StreamClock StreamQueue::clock_of(const StreamName& stream) const {
  StreamClock clock = host_;
  const auto add = [&](std::uint64_t id) {
    if (const auto found = streams_.find(id); found != streams_.end()) clock.join(found->second);
  };
  add(stream.id);
  if (stream.is_default()) {
    clock.join(blocking_);
  } else if (stream.is_blocking) {
    add(StreamName::kDefaultId);
  }
  return clock;
}

StreamClock StreamQueue::put(const StreamName& stream, StreamWork work, bool at_once) {
  work.stream = stream;
  work.number = ++counts_[stream.id];
  ++puts_;
  work.clock = clock_of(stream);
  work.clock.set(stream.id, work.number);
  count(work);
  StreamClock clock = streams_[stream.id] = work.clock;
  if (!stream.is_default() && stream.is_blocking) blocking_.join(clock);
  works_.push_back(std::move(work));
  if (at_once || !is_late(stream)) {
    run(clock);
  } else if (works_.size() > kLongestQueue) {
    const auto oldest =
        std::find_if(works_.begin(), works_.end(), [](const StreamWork& late) { return !late.is_done; });
    run(StreamClock(oldest->clock));
  }
  return clock;
}

void StreamQueue::count(const StreamWork& work) {
  if (!work.is_kernel && !work.is_copy) return;
  ++operations_;
  const bool is_ordered = std::all_of(last_operations_.begin(), last_operations_.end(),
                                      [&](const auto& last) { return last.second <= work.clock.of(last.first); });
  unordered_operations_ += is_ordered ? 0 : 1;
  last_operations_[work.stream.id] = work.number;
  streams_used_.insert(work.stream.id);
  most_operations_ = std::max(most_operations_, ++operations_of_[work.stream.id]);
}

void StreamQueue::order_after(const StreamName& stream, const StreamClock& clock) {
  streams_[stream.id].join(clock);
  if (!stream.is_default() && stream.is_blocking) blocking_.join(clock);
}

void StreamQueue::run(const StreamClock& clock) {
  for (StreamWork& work : works_) {
    if (work.is_done || !comes_before(work, clock)) continue;
    work.is_done = true;  // also where it throws
    if (work.run(work)) continue;
    works_.clear();
    return;
  }
  prune();
}

void StreamQueue::wait(const StreamClock& clock) {
  run(clock);
  host_.join(clock);
  prune();
}

void StreamQueue::wait_for_all() {
  StreamClock all;
  for (const StreamWork& work : works_) all.join(work.clock);
  run(all);
  works_.clear();
  last_operations_.clear();
  waited_puts_ = puts_;
  // All earlier work comes before all later work: no operation needs to record it any more.
  streams_.clear();
  blocking_ = host_ = {};
}

void StreamQueue::forget(const StreamName& stream) {
  streams_.erase(stream.id);
  counts_.erase(stream.id);
  last_operations_.erase(stream.id);
  operations_of_.erase(stream.id);
}

/// Drops what is complete and cannot be unordered with later work.
void StreamQueue::prune() {
  std::size_t kept = 0;
  for (auto work = works_.rbegin(); work != works_.rend();) {
    const bool needed = !work->is_done || (is_known_to_touch(*work) && !comes_before(*work, host_) && kept < kMostDone);
    kept += work->is_done && needed ? 1u : 0u;
    work = needed ? std::next(work) : std::make_reverse_iterator(works_.erase(std::next(work).base()));
  }
}

std::vector<const StreamWork*> StreamQueue::unordered_with(const StreamWork& work) const {
  std::vector<const StreamWork*> found;
  for (const StreamWork& other : works_) {
    if (&other == &work || comes_before(other, work.clock) || comes_before(work, other.clock)) continue;
    found.push_back(&other);
  }
  return found;
}

std::string StreamQueue::late_kernel(const StreamWork& work) const {
  for (const StreamWork* other : unordered_with(work)) {
    if (other->is_kernel && !other->is_done)
      return "kernel " + demangle(other->what) + ", in " + other->stream.text() + ", had not run";
  }
  return "";
}

std::vector<const StreamWork*> StreamQueue::unwaited() const {
  std::vector<const StreamWork*> found;
  for (const StreamWork& work : works_) {
    if (is_known_to_touch(work) && !comes_before(work, host_)) found.push_back(&work);
  }
  return found;
}

bool StreamQueue::has_waited_for(std::uint64_t stream, std::uint64_t number, std::uint64_t put) const {
  return put <= waited_puts_ || number <= host_.of(stream);
}

std::optional<StreamWork> StreamQueue::take_last_kernel(const StreamName& stream) {
  if (works_.empty() || works_.back().stream.id != stream.id || works_.back().is_done || !works_.back().is_kernel)
    return {};
  StreamWork taken = std::move(works_.back());
  works_.pop_back();
  return taken;
}

bool StreamQueue::will_free(std::uint64_t address) const {
  return std::any_of(works_.begin(), works_.end(), [address](const StreamWork& work) {
    return !work.is_done && work.frees && work.touches.front().begin == address;
  });
}

}  // namespace cudasim
