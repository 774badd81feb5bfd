// SPDX-License-Identifier: MIT
// Graphs by calls of the driver: captured work, nodes that the program makes, and an object that lives as long as the
// graphs that hold it.
#include <cuda.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "gallery.h"

#define checkNode(call)                                                \
  do {                                                                 \
    const CUresult error = call;                                       \
    if (error != CUDA_SUCCESS) {                                       \
      const char* name = nullptr;                                      \
      cuGetErrorName(error, &name);                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name); \
      std::exit(EXIT_FAILURE);                                         \
    }                                                                  \
  } while (false)

__global__ void add(int* cells, int value) { cells[threadIdx.x] += value; }

std::atomic<int> destroyed{0};  // on a GPU by a thread of the driver
void destroy(void* object) { ++*static_cast<std::atomic<int>*>(object); }

CUgraph captured(CUstream stream, CUfunction function, CUdeviceptr cells) {
  int one = 1;
  void* arguments[] = {&cells, &one};
  CUgraph graph;
  checkNode(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstreamCaptureStatus status;
  checkNode(cuStreamIsCapturing(stream, &status));
  for (int i = 0; i < 3; ++i) checkNode(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  std::size_t leading = 1;
#if CUDA_VERSION >= 13000
  const CUgraphEdgeData* edges = nullptr;
  checkNode(cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, &edges, &leading));
  if (edges == nullptr) return nullptr;
#endif
  checkNode(cuStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  checkNode(cuGraphGetNodes(graph, nullptr, &nodes));
  return status == CU_STREAM_CAPTURE_STATUS_ACTIVE && nodes == 3 && leading == 1 ? graph : nullptr;
}

/// Behind a node: the cells go into memory of the graph, and back. False: a node has other parameters.
bool add_detour(CUgraph graph, CUgraphNode before, CUdeviceptr cells, CUcontext context) {
  CUgraphNode allocated, there, back, freed;
  CUDA_MEM_ALLOC_NODE_PARAMS memory{};
  memory.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  memory.bytesize = 32 * sizeof(int);
  checkNode(cuGraphAddMemAllocNode(&allocated, graph, &before, 1, &memory));
  CUDA_MEMCPY3D copied{};
  copied.srcMemoryType = copied.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copied.srcDevice = cells;
  copied.dstDevice = memory.dptr;
  copied.WidthInBytes = memory.bytesize;
  copied.Height = copied.Depth = 1;
  checkNode(cuGraphAddMemcpyNode(&there, graph, &allocated, 1, &copied, context));
  std::swap(copied.srcDevice, copied.dstDevice);
  checkNode(cuGraphAddMemcpyNode(&back, graph, &there, 1, &copied, context));
  checkNode(cuGraphAddMemFreeNode(&freed, graph, &back, 1, memory.dptr));
  CUDA_MEMCPY3D shown{};
  CUdeviceptr address = 0;
  checkNode(cuGraphMemcpyNodeGetParams(back, &shown));
  checkNode(cuGraphMemFreeNodeGetParams(freed, &address));
  return shown.dstDevice == cells && shown.srcDevice == memory.dptr && shown.WidthInBytes == memory.bytesize &&
         address == memory.dptr;
}

/// Fills the cells with 5, then runs another graph, and then adds 10.
CUgraph made(CUfunction function, CUdeviceptr cells, CUgraph inner) {
  CUgraph graph;
  CUgraphNode fill, within, last;
  checkNode(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS memory{};
  memory.dst = cells;
  memory.value = 5;
  memory.elementSize = sizeof(int);
  memory.width = 32;
  memory.height = 1;
  CUcontext context;
  checkNode(cuCtxGetCurrent(&context));
  checkNode(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &memory, context));
  checkNode(cuGraphAddChildGraphNode(&within, graph, &fill, 1, inner));
  int ten = 10;
  void* arguments[] = {&cells, &ten};
  CUDA_KERNEL_NODE_PARAMS launch{};
  launch.func = function;
  launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
  launch.blockDimX = 32;
  launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = arguments;
  checkNode(cuGraphAddKernelNode(&last, graph, &within, 1, &launch));
  CUgraphNodeType type;
  checkNode(cuGraphNodeGetType(last, &type));
  return type == CU_GRAPH_NODE_TYPE_KERNEL && add_detour(graph, last, cells, context) ? graph : nullptr;
}

bool program() {
  checkNode(cuInit(0));
  CUcontext context;
  checkNode(cuDevicePrimaryCtxRetain(&context, 0));
  checkNode(cuCtxPushCurrent(context));
  cudaFunction_t function;
  if (cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)) != cudaSuccess) return false;
  CUstream stream;
  CUdeviceptr cells;
  checkNode(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  checkNode(cuMemAlloc(&cells, 32 * sizeof(int)));

  const CUgraph inner = captured(stream, function, cells);
  const CUgraph graph = inner == nullptr ? nullptr : made(function, cells, inner);
  if (graph == nullptr) return false;
  CUuserObject object;
  checkNode(cuUserObjectCreate(&object, &destroyed, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  checkNode(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  CUgraphExec ready;
  checkNode(cuGraphInstantiateWithFlags(&ready, graph, 0));
  checkNode(cuGraphDestroy(inner));
  checkNode(cuGraphDestroy(graph));
  if (destroyed != 0) return false;  // the instantiated graph has it, too

  int result[32];
  for (int i = 0; i < 2; ++i) checkNode(cuGraphLaunch(ready, stream));
  checkNode(cuMemcpyDtoHAsync(result, cells, sizeof result, stream));
  checkNode(cuStreamSynchronize(stream));
  for (const int cell : result) {
    if (cell != 5 + 3 + 10) return false;
  }
  checkNode(cuGraphExecDestroy(ready));
  checkNode(cuCtxSynchronize());
  checkNode(cuMemFree(cells));
  checkNode(cuStreamDestroy(stream));
  for (int i = 0; i < 1000 && destroyed == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  checkNode(cuCtxPopCurrent(&context));
  checkNode(cuDevicePrimaryCtxRelease(0));
  return destroyed == 1;
}
