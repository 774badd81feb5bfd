// SPDX-License-Identifier: MIT
// A histogram and its prefix sum as a graph made node by node. Its nodes are a fill and a copy that nothing orders, and
// the count that waits for both. Then come a graph within that scans, a copy to the host and a function of the host.
// Later launches get other parameters, without a new graph.
#include "gallery.h"

constexpr int bins = 256;

__global__ void count(const unsigned char* data, int n, int* histogram) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&histogram[data[i]], 1);
}
__global__ void scan(const int* in, int* out) {
  __shared__ int sums[bins];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int distance = 1; distance < bins; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  out[threadIdx.x] = sums[threadIdx.x];
}

struct Seen {
  const int* last;
  std::vector<int> totals;
};
void look(void* seen) {
  Seen& s = *static_cast<Seen*>(seen);
  s.totals.push_back(*s.last);
}

bool program() {
  constexpr int n = 5000;
  std::vector<unsigned char> data(n);
  for (int i = 0; i < n; ++i) data[i] = static_cast<unsigned char>(scramble(static_cast<unsigned>(i)) >> 20);
  Buffer<unsigned char> in(n);
  Buffer<int> histogram(bins), sums(bins);
  int* result = nullptr;
  checkCudaErrors(cudaMallocHost(&result, bins * sizeof(int)));

  cudaGraph_t graph = nullptr, inner = nullptr;
  checkCudaErrors(cudaGraphCreate(&graph, 0));
  checkCudaErrors(cudaGraphCreate(&inner, 0));
  cudaGraphNode_t fill_node, copy_node, count_node, scan_node, inner_node, back_node, host_node;
  cudaMemsetParams fill{};
  fill.dst = histogram;
  fill.elementSize = sizeof(int);
  fill.width = bins;
  fill.height = 1;
  checkCudaErrors(cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &fill));
  checkCudaErrors(cudaGraphAddMemcpyNode1D(&copy_node, graph, nullptr, 0, in, data.data(), n, cudaMemcpyHostToDevice));

  int many = n;
  const unsigned char* in_pointer = in;
  int *histogram_pointer = histogram, *sums_pointer = sums;
  void* count_arguments[] = {&in_pointer, &many, &histogram_pointer};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(count);
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(128);
  kernel.kernelParams = count_arguments;
  cudaGraphNode_t both[] = {fill_node, copy_node};
  checkCudaErrors(cudaGraphAddKernelNode(&count_node, graph, both, 2, &kernel));

  void* scan_arguments[] = {&histogram_pointer, &sums_pointer};
  cudaKernelNodeParams scan_kernel{};
  scan_kernel.func = reinterpret_cast<void*>(scan);
  scan_kernel.gridDim = dim3(1);
  scan_kernel.blockDim = dim3(bins);
  scan_kernel.kernelParams = scan_arguments;
  checkCudaErrors(cudaGraphAddKernelNode(&scan_node, inner, nullptr, 0, &scan_kernel));
  checkCudaErrors(cudaGraphAddChildGraphNode(&inner_node, graph, &count_node, 1, inner));
  checkCudaErrors(cudaGraphDestroy(inner));  // the node has its own
  checkCudaErrors(cudaGraphAddMemcpyNode1D(&back_node, graph, &inner_node, 1, result, sums, bins * sizeof(int),
                                           cudaMemcpyDeviceToHost));
  Seen seen{result + bins - 1, {}};
  cudaHostNodeParams host{};
  host.fn = look;
  host.userData = &seen;
  checkCudaErrors(cudaGraphAddHostNode(&host_node, graph, &back_node, 1, &host));

  std::size_t nodes = 0, roots = 0;
  checkCudaErrors(cudaGraphGetNodes(graph, nullptr, &nodes));
  checkCudaErrors(cudaGraphGetRootNodes(graph, nullptr, &roots));
  cudaGraphExec_t exec = nullptr;
  checkCudaErrors(cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t stream;
  checkCudaErrors(cudaStreamCreate(&stream));
  bool right = nodes == 6 && roots == 2;
  for (const int counted : {n, 100, 4001}) {
    many = counted;
    checkCudaErrors(cudaGraphExecKernelNodeSetParams(exec, count_node, &kernel));
    checkCudaErrors(cudaGraphLaunch(exec, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    std::vector<int> expected(bins, 0);
    for (int i = 0; i < counted; ++i) ++expected[data[i]];
    for (int i = 1; i < bins; ++i) expected[i] += expected[i - 1];
    right = right && std::equal(expected.begin(), expected.end(), result) && seen.totals.back() == counted;
  }
  right = right && seen.totals.size() == 3;
  checkCudaErrors(cudaGraphExecDestroy(exec));
  checkCudaErrors(cudaGraphDestroy(graph));
  checkCudaErrors(cudaStreamDestroy(stream));
  checkCudaErrors(cudaFreeHost(result));
  return right;
}
