// SPDX-License-Identifier: MIT
// Samples of a kernel's time. Warm and cold samples are taken by the instruments of the benchmarks.
#include <sstream>
#include <vector>

#include "times.h"
#include "workbook/student/gpu_timer.h"

namespace ordinary {
namespace {

constexpr int kSamples = 9;

__global__ void do_nothing() {}

std::string text(const std::vector<double>& values) {
  const workbook::Spread spread = workbook::spread_of(values);
  std::ostringstream out;
  out.precision(5);
  out << '[' << spread.q1 << ", " << spread.median << ", " << spread.q3 << ']';
  return out.str();
}

}  // namespace

Stopwatch::Stopwatch() : device_(workbook::device_facts().l2_bytes), instruments_(device_.instruments()) {}

/// What comes first on the device lasts longer than the host needs to launch. So no wait of the host is in the time.
double Stopwatch::once_us(const std::function<void()>& kernel, const std::function<void()>& first) {
  workbook::GpuTimer timer;
  if (first) first();
  timer.start();
  kernel();
  timer.stop();
  CUDA_CHECK(cudaGetLastError());
  return 1000.0 * static_cast<double>(timer.elapsed_ms());
}

std::string Stopwatch::measure(const std::function<void()>& kernel, const std::function<void()>& before) {
  once_us(kernel, before);
  const double one_us = once_us(kernel, before);
  const int launches = before ? 1 : 1 + static_cast<int>(workbook::kSampleUs / one_us);
  const auto many = [&] {
    for (int i = 0; i < launches; ++i) kernel();
  };
  const auto clean = [&] {
    if (before) before();
    instruments_.clean_cache();
  };
  std::vector<double> warm, cold;
  for (int i = 0; i < kSamples; ++i) warm.push_back(once_us(many, before) / launches);
  const double clock_mhz = instruments_.clock_mhz();
  for (int i = 0; i < kSamples; ++i) cold.push_back(once_us(kernel, clean));
  std::ostringstream out;
  out.precision(5);
  out << "{\"warm_us\": " << text(warm) << ", \"cold_us\": " << text(cold) << ", \"clock_mhz\": " << clock_mhz << '}';
  return out.str();
}

std::string Stopwatch::of_nothing() {
  return measure([] { do_nothing<<<1, 32>>>(); }, {});
}

}  // namespace ordinary
