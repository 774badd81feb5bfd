// SPDX-License-Identifier: MIT
// Running a random kernel on whatever device the CUDA runtime has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel.h"

namespace random_kernels {

struct Shape {
  unsigned grid, x, y, z;
  unsigned threads() const { return grid * x * y * z; }
};

/// Grids and blocks that a kernel runs with: of whole warps, or with a last warp that is not full.
std::vector<Shape> shapes_of(const Kernel& kernel);

struct Output {
  std::string error;                 // what the runtime said; empty when all went well
  std::vector<std::uint32_t> words;  // of all threads, then the counters
};

/// One output for each shape. Ends early after an error.
std::vector<Output> run(std::uint64_t seed, const Kernel& kernel);

/// What digest() says of a kernel that this device is too old for.
constexpr char not_run[] = "skipped";

/// Results of all shapes in 16 digits, `not_run`, or the error.
std::string digest(std::uint64_t seed, const Kernel& kernel);
/// What stands in the text, in 8 digits: a digest belongs to a text.
std::string text_digest(const Kernel& kernel);

}  // namespace random_kernels
