// SPDX-License-Identifier: MIT
// Initialisation, contexts, and which of them is current.
#include <algorithm>
#include <iterator>
#include <list>

#include "driver/driver.h"
#include "runtime/capture.h"

/// The object behind the opaque handle of cuda.h.
struct CUctx_st {
  unsigned flags = 0;
  unsigned attached = 0;  ///< by cuCtxAttach
};

namespace cudasim {
namespace {

/// Guarded by the runtime's lock.
struct Contexts {
  bool is_initialised = false;
  CUctx_st primary;
  unsigned retained = 0;         ///< for the primary one, by the program or by the runtime
  bool runtime_retains = false;  ///< a call of the runtime has needed it
  std::list<CUctx_st> created;

  bool is_primary_active() const { return retained != 0; }
  bool is_live(CUcontext context) const {
    if (context == &primary) return is_primary_active();
    return std::any_of(created.begin(), created.end(), [context](const CUctx_st& each) { return &each == context; });
  }
};

Contexts& contexts() {
  static Contexts* const all = new Contexts;
  return *all;
}

/// The contexts that a thread has pushed: the last one is current. It is a plain array for static destructors: they
/// call the driver when the other objects of the thread no longer exist.
class ContextStack {
 public:
  bool empty() const { return count_ == 0; }
  CUcontext& back() { return contexts_[count_ - 1]; }
  void pop_back() { --count_; }
  void clear() { count_ = 0; }
  /// False when no more fit.
  bool push_back(CUcontext context) {
    if (count_ == std::size(contexts_)) return false;
    contexts_[count_++] = context;
    return true;
  }

 private:
  CUcontext contexts_[256] = {};
  std::size_t count_ = 0;
};

thread_local ContextStack current;
thread_local const char* call_under_way = nullptr;

/// No context uses the device any more.
void end_if_unused(Runtime& runtime) {
  const Contexts& all = contexts();
  if (!all.is_primary_active() && all.created.empty()) runtime.reset();
}

constexpr unsigned kKnownFlags = CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX;

/// A call about contexts, under the lock.
template <class Body>
CUresult context_call(const char* name, Needs needs, Body body) {
  return driver_call(name, needs,
                     [&] { return enter(name, Access::none, [&](Runtime& runtime) { return body(runtime); }); });
}

/// One of those that the runtime has, too.
bool is_limit(CUlimit limit) { return limit <= CU_LIMIT_PERSISTING_L2_CACHE_SIZE; }

cudaError_t create(CUcontext* context, unsigned flags, CUdevice device) {
  if (context == nullptr || (flags & ~kKnownFlags) != 0) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  contexts().created.push_back({flags, 0});
  *context = &contexts().created.back();
  if (current.push_back(*context)) return cudaSuccess;
  contexts().created.pop_back();
  *context = nullptr;
  return cudaErrorMemoryAllocation;
}

}  // namespace

DriverCall::DriverCall(const char* name) : before_(call_under_way), last_error_(last_error(false)) {
  call_under_way = name;
}
DriverCall::~DriverCall() {
  call_under_way = before_;
  last_error(true);
  remember(last_error_);
}

const char* driver_call_under_way() { return call_under_way; }

void runtime_needs_context() {
  if (call_under_way != nullptr) return;
  Contexts& all = contexts();
  all.is_initialised = true;
  if (!current.empty() && all.is_live(current.back())) return;
  if (!all.runtime_retains) ++all.retained;
  all.runtime_retains = true;
  if (current.empty()) {
    current.push_back(&all.primary);
  } else {
    current.back() = &all.primary;
  }
}

void device_was_reset() {
  current.clear();
  contexts().created.clear();
  contexts().retained = 0;
  contexts().runtime_retains = false;
}

cudaError_t check_needs(Needs needs) {
  if (needs == Needs::nothing) return cudaSuccess;
  const std::lock_guard<std::mutex> lock(Runtime::instance().mutex);
  if (!contexts().is_initialised) return cudaErrorInitializationError;
  if (needs == Needs::driver) return cudaSuccess;
  if (current.empty()) return cudaErrorDeviceUninitialized;
  return contexts().is_live(current.back()) ? cudaSuccess : cudaErrorContextIsDestroyed;
}

CUresult to_driver(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidChannelDescriptor:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    default:
      return static_cast<CUresult>(error);
  }
}

}  // namespace cudasim

using namespace cudasim;

extern "C" CUresult cuInit(unsigned flags) {
  return context_call("cuInit", Needs::nothing, [&](Runtime&) {
    if (flags != 0) return cudaErrorInvalidValue;
    contexts().is_initialised = true;
    return cudaSuccess;
  });
}

