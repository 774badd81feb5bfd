// SPDX-License-Identifier: MIT
// Stream capture: the work that a program puts into a stream becomes nodes of a graph. A stream joins a capture when it
// waits for an event that was recorded in it. The calls that are not allowed meanwhile, and their errors, are those of
// an H200 (tests/gpu/programs/recorded/graph_errors_h200.txt).
#pragma once

#include <list>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/graph.h"

namespace cudasim {

struct Capture {
  unsigned long long id = 0;
  cudaStream_t origin = nullptr;
  std::thread::id thread;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  cudaGraph_t graph = nullptr;
  bool is_invalid = false;
  bool is_over = false;  ///< only events still know it
  /// By stream, the nodes that its next one comes after.
  std::map<cudaStream_t, std::vector<cudaGraphNode_t>> leading;
  std::vector<std::uint64_t> edge_data;  ///< zeros: what a program is told of the edges to the leading nodes
};

class Captures {
 public:
  /// The capture that the stream is part of, or nullptr.
  std::shared_ptr<Capture> of(cudaStream_t stream) const;
  const std::list<std::shared_ptr<Capture>>& open() const { return open_; }
  Capture& begin(cudaStream_t origin, cudaStreamCaptureMode mode, cudaGraph_t graph);
  /// Frees the streams; the caller owns the graph.
  void end(const std::shared_ptr<Capture>& capture);
  void clear() { open_.clear(); }

 private:
  std::list<std::shared_ptr<Capture>> open_;
  unsigned long long next_id_ = 1;
};

/// Work for a stream. If the stream is captured, the work becomes a node, and `is_node` is set. Work for the default
/// stream is an error while a stream is captured that waits for it.
cudaError_t capture_step(Runtime& runtime, cudaStream_t stream, const Step& step, bool& is_node);
/// The same for calls that are never nodes: an error where the stream is captured.
cudaError_t refuse_captured(Runtime& runtime, cudaStream_t stream);
/// For calls that may wait for the device: an error while this thread, or all, must not make them.
cudaError_t refuse_unsafe(Runtime& runtime);
/// For calls that wait for all of the device.
cudaError_t refuse_any_capture(Runtime& runtime);
/// The stream's capture ends with an error.
void invalidate_capture(Runtime& runtime, cudaStream_t stream);

/// For cudaEventRecord and cudaStreamWaitEvent. `is_done`: there was a capture, and there is no more work.
cudaError_t capture_record(Runtime& runtime, cudaEvent_t event, cudaStream_t stream, unsigned flags, bool& is_done);
cudaError_t capture_wait(Runtime& runtime, cudaStream_t stream, cudaEvent_t event, unsigned flags, bool& is_done);
/// For calls that wait for an event.
cudaError_t refuse_captured_event(cudaEvent_t event, bool invalidates);
/// A stream is destroyed.
void leave_capture(Runtime& runtime, cudaStream_t stream);

}  // namespace cudasim
