// SPDX-License-Identifier: MIT
// Hears of accesses and tells the history of a place (checkers/history/history.h), in words and lane by lane.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "checkers/history/history.h"
#include "memory/memory.h"
#include "state/observer.h"

namespace cudasim {

struct Grid;

class HistoryObserver final : public Observer {
 public:
  HistoryObserver(History& history, std::function<Memory&()> memory);
  ~HistoryObserver() override;
  void begin_launch(const Program& program, const Launch& launch) override;
  void before(const AccessSeen& seen) override;
  void after(const AccessSeen& seen) override;

 private:
  void write(const History::Touch& touch, PastWrite::Kind kind, std::uint32_t threads, const std::byte* before,
             const std::byte* after);

  History& history_;
  std::function<Memory&()> memory_;
  std::unique_ptr<Grid> grid_;     // of the launch: what words are made of
  std::vector<std::byte> before_;  // what a store is about to replace, 64 bytes a lane
};

}  // namespace cudasim
