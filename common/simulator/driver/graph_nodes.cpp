// SPDX-License-Identifier: MIT
// The edges of a graph, and what its nodes do. An edge has data since CUDA 12.3, which have no meaning here.
#include "driver/driver.h"

using namespace cudasim;

#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuStreamUpdateCaptureDependencies
#undef cuStreamUpdateCaptureDependencies_v2

// From CUDA 13 on, the runtime's calls have these data, too.
#if CUDART_VERSION >= 13000
#define CUDASIM_EDGE_DATA(data) static_cast<cudaGraphEdgeData*>(data),
#define CUDASIM_GIVEN_EDGE_DATA(data) static_cast<const cudaGraphEdgeData*>(data),
#else
#define CUDASIM_EDGE_DATA(data)
#define CUDASIM_GIVEN_EDGE_DATA(data)
#endif

static CUresult get_edges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, [[maybe_unused]] void* data,
                          std::size_t* count) {
  return driver_call("cuGraphGetEdges", Needs::driver,
                     [&] { return cudaGraphGetEdges(graph, from, to, CUDASIM_EDGE_DATA(data) count); });
}
static CUresult get_dependencies(CUgraphNode node, CUgraphNode* list, [[maybe_unused]] void* data, std::size_t* count) {
  return driver_call("cuGraphNodeGetDependencies", Needs::driver,
                     [&] { return cudaGraphNodeGetDependencies(node, list, CUDASIM_EDGE_DATA(data) count); });
}
static CUresult get_dependents(CUgraphNode node, CUgraphNode* list, [[maybe_unused]] void* data, std::size_t* count) {
  return driver_call("cuGraphNodeGetDependentNodes", Needs::driver,
                     [&] { return cudaGraphNodeGetDependentNodes(node, list, CUDASIM_EDGE_DATA(data) count); });
}
static CUresult add_edges(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                          [[maybe_unused]] const void* data, std::size_t count) {
  return driver_call("cuGraphAddDependencies", Needs::driver,
                     [&] { return cudaGraphAddDependencies(graph, from, to, CUDASIM_GIVEN_EDGE_DATA(data) count); });
}
static CUresult remove_edges(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                             [[maybe_unused]] const void* data, std::size_t count) {
  return driver_call("cuGraphRemoveDependencies", Needs::driver,
                     [&] { return cudaGraphRemoveDependencies(graph, from, to, CUDASIM_GIVEN_EDGE_DATA(data) count); });
}

static CUresult change_leading(CUstream stream, CUgraphNode* list, [[maybe_unused]] const void* data, std::size_t count,
                               unsigned flags) {
  return driver_call("cuStreamUpdateCaptureDependencies", needs_of(stream), [&] {
    return cudaStreamUpdateCaptureDependencies(stream, list, CUDASIM_GIVEN_EDGE_DATA(data) count, flags);
  });
}

CUDASIM_EXPORT CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* list, std::size_t count,
                                                          unsigned flags) {
  return change_leading(stream, list, nullptr, count, flags);
}
CUDASIM_DRIVER_ALIAS(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies);
CUDASIM_EXPORT CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
  return get_edges(graph, from, to, nullptr, count);
}
CUDASIM_EXPORT CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* list, std::size_t* count) {
  return get_dependencies(node, list, nullptr, count);
}
CUDASIM_EXPORT CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* list, std::size_t* count) {
  return get_dependents(node, list, nullptr, count);
}
CUDASIM_EXPORT CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                               std::size_t count) {
  return add_edges(graph, from, to, nullptr, count);
}
CUDASIM_EXPORT CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                  std::size_t count) {
  return remove_edges(graph, from, to, nullptr, count);
}

