// SPDX-License-Identifier: MIT
// What the driver's calls for captures, graphs and user objects return.
#include <cuda.h>

#include "driver_ptx.h"
#include "recorded.h"

namespace {

void captures() {
  const Device begin;
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUstreamCaptureStatus status{};
  SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SHOW(cuStreamIsCapturing(stream, nullptr));
  SHOW(cuStreamIsCapturing(stream, &status));
  VALUE(status);
  SHOW(cuStreamIsCapturing(nullptr, &status));
  SHOW(cuStreamEndCapture(stream, &graph));
  SHOW(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SHOW(cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(9)));
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SHOW(cuStreamIsCapturing(stream, &status));
  VALUE(status);
  SHOW(cuMemsetD32Async(begin.memory, 1, 4, stream));
  SHOW(cuStreamEndCapture(stream, nullptr));
  SHOW(cuStreamEndCapture(stream, &graph));
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuStreamIsCapturing(stream, &status));
  VALUE(status);
  SHOW(cuMemsetD32Async(begin.memory, 1, 4, stream));
  SHOW(cuStreamEndCapture(stream, &graph));
  VALUE(graph == nullptr);
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  SHOW(cuThreadExchangeStreamCaptureMode(&mode));
  VALUE(mode);
}

void graphs() {
  const Device begin;
  CUgraph graph = nullptr, clone = nullptr;
  CUgraphNode node = nullptr, second = nullptr, list[4] = {};
  std::size_t count = 0;
  SHOW(cuGraphCreate(nullptr, 0));
  SHOW(cuGraphCreate(&graph, 1));
  SHOW(cuGraphCreate(&graph, 0));
  SHOW(cuGraphAddEmptyNode(&node, graph, nullptr, 0));
  SHOW(cuGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  SHOW(cuGraphAddEmptyNode(&second, graph, nullptr, 1));
  SHOW(cuGraphAddEmptyNode(&second, graph, &node, 1));
  SHOW(cuGraphGetNodes(graph, nullptr, &count));
  VALUE(count);
  SHOW(cuGraphGetNodes(graph, list, nullptr));
  count = 4;
  SHOW(cuGraphGetNodes(graph, list, &count));
  VALUE(count);
  VALUE(list[3] == nullptr);
  count = 1;
  SHOW(cuGraphGetRootNodes(graph, list, &count));
  VALUE(list[0] == node);
  CUgraphNodeType type{};
  SHOW(cuGraphNodeGetType(node, &type));
  VALUE(type);
  SHOW(cuGraphNodeGetType(node, nullptr));
  SHOW(cuGraphNodeGetType(nullptr, &type));
  SHOW(cuGraphClone(&clone, graph));
  SHOW(cuGraphClone(nullptr, graph));
  SHOW(cuGraphNodeFindInClone(&second, node, clone));
  SHOW(cuGraphNodeFindInClone(&second, node, graph));
  CUgraphExec exec = nullptr;
  SHOW(cuGraphInstantiateWithFlags(&exec, graph, 1 << 20));
  SHOW(cuGraphInstantiateWithFlags(nullptr, graph, 0));
  SHOW(cuGraphInstantiateWithFlags(&exec, graph, 0));
  cuuint64_t flags = 77;
  SHOW(cuGraphExecGetFlags(exec, &flags));
  VALUE(flags);
  SHOW(cuGraphUpload(exec, nullptr));
  SHOW(cuGraphLaunch(exec, nullptr));
  SHOW(cuGraphLaunch(nullptr, nullptr));
  unsigned is_enabled = 77;
  SHOW(cuGraphNodeGetEnabled(exec, node, &is_enabled));
  SHOW(cuGraphNodeSetEnabled(exec, node, 0));
  CUgraphExecUpdateResultInfo result{};
  SHOW(cuGraphExecUpdate(exec, clone, &result));
  VALUE(result.result);
  SHOW(cuGraphDestroyNode(node));
  SHOW(cuGraphExecUpdate(exec, graph, &result));
  VALUE(result.result);
  SHOW(cuGraphExecDestroy(exec));
  SHOW(cuGraphExecDestroy(nullptr));
  SHOW(cuGraphDestroy(graph));
  SHOW(cuGraphDestroy(nullptr));
}

void nodes() {
  const Device begin;
  CUgraph graph = nullptr, child = nullptr;
  CUgraphNode node = nullptr;
  cuGraphCreate(&graph, 0);
  cuGraphCreate(&child, 0);
  CUDA_KERNEL_NODE_PARAMS kernel{};
  SHOW(cuGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
  SHOW(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  kernel.func = begin.scale;
  SHOW(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.blockDimX = 1025;
  SHOW(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  kernel.blockDimX = 1;
  SHOW(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  CUdeviceptr memory = begin.memory;
  unsigned factor = 3;
  void* arguments[] = {&memory, &factor};
  kernel.kernelParams = arguments;
  SHOW(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  CUgraphExec exec = nullptr;
  SHOW(cuGraphInstantiateWithFlags(&exec, graph, 0));
  unsigned is_enabled = 77;
  SHOW(cuGraphNodeGetEnabled(exec, node, &is_enabled));
  VALUE(is_enabled);
  SHOW(cuGraphNodeSetEnabled(exec, node, 0));
  SHOW(cuGraphNodeGetEnabled(exec, node, &is_enabled));
  VALUE(is_enabled);
  CUDA_MEMSET_NODE_PARAMS fill{};
  SHOW(cuGraphAddMemsetNode(&node, graph, nullptr, 0, nullptr, begin.context));
  fill.dst = memory;
  fill.elementSize = 3;
  fill.width = 4;
  fill.height = 1;
  SHOW(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, begin.context));
  fill.elementSize = 4;
  SHOW(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, nullptr));
  SHOW(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, begin.context));
  CUDA_HOST_NODE_PARAMS host{};
  SHOW(cuGraphAddHostNode(&node, graph, nullptr, 0, nullptr));
  SHOW(cuGraphAddHostNode(&node, graph, nullptr, 0, &host));
  host.fn = [](void*) {};
  SHOW(cuGraphAddHostNode(&node, graph, nullptr, 0, &host));
  SHOW(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  SHOW(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, nullptr));
  CUevent event = nullptr;
  cuEventCreate(&event, 0);
  SHOW(cuGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
  SHOW(cuGraphAddEventWaitNode(&node, graph, nullptr, 0, event));
  SHOW(cuGraphAddEventWaitNode(&node, graph, nullptr, 0, nullptr));
}

void user_objects() {
  const Device begin;
  static int destroyed = 0;
  CUuserObject object = nullptr;
  CUgraph graph = nullptr;
  cuGraphCreate(&graph, 0);
  const CUhostFn destroy = [](void*) { ++destroyed; };
  SHOW(cuUserObjectCreate(nullptr, nullptr, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  SHOW(cuUserObjectCreate(&object, nullptr, nullptr, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  SHOW(cuUserObjectCreate(&object, nullptr, destroy, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  SHOW(cuUserObjectCreate(&object, nullptr, destroy, 1, 0));
  SHOW(cuUserObjectCreate(&object, nullptr, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  SHOW(cuUserObjectRetain(object, 0));
  SHOW(cuUserObjectRetain(object, 1));
  SHOW(cuUserObjectRelease(object, 0));
  SHOW(cuUserObjectRelease(object, 1));
  SHOW(cuGraphRetainUserObject(graph, object, 0, 0));
  SHOW(cuGraphRetainUserObject(graph, object, 1, 77));
  SHOW(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  SHOW(cuGraphReleaseUserObject(graph, object, 0));
  SHOW(cuGraphReleaseUserObject(graph, object, 1));
  SHOW(cuUserObjectRetain(nullptr, 1));
  SHOW(cuUserObjectRelease(nullptr, 1));
  SHOW(cuGraphDestroy(graph));
}

const Case cases[] = {{"captures", captures}, {"graphs", graphs}, {"nodes", nodes}, {"user-objects", user_objects}};

}  // namespace

int main(int argc, char** argv) { return run_case(cases, argc, argv); }
