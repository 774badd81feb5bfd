// SPDX-License-Identifier: MIT
// Graphs and captures: the runtime's own. What is left out is in not_simulated.txt.
#include "driver/driver.h"

using namespace cudasim;

extern "C" CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return driver_call("cuStreamBeginCapture", needs_of(stream),
                     [&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}
CUDASIM_DRIVER_ALIAS(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture);

extern "C" CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return driver_call("cuStreamEndCapture", needs_of(stream), [&] { return cudaStreamEndCapture(stream, graph); });
}
CUDASIM_DRIVER_ALIAS(cuStreamEndCapture_ptsz, cuStreamEndCapture);

extern "C" CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return driver_call("cuThreadExchangeStreamCaptureMode", Needs::driver, [&] {
    return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode));
  });
}

static CUresult capture_info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                             const CUgraphNode** leading, [[maybe_unused]] const void** edges, std::size_t* count) {
  return driver_call("cuStreamGetCaptureInfo", needs_of(stream), [&] {
    unsigned long long number = 0;
    auto* const state = reinterpret_cast<cudaStreamCaptureStatus*>(status);
#if CUDART_VERSION >= 13000
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, state, &number, graph, leading,
                                                       reinterpret_cast<const cudaGraphEdgeData**>(edges), count);
#else
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, state, &number, graph, leading, count);
#endif
    if (error == cudaSuccess && id != nullptr && *status == CU_STREAM_CAPTURE_STATUS_ACTIVE) *id = number;
    return error;
  });
}

#undef cuStreamGetCaptureInfo_v2
CUDASIM_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                                  CUgraph* graph, const CUgraphNode** leading, std::size_t* count) {
  return capture_info(stream, status, id, graph, leading, nullptr, count);
}
CUDASIM_DRIVER_ALIAS(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v2);

#if CUDA_VERSION >= 12030
#undef cuStreamGetCaptureInfo_v3
CUDASIM_EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                                  CUgraph* graph, const CUgraphNode** leading,
                                                  const CUgraphEdgeData** edges, std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return capture_info(stream, status, id, graph, leading, reinterpret_cast<const void**>(edges), count);
}
CUDASIM_DRIVER_ALIAS(cuStreamGetCaptureInfo_v3_ptsz, cuStreamGetCaptureInfo_v3);
#endif

extern "C" CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return driver_call("cuGraphCreate", Needs::driver, [&] { return cudaGraphCreate(graph, flags); });
}

extern "C" CUresult cuGraphDestroy(CUgraph graph) {
  return driver_call("cuGraphDestroy", Needs::driver, [&] { return cudaGraphDestroy(graph); });
}

extern "C" CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
  return driver_call("cuGraphClone", Needs::driver, [&] { return cudaGraphClone(clone, graph); });
}

extern "C" CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* list, std::size_t* count) {
  return driver_call("cuGraphGetNodes", Needs::driver, [&] { return cudaGraphGetNodes(graph, list, count); });
}

extern "C" CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* list, std::size_t* count) {
  return driver_call("cuGraphGetRootNodes", Needs::driver, [&] { return cudaGraphGetRootNodes(graph, list, count); });
}

extern "C" CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return driver_call("cuGraphNodeGetType", Needs::driver,
                     [&] { return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type)); });
}

extern "C" CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone) {
  return driver_call("cuGraphNodeFindInClone", Needs::driver,
                     [&] { return cudaGraphNodeFindInClone(found, original, clone); });
}

extern "C" CUresult cuGraphDestroyNode(CUgraphNode node) {
  return driver_call("cuGraphDestroyNode", Needs::driver, [&] { return cudaGraphDestroyNode(node); });
}

extern "C" CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needed,
                                        std::size_t count) {
  return driver_call("cuGraphAddEmptyNode", Needs::driver,
                     [&] { return cudaGraphAddEmptyNode(node, graph, needed, count); });
}

extern "C" CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needed, std::size_t count,
                                         const CUDA_KERNEL_NODE_PARAMS* given) {
  return driver_call("cuGraphAddKernelNode", Needs::driver, [&] {
    if (given == nullptr) return cudaErrorInvalidValue;
    cudaKernelNodeParams launch{};
    launch.func = given->func != nullptr ? static_cast<void*>(given->func) : static_cast<void*>(given->kern);
    launch.gridDim = {given->gridDimX, given->gridDimY, given->gridDimZ};
    launch.blockDim = {given->blockDimX, given->blockDimY, given->blockDimZ};
    launch.sharedMemBytes = given->sharedMemBytes;
    launch.kernelParams = given->kernelParams;
    launch.extra = given->extra;
    return cudaGraphAddKernelNode(node, graph, needed, count, &launch);
  });
}

