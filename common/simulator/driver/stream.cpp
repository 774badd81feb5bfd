// SPDX-License-Identifier: MIT
// Streams and events: the runtime's own.
#include "driver/driver.h"

using namespace cudasim;

extern "C" CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return driver_call("cuStreamCreate", Needs::context, [&] { return cudaStreamCreateWithFlags(stream, flags); });
}

extern "C" CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return driver_call("cuStreamCreateWithPriority", Needs::context,
                     [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

extern "C" CUresult cuStreamDestroy(CUstream stream) {
  return driver_call("cuStreamDestroy", needs_of(stream), [&] { return cudaStreamDestroy(stream); });
}

extern "C" CUresult cuStreamSynchronize(CUstream stream) {
  return driver_call("cuStreamSynchronize", needs_of(stream), [&] { return cudaStreamSynchronize(stream); });
}
CUDASIM_DRIVER_ALIAS(cuStreamSynchronize_ptsz, cuStreamSynchronize);

extern "C" CUresult cuStreamQuery(CUstream stream) {
  return driver_call("cuStreamQuery", needs_of(stream), [&] { return cudaStreamQuery(stream); });
}
CUDASIM_DRIVER_ALIAS(cuStreamQuery_ptsz, cuStreamQuery);

extern "C" CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return driver_call("cuStreamWaitEvent", Needs::context, [&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUDASIM_DRIVER_ALIAS(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);

extern "C" CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return driver_call("cuStreamGetFlags", Needs::context, [&] { return cudaStreamGetFlags(stream, flags); });
}
CUDASIM_DRIVER_ALIAS(cuStreamGetFlags_ptsz, cuStreamGetFlags);

extern "C" CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return driver_call("cuStreamGetPriority", Needs::context, [&] { return cudaStreamGetPriority(stream, priority); });
}
CUDASIM_DRIVER_ALIAS(cuStreamGetPriority_ptsz, cuStreamGetPriority);

extern "C" CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return driver_call("cuStreamGetId", Needs::context, [&] { return cudaStreamGetId(stream, id); });
}
CUDASIM_DRIVER_ALIAS(cuStreamGetId_ptsz, cuStreamGetId);

extern "C" CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return driver_call("cuLaunchHostFunc", Needs::context, [&] { return cudaLaunchHostFunc(stream, function, data); });
}
CUDASIM_DRIVER_ALIAS(cuLaunchHostFunc_ptsz, cuLaunchHostFunc);

extern "C" CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  // The two kinds of callback differ only in the type of an error, and its codes are the same.
  return driver_call("cuStreamAddCallback", Needs::context, [&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), data, flags);
  });
}
CUDASIM_DRIVER_ALIAS(cuStreamAddCallback_ptsz, cuStreamAddCallback);

extern "C" CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return driver_call("cuEventCreate", Needs::context, [&] { return cudaEventCreateWithFlags(event, flags); });
}

extern "C" CUresult cuEventDestroy(CUevent event) {
  return driver_call("cuEventDestroy", Needs::driver, [&] { return cudaEventDestroy(event); });
}

extern "C" CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver_call("cuEventRecord", Needs::context, [&] { return cudaEventRecord(event, stream); });
}
CUDASIM_DRIVER_ALIAS(cuEventRecord_ptsz, cuEventRecord);

extern "C" CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return driver_call("cuEventRecordWithFlags", Needs::context,
                     [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
CUDASIM_DRIVER_ALIAS(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);

extern "C" CUresult cuEventQuery(CUevent event) {
  return driver_call("cuEventQuery", Needs::driver, [&] { return cudaEventQuery(event); });
}

extern "C" CUresult cuEventSynchronize(CUevent event) {
  return driver_call("cuEventSynchronize", Needs::context, [&] { return cudaEventSynchronize(event); });
}

extern "C" CUresult cuEventElapsedTime(float* time_ms, CUevent start, CUevent end) {
  return driver_call("cuEventElapsedTime", Needs::context, [&] {
    return time_ms == nullptr ? cudaErrorInvalidResourceHandle : cudaEventElapsedTime(time_ms, start, end);
  });
}

extern "C" CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return driver_call("cuStreamIsCapturing", needs_of(stream),
                     [&] { return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status)); });
}
CUDASIM_DRIVER_ALIAS(cuStreamIsCapturing_ptsz, cuStreamIsCapturing);
