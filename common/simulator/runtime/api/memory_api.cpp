// SPDX-License-Identifier: MIT
// Allocation and release of device, pinned, managed and registered memory, and queries of pointers.
#include <limits>

#include "memory/shortage.h"
#include "messages/describe_address.h"
#include "report/host_lines.h"
#include "runtime/api/pools.h"
#include "runtime/capture.h"
#include "runtime/refusals.h"

using namespace cudasim;

namespace {

constexpr std::size_t kPitchUnitBytes = 512;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

cudaError_t allocate(Runtime& runtime, const char* call, void** pointer, std::size_t size, Origin origin) {
  if (pointer == nullptr)
    return complain(call, "the pointer that is to receive the address is null", cudaErrorInvalidValue);
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;  // and a null pointer, as on a device
  const Memory& memory = runtime.memory();
  const Allocation* allocation = runtime.memory().allocate(size, origin, "", 256, callers());
  if (allocation == nullptr) return complain(call, why_no_memory(memory, size), cudaErrorMemoryAllocation);
  *pointer = reinterpret_cast<void*>(allocation->address);
  return cudaSuccess;
}

/// The same, by a call that may wait for the device.
cudaError_t allocate_now(Runtime& runtime, const char* call, void** pointer, std::size_t size, Origin origin) {
  const cudaError_t error = refuse_unsafe(runtime);
  return error != cudaSuccess ? error : allocate(runtime, call, pointer, size, origin);
}

/// Whether the stream is captured. An error where it is not, and work in it is not allowed.
cudaError_t is_captured(Runtime& runtime, cudaStream_t stream, bool& answer) {
  answer = runtime.captures->of(stream) != nullptr;
  return answer ? cudaSuccess : refuse_captured(runtime, stream);
}

cudaError_t capture_allocation(Runtime& runtime, const char* call, void** pointer, std::size_t size,
                               cudaStream_t stream) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location = {cudaMemLocationTypeDevice, 0};
  params.bytesize = size;
  AllocStep step;
  bool is_node = false;
  cudaError_t error = make_alloc_step(runtime, call, &params, step);
  if (error == cudaSuccess) error = capture_step(runtime, stream, std::move(step), is_node);
  if (error == cudaSuccess) *pointer = params.dptr;
  return error;
}

cudaError_t capture_release(Runtime& runtime, const char* call, const void* pointer, cudaStream_t stream) {
  FreeStep step;
  bool is_node = false;
  const cudaError_t error = make_free_step(runtime, call, runtime.captures->of(stream)->graph, pointer, step);
  return error != cudaSuccess ? error : capture_step(runtime, stream, std::move(step), is_node);
}

/// The call that frees memory of this origin.
const char* release_call(Origin origin) {
  switch (origin) {
    case Origin::cuda_malloc:
    case Origin::managed:
      return "cudaFree";
    case Origin::cuda_malloc_host:
      return "cudaFreeHost";
    case Origin::host_registered:
      return "cudaHostUnregister, and then what belongs to the host's own allocation";
    case Origin::kernel_heap:
      return "free() in a kernel";
    case Origin::variable:
    case Origin::constant:
    case Origin::internal:
      break;
  }
  return "nothing: it lives as long as the program";
}

