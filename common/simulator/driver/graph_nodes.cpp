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

namespace {

/// One side of a copy, as the runtime has it.
cudaError_t side_of(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t pitch, std::size_t height,
                    const CUDA_MEMCPY3D& copied, cudaPitchedPtr& side) {
  if (type == CU_MEMORYTYPE_ARRAY)
    return complain("cuGraphAddMemcpyNode", "arrays of the driver API are not simulated", cudaErrorNotSupported);
  if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_UNIFIED)
    return cudaErrorInvalidValue;
  const auto* const pointer = type == CU_MEMORYTYPE_HOST ? host : reinterpret_cast<const void*>(device);
  // A row alone needs neither pitch nor height.
  const bool is_row = copied.Height <= 1 && copied.Depth <= 1;
  side = {const_cast<void*>(pointer), is_row && pitch == 0 ? copied.WidthInBytes : pitch, copied.WidthInBytes, height};
  return cudaSuccess;
}

bool is_host(cudaMemcpyKind kind, bool is_source) {
  return kind == cudaMemcpyHostToHost || kind == (is_source ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

}  // namespace

extern "C" CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                         std::size_t count, const CUDA_MEMCPY3D* c, CUcontext /*context*/) {
  return driver_call("cuGraphAddMemcpyNode", Needs::driver, [&] {
    if (c == nullptr) return cudaErrorInvalidValue;
    cudaMemcpy3DParms params{};
    cudaError_t error =
        side_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch, c->srcHeight, *c, params.srcPtr);
    if (error == cudaSuccess)
      error = side_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch, c->dstHeight, *c, params.dstPtr);
    if (error != cudaSuccess) return error;
    params.srcPos = {c->srcXInBytes, c->srcY, c->srcZ};
    params.dstPos = {c->dstXInBytes, c->dstY, c->dstZ};
    params.extent = {c->WidthInBytes, c->Height, c->Depth};
    const bool from_host = c->srcMemoryType == CU_MEMORYTYPE_HOST, to_host = c->dstMemoryType == CU_MEMORYTYPE_HOST;
    params.kind = from_host ? (to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                            : (to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
    if (c->srcMemoryType == CU_MEMORYTYPE_UNIFIED || c->dstMemoryType == CU_MEMORYTYPE_UNIFIED)
      params.kind = cudaMemcpyDefault;
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &params);
  });
}

extern "C" CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* given) {
  return driver_call("cuGraphMemcpyNodeGetParams", Needs::driver, [&] {
    cudaMemcpy3DParms params{};
    if (given == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &params);
    if (error != cudaSuccess) return error;
    *given = {};
    const auto type_of = [&](bool is_source) {
      if (params.kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
      return is_host(params.kind, is_source) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    };
    given->srcMemoryType = type_of(true);
    given->dstMemoryType = type_of(false);
    const auto address = [](const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); };
    if (given->srcMemoryType == CU_MEMORYTYPE_HOST) given->srcHost = params.srcPtr.ptr;
    if (given->srcMemoryType != CU_MEMORYTYPE_HOST) given->srcDevice = address(params.srcPtr.ptr);
    if (given->dstMemoryType == CU_MEMORYTYPE_HOST) given->dstHost = params.dstPtr.ptr;
    if (given->dstMemoryType != CU_MEMORYTYPE_HOST) given->dstDevice = address(params.dstPtr.ptr);
    given->srcPitch = params.srcPtr.pitch;
    given->srcHeight = params.srcPtr.ysize;
    given->dstPitch = params.dstPtr.pitch;
    given->dstHeight = params.dstPtr.ysize;
    given->srcXInBytes = params.srcPos.x;
    given->srcY = params.srcPos.y;
    given->srcZ = params.srcPos.z;
    given->dstXInBytes = params.dstPos.x;
    given->dstY = params.dstPos.y;
    given->dstZ = params.dstPos.z;
    given->WidthInBytes = params.extent.width;
    given->Height = params.extent.height;
    given->Depth = params.extent.depth;
    return cudaSuccess;
  });
}
