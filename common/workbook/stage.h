// SPDX-License-Identifier: MIT
// A stage as a row, and the problem behind it as data. workbook_stage() in scripts/cmake/WorkbookStage.cmake fills in
// the row from one line of stages/CMakeLists.txt, so that a student's file holds nothing of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "workbook/input.h"

namespace workbook {

struct Stage {
  int number = 0;
  const char* title = "";   ///< the idea: "global memory only"
  const char* source = "";  ///< the file that this program was made of: "stages/stage01/todo.cu"
};

/// The row of the program that is running. Defined by stage_row.cpp, compiled once for each program.
const Stage& this_stage();

/// The reduction: float reduce(const float* input, std::size_t n, unsigned block_size, GpuTimer& timer) in reduction.h.
/// Its reference and the error bound with its reason are in reference.h and check.h.
struct ReductionProblem {
  static constexpr std::size_t default_size = 16'777'216;
  static constexpr unsigned default_block_size = 256;
  static constexpr unsigned smallest_block_size = 32;
  static constexpr unsigned largest_block_size = 1024;

  /// Each with every block size, seed and distribution: nothing, one, and both sides of a warp, a block, a multiple of
  /// blocks, and a size that needs three passes and is divided by none of it.
  static constexpr std::array<std::size_t, 13> test_sizes{0,   1,   2,    31,   32,   33,       255,
                                                          256, 257, 1023, 1025, 4097, 1'000'003};
  /// With a few combinations: the size that lessons and tables use, and one that is just above 2^24.
  static constexpr std::array<std::size_t, 2> full_sizes{16'777'216, 16'777'219};
  static constexpr std::array<unsigned, 4> test_block_sizes{32, 128, 256, 1024};
  static constexpr std::array<std::uint32_t, 3> test_seeds{kDefaultSeed, 1, 2};
  static constexpr std::array<Distribution, 5> test_distributions{Distribution::uniform, Distribution::signed_uniform,
                                                                  Distribution::exact, Distribution::one_hot,
                                                                  Distribution::constant};
  static constexpr std::array<Distribution, 3> special_distributions{Distribution::nan, Distribution::infinity,
                                                                     Distribution::infinities};

  static constexpr bool accepts_block_size(unsigned block_size) {
    return block_size >= smallest_block_size && block_size <= largest_block_size &&
           (block_size & (block_size - 1)) == 0;
  }
};

}  // namespace workbook
