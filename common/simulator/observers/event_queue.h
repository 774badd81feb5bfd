// SPDX-License-Identifier: MIT
// What one thread tells another, in order: bytes in chunks of a ring. A chunk changes hands under a mutex, some hundred
// events at a time, so neither side pays for the other. Its storage is fixed: who tells faster than is listened to
// waits.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cudasim {

class EventQueue {
 public:
  /// Is given all events since the last call, side by side.
  using Listener = std::function<void(const std::byte* begin, const std::byte* end)>;
  static constexpr std::size_t usual_chunk_bytes = std::size_t{32} << 10;

  /// `own_thread`: the listener runs in a thread of its own as soon as a chunk is full. Otherwise, and where the host
  /// gives no thread, it runs in the writer's, to the same effect.
  EventQueue(Listener listener, bool own_thread, std::size_t chunk_bytes = usual_chunk_bytes);
  /// What has not been listened to is dropped.
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  struct Room {
    std::byte *front, *back;  ///< the event begins at `front`; what else belongs to it ends at `back`
  };
  /// Room for an event of up to `bytes` (at most a chunk) in all. Waits while the ring is full. Throws what the
  /// listener threw.
  Room reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(room_.back - room_.front) < bytes) hand_over();
    // The listener's core has read these lines: to get them back takes as long as to write some events.
    __builtin_prefetch(room_.front + 512, 1);
    return room_;
  }
  /// The event is there: what is left of the room.
  void commit(Room room) { room_ = room; }
  /// Returns when all has been listened to. Throws what the listener threw.
  void drain();

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> storage;
    std::size_t used = 0;
  };
  void hand_over();
  void take_chunk();
  void listen_here();
  bool has_thread();
  void listen();
  void wait(std::unique_lock<std::mutex>& lock, std::size_t most_left);

  Listener listener_;
  bool own_thread_;
  std::size_t chunk_bytes_;
  Chunk chunk_;  // that is being written
  Room room_{nullptr, nullptr};
  std::thread thread_;
  std::mutex mutex_;  // of what follows
  std::condition_variable written_more_, listened_more_;
  // Whoever sleeps is woken for many chunks, not for each: to wake costs as much as to fill one. The ring has room for
  // several times as many, as it takes a while until a sleeping thread runs; mostly only so much of it is ever touched
  // as stays in the caches, because the chunk that was listened to last is the next to be written.
  static constexpr std::size_t most_chunks_ = 64, chunks_worth_waking_ = 24;
  std::deque<Chunk> full_;  // oldest first
  std::vector<Chunk> free_;
  std::size_t left_ = 0;              // chunks that are full or just being listened to
  std::size_t worth_waking_ = 1;      // the listener, for so many chunks
  std::size_t writer_waits_for_ = 0;  // so few chunks left, where `writer_waits_`
  bool writer_waits_ = false;
  std::exception_ptr error_;
  bool stop_ = false;
};

}  // namespace cudasim
