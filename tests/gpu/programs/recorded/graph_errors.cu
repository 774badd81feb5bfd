// SPDX-License-Identifier: MIT
// What the calls of graphs and of stream capture return, above all where they are used wrongly.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

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

cudaKernelNodeParams kernel_params(void** arguments) {
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(add);
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  return params;
}

int one = 1;
int* first = data;
void* arguments[] = {&first, &one};

void explicit_nodes() {
  cudaGraph_t graph = nullptr, second = nullptr;
  cudaGraphNode_t node = nullptr, other = nullptr, foreign = nullptr, none = nullptr;
  SHOW(cudaGraphCreate(nullptr, 0));
  SHOW(cudaGraphCreate(&graph, 1));
  SHOW(cudaGraphCreate(&graph, 0));
  SHOW(cudaGraphCreate(&second, 0));
  SHOW(cudaGraphAddEmptyNode(&foreign, second, nullptr, 0));
  cudaKernelNodeParams params = kernel_params(arguments);
  SHOW(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddKernelNode(nullptr, graph, nullptr, 0, &params));
  SHOW(cudaGraphAddKernelNode(&node, nullptr, nullptr, 0, &params));
  SHOW(cudaGraphAddKernelNode(&node, graph, nullptr, 1, &params));
  SHOW(cudaGraphAddKernelNode(&node, graph, &none, 1, &params));
  SHOW(cudaGraphAddKernelNode(&node, graph, &foreign, 1, &params));
  VALUE(nodes_of(graph));
  SHOW(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaGraphNode_t twice[] = {node, node};
  SHOW(cudaGraphAddEmptyNode(&other, graph, twice, 2));
  VALUE(nodes_of(graph));
  SHOW(cudaGraphAddEmptyNode(&other, graph, &node, 1));
  params.func = nullptr;
  SHOW(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &params));
  params.func = &one;
  SHOW(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &params));
  params = kernel_params(nullptr);
  SHOW(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &params));
  params = kernel_params(arguments);
  params.blockDim.x = 2000;
  SHOW(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &params));
  params.blockDim.x = 0;
  SHOW(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &params));
  params = kernel_params(arguments);
  params.sharedMemBytes = 1 << 20;
  SHOW(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &params));
  cudaHostNodeParams host{};
  SHOW(cudaGraphAddHostNode(&none, graph, nullptr, 0, &host));
  host.fn = nothing;
  SHOW(cudaGraphAddHostNode(&none, graph, nullptr, 0, &host));
  SHOW(cudaGraphHostNodeGetParams(node, &host));
  SHOW(cudaGraphHostNodeGetParams(none, nullptr));
  cudaGraphNodeType type{};
  SHOW(cudaGraphNodeGetType(node, &type));
  VALUE(type);
  SHOW(cudaGraphNodeGetType(none, &type));
  VALUE(type);
  SHOW(cudaGraphNodeGetType(other, &type));
  VALUE(type);
  SHOW(cudaGraphNodeGetType(nullptr, &type));
  SHOW(cudaGraphNodeGetType(node, nullptr));
  cudaKernelNodeParams got{};
  SHOW(cudaGraphKernelNodeGetParams(node, &got));
  VALUE(got.func == reinterpret_cast<void*>(add));
  VALUE(*static_cast<int*>(got.kernelParams[1]));
  SHOW(cudaGraphKernelNodeGetParams(other, &got));
  VALUE(nodes_of(graph));
  cudaGraphNode_t list[8] = {};
  std::size_t count = 8;
  SHOW(cudaGraphGetNodes(graph, list, &count));
  VALUE(count);
  VALUE(list[0] == node);
  VALUE(list[count] == nullptr);
  count = 1;
  SHOW(cudaGraphGetNodes(graph, list, &count));
  VALUE(count);
  SHOW(cudaGraphGetNodes(graph, nullptr, nullptr));
  SHOW(cudaGraphGetRootNodes(graph, nullptr, &count));
  VALUE(count);
  SHOW(cudaGraphDestroyNode(none));
  VALUE(nodes_of(graph));
  SHOW(cudaGraphDestroyNode(node));
  SHOW(cudaGraphGetRootNodes(graph, nullptr, &count));
  VALUE(count);
  SHOW(cudaGraphDestroyNode(nullptr));
  SHOW(cudaGraphDestroy(graph));
  SHOW(cudaGraphDestroy(nullptr));
  SHOW(cudaGraphDestroy(second));
}

