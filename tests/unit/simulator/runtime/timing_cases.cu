// SPDX-License-Identifier: MIT
// Launches whose calls around them CUDASIM_TIMING counts. The test looks at the report.
#include <cuda_runtime.h>

#include <cstdio>

namespace {

__global__ void first(int* data) { data[threadIdx.x] = 1; }
__global__ void second(int* data) { data[threadIdx.x] += 1; }
__global__ void third(int* data) { data[threadIdx.x] += 2; }

#define MUST(call)                                 \
  do {                                             \
    if ((call) != cudaSuccess) {                   \
      std::fprintf(stderr, "not so: %s\n", #call); \
      return 1;                                    \
    }                                              \
  } while (0)

}  // namespace

int main() {
  int *data = nullptr, values[32] = {};
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr;
  MUST(cudaMalloc(&data, sizeof values));
  MUST(cudaMemset(data, 0, sizeof values));
  MUST(cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice));
  MUST(cudaEventCreate(&begin));
  MUST(cudaEventRecord(begin));
  MUST(cudaMemset(data, 0, sizeof values));
  MUST(cudaFuncSetAttribute(first, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  first<<<1, 32>>>(data);
  MUST(cudaGetLastError());
  MUST(cudaStreamCreate(&stream));
  MUST(cudaDeviceSynchronize());
  MUST(cudaEventRecord(begin));
  second<<<1, 32, 0, stream>>>(data);
  MUST(cudaStreamSynchronize(stream));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  third<<<1, 32, 0, stream>>>(data);
  MUST(cudaStreamEndCapture(stream, &graph));
  MUST(cudaGraphInstantiate(&executable, graph, 0));
  MUST(cudaGraphLaunch(executable, stream));
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaGraphExecDestroy(executable));
  MUST(cudaGraphDestroy(graph));
  MUST(cudaEventDestroy(begin));
  MUST(cudaStreamDestroy(stream));
  MUST(cudaFree(data));
  return 0;
}
