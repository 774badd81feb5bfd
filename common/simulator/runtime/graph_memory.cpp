// SPDX-License-Identifier: MIT
#include "runtime/graph_memory.h"

#include <algorithm>
#include <cstring>

#include "memory/shortage.h"
#include "report/host_lines.h"
#include "runtime/graph.h"
#include "runtime/refusals.h"
#include "runtime/runtime.h"

namespace cudasim {

GraphMemory::~GraphMemory() {
  Runtime& runtime = Runtime::instance();
  runtime.graphs->memory.erase(address);
  if (runtime.has_memory()) runtime.memory().release(address);
}

std::shared_ptr<GraphMemory> find_graph_memory(Runtime& runtime, std::uint64_t address) {
  const auto found = runtime.graphs->memory.find(address);
  return found == runtime.graphs->memory.end() ? nullptr : found->second.lock();
}

bool is_unused_graph_memory(Runtime& runtime, std::uint64_t address) {
  const std::shared_ptr<GraphMemory> memory = find_graph_memory(runtime, address);
  return memory != nullptr && !memory->is_allocated();
}

void make_undefined(Runtime& runtime, std::uint64_t address) {
  const Allocation* const allocation = runtime.memory().find(address);
  if (allocation == nullptr || allocation->host == nullptr) return;
  std::memset(allocation->host, std::to_integer<int>(runtime.memory().poison()), allocation->size_bytes);
  if (allocation->written != nullptr) written::clear(allocation->written.get(), 0, allocation->size_bytes);
}

GraphMemoryUse graph_memory_use(Runtime& runtime) {
  GraphMemoryUse use{runtime.graphs->untrimmed_bytes, runtime.graphs->untrimmed_bytes};
  for (const auto& [address, weak] : runtime.graphs->memory) {
    const std::shared_ptr<GraphMemory> memory = weak.lock();
    if (memory == nullptr) continue;
    use.reserved += memory->shown.bytesize;
    if (memory->is_allocated()) use.used += memory->shown.bytesize;
  }
  return use;
}

void allocate_graph_memory(Runtime& runtime, const std::shared_ptr<GraphMemory>& memory) {
  memory->allocated = memory;
  const GraphMemoryUse use = graph_memory_use(runtime);
  GraphMemoryUse& most = runtime.graphs->most_memory;
  most = {std::max(most.used, use.used), std::max(most.reserved, use.reserved)};
}

void free_graph_memory(Runtime& runtime, GraphMemory& memory) {
  runtime.graphs->untrimmed_bytes += memory.shown.bytesize;
  memory.allocated.reset();
}

cudaError_t make_alloc_step(Runtime& runtime, const char* call, cudaMemAllocNodeParams* params, AllocStep& step) {
  if (params == nullptr || params->bytesize == 0) return cudaErrorInvalidValue;
  const cudaMemPoolProps& asked = params->poolProps;
  if (asked.allocType != cudaMemAllocationTypePinned && asked.allocType != cudaMemAllocationTypeInvalid)
    return complain(call, "managed memory that a graph allocates is not simulated", cudaErrorNotSupported);
  if (asked.allocType != cudaMemAllocationTypePinned || asked.handleTypes != cudaMemHandleTypeNone ||
      asked.location.type != cudaMemLocationTypeDevice || asked.location.id != 0)
    return complain(call, "a graph allocates memory of the one device, which no other process has",
                    cudaErrorInvalidValue);
  const Allocation* const allocation =
      runtime.memory().allocate(params->bytesize, Origin::cuda_malloc, "", 256, callers());
  if (allocation == nullptr)
    return complain(call, why_no_memory(runtime.memory(), params->bytesize), cudaErrorMemoryAllocation);
  params->dptr = reinterpret_cast<void*>(allocation->address);
  step.memory = std::make_shared<GraphMemory>(allocation->address, *params);
  runtime.graphs->memory[allocation->address] = step.memory;
  return cudaSuccess;
}

cudaError_t make_free_step(Runtime& runtime, const char* call, cudaGraph_t graph, const void* pointer, FreeStep& step) {
  step.memory = find_graph_memory(runtime, reinterpret_cast<std::uint64_t>(pointer));
  if (step.memory == nullptr)
    return complain(call, "a node frees what a node has allocated, and this is no such address", cudaErrorInvalidValue);
  const bool is_freed = std::any_of(graph->nodes.begin(), graph->nodes.end(), [&](const auto& node) {
    const auto* other = std::get_if<FreeStep>(&node->step);
    return other != nullptr && other->memory == step.memory;
  });
  return is_freed ? complain(call, "another node of this graph frees this memory", cudaErrorInvalidValue) : cudaSuccess;
}

}  // namespace cudasim