/// Why memory cannot be released, with its message.
cudaError_t check_release(Runtime& runtime, const char* call, const void* pointer, bool host_memory) {
  const Allocation* allocation = runtime.memory().find(address_of(pointer));
  if (allocation == nullptr) {
    return complain(call,
                    "there is no allocation at this address: is the pointer set, and to device memory, or has "
                    "a copy of too many bytes written over it?",
                    cudaErrorInvalidValue);
  }
  if (is_unused_graph_memory(runtime, allocation->address))
    return complain(call, "no launch of a graph has allocated this memory, or it was freed since",
                    cudaErrorInvalidValue);
  if (allocation->host == nullptr || runtime.work.will_free(allocation->address))
    return complain(call,
                    runtime.was_reset
                        ? "this memory was freed before (cudaDeviceReset(), which the program has called, frees all "
                          "memory, too)"
                        : "this memory was freed before",
                    cudaErrorInvalidValue);
  const bool matches = host_memory ? allocation->origin == Origin::cuda_malloc_host
                                   : allocation->origin == Origin::cuda_malloc || allocation->origin == Origin::managed;
  if (!matches)
    return complain(call,
                    "this is " + describe(*allocation) + ", which is freed by " + release_call(allocation->origin),
                    cudaErrorInvalidValue);
  if (allocation->address != address_of(pointer)) {
    return complain(call, "the address lies inside an allocation, not at its start", cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

/// Waits for all work that may use the memory, as cudaFree does.
cudaError_t release(Runtime& runtime, const char* call, const void* pointer, bool host_memory) {
  cudaError_t error = refuse_unsafe(runtime);
  if (error == cudaSuccess) error = runtime.wait_for_all();
  if (pointer == nullptr || error != cudaSuccess) return error;
  error = check_release(runtime, call, pointer, host_memory);
  if (error == cudaSuccess) release_memory(runtime, address_of(pointer));
  return error;
}

/// False when it does not fit into a size_t.
bool round_up_pitch(std::size_t width, std::size_t& pitch) {
  if (width > std::numeric_limits<std::size_t>::max() - kPitchUnitBytes) return false;
  pitch = (width + kPitchUnitBytes - 1) / kPitchUnitBytes * kPitchUnitBytes;
  return true;
}

/// Whether the range is managed memory, for which advice and prefetching exist.
cudaError_t check_managed(Runtime& runtime, const char* call, const void* pointer, std::size_t size) {
  const Allocation* allocation = runtime.memory().find(address_of(pointer));
  const bool managed = allocation != nullptr && allocation->host != nullptr && allocation->origin == Origin::managed &&
                       runtime.memory().resolve(address_of(pointer), size) != nullptr;
  if (managed) return cudaSuccess;
  return refuse_call(runtime, call, "this is not managed memory",
                     "ask for the memory with cudaMallocManaged, or leave the call out: memory of cudaMalloc is on the "
                     "device anyway",
                     cudaErrorInvalidValue);
}

}  // namespace

extern "C" cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  return enter("cudaMalloc", Access::synchronous, [&](Runtime& runtime) {
    return allocate_now(runtime, "cudaMalloc", pointer, size, Origin::cuda_malloc);
  });
}

static cudaError_t allocate_in_stream(const char* call, void** pointer, std::size_t size, cudaMemPool_t pool,
                                      bool is_default, cudaStream_t stream) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    if (is_default) pool = runtime.current_pool != nullptr ? runtime.current_pool : &runtime.default_pool;
    if (!is_pool(runtime, pool)) return cudaErrorInvalidValue;
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    bool becomes_node = false;
    cudaError_t error = is_captured(runtime, stream, becomes_node);
    if (becomes_node) return capture_allocation(runtime, call, pointer, size, stream);
    if (error == cudaSuccess) error = check_room(*pool, call, size);
    if (error == cudaSuccess) error = allocate(runtime, call, pointer, size, Origin::cuda_malloc);
    if (error == cudaSuccess && size != 0) take_from_pool(runtime, pool, *runtime.memory().find(address_of(*pointer)));
    return error;
  });
}

extern "C" cudaError_t cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t stream) {
  return allocate_in_stream("cudaMallocAsync", pointer, size, nullptr, true, stream);
}
CUDASIM_ALIAS(cudaMallocAsync_ptsz, cudaMallocAsync);

extern "C" cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t pool,
                                               cudaStream_t stream) {
  return allocate_in_stream("cudaMallocFromPoolAsync", pointer, size, pool, false, stream);
}
CUDASIM_ALIAS(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);

extern "C" cudaError_t cudaMallocManaged(void** pointer, std::size_t size, unsigned flags) {
  return enter("cudaMallocManaged", Access::synchronous, [&](Runtime& runtime) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate_now(runtime, "cudaMallocManaged", pointer, size, Origin::managed);
  });
}

