// SPDX-License-Identifier: MIT
// Statements by who takes part in them, and the memory that they use.
#pragma once

#include <string>

#include "writer.h"

namespace random_kernels {

/// What a kernel is given: the same for every kernel, so that the program that launches them needs no description.
struct Buffers {
  static constexpr unsigned input_words = 1024, input_padding_words = 16;
  static constexpr unsigned counter_bytes = 8 * 8 * 8;  // eight kinds of atomics, eight cells each, 8 bytes a cell
  static constexpr unsigned private_words = 16, thread_words = 56;  // what each thread writes of the output
  static constexpr unsigned local_words = 16, table_words = 64;
};

/// Who is together at a place of the program: all threads of the block; the lanes of a warp in a mask; a lane alone.
enum class Company { block, warp, lane };

struct Setting {
  Company company = Company::lane;
  std::string mask;             // a register, for Company::warp and Company::block: the lanes that are here
  bool whole_warps = false;     // every warp has 32 lanes
  bool has_reductions = false;  // sm_80
  bool is_kernel = true;        // not a device function: has the kernel's pointers
};

/// Arithmetic, comparisons and conversions of one lane.
void write_arithmetic(Writer& writer);
/// Loads and stores of one lane: local memory, constants, its own cells of the output; atomics whose order does not
/// show.
void write_memory_access(Writer& writer, const Setting& setting);
/// Shuffles, votes and exchanges through shared memory between the lanes of `setting.mask`.
void write_warp_statement(Writer& writer, const Setting& setting);
/// Barriers, exchanges through shared memory and shared atomics of a whole block.
void write_block_statement(Writer& writer);

}  // namespace random_kernels
