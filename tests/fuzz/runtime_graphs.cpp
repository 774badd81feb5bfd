// SPDX-License-Identifier: MIT
// Calls of graphs, stream capture and memory pools.
#include <algorithm>

#include "runtime_state.h"

namespace runtime_calls {

namespace {

void host_function(void*) {}

/// A list of nodes that a new one depends on, good or not.
struct Dependencies {
  explicit Dependencies(State& s) : count(s.bytes.byte() % 4) {
    for (cudaGraphNode_t& node : list) node = s.handle(s.nodes);
  }
  cudaGraphNode_t list[4];
  std::size_t count;
};

cudaKernelNodeParams kernel_params(State& s, Arguments& arguments) {
  cudaKernelNodeParams params{};
  params.func = const_cast<void*>(s.kernel());
  params.gridDim = s.extent(true);
  params.blockDim = s.extent(false);
  params.sharedMemBytes = s.bytes.flip() ? 0 : s.bytes.word();
  params.kernelParams = s.perhaps(arguments.addresses);
  return params;
}

cudaMemsetParams fill_params(State& s) {
  cudaMemsetParams params{};
  params.dst = s.device();
  params.elementSize = s.bytes.byte() % 6;
  params.value = s.bytes.byte();
  params.pitch = s.bytes.size();
  params.width = s.bytes.size();
  params.height = s.bytes.byte() % 4 == 0 ? s.bytes.size() : 1;
  return params;
}

void add_node(State& s) {
  cudaGraphNode_t* const node = s.perhaps(&s.slot(s.nodes));
  cudaGraph_t const graph = s.handle(s.graphs);
  const Dependencies before(s);
  const cudaGraphNode_t* const list = s.perhaps(before.list);
  switch (s.bytes.byte() % 10) {
    case 0:
    case 1: {
      Arguments arguments(s);
      const cudaKernelNodeParams params = kernel_params(s, arguments);
      call(cudaGraphAddKernelNode, {node, graph, list, before.count, s.perhaps(&params)});
      break;
    }
    case 2: {
      const cudaMemsetParams params = fill_params(s);
      call(cudaGraphAddMemsetNode, {node, graph, list, before.count, s.perhaps(&params)});
      break;
    }
    case 3:
      call(cudaGraphAddMemcpyNode1D,
           {node, graph, list, before.count, s.device(), host_memory[0], s.bytes.word(), s.kind()});
      break;
    case 4:
      call(cudaGraphAddMemcpyNode1D,
           {node, graph, list, before.count, s.device(), s.device(), s.bytes.size(), s.kind()});
      break;
    case 5: {
      const cudaHostNodeParams params{s.perhaps(&host_function), nullptr};
      call(cudaGraphAddHostNode, {node, graph, list, before.count, s.perhaps(&params)});
      break;
    }
    case 6:
      call(cudaGraphAddEmptyNode, {node, graph, list, before.count});
      break;
    case 7: {
      // What is in itself doubles with each call: no more than a few hundred nodes.
      cudaGraph_t const inner = s.handle(s.graphs);
      std::size_t count = 0;
      if (cudaGraphGetNodes(inner, nullptr, &count) == cudaSuccess && count > 8) break;
      if (s.graphs_within++ < 8) call(cudaGraphAddChildGraphNode, {node, graph, list, before.count, inner});
      break;
    }
    case 8:
      call(cudaGraphAddEventRecordNode, {node, graph, list, before.count, s.handle(s.events)});
      break;
    case 9:
      call(cudaGraphAddEventWaitNode, {node, graph, list, before.count, s.handle(s.events)});
      break;
  }
}

void ask_node(State& s) {
  cudaGraphNode_t const node = s.handle(s.nodes);
  cudaGraphExec_t const exec = s.handle(s.execs);
  Arguments arguments(s);
  cudaKernelNodeParams kernel = kernel_params(s, arguments);
  cudaMemsetParams fill = fill_params(s);
  cudaMemcpy3DParms copied{};
  cudaHostNodeParams host{};
  cudaGraphNodeType type{};
  unsigned enabled = 0;
  cudaGraph_t inner = nullptr;
  switch (s.bytes.byte() % 13) {
    case 0:
      call(cudaGraphKernelNodeGetParams, {node, s.perhaps(&kernel)});
      break;
    case 1:
      call(cudaGraphKernelNodeSetParams, {node, s.perhaps(&kernel)});
      break;
    case 2:
      call(cudaGraphExecKernelNodeSetParams, {exec, node, s.perhaps(&kernel)});
      break;
    case 3:
      call(cudaGraphMemsetNodeSetParams, {node, s.perhaps(&fill)});
      break;
    case 4:
      call(cudaGraphExecMemsetNodeSetParams, {exec, node, s.perhaps(&fill)});
      break;
    case 5:
      call(cudaGraphMemcpyNodeGetParams, {node, s.perhaps(&copied)});
      break;
    case 6:
      call(cudaGraphExecMemcpyNodeSetParams1D, {exec, node, s.device(), s.device(), s.bytes.size(), s.kind()});
      break;
    case 7:
      call(cudaGraphHostNodeGetParams, {node, s.perhaps(&host)});
      break;
    case 8:
      call(cudaGraphNodeGetType, {node, s.perhaps(&type)});
      break;
    case 9:
      call(cudaGraphNodeSetEnabled, {exec, node, s.bytes.byte() % 2});
      break;
    case 10:
      call(cudaGraphNodeGetEnabled, {exec, node, s.perhaps(&enabled)});
      break;
    case 11:
      if (cudaGraphChildGraphNodeGetGraph(node, s.perhaps(&inner)) == cudaSuccess) s.slot(s.graphs) = inner;
      break;
    case 12:
      call(cudaGraphDestroyNode, {node});
      break;
  }
}

}  // namespace

void graphs(State& s) {
  cudaGraph_t const graph = s.handle(s.graphs);
  cudaGraphExec_t const exec = s.handle(s.execs);
  cudaGraphNode_t from = s.handle(s.nodes), to = s.handle(s.nodes);
  cudaGraphNode_t list[8] = {}, others[8] = {};
  std::size_t count = s.bytes.byte() % 9;
  switch (s.bytes.byte() % 20) {
    case 0:
      call(cudaGraphCreate, {s.perhaps(&s.slot(s.graphs)), s.bytes.byte() % 8 == 7 ? 1u : 0u});
      break;
    case 1:
      call(cudaGraphDestroy, {graph});
      break;
    case 2:
    case 3:
    case 4:
    case 5:
      add_node(s);
      break;
    case 6:
    case 7:
      ask_node(s);
      break;
    case 8:
#if CUDART_VERSION >= 13000
      call(cudaGraphAddDependencies, {graph, s.perhaps(&from), s.perhaps(&to), nullptr, s.bytes.byte() % 2});
#endif
      break;
    case 9:
#if CUDART_VERSION >= 13000
      call(cudaGraphRemoveDependencies, {graph, s.perhaps(&from), s.perhaps(&to), nullptr, s.bytes.byte() % 2});
#endif
      break;
    case 10:
      call(cudaGraphGetNodes, {graph, s.perhaps(list), s.perhaps(&count)});
      if (count != 0 && count <= 8) s.slot(s.nodes) = list[count - 1];
      break;
    case 11:
#if CUDART_VERSION >= 13000
      call(cudaGraphGetEdges, {graph, s.perhaps(list), s.perhaps(others), nullptr, s.perhaps(&count)});
#endif
      break;
    case 12:
      call(cudaGraphGetRootNodes, {graph, s.perhaps(list), s.perhaps(&count)});
      break;
    case 13:
      call(cudaGraphClone, {s.perhaps(&s.slot(s.graphs)), graph});
      break;
    case 14:
      call(cudaGraphNodeFindInClone, {s.perhaps(&s.slot(s.nodes)), from, graph});
      break;
    case 15:
      call(cudaGraphInstantiate, {s.perhaps(&s.slot(s.execs)), graph, s.bytes.byte() % 4 == 3 ? s.bytes.byte() : 0});
      break;
    case 16:
    case 17:
      call(cudaGraphLaunch, {exec, s.stream()});
      break;
    case 18:
      call(cudaGraphExecDestroy, {exec});
      break;
    case 19: {
      cudaGraphExecUpdateResultInfo result{};
      call(cudaGraphExecUpdate, {exec, graph, s.perhaps(&result)});
      break;
    }
  }
}

void captures(State& s) {
  const cudaStream_t stream = s.stream();
  cudaStreamCaptureStatus status{};
  switch (s.bytes.byte() % 8) {
    case 0:
    case 1:
      call(cudaStreamBeginCapture, {stream, static_cast<cudaStreamCaptureMode>(s.bytes.byte() % 4)});
      break;
    case 2:
    case 3:
      call(cudaStreamEndCapture, {stream, s.perhaps(&s.slot(s.graphs))});
      break;
    case 4: {
      unsigned long long id = 0;
      cudaGraph_t* const graph = s.perhaps(&s.slot(s.graphs));
      const cudaGraphNode_t* leading = nullptr;
      std::size_t count = 0;
#if CUDART_VERSION >= 13000
      call(cudaStreamGetCaptureInfo, {stream, s.perhaps(&status), &id, graph, &leading, nullptr, &count});
#else
      call(cudaStreamGetCaptureInfo_v2, {stream, s.perhaps(&status), &id, graph, &leading, &count});
#endif
      if (leading != nullptr && count != 0) s.slot(s.nodes) = leading[0];
      break;
    }
    case 5:
      call(cudaEventRecordWithFlags, {s.handle(s.events), stream, s.bytes.byte() % 2});
      break;
    case 6:
      call(cudaStreamWaitEvent, {stream, s.handle(s.events), s.bytes.byte() % 2});
      break;
    case 7: {
      cudaStreamCaptureMode mode = static_cast<cudaStreamCaptureMode>(s.bytes.byte() % 4);
      call(cudaThreadExchangeStreamCaptureMode, {s.perhaps(&mode)});
      break;
    }
  }
}

void pools(State& s) {
  const cudaMemPool_t pool = s.handle(s.pools);
  std::uint64_t value[2] = {};
  switch (s.bytes.byte() % 9) {
    case 0:
    case 1: {
      cudaMemPoolProps props{};
      props.allocType = s.bytes.byte() % 8 == 7 ? cudaMemAllocationTypeInvalid : cudaMemAllocationTypePinned;
      props.location.type = cudaMemLocationTypeDevice;
      props.location.id = s.bytes.byte() % 8 == 7 ? 1 : 0;
      props.maxSize = s.bytes.flip() ? s.bytes.size() : 0;
      call(cudaMemPoolCreate, {s.perhaps(&s.slot(s.pools)), s.perhaps(&props)});
      break;
    }
    case 2:
      call(cudaMemPoolDestroy, {pool});
      break;
    case 3:
      call(cudaMallocFromPoolAsync, {s.perhaps(&s.slot(s.memory)), s.bytes.size(), pool, s.stream()});
      break;
    case 4:
      call(cudaMemPoolSetAttribute, {pool, static_cast<cudaMemPoolAttr>(s.bytes.byte() % 12), s.perhaps(value)});
      break;
    case 5:
      call(cudaMemPoolGetAttribute, {pool, static_cast<cudaMemPoolAttr>(s.bytes.byte() % 12), s.perhaps(value)});
      break;
    case 6:
      call(cudaDeviceSetMemPool, {s.bytes.byte() % 8 == 7 ? 1 : 0, pool});
      break;
    case 7:
      call(cudaMemPoolTrimTo, {pool, s.bytes.size()});
      break;
    case 8: {
      cudaMemAccessDesc access{};
      access.location.type = cudaMemLocationTypeDevice;
      access.location.id = s.bytes.byte() % 8 == 7 ? 1 : 0;
      access.flags = static_cast<cudaMemAccessFlags>(s.bytes.byte() % 4);
      call(cudaMemPoolSetAccess, {pool, s.perhaps(&access), 1});
      break;
    }
  }
}

}  // namespace runtime_calls