extern "C" cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return enter("cudaHostAlloc", Access::synchronous, [&](Runtime& runtime) {
    constexpr unsigned kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    const cudaError_t error = allocate_now(runtime, "cudaHostAlloc", pointer, size, Origin::cuda_malloc_host);
    if (error == cudaSuccess) runtime.host_flags[*pointer] = flags;
    return error;
  });
}

extern "C" cudaError_t cudaMallocHost(void** pointer, std::size_t size) { return cudaHostAlloc(pointer, size, 0); }

extern "C" cudaError_t cudaFree(void* pointer) {
  return enter("cudaFree", Access::synchronous,
               [&](Runtime& runtime) { return release(runtime, "cudaFree", pointer, false); });
}

extern "C" cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return enter("cudaFreeAsync", Access::enqueued, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (pointer == nullptr) return cudaSuccess;
    bool becomes_node = false;
    cudaError_t error = is_captured(runtime, stream, becomes_node);
    if (becomes_node) return capture_release(runtime, "cudaFreeAsync", pointer, stream);
    if (error == cudaSuccess) error = check_release(runtime, "cudaFreeAsync", pointer, false);
    if (error != cudaSuccess) return error;
    const std::uint64_t address = address_of(pointer);
    const std::shared_ptr<GraphMemory> of_graph = find_graph_memory(runtime, address);
    if (of_graph != nullptr) free_graph_memory(runtime, *of_graph);  // the next launch may allocate it
    StreamWork work;
    work.what = "cudaFreeAsync";
    work.frees = of_graph == nullptr;
    work.callers = callers();
    work.touches = {{true, address, runtime.memory().find(address)->size_bytes}};
    work.run = [&runtime, address, of_graph](const StreamWork&) {
      if (of_graph != nullptr) {
        make_undefined(runtime, address);
      } else {
        release_memory(runtime, address);
      }
      return true;
    };
    runtime.work.put(runtime.stream_name(stream), std::move(work));
    return cudaSuccess;
  });
}
CUDASIM_ALIAS(cudaFreeAsync_ptsz, cudaFreeAsync);

extern "C" cudaError_t cudaFreeHost(void* pointer) {
  return enter("cudaFreeHost", Access::synchronous, [&](Runtime& runtime) {
    const cudaError_t error = release(runtime, "cudaFreeHost", pointer, true);
    if (error == cudaSuccess) runtime.host_flags.erase(pointer);
    return error;
  });
}

extern "C" cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return enter("cudaMallocPitch", Access::synchronous, [&](Runtime& runtime) {
    std::size_t bytes = 0;
    if (pitch == nullptr || !round_up_pitch(width, *pitch)) return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(*pitch, height, &bytes))
      return complain("cudaMallocPitch", "the rows would have more bytes than there are addresses",
                      cudaErrorMemoryAllocation);
    return allocate_now(runtime, "cudaMallocPitch", pointer, bytes, Origin::cuda_malloc);
  });
}

extern "C" cudaError_t cudaMalloc3D(cudaPitchedPtr* result, cudaExtent extent) {
  if (result == nullptr) return remember(cudaErrorInvalidValue);
  std::size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return remember(cudaErrorMemoryAllocation);
  result->xsize = extent.width;
  result->ysize = extent.height;
  return cudaMallocPitch(&result->ptr, &result->pitch, extent.width, rows);
}

