// SPDX-License-Identifier: MIT
// A benchmark that computes nothing and writes down what is asked of it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "workbook/bench/measure.h"

namespace workbook {

// What happened, in order. A sample lies between "[" and "]".
struct Event {
  std::string what;
  std::size_t turn = 0;
};

class Recorder final : public Benchmark {
 public:
  std::string peer() const override { return "peer 1.0"; }
  void launch(std::size_t turn) override { events.push_back({"stage", turn}); }
  void launch_peer(std::size_t turn) override { events.push_back({"peer", turn}); }
  BenchCheck check(std::size_t turn) override {
    events.push_back({"check", turn});
    return result;
  }
  bool is_changed(std::size_t) override { return changes; }
  void restore() override { events.push_back({"restore"}); }

  // A clock by which each launch takes as long as it is told.
  Instruments instruments(double stage_us, double peer_us) {
    return {[this, stage_us, peer_us](const std::function<void()>& launches) {
              events.push_back({"["});
              const std::size_t first = events.size();
              launches();
              double time_us = 0.0;
              for (std::size_t i = first; i < events.size(); ++i) {
                time_us += events[i].what == "stage" ? stage_us : peer_us;
              }
              events.push_back({"]"});
              return time_us;
            },
            [this] { events.push_back({"clean"}); }};
  }

  std::vector<Event> events;
  bool changes = false;
  BenchCheck result{{true, 0.5, 0.0, 1.0, ""}, {true, 0.25, 0.0, 1.0, ""}, 0.125};
};

}  // namespace workbook