cudaError_t add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}
cudaError_t remove_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphRemoveDependencies(graph, &from, &to, 1);
#endif
}
cudaError_t dependencies(cudaGraphNode_t node, std::size_t& count) {
#if CUDART_VERSION >= 13000
  return cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count);
#else
  return cudaGraphNodeGetDependencies(node, nullptr, &count);
#endif
}
cudaError_t dependents(cudaGraphNode_t node, std::size_t& count) {
#if CUDART_VERSION >= 13000
  return cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &count);
#else
  return cudaGraphNodeGetDependentNodes(node, nullptr, &count);
#endif
}

void edges() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr, c = nullptr;
  std::size_t count = 0;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&a, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&b, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&c, graph, &b, 1);
  SHOW(add_edge(graph, a, b));
  SHOW(add_edge(graph, a, b));
  SHOW(add_edge(graph, a, a));
  SHOW(add_edge(graph, nullptr, a));
  SHOW(dependencies(b, count));
  VALUE(count);
  SHOW(dependents(b, count));
  VALUE(count);
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaGraphLaunch(exec, nullptr));
  SHOW(cudaDeviceSynchronize());
  SHOW(add_edge(graph, c, a));
  VALUE(exec != nullptr);
  cudaGraphExec_t round = nullptr;
  SHOW(cudaGraphInstantiate(&round, graph, 0));
  SHOW(remove_edge(graph, c, a));
  SHOW(remove_edge(graph, c, a));
  SHOW(remove_edge(graph, a, b));
  SHOW(cudaGraphInstantiate(&round, graph, 0));
  SHOW(cudaGraphInstantiate(nullptr, graph, 0));
  SHOW(cudaGraphInstantiate(&round, nullptr, 0));
  SHOW(cudaGraphInstantiate(&round, graph, 1ull << 20));
  SHOW(cudaGraphLaunch(nullptr, nullptr));
  SHOW(cudaGraphExecDestroy(nullptr));
  SHOW(cudaGraphUpload(exec, nullptr));
  SHOW(cudaGraphExecDestroy(exec));
  cudaGraph_t empty = nullptr;
  cudaGraphCreate(&empty, 0);
  SHOW(cudaGraphInstantiate(&exec, empty, 0));
  SHOW(cudaGraphLaunch(exec, nullptr));
}

void copies_and_fills() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  int host[4] = {1, 2, 3, 4};
  cudaGraphCreate(&graph, 0);
  SHOW(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, host, 8, cudaMemcpyHostToDevice));
  cudaMemcpy3DParms got{};
  SHOW(cudaGraphMemcpyNodeGetParams(node, &got));
  VALUE(got.extent.width);
  VALUE(got.extent.height);
  VALUE(got.kind);
  VALUE(got.srcPtr.ptr == host);
  SHOW(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, host, 0, cudaMemcpyHostToDevice));
  SHOW(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, nullptr, host, 8, cudaMemcpyHostToDevice));
  SHOW(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, host, 8, static_cast<cudaMemcpyKind>(9)));
  SHOW(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, host, 8, cudaMemcpyDeviceToHost));
  SHOW(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, host, 8, cudaMemcpyDefault));
  SHOW(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable, host, 8, 0, cudaMemcpyHostToDevice));
  SHOW(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable, host, 80, 0, cudaMemcpyHostToDevice));
  SHOW(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, host, variable, 8, 8, cudaMemcpyDeviceToHost));
  cudaMemsetParams fill{};
  fill.dst = data;
  fill.elementSize = 4;
  fill.value = 7;
  fill.width = 1;
  fill.height = 1;
  SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  cudaMemsetParams set{};
  SHOW(cudaGraphMemsetNodeGetParams(node, &set));
  VALUE(set.value);
  VALUE(set.elementSize);
  for (const unsigned size : {0u, 1u, 2u, 3u, 8u}) {
    fill.elementSize = size;
    SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  }
  fill.elementSize = 4;
  fill.width = 0;
  SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  fill.width = 2;
  fill.height = 2;
  fill.pitch = 4;
  SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  fill.height = 1;
  fill.dst = nullptr;
  SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  fill.dst = reinterpret_cast<char*>(data) + 1;
  SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  fill.dst = data;
  fill.width = 1 << 30;
  SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  SHOW(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, nullptr));
  cudaGraphDestroy(graph);
}

