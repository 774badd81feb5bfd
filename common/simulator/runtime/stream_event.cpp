// SPDX-License-Identifier: MIT
// Streams and events. stream_queue.h has the rules of lateness and order. An event holds the time of the host's clock
// at which the stream came to its record.
#include "runtime/stream_event.h"

#include <chrono>

#include "report/finding_text.h"
#include "report/host_lines.h"
#include "runtime/capture.h"

using namespace cudasim;

namespace {

constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;  // as compute capability 9.0 has it

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_event(const Runtime& runtime, cudaEvent_t event) {
  return event != nullptr && runtime.events.count(event) != 0;
}

/// For calls that only query whether the stream exists.
cudaError_t check_stream(const char* call, Access access, cudaStream_t stream) {
  return enter(call, access, [&](Runtime& runtime) {
    return runtime.is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t wait_for_stream(const char* call, cudaStream_t stream) {
  return enter(call, Access::synchronous, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    cudaError_t error = refuse_captured(runtime, stream);
    if (error == cudaSuccess) error = refuse_unsafe(runtime);
    if (error == cudaSuccess) look_at_wait(runtime, call);
    return error != cudaSuccess ? error : runtime.wait_for(stream);
  });
}

cudaError_t wait_for_event(const char* call, cudaEvent_t event) {
  return enter(call, Access::synchronous, [&](Runtime& runtime) {
    if (!is_event(runtime, event)) return cudaErrorInvalidResourceHandle;
    cudaError_t error = refuse_captured_event(event, true);
    if (error == cudaSuccess) error = refuse_unsafe(runtime);
    if (error == cudaSuccess) look_at_wait(runtime, call);
    return error != cudaSuccess ? error : runtime.wait_for(event->recorded);
  });
}

/// Whether the host knows that the event was reached.
bool is_known(const Runtime& runtime, const CUevent_st& event) {
  return runtime.work.has_waited_for(event.stream.id, event.number, event.put);
}

void report_early(Runtime& runtime, const CUevent_st& event) {
  if (runtime.checks() == nullptr || runtime.checks()->race == nullptr) return;
  Finding finding;
  finding.kind = FindingKind::early_event;
  finding.severity = Severity::defect;
  finding.message = "cudaEventElapsedTime asks for the time of an event, recorded in " + event.stream.text() +
                    ", for which the host has not waited";
  finding.advice = words_of(finding.kind).advice;
  finding.callers = callers();
  finding.other_call = event.recorded_by;
  finding.seed = runtime.settings().schedule.seed;
  const std::string key = finding.message + host_place(host_line_of(finding)) + host_place(other_call_of(finding));
  if (!runtime.reported.insert(key).second) return;
  runtime.add_finding(finding);
}

/// For a host function: its predecessors in the stream are complete.
cudaError_t reach_host_function(Runtime& runtime, cudaStream_t stream) {
  runtime.work.run(runtime.work.clock_of(runtime.stream_name(stream)));
  return cudaSuccess;
}

/// The stream that a query about one of the program's streams, or one of the default streams, reads.
cudaError_t ask_stream(const char* call, cudaStream_t stream, CUstream_st& answer) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (runtime.streams.count(stream) != 0) answer = *stream;
    return cudaSuccess;
  });
}

}  // namespace

void cudasim::record_event(Runtime& runtime, cudaEvent_t event, const StreamName& stream) {
  StreamWork record;
  record.what = "cudaEventRecord";
  record.run = [time_ms = event->time_ms](const StreamWork&) {
    *time_ms = now_ms();
    return true;
  };
  event->recorded = runtime.work.put(stream, std::move(record));
  event->stream = stream;
  event->number = event->recorded.of(stream.id);
  event->put = runtime.work.puts();
  if (runtime.watches_streams()) event->recorded_by = callers();
}

extern "C" cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return enter("cudaStreamCreate", Access::context, [&](Runtime& runtime) {
    if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) return cudaErrorInvalidValue;
    auto created = std::make_unique<CUstream_st>();
    created->flags = flags;
    created->priority = priority < kGreatestPriority ? kGreatestPriority
                        : priority > kLeastPriority  ? kLeastPriority
                                                     : priority;
    created->id = runtime.next_stream_id++;
    runtime.streams.insert(created.get());
    *stream = created.release();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return enter("cudaStreamDestroy", Access::context, [&](Runtime& runtime) {
    if (runtime.streams.count(stream) == 0) return cudaErrorInvalidResourceHandle;
    const StreamName name = runtime.stream_name(stream);
    leave_capture(runtime, stream);
    runtime.work.run(runtime.work.clock_of(name));
    runtime.work.forget(name);
    runtime.streams.erase(stream);
    delete stream;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for_stream("cudaStreamSynchronize", stream);
}
CUDASIM_ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);

extern "C" cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for_stream("cudaStreamQuery", stream); }
CUDASIM_ALIAS(cudaStreamQuery_ptsz, cudaStreamQuery);

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return enter("cudaStreamWaitEvent", Access::enqueued, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream) || !is_event(runtime, event)) return cudaErrorInvalidResourceHandle;
    bool is_done = false;
    const cudaError_t error = capture_wait(runtime, stream, event, flags, is_done);
    if (is_done || error != cudaSuccess) return error;
    runtime.work.order_after(runtime.stream_name(stream), event->recorded);
    return cudaSuccess;
  });
}
CUDASIM_ALIAS(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);

