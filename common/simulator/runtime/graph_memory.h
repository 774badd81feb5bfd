// SPDX-License-Identifier: MIT
// Memory that a node of a graph allocates (CUDA C++ Programming Guide, "Graph Memory Nodes"). It has its address from
// the time when its node is made. A launch allocates it: it is undefined then. A node, cudaFree or cudaFreeAsync frees
// it. It stays mapped as long as a node or an instantiated graph has it, so a use outside of its lifetime is found as a
// read of undefined memory, and not as a wrong address. What a launch has allocated outlives its graph.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/cuda_api.h"

namespace cudasim {

class Runtime;

struct GraphMemory {
  GraphMemory(std::uint64_t where, const cudaMemAllocNodeParams& asked) : address(where), shown(asked) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  std::uint64_t address;
  cudaMemAllocNodeParams shown;  ///< as the program gets it back
  bool is_instantiated = false;
  std::shared_ptr<GraphMemory> allocated;  ///< itself, from a launch until a call that frees it

  bool is_allocated() const { return allocated != nullptr; }
};

/// What a node does.
struct AllocStep {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeStep {
  std::shared_ptr<GraphMemory> memory;
};

/// The memory of a node, or nullptr: as long as one has it.
std::shared_ptr<GraphMemory> find_graph_memory(Runtime& runtime, std::uint64_t address);
/// Whether a launch has not allocated it yet, or it was freed since.
bool is_unused_graph_memory(Runtime& runtime, std::uint64_t address);
/// Nothing in it is defined any more.
void make_undefined(Runtime& runtime, std::uint64_t address);
/// How much memory launches have allocated, and how much nodes have. What a call has freed counts until it is trimmed,
/// as cuda.core's own tests demand.
struct GraphMemoryUse {
  std::uint64_t used = 0, reserved = 0;
};
GraphMemoryUse graph_memory_use(Runtime& runtime);
/// A launch allocates it; a call that is no node frees it.
void allocate_graph_memory(Runtime& runtime, const std::shared_ptr<GraphMemory>& memory);
void free_graph_memory(Runtime& runtime, GraphMemory& memory);

/// A step that allocates. On success `params->dptr` is the address.
cudaError_t make_alloc_step(Runtime& runtime, const char* call, cudaMemAllocNodeParams* params, AllocStep& step);
cudaError_t make_free_step(Runtime& runtime, const char* call, cudaGraph_t graph, const void* pointer, FreeStep& step);

}  // namespace cudasim
