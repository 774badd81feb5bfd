// SPDX-License-Identifier: MIT
// The reduction: its inputs, reference, test sizes and options around a student's function. The function is described
// in reduction.h, the reference in reference.h, the error bound with its reason in check.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "workbook/host_steps.h"
#include "workbook/input.h"
#include "workbook/problem.h"
#include "workbook/reference.h"

namespace workbook {

/// A student's reduce(), or a stand-in for it.
using ReduceFunction = std::function<Reduced(const float* input, std::size_t n, unsigned block_size, GpuTimer& timer)>;

/// What a stage defines: reduce(), or reduce_on_device() alone.
class ReductionProblem final : public Problem {
 public:
  explicit ReductionProblem(ReduceFunction reduce) : reduce_(std::move(reduce)) {}
  /// With the option --misalign besides.
  explicit ReductionProblem(ReduceOnDevice reduce_on_device) : reduce_on_device_(reduce_on_device) {}

  static constexpr std::size_t default_size = 16'777'216;
  static constexpr unsigned default_block_size = 256;
  static constexpr unsigned smallest_block_size = 32;
  static constexpr unsigned largest_block_size = 1024;

  /// Each with every block size, seed and distribution: nothing, one, and both sides of a warp, a block, a multiple of
  /// blocks, one that stage 07 spreads over small blocks, and one that needs three passes; no block divides these two.
  static constexpr std::array<std::size_t, 14> test_sizes{0,   1,   2,    31,   32,   33,     255,
                                                          256, 257, 1023, 1025, 4097, 65'539, 1'000'003};
  /// With a few combinations: the size that lessons and tables use, and one that is just above 2^24.
  static constexpr std::array<std::size_t, 2> full_sizes{16'777'216, 16'777'219};
  static constexpr std::array<unsigned, 4> test_block_sizes{32, 128, 256, 1024};
  static constexpr std::array<std::uint32_t, 3> test_seeds{kDefaultSeed, 1, 2};
  static constexpr std::array<Distribution, 5> test_distributions{Distribution::uniform, Distribution::signed_uniform,
                                                                  Distribution::exact, Distribution::one_hot,
                                                                  Distribution::constant};
  static constexpr std::array<Distribution, 3> special_distributions{Distribution::nan, Distribution::infinity,
                                                                     Distribution::infinities};
  /// How far from an aligned address the numbers may begin, where the stage leaves that to the library.
  static constexpr std::array<std::size_t, 4> test_misalignments{0, 1, 2, 3};

  static constexpr bool is_block_size(unsigned block_size) {
    return block_size >= smallest_block_size && block_size <= largest_block_size &&
           (block_size & (block_size - 1)) == 0;
  }

  /// Settings for a case of these.
  static Settings settings(Distribution distribution, std::size_t size, std::uint32_t seed,
                           unsigned block_size = default_block_size);

  bool takes_misalign() const { return reduce_on_device_ != nullptr; }

  std::string name() const override { return "reduction"; }
  std::string help() const override { return "Sums an input on the device and compares with the CPU."; }
  std::string size_help() const override { return "how many floats"; }
  Settings defaults() const override;
  std::vector<OwnOption> own_options() const override;
  bool accepts_block_size(unsigned block_size) const override { return is_block_size(block_size); }
  std::string block_size_rule() const override { return "a power of two from 32 to 1024"; }
  std::size_t input_bytes(const Settings& settings) const override { return settings.size * sizeof(float); }
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  ReduceFunction reduce_;
  ReduceOnDevice reduce_on_device_ = nullptr;
};

/// An input with its sum, and the function that is to find it.
class ReductionCase final : public Case {
 public:
  ReductionCase(ReduceFunction reduce, Distribution distribution, std::size_t n, std::uint32_t seed);

  /// Matches only if the sum does, the function made no other mistake, and the copy of the numbers that it was given
  /// is unchanged.
  Outcome call(unsigned block_size, GpuTimer& timer) override;
  bool is_empty() const override { return values_.empty(); }
  std::size_t device_floats() const override { return values_.size(); }
  std::string description() const override;
  double cpu_time_ms() const override { return cpu_time_ms_; }

  const std::vector<float>& values() const { return values_; }
  const Reference& reference() const { return reference_; }

 private:
  ReduceFunction reduce_;
  Distribution distribution_;
  std::uint32_t seed_;
  std::vector<float> values_;
  std::vector<float> copy_;  // what the function gets
  Reference reference_;
  double cpu_time_ms_ = 0.0;
};

}  // namespace workbook
