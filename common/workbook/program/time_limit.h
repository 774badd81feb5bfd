// SPDX-License-Identifier: MIT
// Ends the program when it exceeds its time limit. Nothing else ends an endless loop on the host.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "workbook/case/run.h"

namespace workbook {

/// What a program says that is stopped after `seconds`, of which it has computed for `cpu_seconds`.
std::string stopped_sentence(double seconds, double cpu_seconds, const CasesProgress& progress);

/// A watchdog thread beside the program's own, until the destructor. 0 seconds: there is no limit.
class TimeLimit {
 public:
  /// `say`: prints the sentence, before the program ends with ExitStatus::device_error.
  TimeLimit(double seconds, const CasesProgress& progress, std::function<void(const std::string& sentence)> say);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread watch_;
};

}  // namespace workbook
