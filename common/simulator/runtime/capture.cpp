// SPDX-License-Identifier: MIT
#include "runtime/capture.h"

#include <algorithm>
#include <utility>

#include "runtime/refusals.h"

namespace cudasim {
namespace {

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

void add_once(std::vector<cudaGraphNode_t>& nodes, const std::vector<cudaGraphNode_t>& more) {
  for (cudaGraphNode_t node : more) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

/// Whether all work that other streams have put into the graph comes before the end of the stream that began.
bool is_joined(const Capture& capture) {
  std::unordered_set<cudaGraphNode_t> known;
  std::vector<cudaGraphNode_t> left = capture.leading.at(capture.origin);
  while (!left.empty()) {
    cudaGraphNode_t const node = left.back();
    left.pop_back();
    if (known.insert(node).second) left.insert(left.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return std::all_of(capture.leading.begin(), capture.leading.end(), [&known](const auto& stream) {
    return std::all_of(stream.second.begin(), stream.second.end(),
                       [&known](cudaGraphNode_t node) { return known.count(node) != 0; });
  });
}

/// The capture gives no graph any more. The call that breaks it is a finding.
cudaError_t break_capture(Runtime& runtime, Capture& capture, cudaError_t error) {
  if (std::exchange(capture.is_invalid, true)) return error;
  const bool is_implicit = error == cudaErrorStreamCaptureImplicit;
  return refuse_call(
      runtime, runtime.call,
      is_implicit ? "it is for the default stream, which would wait for a stream that is captured into a "
                    "graph. The capture is broken, and cudaStreamEndCapture gives no graph"
                  : "a stream is captured into a graph: its work is only noted, and cannot be waited for. "
                    "The capture is broken, and cudaStreamEndCapture gives no graph",
      is_implicit ? "put this work into the captured stream, or move it before cudaStreamBeginCapture or "
                    "behind cudaStreamEndCapture"
                  : "move the call before cudaStreamBeginCapture or behind cudaStreamEndCapture; work of "
                    "one stream is in order in the graph, too",
      error);
}

bool is_legacy(const Runtime& runtime, cudaStream_t stream) { return runtime.streams.count(stream) == 0; }

/// An error where work in this stream would wait for a captured stream.
cudaError_t refuse_implicit(Runtime& runtime, cudaStream_t stream) {
  if (!is_legacy(runtime, stream)) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (const auto& capture : runtime.captures->open()) {
    for (const auto& [captured, nodes] : capture->leading) {
      if ((captured->flags & cudaStreamNonBlocking) != 0) continue;
      error = break_capture(runtime, *capture, cudaErrorStreamCaptureImplicit);
    }
  }
  return error;
}

cudaError_t begin_capture(Runtime& runtime, cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (mode != cudaStreamCaptureModeGlobal && mode != cudaStreamCaptureModeThreadLocal &&
      mode != cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (is_legacy(runtime, stream))
    return complain("cudaStreamBeginCapture", "the default stream cannot be captured: create one",
                    cudaErrorStreamCaptureUnsupported);
  if (runtime.captures->of(stream) != nullptr) return cudaErrorIllegalState;
  runtime.captures->begin(stream, mode, runtime.graphs->make());
  return cudaSuccess;
}

cudaError_t end_capture(Runtime& runtime, cudaStream_t stream, cudaGraph_t* graph) {
  if (graph != nullptr) *graph = nullptr;
  if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
  const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != stream) {
    capture->is_invalid = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  const bool is_wrong_thread =
      capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id();
  const cudaError_t error = capture->is_invalid    ? cudaErrorStreamCaptureInvalidated
                            : is_wrong_thread      ? cudaErrorStreamCaptureWrongThread
                            : !is_joined(*capture) ? cudaErrorStreamCaptureUnjoined
                                                   : cudaSuccess;
  runtime.captures->end(capture);
  if (error == cudaSuccess && graph != nullptr) {
    *graph = capture->graph;
  } else {
    runtime.graphs->destroy(capture->graph);
  }
  return error;
}

}  // namespace

std::shared_ptr<Capture> Captures::of(cudaStream_t stream) const {
  for (const auto& capture : open_) {
    if (capture->leading.count(stream) != 0) return capture;
  }
  return nullptr;
}

Capture& Captures::begin(cudaStream_t origin, cudaStreamCaptureMode mode, cudaGraph_t graph) {
  auto capture = std::make_shared<Capture>();
  capture->id = next_id_++;
  capture->origin = origin;
  capture->thread = std::this_thread::get_id();
  capture->mode = mode;
  capture->graph = graph;
  capture->leading[origin] = {};
  open_.push_back(capture);
  return *capture;
}

void Captures::end(const std::shared_ptr<Capture>& capture) {
  capture->is_over = true;
  open_.remove(std::shared_ptr<Capture>(capture));
}

cudaError_t capture_step(Runtime& runtime, cudaStream_t stream, const Step& step, bool& is_node) {
  is_node = false;
  if (runtime.captures->open().empty()) return cudaSuccess;
  const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
  if (capture == nullptr) return refuse_implicit(runtime, stream);
  if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  std::vector<cudaGraphNode_t>& leading = capture->leading[stream];
  cudaGraphNode_t const node = runtime.graphs->add(capture->graph, step, leading);
  leading = {node};
  is_node = true;
  return cudaSuccess;
}

void invalidate_capture(Runtime& runtime, cudaStream_t stream) {
  if (const std::shared_ptr<Capture> capture = runtime.captures->of(stream)) capture->is_invalid = true;
}

cudaError_t refuse_captured(Runtime& runtime, cudaStream_t stream) {
  if (runtime.captures->open().empty()) return cudaSuccess;
  const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
  if (capture == nullptr) return refuse_implicit(runtime, stream);
  return break_capture(runtime, *capture, cudaErrorStreamCaptureUnsupported);
}

cudaError_t refuse_unsafe(Runtime& runtime) {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (const auto& capture : runtime.captures->open()) {
    if (capture->mode == cudaStreamCaptureModeRelaxed) continue;
    const bool is_everybodys =
        capture->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal;
    if (!is_everybodys && capture->thread != std::this_thread::get_id()) continue;
    error = break_capture(runtime, *capture, cudaErrorStreamCaptureUnsupported);
  }
  return error;
}

cudaError_t refuse_any_capture(Runtime& runtime) {
  for (const auto& capture : runtime.captures->open())
    break_capture(runtime, *capture, cudaErrorStreamCaptureUnsupported);
  return runtime.captures->open().empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t capture_record(Runtime& runtime, cudaEvent_t event, cudaStream_t stream, unsigned flags, bool& is_done) {
  const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
  is_done = capture != nullptr;
  if (capture == nullptr) {
    if (const cudaError_t error = refuse_implicit(runtime, stream); error != cudaSuccess) return error;
    event->capture.reset();
    return cudaSuccess;
  }
  if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  if ((flags & cudaEventRecordExternal) != 0) return capture_step(runtime, stream, RecordStep{event}, is_done);
  event->capture = capture;
  event->captured = capture->leading[stream];
  return cudaSuccess;
}

cudaError_t capture_wait(Runtime& runtime, cudaStream_t stream, cudaEvent_t event, unsigned flags, bool& is_done) {
  const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
  const std::shared_ptr<Capture>& other = event->capture;
  is_done = capture != nullptr || other != nullptr;
  if (!is_done) return cudaSuccess;
  if (capture != nullptr && (flags & cudaEventWaitExternal) != 0)
    return capture_step(runtime, stream, WaitStep{event}, is_done);
  if (other != nullptr && (other->is_over || other->is_invalid)) return cudaErrorInvalidValue;
  if (other == nullptr) {
    if (event->recorded.empty()) return cudaSuccess;
    capture->is_invalid = true;
    return complain("cudaStreamWaitEvent", "the stream is captured, and the event was recorded outside of the capture",
                    cudaErrorStreamCaptureIsolation);
  }
  if (capture == nullptr && is_legacy(runtime, stream)) {
    return break_capture(runtime, *other, cudaErrorStreamCaptureImplicit);
  }
  if (capture != nullptr && capture != other) {
    capture->is_invalid = other->is_invalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  add_once(other->leading[stream], event->captured);
  return cudaSuccess;
}

cudaError_t refuse_captured_event(cudaEvent_t event, bool invalidates) {
  if (event->capture == nullptr) return cudaSuccess;
  if (event->capture->is_over) return cudaErrorInvalidValue;
  if (invalidates) event->capture->is_invalid = true;
  return cudaErrorCapturedEvent;
}

void leave_capture(Runtime& runtime, cudaStream_t stream) {
  const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
  if (capture == nullptr) return;
  if (capture->origin == stream) {
    runtime.captures->end(capture);
    runtime.graphs->destroy(capture->graph);
  } else {
    capture->leading.erase(stream);
  }
}

}  // namespace cudasim

using namespace cudasim;

extern "C" cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return enter("cudaStreamBeginCapture", Access::context,
               [&](Runtime& runtime) { return begin_capture(runtime, stream, mode); });
}
CUDASIM_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);

extern "C" cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return enter("cudaStreamEndCapture", Access::context,
               [&](Runtime& runtime) { return end_capture(runtime, stream, graph); });
}
CUDASIM_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);

extern "C" cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return enter("cudaStreamIsCapturing", Access::context, [&](Runtime& runtime) {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
    *status = capture == nullptr    ? cudaStreamCaptureStatusNone
              : capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
    return cudaSuccess;
  });
}
CUDASIM_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);

static cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                cudaGraph_t* graph, const cudaGraphNode_t** leading, std::size_t* count,
                                const void** edges = nullptr) {
  return enter("cudaStreamGetCaptureInfo", Access::context, [&](Runtime& runtime) {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
    *status = capture == nullptr    ? cudaStreamCaptureStatusNone
              : capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
    if (capture == nullptr || capture->is_invalid) return cudaSuccess;
    const std::vector<cudaGraphNode_t>& nodes = capture->leading[stream];
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = capture->graph;
    if (leading != nullptr) *leading = nodes.data();
    if (count != nullptr) *count = nodes.size();
    capture->edge_data.resize(nodes.size() + 1);
    if (edges != nullptr) *edges = capture->edge_data.data();
    return cudaSuccess;
  });
}

#if CUDART_VERSION >= 13000
extern "C" cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                unsigned long long* id, cudaGraph_t* graph,
                                                const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                                std::size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, count, reinterpret_cast<const void**>(edges));
}
CUDASIM_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);
#else
#undef cudaStreamGetCaptureInfo
#undef cudaStreamGetCaptureInfo_v2
CUDASIM_EXPORT cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                       unsigned long long* id, cudaGraph_t* graph,
                                                       const cudaGraphNode_t** dependencies, std::size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, count);
}
CUDASIM_ALIAS(cudaStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);
/// The name of CUDA 11.
CUDASIM_EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                    unsigned long long* id) {
  return capture_info(stream, status, id, nullptr, nullptr, nullptr);
}
CUDASIM_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);
#endif

