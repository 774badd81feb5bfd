// SPDX-License-Identifier: MIT
// What a benchmark program needs of its problem: inputs on the device, the stage's computation, those of libraries that
// it is measured against, and all results beside the reference. bench/PROBLEM.cu defines make_benchmark() once a
// problem; the protocol is in bench/measure.h. bench_inputs.h has the inputs that most problems want.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// What the stage and its peers made of one input.
struct BenchCheck {
  Verdict stage;               ///< of the stage's result, by the problem's own error bound
  std::vector<Verdict> peers;  ///< of each peer's result that is there, by the same bound, in the order of peers()
  /// What errors are counted in: u * sum|x|, with u = 2^-24 where the problem computes in float and 2^-53 in double;
  /// for another problem, the same idea. 0: nothing is rounded (integers, moved data).
  double error_unit = 0.0;
};

/// A library's function for the same, or another yardstick.
struct Peer {
  std::string name;     ///< the function and its version: "cub::DeviceReduce::Sum, CUB 3.0.1"
  std::string missing;  ///< why it cannot be measured here: "this toolkit has no cuBLAS"; else empty
  /// The same computation for input number `turn`, its temporary storage allocated beforehand.
  std::function<void(std::size_t turn)> launch;
};

/// One problem at one size, ready to be timed: all memory allocated, all inputs on the device. Everything goes into the
/// default stream. Memory is freed by the destructor. Every function may throw CudaError.
class Benchmark {
 public:
  virtual ~Benchmark() = default;

  /// None, or several: the first is the library that tables compare with.
  virtual const std::vector<Peer>& peers() const = 0;

  /// The stage's launches for input number `turn`, which is less than the number of buffers. Does not wait, allocate or
  /// copy to the host: this is what is timed, so it does nothing that a peer does not have to do as well.
  virtual void launch(std::size_t turn) = 0;

  /// Computes each peer's result of input `turn`, then the stage's, waits, and compares all with the reference. The
  /// peers go first, because the stage may change the input; the caller restores it.
  virtual BenchCheck check(std::size_t turn) = 0;

  /// Whether input `turn` is no longer what it was: how the program finds out that a stage works in place.
  virtual bool is_changed(std::size_t turn) = 0;
  /// Makes all inputs what they were.
  virtual void restore() = 0;
};

/// The problem of the program that is running, at settings.size, with `buffers` inputs (at least 1) to rotate over: as
/// many as it takes for an input to have left the L2 cache before its turn comes again. The program knows from
/// Problem::work() how many bytes one computation touches; where these are none there is nothing to rotate, and
/// `buffers` is 1. Throws CudaError when there is not enough memory, std::invalid_argument for settings that it cannot
/// serve.
std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers);

}  // namespace workbook
