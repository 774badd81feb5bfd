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

/// How long the present case has run.
double case_seconds(const CasesProgress& progress) {
  using Clock = CasesProgress::Clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch() - Clock::duration(progress.last_end)).count();
}

}  // namespace

std::string stopped_sentence(double seconds, double cpu_seconds, const CasesProgress& progress) {
  std::ostringstream text;
  text.precision(3);
  const std::size_t ended = progress.ended;
  text << "stopped after " << seconds << " seconds (--time-limit)";
  if (progress.count > 1) text << ", in case " << ended + 1 << " of " << progress.count;
  text << ". ";
  if (cpu_seconds < kLittle * seconds) {
    text << "It computed in " << cpu_seconds
         << " of them: the machine may only be busy, or something waits for what never comes. ";
  } else if (const double now = case_seconds(progress); ended > 0 && now < kLittle * seconds) {
    text << "This case has run for " << now << " seconds, and those before it have ended: there is much to do, and "
         << "hardly a loop that never ends. ";
  } else {
    text << "Is there a loop that never ends, on the host or in a kernel, or only much to do? ";
  }
  const LastCall last = last_call();
  if (last.call == nullptr) {
    text << "No CUDA call has returned";
  } else {
    text << "The last CUDA call that returned: " << place_of(last);
  }
  return text.str();
}

TimeLimit::TimeLimit(double seconds, const CasesProgress& progress,
                     std::function<void(const std::string& sentence)> say) {
  if (seconds <= 0.0) return;
  watch_ = std::thread([this, seconds, &progress, say = std::move(say)] {
    std::unique_lock lock(mutex_);
    if (ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_over_; })) return;
    say(stopped_sentence(seconds, cpu_seconds(), progress));
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