extern "C" CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return context_call("cuDevicePrimaryCtxRetain", Needs::driver, [&](Runtime&) {
    if (context == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    ++contexts().retained;
    *context = &contexts().primary;
    return cudaSuccess;
  });
}

extern "C" CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return context_call("cuDevicePrimaryCtxRelease", Needs::driver, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    Contexts& all = contexts();
    if (all.retained == 0) return cudaErrorDeviceUninitialized;
    if (--all.retained == 0) {
      all.runtime_retains = false;
      end_if_unused(runtime);
    }
    return cudaSuccess;
  });
}

extern "C" CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return context_call("cuDevicePrimaryCtxReset", Needs::driver, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (contexts().created.empty()) runtime.reset();
    return cudaSuccess;
  });
}

extern "C" CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* is_active) {
  return context_call("cuDevicePrimaryCtxGetState", Needs::driver, [&](Runtime&) {
    if (flags == nullptr || is_active == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *flags = contexts().primary.flags;
    *is_active = contexts().is_primary_active() ? 1 : 0;
    return cudaSuccess;
  });
}

extern "C" CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return context_call("cuDevicePrimaryCtxSetFlags", Needs::driver, [&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if ((flags & ~kKnownFlags) != 0) return cudaErrorInvalidValue;
    contexts().primary.flags = flags;
    return cudaSuccess;
  });
}

// cuCtxCreate has other parameters in each version.
#if CUDA_VERSION >= 13000
#undef cuCtxCreate
extern "C" CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* params, unsigned flags, CUdevice device) {
  return context_call("cuCtxCreate", Needs::driver, [&](Runtime&) {
    if (params != nullptr && (params->numExecAffinityParams != 0 || params->cigParams != nullptr))
      return complain("cuCtxCreate", "contexts on a part of the device are not simulated", cudaErrorNotSupported);
    return create(context, flags, device);
  });
}
#endif
CUDASIM_EXPORT CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return context_call("cuCtxCreate", Needs::driver, [&](Runtime&) { return create(context, flags, device); });
}

extern "C" CUresult cuCtxDestroy(CUcontext context) {
  return context_call("cuCtxDestroy", Needs::driver, [&](Runtime& runtime) {
    Contexts& all = contexts();
    if (context == nullptr) return cudaErrorInvalidValue;
    if (context == &all.primary || !all.is_live(context)) return cudaErrorDeviceUninitialized;
    if (const cudaError_t error = runtime.wait_for_all(); error != cudaSuccess && !runtime.is_broken()) return error;
    if (!current.empty() && current.back() == context) current.pop_back();
    all.created.remove_if([context](const CUctx_st& each) { return &each == context; });
    end_if_unused(runtime);
    return cudaSuccess;
  });
}

/// Deprecated: one more user of the current context.
extern "C" CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
  return context_call("cuCtxAttach", Needs::context, [&](Runtime&) {
    if (context == nullptr || flags != 0) return cudaErrorInvalidValue;
    *context = current.back();
    ++(*context)->attached;
    return cudaSuccess;
  });
}

/// Deprecated: a context ends with its last user. It must be current to the thread.
extern "C" CUresult cuCtxDetach(CUcontext context) {
  bool has_others = false;
  const CUresult error = context_call("cuCtxDetach", Needs::driver, [&](Runtime&) {
    if (context == nullptr || current.empty() || current.back() != context) return cudaErrorDeviceUninitialized;
    has_others = context->attached != 0;
    if (has_others) --context->attached;
    return cudaSuccess;
  });
  return error == CUDA_SUCCESS && !has_others ? cuCtxDestroy(context) : error;
}

