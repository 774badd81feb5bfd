// SPDX-License-Identifier: MIT
// The interface of a benchmark program to its problem. A benchmark has inputs on the device, the stage's computation,
// the peers (library functions), and a check of all results. Each problem defines make_benchmark() once, in
// bench/PROBLEM.cu. The protocol is in bench/measure.h. The inputs of most problems are in bench_inputs.h.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// The results of the stage and its peers for one input.
struct BenchCheck {
  Verdict stage;               ///< The stage's result, by the problem's own error bound.
  std::vector<Verdict> peers;  ///< The result of each peer that is there, by the same bound, in the order of peers().
  /// The unit of errors: u * sum|x|. Here u is 2^-24 where the problem computes in float, and 2^-53 in double. Other
  /// problems have a similar unit. 0 means that nothing is rounded (integers, moved data).
  double error_unit = 0.0;
};

/// A peer: a library's function for the same computation, or another yardstick.
struct Peer {
  std::string name;     ///< The function and its version: "cub::DeviceReduce::Sum, CUB 3.0.1".
  std::string missing;  ///< Why it cannot be measured here: "this toolkit has no cuBLAS". Else empty.
  /// The same computation for input number `turn`. Its temporary storage is allocated before.
  std::function<void(std::size_t turn)> launch;
  /// The compute capability for which the library chose its tiles, 90 for 9.0. 0: it has machine code for each GPU.
  int tuned_for = 0;
};

/// A benchmark: one problem at one size, ready for timing. All memory is allocated, and all inputs are on the device.
/// All work goes into the default stream. The destructor frees the memory. Every function may throw CudaError.
class Benchmark {
 public:
  virtual ~Benchmark() = default;

  /// None, or several. Tables compare with the first.
  virtual const std::vector<Peer>& peers() const = 0;

  /// The stage's launches for input number `turn`, which is less than the number of buffers. This is the timed part, so
  /// it does not wait, allocate or copy to the host. It does only what a peer must do as well.
  virtual void launch(std::size_t turn) = 0;

  /// Computes each peer's result of input `turn`, then the stage's. Waits, and compares all results with the reference.
  /// The peers go first, because the stage may change the input; the caller restores it.
  virtual BenchCheck check(std::size_t turn) = 0;

  /// Whether input `turn` has changed. By this, the program finds that a stage works in place.
  virtual bool is_changed(std::size_t turn) = 0;
  /// Restores all inputs.
  virtual void restore() = 0;
};

/// The benchmark of the running program, at settings.size, with `buffers` inputs (at least 1) for rotation. There are
/// so many inputs that each has left the L2 cache before its next turn. Problem::work() tells the program how many
/// bytes one computation touches. Where these are 0, there is nothing to rotate, and `buffers` is 1. Throws CudaError
/// when memory is short, and std::invalid_argument for settings that it does not support.
std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers);

}  // namespace workbook
