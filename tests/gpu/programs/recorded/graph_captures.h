// SPDX-License-Identifier: MIT
// Cases of graph_errors.cu: stream capture, and what all its cases use.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <thread>

#include "recorded.h"

namespace {

__device__ int variable[4];
__global__ void add(int* data, int value) { atomicAdd(data, value); }
void nothing(void*) {}
void callback(cudaStream_t, cudaError_t, void*) {}

int* const data = [] {
  int* allocated = nullptr;
  cudaMalloc(&allocated, 64);
  return allocated;
}();

cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, flags);
  return stream;
}
cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  return event;
}
cudaStream_t capturing(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal,
                       unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = new_stream(flags);
  SHOW(cudaStreamBeginCapture(stream, mode));
  return stream;
}
int status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  return status;
}
std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  return graph != nullptr && cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess ? count : 0;
}
void end(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  VALUE(status_of(stream));
  SHOW(cudaStreamEndCapture(stream, &graph));
  VALUE(graph != nullptr);
  VALUE(nodes_of(graph));
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaGetLastError();
}
void launch(cudaStream_t stream) { add<<<1, 1, 0, stream>>>(data, 1); }
int value() {
  int result = 0;
  cudaMemcpy(&result, data, sizeof result, cudaMemcpyDeviceToHost);
  return result;
}

void capture_and_launch() {
  cudaMemset(data, 0, 4);
  cudaStream_t stream = capturing();
  VALUE(status_of(stream));
  launch(stream);
  launch(stream);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  SHOW(cudaStreamEndCapture(stream, &graph));
  VALUE(status_of(stream));
  VALUE(nodes_of(graph));
  VALUE(value());
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaGraphDestroy(graph));
  for (int i = 0; i < 3; ++i) SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaStreamSynchronize(stream));
  VALUE(value());
  SHOW(cudaGraphExecDestroy(exec));
}

