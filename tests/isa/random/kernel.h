// SPDX-License-Identifier: MIT
// A random kernel as PTX text, made from a seed: the same text on every machine. Whatever the device, its results are
// defined to the bit: no races, no reads of what nobody wrote, no approximate instructions.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "statements.h"

namespace random_kernels {

struct Kernel {
  std::string ptx;
  unsigned statements = 0;
  unsigned target = 75;      // of its .target line
  bool whole_warps = false;  // it is for blocks of whole warps only
};

/// The first `statement_limit` statements of the kernel, with all of its control flow.
Kernel make_kernel(std::uint64_t seed, unsigned statement_limit = std::numeric_limits<unsigned>::max());

/// What word `i` of a thread's output is: the register that it holds at the end.
std::string word_name(unsigned i);

}  // namespace random_kernels
