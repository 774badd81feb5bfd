// SPDX-License-Identifier: MIT
// What comes before what, and what is late, by the rules of streams, events and the default stream.
#include "runtime/base/stream_queue.h"

#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <random>
#include <vector>

namespace cudasim {
namespace {

using Order = Schedule::Order;

const StreamName default_stream;
const StreamName blocking{1, true}, other_blocking{2, true};
const StreamName free_stream{3, false}, other_free{4, false};  // cudaStreamNonBlocking

/// A queue whose work writes its name into a log when it is done.
struct Streams {
  explicit Streams(Order order) : queue(order) {}
  StreamClock put(const StreamName& stream, const std::string& name, bool at_once = false) {
    StreamWork work = work_of(name);
    return queue.put(stream, std::move(work), at_once);
  }
  StreamWork work_of(const std::string& name) {
    StreamWork work;
    work.what = name;
    work.run = [this, name](const StreamWork&) {
      log += name;
      return name != "!";
    };
    return work;
  }
  void wait(const StreamName& stream) { queue.wait(queue.clock_of(stream)); }
  StreamQueue queue;
  std::string log;
};

TEST(StreamQueue, CountsWhatMayRunBesideAnEarlierOperation) {
  Streams streams(Order::plain);
  const auto put = [&](const StreamName& stream, bool is_copy) {
    StreamWork work = streams.work_of("");
    work.is_copy = is_copy;
    return streams.queue.put(stream, std::move(work));
  };
  put(free_stream, true);
  const StreamClock event = put(free_stream, false);  // an event is no operation
  streams.queue.order_after(other_free, event);
  put(other_free, true);
  EXPECT_EQ(streams.queue.unordered_operations(), 0u);
  put(free_stream, true);  // beside that of other_free
  EXPECT_EQ(streams.queue.unordered_operations(), 1u);
  streams.wait(free_stream);
  put(other_free, true);
  EXPECT_EQ(streams.queue.unordered_operations(), 1u);
  streams.queue.wait_for_all();
  put(free_stream, true);
  EXPECT_EQ(streams.queue.unordered_operations(), 1u);
  EXPECT_EQ(streams.queue.operations(), 5u);
  EXPECT_EQ(streams.queue.most_operations_in_a_stream(), 3u);
}

TEST(StreamQueue, NothingIsLateInPlainOrder) {
  Streams streams(Order::plain);
  streams.put(free_stream, "a");
  streams.put(default_stream, "b");
  streams.put(blocking, "c");
  EXPECT_EQ(streams.log, "abc");
}

TEST(StreamQueue, CreatedStreamsAreLateInAdversarialOrder) {
  Streams streams(Order::adversarial);
  streams.put(free_stream, "a");
  streams.put(other_free, "b");
  streams.put(default_stream, "c");
  EXPECT_EQ(streams.log, "c");
  streams.wait(other_free);
  EXPECT_EQ(streams.log, "cb");
  streams.wait(free_stream);
  streams.wait(free_stream);
  EXPECT_EQ(streams.log, "cba");
}

TEST(StreamQueue, TheDefaultStreamIsLateInRandomOrder) {
  Streams streams(Order::random);
  streams.put(default_stream, "a");
  streams.put(free_stream, "b");
  EXPECT_EQ(streams.log, "b");
  streams.queue.wait_for_all();
  EXPECT_EQ(streams.log, "ba");
}

TEST(StreamQueue, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  Streams adversarial(Order::adversarial);
  adversarial.put(blocking, "a");
  adversarial.put(free_stream, "b");
  adversarial.put(other_blocking, "c");
  adversarial.put(default_stream, "d");
  EXPECT_EQ(adversarial.log, "acd");
  Streams random(Order::random);
  random.put(default_stream, "a");
  random.put(free_stream, "b");
  random.put(blocking, "c");
  EXPECT_EQ(random.log, "bac");
}

TEST(StreamQueue, AStreamIsInOrderAndWorkThatIsDoneAtOnceComesLast) {
  Streams streams(Order::adversarial);
  streams.put(free_stream, "a");
  streams.put(free_stream, "b");
  streams.put(other_free, "c");
  streams.put(free_stream, "d", true);
  EXPECT_EQ(streams.log, "abd");
}

TEST(StreamQueue, AnEventIsWaitedForAsItWasThen) {
  Streams streams(Order::adversarial);
  const StreamClock event = streams.put(free_stream, "a");
  streams.put(free_stream, "b");
  streams.queue.order_after(other_free, event);
  streams.put(other_free, "c");
  streams.wait(other_free);
  EXPECT_EQ(streams.log, "ac");
}

TEST(StreamQueue, WaitingForAStreamIsWaitingForWhatItWaitsFor) {
  Streams streams(Order::adversarial);
  streams.queue.order_after(other_free, streams.put(free_stream, "a"));
  streams.wait(other_free);
  EXPECT_EQ(streams.log, "a");
}

TEST(StreamQueue, NothingIsDoneAfterAFault) {
  Streams streams(Order::adversarial);
  streams.put(free_stream, "a");
  streams.put(free_stream, "!");
  streams.put(free_stream, "b");
  streams.put(other_free, "c");
  streams.wait(free_stream);
  streams.queue.wait_for_all();
  EXPECT_EQ(streams.log, "a!");
}

TEST(StreamQueue, WhatThrowsIsNotDoneAgain) {
  Streams streams(Order::adversarial);
  StreamWork work = streams.work_of("a");
  work.run = [](const StreamWork&) -> bool { throw std::bad_alloc(); };
  streams.queue.put(free_stream, std::move(work));
  EXPECT_THROW(streams.wait(free_stream), std::bad_alloc);
  streams.put(free_stream, "b");
  streams.wait(free_stream);
  EXPECT_EQ(streams.log, "b");
}

TEST(StreamQueue, AQueueHasAnEnd) {
  Streams streams(Order::adversarial);
  for (int i = 0; i < 1030; ++i) streams.put(free_stream, "a");
  EXPECT_GT(streams.log.size(), 0u);
  EXPECT_LT(streams.log.size(), 10u);
  streams.queue.wait_for_all();
  EXPECT_EQ(streams.log.size(), 1030u);
}

/// Puts a fill, lets `between` order or not order it, and says whether work of `stream` is unordered with it.
template <typename Between>
bool is_unordered(Order order, const StreamName& filled, const StreamName& stream, Between between) {
  Streams streams(order);
  StreamWork fill = streams.work_of("fill");
  fill.touches = {{true, 0x1000, 64}};
  between(streams, streams.queue.put(filled, std::move(fill)));
  std::size_t found = 0;
  StreamWork kernel = streams.work_of("kernel");
  kernel.is_kernel = true;
  kernel.run = [&](const StreamWork& work) {
    found = streams.queue.unordered_with(work).size();
    return true;
  };
  streams.queue.put(stream, std::move(kernel), true);
  return found != 0;
}

TEST(StreamQueue, KnowsWhatIsUnordered) {
  const auto nothing = [](Streams&, const StreamClock&) {};
  const auto host_waits = [](Streams& streams, const StreamClock& fill) { streams.queue.wait(fill); };
  const auto host_waits_for_all = [](Streams& streams, const StreamClock&) { streams.queue.wait_for_all(); };
  const auto an_event = [](Streams& streams, const StreamClock& fill) {
    streams.queue.order_after(other_free, fill);
    streams.queue.order_after(default_stream, fill);
  };
  for (const Order order : {Order::plain, Order::adversarial, Order::random}) {
    EXPECT_TRUE(is_unordered(order, free_stream, default_stream, nothing)) << name_of(FindingKind::stream_order);
    EXPECT_TRUE(is_unordered(order, default_stream, free_stream, nothing));
    EXPECT_TRUE(is_unordered(order, free_stream, other_free, nothing));
    EXPECT_TRUE(is_unordered(order, blocking, other_blocking, nothing));
    EXPECT_FALSE(is_unordered(order, free_stream, free_stream, nothing));
    EXPECT_FALSE(is_unordered(order, blocking, default_stream, nothing));
    EXPECT_FALSE(is_unordered(order, default_stream, blocking, nothing));
    EXPECT_FALSE(is_unordered(order, free_stream, default_stream, host_waits));
    EXPECT_FALSE(is_unordered(order, free_stream, default_stream, host_waits_for_all));
    EXPECT_FALSE(is_unordered(order, free_stream, default_stream, an_event));
    EXPECT_FALSE(is_unordered(order, free_stream, other_free, an_event));
  }
}

// Through the default stream two blocking streams are ordered, also where it does its own work late.
TEST(StreamQueue, WorkOfTheDefaultStreamOrdersThoseAroundIt) {
  for (const Order order : {Order::plain, Order::adversarial, Order::random}) {
    EXPECT_FALSE(is_unordered(order, blocking, other_blocking,
                              [](Streams& streams, const StreamClock&) { streams.put(default_stream, "d"); }));
  }
}

TEST(StreamQueue, NamesAKernelThatHasNotRun) {
  Streams streams(Order::adversarial);
  StreamWork late = streams.work_of("_Z4fillPi");
  late.is_kernel = true;
  streams.queue.put(free_stream, std::move(late));
  std::string words;
  StreamWork kernel = streams.work_of("k");
  kernel.run = [&](const StreamWork& work) {
    words = streams.queue.late_kernel(work);
    return true;
  };
  StreamWork again = kernel;
  streams.queue.put(default_stream, std::move(kernel));
  EXPECT_EQ(words, "kernel fill(int*), in stream 3 of the program, had not run");
  streams.queue.put(free_stream, std::move(again), true);
  EXPECT_EQ(words, "");
}

TEST(StreamQueue, KnowsWhatWillBeFreed) {
  Streams streams(Order::adversarial);
  StreamWork release = streams.work_of("a");
  release.frees = true;
  release.touches = {{true, 0x1000, 64}};
  streams.queue.put(free_stream, std::move(release));
  EXPECT_TRUE(streams.queue.will_free(0x1000));
  EXPECT_FALSE(streams.queue.will_free(0x1010));
  streams.wait(free_stream);
  EXPECT_FALSE(streams.queue.will_free(0x1000));
}

TEST(TouchedPlaces, OfRowsAreWithoutWhatLiesBetween) {
  const TouchedPlaces line{true, 100, 20};
  EXPECT_TRUE(line.overlap(100, 4) && line.overlap(116, 4) && line.overlap(97, 4) && line.overlap(118, 8));
  EXPECT_FALSE(line.overlap(96, 4) || line.overlap(120, 4));
  const TouchedPlaces box{true, 100, 8, 3, 2, 16, 64};
  EXPECT_TRUE(box.overlap(100, 4) && box.overlap(132, 4) && box.overlap(164, 4) && box.overlap(196, 8));
  EXPECT_FALSE(box.overlap(108, 8) || box.overlap(148, 4) || box.overlap(204, 4) || box.overlap(228, 4));
  EXPECT_TRUE(box.overlap(108, 9) && box.overlap(148, 17) && box.overlap(0, 101) && box.overlap(0, 1000));
  EXPECT_FALSE(box.overlap(0, 100) || box.overlap(204, 1000));
}

TEST(TouchedPlaces, OfATriangleAreWithoutTheOther) {
  // The lower and the upper triangle of 4 x 4 floats, without and with the diagonal.
  TouchedPlaces lower{true, 104, 12, 3, 1, 20};
  lower.width_step = -4;
  TouchedPlaces upper{true, 100, 4, 4, 1, 16};
  upper.width_step = 4;
  for (std::uint64_t place = 0; place < 16; ++place) {
    const bool is_lower = place % 4 > place / 4;
    EXPECT_EQ(lower.overlap(100 + 4 * place, 4), is_lower) << place;
    EXPECT_EQ(upper.overlap(100 + 4 * place, 4), !is_lower) << place;
  }
  EXPECT_FALSE(lower.overlap(upper) || upper.overlap(lower));
  EXPECT_TRUE(lower.overlap(lower) && upper.overlap(TouchedPlaces{false, 160, 4}));
}

TEST(StreamQueue, AChainOfStreamsTakesLinearTime) {
  // Each stream waits for the one before. With a clock of its own for each operation this takes a minute and 6 GB.
  constexpr std::uint64_t kStreams = 10'000;
  for (const Order order : {Order::plain, Order::adversarial}) {
    Streams streams(order);
    const std::clock_t begun = std::clock();
    StreamClock last;
    for (std::uint64_t i = 1; i <= kStreams; ++i) {
      const StreamName stream{i, true};
      streams.queue.order_after(stream, last);
      last = streams.put(stream, "a");
    }
    EXPECT_EQ(last.of(1), 1u);
    streams.queue.wait(last);
    EXPECT_EQ(streams.log.size(), kStreams);
    EXPECT_LT(std::clock() - begun, 5 * CLOCKS_PER_SEC);
  }
}

TEST(StreamClock, HasTheLargestCountOfEachStream) {
  std::mt19937_64 random(7);
  constexpr std::size_t kClocks = 12;
  std::vector<StreamClock> clocks(kClocks);
  std::vector<std::map<std::uint64_t, std::uint64_t>> models(kClocks);
  std::vector<std::uint64_t> streams{0, 1, 2, 3, 64, 65, ~0ull, std::uint64_t{1} << 63, StreamName::kFirstBranchId};
  for (int i = 0; i < 30; ++i) streams.push_back(random() >> (random() % 64));
  for (int round = 0; round < 5000; ++round) {
    const std::size_t to = random() % kClocks, from = random() % kClocks;
    if (random() % 40 == 0) {
      clocks[to] = {};
      models[to].clear();
    } else if (random() % 2 == 0) {
      const std::uint64_t stream = streams[random() % streams.size()], count = models[to][stream] + 1 + random() % 3;
      clocks[to].set(stream, count);
      models[to][stream] = count;
    } else {
      clocks[to].join(clocks[from]);
      for (const auto& [stream, count] : models[from]) models[to][stream] = std::max(models[to][stream], count);
    }
    for (const std::uint64_t stream : streams) {
      const auto known = models[to].find(stream);
      ASSERT_EQ(clocks[to].of(stream), known == models[to].end() ? 0 : known->second);
    }
    ASSERT_EQ(clocks[to].empty(), models[to].empty());
  }
}

}  // namespace
}  // namespace cudasim
