// SPDX-License-Identifier: MIT
// Memory pools of stream-ordered allocation: the device's own, and those that a program makes. A pool reserves nothing,
// so its reserved size equals its used size. Its other attributes are only stored and given back. The errors are those
// of an H200 (tests/gpu/programs/recorded/pool_errors_h200.txt).
#include <algorithm>

#include "runtime/api/pools.h"
#include "runtime/graph.h"

namespace cudasim {

bool is_pool(const Runtime& runtime, cudaMemPool_t pool) {
  return pool == &runtime.default_pool || runtime.pools.count(pool) != 0;
}

cudaError_t check_room(const CUmemPoolHandle_st& pool, const char* call, std::size_t size) {
  if (pool.most_bytes == 0 || (size <= pool.most_bytes && pool.used_bytes <= pool.most_bytes - size))
    return cudaSuccess;
  return complain(call,
                  std::to_string(size) + " bytes, but of the pool's " + std::to_string(pool.most_bytes) +
                      " bytes (maxSize) " + std::to_string(pool.used_bytes) + " are used",
                  cudaErrorMemoryAllocation);
}

void take_from_pool(Runtime& runtime, cudaMemPool_t pool, const Allocation& allocation) {
  pool->used_bytes += allocation.size_bytes;
  pool->most_used_bytes = std::max(pool->most_used_bytes, pool->used_bytes);
  runtime.pool_of[allocation.address] = pool;
}

void release_memory(Runtime& runtime, std::uint64_t address) {
  if (const auto found = runtime.pool_of.find(address); found != runtime.pool_of.end()) {
    found->second->used_bytes -= runtime.memory().find(address)->size_bytes;
    runtime.pool_of.erase(found);
  }
  if (const std::shared_ptr<GraphMemory> memory = find_graph_memory(runtime, address)) {
    make_undefined(runtime, address);
    free_graph_memory(runtime, *memory);
    return;
  }
  runtime.memory().release(address);
  // A program that has freed all it has allocated begins anew: each of several cases has the order that it has alone.
  if (runtime.settings().schedule.order != Schedule::Order::adversarial) return;
  const auto live = runtime.memory().live();
  const bool is_empty = std::none_of(
      live.begin(), live.end(), [](const Allocation* allocation) { return allocation->origin == Origin::cuda_malloc; });
  if (is_empty) runtime.launched.clear();
}

}  // namespace cudasim

using namespace cudasim;

namespace {

bool is_flag(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies || attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t get_pool(const char* call, cudaMemPool_t* result, int device, bool is_default) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    if (result == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *result = is_default || runtime.current_pool == nullptr ? &runtime.default_pool : runtime.current_pool;
    return cudaSuccess;
  });
}

cudaError_t set_attribute(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute, const void* value) {
  if (is_flag(attribute)) {
    pool.attributes[attribute] = static_cast<std::uint64_t>(*static_cast<const int*>(value) != 0);
    return cudaSuccess;
  }
  std::uint64_t bytes = 0;
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    bytes = *static_cast<const std::uint64_t*>(value);
    pool.attributes[attribute] = bytes;
    return cudaSuccess;
  }
  if (attribute != cudaMemPoolAttrReservedMemHigh && attribute != cudaMemPoolAttrUsedMemHigh)
    return cudaErrorInvalidValue;
  bytes = *static_cast<const std::uint64_t*>(value);
  if (bytes != 0) return cudaErrorInvalidValue;  // a high-water mark can only be reset
  pool.most_used_bytes = pool.used_bytes;
  return cudaSuccess;
}

cudaError_t get_attribute(const CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute, void* value) {
  const auto found = pool.attributes.find(attribute);
  const bool is_set = found != pool.attributes.end();
  if (is_flag(attribute)) {
    *static_cast<int*>(value) = is_set ? static_cast<int>(found->second) : 1;
    return cudaSuccess;
  }
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      *static_cast<std::uint64_t*>(value) = is_set ? found->second : 0;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *static_cast<std::uint64_t*>(value) = pool.used_bytes;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      *static_cast<std::uint64_t*>(value) = pool.most_used_bytes;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

bool is_this_device(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice && location.id == 0;
}

}  // namespace

