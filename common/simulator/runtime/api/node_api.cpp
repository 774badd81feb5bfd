// SPDX-License-Identifier: MIT
// The nodes of graphs: creation, queries of parameters, and new parameters. The last applies to a graph or to an
// instantiated one.
#include <algorithm>

#include "runtime/api/node_calls.h"

namespace cudasim {

FlatNode* find_node(Runtime& runtime, cudaGraphExec_t handle, cudaGraphNode_t source) {
  CUgraphExec_st* const exec = runtime.graphs->find(handle);
  if (exec == nullptr || source == nullptr) return nullptr;
  const auto found = std::find_if(exec->nodes.begin(), exec->nodes.end(),
                                  [source](const FlatNode& node) { return node.source == source; });
  return found == exec->nodes.end() ? nullptr : &*found;
}

namespace {

/// Where a new node goes.
struct NewNode {
  cudaGraphNode_t* result;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;
};

/// `make` fills a step, or returns an error.
template <class Make>
cudaError_t add_node(const char* call, const NewNode& node, Make make) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    if (node.result == nullptr || !runtime.graphs->is_graph(node.graph)) return cudaErrorInvalidValue;
    if (node.dependencies == nullptr && node.count != 0) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> list;
    for (std::size_t i = 0; i < node.count; ++i) {
      cudaGraphNode_t const before = node.dependencies[i];
      const bool is_repeated = std::find(list.begin(), list.end(), before) != list.end();
      if (!runtime.graphs->is_node(before) || before->graph != node.graph || is_repeated) return cudaErrorInvalidValue;
      list.push_back(before);
    }
    Step step;
    const cudaError_t error = make(runtime, step);
    if (error == cudaSuccess) *node.result = runtime.graphs->add(node.graph, std::move(step), std::move(list));
    return error;
  });
}

/// Other parameters for a node of that kind.
template <class Kind, class Make>
cudaError_t set_node(const char* call, cudaGraphNode_t node, Make make) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    if (!runtime.graphs->is_node(node) || !std::holds_alternative<Kind>(node->step)) return cudaErrorInvalidValue;
    Step step;
    const cudaError_t error = make(runtime, step);
    if (error == cudaSuccess) runtime.graphs->set(node, std::move(step));
    return error;
  });
}

template <class Kind, class Make>
cudaError_t set_in_exec(const char* call, cudaGraphExec_t exec, cudaGraphNode_t source, Make make) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    FlatNode* const node = find_node(runtime, exec, source);
    if (node == nullptr || !std::holds_alternative<Kind>(node->step)) return cudaErrorInvalidValue;
    Step step;
    const cudaError_t error = make(runtime, step);
    if (error == cudaSuccess) node->step = std::move(step);
    return error;
  });
}

template <class Kind, class Read>
cudaError_t get_node(const char* call, cudaGraphNode_t node, const void* result, Read read) {
  return enter(call, Access::none, [&](Runtime& runtime) {
    if (result == nullptr || !runtime.graphs->is_node(node) || !std::holds_alternative<Kind>(node->step))
      return cudaErrorInvalidValue;
    read(runtime, std::get<Kind>(node->step));
    return cudaSuccess;
  });
}

/// Makes the step for parameters that have a struct in the CUDA headers.
template <class Params>
auto maker(const char* call, const Params* params) {
  return [call, params](Runtime& runtime, Step& step) { return make_step(runtime, call, params, step); };
}

auto maker_1d(const char* call, void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](Runtime& runtime, Step& step) {
    return make_step(runtime, call, CopyCall{destination, {}, source, {}, {bytes}, kind}, step);
  };
}

auto maker_of_symbol(const char* call, const void* symbol, void* memory, bool to_symbol, std::size_t bytes,
                     std::size_t offset, cudaMemcpyKind kind) {
  return [=](Runtime& runtime, Step& step) {
    CopyCall copied{};
    const cudaError_t error = copy_of_symbol(runtime, call, symbol, memory, to_symbol, bytes, offset, kind, copied);
    return error != cudaSuccess ? error : make_step(runtime, call, copied, step);
  };
}

template <class Kind>
auto maker_of_event(cudaEvent_t event) {
  return [event](Runtime& runtime, Step& step) {
    if (runtime.events.count(event) == 0) return cudaErrorInvalidValue;
    step = Kind{event};
    return cudaSuccess;
  };
}

}  // namespace
}  // namespace cudasim

using namespace cudasim;

extern "C" cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count) {
  return add_node("cudaGraphAddEmptyNode", {node, graph, dependencies, count}, [](Runtime&, Step& step) {
    step = EmptyStep{};
    return cudaSuccess;
  });
}