extern "C" CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needed, std::size_t count,
                                         const CUDA_MEMSET_NODE_PARAMS* given, CUcontext /*context*/) {
  return driver_call("cuGraphAddMemsetNode", Needs::driver, [&] {
    if (given == nullptr) return cudaErrorInvalidValue;
    const cudaMemsetParams fill{pointer_of(given->dst), given->pitch, given->value,
                                given->elementSize,     given->width, given->height};
    return cudaGraphAddMemsetNode(node, graph, needed, count, &fill);
  });
}

extern "C" CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needed, std::size_t count,
                                       const CUDA_HOST_NODE_PARAMS* given) {
  return driver_call("cuGraphAddHostNode", Needs::driver, [&] {
    if (given == nullptr) return cudaErrorInvalidValue;
    const cudaHostNodeParams function{given->fn, given->userData};
    return cudaGraphAddHostNode(node, graph, needed, count, &function);
  });
}

extern "C" CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needed,
                                             std::size_t count, CUgraph child) {
  return driver_call("cuGraphAddChildGraphNode", Needs::driver,
                     [&] { return cudaGraphAddChildGraphNode(node, graph, needed, count, child); });
}

extern "C" CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needed,
                                              std::size_t count, CUevent event) {
  return driver_call("cuGraphAddEventRecordNode", Needs::driver,
                     [&] { return cudaGraphAddEventRecordNode(node, graph, needed, count, event); });
}

extern "C" CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needed,
                                            std::size_t count, CUevent event) {
  return driver_call("cuGraphAddEventWaitNode", Needs::driver,
                     [&] { return cudaGraphAddEventWaitNode(node, graph, needed, count, event); });
}

extern "C" CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return driver_call("cuGraphInstantiateWithFlags", Needs::driver,
                     [&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}

/// The two structures have the same fields in the same order.
extern "C" CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                                 CUDA_GRAPH_INSTANTIATE_PARAMS* given) {
  static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams));
  return driver_call("cuGraphInstantiateWithParams", Needs::driver, [&] {
    return cudaGraphInstantiateWithParams(exec, graph, reinterpret_cast<cudaGraphInstantiateParams*>(given));
  });
}
CUDASIM_DRIVER_ALIAS(cuGraphInstantiateWithParams_ptsz, cuGraphInstantiateWithParams);

extern "C" CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* result) {
  static_assert(sizeof(CUgraphExecUpdateResultInfo) == sizeof(cudaGraphExecUpdateResultInfo));
  return driver_call("cuGraphExecUpdate", Needs::driver, [&] {
    return cudaGraphExecUpdate(exec, graph, reinterpret_cast<cudaGraphExecUpdateResultInfo*>(result));
  });
}

extern "C" CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return driver_call("cuGraphExecGetFlags", Needs::driver,
                     [&] { return cudaGraphExecGetFlags(exec, reinterpret_cast<unsigned long long*>(flags)); });
}

extern "C" CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return driver_call("cuGraphExecDestroy", Needs::driver, [&] { return cudaGraphExecDestroy(exec); });
}

extern "C" CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return driver_call("cuGraphUpload", needs_of(stream), [&] { return cudaGraphUpload(exec, stream); });
}
CUDASIM_DRIVER_ALIAS(cuGraphUpload_ptsz, cuGraphUpload);

extern "C" CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return driver_call("cuGraphLaunch", needs_of(stream), [&] { return cudaGraphLaunch(exec, stream); });
}
CUDASIM_DRIVER_ALIAS(cuGraphLaunch_ptsz, cuGraphLaunch);

extern "C" CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned is_enabled) {
  return driver_call("cuGraphNodeSetEnabled", Needs::driver,
                     [&] { return cudaGraphNodeSetEnabled(exec, node, is_enabled); });
}

extern "C" CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* is_enabled) {
  return driver_call("cuGraphNodeGetEnabled", Needs::driver,
                     [&] { return cudaGraphNodeGetEnabled(exec, node, is_enabled); });
}

extern "C" CUresult cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy, unsigned count,
                                       unsigned flags) {
  return driver_call("cuUserObjectCreate", Needs::driver,
                     [&] { return cudaUserObjectCreate(object, data, destroy, count, flags); });
}

extern "C" CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return driver_call("cuUserObjectRetain", Needs::driver, [&] { return cudaUserObjectRetain(object, count); });
}

extern "C" CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return driver_call("cuUserObjectRelease", Needs::driver, [&] { return cudaUserObjectRelease(object, count); });
}

extern "C" CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  return driver_call("cuGraphRetainUserObject", Needs::driver,
                     [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}

extern "C" CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return driver_call("cuGraphReleaseUserObject", Needs::driver,
                     [&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
