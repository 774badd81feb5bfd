// SPDX-License-Identifier: MIT
// The numbers of a GPU that an estimate of time needs, and the instruments that measure them.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "workbook/bench/bench_device.h"

namespace calibrate {

/// Names and values, in the form of a parameter file of scripts/workbook_lib/estimate.
class Results {
 public:
  /// `how`: what was run, for the reader of the file.
  void add(const std::string& name, double value, const std::string& how);
  /// Instructions a cycle and multiprocessor: "m16n8k8.tf32".
  void add_tensor(const std::string& shape, double value, const std::string& how);
  void add_to_table(const std::string& table, const std::string& key, double value);
  double value_of(const std::string& name) const { return numbers_.at(name).value; }
  void print(std::ostream& out, const std::string& device) const;

 private:
  struct Number {
    double value;
    std::string how;
  };
  static void print_numbers(std::ostream& out, const std::map<std::string, Number>& numbers);

  std::map<std::string, Number> numbers_;
  std::map<std::string, Number> tensor_;
  std::map<std::string, std::map<std::string, double>> tables_;
};

/// The GPU that is measured.
struct Gpu {
  int multiprocessors = 0;
  double l2_bytes = 0;
  std::size_t most_bytes = 0;  ///< The largest power of two that fits twice, and at most 8 GiB: a kernel's memory.
  double clock_mhz = 0;        ///< Under load.
  workbook::Instruments instruments;

  /// Time of `launches` on the device, in microseconds: the median of five, after one that does not count.
  double time_us(const std::function<void()>& launches) const;
  /// Cycles of the multiprocessors in that time.
  double time_cycles(const std::function<void()>& launches) const { return time_us(launches) * clock_mhz; }
};

void measure_instructions(const Gpu& gpu, Results& results);
void measure_tensor_cores(const Gpu& gpu, Results& results);
void measure_latencies(const Gpu& gpu, Results& results);
void measure_bandwidths(const Gpu& gpu, Results& results);
void measure_multiprocessor(const Gpu& gpu, Results& results);
void measure_atomics(const Gpu& gpu, Results& results);
void measure_launches(const Gpu& gpu, Results& results);

/// The mean of what the blocks have stored, after the launches before.
double mean(const workbook::DeviceArray<long long>& values);

}  // namespace calibrate