// Kernels.
extern "C" cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* dependencies, std::size_t count,
                                              const cudaKernelNodeParams* params) {
  return add_node("cudaGraphAddKernelNode", {node, graph, dependencies, count},
                  maker("cudaGraphAddKernelNode", params));
}
extern "C" cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  return get_node<KernelStep>("cudaGraphKernelNodeGetParams", node, params, [&](Runtime& runtime, KernelStep& step) {
    cudaError_t error = cudaSuccess;
    const KernelInfo* info = runtime.kernel_info(step.kernel.function, error);
    if (info != nullptr && info->parameter_bytes == step.parameters.size())
      node->arguments = addresses_of(*info, step.parameters);
    *params = {const_cast<void*>(step.kernel.function),         step.kernel.grid,       step.kernel.block,
               static_cast<unsigned>(step.kernel.shared_bytes), node->arguments.data(), nullptr};
  });
}
extern "C" cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return set_node<KernelStep>("cudaGraphKernelNodeSetParams", node, maker("cudaGraphKernelNodeSetParams", params));
}
extern "C" cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const cudaKernelNodeParams* params) {
  return set_in_exec<KernelStep>("cudaGraphExecKernelNodeSetParams", exec, node,
                                 maker("cudaGraphExecKernelNodeSetParams", params));
}

// Copies.
extern "C" cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* dependencies, std::size_t count,
                                              const cudaMemcpy3DParms* params) {
  return add_node("cudaGraphAddMemcpyNode", {node, graph, dependencies, count},
                  maker("cudaGraphAddMemcpyNode", params));
}
extern "C" cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* dependencies, std::size_t count,
                                                void* destination, const void* source, std::size_t bytes,
                                                cudaMemcpyKind kind) {
  return add_node("cudaGraphAddMemcpyNode1D", {node, graph, dependencies, count},
                  maker_1d("cudaGraphAddMemcpyNode1D", destination, source, bytes, kind));
}
extern "C" cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                      const cudaGraphNode_t* dependencies, std::size_t count,
                                                      const void* symbol, const void* source, std::size_t bytes,
                                                      std::size_t offset, cudaMemcpyKind kind) {
  return add_node(
      "cudaGraphAddMemcpyNodeToSymbol", {node, graph, dependencies, count},
      maker_of_symbol("cudaGraphAddMemcpyNodeToSymbol", symbol, const_cast<void*>(source), true, bytes, offset, kind));
}
extern "C" cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                                        void* destination, const void* symbol, std::size_t bytes,
                                                        std::size_t offset, cudaMemcpyKind kind) {
  return add_node("cudaGraphAddMemcpyNodeFromSymbol", {node, graph, dependencies, count},
                  maker_of_symbol("cudaGraphAddMemcpyNodeFromSymbol", symbol, destination, false, bytes, offset, kind));
}
extern "C" cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
  return get_node<CopyStep>("cudaGraphMemcpyNodeGetParams", node, params,
                            [&](Runtime&, const CopyStep& step) { *params = step.shown; });
}
extern "C" cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  return set_node<CopyStep>("cudaGraphMemcpyNodeSetParams", node, maker("cudaGraphMemcpyNodeSetParams", params));
}
extern "C" cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination, const void* source,
                                                      std::size_t bytes, cudaMemcpyKind kind) {
  return set_node<CopyStep>("cudaGraphMemcpyNodeSetParams1D", node,
                            maker_1d("cudaGraphMemcpyNodeSetParams1D", destination, source, bytes, kind));
}
extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const cudaMemcpy3DParms* params) {
  return set_in_exec<CopyStep>("cudaGraphExecMemcpyNodeSetParams", exec, node,
                               maker("cudaGraphExecMemcpyNodeSetParams", params));
}
extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* destination,
                                                          const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  return set_in_exec<CopyStep>("cudaGraphExecMemcpyNodeSetParams1D", exec, node,
                               maker_1d("cudaGraphExecMemcpyNodeSetParams1D", destination, source, bytes, kind));
}

// Fills.
extern "C" cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* dependencies, std::size_t count,
                                              const cudaMemsetParams* params) {
  return add_node("cudaGraphAddMemsetNode", {node, graph, dependencies, count},
                  maker("cudaGraphAddMemsetNode", params));
}
extern "C" cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
  return get_node<FillStep>("cudaGraphMemsetNodeGetParams", node, params,
                            [&](Runtime&, const FillStep& step) { *params = step.shown; });
}
extern "C" cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
  return set_node<FillStep>("cudaGraphMemsetNodeSetParams", node, maker("cudaGraphMemsetNodeSetParams", params));
}
extern "C" cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const cudaMemsetParams* params) {
  return set_in_exec<FillStep>("cudaGraphExecMemsetNodeSetParams", exec, node,
                               maker("cudaGraphExecMemsetNodeSetParams", params));
}

