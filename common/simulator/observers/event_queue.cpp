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

/// Goes on writing in a chunk that nobody reads any more.
void EventQueue::take_chunk() {
  room_ = {nullptr, nullptr};  // where there is no memory for a chunk, there is nothing in it either
  if (free_.empty()) {
    chunk_.storage.reset(new std::byte[chunk_bytes_]);  // not make_unique, which would fill it
  } else {
    chunk_ = std::move(free_.back());
    free_.pop_back();
  }
  room_ = {chunk_.storage.get(), chunk_.storage.get() + chunk_bytes_};
}

void EventQueue::listen_here() {
  const std::byte* end = room_.front;
  std::byte* begin = chunk_.storage.get();
  room_ = {begin, begin + chunk_bytes_};
  if (begin != end) listener_(begin, end);
}

/// A kernel that fills no chunk never comes here, and pays for no thread.
bool EventQueue::has_thread() {
  if (!own_thread_ || thread_.joinable()) return own_thread_;
  try {
    worth_waking_ = chunks_worth_waking_;
    free_.reserve(most_chunks_ + 1);  // so that nothing can fail in the thread but the listener
    thread_ = std::thread([this] { listen(); });
  } catch (const std::system_error&) {
    own_thread_ = false;
  }
  return own_thread_;
}

void EventQueue::hand_over() {
  if (!has_thread()) return listen_here();
  std::unique_lock<std::mutex> lock(mutex_);
  chunk_.used = static_cast<std::size_t>(room_.front - chunk_.storage.get());
  full_.push_back(std::move(chunk_));
  if (++left_ == worth_waking_) written_more_.notify_one();
  if (left_ == most_chunks_) wait(lock, most_chunks_ / 2);
  // The writer has a chunk whatever happens.
  take_chunk();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void EventQueue::drain() {
  if (thread_.joinable()) {
    std::unique_lock<std::mutex> lock(mutex_);
    worth_waking_ = 1;
    written_more_.notify_one();
    wait(lock, 0);
    worth_waking_ = chunks_worth_waking_;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  listen_here();
}

/// Until at most `most_left` chunks are left to listen to.
void EventQueue::wait(std::unique_lock<std::mutex>& lock, std::size_t most_left) {
  writer_waits_for_ = most_left;
  writer_waits_ = true;
  listened_more_.wait(lock, [&] { return left_ <= most_left; });
  writer_waits_ = false;
}

void EventQueue::listen() {
  bool failed = false;  // then the rest is dropped, so that the writer never waits in vain
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (left_ == 0) written_more_.wait(lock, [&] { return stop_ || left_ >= worth_waking_; });
    if (stop_) return;
    Chunk chunk = std::move(full_.front());
    full_.pop_front();
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
    free_.push_back(std::move(chunk));
    --left_;
    if (writer_waits_ && left_ == writer_waits_for_) listened_more_.notify_one();
  }
}

}  // namespace cudasim