extern "C" cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return enter("cudaHostRegister", Access::synchronous, [&](Runtime& runtime) {
    if (pointer == nullptr || size == 0) return cudaErrorInvalidValue;
    if (runtime.memory().register_host(pointer, size, Origin::host_registered) == nullptr) {
      return complain("cudaHostRegister", "part of this memory is registered or allocated already",
                      cudaErrorHostMemoryAlreadyRegistered);
    }
    runtime.host_flags[pointer] = flags;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaHostUnregister(void* pointer) {
  return enter("cudaHostUnregister", Access::synchronous, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = runtime.wait_for_all(); error != cudaSuccess) return error;
    const Allocation* allocation = runtime.memory().find(address_of(pointer));
    const bool registered = allocation != nullptr && allocation->host != nullptr &&
                            allocation->origin == Origin::host_registered && allocation->contains(address_of(pointer));
    if (!registered)
      return complain("cudaHostUnregister", "this memory is not registered", cudaErrorHostMemoryNotRegistered);
    if (allocation->address != address_of(pointer))
      return complain("cudaHostUnregister", "this is not where registered memory begins", cudaErrorInvalidValue);
    runtime.memory().release(allocation->address);
    runtime.host_flags.erase(pointer);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
  return enter("cudaHostGetDevicePointer", Access::context, [&](Runtime& runtime) {
    if (device_pointer == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (runtime.memory().resolve(address_of(host_pointer), 1) != host_pointer) return cudaErrorInvalidValue;
    *device_pointer = host_pointer;  // one address for both
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return enter("cudaHostGetFlags", Access::context, [&](Runtime& runtime) {
    const auto found = runtime.host_flags.find(pointer);
    if (flags == nullptr || found == runtime.host_flags.end()) return cudaErrorInvalidValue;
    *flags = found->second | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return enter("cudaMemGetInfo", Access::context, [&](Runtime& runtime) {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    *total_bytes = runtime.memory().capacity_bytes();
    *free_bytes = *total_bytes - runtime.memory().used_bytes();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return enter("cudaPointerGetAttributes", Access::context, [&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    void* address = const_cast<void*>(pointer);
    const Allocation* allocation = runtime.memory().find(address_of(pointer));
    if (allocation == nullptr || allocation->host == nullptr) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = address;
      return cudaSuccess;
    }
    attributes->device = 0;
    attributes->devicePointer = address;
    const bool shared = allocation->address == address_of(allocation->host);
    attributes->hostPointer = shared ? address : nullptr;
    attributes->type = allocation->origin == Origin::managed ? cudaMemoryTypeManaged
                       : shared                              ? cudaMemoryTypeHost
                                                             : cudaMemoryTypeDevice;
    return cudaSuccess;
  });
}

// Prefetching and advice change where managed memory lies, not its contents. So these calls only check their arguments.
#if CUDART_VERSION < 13000
extern "C" cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t size, int /*device*/,
                                            cudaStream_t /*stream*/) {
  return enter("cudaMemPrefetchAsync", Access::enqueued,
               [&](Runtime& runtime) { return check_managed(runtime, "cudaMemPrefetchAsync", pointer, size); });
}
extern "C" cudaError_t cudaMemAdvise(const void* pointer, std::size_t size, cudaMemoryAdvise /*advice*/,
                                     int /*device*/) {
  return enter("cudaMemAdvise", Access::context,
               [&](Runtime& runtime) { return check_managed(runtime, "cudaMemAdvise", pointer, size); });
}
#else
extern "C" cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t size, cudaMemLocation /*location*/,
                                            unsigned /*flags*/, cudaStream_t /*stream*/) {
  return enter("cudaMemPrefetchAsync", Access::enqueued,
               [&](Runtime& runtime) { return check_managed(runtime, "cudaMemPrefetchAsync", pointer, size); });
}
extern "C" cudaError_t cudaMemAdvise(const void* pointer, std::size_t size, cudaMemoryAdvise /*advice*/,
                                     cudaMemLocation /*location*/) {
  return enter("cudaMemAdvise", Access::context,
               [&](Runtime& runtime) { return check_managed(runtime, "cudaMemAdvise", pointer, size); });
}
#endif
CUDASIM_ALIAS(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);

#if CUDART_VERSION >= 12020 && CUDART_VERSION < 13000
extern "C" cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, std::size_t size, cudaMemLocation /*location*/,
                                               unsigned /*flags*/, cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, size, 0, stream);
}
CUDASIM_ALIAS(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_v2);
extern "C" cudaError_t cudaMemAdvise_v2(const void* pointer, std::size_t size, cudaMemoryAdvise advice,
                                        cudaMemLocation /*location*/) {
  return cudaMemAdvise(pointer, size, advice, 0);
}
#endif
