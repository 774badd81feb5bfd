// SPDX-License-Identifier: MIT
// The calls that make, change, instantiate and launch graphs. The calls for the parameters of nodes are in
// node_api.cpp.
#include <algorithm>

#include "runtime/api/node_calls.h"
#include "runtime/capture.h"
#include "runtime/refusals.h"

using namespace cudasim;

namespace {

bool is_captured(const Runtime& runtime, cudaGraph_t graph) {
  const auto& open = runtime.captures->open();
  return std::any_of(open.begin(), open.end(), [graph](const auto& capture) { return capture->graph == graph; });
}

/// Fills a list for a program. `count` is the length of the list before, and the number of items after. Without a list,
/// only the number is given.
template <class Element>
cudaError_t list_out(const std::vector<Element>& found, Element* list, std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (list == nullptr) {
    *count = found.size();
    return cudaSuccess;
  }
  for (std::size_t i = 0; i < *count; ++i) list[i] = i < found.size() ? found[i] : Element{};
  *count = std::min(*count, found.size());
  return cudaSuccess;
}

struct Edges {
  std::vector<cudaGraphNode_t> from, to;
};

/// Every edge of a graph.
Edges edges_of(cudaGraph_t graph) {
  Edges edges;
  for (const auto& node : graph->nodes) {
    for (cudaGraphNode_t before : node->dependencies) {
      edges.from.push_back(before);
      edges.to.push_back(node.get());
    }
  }
  return edges;
}

cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  return enter("cudaGraphGetEdges", Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_graph(graph) || count == nullptr || (from == nullptr) != (to == nullptr))
      return cudaErrorInvalidValue;
    const Edges edges = edges_of(graph);
    std::size_t of_from = *count;
    list_out(edges.from, from, &of_from);
    return list_out(edges.to, to, count);
  });
}

cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* list, std::size_t* count) {
  return enter("cudaGraphNodeGetDependencies", Access::none, [&](Runtime& runtime) {
    return runtime.graphs->is_node(node) ? list_out(node->dependencies, list, count) : cudaErrorInvalidValue;
  });
}

cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t* list, std::size_t* count) {
  return enter("cudaGraphNodeGetDependentNodes", Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_node(node)) return cudaErrorInvalidValue;
    const Edges edges = edges_of(node->graph);
    std::vector<cudaGraphNode_t> found;
    for (std::size_t i = 0; i < edges.from.size(); ++i) {
      if (edges.from[i] == node) found.push_back(edges.to[i]);
    }
    return list_out(found, list, count);
  });
}

enum class Change { add, remove };

cudaError_t change_edges(const char* call, Change change, cudaGraph_t graph, const cudaGraphNode_t* from,
                         const cudaGraphNode_t* to, std::size_t count) {
  return enter(call, Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_graph(graph)) return cudaErrorInvalidValue;
    if (count != 0 && (from == nullptr || to == nullptr)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const bool fits = runtime.graphs->is_node(from[i]) && runtime.graphs->is_node(to[i]) && from[i] != to[i] &&
                        from[i]->graph == graph && to[i]->graph == graph;
      if (!fits) return cudaErrorInvalidValue;
      std::vector<cudaGraphNode_t>& list = to[i]->dependencies;
      const auto found = std::find(list.begin(), list.end(), from[i]);
      if ((found == list.end()) != (change == Change::add)) return cudaErrorInvalidValue;
      if (change == Change::add) {
        list.push_back(from[i]);
      } else {
        list.erase(found);
      }
    }
    return cudaSuccess;
  });
}