extern "C" cudaError_t cudaMemPoolCreate(cudaMemPool_t* result, const cudaMemPoolProps* properties) {
  return enter("cudaMemPoolCreate", Access::context, [&](Runtime& runtime) {
    if (result == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone)
      return complain("cudaMemPoolCreate", "memory that other processes share is not simulated", cudaErrorNotSupported);
    if (!is_this_device(properties->location)) return cudaErrorInvalidValue;
    auto pool = std::make_unique<CUmemPoolHandle_st>();
#if CUDART_VERSION >= 12030
    pool->most_bytes = properties->maxSize;
#endif
    *result = pool.get();
    runtime.pools.emplace(*result, std::move(pool));
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return enter("cudaMemPoolDestroy", Access::context, [&](Runtime& runtime) {
    if (runtime.pools.count(pool) == 0) return cudaErrorInvalidValue;
    // Memory that was allocated from it remains until it is freed.
    for (auto it = runtime.pool_of.begin(); it != runtime.pool_of.end();)
      it = it->second == pool ? runtime.pool_of.erase(it) : std::next(it);
    if (runtime.current_pool == pool) runtime.current_pool = nullptr;
    runtime.pools.erase(pool);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return get_pool("cudaDeviceGetDefaultMemPool", pool, device, true);
}

extern "C" cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return get_pool("cudaDeviceGetMemPool", pool, device, false);
}

extern "C" cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return enter("cudaDeviceSetMemPool", Access::context, [&](Runtime& runtime) {
    if (device != 0 || !is_pool(runtime, pool)) return cudaErrorInvalidValue;
    runtime.current_pool = pool;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return enter("cudaMemPoolSetAttribute", Access::context, [&](Runtime& runtime) {
    return is_pool(runtime, pool) && value != nullptr ? set_attribute(*pool, attribute, value) : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return enter("cudaMemPoolGetAttribute", Access::context, [&](Runtime& runtime) {
    return is_pool(runtime, pool) && value != nullptr ? get_attribute(*pool, attribute, value) : cudaErrorInvalidValue;
  });
}

// Memory of graphs.
extern "C" cudaError_t cudaDeviceGraphMemTrim(int device) {
  return enter("cudaDeviceGraphMemTrim", Access::context, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    runtime.graphs->untrimmed_bytes = 0;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return enter("cudaDeviceGetGraphMemAttribute", Access::context, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (value == nullptr || attribute < cudaGraphMemAttrUsedMemCurrent || attribute > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    const bool is_mark = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    const GraphMemoryUse use = is_mark ? runtime.graphs->most_memory : graph_memory_use(runtime);
    *static_cast<std::uint64_t*>(value) = attribute <= cudaGraphMemAttrUsedMemHigh ? use.used : use.reserved;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return enter("cudaDeviceSetGraphMemAttribute", Access::context, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    const bool is_mark = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!is_mark || value == nullptr || *static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    const GraphMemoryUse now = graph_memory_use(runtime);
    GraphMemoryUse& most = runtime.graphs->most_memory;
    if (attribute == cudaGraphMemAttrUsedMemHigh) most.used = now.used;
    if (attribute == cudaGraphMemAttrReservedMemHigh) most.reserved = now.reserved;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t /*bytes_to_keep*/) {
  return enter("cudaMemPoolTrimTo", Access::context,
               [&](Runtime& runtime) { return is_pool(runtime, pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

extern "C" cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, std::size_t count) {
  return enter("cudaMemPoolSetAccess", Access::context, [&](Runtime& runtime) {
    if (!is_pool(runtime, pool) || (list == nullptr && count != 0)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_this_device(list[i].location) || list[i].flags != cudaMemAccessFlagsProtReadWrite)
        return complain("cudaMemPoolSetAccess", "there is one device, which can always read and write its own pools",
                        cudaErrorInvalidDevice);
    }
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return enter("cudaMemPoolGetAccess", Access::context, [&](Runtime& runtime) {
    if (flags == nullptr || location == nullptr || !is_pool(runtime, pool)) return cudaErrorInvalidValue;
    if (!is_this_device(*location)) return cudaErrorInvalidValue;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}