void changes() {
  cudaMemset(data, 0, 4);
  cudaGraph_t graph = nullptr, copy = nullptr, child = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr, empty = nullptr, found = nullptr;
  cudaKernelNodeParams params = kernel_params(arguments);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  cudaGraphAddEmptyNode(&empty, graph, &node, 1);
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  one = 10;
  SHOW(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  SHOW(cudaGraphExecKernelNodeSetParams(exec, empty, &params));
  params.blockDim.x = 2000;
  SHOW(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  params.blockDim.x = 1;
  SHOW(cudaGraphLaunch(exec, nullptr));
  VALUE(value());
  one = 100;
  SHOW(cudaGraphKernelNodeSetParams(node, &params));
  SHOW(cudaGraphLaunch(exec, nullptr));
  VALUE(value());
  SHOW(cudaGraphClone(&copy, graph));
  SHOW(cudaGraphNodeFindInClone(&found, node, copy));
  VALUE(found != nullptr && found != node);
  SHOW(cudaGraphNodeFindInClone(&found, node, graph));
  SHOW(cudaGraphExecKernelNodeSetParams(exec, found, &params));
  cudaGraphExecUpdateResultInfo result{};
  SHOW(cudaGraphExecUpdate(exec, copy, &result));
  VALUE(result.result);
  SHOW(cudaGraphLaunch(exec, nullptr));
  VALUE(value());
  cudaGraphNode_t extra = nullptr;
  SHOW(cudaGraphAddEmptyNode(&extra, copy, nullptr, 0));
  SHOW(cudaGraphExecUpdate(exec, copy, &result));
  VALUE(result.result);
  SHOW(cudaGraphExecUpdate(exec, nullptr, &result));
  unsigned enabled = 7;
  SHOW(cudaGraphNodeGetEnabled(exec, node, &enabled));
  VALUE(enabled);
  SHOW(cudaGraphNodeSetEnabled(exec, node, 0));
  SHOW(cudaGraphNodeSetEnabled(exec, empty, 0));
  SHOW(cudaGraphLaunch(exec, nullptr));
  VALUE(value());
  SHOW(cudaGraphNodeSetEnabled(exec, node, 1));
  cudaGraphNode_t child_node = nullptr;
  SHOW(cudaGraphCreate(&child, 0));
  SHOW(cudaGraphAddChildGraphNode(&child_node, child, nullptr, 0, graph));
  SHOW(cudaGraphAddChildGraphNode(&found, child, nullptr, 0, nullptr));
  cudaGraph_t inner = nullptr;
  SHOW(cudaGraphChildGraphNodeGetGraph(child_node, &inner));
  VALUE(inner != nullptr && inner != graph);
  VALUE(nodes_of(inner));
  cudaGraphExec_t exec_of_child = nullptr;
  SHOW(cudaGraphInstantiate(&exec_of_child, child, 0));
  SHOW(cudaGraphLaunch(exec_of_child, nullptr));
  VALUE(value());
  cudaEvent_t event = new_event();
  SHOW(cudaGraphAddEventRecordNode(&found, child, &child_node, 1, event));
  SHOW(cudaGraphAddEventWaitNode(&found, child, nullptr, 0, event));
  SHOW(cudaGraphAddEventRecordNode(&found, child, nullptr, 0, nullptr));
  // A kernel node whose kernel, or an exec's whose type, changes.
  cudaGraph_t different = nullptr;
  cudaGraphCreate(&different, 0);
  cudaGraphAddEmptyNode(&found, different, nullptr, 0);
  cudaGraphAddKernelNode(&node, different, &found, 1, &params);
  SHOW(cudaGraphExecUpdate(exec, different, &result));
  VALUE(result.result);
}

void graphs_in_captures() {
  cudaMemset(data, 0, 4);
  cudaGraph_t graph = nullptr, outer = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStream_t inner = capturing();
  one = 1;
  launch(inner);
  SHOW(cudaStreamEndCapture(inner, &graph));
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t stream = capturing();
  SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaGraphUpload(exec, inner));
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaStreamEndCapture(stream, &outer));
  VALUE(nodes_of(outer));
  cudaGraphNode_t node = nullptr;
  std::size_t count = 1;
  cudaGraphGetNodes(outer, &node, &count);
  cudaGraphNodeType type{};
  SHOW(cudaGraphNodeGetType(node, &type));
  VALUE(type);
  SHOW(cudaGraphInstantiate(&exec, outer, 0));
  SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaStreamSynchronize(stream));
  VALUE(value());
  {
    cudaStream_t blocking = capturing(cudaStreamCaptureModeGlobal, cudaStreamDefault);
    SHOW(cudaGraphLaunch(exec, nullptr));
    end(blocking);
  }
  {
    cudaStream_t with_info = capturing();
    cudaStreamCaptureStatus status{};
    unsigned long long id = 0;
    cudaGraph_t of_capture = nullptr;
    const cudaGraphNode_t* leading = nullptr;
    std::size_t leading_count = 0;
    launch(with_info);
#if CUDART_VERSION >= 13000
    SHOW(cudaStreamGetCaptureInfo(with_info, &status, &id, &of_capture, &leading, nullptr, &leading_count));
#else
    SHOW(cudaStreamGetCaptureInfo_v2(with_info, &status, &id, &of_capture, &leading, &leading_count));
#endif
    VALUE(status);
    VALUE(id != 0);
    VALUE(nodes_of(of_capture));
    VALUE(leading_count);
    end(with_info);
  }
}

