// SPDX-License-Identifier: MIT
// The results of a program's run, gathered launch by launch and given out as JSON. FORMAT.md describes the fields: a
// change here needs the same change there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "memory/memory.h"
#include "program/launch.h"

namespace cudasim {

struct LaunchRecord {
  std::string kernel;  ///< demangled
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  bool adds_floats = false;  ///< with atomics: their order is free, and they round
  bool has_atomics = false, reads_clock = false, prints = false;
  bool lost_text = false;  ///< it printed more than CUDA keeps
  int cuda_error = 0;
  double seconds = 0;
  Counters counters;
  std::shared_ptr<const LaunchTiming> timing;  ///< null: not asked for
};

/// The counters of a line's instructions in one launch.
struct LineCounters {
  const std::pair<std::string, int>* place = nullptr;  ///< file and line
  Counters counters;
  std::uint64_t executions = 0;  ///< how often a warp came to the line: the count of its most executed instruction
};

/// A copy from the device to the host: rows of `width` bytes, `row_stride` apart.
struct CopyToHost {
  std::uint64_t address = 0, width = 0, height = 1, row_stride = 0;
};

class History;

/// What the streams got.
struct StreamCounts {
  std::uint64_t operations = 0;            ///< kernels, copies and fills
  std::uint64_t unordered_operations = 0;  ///< those that may run beside an earlier one
  std::uint64_t most_operations_in_a_stream = 0;
  std::uint64_t graphs = 0;  ///< instantiated
  std::uint64_t graph_launches = 0;
};

class RunReport {
 public:
  void set_run(std::string device, std::vector<std::string> checks, std::string order, std::uint64_t seed,
               unsigned workers);
  /// Numbers for so many results, from this one on: copies may run in another order than their calls.
  std::uint64_t next_result(std::size_t count);
  /// Bytes that the program copied from the device. They go into the digest that shows whether two runs differ.
  void add_result(std::uint64_t number, const std::byte* bytes, std::size_t count);
  /// From now on such bytes are kept too, up to 64 MiB. Above this size none are kept.
  void keep_results() { keeps_results_ = true; }
  /// In the order of their numbers; each begins at a multiple of 8.
  std::string results() const;
  void add(const Finding& finding);        ///< one that belongs to no launch
  void take_back(const Finding& finding);  ///< that was added
  void add(const LaunchRecord& launch, const std::vector<Finding>& findings, const std::vector<LineCounters>& lines);
  /// A kernel that still runs, and where. A call of a library has its name there, and no line of PTX. Empty: none does.
  void set_running(std::optional<Finding> place) { running_ = std::move(place); }
  void add_copy(const CopyToHost& copy);
  void set_coverage(std::vector<Coverage> coverage) { coverage_ = std::move(coverage); }
  void add_library_call(const char* name) { ++library_calls_[name]; }
  StreamCounts& streams() { return streams_; }
  std::string json(const History* history = nullptr) const;

 private:
  struct KernelTotal {
    LaunchRecord first;
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    double seconds = 0;
    bool lost_text = false;
    Counters counters;
    std::map<std::pair<std::string, int>, LineCounters> lines;
  };
  std::string device_, order_;
  std::vector<std::string> checks_;
  bool keeps_results_ = false;
  std::map<std::uint64_t, std::string> results_;
  std::size_t result_bytes_ = 0;
  std::uint64_t last_result_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325ull;
  std::uint64_t seed_ = 0;
  unsigned workers_ = 0;
  std::vector<KernelTotal> kernels_;
  std::map<std::string, std::size_t> kernel_index_;
  std::vector<CopyToHost> copies_;  // the first ones
  std::map<std::string, std::uint64_t> library_calls_;
  std::vector<Coverage> coverage_;
  StreamCounts streams_;
  std::vector<LaunchRecord> launches_;
  std::optional<Finding> running_;
  std::uint64_t launches_left_out_ = 0;
  std::vector<Finding> findings_;
  std::uint64_t findings_left_out_ = 0;
};

/// Writes a file so that a reader sees the old one or the whole new one. Returns an empty text, or the error.
std::string write_file_atomically(const std::string& path, const std::string& text);

}  // namespace cudasim
