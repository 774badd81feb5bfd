// SPDX-License-Identifier: MIT
// Receives accesses and records the history of a place (checkers/history/history.h), in words and lane by lane.
#pragma once

#include <vector>

#include "checkers/history/history.h"
#include "state/observer.h"

namespace cudasim {

class HistoryObserver final : public Observer {
 public:
  explicit HistoryObserver(History& history);
  void begin_launch(Grid& grid) override;
  void before(const AccessSeen& seen) override;
  void after(const AccessSeen& seen) override;

 private:
  void write(const History::Touch& touch, PastWrite::Kind kind, std::uint32_t threads, const std::byte* before,
             const std::byte* after);

  History& history_;
  const Grid* grid_ = nullptr;     // of the launch
  std::vector<std::byte> before_;  // what a store will replace, 64 bytes a lane
};

}  // namespace cudasim
