// SPDX-License-Identifier: MIT
// The part of memory pools that allocation and release need.
#pragma once

#include "runtime/runtime.h"

namespace cudasim {

bool is_pool(const Runtime& runtime, cudaMemPool_t pool);
/// An error, with a message, where so many bytes are more than the pool may have.
cudaError_t check_room(const CUmemPoolHandle_st& pool, const char* call, std::size_t size);
void take_from_pool(Runtime& runtime, cudaMemPool_t pool, const Allocation& allocation);
/// Frees memory that is known to exist, and updates its pool.
void release_memory(Runtime& runtime, std::uint64_t address);

}  // namespace cudasim
