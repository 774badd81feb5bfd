// SPDX-License-Identifier: MIT
// Memory that a graph allocates for itself: sums of squares, whose squares are in memory of a node. One graph is made
// of nodes, another one is captured from a stream, and a third one leaves its memory to the program.
#include <cstdint>

#include "gallery.h"

__global__ void square(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] * from[i];
}

__global__ void add_up(const float* from, float* sum, int n) {
  float own = 0;
  for (int i = threadIdx.x; i < n; i += 32) own += from[i];
  for (int distance = 16; distance > 0; distance /= 2) own += __shfl_down_sync(~0u, own, distance);
  if (threadIdx.x == 0) *sum += own;
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t before, void* kernel, int blocks, int threads,
                           void** arguments) {
  cudaKernelNodeParams params{};
  params.func = kernel;
  params.gridDim = dim3(blocks);
  params.blockDim = dim3(threads);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  checkCudaErrors(cudaGraphAddKernelNode(&node, graph, &before, 1, &params));
  return node;
}

cudaGraph_t graph_of_nodes(const float* numbers, float* sum, int n) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr, freed = nullptr;
  checkCudaErrors(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = n * sizeof(float);
  checkCudaErrors(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  float* squares = static_cast<float*>(params.dptr);
  void* first[] = {&numbers, &squares, &n};
  void* second[] = {&squares, &sum, &n};
  node = add_kernel(graph, node, reinterpret_cast<void*>(square), blocks_for(n, 64), 64, first);
  node = add_kernel(graph, node, reinterpret_cast<void*>(add_up), 1, 32, second);
  checkCudaErrors(cudaGraphAddMemFreeNode(&freed, graph, &node, 1, squares));
  void* address = nullptr;
  checkCudaErrors(cudaGraphMemFreeNodeGetParams(freed, &address));
  cudaGraphNodeType type{};
  checkCudaErrors(cudaGraphNodeGetType(freed, &type));
  return address == squares && type == cudaGraphNodeTypeMemFree ? graph : nullptr;
}

/// `kept`: gets the memory, and no node frees it.
cudaGraph_t captured_graph(cudaStream_t stream, const float* numbers, float* sum, int n, float** kept) {
  float* squares = nullptr;
  checkCudaErrors(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  checkCudaErrors(cudaMallocAsync(&squares, n * sizeof(float), stream));
  square<<<blocks_for(n, 64), 64, 0, stream>>>(numbers, squares, n);
  add_up<<<1, 32, 0, stream>>>(squares, sum, n);
  if (kept == nullptr) checkCudaErrors(cudaFreeAsync(squares, stream));
  cudaGraph_t graph = nullptr;
  checkCudaErrors(cudaStreamEndCapture(stream, &graph));
  if (kept != nullptr) *kept = squares;
  return graph;
}

bool program() {
  constexpr int n = 1000, launches = 3;
  const std::vector<float> numbers(n, 0.5f);
  Buffer<float> on_device(numbers), sum(std::vector<float>(1, 0.0f));
  cudaStream_t stream = nullptr;
  checkCudaErrors(cudaStreamCreate(&stream));
  float* kept = nullptr;
  const cudaGraph_t graphs[] = {graph_of_nodes(on_device, sum, n), captured_graph(stream, on_device, sum, n, nullptr),
                                captured_graph(stream, on_device, sum, n, &kept)};
  for (cudaGraph_t graph : graphs) {
    if (graph == nullptr) return false;
    cudaGraphExec_t exec = nullptr;
    checkCudaErrors(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < launches; ++launch) {
      checkCudaErrors(cudaGraphLaunch(exec, stream));
      if (graph == graphs[2]) checkCudaErrors(cudaFreeAsync(kept, stream));
    }
    checkCudaErrors(cudaStreamSynchronize(stream));
    checkCudaErrors(cudaGraphExecDestroy(exec));
    checkCudaErrors(cudaGraphDestroy(graph));
  }
  checkCudaErrors(cudaDeviceGraphMemTrim(0));
  std::uint64_t used = 1;
  checkCudaErrors(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  checkCudaErrors(cudaStreamDestroy(stream));
  return used == 0 && sum.host()[0] == 3 * launches * n / 4.0f;
}
