// SPDX-License-Identifier: MIT
// Cases of graph_errors.cu: nodes, edges and changes of graphs.
#pragma once

#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#include "graph_captures.h"
#include "recorded.h"

namespace {

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

}  // namespace
