// SPDX-License-Identifier: MIT
// What the calls of graphs and of stream capture return, above all where they are used wrongly.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "graph_captures.h"
#include "graph_nodes.h"
#include "recorded.h"

namespace {

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
