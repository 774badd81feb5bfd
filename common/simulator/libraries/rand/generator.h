// SPDX-License-Identifier: MIT
// The object behind curandGenerator_t.
#pragma once

#include <memory>

#include "libraries/rand/exported.h"
#include "libraries/rand/numbers.h"

struct curandGenerator_st {
  bool is_of_host = false;  ///< curandCreateGeneratorHost
  cudaStream_t stream = nullptr;
  curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
  cudasim::SequenceStart start;
  std::shared_ptr<cudasim::Numbers> numbers;  ///< null: at the start
  std::uint64_t used = 0;                     ///< turns since then; with Philox, numbers
};
