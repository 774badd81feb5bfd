// SPDX-License-Identifier: MIT
// The object behind curandGenerator_t.
#pragma once

#include <memory>

#include "libraries/rand/exported.h"
#include "libraries/rand/numbers.h"

struct curandGenerator_st {
  bool is_of_host = false;  ///< curandCreateGeneratorHost
  cudaStream_t stream = nullptr;
  cudasim::SequenceStart start;
  std::shared_ptr<cudasim::Numbers> numbers;  ///< null: at the start
};
