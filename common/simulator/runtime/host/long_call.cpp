// SPDX-License-Identifier: MIT
#include "runtime/host/long_call.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "report/console.h"
#include "report/finding_text.h"
#include "report/host_lines.h"
#include "runtime/runtime.h"

namespace cudasim {

LongCall::LongCall(Runtime& runtime, const char* name, const CallStack& callers, std::uint64_t bytes)
    : runtime_(runtime), name_(name) {
  if (bytes >= kFewBytes) watch_ = std::thread([this, &callers] { watch(callers); });
}

LongCall::~LongCall() {
  if (!watch_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    has_ended_ = true;
  }
  ended_.notify_one();
  watch_.join();
  runtime_.report.set_running({});
}

void LongCall::watch(const CallStack& callers) {
  const auto begun = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  for (double due = runtime_.settings().schedule.patience_seconds;; due = std::max(due, 1.0) * 2) {
    if (ended_.wait_until(lock, begun + std::chrono::duration<double>(due), [this] { return has_ended_; })) return;
    Finding now;
    now.kernel = name_;
    const HostLine line = host_line(callers, Wanted::caller);
    now.where = line.where;
    const std::string place = host_place(line);
    print_line(std::string(name_) + " still runs after " + std::to_string(std::lround(due)) +
               " s. The CPU computes it, and it will end; a smaller size is quicker" +
               (place.empty() ? "" : " (" + place + ")"));
    runtime_.report.set_running(now);  // for whoever ends the program first
    runtime_.write_report();
  }
}

}  // namespace cudasim
