// SPDX-License-Identifier: MIT
#include "runtime/limits.h"

namespace cudasim {

bool default_limit(cudaLimit limit, std::size_t& value) {
  switch (limit) {
    case cudaLimitStackSize:
      value = 1024;
      return true;
    case cudaLimitPrintfFifoSize:
      value = 1 << 20;
      return true;
    case cudaLimitMallocHeapSize:
      value = 8 << 20;
      return true;
    case cudaLimitMaxL2FetchGranularity:
      value = 64;
      return true;
    case cudaLimitPersistingL2CacheSize:
      value = 0;
      return true;
    default:
      return false;
  }
}

std::size_t limit_of(const Runtime& runtime, cudaLimit limit) {
  const auto set = runtime.limits.find(limit);
  std::size_t value = 0;
  default_limit(limit, value);
  return set != runtime.limits.end() ? set->second : value;
}

}  // namespace cudasim
