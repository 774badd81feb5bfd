// SPDX-License-Identifier: MIT
// Calls of graphs in the driver API, and those of both APIs about memory that graphs allocate.
#include "runtime_state.h"

namespace runtime_calls {

namespace {

template <class... Parameters>
void call(CUresult (*function)(Parameters...), const std::tuple<std::common_type_t<Parameters>...>& arguments) {
  std::apply(function, arguments);
}

void host_function(void*) {}

CUdeviceptr address(State& s) { return reinterpret_cast<CUdeviceptr>(s.device()); }

}  // namespace

void graph_memory(State& s) {
  cudaGraphNode_t* const node = s.perhaps(&s.slot(s.nodes));
  cudaGraphNode_t const before = s.handle(s.nodes);
  cudaGraph_t const graph = s.handle(s.graphs);
  const std::size_t count = before == nullptr ? 0 : s.bytes.byte() % 2;
  cudaMemAllocNodeParams params{};
  std::uint64_t value = s.bytes.byte() % 2;
  void* pointer = nullptr;
  switch (s.bytes.byte() % 9) {
    case 0:
    case 1:
      params.poolProps.allocType = s.bytes.byte() % 8 == 7 ? cudaMemAllocationTypeInvalid : cudaMemAllocationTypePinned;
      params.poolProps.location.type = cudaMemLocationTypeDevice;
      params.poolProps.location.id = s.bytes.byte() % 8 == 7 ? 1 : 0;
      params.bytesize = s.bytes.size();
      if (cudaGraphAddMemAllocNode(node, graph, s.perhaps(&before), count, s.perhaps(&params)) == cudaSuccess)
        s.slot(s.memory) = params.dptr;
      break;
    case 2:
    case 3:
      call(cuGraphAddMemFreeNode, {node, graph, s.perhaps(&before), count, address(s)});
      break;
    case 4:
      call(cuGraphMemAllocNodeGetParams, {before, reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS*>(s.perhaps(&params))});
      break;
    case 5:
      if (cudaGraphMemFreeNodeGetParams(before, s.perhaps(&pointer)) == cudaSuccess) s.slot(s.memory) = pointer;
      break;
    case 6:
      call(cuDeviceGetGraphMemAttribute, {0, static_cast<CUgraphMem_attribute>(s.bytes.byte() % 4), s.perhaps(&value)});
      break;
    case 7:
      call(cuDeviceSetGraphMemAttribute, {0, static_cast<CUgraphMem_attribute>(s.bytes.byte() % 4), s.perhaps(&value)});
      break;
    case 8:
      call(cuGraphAddMemAllocNode, {node, graph, s.perhaps(&before), count, nullptr});
      break;
  }
}

void driver_graphs(State& s) {
  cuInit(0);
  CUgraphNode* const node = s.perhaps(&s.slot(s.nodes));
  CUgraphNode before = s.handle(s.nodes), list[8] = {};
  CUgraph const graph = s.handle(s.graphs), inner = s.handle(s.graphs);
  CUgraphExec const exec = s.handle(s.execs);
  std::size_t count = before == nullptr ? 0 : s.bytes.byte() % 2;
  CUgraphNodeType type{};
  switch (s.bytes.byte() % 12) {
    case 0: {
      void* arguments[] = {&count, &count, &count, &count};
      CUDA_KERNEL_NODE_PARAMS params{};
      params.func = s.handle(s.functions);
      params.gridDimX = params.gridDimY = params.gridDimZ = 1;
      params.blockDimX = s.bytes.word();
      params.blockDimY = params.blockDimZ = 1;
      params.kernelParams = s.perhaps(arguments);
      call(cuGraphAddKernelNode, {node, graph, s.perhaps(&before), count, s.perhaps(&params)});
      break;
    }
    case 1: {
      CUDA_MEMSET_NODE_PARAMS params{address(s), s.bytes.size(), s.bytes.byte(), s.bytes.byte() % 6, s.bytes.size(), 1};
      call(cuGraphAddMemsetNode, {node, graph, s.perhaps(&before), count, s.perhaps(&params), nullptr});
      break;
    }
    case 2: {
      CUDA_HOST_NODE_PARAMS params{s.perhaps(&host_function), nullptr};
      call(cuGraphAddHostNode, {node, graph, s.perhaps(&before), count, s.perhaps(&params)});
      break;
    }
    case 3: {
      // As in graphs(): what is in itself doubles with each call.
      std::size_t nodes = 0;
      if (cuGraphGetNodes(inner, nullptr, &nodes) == CUDA_SUCCESS && nodes > 8) break;
      if (s.graphs_within++ < 8) call(cuGraphAddChildGraphNode, {node, graph, s.perhaps(&before), count, inner});
      break;
    }
    case 4:
      call(cuGraphAddEventRecordNode, {node, graph, s.perhaps(&before), count, s.handle(s.events)});
      break;
    case 5:
      call(cuGraphInstantiateWithFlags, {s.perhaps(&s.slot(s.execs)), graph, s.bytes.byte() % 4 == 3 ? 1u : 0u});
      break;
    case 6:
    case 7:
      call(cuGraphLaunch, {exec, s.stream()});
      break;
    case 8:
      call(cuGraphExecDestroy, {exec});
      break;
    case 9:
      call(cuGraphNodeGetType, {before, s.perhaps(&type)});
      break;
    case 10:
      count = s.bytes.byte() % 9;
      call(cuGraphGetNodes, {graph, s.perhaps(list), s.perhaps(&count)});
      break;
    case 11: {
      CUDA_KERNEL_NODE_PARAMS kernel{};
      CUDA_MEMSET_NODE_PARAMS fill{};
      CUDA_HOST_NODE_PARAMS host{};
      call(cuGraphKernelNodeGetParams, {before, s.perhaps(&kernel)});
      call(cuGraphMemsetNodeGetParams, {before, s.perhaps(&fill)});
      call(cuGraphHostNodeGetParams, {before, s.perhaps(&host)});
      break;
    }
  }
}

}  // namespace runtime_calls