/// Flags that are not simulated, or that only affect speed: upload, priorities, and memory nodes' freeing at a launch.
constexpr unsigned long long kKnownFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(const char* call, cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return enter(call, Access::context, [&](Runtime& runtime) {
    if (const cudaError_t error = refuse_unsafe(runtime); error != cudaSuccess) return error;
    if (exec == nullptr || !runtime.graphs->is_graph(graph)) return cudaErrorInvalidValue;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
      return complain(call, "graphs that a kernel launches are not simulated", cudaErrorNotSupported);
    if ((flags & ~kKnownFlags) != 0) return cudaErrorInvalidValue;
    std::vector<FlatNode> nodes;
    if (!runtime.graphs->flatten(graph, nodes))
      return complain(call, "the dependencies go round in a circle", cudaErrorInvalidValue);
    for (const FlatNode& node : nodes) {
      const auto* step = std::get_if<AllocStep>(&node.step);
      if (step != nullptr && step->memory->is_instantiated)
        return complain(call, "a graph that allocates memory can be instantiated once at a time: destroy the other one",
                        cudaErrorNotSupported);
    }
    *exec = runtime.graphs->instantiate(std::move(nodes), runtime.settings().schedule);
    runtime.graphs->find(*exec)->flags = flags;
    runtime.graphs->hold_objects(*runtime.graphs->find(*exec), graph);
    ++runtime.report.streams().graphs;
    return cudaSuccess;
  });
}

/// Why the nodes of a graph cannot replace those of an instantiated one.
cudaGraphExecUpdateResult compare(const std::vector<FlatNode>& old, const std::vector<FlatNode>& fresh) {
  if (old.size() != fresh.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].step.index() != fresh[i].step.index()) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old[i].dependencies != fresh[i].dependencies) return cudaGraphExecUpdateErrorTopologyChanged;
    const auto* allocated = std::get_if<AllocStep>(&old[i].step);
    const auto* freed = std::get_if<FreeStep>(&old[i].step);
    if ((allocated != nullptr && allocated->memory != std::get<AllocStep>(fresh[i].step).memory) ||
        (freed != nullptr && freed->memory != std::get<FreeStep>(fresh[i].step).memory))
      return cudaGraphExecUpdateErrorParametersChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

/// A first step of a launch, or the next one after a function of the host.
cudaError_t launch_on(Runtime& runtime, cudaGraphExec_t handle, cudaStream_t stream, std::unique_ptr<GraphRun>& run,
                      HostStep& function) {
  if (run == nullptr) {
    CUgraphExec_st* const exec = runtime.graphs->find(handle);
    if (exec == nullptr) return cudaErrorInvalidValue;
    if (!runtime.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = refuse_captured(runtime, stream); error != cudaSuccess)
      return complain("cudaGraphLaunch", "the launch of a graph does not become a node", error);
    if (const cudaError_t error = check_graph_memory(*exec); error != cudaSuccess) return error;
    run = std::make_unique<GraphRun>(begin_run(runtime, *exec, stream));
    ++runtime.report.streams().graph_launches;
  }
  const cudaError_t error = go_on(runtime, *run, function);
  if (error != cudaSuccess || function.function != nullptr) return error;
  const StreamClock end = end_of(*run);
  // Both may have been destroyed: functions of the host have run.
  if (CUgraphExec_st* const exec = runtime.graphs->find(handle)) exec->last = end;
  if (runtime.is_stream(stream)) runtime.work.order_after(runtime.stream_name(stream), end);
  return runtime.sticky_error;
}

}  // namespace

extern "C" cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return enter("cudaGraphCreate", Access::context, [&](Runtime& runtime) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = runtime.graphs->make();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const cudaError_t error = enter("cudaGraphDestroy", Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_graph(graph) || graph->is_inner || is_captured(runtime, graph))
      return cudaErrorInvalidValue;
    runtime.graphs->destroy(graph);
    return cudaSuccess;
  });
  call_due_destructors();
  return error;
}

