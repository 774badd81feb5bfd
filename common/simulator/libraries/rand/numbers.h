// SPDX-License-Identifier: MIT
// The numbers that the calls of a generator give, one call after the other, in the order in which a GPU stores them:
// the threads take turns. Each thread keeps its place in its stream, whatever it has drawn there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cudasim {

enum class Sequence : std::uint8_t { xorwow, mrg32k3a, philox };

struct SequenceStart {
  Sequence sequence = Sequence::xorwow;
  std::uint64_t seed = 0, offset = 0;
  bool is_legacy = false;  ///< CURAND_ORDERING_PSEUDO_LEGACY
};

class Numbers {
 public:
  virtual ~Numbers() = default;
  virtual void bits(std::uint32_t* out, std::size_t n) = 0;
  virtual void uniform(float* out, std::size_t n) = 0;
  virtual void uniform(double* out, std::size_t n) = 0;
  /// With mean 0 and deviation 1. `n` is even, but for Philox.
  virtual void normal(float* out, std::size_t n) = 0;
  virtual void normal(double* out, std::size_t n) = 0;
};

/// Its streams are made at the first call.
std::unique_ptr<Numbers> make_numbers(const SequenceStart& start);

}  // namespace cudasim