void begin_and_end() {
  cudaStream_t stream = new_stream(), other = new_stream();
  cudaGraph_t graph = nullptr;
  SHOW(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  SHOW(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
  SHOW(cudaStreamEndCapture(nullptr, &graph));
  SHOW(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(7)));
  SHOW(cudaStreamEndCapture(stream, &graph));
  SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  VALUE(status_of(stream));
  SHOW(cudaStreamEndCapture(other, &graph));
  end(stream);
  SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SHOW(cudaStreamEndCapture(stream, nullptr));
  VALUE(status_of(stream));
  SHOW(cudaStreamEndCapture(stream, &graph));
  SHOW(cudaStreamIsCapturing(stream, nullptr));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  SHOW(cudaStreamIsCapturing(nullptr, &status));
  VALUE(status);
}

/// A call in each of the three modes, in a stream that does not wait for the default one, and in one that does.
/// Recorded are what it returns, what becomes of the capture, what its end returns, and how many nodes there are.
template <class Call>
void in_each_mode(const char* name, Call call) {
  std::printf("%s:", name);
  for (const cudaStreamCaptureMode mode :
       {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    for (const unsigned flags : {cudaStreamNonBlocking, cudaStreamDefault}) {
      cudaStream_t stream = new_stream(flags);
      cudaStreamBeginCapture(stream, mode);
      const int error = call(stream);
      const bool is_last = cudaGetLastError() == error;
      const int status = status_of(stream);
      cudaGraph_t graph = nullptr;
      const int ended = cudaStreamEndCapture(stream, &graph);
      std::printf(" %d%s/%d/%d/%zu", error, is_last ? "" : "!", status, ended, nodes_of(graph));
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();
      cudaStreamDestroy(stream);
      cudaDeviceSynchronize();
    }
  }
  std::printf("\n");
}
#define EACH(call)                                      \
  in_each_mode(#call, [&](cudaStream_t stream) -> int { \
    (void)stream;                                       \
    return call;                                        \
  })

void synchronous_calls() {
  static int host[4];
  void* pointer = nullptr;
  cudaStream_t other = new_stream();
  std::size_t bytes = 0, total = 0;
  cudaEvent_t event = new_event();
  EACH(cudaStreamSynchronize(stream));
  EACH(cudaStreamQuery(stream));
  EACH(cudaStreamSynchronize(other));
  EACH(cudaStreamQuery(other));
  EACH(cudaStreamSynchronize(nullptr));
  EACH(cudaStreamQuery(nullptr));
  EACH(cudaDeviceSynchronize());
  EACH(cudaMalloc(&pointer, 16));
  EACH(cudaFree(nullptr));
  EACH(cudaMallocHost(&pointer, 16));
  EACH(cudaMallocManaged(&pointer, 16));
  EACH(cudaMemcpy(data, host, 4, cudaMemcpyHostToDevice));
  EACH(cudaMemcpyToSymbol(variable, host, 4));
  EACH(cudaMemset(data, 0, 4));
  EACH(cudaMemGetInfo(&bytes, &total));
  EACH(cudaGetSymbolAddress(&pointer, variable));
  EACH(cudaEventSynchronize(event));
  EACH(cudaEventQuery(event));
  EACH((cudaStreamCreate(&other)));
  EACH((cudaStreamDestroy(new_stream())));
  EACH((cudaEventCreate(&event)));
  EACH(cudaEventDestroy(new_event()));
  EACH(cudaSetDevice(0));
  EACH(cudaMemcpyAsync(data, host, 4, cudaMemcpyHostToDevice, nullptr));
  EACH(cudaMemsetAsync(data, 0, 4, nullptr));
  EACH((add<<<1, 1>>>(data, 1), cudaPeekAtLastError()));
  EACH(cudaLaunchHostFunc(nullptr, nothing, nullptr));
  cudaEvent_t fresh = new_event();
  EACH(cudaEventRecord(fresh, nullptr));
}

void calls_that_become_nodes() {
  static int host[4];
  int* pinned = nullptr;
  cudaMallocHost(&pinned, 16);
  cudaEvent_t event = new_event();
  EACH((add<<<1, 1, 0, stream>>>(data, 1), cudaPeekAtLastError()));
  EACH((add<<<1, 2000, 0, stream>>>(data, 1), cudaPeekAtLastError()));
  EACH((add<<<0, 1, 0, stream>>>(data, 1), cudaPeekAtLastError()));
  EACH(cudaMemcpyAsync(data, pinned, 4, cudaMemcpyHostToDevice, stream));
  EACH(cudaMemcpyAsync(data, host, 4, cudaMemcpyHostToDevice, stream));
  EACH(cudaMemcpyAsync(host, data, 4, cudaMemcpyDeviceToHost, stream));
  EACH(cudaMemcpyAsync(host, data, 0, cudaMemcpyDeviceToHost, stream));
  EACH(cudaMemcpyAsync(nullptr, data, 4, cudaMemcpyDeviceToDevice, stream));
  EACH(cudaMemcpy2DAsync(data, 8, pinned, 8, 4, 2, cudaMemcpyHostToDevice, stream));
  EACH(cudaMemcpyToSymbolAsync(variable, pinned, 4, 0, cudaMemcpyHostToDevice, stream));
  EACH(cudaMemcpyToSymbolAsync(variable, host, 400, 0, cudaMemcpyHostToDevice, stream));
  EACH(cudaMemsetAsync(data, 0, 4, stream));
  EACH(cudaMemsetAsync(data, 0, 0, stream));
  EACH(cudaMemsetAsync(data, 0, 1 << 30, stream));
  EACH(cudaMemsetAsync(nullptr, 0, 4, stream));
  EACH(cudaLaunchHostFunc(stream, nothing, nullptr));
  EACH(cudaLaunchHostFunc(stream, nullptr, nullptr));
  EACH(cudaStreamAddCallback(stream, callback, nullptr, 0));
  EACH(cudaEventRecord(event, stream));
  EACH(cudaStreamAttachMemAsync(stream, data, 0, cudaMemAttachSingle));
  EACH(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
}

void events_of_a_capture() {
  cudaStream_t outside = new_stream(), legacy_like = new_stream(cudaStreamDefault);
  cudaEvent_t never = new_event(), before = new_event(), in = new_event(), timed = nullptr;
  cudaEventCreate(&timed);
  cudaEventRecord(before, outside);
  cudaEventRecord(timed, outside);
  cudaDeviceSynchronize();
  {
    cudaStream_t stream = capturing();
    SHOW(cudaStreamWaitEvent(stream, never));
    VALUE(status_of(stream));
    SHOW(cudaStreamWaitEvent(stream, before));
    end(stream);
  }
  {
    cudaStream_t stream = capturing();
    launch(stream);
    SHOW(cudaEventRecord(in, stream));
    SHOW(cudaEventQuery(in));
    VALUE(status_of(stream));
    end(stream);
    SHOW(cudaEventQuery(in));
    SHOW(cudaEventSynchronize(in));
    SHOW(cudaStreamWaitEvent(outside, in));
    cudaGetLastError();
  }
  {
    cudaStream_t stream = capturing();
    SHOW(cudaEventRecord(in, stream));
    SHOW(cudaEventSynchronize(in));
    end(stream);
  }
  {
    cudaStream_t stream = capturing();
    SHOW(cudaEventRecord(timed, stream));
    float ms = 0;
    SHOW(cudaEventElapsedTime(&ms, timed, timed));
    VALUE(status_of(stream));
    SHOW(cudaEventDestroy(timed));
    end(stream);
  }
  {
    cudaStream_t stream = capturing();
    SHOW(cudaEventRecord(in, stream));
    SHOW(cudaStreamWaitEvent(nullptr, in));
    VALUE(status_of(stream));
    SHOW(cudaStreamWaitEvent(legacy_like, in));
    VALUE(status_of(legacy_like));
    end(stream);
  }
  {
    cudaStream_t stream = capturing();
    launch(stream);
    SHOW(cudaEventRecord(in, stream));
    SHOW(cudaEventRecord(in, outside));
    SHOW(cudaEventQuery(in));
    end(stream);
  }
}

void forks_and_joins() {
  cudaEvent_t fork = new_event(), join = new_event();
  {
    cudaStream_t stream = capturing(), second = new_stream();
    launch(stream);
    SHOW(cudaEventRecord(fork, stream));
    SHOW(cudaStreamWaitEvent(second, fork));
    VALUE(status_of(second));
    launch(second);
    launch(stream);
    SHOW(cudaEventRecord(join, second));
    SHOW(cudaStreamWaitEvent(stream, join));
    launch(stream);
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamEndCapture(stream, &graph));
    VALUE(status_of(second));
    VALUE(nodes_of(graph));
    std::size_t count = 0;
    SHOW(cudaGraphGetRootNodes(graph, nullptr, &count));
    VALUE(count);
#if CUDART_VERSION >= 13000
    SHOW(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
#else
    SHOW(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
#endif
    VALUE(count);
  }
  {
    cudaStream_t stream = capturing(), second = new_stream();
    SHOW(cudaEventRecord(fork, stream));
    SHOW(cudaStreamWaitEvent(second, fork));
    launch(second);
    end(stream);
    VALUE(status_of(second));
    SHOW(cudaStreamSynchronize(second));
    SHOW(cudaStreamQuery(second));
  }
  {
    cudaStream_t stream = capturing(), second = new_stream();
    SHOW(cudaEventRecord(fork, stream));
    SHOW(cudaStreamWaitEvent(second, fork));  // and nothing put into it
    end(stream);
  }
  {
    cudaStream_t stream = capturing(), second = new_stream();
    SHOW(cudaEventRecord(fork, stream));
    SHOW(cudaStreamWaitEvent(second, fork));
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamEndCapture(second, &graph));
    VALUE(status_of(second));
    end(stream);
  }
  {
    cudaStream_t stream = capturing(), second = capturing();
    SHOW(cudaEventRecord(fork, stream));
    SHOW(cudaStreamWaitEvent(second, fork));
    VALUE(status_of(stream));
    end(stream);
    end(second);
  }
  {
    cudaStream_t stream = capturing(), second = new_stream();
    SHOW(cudaEventRecord(fork, stream));
    SHOW(cudaStreamWaitEvent(second, fork));
    SHOW(cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal));
    VALUE(status_of(stream));
    SHOW(cudaStreamDestroy(second));
    VALUE(status_of(stream));
    end(stream);
  }
  {
    cudaStream_t stream = capturing();
    launch(stream);
    SHOW(cudaStreamDestroy(stream));
    cudaDeviceSynchronize();
    cudaGetLastError();
  }
}

void threads() {
  cudaGraph_t graph = nullptr;
  for (const cudaStreamCaptureMode mode :
       {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    cudaStream_t stream = capturing(mode);
    std::thread([&] {
      void* pointer = nullptr;
      SHOW(cudaMalloc(&pointer, 16));
      VALUE(status_of(stream));
      SHOW(cudaStreamEndCapture(stream, &graph));
      VALUE(status_of(stream));
    }).join();
    if (status_of(stream) != 0) end(stream);
  }
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
  VALUE(mode);
  cudaStream_t stream = capturing();
  void* pointer = nullptr;
  SHOW(cudaMalloc(&pointer, 16));
  end(stream);
  SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
  VALUE(mode);
}

}  // namespace