extern "C" cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return enter("cudaGraphClone", Access::none, [&](Runtime& runtime) {
    if (clone == nullptr || !runtime.graphs->is_graph(graph)) return cudaErrorInvalidValue;
    if (has_memory_nodes(*graph))
      return complain("cudaGraphClone", "a graph with nodes that allocate or free memory cannot be cloned",
                      cudaErrorNotSupported);
    *clone = runtime.graphs->copy(graph);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* result, cudaGraphNode_t original, cudaGraph_t clone) {
  return enter("cudaGraphNodeFindInClone", Access::none, [&](Runtime& runtime) {
    if (result == nullptr || !runtime.graphs->is_node(original) || !runtime.graphs->is_graph(clone))
      return cudaErrorInvalidValue;
    for (const auto& node : clone->nodes) {
      if (node->original != original) continue;
      *result = node.get();
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const cudaError_t error = enter("cudaGraphDestroyNode", Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_node(node) || is_captured(runtime, node->graph)) return cudaErrorInvalidValue;
    runtime.graphs->remove(node);
    return cudaSuccess;
  });
  call_due_destructors();
  return error;
}

extern "C" cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return enter("cudaGraphNodeGetType", Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_node(node) || type == nullptr) return cudaErrorInvalidValue;
    *type = static_cast<cudaGraphNodeType>(node->step.index());
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* list, std::size_t* count) {
  return enter("cudaGraphGetNodes", Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_graph(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes) found.push_back(node.get());
    return list_out(found, list, count);
  });
}

extern "C" cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* list, std::size_t* count) {
  return enter("cudaGraphGetRootNodes", Access::none, [&](Runtime& runtime) {
    if (!runtime.graphs->is_graph(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes) {
      if (node->dependencies.empty()) found.push_back(node.get());
    }
    return list_out(found, list, count);
  });
}

// From CUDA 13 on, edges have data, which have no meaning here. If a list for them is given, it is filled with zeros.
#if CUDART_VERSION >= 13000
static void clear_edge_data(cudaGraphEdgeData* data, const std::size_t* count) {
  if (data != nullptr && count != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
}
static cudaError_t refuse_edge_data(const char* call, const cudaGraphEdgeData* data, std::size_t count) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0)
      return remember(complain(call, "dependencies of a part of a kernel are not simulated", cudaErrorNotSupported));
  }
  return cudaSuccess;
}
extern "C" cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                         cudaGraphEdgeData* data, std::size_t* count) {
  const cudaError_t error = get_edges(graph, from, to, count);
  if (error == cudaSuccess && from != nullptr) clear_edge_data(data, count);
  return error;
}
extern "C" cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* list,
                                                    cudaGraphEdgeData* data, std::size_t* count) {
  const cudaError_t error = get_dependencies(node, list, count);
  if (error == cudaSuccess && list != nullptr) clear_edge_data(data, count);
  return error;
}
extern "C" cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* list,
                                                      cudaGraphEdgeData* data, std::size_t* count) {
  const cudaError_t error = get_dependents(node, list, count);
  if (error == cudaSuccess && list != nullptr) clear_edge_data(data, count);
  return error;
}
extern "C" cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                                std::size_t count) {
  const cudaError_t error = refuse_edge_data("cudaGraphAddDependencies", data, count);
  return error != cudaSuccess ? error : change_edges("cudaGraphAddDependencies", Change::add, graph, from, to, count);
}
extern "C" cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, const cudaGraphEdgeData* /*data*/,
                                                   std::size_t count) {
  return change_edges("cudaGraphRemoveDependencies", Change::remove, graph, from, to, count);
}
#else
extern "C" cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                         std::size_t* count) {
  return get_edges(graph, from, to, count);
}
extern "C" cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* list, std::size_t* count) {
  return get_dependencies(node, list, count);
}
extern "C" cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* list, std::size_t* count) {
  return get_dependents(node, list, count);
}
extern "C" cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to, std::size_t count) {
  return change_edges("cudaGraphAddDependencies", Change::add, graph, from, to, count);
}
extern "C" cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, std::size_t count) {
  return change_edges("cudaGraphRemoveDependencies", Change::remove, graph, from, to, count);
}
#endif

extern "C" cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate("cudaGraphInstantiate", exec, graph, flags);
}

extern "C" cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                     unsigned long long flags) {
  return instantiate("cudaGraphInstantiateWithFlags", exec, graph, flags);
}

