// SPDX-License-Identifier: MIT
// Memory pools of stream-ordered allocation. There is one, the default pool; it keeps nothing back, so its attributes
// are stored and given back, no more.
#include "cudart/runtime.h"

using namespace cudasim;

namespace {

bool is_flag(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies || attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t get_pool(const char* call, cudaMemPool_t* pool, int device) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = &runtime.pool;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return get_pool("cudaDeviceGetDefaultMemPool", pool, device);
}

extern "C" cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return get_pool("cudaDeviceGetMemPool", pool, device);
}

extern "C" cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return enter("cudaMemPoolSetAttribute", Access::context, [&](Runtime& runtime) {
    if (pool != &runtime.pool || value == nullptr) return cudaErrorInvalidValue;
    if (is_flag(attribute)) {
      pool->attributes[attribute] = static_cast<std::uint64_t>(*static_cast<int*>(value) != 0);
    } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
      pool->attributes[attribute] = *static_cast<std::uint64_t*>(value);
    } else {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return enter("cudaMemPoolGetAttribute", Access::context, [&](Runtime& runtime) {
    if (pool != &runtime.pool || value == nullptr) return cudaErrorInvalidValue;
    const auto found = pool->attributes.find(attribute);
    if (is_flag(attribute)) {
      *static_cast<int*>(value) = found == pool->attributes.end() ? 1 : static_cast<int>(found->second);
    } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
      *static_cast<std::uint64_t*>(value) = found == pool->attributes.end() ? 0 : found->second;
    } else if (attribute >= cudaMemPoolAttrReservedMemCurrent && attribute <= cudaMemPoolAttrUsedMemHigh) {
      *static_cast<std::uint64_t*>(value) = runtime.memory().used_bytes();
    } else {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t /*bytes_to_keep*/) {
  return enter("cudaMemPoolTrimTo", Access::context,
               [&](Runtime& runtime) { return pool == &runtime.pool ? cudaSuccess : cudaErrorInvalidValue; });
}