void uploaded_graphs_in_captures() {
  cudaMemset(data, 0, 4);
  cudaGraph_t graph = nullptr, outer = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node = nullptr;
  one = 1;
  cudaKernelNodeParams params = kernel_params(arguments);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t stream = new_stream();
  SHOW(cudaGraphUpload(exec, stream));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SHOW(cudaGraphLaunch(exec, stream));
  end(stream);
  SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  SHOW(cudaGraphLaunch(exec, stream));
  VALUE(status_of(stream));
  SHOW(cudaStreamEndCapture(stream, &outer));
  VALUE(nodes_of(outer));
  std::size_t count = 1;
  cudaGraphNodeType type{};
  if (outer != nullptr) cudaGraphGetNodes(outer, &node, &count);
  SHOW(cudaGraphNodeGetType(node, &type));
  VALUE(type);
  cudaGraphExec_t exec_of_outer = nullptr;
  SHOW(cudaGraphInstantiate(&exec_of_outer, outer, 0));
  SHOW(cudaGraphLaunch(exec_of_outer, stream));
  SHOW(cudaStreamSynchronize(stream));
  VALUE(value());
  EACH(cudaGraphInstantiate(&exec, graph, 0));
  EACH(cudaGraphCreate(&outer, 0));
  EACH(cudaGraphUpload(exec, stream));
  EACH(cudaGraphUpload(exec, nullptr));
  EACH(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  EACH(cudaGraphExecDestroy(nullptr));
  EACH(cudaGraphLaunch(exec, stream));
  EACH(cudaGraphLaunch(exec, nullptr));
}

void events_after_a_capture() {
  cudaEvent_t in = new_event();
  cudaStream_t outside = new_stream();
  for (const bool destroys : {false, true}) {
    cudaStream_t stream = capturing();
    launch(stream);
    SHOW(cudaEventRecord(in, stream));
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamEndCapture(stream, &graph));
    if (destroys) SHOW(cudaGraphDestroy(graph));
    SHOW(cudaEventQuery(in));
    SHOW(cudaEventSynchronize(in));
    SHOW(cudaStreamWaitEvent(outside, in));
    SHOW(cudaEventRecord(in, outside));
    SHOW(cudaEventQuery(in));
  }
  cudaStream_t stream = capturing(), second = new_stream();
  SHOW(cudaStreamWaitEvent(stream, new_event(), cudaEventWaitExternal));
  VALUE(status_of(stream));
  launch(stream);
  SHOW(cudaEventRecord(in, stream));
  SHOW(cudaStreamWaitEvent(second, in));
  SHOW(cudaEventRecord(in, second));
  SHOW(cudaStreamWaitEvent(stream, in));
  cudaGraph_t graph = nullptr;
  SHOW(cudaStreamEndCapture(stream, &graph));
  VALUE(nodes_of(graph));
  // The origin is destroyed, and what joined it goes on.
  stream = capturing();
  launch(stream);
  cudaEventRecord(in, stream);
  SHOW(cudaStreamWaitEvent(second, in));
  SHOW(cudaStreamDestroy(stream));
  VALUE(status_of(second));
  SHOW(cudaStreamEndCapture(second, &graph));
}

