// SPDX-License-Identifier: MIT
// The queue between the machine and the race checker: nothing is lost, nothing changes places, and nobody waits for
// ever.
#include "observers/event_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace cudasim {
namespace {

constexpr std::size_t chunk_bytes = 1024;
constexpr std::uint32_t events = 20000;

/// An event says how long it is and how far behind it its other part lies, which repeats its number.
struct Event {
  std::uint32_t number, words, apart;
};

void write(EventQueue& queue, std::uint32_t number) {
  auto room = queue.reserve(200);
  const std::uint32_t words = number % 7;
  room.back -= 4 * (1 + number % 5);
  const Event event{number, words, static_cast<std::uint32_t>(room.back - room.front)};
  std::memcpy(room.front, &event, sizeof event);
  std::memcpy(room.back, &number, sizeof number);
  room.front += sizeof event + 4 * words;
  queue.commit(room);
}

struct Heard {
  std::vector<std::uint32_t> numbers;
  std::thread::id thread;
  bool whole = true;  ///< both parts of all of them
  void operator()(const std::byte* begin, const std::byte* end) {
    thread = std::this_thread::get_id();
    while (begin < end) {
      Event event;
      std::uint32_t again;
      std::memcpy(&event, begin, sizeof event);
      std::memcpy(&again, begin + event.apart, sizeof again);
      whole = whole && again == event.number;
      numbers.push_back(event.number);
      begin += sizeof event + 4 * event.words;
    }
    whole = whole && begin == end;
  }
};

class EventQueueTest : public ::testing::TestWithParam<bool> {};

TEST_P(EventQueueTest, TellsAllInOrder) {
  std::mt19937 random(3);
  Heard heard;
  EventQueue queue([&](const std::byte* begin, const std::byte* end) { heard(begin, end); }, GetParam(), chunk_bytes);
  for (std::uint32_t i = 0; i < events; ++i) {
    write(queue, i);
    if (random() % 500 == 0) {
      queue.drain();
      ASSERT_EQ(heard.numbers.size(), i + 1) << "drain() returns when all has been listened to";
    }
  }
  queue.drain();
  ASSERT_EQ(heard.numbers.size(), events);
  for (std::uint32_t i = 0; i < events; ++i) ASSERT_EQ(heard.numbers[i], i);
  EXPECT_TRUE(heard.whole);
}

TEST_P(EventQueueTest, HandsOnWhatTheListenerThrows) {
  int calls = 0;
  EventQueue queue(
      [&](const std::byte*, const std::byte*) {
        ++calls;
        throw std::runtime_error("full");
      },
      GetParam(), chunk_bytes);
  auto write_all = [&] {
    for (std::uint32_t i = 0; i < events; ++i) write(queue, i);
    queue.drain();
  };
  EXPECT_THROW(write_all(), std::runtime_error);
  EXPECT_EQ(calls, 1);
}

INSTANTIATE_TEST_SUITE_P(ItsThread, EventQueueTest, ::testing::Bool());

TEST(EventQueue, AFullRingMakesTheWriterWait) {
  std::atomic<bool> open{false};
  std::atomic<std::uint32_t> written{0};
  Heard heard;
  {
    EventQueue queue(
        [&](const std::byte* begin, const std::byte* end) {
          while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          heard(begin, end);
        },
        true, chunk_bytes);
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      EXPECT_LT(written, events) << "more than any ring holds";
      EXPECT_GT(written, 0u);
      open = true;
    });
    for (std::uint32_t i = 0; i < events; ++i) {
      write(queue, i);
      ++written;
    }
    queue.drain();
    opener.join();
  }
  EXPECT_EQ(heard.numbers.size(), events);
  EXPECT_NE(heard.thread, std::thread::id());
}

TEST(EventQueue, StartsNoThreadForLittle) {
  Heard heard;
  EventQueue queue([&](const std::byte* begin, const std::byte* end) { heard(begin, end); }, true, chunk_bytes);
  write(queue, 0);
  queue.drain();
  EXPECT_EQ(heard.numbers.size(), 1u);
  EXPECT_EQ(heard.thread, std::this_thread::get_id());
}

TEST(EventQueue, IsGivenUpInTheMiddle) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    Heard heard;
    EventQueue queue([&](const std::byte* begin, const std::byte* end) { heard(begin, end); }, true, chunk_bytes);
    for (std::uint32_t i = 0; i < 500; ++i) write(queue, i);
  }
}

}  // namespace
}  // namespace cudasim