// Functions of the host.
extern "C" cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, std::size_t count,
                                            const cudaHostNodeParams* params) {
  return add_node("cudaGraphAddHostNode", {node, graph, dependencies, count}, maker("cudaGraphAddHostNode", params));
}
extern "C" cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
  return get_node<HostStep>("cudaGraphHostNodeGetParams", node, params, [&](Runtime&, const HostStep& step) {
    params->fn = step.function;
    params->userData = step.data;
  });
}
extern "C" cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
  return set_node<HostStep>("cudaGraphHostNodeSetParams", node, maker("cudaGraphHostNodeSetParams", params));
}
extern "C" cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      const cudaHostNodeParams* params) {
  return set_in_exec<HostStep>("cudaGraphExecHostNodeSetParams", exec, node,
                               maker("cudaGraphExecHostNodeSetParams", params));
}

// Graphs within graphs.
extern "C" cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, std::size_t count,
                                                  cudaGraph_t inner) {
  return add_node("cudaGraphAddChildGraphNode", {node, graph, dependencies, count}, [&](Runtime& runtime, Step& step) {
    if (!runtime.graphs->is_graph(inner) || inner == graph) return cudaErrorInvalidValue;
    if (has_memory_nodes(*inner))
      return complain("cudaGraphAddChildGraphNode",
                      "a graph with nodes that allocate or free memory cannot be within another one",
                      cudaErrorNotSupported);
    cudaGraph_t const copy = runtime.graphs->copy(inner);
    copy->is_inner = true;
    step = GraphStep{copy};
    return cudaSuccess;
  });
}
extern "C" cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return get_node<GraphStep>("cudaGraphChildGraphNodeGetGraph", node, graph,
                             [&](Runtime&, const GraphStep& step) { *graph = step.graph; });
}

// Events.
extern "C" cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                                   cudaEvent_t event) {
  return add_node("cudaGraphAddEventRecordNode", {node, graph, dependencies, count}, maker_of_event<RecordStep>(event));
}
extern "C" cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                                 cudaEvent_t event) {
  return add_node("cudaGraphAddEventWaitNode", {node, graph, dependencies, count}, maker_of_event<WaitStep>(event));
}
extern "C" cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_node<RecordStep>("cudaGraphEventRecordNodeGetEvent", node, event,
                              [&](Runtime&, const RecordStep& step) { *event = step.event; });
}
extern "C" cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_node<WaitStep>("cudaGraphEventWaitNodeGetEvent", node, event,
                            [&](Runtime&, const WaitStep& step) { *event = step.event; });
}
extern "C" cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_node<RecordStep>("cudaGraphEventRecordNodeSetEvent", node, maker_of_event<RecordStep>(event));
}
extern "C" cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_node<WaitStep>("cudaGraphEventWaitNodeSetEvent", node, maker_of_event<WaitStep>(event));
}
extern "C" cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                            cudaEvent_t event) {
  return set_in_exec<RecordStep>("cudaGraphExecEventRecordNodeSetEvent", exec, node, maker_of_event<RecordStep>(event));
}
extern "C" cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                          cudaEvent_t event) {
  return set_in_exec<WaitStep>("cudaGraphExecEventWaitNodeSetEvent", exec, node, maker_of_event<WaitStep>(event));
}

// Memory.
extern "C" cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* dependencies, std::size_t count,
                                                cudaMemAllocNodeParams* params) {
  return add_node("cudaGraphAddMemAllocNode", {node, graph, dependencies, count}, [&](Runtime& runtime, Step& step) {
    AllocStep made;
    const cudaError_t error = make_alloc_step(runtime, "cudaGraphAddMemAllocNode", params, made);
    step = std::move(made);
    return error;
  });
}
extern "C" cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return get_node<AllocStep>("cudaGraphMemAllocNodeGetParams", node, params,
                             [&](Runtime&, const AllocStep& step) { *params = step.memory->shown; });
}
extern "C" cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, std::size_t count, void* pointer) {
  return add_node("cudaGraphAddMemFreeNode", {node, graph, dependencies, count}, [&](Runtime& runtime, Step& step) {
    FreeStep made;
    const cudaError_t error = make_free_step(runtime, "cudaGraphAddMemFreeNode", graph, pointer, made);
    step = std::move(made);
    return error;
  });
}
extern "C" cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return get_node<FreeStep>("cudaGraphMemFreeNodeGetParams", node, pointer, [&](Runtime&, const FreeStep& step) {
    *static_cast<std::uint64_t*>(pointer) = step.memory->address;
  });
}