#if CUDART_VERSION >= 13000
cudaError_t add_any(cudaGraphNode_t* node, cudaGraph_t graph, const std::vector<cudaGraphNode_t>& before,
                    cudaGraphNodeParams* params) {
  return cudaGraphAddNode(node, graph, before.data(), nullptr, before.size(), params);
}

void nodes_of_any_type() {
  cudaMemset(data, 0, 4);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t fill = nullptr, kernel = nullptr, host = nullptr, empty = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = data;
  params.memset.elementSize = 4;
  params.memset.value = 5;
  params.memset.width = 1;
  params.memset.height = 1;
  SHOW(add_any(&fill, graph, {}, &params));
  params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(add);
  params.kernel.gridDim = params.kernel.blockDim = {1, 1, 1};
  params.kernel.kernelParams = arguments;
  one = 3;
  SHOW(add_any(&kernel, graph, {fill}, &params));
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaGraphLaunch(exec, nullptr));
  VALUE(value());
  one = 4;
  SHOW(cudaGraphExecNodeSetParams(exec, kernel, &params));
  SHOW(cudaGraphExecNodeSetParams(exec, fill, &params));
  SHOW(cudaGraphLaunch(exec, nullptr));
  VALUE(value());
  SHOW(cudaGraphNodeSetParams(kernel, &params));
  SHOW(cudaGraphNodeSetParams(fill, &params));
  params = {};
  params.type = cudaGraphNodeTypeHost;
  SHOW(add_any(&host, graph, {kernel}, &params));
  params.host.fn = nothing;
  SHOW(add_any(&host, graph, {kernel}, &params));
  params = {};
  params.type = cudaGraphNodeTypeEmpty;
  SHOW(add_any(&empty, graph, {kernel, host}, &params));
  SHOW(add_any(&empty, graph, {kernel, kernel}, &params));
  VALUE(nodes_of(graph));
}
#endif

const Case cases[] = {
    {"capture-and-launch", capture_and_launch},
    {"begin-and-end", begin_and_end},
    {"synchronous-calls", synchronous_calls},
    {"calls-that-become-nodes", calls_that_become_nodes},
    {"events-of-a-capture", events_of_a_capture},
    {"forks-and-joins", forks_and_joins},
    {"threads", threads},
    {"explicit-nodes", explicit_nodes},
    {"edges", edges},
    {"copies-and-fills", copies_and_fills},
    {"changes", changes},
    {"graphs-in-captures", graphs_in_captures},
    {"uploaded-graphs-in-captures", uploaded_graphs_in_captures},
    {"events-after-a-capture", events_after_a_capture},
#if CUDART_VERSION >= 13000
    {"nodes-of-any-type", nodes_of_any_type},
#endif
};

}  // namespace

int main(int argc, char** argv) { return run_case(cases, argc, argv); }
