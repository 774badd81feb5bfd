// SPDX-License-Identifier: MIT
// The calls for nodes of every kind. Their parameters contain the kind.
#include "runtime/runtime.h"

using namespace cudasim;

#if CUDART_VERSION >= 12020
namespace {

cudaKernelNodeParams params_of(const cudaKernelNodeParamsV2& p) {
  return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
}
cudaMemsetParams params_of(const cudaMemsetParamsV2& p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}
cudaHostNodeParams params_of(const cudaHostNodeParamsV2& p) { return {p.fn, p.userData}; }

cudaError_t refuse_kind(const char* call) {
  return remember(complain(call, "nodes of this type are not simulated", cudaErrorNotSupported));
}

cudaError_t add_any_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                         std::size_t count, cudaGraphNodeParams* p) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams params = params_of(p->kernel);
      return cudaGraphAddKernelNode(node, graph, dependencies, count, &params);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams params = params_of(p->memset);
      return cudaGraphAddMemsetNode(node, graph, dependencies, count, &params);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams params = params_of(p->host);
      return cudaGraphAddHostNode(node, graph, dependencies, count, &params);
    }
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(node, graph, dependencies, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(node, graph, dependencies, count);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(node, graph, dependencies, count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(node, graph, dependencies, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: {
      cudaMemAllocNodeParams params{p->alloc.poolProps, p->alloc.accessDescs, p->alloc.accessDescCount,
                                    p->alloc.bytesize, nullptr};
      const cudaError_t error = cudaGraphAddMemAllocNode(node, graph, dependencies, count, &params);
      if (error == cudaSuccess) p->alloc.dptr = params.dptr;
      return error;
    }
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(node, graph, dependencies, count, p->free.dptr);
    default:
      return refuse_kind("cudaGraphAddNode");
  }
}

}  // namespace

#if CUDART_VERSION >= 13000
extern "C" cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        const cudaGraphEdgeData* data, std::size_t count, cudaGraphNodeParams* params) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0)
      return remember(
          complain("cudaGraphAddNode", "dependencies of a part of a kernel are not simulated", cudaErrorNotSupported));
  }
  return add_any_node(node, graph, dependencies, count, params);
}
#else
extern "C" cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        std::size_t count, cudaGraphNodeParams* params) {
  return add_any_node(node, graph, dependencies, count, params);
}
#endif

extern "C" cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams params = params_of(p->kernel);
      return cudaGraphKernelNodeSetParams(node, &params);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphMemcpyNodeSetParams(node, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams params = params_of(p->memset);
      return cudaGraphMemsetNodeSetParams(node, &params);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams params = params_of(p->host);
      return cudaGraphHostNodeSetParams(node, &params);
    }
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphEventWaitNodeSetEvent(node, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphEventRecordNodeSetEvent(node, p->eventRecord.event);
    default:
      return refuse_kind("cudaGraphNodeSetParams");
  }
}

extern "C" cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* p) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams params = params_of(p->kernel);
      return cudaGraphExecKernelNodeSetParams(exec, node, &params);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams params = params_of(p->memset);
      return cudaGraphExecMemsetNodeSetParams(exec, node, &params);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams params = params_of(p->host);
      return cudaGraphExecHostNodeSetParams(exec, node, &params);
    }
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphExecEventWaitNodeSetEvent(exec, node, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphExecEventRecordNodeSetEvent(exec, node, p->eventRecord.event);
    default:
      return refuse_kind("cudaGraphExecNodeSetParams");
  }
}
#endif
