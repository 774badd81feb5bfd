// SPDX-License-Identifier: MIT
#include "workbook/program/time_limit.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <utility>

#include "workbook/program/failure.h"

namespace workbook {
namespace {

/// Of all threads of this process.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A process that had little of a core may be in no loop at all: others may have had the core.
constexpr double kLittle = 0.5;

std::string sentence(double seconds) {
  std::ostringstream text;
  text.precision(3);
  text << "stopped after " << seconds << " seconds (--time-limit). ";
  if (const double computed = cpu_seconds(); computed < kLittle * seconds) {
    text << "It computed in " << computed
         << " of them: the machine may only be busy, or something waits for what never comes. ";
  } else {
    text << "Is there a loop that never ends, on the host or in a kernel? ";
  }
  const LastCall last = last_call();
  if (last.call == nullptr) {
    text << "No CUDA call has returned";
  } else {
    text << "The last CUDA call that returned: " << place_of(last);
  }
  return text.str();
}

}  // namespace

TimeLimit::TimeLimit(double seconds, std::function<void(const std::string& sentence)> say) {
  if (seconds <= 0.0) return;
  watch_ = std::thread([this, seconds, say = std::move(say)] {
    std::unique_lock lock(mutex_);
    if (ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_over_; })) return;
    say(sentence(seconds));
    std::_Exit(static_cast<int>(ExitStatus::device_error));
  });
}

TimeLimit::~TimeLimit() {
  if (!watch_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_one();
  watch_.join();
}

}  // namespace workbook