extern "C" cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                      cudaGraphInstantiateParams* params) {
  if (params == nullptr) return remember(cudaErrorInvalidValue);
  const cudaError_t error = instantiate("cudaGraphInstantiateWithParams", exec, graph, params->flags);
  params->errNode_out = nullptr;
  params->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return error;
}
CUDASIM_ALIAS(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);

extern "C" cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return enter("cudaGraphExecGetFlags", Access::none, [&](Runtime& runtime) {
    const CUgraphExec_st* exec = runtime.graphs->find(handle);
    if (exec == nullptr || flags == nullptr) return cudaErrorInvalidValue;
    *flags = exec->flags;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const cudaError_t error = enter("cudaGraphExecDestroy", Access::none, [&](Runtime& runtime) {
    if (const cudaError_t error = refuse_unsafe(runtime); error != cudaSuccess) return error;
    if (runtime.graphs->find(exec) == nullptr) return cudaErrorInvalidValue;
    if (has_memory_nodes(exec->nodes)) runtime.work.run(exec->last);  // what is late needs the memory
    runtime.graphs->destroy(exec);
    return cudaSuccess;
  });
  call_due_destructors();
  return error;
}

extern "C" cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return enter("cudaGraphUpload", Access::enqueued, [&](Runtime& runtime) {
    if (runtime.graphs->find(exec) == nullptr) return cudaErrorInvalidValue;
    return runtime.is_stream(stream) ? refuse_captured(runtime, stream) : cudaErrorInvalidResourceHandle;
  });
}
CUDASIM_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);

extern "C" cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  std::unique_ptr<GraphRun> run;
  for (;;) {
    HostStep function;
    const cudaError_t error = enter("cudaGraphLaunch", Access::enqueued,
                                    [&](Runtime& runtime) { return launch_on(runtime, exec, stream, run, function); });
    if (error != cudaSuccess || function.function == nullptr) return error;
    const HostFunctionRuns runs;
    function.function(function.data);  // never under the lock
  }
}
CUDASIM_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);

extern "C" cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                           cudaGraphExecUpdateResultInfo* result) {
  return enter("cudaGraphExecUpdate", Access::context, [&](Runtime& runtime) {
    CUgraphExec_st* const exec = runtime.graphs->find(handle);
    if (result != nullptr) *result = {cudaGraphExecUpdateError, nullptr, nullptr};
    if (exec == nullptr || result == nullptr || !runtime.graphs->is_graph(graph)) return cudaErrorInvalidValue;
    std::vector<FlatNode> fresh;
    const bool is_ordered = runtime.graphs->flatten(graph, fresh);
    result->result = is_ordered ? compare(exec->nodes, fresh) : cudaGraphExecUpdateErrorTopologyChanged;
    if (result->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    for (std::size_t i = 0; i < fresh.size(); ++i) exec->nodes[i].step = std::move(fresh[i].step);
    runtime.graphs->hold_objects(*exec, graph);
    return cudaSuccess;
  });
}

static cudaError_t node_of_exec(const char* call, cudaGraphExec_t handle, cudaGraphNode_t source,
                                cudaError_t (*use)(FlatNode&, unsigned*), unsigned* value) {
  return enter(call, Access::none, [&](Runtime& runtime) {
    FlatNode* const node = find_node(runtime, handle, source);
    if (node == nullptr || value == nullptr) return cudaErrorInvalidValue;
    // The others are no work of the device.
    const bool can_be_disabled = node->step.index() <= cudaGraphNodeTypeMemset;
    return can_be_disabled ? use(*node, value) : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned is_enabled) {
  return node_of_exec(
      "cudaGraphNodeSetEnabled", exec, node,
      [](FlatNode& found, unsigned* value) {
        found.is_enabled = *value != 0;
        return cudaSuccess;
      },
      &is_enabled);
}

extern "C" cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* is_enabled) {
  return node_of_exec(
      "cudaGraphNodeGetEnabled", exec, node,
      [](FlatNode& found, unsigned* value) {
        *value = found.is_enabled ? 1 : 0;
        return cudaSuccess;
      },
      is_enabled);
}
