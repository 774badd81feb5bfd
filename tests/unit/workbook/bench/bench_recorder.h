// SPDX-License-Identifier: MIT
// A benchmark that computes nothing and writes down what is asked of it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workbook/bench/measure.h"

namespace workbook {

// What happened, in order. A sample lies between "[" and "]".
struct Event {
  std::string what;
  std::size_t turn = 0;
};

inline Verdict matching(double error) {
  Verdict verdict;
  verdict.matches = true;
  verdict.error = error;
  return verdict;
}
inline Verdict not_matching(double error, const std::string& reason) {
  Verdict verdict;
  verdict.error = error;
  verdict.reason = reason;
  return verdict;
}

class Recorder final : public Benchmark {
 public:
  // `names`: of the peers, one letter each; a capital is one that is missing.
  explicit Recorder(const std::string& names = "p") {
    for (const char name : names) {
      const bool is_missing = name < 'a';
      peers_.push_back({std::string(1, name), is_missing ? "not here" : "", is_missing ? nullptr : launch_of(name)});
      if (!is_missing) result.peers.push_back(matching(0.25));
    }
    result.stage = matching(0.5);
    result.error_unit = 0.125;
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override { events.push_back({"stage", turn}); }
  BenchCheck check(std::size_t turn) override {
    events.push_back({"check", turn});
    return result;
  }
  bool is_changed(std::size_t) override { return changes; }
  void restore() override { events.push_back({"restore"}); }

  // A clock by which each launch takes a given time: the stage's "stage", each peer's by its name.
  Instruments instruments(std::map<std::string, double> us) {
    return {[this, us](const std::function<void()>& launches) {
              events.push_back({"["});
              const std::size_t first = events.size();
              launches();
              double time_us = 0.0;
              for (std::size_t i = first; i < events.size(); ++i) time_us += us.at(events[i].what);
              events.push_back({"]"});
              return time_us;
            },
            [this] { events.push_back({"clean"}); }, [] { return 1500.0; }};
  }

  std::vector<Event> events;
  bool changes = false;
  BenchCheck result;

 private:
  std::function<void(std::size_t)> launch_of(char name) {
    return [this, name](std::size_t turn) { events.push_back({std::string(1, name), turn}); };
  }

  std::vector<Peer> peers_;
};

}  // namespace workbook
