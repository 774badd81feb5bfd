// SPDX-License-Identifier: MIT
#include "observers/event_queue.h"

#include <system_error>
#include <utility>

namespace cudasim {

EventQueue::EventQueue(Listener listener, bool own_thread, std::size_t chunk_bytes)
    : listener_(std::move(listener)), own_thread_(own_thread), chunk_bytes_(chunk_bytes) {
  take_chunk();
}

EventQueue::~EventQueue() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  written_more_.notify_one();
  thread_.join();
}

/// Goes on writing in the chunk whose turn it is, which nobody reads any more.
void EventQueue::take_chunk() {
  auto& storage = ring_[written_ % ring_.size()].storage;
  if (!storage) storage.reset(new std::byte[chunk_bytes_]);  // not make_unique, which would fill it
  begin_ = storage.get();
  room_ = {begin_, begin_ + chunk_bytes_};
}

void EventQueue::listen_here() {
  const std::byte* end = room_.front;
  room_ = {begin_, begin_ + chunk_bytes_};
  if (begin_ != end) listener_(begin_, end);
}

/// A kernel that fills no chunk never comes here, and pays for no thread.
bool EventQueue::has_thread() {
  if (!own_thread_ || thread_.joinable()) return own_thread_;
  try {
    worth_waking_ = ring_.size() * 3 / 4;
    thread_ = std::thread([this] { listen(); });
  } catch (const std::system_error&) {
    own_thread_ = false;
  }
  return own_thread_;
}

void EventQueue::hand_over() {
  if (!has_thread()) return listen_here();
  std::unique_lock<std::mutex> lock(mutex_);
  ring_[written_ % ring_.size()].used = static_cast<std::size_t>(room_.front - begin_);
  ++written_;
  if (left() == worth_waking_) written_more_.notify_one();
  if (left() == ring_.size()) wait(lock, ring_.size() / 2);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  take_chunk();
}

void EventQueue::drain() {
  if (thread_.joinable()) {
    std::unique_lock<std::mutex> lock(mutex_);
    worth_waking_ = 1;
    written_more_.notify_one();
    wait(lock, 0);
    worth_waking_ = ring_.size() * 3 / 4;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  listen_here();
}

/// Until at most `most_left` chunks are left to listen to.
void EventQueue::wait(std::unique_lock<std::mutex>& lock, std::uint64_t most_left) {
  writer_waits_for_ = most_left;
  writer_waits_ = true;
  listened_more_.wait(lock, [&] { return left() <= most_left; });
  writer_waits_ = false;
}

void EventQueue::listen() {
  bool failed = false;  // then the rest is dropped, so that the writer never waits in vain
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (left() == 0) written_more_.wait(lock, [&] { return stop_ || left() >= worth_waking_; });
    if (stop_) return;
    const Chunk& chunk = ring_[listened_ % ring_.size()];
    lock.unlock();
    std::exception_ptr error;
    try {
      if (!failed) listener_(chunk.storage.get(), chunk.storage.get() + chunk.used);
    } catch (...) {
      error = std::current_exception();
      failed = true;
    }
    lock.lock();
    if (error) error_ = error;
    ++listened_;
    if (writer_waits_ && left() == writer_waits_for_) listened_more_.notify_one();
  }
}

}  // namespace cudasim