#if CUDA_VERSION >= 12030
CUDASIM_EXPORT CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* list,
                                                             const CUgraphEdgeData* data, std::size_t count,
                                                             unsigned flags) {
  return change_leading(stream, list, data, count, flags);
}
CUDASIM_DRIVER_ALIAS(cuStreamUpdateCaptureDependencies_v2_ptsz, cuStreamUpdateCaptureDependencies_v2);
CUDASIM_EXPORT CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                                           std::size_t* count) {
  return get_edges(graph, from, to, data, count);
}
CUDASIM_EXPORT CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* list, CUgraphEdgeData* data,
                                                      std::size_t* count) {
  return get_dependencies(node, list, data, count);
}
CUDASIM_EXPORT CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* list, CUgraphEdgeData* data,
                                                        std::size_t* count) {
  return get_dependents(node, list, data, count);
}
CUDASIM_EXPORT CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                  const CUgraphEdgeData* data, std::size_t count) {
  return add_edges(graph, from, to, data, count);
}
CUDASIM_EXPORT CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                     const CUgraphEdgeData* data, std::size_t count) {
  return remove_edges(graph, from, to, data, count);
}
#endif

extern "C" CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* given) {
  return driver_call("cuGraphKernelNodeGetParams", Needs::driver, [&] {
    cudaKernelNodeParams launch{};
    if (given == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGraphKernelNodeGetParams(node, &launch);
    if (error != cudaSuccess) return error;
    *given = {};
    given->func = static_cast<CUfunction>(launch.func);
    given->gridDimX = launch.gridDim.x;
    given->gridDimY = launch.gridDim.y;
    given->gridDimZ = launch.gridDim.z;
    given->blockDimX = launch.blockDim.x;
    given->blockDimY = launch.blockDim.y;
    given->blockDimZ = launch.blockDim.z;
    given->sharedMemBytes = launch.sharedMemBytes;
    given->kernelParams = launch.kernelParams;
    return cudaSuccess;
  });
}

extern "C" CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* given) {
  return driver_call("cuGraphMemsetNodeGetParams", Needs::driver, [&] {
    cudaMemsetParams fill{};
    if (given == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGraphMemsetNodeGetParams(node, &fill);
    if (error != cudaSuccess) return error;
    const auto address = reinterpret_cast<CUdeviceptr>(fill.dst);
    *given = {address, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height};
    return cudaSuccess;
  });
}

extern "C" CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* given) {
  return driver_call("cuGraphHostNodeGetParams", Needs::driver, [&] {
    cudaHostNodeParams function{};
    if (given == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGraphHostNodeGetParams(node, &function);
    if (error == cudaSuccess) *given = {function.fn, function.userData};
    return error;
  });
}

extern "C" CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return driver_call("cuGraphChildGraphNodeGetGraph", Needs::driver,
                     [&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

extern "C" CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return driver_call("cuGraphEventRecordNodeGetEvent", Needs::driver,
                     [&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}

extern "C" CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return driver_call("cuGraphEventWaitNodeGetEvent", Needs::driver,
                     [&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}

static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));

extern "C" CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                           std::size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
  return driver_call("cuGraphAddMemAllocNode", Needs::driver, [&] {
    return cudaGraphAddMemAllocNode(node, graph, dependencies, count,
                                    reinterpret_cast<cudaMemAllocNodeParams*>(params));
  });
}

extern "C" CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
  return driver_call("cuGraphMemAllocNodeGetParams", Needs::driver, [&] {
    return cudaGraphMemAllocNodeGetParams(node, reinterpret_cast<cudaMemAllocNodeParams*>(params));
  });
}

extern "C" CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                          std::size_t count, CUdeviceptr address) {
  return driver_call("cuGraphAddMemFreeNode", Needs::driver, [&] {
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, reinterpret_cast<void*>(address));
  });
}

extern "C" CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) {
  return driver_call("cuGraphMemFreeNodeGetParams", Needs::driver,
                     [&] { return cudaGraphMemFreeNodeGetParams(node, address); });
}

extern "C" CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return driver_call("cuDeviceGraphMemTrim", Needs::driver, [&] { return cudaDeviceGraphMemTrim(device); });
}

extern "C" CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return driver_call("cuDeviceGetGraphMemAttribute", Needs::driver, [&] {
    return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value);
  });
}

extern "C" CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return driver_call("cuDeviceSetGraphMemAttribute", Needs::driver, [&] {
    return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value);
  });
}