/// What the next node of a stream waits for: these nodes beside others, or alone.
static cudaError_t change_leading(cudaStream_t stream, const cudaGraphNode_t* list, std::size_t count, unsigned flags) {
  return enter("cudaStreamUpdateCaptureDependencies", Access::context, [&](Runtime& runtime) {
    if (flags > cudaStreamSetCaptureDependencies || (list == nullptr && count != 0)) return cudaErrorInvalidValue;
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const std::shared_ptr<Capture> capture = runtime.captures->of(stream);
    if (capture == nullptr) return cudaErrorIllegalState;
    if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
    const auto& nodes = capture->graph->nodes;
    for (std::size_t i = 0; i < count; ++i) {
      const auto is_it = [&](const auto& node) { return node.get() == list[i]; };
      if (std::none_of(nodes.begin(), nodes.end(), is_it)) return cudaErrorInvalidValue;
    }
    std::vector<cudaGraphNode_t>& leading = capture->leading[stream];
    if (flags == cudaStreamSetCaptureDependencies) leading.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (std::find(leading.begin(), leading.end(), list[i]) == leading.end()) leading.push_back(list[i]);
    }
    return cudaSuccess;
  });
}
#if CUDART_VERSION >= 13000
extern "C" cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* list,
                                                           const cudaGraphEdgeData* /*data*/, std::size_t count,
                                                           unsigned flags) {
  return change_leading(stream, list, count, flags);
}
#else
extern "C" cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* list,
                                                           std::size_t count, unsigned flags) {
  return change_leading(stream, list, count, flags);
}
#endif
CUDASIM_ALIAS(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);

extern "C" cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
    return remember(cudaErrorInvalidValue);
  std::swap(*mode, thread_mode);
  return cudaSuccess;
}