extern "C" cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  CUstream_st answer;
  const cudaError_t error =
      flags == nullptr ? remember(cudaErrorInvalidValue) : ask_stream("cudaStreamGetFlags", stream, answer);
  if (error == cudaSuccess) *flags = answer.flags;
  return error;
}
CUDASIM_ALIAS(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);

extern "C" cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  CUstream_st answer;
  const cudaError_t error =
      priority == nullptr ? remember(cudaErrorInvalidValue) : ask_stream("cudaStreamGetPriority", stream, answer);
  if (error == cudaSuccess) *priority = answer.priority;
  return error;
}
CUDASIM_ALIAS(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);

/// Hints about caches and turns, which change no result.
extern "C" cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                              const cudaStreamAttrValue* value) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
      return check_stream("cudaStreamSetAttribute", Access::context, stream);
    default:
      return remember(cudaErrorInvalidValue);
  }
}
CUDASIM_ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);

extern "C" cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* /*pointer*/, std::size_t /*size*/,
                                                unsigned /*flags*/) {
  return enter("cudaStreamAttachMemAsync", Access::enqueued, [&](Runtime& runtime) {
    return runtime.is_stream(stream) ? refuse_captured(runtime, stream) : cudaErrorInvalidResourceHandle;
  });
}
CUDASIM_ALIAS(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

extern "C" cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return remember(cudaErrorInvalidValue);
  bool run = false;  // not after a fault, and never under the lock
  const cudaError_t error = enter("cudaLaunchHostFunc", Access::enqueued, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    bool is_node = false;
    const cudaError_t captured = capture_step(runtime, stream, HostStep{function, data}, is_node);
    if (is_node || captured != cudaSuccess) return captured;
    const cudaError_t reached = reach_host_function(runtime, stream);
    run = reached == cudaSuccess && !runtime.is_broken();
    return reached;
  });
  if (run) {
    const HostFunctionRuns runs;
    function(data);
  }
  return error;
}
CUDASIM_ALIAS(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);

extern "C" cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                             unsigned flags) {
  if (callback == nullptr || flags != 0) return remember(cudaErrorInvalidValue);
  cudaError_t status = cudaSuccess;
  const cudaError_t error = enter("cudaStreamAddCallback", Access::context, [&](Runtime& runtime) {
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t refused = refuse_captured(runtime, stream); refused != cudaSuccess) return refused;
    const cudaError_t reached = reach_host_function(runtime, stream);
    status = runtime.pending_error;
    return reached;
  });
  if (error == cudaSuccess) {
    const HostFunctionRuns runs;
    callback(stream, status, data);
  }
  return error;
}
CUDASIM_ALIAS(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return enter("cudaEventCreate", Access::context, [&](Runtime& runtime) {
    constexpr unsigned kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (event == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    auto created = std::make_unique<CUevent_st>();
    created->flags = flags;
    runtime.events.insert(created.get());
    *event = created.release();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return enter("cudaEventDestroy", Access::context, [&](Runtime& runtime) {
    if (runtime.events.erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return enter("cudaEventRecord", Access::enqueued, [&](Runtime& runtime) {
    if (!is_event(runtime, event) || !runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    bool is_done = false;
    const cudaError_t error = capture_record(runtime, event, stream, flags, is_done);
    if (is_done || error != cudaSuccess) return error;
    record_event(runtime, event, runtime.stream_name(stream));
    return cudaSuccess;
  });
}
CUDASIM_ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

extern "C" cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}
CUDASIM_ALIAS(cudaEventRecord_ptsz, cudaEventRecord);

extern "C" cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for_event("cudaEventQuery", event); }

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t event) { return wait_for_event("cudaEventSynchronize", event); }

extern "C" cudaError_t cudaEventElapsedTime(float* time_ms, cudaEvent_t start, cudaEvent_t end) {
  return enter("cudaEventElapsedTime", Access::synchronous, [&](Runtime& runtime) {
    if (time_ms == nullptr) return cudaErrorInvalidValue;
    for (cudaEvent_t event : {start, end}) {
      if (!is_event(runtime, event)) return cudaErrorInvalidResourceHandle;
      if (const cudaError_t error = refuse_captured_event(event, false); error != cudaSuccess) return error;
      if (event->recorded.empty() || (event->flags & cudaEventDisableTiming) != 0)
        return cudaErrorInvalidResourceHandle;
    }
    for (cudaEvent_t event : {end, start}) {
      if (is_known(runtime, *event)) continue;
      report_early(runtime, *event);
      if (runtime.settings().schedule.order != Schedule::Order::plain) return cudaErrorNotReady;
      break;
    }
    for (cudaEvent_t event : {start, end}) {
      if (const cudaError_t error = runtime.wait_for(event->recorded); error != cudaSuccess) return error;
    }
    *time_ms = static_cast<float>(*end->time_ms - *start->time_ms);
    return cudaSuccess;
  });
}
#if CUDART_VERSION < 13000
CUDASIM_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
#endif

extern "C" cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  CUstream_st answer;
  const cudaError_t error =
      id == nullptr ? remember(cudaErrorInvalidValue) : ask_stream("cudaStreamGetId", stream, answer);
  if (error == cudaSuccess) *id = answer.id;
  return error;
}
CUDASIM_ALIAS(cudaStreamGetId_ptsz, cudaStreamGetId);
