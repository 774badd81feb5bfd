// SPDX-License-Identifier: MIT
// A problem as the program sees it: options, cases, and calls of the student's function with a verdict on each. What a
// problem is made of (its function, inputs, reference, error bound, test sizes) is in one header for each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workbook/check.h"
#include "workbook/gpu_timer.h"

namespace workbook {

/// What the command line chose.
struct Settings {
  std::size_t size = 0;
  std::uint32_t seed = 0;
  unsigned block_size = 0;
  std::map<std::string, std::string> own{};  ///< the problem's own options by name, without dashes: all of them
};

/// An option that one problem has and others have not: "--distribution NAME".
struct OwnOption {
  std::string name;           ///< without dashes
  std::string type;           ///< "NAME": a word for the help text
  std::string help;           ///< half a sentence
  std::string default_value;  ///< accepted by problem_with
  /// Why a value is refused, in words that follow "--name value "; empty for a good one.
  std::function<std::string(const std::string& value)> problem_with;
};

/// One figure that a call came to, beside what it should be.
struct Value {
  std::string name;  ///< "sum"
  double reference = 0.0;
  double got = 0.0;
  int digits = 9;  ///< that tell two results apart: 9 for a float, 17 for a double
};

struct Outcome {
  std::vector<Value> values;
  Verdict verdict;
};

/// An input with its reference: made once, then called with several block sizes.
class Case {
 public:
  virtual ~Case() = default;
  /// Calls the student's function once, and judges what it returned and what it did to its input.
  /// Throws what that function throws.
  virtual Outcome call(unsigned block_size, GpuTimer& timer) = 0;
  /// No work at all: then nothing needs to be timed.
  virtual bool is_empty() const = 0;
  /// How many floats of device memory the call is likely to allocate.
  virtual std::size_t device_floats() const = 0;
  /// "Input size: 5 elements (uniform, seed 12345)": the report's line on what was computed.
  virtual std::string description() const = 0;
  /// What the reference took on one core of the CPU.
  virtual double cpu_time_ms() const = 0;
};

class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string name() const = 0;  ///< "reduction": as in "Stage 3 reduction matches reference"
  virtual std::string help() const = 0;  ///< one sentence for --help
  virtual std::string size_help() const = 0;
  virtual Settings defaults() const = 0;
  virtual std::vector<OwnOption> own_options() const = 0;
  virtual bool accepts_block_size(unsigned block_size) const = 0;
  virtual std::string block_size_rule() const = 0;  ///< "a power of two from 32 to 1024"
  /// Bytes of one input of `size`, on the device and once more on the host. `size` is at most 2^60.
  virtual std::size_t input_bytes(const Settings& settings) const = 0;
  virtual std::unique_ptr<Case> make_case(const Settings& settings) const = 0;
  /// What else the student's file has to get right, as settings of small cases beside those given. Who runs a stage
  /// without naming one of its tasks wants to know of all.
  virtual std::vector<Settings> other_tasks(const Settings&) const { return {}; }
};

/// The problem of the program that is running. Defined by one file of problems/ for each problem.
const Problem& this_problem();

}  // namespace workbook