extern "C" CUresult cuCtxPushCurrent(CUcontext context) {
  return context_call("cuCtxPushCurrent", Needs::driver, [&](Runtime&) {
    if (context == nullptr) return cudaErrorInvalidValue;
    if (!contexts().is_live(context)) return cudaErrorDeviceUninitialized;
    return current.push_back(context) ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

extern "C" CUresult cuCtxPopCurrent(CUcontext* context) {
  return context_call("cuCtxPopCurrent", Needs::driver, [&](Runtime&) {
    if (current.empty()) return cudaErrorDeviceUninitialized;
    if (context != nullptr) *context = current.back();
    current.pop_back();
    return cudaSuccess;
  });
}

/// Replaces the current context; a null pointer removes it.
extern "C" CUresult cuCtxSetCurrent(CUcontext context) {
  return context_call("cuCtxSetCurrent", Needs::driver, [&](Runtime&) {
    if (context != nullptr && !contexts().is_live(context)) return cudaErrorDeviceUninitialized;
    if (!current.empty()) current.pop_back();
    if (context != nullptr) current.push_back(context);
    return cudaSuccess;
  });
}

extern "C" CUresult cuCtxGetCurrent(CUcontext* context) {
  return context_call("cuCtxGetCurrent", Needs::driver, [&](Runtime&) {
    if (context == nullptr) return cudaErrorInvalidValue;
    *context = current.empty() ? nullptr : current.back();
    return cudaSuccess;
  });
}

extern "C" CUresult cuCtxGetDevice(CUdevice* device) {
  return context_call("cuCtxGetDevice", Needs::context, [&](Runtime&) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

#if CUDA_VERSION >= 13000
/// Without a context, of the current one.
extern "C" CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  if (context == nullptr) return cuCtxGetDevice(device);
  return context_call("cuCtxGetDevice", Needs::driver, [&](Runtime&) {
    if (device == nullptr) return cudaErrorInvalidValue;
    if (!contexts().is_live(context)) return cudaErrorDeviceUninitialized;
    *device = 0;
    return cudaSuccess;
  });
}
#endif

extern "C" CUresult cuCtxGetFlags(unsigned* flags) {
  return context_call("cuCtxGetFlags", Needs::context, [&](Runtime&) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = current.back()->flags;
    if (current.back() == &contexts().primary) *flags |= CU_CTX_MAP_HOST;
    return cudaSuccess;
  });
}

extern "C" CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return context_call("cuCtxGetApiVersion", Needs::driver, [&](Runtime&) {
    if (version == nullptr) return cudaErrorInvalidValue;
    if (context != nullptr && !contexts().is_live(context)) return cudaErrorDeviceUninitialized;
    *version = 3020;  // since CUDA 3.2
    return cudaSuccess;
  });
}

extern "C" CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return context_call("cuStreamGetCtx", Needs::context, [&](Runtime& runtime) {
    if (context == nullptr) return cudaErrorInvalidValue;
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    *context = current.back();
    return cudaSuccess;
  });
}
CUDASIM_DRIVER_ALIAS(cuStreamGetCtx_ptsz, cuStreamGetCtx);

extern "C" CUresult cuCtxSynchronize() {
  return driver_call("cuCtxSynchronize", Needs::context, [] { return cudaDeviceSynchronize(); });
}

#if CUDA_VERSION >= 13000
/// All contexts share the device's work.
extern "C" CUresult cuCtxSynchronize_v2(CUcontext context) {
  if (context == nullptr) return cuCtxSynchronize();
  const CUresult error = context_call("cuCtxSynchronize", Needs::driver, [&](Runtime&) {
    return contexts().is_live(context) ? cudaSuccess : cudaErrorDeviceUninitialized;
  });
  if (error != CUDA_SUCCESS) return error;
  return driver_call("cuCtxSynchronize", Needs::driver, [] { return cudaDeviceSynchronize(); });
}
#endif

extern "C" CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return driver_call("cuCtxGetLimit", Needs::context, [&] {
    return is_limit(limit) ? cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)) : cudaErrorInvalidValue;
  });
}

extern "C" CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return driver_call("cuCtxSetLimit", Needs::context, [&] {
    return is_limit(limit) ? cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value) : cudaErrorInvalidValue;
  });
}

extern "C" CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return driver_call("cuCtxGetCacheConfig", Needs::context,
                     [&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}

extern "C" CUresult cuCtxSetCacheConfig(CUfunc_cache /*config*/) {
  return driver_call("cuCtxSetCacheConfig", Needs::context, [] { return cudaSuccess; });
}

extern "C" CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return driver_call("cuCtxGetStreamPriorityRange", Needs::context,
                     [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

extern "C" CUresult cuCtxEnablePeerAccess(CUcontext /*peer*/, unsigned flags) {
  return driver_call("cuCtxEnablePeerAccess", Needs::context, [&] { return cudaDeviceEnablePeerAccess(0, flags); });
}

extern "C" CUresult cuCtxDisablePeerAccess(CUcontext /*peer*/) {
  return driver_call("cuCtxDisablePeerAccess", Needs::context, [] { return cudaDeviceDisablePeerAccess(0); });
}

// <cudaProfiler.h> declares them. A plain <cuda.h> does not.
CUDASIM_EXPORT cudaError_t cudaProfilerStart();
CUDASIM_EXPORT cudaError_t cudaProfilerStop();

CUDASIM_EXPORT CUresult cuProfilerStart() {
  return driver_call("cuProfilerStart", Needs::context, [] { return cudaProfilerStart(); });
}

CUDASIM_EXPORT CUresult cuProfilerStop() {
  return driver_call("cuProfilerStop", Needs::context, [] { return cudaProfilerStop(); });
}
